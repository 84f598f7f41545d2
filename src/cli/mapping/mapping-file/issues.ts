import * as z from 'zod/mini';
import { attrOfPath, failure, type Path, type Problem } from '../../../core/problem.ts';
import { IN_ENGLISH } from '../../../core/schema.ts';
import { suggestion } from '../../../core/suggestion.ts';

/** A problem of a document and whether it is about a key or about what stands there. */
export interface DocumentProblem {
  readonly problem: Problem;
  readonly what: 'key' | 'value';
}

/** What a schema objects to in a document, in the words of what was written. */
export function documentProblems(schema: z.ZodMiniType, value: unknown): readonly DocumentProblem[] {
  const parsed = schema.safeParse(value, IN_ENGLISH);
  if (parsed.success) return [];
  const problems = parsed.error.issues.flatMap((issue) => problemsOf(issue, [], { schema, value }));
  // What a misspelt key was to say is not reported as missing, too.
  const misspelt = problems
    .filter(({ what }) => what === 'key')
    .map(({ problem }) => problem.path.slice(0, -1));
  return problems.filter(
    ({ problem }) =>
      problem.code !== 'mapping_needs' ||
      !misspelt.some((path) => attrOfPath(path) === attrOfPath(problem.path)),
  );
}

interface Whole {
  readonly schema: z.ZodMiniType;
  readonly value: unknown;
}

function problemsOf(issue: z.core.$ZodIssue, prefix: Path, whole: Whole): readonly DocumentProblem[] {
  const path = [...prefix, ...(issue.path as Path)];
  const at = (problem: Problem, what: 'key' | 'value' = 'value'): DocumentProblem[] => [{ problem, what }];
  if (isOpenField(path, whole)) return at(failure('mapping_field_open', path));
  switch (issue.code) {
    case 'unrecognized_keys': {
      const known = knownKeys(whole, path);
      return issue.keys.flatMap((key) =>
        at(
          failure('mapping_key_unknown', [...path, key], { key, suggestion: suggestion(key, known) }),
          'key',
        ),
      );
    }
    case 'invalid_union':
      return ofUnion(issue, path, whole);
    case 'custom': {
      const { code, facts } = (issue.params as { problem: Problem }).problem;
      return at({ code, facts, path, severity: 'error' });
    }
    case 'invalid_type':
      return valueAt(whole.value, path) === undefined
        ? at(failure('mapping_key_missing', path, { key: String(path.at(-1)) }))
        : at(failure('mapping_value_invalid', path, { expected: KINDS[issue.expected] ?? issue.expected }));
    case 'invalid_value':
      return valueAt(whole.value, path) === undefined
        ? at(failure('mapping_key_missing', path, { key: String(path.at(-1)) }))
        : at(failure('mapping_value_invalid', path, { expected: oneOf(issue.values.map(String)) }));
    case 'too_small':
      return at(failure('mapping_value_invalid', path, { expected: 'a list that is not empty' }));
    default:
      return at(failure('mapping_value_invalid', path, { expected: issue.message }));
  }
}

const KINDS: Readonly<Record<string, string>> = {
  string: 'a text',
  object: 'an object',
  record: 'an object',
  array: 'a list',
};

function oneOf(values: readonly string[]): string {
  return values.length === 1
    ? `\`${values[0]}\``
    : `one of ${values.map((value) => `\`${value}\``).join(', ')}`;
}

/** The branch that takes what was written as a whole says what is wrong inside; if none does, all say what they take. */
function ofUnion(issue: z.core.$ZodIssueInvalidUnion, path: Path, whole: Whole): readonly DocumentProblem[] {
  const accepts = issue.errors.filter((branch) => !branch.some(isAboutKind));
  const [branch] = accepts.toSorted((a, b) => strangeKeys(a) - strangeKeys(b));
  if (branch) return branch.flatMap((inner) => problemsOf(inner, path, whole));
  const kinds = issue.errors.flat().flatMap((inner) => expectedBy(inner));
  const expected = [...new Set(kinds)].join(' or ');
  return [{ problem: failure('mapping_value_invalid', path, { expected }), what: 'value' }];
}

/** A key with nothing behind it, as a draft has it where it asks. */
function isOpenField(path: Path, { value }: Whole): boolean {
  return path.length === 2 && path[0] === 'fields' && valueAt(value, path) === '';
}

function isAboutKind(issue: z.core.$ZodIssue): boolean {
  return (
    issue.path.length === 0 &&
    ['invalid_type', 'invalid_value', 'custom'].includes(issue.code) &&
    !isNeed(issue)
  );
}

/** What an object lacks is said of an object that was meant. */
function isNeed(issue: z.core.$ZodIssue): boolean {
  return issue.code === 'custom' && (issue.params as { problem: Problem }).problem.code === 'mapping_needs';
}

function strangeKeys(issues: readonly z.core.$ZodIssue[]): number {
  return issues.filter(({ code, path }) => code === 'unrecognized_keys' && path.length === 0).length;
}

function expectedBy(issue: z.core.$ZodIssue): readonly string[] {
  if (issue.code === 'invalid_type') return [KINDS[issue.expected] ?? issue.expected];
  if (issue.code === 'invalid_value') return [oneOf(issue.values.map(String))];
  if (issue.code === 'custom')
    return [String((issue.params as { problem: Problem }).problem.facts['expected'])];
  return [];
}

/** The keys that the schema has for the object at a path. */
function knownKeys({ schema }: Whole, path: Path): readonly string[] {
  let schemas: readonly z.ZodMiniType[] = branches(schema);
  for (const part of path) {
    schemas = schemas.flatMap((each) => children(each, part)).flatMap(branches);
  }
  return [
    ...new Set(schemas.flatMap((each) => (each instanceof z.ZodMiniObject ? Object.keys(each.shape) : []))),
  ];
}

function children(schema: z.ZodMiniType, part: string | number): readonly z.ZodMiniType[] {
  if (schema instanceof z.ZodMiniArray && typeof part === 'number')
    return [schema.def.element as z.ZodMiniType];
  const shape = schema instanceof z.ZodMiniObject ? (schema.shape as Record<string, z.ZodMiniType>) : {};
  return Object.hasOwn(shape, part) ? [shape[part]!] : [];
}

/** The schemas behind `optional`, transforms and unions. */
function branches(schema: z.ZodMiniType): readonly z.ZodMiniType[] {
  if (schema instanceof z.ZodMiniOptional) return branches(schema.def.innerType as z.ZodMiniType);
  if (schema instanceof z.ZodMiniPipe) return branches(schema.def.in as z.ZodMiniType);
  if (schema instanceof z.ZodMiniUnion)
    return schema.def.options.flatMap((option) => branches(option as z.ZodMiniType));
  return [schema];
}

function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (inner, part) => (inner as Record<string | number, unknown> | null | undefined)?.[part],
    value,
  );
}

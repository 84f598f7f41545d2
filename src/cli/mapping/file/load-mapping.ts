import { isMissingKey, missingKey } from '../language/schemas.ts';
import { AppError } from '../../../core/app-error.ts';
import { DESCRIPTORS, RESOURCES, type Descriptors, type Resource } from '../../../core/contract/resources.ts';
import { failure, attrOfPath, type Path, type Problem } from '../../../core/problem.ts';
import { readYaml, type YamlText } from '../../../core/yaml/yaml-text.ts';
import type { OpenFile } from '../../csv/source-file.ts';
import { columnNames } from '../language/column-names.ts';
import { recordShape } from '../language/fields.ts';
import { mappingSchema, type Mapping, type MappingDocument } from '../language/mapping.ts';
import { sourceFormatOf } from '../language/source.ts';
import { documentProblems } from './document-checks.ts';
import { askedProblem, mappingSentence, type MappingProblem } from './mapping-problem.ts';
import { lookupTables } from './lookup-tables.ts';
import { textOf, type MappingFiles } from './mapping-files.ts';
import type * as z from 'zod/mini';
import { valueAt } from '../../../core/rules/schema-problems.ts';
import { IN_ENGLISH, keysAt } from '../../../core/schema.ts';
import { nearestName, suggestion } from '../../../core/suggestion.ts';

/** A mapping, unless it has problems. */
export interface LoadedMapping {
  readonly mapping: Mapping | undefined;
  /** In the order of files and lines. */
  readonly problems: readonly MappingProblem[];
}

/**
 * Reads a mapping file and the files that it names. Reports all problems at once.
 * @param descriptors which fields there are; those of the interface by default
 */
export async function loadMapping(
  name: string,
  open: OpenFile,
  descriptors: Descriptors = DESCRIPTORS,
): Promise<LoadedMapping> {
  const loading: MappingFiles = { open, files: [], problems: [] };
  const text = await textOf(name, loading);
  const yaml = yamlOf(name, text, loading);
  const mapping = yaml && (await mappingOf(yaml, text, loading, descriptors));
  const order = loading.files.map((file) => file.name);
  const problems = loading.problems.toSorted(
    (a, b) => order.indexOf(a.file) - order.indexOf(b.file) || a.line - b.line || a.column - b.column,
  );
  return { mapping: problems.length === 0 ? mapping : undefined, problems };
}

/** Loads a mapping, and throws its first problem if it has any. */
export async function needMapping(name: string, open: OpenFile, descriptors?: Descriptors): Promise<Mapping> {
  const { mapping, problems } = await loadMapping(name, open, descriptors);
  if (mapping) return mapping;
  const [first] = problems;
  if (!first) throw new TypeError('a mapping is missing although it has no problem');
  const { file, line, column } = first;
  throw new AppError('mapping_invalid', {
    mapping: name,
    count: problems.length,
    reason: mappingSentence(first),
    file,
    line,
    column,
  });
}

async function mappingOf(
  yaml: YamlText,
  text: string,
  loading: MappingFiles,
  descriptors: Descriptors,
): Promise<Mapping | undefined> {
  const resource = resourceOf(yaml, loading);
  if (!resource) return undefined;
  const value = withEmptySections(yaml.value);
  const schema = mappingSchema(resource, descriptors);
  const found = schemaProblems(schema, value);
  for (const { problem, at } of found)
    loading.problems.push(askedProblem({ problem, ...yaml.positionOf(problem.path, at) }, text));
  if (found.length > 0) return undefined;
  const shape = recordShape(resource, descriptors);
  const document = { fields: {}, ...schema.parse(value), shape } as unknown as MappingDocument;
  for (const problem of documentProblems(document))
    loading.problems.push({ problem, ...yaml.positionOf(problem.path) });
  const tables = await lookupTables(document, yaml, loading);
  const format = sourceFormatOf(document.source, columnNames(document));
  const { file: name, positionOf } = yaml;
  return { name, resource, format, document, tables, positionOf, files: loading.files };
}

/** Decides first which schema applies, so that its problems are about that resource. */
function resourceOf(yaml: YamlText, { problems }: MappingFiles): Resource | undefined {
  const { resource } = isObject(yaml.value) ? yaml.value : {};
  if (RESOURCES.includes(resource as Resource)) return resource as Resource;
  const problem = !isObject(yaml.value)
    ? failure('mapping_value_invalid', [], { expected: 'an object with `version` and `resource`' })
    : resource === undefined
      ? missingKey(['resource'], 'to be given')
      : failure('mapping_value_invalid', ['resource'], { expected: `one of ${RESOURCES.join(', ')}` });
  problems.push({ problem, ...yaml.positionOf(problem.path) });
  return undefined;
}

/** Reads a section that has only comments as an empty section. A draft has such sections before its questions are answered. */
function withEmptySections(value: unknown): unknown {
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, section]) => [
      key,
      (key === 'source' || key === 'fields') && section === '' ? {} : section,
    ]),
  );
}

/** The YAML of a mapping file; undefined when it is none. */
function yamlOf(file: string, text: string, { problems }: MappingFiles): YamlText | undefined {
  const { yaml, problems: unreadable = [] } = readYaml({ file, text, schema: 'failsafe' });
  for (const { reason, ...position } of unreadable)
    problems.push({
      problem: failure('mapping_value_invalid', [], { expected: `readable YAML: ${reason}` }),
      ...position,
    });
  return yaml;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A problem of a document, and whether it is shown at a key or at the value of the key. */
type KeyProblem = { readonly problem: Problem; readonly at: 'key' | 'value' };

/** The problems that a schema finds in a document, in the words of what was written. */
function schemaProblems(schema: z.ZodMiniType, value: unknown): readonly KeyProblem[] {
  const parsed = schema.safeParse(value, IN_ENGLISH);
  if (parsed.success) return [];
  const problems = parsed.error.issues.flatMap((issue) => problemsOf(issue, [], { schema, value }));
  // A misspelt key is reported once, and not as a missing key, too.
  const explained = problems.flatMap(({ problem: { path }, at }) => {
    if (at === 'value') return [];
    const around = path.slice(0, -1);
    const meant = nearestName(String(path.at(-1)), keysAt(schema, around)) ?? '';
    return [around, [...around, meant]].map(attrOfPath);
  });
  // An empty value may break several rules of its key. It is one open question.
  const open = new Set<string>();
  return problems.filter(({ problem }) => {
    const attr = attrOfPath(problem.path);
    const isTwice = problem.code === 'mapping_question_open' && open.size === open.add(attr).size;
    return !isTwice && !(isMissingKey(problem) && explained.includes(attr));
  });
}

type Whole = { readonly schema: z.ZodMiniType; readonly value: unknown };

function problemsOf(issue: z.core.$ZodIssue, prefix: Path, whole: Whole): readonly KeyProblem[] {
  const path = [...prefix, ...(issue.path as Path)];
  const atValue = (problem: Problem): KeyProblem[] => [{ problem, at: 'value' }];
  const invalid = (expected: string): KeyProblem[] =>
    atValue(failure('mapping_value_invalid', path, { expected }));
  if (isOpenField(path, whole)) return atValue(failure('mapping_question_open', path));
  switch (issue.code) {
    case 'unrecognized_keys': {
      const known = keysAt(whole.schema, path);
      return issue.keys.map((key) => {
        const instead = insteadOfKey(path, key);
        const words = instead === undefined ? suggestion(key, known) : `; ${instead}`;
        const what = `there is no key \`${key}\` here${words}`;
        return { problem: failure('mapping_value_invalid', [...path, key], { what }), at: 'key' };
      });
    }
    case 'invalid_union':
      return ofUnion(issue, path, whole);
    case 'custom': {
      const { code, facts } = (issue.params as { problem: Problem }).problem;
      return atValue(failure(code, path, facts));
    }
    case 'invalid_key':
    case 'invalid_type':
    case 'invalid_value':
      return valueAt(whole.value, path) === undefined
        ? atValue(missingKey(path, 'to be given'))
        : invalid(expectedBy(issue)[0]!);
    case 'too_small':
      return invalid('a list that is not empty');
    default:
      return invalid(issue.message);
  }
}

const KINDS: Readonly<Record<string, string>> = {
  string: 'a text',
  object: 'an object',
  record: 'an object',
  array: 'a list',
};

/** The kinds of values that a schema accepts, as an issue reports them. */
function expectedBy(issue: z.core.$ZodIssue): readonly string[] {
  if (issue.code === 'invalid_type') return [KINDS[issue.expected] ?? issue.expected];
  if (issue.code === 'invalid_value') {
    const values = issue.values.map((value) => `\`${String(value)}\``).join(', ');
    return [issue.values.length === 1 ? values : `one of ${values}`];
  }
  if (issue.code === 'invalid_key') return issue.issues.flatMap(expectedBy);
  if (issue.code === 'custom')
    return [String((issue.params as { problem: Problem }).problem.facts['expected'])];
  return [];
}

/** The problems of the branch that accepts this kind of value. If no branch does, one problem names all accepted kinds. */
function ofUnion(issue: z.core.$ZodIssueInvalidUnion, path: Path, whole: Whole): readonly KeyProblem[] {
  const accepts = issue.errors.filter((branch) => !branch.some(isAboutKind));
  const [branch] = accepts.toSorted((a, b) => unknownKeys(a) - unknownKeys(b));
  if (branch) return branch.flatMap((inner) => problemsOf(inner, path, whole));
  const kinds = issue.errors.flat().flatMap((inner) => expectedBy(inner));
  const expected = [...new Set(kinds)].join(' or ');
  return [{ problem: failure('mapping_value_invalid', path, { expected }), at: 'value' }];
}

/** Whether a field, a key of the source, or the filter has nothing behind it. A draft writes its questions so. */
function isOpenField(path: Path, { value }: Whole): boolean {
  const isAsked = /^(?:(?:fields|source)\.[^.]+|filter)$/.test(attrOfPath(path));
  return isAsked && valueAt(value, path) === '';
}

function isAboutKind(issue: z.core.$ZodIssue): boolean {
  if (issue.path.length > 0) return false;
  // Where an object lacks a key, an object was meant.
  if (issue.code === 'custom') return !isMissingKey((issue.params as { problem: Problem }).problem);
  return issue.code === 'invalid_type' || issue.code === 'invalid_value';
}

function unknownKeys(issues: readonly z.core.$ZodIssue[]): number {
  return issues.filter(({ code, path }) => code === 'unrecognized_keys' && path.length === 0).length;
}

const byQuery = (does: string): string => `a query (docs/mapping-recipes.md) ${does}`;

const BY_TOTAL = byQuery(
  'compares the row of the total, which stays in its table: `CASE WHEN (SELECT sum(…) FROM t WHERE …) = (SELECT … FROM t WHERE …) THEN "Amount" END AS checked`',
);

/** Removed keys, each with what does the same now. `trailer.over` is the key `over` of a trailer. */
const REMOVED_KEYS: Readonly<Record<string, string>> = {
  expect: byQuery(
    'gives a row no amount that is not as expected: `CASE WHEN … THEN "Amount" END AS checked`',
  ),
  subtotals: byQuery('compares rows of totals: `sum("Amount") FILTER (…) OVER (PARTITION BY "Account")`'),
  otherwise:
    'an alternative behind it: `field: [{ column: A, lookup: { … }, when: { column: A, in: [ … ] } }, { constant: VALUE }]`; `A` in the place of the constant keeps the text',
  'pad.side': byQuery('fills a text up on the right: `rpad("Code", 8, \'0\')`'),
  'lookup.next': byQuery('joins one table after the other: `LEFT JOIN a ON … LEFT JOIN b ON …`'),
  include: 'a mapping is one file: write the keys of that file here, each one that is not here yet',
  trailing_zeros:
    "`replace: [{ pattern: '([.,]\\d\\d)0+$', with: '$1' }]` drops zeros behind the second decimal",
  empty: 'a list without items is left out anyway',
  ...Object.fromEntries(
    ['over', 'when', 'count_of', 'negate', 'sign', 'replace'].map((key) => [`trailer.${key}`, BY_TOTAL]),
  ),
};

/** What does now what a removed key did, as the end of a sentence; undefined for a key that no mapping ever had. */
function insteadOfKey(path: Path, key: string): string | undefined {
  const part = ['trailer', 'lookup', 'pad'].find((name) => path.includes(name));
  return REMOVED_KEYS[part === undefined ? key : `${part}.${key}`];
}

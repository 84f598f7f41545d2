import type * as z from 'zod/mini';
import { sentenceOf } from '../../core/error-codes/sentence.ts';
import { type Path, withoutNonField } from '../../core/problem.ts';
import { problemsOfIssues, valueAt } from '../../core/rules/schema-problems.ts';
import { keysAt } from '../../core/schema.ts';
import { nearestName } from '../../core/suggestion.ts';
import type { YamlText, DocumentProblem, TextPosition } from '../../core/yaml/yaml-text.ts';
import { seedFile, SEED_VERSION, type SeedFile } from './seed-file.ts';
import { AppError } from '../../core/app-error.ts';

/**
 * Seeds with the problems of their entries, and without any of these with those between the entries of all.
 * @param isWhole false when a file is unreadable: it may define what other files refer to
 * @param suppliers codes of suppliers that are there before
 */
export function checkedSeeds(
  texts: readonly YamlText[],
  isWhole: boolean,
  suppliers: readonly string[] = [],
): { readonly files: readonly SeedFile[]; readonly problems: readonly SeedProblem[] } {
  const parsed = texts.map((text) => ({ text, ...seedFile.safeParse(text.value) }));
  const problems = parsed.flatMap(({ text, error }) => problemsOfSchema(error?.issues ?? [], text));
  const files = parsed.flatMap(({ text, data }) => (data ? [{ text, seed: data }] : []));
  return {
    files: files.map(({ seed }) => seed),
    problems: isWhole && problems.length === 0 ? problemsBetween(files, suppliers) : problems,
  };
}

/** A seed that is an object. It has no lines, so its problems name the entry alone. `file`: how messages name it. */
export function textOfObject(seed: object, file: string): YamlText {
  const value: unknown = JSON.parse(JSON.stringify({ version: SEED_VERSION, ...seed }));
  const positionOf = () => ({ file, line: 1, column: 1 });
  return { file, value, positionOf, has: (path: Path) => valueAt(value, path) !== undefined };
}

function problemsOfSchema(
  issues: readonly z.core.$ZodIssue[],
  { value, positionOf }: YamlText,
): readonly SeedProblem[] {
  /** The entries with unknown keys. What they lack may be the meaning of such a key. */
  const unclear = new Set<string | undefined>();
  const unknown = issues.flatMap((issue) => {
    if (issue.code !== 'unrecognized_keys') return [];
    const path = issue.path as Path;
    const entry = entryOf(path);
    unclear.add(entry);
    return issue.keys.map((key) => ({
      ...positionOf([...path, key], 'key'),
      entry,
      reason: unknownKey(key, path),
    }));
  });
  const others = issues
    .filter(({ code }) => code !== 'unrecognized_keys')
    .flatMap((issue) => problemsOfIssue(issue, value))
    .filter(({ path }) => !(unclear.has(entryOf(path.slice(0, -1))) && valueAt(value, path) === undefined))
    .map(({ path, reason }) => ({ ...positionOf(path), entry: entryOf(path), reason }));
  return [...unknown, ...others];
}

function unknownKey(key: string, path: Path): string {
  const known = keysAt(seedFile, path);
  const meant = nearestName(key, known);
  // A wrong key below `api_keys` may be an API key in the wrong place, so it is not repeated.
  const there = path[0] === 'api_keys' && meant === undefined ? 'no such key' : `no key \`${key}\``;
  const near = meant === undefined ? '' : `; did you mean \`${meant}\`?`;
  return `there is ${there} here${near} (keys: ${known.join(', ')})`;
}

function problemsOfIssue(issue: z.core.$ZodIssue, value: unknown): readonly { path: Path; reason: string }[] {
  const path = issue.path as Path;
  const given = valueAt(value, path);
  if (issue.code === 'custom' && typeof issue.params?.['seed'] === 'string') {
    return [{ path, reason: given === undefined ? sentenceOf('required') : issue.params['seed'] }];
  }
  if (path[0] === 'version' && given !== undefined) {
    const reason = `this program reads version ${SEED_VERSION} of the format only: write \`version: ${SEED_VERSION}\``;
    return [{ path, reason }];
  }
  if (issue.code === 'invalid_type' && issue.expected === 'string' && isScalar(given)) {
    return [{ path, reason: `this is read as a ${typeof given}, not as text: quote it` }];
  }
  return problemsOfIssues([issue], value).map(({ code, facts, path: at }) => ({
    path: withoutNonField(at),
    reason: sentenceOf(code, facts) + (code === 'invalid_choice' ? ` (${facts['known']})` : ''),
  }));
}

const isScalar = (value: unknown): boolean => typeof value === 'number' || typeof value === 'boolean';

/** A thing that is defined twice, and a supplier that is referred to and not defined. */
function problemsBetween(
  files: readonly { readonly text: YamlText; readonly seed: SeedFile }[],
  known: readonly string[],
): readonly SeedProblem[] {
  const problems: SeedProblem[] = [];
  const first = new Map<string, { readonly text: YamlText; readonly path: Path }>();
  const codes = new Set([...known, ...files.flatMap(({ seed }) => seed.suppliers.map(({ code }) => code))]);
  for (const { text, seed } of files) {
    const report = (path: Path, reason: string) =>
      void problems.push({ ...text.positionOf(path), entry: entryOf(path), reason });
    const define = (thing: string, name: readonly string[], path: Path) => {
      const key = JSON.stringify([thing, ...name]);
      const before = first.get(key);
      if (!before) return void first.set(key, { text, path });
      const there = `${positionText(before.text.positionOf(before.path))} (${entryOf(before.path)})`;
      report(path, `this ${thing} is already defined at ${there}`);
    };
    const refer = (code: string, path: Path) => {
      if (!codes.has(code))
        report(path, 'no supplier has this code: define it under `suppliers`, in this file or another');
    };
    for (const [index, { code }] of seed.suppliers.entries())
      define('supplier', [code], ['suppliers', index]);
    for (const [index, { key, suppliers = [] }] of seed.api_keys.entries()) {
      const path = ['api_keys', index];
      define('API key', [key], path);
      for (const [at, code] of suppliers.entries()) refer(code, [...path, 'suppliers', at]);
    }
    for (const [index, account] of seed.accounts.entries()) {
      const { import_supplier: code, external_account_number: number } = account;
      define('account', [code, number], ['accounts', index]);
      refer(code, ['accounts', index, 'import_supplier']);
    }
    for (const [index, { code, instructions }] of seed.vendors.entries()) {
      const path = ['vendors', index];
      define('vendor', [code], path);
      for (const [at, { reference }] of instructions.entries())
        define('instruction of the vendor', [code, reference], [...path, 'instructions', at]);
    }
  }
  return problems;
}

export interface SeedProblem extends DocumentProblem {
  /** `accounts[3].state`; undefined for a problem of the YAML, or of the file as a whole. */
  readonly entry: string | undefined;
}

const MOST_PROBLEMS = 20;

/** `['api_keys', 1, 'suppliers', 0]` → `api_keys[1].suppliers[0]`; undefined for the file as a whole. */
function entryOf(path: Path): string | undefined {
  const text = path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${part}`)).join('');
  return text === '' ? undefined : text.slice(1);
}

/** `seed.yaml:7:5`, which editors and terminals open. */
function positionText({ file, line, column }: TextPosition): string {
  return `${file}:${line}:${column}`;
}

/** One error for all problems. Its cause contains an error for each of the first problems. */
export function seedInvalid(problems: readonly SeedProblem[]): AppError {
  const reported = problems.slice(0, MOST_PROBLEMS);
  const errors = reported.map(
    ({ entry, reason, ...position }) =>
      new AppError('seed_invalid', {
        ...position,
        reason: entry === undefined ? reason : `${entry}: ${reason}`,
      }),
  );
  const texts = errors.map(({ facts }, index) => `${positionText(reported[index]!)} ${facts['reason']}`);
  if (problems.length > reported.length) {
    const rest = `${problems.length - reported.length} more problems: correct these first`;
    errors.push(new AppError('seed_invalid', { reason: rest }));
    texts.push(rest);
  }
  return new AppError('seed_invalid', { reason: texts.join('; ') }, new AggregateError(errors));
}

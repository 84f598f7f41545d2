import type * as z from 'zod/mini';
import type { ParsedYaml, DocumentProblem, YamlText } from '../../core/yaml/yaml-text.ts';
import { readYamlFile } from '../options/yaml-file.ts';
import type { SeedDocument } from '../options/seed-document.ts';
import { problemsBetween } from './cross-references.ts';
import { seedFile, SEED_VERSION } from './seed-file.ts';
import { seedInvalid, type SeedProblem, entryOf } from './seed-problem.ts';
import { seedOf, type Seed } from './seed.ts';
import { type Path, withoutNonField } from '../../core/problem.ts';
import { JsonSyntaxError, parseExactJson } from '../../core/values/exact-json.ts';
import { plainJson } from '../../core/values/plain-json.ts';
import { readTextFile } from '../../files/text-file.ts';
import { sentenceOf } from '../../core/error-codes/sentence.ts';
import { problemsOfIssues, valueAt } from '../../core/rules/schema-problems.ts';
import { keysAt } from '../../core/schema.ts';
import { nearestName } from '../../core/suggestion.ts';

/**
 * Reads seeds, each a file or an object, as one. They may refer to each other, and no two may define the same thing.
 * @throws AppError `file_not_readable`; `seed_invalid` with the problems of all seeds
 */
export function readSeed(seeds: readonly (string | SeedDocument)[]): Seed {
  const parsedFiles = seeds.map((seed, index) =>
    typeof seed === 'string' ? readSeedFile(seed) : asFile(seed, nameOfObject(index)),
  );
  const paths = seeds.map((seed, index) => (typeof seed === 'string' ? seed : nameOfObject(index)));
  const texts = parsedFiles.flatMap(({ yaml }) => yaml ?? []);
  const files = texts.map((text) => ({ text, parsed: seedFile.safeParse(text.value) }));
  const problems = [
    ...parsedFiles.flatMap(({ problems: unreadable = [] }) =>
      unreadable.map((problem) => ({ ...problem, entry: undefined })),
    ),
    ...files.flatMap(({ text, parsed }) => problemsOfSchema(parsed.error?.issues ?? [], text)),
    ...problemsBetween(texts, { isWhole: texts.length === parsedFiles.length }),
  ];
  if (problems.length > 0) throw seedInvalid(inOrder(problems, paths));
  return seedOf(files.flatMap(({ parsed }) => parsed.data ?? []));
}

/** An object has no lines, so its problems name the entry alone. */
function asFile(seed: SeedDocument, file: string): ParsedYaml {
  const value: unknown = JSON.parse(JSON.stringify({ version: SEED_VERSION, ...seed }));
  const positionOf = () => ({ file, line: 1, column: 1 });
  return { yaml: { file, value, positionOf, has: (path: Path) => valueAt(value, path) !== undefined } };
}

const nameOfObject = (index: number): string => `seeds[${index}]`;

function readSeedFile(path: string): ParsedYaml {
  const parsed = isAccountLines(path) ? readAccountLines(path) : readYamlFile(path);
  if (parsed.yaml?.value !== null) return parsed;
  const reason = 'it is empty; a seed has at least `version: 1`';
  return { problems: [{ ...parsed.yaml.positionOf([]), reason }] };
}

/** In the order of files, lines and columns. */
function inOrder(problems: readonly SeedProblem[], paths: readonly string[]): readonly SeedProblem[] {
  return problems.toSorted(
    (a, b) => paths.indexOf(a.file) - paths.indexOf(b.file) || a.line - b.line || a.column - b.column,
  );
}

/** Whether a seed is a list of accounts in JSON Lines. */
const isAccountLines = (file: string): boolean => /\.(?:jsonl|ndjson)$/i.test(file);

/**
 * Reads accounts, one JSON object a line, as a seed that has nothing but these accounts. For tens of thousands of accounts: YAML
 * takes several times as long and as much memory.
 * @throws AppError `file_not_readable`, `file_not_utf8`
 */
function readAccountLines(file: string): ParsedYaml {
  const accounts: unknown[] = [];
  const lines: number[] = [];
  const problems: DocumentProblem[] = [];
  for (const [index, text] of readTextFile(file).split('\n').entries()) {
    if (text.trim() === '') continue;
    try {
      accounts.push(valueOf(text));
      lines.push(index + 1);
    } catch (error) {
      if (!(error instanceof JsonSyntaxError)) throw error;
      problems.push({ file, line: index + 1, column: error.position + 1, reason: error.message });
    }
  }
  const [first, ...rest] = problems;
  if (first) return { problems: [first, ...rest] };
  return {
    yaml: {
      file,
      value: { version: SEED_VERSION, accounts },
      positionOf: ([, index]: Path) => ({ file, line: lines[index as number] ?? 1, column: 1 }),
      has: ([, index]: Path) => lines[index as number] !== undefined,
    },
  };
}

/** @throws JsonSyntaxError also for a key that comes twice, of which JSON.parse takes the last in silence */
function valueOf(text: string): unknown {
  const value = plainJson(text);
  // A text that is written again as it was has no key twice. This takes a third of the time of the exact reader.
  if (value === undefined || JSON.stringify(value) !== text) parseExactJson(text);
  return value;
}

function problemsOfSchema(
  issues: readonly z.core.$ZodIssue[],
  { value, positionOf }: YamlText,
): readonly SeedProblem[] {
  const misspelt = new Set<string>();
  const unknown = issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.map((key) => {
          const path = issue.path as Path;
          const known = keysAt(seedFile, path);
          const meant = nearestName(key, known);
          if (meant !== undefined) misspelt.add(entryOf([...path, meant])!);
          return {
            ...positionOf([...path, key], 'key'),
            entry: entryOf(path),
            reason: unknownKey({ key, meant, known, isSecret: path[0] === 'api_keys' }),
          };
        })
      : [],
  );
  const others = issues
    .filter(({ code }) => code !== 'unrecognized_keys')
    .flatMap((issue) => problemsOfIssue(issue, value))
    // The value of a misspelt key is not reported as missing as well.
    .filter(({ path }) => !(misspelt.has(entryOf(path) ?? '') && valueAt(value, path) === undefined))
    .map(({ path, reason }) => ({ ...positionOf(path), entry: entryOf(path), reason }));
  return [...unknown, ...others];
}

interface UnknownKey {
  readonly key: string;
  readonly meant: string | undefined;
  readonly known: readonly string[];
  /** A wrong key below `api_keys` may be an API key in the wrong place, so it is not repeated. */
  readonly isSecret: boolean;
}

function unknownKey({ key, meant, known, isSecret }: UnknownKey): string {
  const there = isSecret && meant === undefined ? 'no such key' : `no key \`${key}\``;
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

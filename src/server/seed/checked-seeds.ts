import type * as z from 'zod/mini';
import { sentenceOf } from '../../core/error-codes/sentence.ts';
import { type Path, withoutNonField } from '../../core/problem.ts';
import { problemsOfIssues, valueAt } from '../../core/rules/schema-problems.ts';
import { keysAt } from '../../core/schema.ts';
import { nearestName } from '../../core/suggestion.ts';
import type { YamlText } from '../../core/yaml/yaml-text.ts';
import { problemsBetween } from './cross-references.ts';
import { entryOf, type SeedProblem } from './seed-problem.ts';
import { seedFile, SEED_VERSION, type SeedFile } from './seed-file.ts';

/** What else decides whether seeds are right. */
interface SeedSurroundings {
  /** False when a file is unreadable: it may define what other files refer to. */
  readonly isWhole: boolean;
  /** Codes of suppliers that are there before. */
  readonly suppliers?: readonly string[];
}

/** Seeds with all their problems: of single entries, and between the entries of all. */
export function checkedSeeds(
  texts: readonly YamlText[],
  surroundings: SeedSurroundings,
): { readonly files: readonly SeedFile[]; readonly problems: readonly SeedProblem[] } {
  const parsed = texts.map((text) => ({ text, result: seedFile.safeParse(text.value) }));
  return {
    files: parsed.flatMap(({ result }) => result.data ?? []),
    problems: [
      ...parsed.flatMap(({ text, result }) => problemsOfSchema(result.error?.issues ?? [], text)),
      ...problemsBetween(texts, surroundings),
    ],
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

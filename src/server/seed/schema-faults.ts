import * as z from 'zod/mini';
import { sentenceOf } from '../../core/error-codes/sentence.ts';
import { withoutNonField, type Path } from '../../core/problem.ts';
import { problemsOfIssues } from '../../core/rules/schema-problems.ts';
import { nearestName } from '../../core/suggestion.ts';
import { otherVersion } from './definition-words.ts';
import type { YamlFile } from '../options/yaml-file.ts';
import { entryOf, type SeedFault } from './seed-fault.ts';
import { SEED_VERSION, seedFile } from './seed-file.ts';

/** What is wrong with the entries of a file, each by itself. */
export function faultsOfIssues(
  issues: readonly z.core.$ZodIssue[],
  { value, placeOf }: YamlFile,
): readonly SeedFault[] {
  const misspelt = new Set<string>();
  const unknown = issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.map((key) => {
          const path = issue.path as Path;
          const known = keysAt(path);
          const meant = nearestName(key, known);
          if (meant !== undefined) misspelt.add(entryOf([...path, meant])!);
          return {
            place: placeOf([...path, key], 'key'),
            entry: entryOf(path),
            reason: unknownKey({ key, meant, known, isSecret: path[0] === 'api_keys' }),
          };
        })
      : [],
  );
  const others = issues
    .filter(({ code }) => code !== 'unrecognized_keys')
    .flatMap((issue) => faultsOfIssue(issue, value))
    // What a misspelt key was to say is not told as missing, too.
    .filter(({ path }) => !(misspelt.has(entryOf(path) ?? '') && valueAt(value, path) === undefined))
    .map(({ path, reason }) => ({ place: placeOf(path), entry: entryOf(path), reason }));
  return [...unknown, ...others];
}

interface UnknownKey {
  readonly key: string;
  readonly meant: string | undefined;
  readonly known: readonly string[];
  /** The key of a mapping among the API keys may be one that stands in the wrong place. */
  readonly isSecret: boolean;
}

function unknownKey({ key, meant, known, isSecret }: UnknownKey): string {
  const there = isSecret && meant === undefined ? 'no such key' : `no key \`${key}\``;
  const near = meant === undefined ? '' : `; did you mean \`${meant}\`?`;
  return `there is ${there} here${near} (keys: ${known.join(', ')})`;
}

function faultsOfIssue(
  issue: z.core.$ZodIssue,
  value: unknown,
): readonly { readonly path: Path; readonly reason: string }[] {
  const path = issue.path as Path;
  const given = valueAt(value, path);
  if (issue.code === 'custom' && typeof issue.params?.['seed'] === 'string') {
    return [{ path, reason: given === undefined ? sentenceOf('required') : issue.params['seed'] }];
  }
  if (path[0] === 'version' && given !== undefined) {
    const reason = `${otherVersion('another version', SEED_VERSION)}: write \`version: ${SEED_VERSION}\``;
    return [{ path, reason }];
  }
  if (issue.code === 'invalid_type' && issue.expected === 'string' && isScalar(given)) {
    return [{ path, reason: `YAML reads this as a ${typeof given}, not as text: quote it` }];
  }
  return problemsOfIssues([issue], value).map(({ code, facts, path: at }) => ({
    path: withoutNonField(at),
    reason: sentenceOf(code, facts) + (code === 'invalid_choice' ? ` (${facts['known']})` : ''),
  }));
}

/** The keys of the object at a path of a seed file. */
function keysAt(path: Path): readonly string[] {
  let schema: z.ZodMiniType = seedFile;
  for (const part of path) {
    const outer = unwrapped(schema);
    if (outer instanceof z.ZodMiniArray) schema = outer.def.element as z.ZodMiniType;
    else if (outer instanceof z.ZodMiniObject) schema = outer.shape[part] as z.ZodMiniType;
  }
  const object = unwrapped(schema);
  return object instanceof z.ZodMiniObject ? Object.keys(object.shape) : [];
}

/** The schema behind a default and `optional`. */
function unwrapped(schema: z.ZodMiniType): z.ZodMiniType {
  return schema instanceof z.ZodMiniDefault || schema instanceof z.ZodMiniOptional
    ? unwrapped(schema.def.innerType as z.ZodMiniType)
    : schema;
}

function isScalar(value: unknown): boolean {
  return typeof value === 'number' || typeof value === 'boolean';
}

function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (inner, part) => (inner as Record<string | number, unknown> | null | undefined)?.[part],
    value,
  );
}

import type * as z from 'zod/mini';
import { nearestName } from '../../core/suggestion.ts';

/** One thing that a schema has against a value, in words. */
export interface Objection {
  /** The key that it is about; null for the value as a whole. */
  readonly key: string | null;
  readonly reason: string;
}

/** All that a schema with words of its own has against a value. A misspelt key is told in place of the one that was meant. */
export function objectionsOf(
  issues: readonly z.core.$ZodIssue[],
  value: unknown,
  known: readonly string[],
): readonly Objection[] {
  const unknown = issues.flatMap((issue) => (issue.code === 'unrecognized_keys' ? issue.keys : []));
  const meant = new Set(unknown.map((key) => nearestName(key, known)));
  const others = issues.flatMap(({ code, path: [part], message }): readonly Objection[] => {
    if (code === 'unrecognized_keys') return [];
    if (part === undefined) return [{ key: null, reason: message }];
    const key = String(part);
    if (Object.hasOwn(value as object, key)) return [{ key, reason: `\`${key}\` ${message}` }];
    return meant.has(key) ? [] : [{ key: null, reason: `\`${key}\` is missing: it ${message}` }];
  });
  return [...unknown.map((key) => ({ key, reason: unknownKey(key, known) })), ...others];
}

function unknownKey(key: string, known: readonly string[]): string {
  // A text has them so.
  if (key.startsWith('headers.')) return `an object has \`${key}\` as \`headers: {${key.slice(8)}: …}\``;
  const near = nearestName(key, known);
  return `there is no \`${key}\`${near === undefined ? '' : `; did you mean \`${near}\`?`}`;
}

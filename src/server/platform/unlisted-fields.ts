import type { Resource } from '../../core/contract/resources.ts';
import type { Path, Problem } from '../../core/problem.ts';
import { rule } from '../../core/rules/rule.ts';
import type { Platform } from './platform.ts';

/** What the platform reads of a value that holds fields which are not listed. */
export interface Listed {
  readonly value: unknown;
  readonly ignored: readonly Path[];
}

export const listedPartOf = rule(
  {
    name: 'unlisted-fields',
    authority: 'chosen',
    source: 'emulator.md, "Decisions where the interface is silent" (interface.md 2.1)',
    says: 'A field that is not listed is refused with its path; with --lenient it is left out and counted.',
    tested:
      'server/options/behaviour › --lenient leaves fields out that are not listed, stores the rest, and counts them',
    codes: ['unexpected_field'],
  },
  /** Undefined when nothing is to be left out, so that the problems stand. */
  (value: unknown, problems: readonly Problem[], { behaviour }: Platform): Listed | undefined => {
    if (!behaviour.lenient) return undefined;
    const ignored = problems.filter(({ code }) => code === 'unexpected_field').map(({ path }) => path);
    return ignored.length === 0 ? undefined : { value: ignored.reduce(without, value), ignored };
  },
);

/** Counts fields that were left out; has to run in the transaction of the request. */
export function countIgnored(resource: Resource, paths: readonly Path[], { store }: Platform): void {
  for (const path of paths) {
    const field = path.map((part) => (typeof part === 'number' ? '*' : part)).join('.');
    store.ignoredFields.count(resource, field);
  }
}

/** A copy without what stands at a path; on the way to it there are plain objects and lists only. */
function without(value: unknown, [head, ...rest]: Path): unknown {
  if (Array.isArray(value)) {
    return value.map((item, index) => (index === head ? without(item, rest) : item));
  }
  return Object.fromEntries(
    Object.entries(value as object).flatMap(([name, part]) => {
      if (name !== head) return [[name, part]];
      return rest.length === 0 ? [] : [[name, without(part, rest)]];
    }),
  );
}

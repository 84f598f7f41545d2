import type { Resource } from '../../core/contract/resources.ts';
import type { Path, Problem } from '../../core/problem.ts';
import type { Platform } from './platform.ts';

export type Listed = { readonly value: unknown; readonly ignored: readonly Path[] };

/** With `--behaviour lenient` drops the unlisted fields. Undefined when nothing is dropped, so that the problems remain. */
export function listedPartOf(
  value: unknown,
  problems: readonly Problem[],
  { behaviour }: Platform,
): Listed | undefined {
  if (!behaviour.lenient) return undefined;
  const ignored = problems.filter(({ code }) => code === 'unexpected_field').map(({ path }) => path);
  return ignored.length === 0 ? undefined : { value: ignored.reduce(without, value), ignored };
}

/** Counts dropped fields. Has to run in the transaction of the request. */
export function countIgnored(resource: Resource, paths: readonly Path[], { store }: Platform): void {
  for (const path of paths) {
    const field = path.map((part) => (typeof part === 'number' ? '*' : part)).join('.');
    store.ignoredFields.count(resource, field);
  }
}

/** A copy without the value at a path. All values on the way to it are plain objects and lists. */
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

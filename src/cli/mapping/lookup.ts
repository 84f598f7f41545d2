import { failure } from '../../core/problem.ts';
import { Flawed } from './flawed.ts';
import type { LookupFileSpec, StepSpec } from './mapping-file/step-keys.ts';

/** Lookup tables of files, by what the mapping says of them. */
export type LookupTables = ReadonlyMap<LookupFileSpec, ReadonlyMap<string, string>>;

/** Whether a lookup names a file, and is no table itself. */
export function isLookupFile(lookup: NonNullable<StepSpec['lookup']>): lookup is LookupFileSpec {
  return Object.hasOwn(lookup, 'file') && Object.hasOwn(lookup, 'key');
}

/** The step that puts what a table says in place of a text; undefined when the field has no table. */
export function lookupStep(
  { lookup, otherwise = 'error' }: StepSpec,
  tables: LookupTables,
): ((text: string) => string | Flawed) | undefined {
  if (lookup === undefined) return undefined;
  const table = isLookupFile(lookup) ? tables.get(lookup)! : new Map(Object.entries(lookup));
  return (text) =>
    table.get(text) ??
    (otherwise === 'error'
      ? new Flawed(failure('lookup_missing', []))
      : otherwise === 'keep'
        ? text
        : otherwise);
}

import type { FieldFacts } from '../../core/contract/field.ts';
import { failure } from '../../core/problem.ts';
import { constantValue } from './constant.ts';
import { Flawed } from './flawed.ts';
import type { LookupFileSpec, StepSpec } from './mapping-file/step-keys.ts';

/** Lookup tables of files, by what the mapping says of them. */
export type LookupTables = ReadonlyMap<LookupFileSpec, ReadonlyMap<string, string>>;

/** Whether a lookup names a file, and is no table itself. */
export function isLookupFile(lookup: NonNullable<StepSpec['lookup']>): lookup is LookupFileSpec {
  return Object.hasOwn(lookup, 'file') && Object.hasOwn(lookup, 'key');
}

/** What a table has for a text: the value itself, written as the interface writes it, and no text of the file. */
export class TableValue {
  readonly value: unknown;

  constructor(value: unknown) {
    this.value = value;
  }
}

/** The step that puts what a table says in place of a text; undefined when the field has no table. */
export function lookupStep(
  { lookup, otherwise = 'error' }: StepSpec,
  { tables, facts }: { readonly tables: LookupTables; readonly facts: FieldFacts },
): ((text: string) => string | TableValue | Flawed) | undefined {
  if (lookup === undefined) return undefined;
  const table = isLookupFile(lookup) ? tables.get(lookup)! : new Map(Object.entries(lookup));
  return (text) => {
    const found = table.get(text) ?? (['error', 'keep'].includes(otherwise) ? undefined : otherwise);
    if (found !== undefined) return new TableValue(constantValue(found, facts));
    return otherwise === 'keep' ? text : new Flawed(failure('lookup_missing', []));
  };
}

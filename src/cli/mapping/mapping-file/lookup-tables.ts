import { AppError } from '../../../core/app-error.ts';
import { failure } from '../../../core/problem.ts';
import { recordShape } from '../field-shape.ts';
import { isLookupFile } from '../lookup.ts';
import type { MappingFault } from './fault.ts';
import { visitFields } from './field-walk.ts';
import { readLookupFile } from './lookup-file.ts';
import { partOf, placeIn, type MappingPart } from './merge.ts';
import type { MappingDocument } from './mapping-schema.ts';
import { beside, reasonOf, type NamedFiles } from './named-files.ts';
import type { LookupFileSpec } from './step-keys.ts';

/** Reads the lookup files that a mapping names; what is wrong with one is a fault of the place that names it. */
export async function lookupTables(
  document: MappingDocument,
  parts: readonly MappingPart[],
  { open, files, faults }: NamedFiles & { readonly faults: MappingFault[] },
): Promise<ReadonlyMap<LookupFileSpec, ReadonlyMap<string, string>>> {
  const tables = new Map<LookupFileSpec, ReadonlyMap<string, string>>();
  const { resource, source = {}, fields } = document;
  for (const { spec, path } of visitFields(fields, recordShape(resource), {
    path: ['fields'],
    source,
    names: [],
  })) {
    const { lookup } = spec;
    if (lookup === undefined || !isLookupFile(lookup)) continue;
    const at = [...path, 'lookup', 'file'];
    const name = beside(partOf(parts, at).name, lookup.file);
    const report = (reason: string): void =>
      void faults.push({
        problem: failure('mapping_file_unreadable', at, { path: name, reason }),
        ...placeIn(parts, at),
      });
    try {
      const file = await open(name);
      try {
        files.push({ name, fingerprint: file.fingerprint });
        const table = await readLookupFile(file, lookup);
        if (typeof table === 'string') report(table);
        else tables.set(lookup, table);
      } finally {
        await file.close();
      }
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      report(reasonOf(error));
    }
  }
  return tables;
}

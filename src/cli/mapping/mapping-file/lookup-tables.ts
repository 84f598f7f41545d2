import { AppError } from '../../../core/app-error.ts';
import { failure } from '../../../core/problem.ts';
import { recordShape } from '../field-shape.ts';
import { isLookupFile } from '../lookup.ts';
import type { MappingFault } from './fault.ts';
import { isLeaf, visitFields, type FieldVisit } from './field-walk.ts';
import { tableObjection } from './given-values.ts';
import { readLookupFile } from './lookup-file.ts';
import { partOf, placeIn, type MappingPart } from './merge.ts';
import type { MappingDocument } from './mapping-schema.ts';
import { materialOf } from './value-checks.ts';
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
  for (const visit of visitFields(fields, recordShape(resource), { path: ['fields'], source, names: [] })) {
    const { spec, path } = visit;
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
        const table = await readLookupFile(file, lookup, objectionOf(visit));
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

/** A text is any text, until a record has it; what is no number or date is none for any record. */
function objectionOf(visit: FieldVisit): (text: string) => string | undefined {
  if (!isLeaf(visit) || visit.shape.facts.kind === 'text') return () => undefined;
  const { shape } = visit;
  const material = materialOf(visit);
  return (text) => tableObjection(text, shape, material);
}

import { DESCRIPTORS, documentsOf, type RecordOf, type Resource } from '../../core/contract/resources.ts';
import { failure, type Problem } from '../../core/problem.ts';
import { listOf } from '../store/setup.ts';
import type { Platform } from './platform.ts';

type RequestRecords<K extends Resource> = Readonly<{ supplier: string; records: readonly RecordOf[K][] }>;

/** A problem for each document that is not in the file store of the supplier. */
export function missingDocuments<K extends Resource>(
  resource: K,
  { supplier, records }: RequestRecords<K>,
  { store }: Platform,
): readonly Problem[] {
  const { list } = DESCRIPTORS[resource];
  const around = (index: number) => (list === null ? [] : [list, index]);
  return records.flatMap((record, index) =>
    documentsOf(resource, record).flatMap(({ document, path }) =>
      (store.closedLists.takes(document, listOf.documents(supplier)) ?? true)
        ? []
        : [failure('path_does_not_exist_in_file_store', [...around(index), ...path])],
    ),
  );
}

import { documentsOfNote, documentsOfStatement, type NamedDocument } from './document-paths.ts';
import type { RecordOf, Resource } from './resources.ts';

/** The documents that a record of each resource names; null for a resource without documents. */
const DOCUMENTS: { readonly [K in Resource]: ((record: RecordOf[K]) => readonly NamedDocument[]) | null } = {
  notes: documentsOfNote,
  transactions: null,
  statements: documentsOfStatement,
  'payment-instructions': null,
};

export const namesDocuments = (resource: Resource): boolean => DOCUMENTS[resource] !== null;

export function documentsOf<K extends Resource>(resource: K, record: RecordOf[K]): readonly NamedDocument[] {
  const read: ((record: RecordOf[K]) => readonly NamedDocument[]) | null = DOCUMENTS[resource];
  return read?.(record) ?? [];
}

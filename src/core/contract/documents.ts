import type { Path } from '../problem.ts';
import type { RecordOf, Resource } from './resources.ts';

/** A document that a record names, and where the record names it (interface.md 2.2). */
export type NamedDocument = { readonly document: string; readonly path: Path };

/** The documents that a record of each resource names; null for a resource without documents. */
const DOCUMENTS: { readonly [K in Resource]: ((record: RecordOf[K]) => readonly NamedDocument[]) | null } = {
  notes: ({ document_paths: documents = [] }) =>
    documents.map(({ document_path: document }, index) => ({
      document,
      path: ['document_paths', index, 'document_path'],
    })),
  transactions: null,
  statements: ({ statement_path: document }) =>
    document === undefined ? [] : [{ document, path: ['statement_path'] }],
  'payment-instructions': null,
};

/** Whether records of a resource can name documents. */
export const namesDocuments = (resource: Resource): boolean => DOCUMENTS[resource] !== null;

export function documentsOf<K extends Resource>(resource: K, record: RecordOf[K]): readonly NamedDocument[] {
  const read: ((record: RecordOf[K]) => readonly NamedDocument[]) | null = DOCUMENTS[resource];
  return read?.(record) ?? [];
}

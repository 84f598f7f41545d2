import { descriptorOfKind, type RecordKind } from '../../core/contract/resources.ts';
import { statements } from '../../core/contract/resources/statements.ts';
import type { Statement } from '../../core/contract/statement.ts';
import { statementDocumentIsPdf } from '../../core/rules/document-rules.ts';
import type { Store } from '../store/store.ts';

type StoredDocuments = Readonly<{ kind: RecordKind; import_supplier: string; data: unknown }>;

/**
 * The stored locations of the documents of a record: the root of the supplier followed by each path (interface.md 2.2).
 * Undefined for a record without documents, and for a supplier without `document_root`.
 */
export function documentLocations(
  { kind, import_supplier, data }: StoredDocuments,
  { suppliers }: Pick<Store, 'suppliers'>,
): readonly string[] | undefined {
  const documents = descriptorOfKind(kind).documents?.(data as never) ?? [];
  const root = documents.length === 0 ? undefined : suppliers.rootOf(import_supplier);
  return root === undefined ? undefined : documents.map(({ document }) => locationOf(root, document));
}

/**
 * The codes of the warnings about the documents of a record, because an answer of the interface has no place for them. Undefined
 * without any.
 */
export function documentWarnings({
  kind,
  data,
}: Pick<StoredDocuments, 'kind' | 'data'>): readonly string[] | undefined {
  const found = kind === statements.kind ? statementDocumentIsPdf(data as Statement) : [];
  return found.length === 0 ? undefined : found.map(({ code }) => code);
}

function locationOf(root: string, path: string): string {
  return root === '' || root.endsWith('/') ? root + path : `${root}/${path}`;
}

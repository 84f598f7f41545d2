import type { Note } from '../../core/contract/note.ts';
import type { Statement } from '../../core/contract/statement.ts';
import { failure, type Path, type Problem } from '../../core/problem.ts';
import type { Platform } from './platform.ts';

/** A supplier and the document paths in its request, each with its path in the payload. */
interface NamedDocuments {
  readonly supplier: string;
  readonly documents: readonly (readonly [document: string, path: Path])[];
}

/** A problem for each document that is not in the file store of the supplier. */
export function missingDocuments(
  { supplier, documents }: NamedDocuments,
  { store }: Platform,
): readonly Problem[] {
  return documents.flatMap(([document, path]) =>
    store.documents.has(supplier, document) ? [] : [failure('path_does_not_exist_in_file_store', path)],
  );
}

export function documentsOfNotes(notes: readonly Note[]): NamedDocuments['documents'] {
  return notes.flatMap(({ document_paths = [] }, index) =>
    document_paths.map(
      ({ document_path }, inner) =>
        [document_path, ['notes', index, 'document_paths', inner, 'document_path']] as const,
    ),
  );
}

export function documentsOfStatements(statements: readonly Statement[]): NamedDocuments['documents'] {
  return statements.flatMap(({ statement_path }, index) =>
    statement_path === undefined ? [] : [[statement_path, ['statements', index, 'statement_path']] as const],
  );
}

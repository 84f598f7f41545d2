import type { Note } from '../../core/contract/note.ts';
import type { Statement } from '../../core/contract/statement.ts';
import { failure, type Path, type Problem } from '../../core/problem.ts';
import { rule } from '../../core/rules/rule.ts';
import type { Platform } from './platform.ts';

export const inFileStore = rule(
  {
    name: 'documents-in-file-store',
    authority: 'observed',
    source: 'deployments.md, "Rules named by deployments" (off by default); the list: docs/serve.md',
    says: 'A document path of a note or statement is in the file store of the supplier; without a list (`documents` of a supplier in a seed) every document is.',
    tested:
      'server/platform/extra-rules › path_does_not_exist_in_file_store: with a list of documents others are refused, each at its place',
    codes: ['path_does_not_exist_in_file_store'],
  },
  (supplier: string, document: string, { store }: Platform): boolean =>
    store.documents.has(supplier, document),
);

/** A supplier and the paths that a request names, each with its place. */
interface Named {
  readonly supplier: string;
  readonly documents: readonly (readonly [string, Path])[];
}

/** A problem for each document that is not in the file store. */
export function missingDocuments({ supplier, documents }: Named, platform: Platform): readonly Problem[] {
  return documents.flatMap(([document, path]) =>
    inFileStore(supplier, document, platform) ? [] : [failure('path_does_not_exist_in_file_store', path)],
  );
}

export function documentsOfNotes(notes: readonly Note[]): Named['documents'] {
  return notes.flatMap(({ document_paths = [] }, index) =>
    document_paths.map(
      ({ document_path }, inner) =>
        [document_path, ['notes', index, 'document_paths', inner, 'document_path']] as const,
    ),
  );
}

export function documentsOfStatements(statements: readonly Statement[]): Named['documents'] {
  return statements.flatMap(({ statement_path }, index) =>
    statement_path === undefined ? [] : [[statement_path, ['statements', index, 'statement_path']] as const],
  );
}

import type { Path } from '../problem.ts';
import type { Note } from './note.ts';
import type { Statement } from './statement.ts';

/** A document that a record names, and where the record names it (interface.md 2.2). */
export type NamedDocument = { readonly document: string; readonly path: Path };

export const documentsOfNote = ({ document_paths: documents = [] }: Note): readonly NamedDocument[] =>
  documents.map(({ document_path: document }, index) => ({
    document,
    path: ['document_paths', index, 'document_path'],
  }));

export const documentsOfStatement = ({ statement_path: document }: Statement): readonly NamedDocument[] =>
  // An operator may take null.
  typeof document === 'string' ? [{ document, path: ['statement_path'] }] : [];

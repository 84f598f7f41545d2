import { documentsOfNote, documentsOfStatement, type NamedDocument } from '../contract/document-paths.ts';
import type { Note } from '../contract/note.ts';
import type { Statement } from '../contract/statement.ts';
import type { ErrorCode } from '../error-codes/table.ts';
import { failure, warning, type Problem } from '../problem.ts';

/**
 * A document path is given relative to the root of the supplier, and the platform puts the root before it (interface.md 2.2).
 * Another path would be stored as the location of a document that nobody meant, so it is an error.
 */
export function noteDocumentsBelowRoot(note: Note): readonly Problem[] {
  return documentsOfNote(note).flatMap(misplacement);
}

/** See `noteDocumentsBelowRoot`. */
export function statementDocumentBelowRoot(statement: Statement): readonly Problem[] {
  return documentsOfStatement(statement).flatMap(misplacement);
}

const NO_PDF = {
  what: 'no path of a PDF, and historical statements are PDF documents',
  known: 'paths that end in .pdf',
};

/** A statement is a PDF (interface.md 2.5). A name proves no content, so another name is a warning. */
export function statementDocumentIsPdf(statement: Statement): readonly Problem[] {
  return documentsOfStatement(statement)
    .filter(({ document }) => !/\.pdf$/i.test(document))
    .map(({ path }) => warning('undocumented_value', path, NO_PDF));
}

function misplacement({ document, path }: NamedDocument): readonly Problem[] {
  const code = misplacementOf(document);
  return code === undefined ? [] : [failure(code, path)];
}

/** A scheme, a drive, or a separator at the beginning. A backslash separates on Windows, where such paths come from. */
const ABSOLUTE = /^(?:[a-z][a-z0-9+.-]*:\/\/|file:|[a-z]:[\\/]|[\\/])/i;
const STEP_UP = /(?:^|[\\/])\.\.(?:[\\/]|$)/;

function misplacementOf(document: string): ErrorCode | undefined {
  if (ABSOLUTE.test(document)) return 'document_path_not_relative';
  return STEP_UP.test(document) ? 'document_path_leaves_root' : undefined;
}

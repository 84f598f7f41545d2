import type { Note } from '../contract/note.ts';
import { failure, type Problem } from '../problem.ts';
import { isBefore } from '../values/instant.ts';
import { noteDocumentsBelowRoot } from './document-rules.ts';
import type { RecordRule } from './rule.ts';

/** An empty body counts as no body, because such a note would show nothing (interface.md 4.2, rule 1). */
function noteHasBodyOrDocuments(note: Note): readonly Problem[] {
  return (note.body ?? '') === '' && (note.document_paths ?? []).length === 0
    ? [failure('note_body_or_document_path_not_found', ['body'])]
    : [];
}

/** deployments.md, "Rules named by deployments". */
function noteUnpinsAfterCreation({ created_at, unpin_at }: Note): readonly Problem[] {
  return created_at !== undefined && unpin_at !== undefined && isBefore(unpin_at, created_at)
    ? [failure('note_unpin_at_earlier_than_creation_date', ['unpin_at'])]
    : [];
}

export const NOTE_RULES: readonly RecordRule<Note>[] = [
  noteHasBodyOrDocuments,
  noteUnpinsAfterCreation,
  noteDocumentsBelowRoot,
];

import type { Note } from '../contract/note.ts';
import { failure } from '../problem.ts';
import { isBefore } from '../values/instant.ts';
import { rule, type RecordRule } from './rule.ts';

/** An empty body is no body: such a note would show nothing. */
const bodyOrDocuments: RecordRule<Note> = rule(
  {
    name: 'note-body-or-documents',
    authority: 'documented',
    source: 'interface.md 4.2, rule 1',
    says: 'Each note has at least one of body and document_paths.',
    tested:
      'server/routes/notes › 4.2: a note with neither body nor document paths is refused, and so is every note beside it',
    codes: ['note_body_or_document_path_not_found'],
  },
  (note: Note) =>
    (note.body ?? '') === '' && (note.document_paths ?? []).length === 0
      ? [failure('note_body_or_document_path_not_found', ['body'])]
      : [],
);

const unpinNotBeforeCreation: RecordRule<Note> = rule(
  {
    name: 'note-unpin-not-before-creation',
    authority: 'observed',
    source: 'deployments.md, "Rules named by deployments"',
    says: 'unpin_at needs no is_pinned, and does not lie before created_at when both are given.',
    tested: 'server/routes/notes › silent: unpin_at needs no is_pinned, and must not lie before created_at',
    codes: ['note_unpin_at_earlier_than_creation_date'],
  },
  (note: Note) =>
    note.created_at !== undefined && note.unpin_at !== undefined && isBefore(note.unpin_at, note.created_at)
      ? [failure('note_unpin_at_earlier_than_creation_date', ['unpin_at'])]
      : [],
);

export const NOTE_RULES: readonly RecordRule<Note>[] = [bodyOrDocuments, unpinNotBeforeCreation];

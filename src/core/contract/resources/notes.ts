import { isSameSecond, parseInstant, type Instant } from '../../values/instant.ts';
import { NOTE_RULES } from '../../rules/note-rules.ts';
import { accountFields } from '../account.ts';
import type { RecordIdentity, ResourceDescriptor } from '../descriptor.ts';
import { note, notesRequest, notesResponse, type Note } from '../note.ts';

export const notes = {
  kind: 'note',
  endpoint: {
    name: 'createNotes',
    method: 'POST',
    path: '/v1/data-import/notes/create/',
    request: notesRequest,
    response: notesResponse,
    success: [201],
  },
  list: 'notes',

  account: accountFields,
  schema: note,
  rules: NOTE_RULES,
  identity: noteIdentity,

  idField: null,
  typeField: null,
  amount: null,
  // A note may be pinned for any time.
  dates: [
    { field: 'created_at', upTo: 'a_year' },
    { field: 'unpin_at', upTo: 'any' },
  ],
  items: null,

  answer: {
    list: null,
    record: null,
    statuses: { NOTE_CREATION_SUCCESS: 'created', NOTE_ALREADY_EXISTS: 'existing' },
    echoes: isAnswerTo,
    compared: [],
  },
  refusal: { mayKeepPart: false, field: null },
  lostAnswer: { oneByOne: false, present: null },
  repetition: { code: 'notes_differ', field: 'body', isKeyedById: false, exactIsHarmless: true },

  plausibility: ['split_seconds'],
  headerTerms: {
    body:
      'body, note, notes, note text, text, comment, message, notiz, notiztext, bemerkung, inhalt, ' +
      'kommentar, 内容, 備考, メモ, 本文',
    created_at:
      'logged, logged at, note created, created, created at, created on, created date, note date, timestamp, date, erstellt, ' +
      'erstellt am, angelegt am, erfasst am, zeitpunkt, datum, 作成日時, 登録日時, 日時, 作成日',
    is_pinned: 'pinned, is pinned, sticky, angeheftet, wichtig, ピン留め, 重要',
    unpin_at: 'pin until, unpin, unpin at, pinned until, angeheftet bis, ピン留め期限',
    document_paths:
      'document, document path, file, file path, attachment, dokument, datei, dateipfad, anhang, pfad, ' +
      '添付, 添付ファイル, ファイル',
  },
} as const satisfies ResourceDescriptor<Note>;

/**
 * A note with `created_at` equals a note with the same content and instant. A note without `created_at` equals every note with
 * the same content, so its variant is undefined. Without a body the document paths are the content (interface.md 4.2, rule 3).
 */
export function noteIdentity(record: Note): RecordIdentity & { readonly variant: Instant | undefined } {
  const body = record.body ?? '';
  const documents = (record.document_paths ?? []).map((document) => document.document_path);
  return {
    key: JSON.stringify(body === '' ? [body, documents] : [body]),
    variant: record.created_at === undefined ? undefined : parseInstant(record.created_at),
  };
}

/**
 * Notes have no id, so an answer must repeat the sent notes in their order, by every field that comes back (interface.md 2.3,
 * 4.2). Times are compared to the second (interface.md 2.1), because a platform need not keep fractions. A time without a zone
 * proves nothing. A note sent without `created_at` gets the time of the platform.
 */
export function isAnswerTo(sent: Note, result: Readonly<Record<string, unknown>>): boolean {
  const hasTime =
    sent.created_at === undefined || isSameSecond(sent.created_at, result['created_at'] as string) !== false;
  return (result['body'] ?? '') === (sent.body ?? '') && hasTime && hasPin(sent, result);
}

/**
 * Compares the pin of a created note, when the platform sends it back. An existing note is the same note by its body and time
 * alone (interface.md 3.3), however it is pinned.
 */
function hasPin({ is_pinned: sent = false }: Note, result: Readonly<Record<string, unknown>>): boolean {
  const { is_pinned: answered, status } = result;
  return status !== 'NOTE_CREATION_SUCCESS' || typeof answered !== 'boolean' || answered === sent;
}

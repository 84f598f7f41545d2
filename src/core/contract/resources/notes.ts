import { isSameSecond, parseInstant, type Instant } from '../../values/instant.ts';
import { plainText } from '../../values/plain-text.ts';
import { NOTE_RULES } from '../../rules/note-rules.ts';
import { account, envelope } from '../account.ts';
import { documentsOfNote } from '../document-paths.ts';
import type { RecordIdentity, ResourceDescriptor } from '../descriptor.ts';
import { note, notesResponse, type Note } from '../note.ts';

export const notes = {
  kind: 'note',
  endpoint: {
    name: 'createNotes',
    method: 'POST',
    path: '/v1/data-import/notes/create/',
    request: envelope('notes'),
    response: notesResponse,
    success: [201],
  },
  list: 'notes',

  account,
  schema: note,
  rules: NOTE_RULES,
  documents: documentsOfNote,
  identity: ({ body, ...note }) =>
    noteIdentity(body === undefined ? note : { ...note, body: plainText(body) }),

  idField: null,
  typeField: null,
  amount: null,
  // A note may be pinned for any time.
  dates: [
    { field: 'created_at', upTo: 'a_year' },
    { field: 'unpin_at', upTo: 'any' },
  ],
  items: null,

  filled: ['created_at'],
  // interface.md 2.3
  oneOf: ['body', 'document_paths'],
  answer: {
    list: null,
    record: null,
    statuses: { NOTE_CREATION_SUCCESS: 'created', NOTE_ALREADY_EXISTS: 'existing' },
    echoes: isAnswerTo,
    echoed: { body: 'text', created_at: 'second', is_pinned: 'flag' },
    // An existing note is the same note by its body and time alone (interface.md 3.3), however it is pinned.
    echoedIfExisting: ['body', 'created_at'],
  },
  refusal: { mayKeepPart: false, field: null, final: null },
  lostAnswer: { oneByOne: false, present: null },
  repetition: { code: 'notes_differ', field: 'body', isKeyedById: false, exactIsHarmless: true },

  headerTerms: {
    body:
      'body, note, notes, note text, text, comment, message, notiz, notiztext, bemerkung, inhalt, ' +
      'kommentar, 内容, 備考, メモ, 本文, ' +
      'notitie, notitietekst, opmerking, opmerkingen, commentaire, remarque, texte, nota, comentario, ' +
      'observaciones, texto, commento, osservazioni, testo, notatka, uwaga, uwagi, komentarz, treść',
    created_at:
      'logged, logged at, note created, created, created at, created on, created date, note date, timestamp, date, erstellt, ' +
      'erstellt am, angelegt am, erfasst am, zeitpunkt, datum, 作成日時, 登録日時, 日時, 作成日, ' +
      'aangemaakt, aangemaakt op, aanmaakdatum, tijdstip, créé le, date de création, horodatage, creado el, ' +
      'fecha de creación, fecha, fecha y hora, creato il, data creazione, data di creazione, data e ora, ' +
      'utworzono, data utworzenia',
    is_pinned:
      'pinned, is pinned, sticky, angeheftet, wichtig, ピン留め, 重要, ' +
      'vastgezet, épinglé, épinglée, fijado, fijada, fissato, fissata, in evidenza, przypięte, przypięta',
    unpin_at:
      'pin until, unpin, unpin at, pinned until, angeheftet bis, ピン留め期限, ' +
      "vastgezet tot, épinglé jusqu'au, désépingler le, fijado hasta, fissato fino al, in evidenza fino al, przypięte do",
    document_paths:
      'document, document path, file, file path, attachment, dokument, datei, dateipfad, anhang, pfad, ' +
      '添付, 添付ファイル, ファイル, ' +
      'bestand, bestandspad, bijlage, fichier, chemin, pièce jointe, archivo, fichero, ruta, adjunto, ' +
      'documento, percorso, allegato, plik, ścieżka, załącznik',
  },
} as const satisfies ResourceDescriptor<Note>;

/**
 * A note with `created_at` equals a note with the same content and instant. A note without `created_at` equals every note with
 * the same content, so its variant is undefined. Without a body the document paths are the content (interface.md 4.2, rule 3).
 * A platform compares bodies as they are.
 */
export function noteIdentity(record: Note): RecordIdentity & { variant: Instant | undefined } {
  const body = record.body ?? '';
  const documents = (record.document_paths ?? []).map((document) => document.document_path);
  return {
    key: JSON.stringify(body === '' ? [body, documents] : [body]),
    variant: record.created_at === undefined ? undefined : parseInstant(record.created_at),
  };
}

/**
 * Whether a result can be the answer to a note. Notes have no id, so an answer must repeat the sent notes in their order
 * (interface.md 2.3, 4.2), each with its body or with its time. A result with one of the two is about the note, and the other
 * one differs. A result with neither, which operators allow, is about the note in its place. Times are compared to the second (interface.md 2.1), because a platform need not keep fractions.
 */
function isAnswerTo(sent: Note, result: Readonly<Record<string, unknown>>): boolean {
  const { body, created_at: time } = result;
  if (isLeftOut(body) && isLeftOut(time)) return true;
  const hasTime =
    sent.created_at !== undefined &&
    !isLeftOut(time) &&
    isSameSecond(sent.created_at, time as string) === true;
  return hasTime || bareText(body) === bareText(sent.body);
}

const isLeftOut = (value: unknown): boolean => value === undefined || value === null;

/** A platform may trim a text, or change its line ends or its Unicode form. Then it is the same note with another body. */
function bareText(text: unknown): string {
  return typeof text === 'string' ? text.normalize('NFC').replaceAll(/\s+/g, ' ').trim() : '';
}

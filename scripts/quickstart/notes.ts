import { SUPPLIER } from './accounts.ts';
import type { Account } from './accounts.ts';
import { dayOf, isoDate } from './calendar.ts';
import type { Day } from './calendar.ts';
import type { Row } from './csv.ts';
import { diceFor } from './dice.ts';
import type { Dice } from './dice.ts';
import { CUSTOMERS, noteBody } from './note-bodies.ts';

export const NOTE_COLUMNS = [
  'import_supplier',
  'external_account_number',
  'created_at',
  'body',
  'is_pinned',
  'unpin_at',
  'document_paths.0.document_path',
  'document_paths.1.document_path',
];

const FIRST_CALL = dayOf(2024, 3, 4);
const LAST_CALL = dayOf(2026, 10, 30);

/** One of this many notes has no time, because its form did not record it. */
const UNDATED_EVERY = 64;

/** The notes of all accounts, sorted by time, as a call centre system exports them. */
export function makeNotes(accounts: readonly Account[]): readonly Row[] {
  const dice = diceFor('notes');
  const notes = accounts.flatMap((account) => notesOf(account, dice));
  return dice
    .shuffled(notes)
    .sort((a, b) => (a.created_at < b.created_at ? -1 : Number(a.created_at > b.created_at)))
    .map((note, index) =>
      // A note without text keeps its time. Without a time it would be the same as the account's other notes without text.
      index % UNDATED_EVERY === UNDATED_EVERY - 1 && note.body !== ''
        ? { ...note, created_at: '', unpin_at: '' }
        : note,
    );
}

type Note = Row & { readonly created_at: string; readonly body: string };

/** Every note has another text, so that none is taken for an existing note. */
function notesOf(account: Account, dice: Dice): readonly Note[] {
  const customer = dice.pick(CUSTOMERS);
  const bodies = new Set<string>();
  const count = dice.int(4, 10);
  return Array.from({ length: count }, () => {
    const occasion = { customer, pinned: dice.chance(8), day: dice.int(FIRST_CALL, LAST_CALL) };
    let body = noteBody(occasion, dice);
    while (bodies.has(body)) body = noteBody(occasion, dice);
    bodies.add(body);
    return noteOf(account, { ...occasion, body }, dice);
  });
}

interface Entry {
  readonly body: string;
  readonly pinned: boolean;
  readonly day: Day;
}

function noteOf(account: Account, { body, pinned, day }: Entry, dice: Dice): Note {
  const documents = !pinned && dice.chance(14) ? documentsOf(account, day, dice) : [];
  return {
    import_supplier: SUPPLIER,
    external_account_number: account.number,
    created_at: `${isoDate(day)}T${officeTime(dice)}Z`,
    body: documents.length > 0 && dice.chance(30) ? '' : body,
    is_pinned: pinned ? 'true' : dice.chance(6) ? 'false' : '',
    unpin_at: pinned && dice.chance(50) ? `${isoDate(day + dice.int(14, 365))}T00:00:00Z` : '',
    'document_paths.0.document_path': documents[0] ?? '',
    'document_paths.1.document_path': documents[1] ?? '',
  };
}

function officeTime(dice: Dice): string {
  return [dice.int(7, 19), dice.int(0, 59), dice.int(0, 59)]
    .map((part) => String(part).padStart(2, '0'))
    .join(':');
}

function documentsOf(account: Account, day: Day, dice: Dice): readonly string[] {
  const [year, month] = isoDate(day).split('-');
  const folder = `letters/${year}/${month}/${account.number}`;
  const scan = `${folder}-${dice.int(10_000, 99_999)}.pdf`;
  return dice.chance(35) ? [scan, `${folder}-meter-photo.jpg`] : [scan];
}

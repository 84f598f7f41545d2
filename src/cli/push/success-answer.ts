import type { Note } from '../../core/contract/note.ts';
import type { Resource } from '../../core/contract/resources.ts';
import { isCalendarDate } from '../../core/values/calendar-date.ts';
import { parseExactJson } from '../../core/values/exact-json.ts';
import { isSameSecond } from '../../core/values/instant.ts';
import { AMOUNT_FIELD, decimalOf, firstDifference, namesAnotherAccount, type Fields } from './echo.ts';
import type { SettledOutcome } from './ports/report.ts';
import type { Batch, BatchRecord, Difference, RecordResult } from './ports/run.ts';

/** The statuses of interface.md 3.3 as outcomes. Another status, also a status of another resource, settles nothing. */
const NOTE_OUTCOMES: ReadonlyMap<string, SettledOutcome> = new Map([
  ['NOTE_CREATION_SUCCESS', 'created'],
  ['NOTE_ALREADY_EXISTS', 'existing'],
]);
const TRANSACTION_OUTCOMES: ReadonlyMap<string, SettledOutcome> = new Map([
  ['TRANSACTION_ADDED_TO_ACCOUNT', 'created'],
  ['TRANSACTION_ALREADY_EXISTS', 'existing'],
  ['TRANSACTION_IMPORT_ERROR', 'rejected'],
]);

/** An answer of success, and what it may change. */
export interface SuccessAnswer {
  /** The body with every digit of its numbers, checked by the response schema. */
  readonly body: unknown;
  /** Whether the platform was asked to move dates into the open statement period (interface.md 4.3). */
  readonly mayMoveDates: boolean;
}

/** A result in an answer, and the record as it repeats it. */
interface Item {
  readonly outcome: SettledOutcome | undefined;
  readonly data: Fields;
}

/**
 * The result of each record, in the order of the batch. Undefined when the answer names another account, lacks, adds,
 * repeats or swaps records, or has an unknown status: then no part of it is believed. A record that the answer repeats with
 * another value has to be verified.
 */
export function recordResultsOf(
  resource: Resource,
  { account, records }: Pick<Batch, 'account' | 'records'>,
  { body, mayMoveDates }: SuccessAnswer,
): readonly RecordResult[] | undefined {
  if (partsNamingAccounts(resource, body).some((part) => namesAnotherAccount(account, part)))
    return undefined;
  const items = itemsOf(resource, records, body);
  return items?.map((item, index) => resultOf(resource, records[index]!, { ...item, mayMoveDates }));
}

function resultOf(
  resource: Resource,
  { seq, payload }: BatchRecord,
  { outcome, data, mayMoveDates }: CompleteItem & Pick<SuccessAnswer, 'mayMoveDates'>,
): RecordResult {
  if (outcome === 'rejected') return { seq, outcome };
  const sent = parseExactJson(payload) as Fields;
  const isMoved = resource === 'transactions' && hasMoved(sent, data);
  const differs =
    firstDifference(resource, sent, data) ??
    (isMoved && outcome === 'created' && !mayMoveDates ? movedDate(sent, data) : undefined);
  if (differs) {
    const code = outcome === 'existing' ? 'existing_differs' : 'answer_differs';
    return { seq, outcome: 'verify', differs: { code, ...differs } };
  }
  const field = AMOUNT_FIELD[resource];
  const amount = field === null ? undefined : decimalOf(data[field]);
  return {
    seq,
    outcome,
    ...(amount === undefined ? {} : { amount: amount.text }),
    ...(isMoved ? { dateMoved: true } : {}),
  };
}

type CompleteItem = Item & { readonly outcome: SettledOutcome };

/** The item of each record, in the order of the batch. */
function itemsOf(
  resource: Resource,
  records: readonly BatchRecord[],
  body: unknown,
): readonly CompleteItem[] | undefined {
  switch (resource) {
    case 'transactions':
      return byId(
        records,
        (body as TransactionsBody).results.map(({ status, transaction_data: data }) => [
          data.transaction_id,
          { outcome: TRANSACTION_OUTCOMES.get(status), data },
        ]),
      );
    case 'statements':
      // Statements carry no status. An echoed statement was created (interface.md 4.4).
      return byId(
        records,
        (body as StatementsBody).statements.map((data) => [data.statement_id, { outcome: 'created', data }]),
      );
    case 'notes':
      return byPosition(records, body as readonly NoteItem[]);
    case 'payment-instructions': {
      const data = body as InstructionBody;
      return data.reference === records[0]!.id ? [{ outcome: 'created', data }] : undefined;
    }
    default:
      return resource satisfies never;
  }
}

type TransactionsBody = Fields & {
  readonly results: readonly (Fields & {
    readonly status: string;
    readonly transaction_data: Fields & { readonly transaction_id: string };
  })[];
};
type StatementsBody = Fields & {
  readonly statements: readonly (Fields & { readonly statement_id: string })[];
};
type InstructionBody = Fields & { readonly reference: string };

/** The parts of an answer that may name the account that it is about. */
function partsNamingAccounts(resource: Resource, body: unknown): readonly Fields[] {
  switch (resource) {
    case 'transactions': {
      const { results } = body as TransactionsBody;
      return [body as Fields, ...results, ...results.map(({ transaction_data: data }) => data)];
    }
    case 'statements':
      return [body as Fields, ...(body as StatementsBody).statements];
    case 'notes':
      return body as readonly Fields[];
    case 'payment-instructions':
      return [body as Fields];
    default:
      return resource satisfies never;
  }
}

function byId(
  records: readonly BatchRecord[],
  items: readonly (readonly [id: string, item: Item])[],
): readonly CompleteItem[] | undefined {
  const found = new Map(items);
  if (items.length !== records.length || found.size !== records.length) return undefined;
  return complete(records.map((record) => found.get(record.id!)));
}

/** Notes have no id, so an answer must repeat the sent notes in their order (interface.md 4.2). */
function byPosition(
  records: readonly BatchRecord[],
  items: readonly NoteItem[],
): readonly CompleteItem[] | undefined {
  if (items.length !== records.length) return undefined;
  return complete(
    records.map(({ payload }, index) => {
      const item = items[index]!;
      const outcome = isAnswerTo(JSON.parse(payload) as Note, item)
        ? NOTE_OUTCOMES.get(item.status)
        : undefined;
      // An existing note is the same note by its body and time alone (interface.md 3.3), however it is pinned.
      return { outcome, data: outcome === 'created' ? item : { body: item.body } };
    }),
  );
}

function complete(items: readonly (Item | undefined)[]): readonly CompleteItem[] | undefined {
  return items.every((item) => item?.outcome !== undefined) ? (items as readonly CompleteItem[]) : undefined;
}

/** One item of the answer to a request of notes; a platform may add fields that the interface does not list. */
export type NoteItem = Fields & {
  readonly created_at: string;
  readonly body?: string | null;
  readonly status: string;
};

/** Whether an item can be the answer to a note, by the fields that say which note it is (interface.md 2.3). */
export function isAnswerTo(note: Note, item: NoteItem): boolean {
  return bareText(item.body ?? '') === bareText(note.body ?? '') && hasTime(note, item);
}

/** A platform may trim a text, or change its line ends or its Unicode form. Then it is the same note with another body. */
function bareText(text: string): string {
  return text.normalize('NFC').replaceAll(/\s+/g, ' ').trim();
}

/**
 * Compares times to the second (interface.md 2.1), because a platform need not keep fractions. A time without a zone proves
 * nothing. A note sent without `created_at` gets the time of the platform.
 */
function hasTime({ created_at: sent }: Note, { created_at: answered }: NoteItem): boolean {
  return sent === undefined || isSameSecond(sent, answered) !== false;
}

/**
 * Whether the platform stored another date. It may have moved the date into the open statement period (interface.md 4.3). A
 * date that is left out or cannot be read proves nothing.
 */
function hasMoved({ transaction_date: sent }: Fields, { transaction_date: date }: Fields): boolean {
  return typeof date === 'string' && isCalendarDate(date) && date !== sent;
}

function movedDate(sent: Fields, data: Fields): Omit<Difference, 'code'> {
  const [mine, theirs] = [sent['transaction_date'], data['transaction_date']];
  return { field: 'transaction_date', sent: String(mine), answered: String(theirs) };
}

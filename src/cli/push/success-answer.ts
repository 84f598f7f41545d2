import type { Note } from '../../core/contract/note.ts';
import type { Resource } from '../../core/contract/resources.ts';
import { isCalendarDate } from '../../core/values/calendar-date.ts';
import { compareDecimals, Decimal } from '../../core/values/decimal.ts';
import { parseExactJson } from '../../core/values/exact-json.ts';
import { isSameSecond } from '../../core/values/instant.ts';
import type { SettledOutcome } from './ports/report.ts';
import type { BatchRecord, RecordResult } from './ports/run.ts';

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

/** An answer of success: its body, parsed by the response schema, and the text that it was parsed from. */
interface SuccessAnswer {
  readonly body: unknown;
  readonly text: string;
}

/**
 * The result of each record, in the order of the batch. Undefined when the answer lacks, adds, repeats or swaps records or
 * has an unknown status: then no part of it is believed.
 */
export function recordResultsOf(
  resource: Resource,
  records: readonly BatchRecord[],
  { body, text }: SuccessAnswer,
): readonly RecordResult[] | undefined {
  const outcomes = outcomesIn(resource, records, body);
  if (!outcomes) return undefined;
  const results = records.map(({ seq }, index): RecordResult => ({ seq, outcome: outcomes[index]! }));
  return resource === 'transactions'
    ? comparedWithStored(records, results, { body: body as TransactionsBody, text })
    : results;
}

type Outcomes = readonly SettledOutcome[] | undefined;

function outcomesIn(resource: Resource, records: readonly BatchRecord[], body: unknown): Outcomes {
  switch (resource) {
    case 'transactions':
      return byId(
        records,
        (body as TransactionsBody).results.map(({ status, transaction_data: { transaction_id } }) => [
          transaction_id,
          TRANSACTION_OUTCOMES.get(status),
        ]),
      );
    case 'statements':
      // Statements carry no status. An echoed statement was created (interface.md 4.4).
      return byId(
        records,
        (body as StatementsBody).statements.map(({ statement_id }) => [statement_id, 'created']),
      );
    case 'notes':
      return byPosition(records, body as readonly NoteItem[]);
    case 'payment-instructions':
      return (body as { reference: string }).reference === records[0]!.id ? ['created'] : undefined;
    default:
      return resource satisfies never;
  }
}

interface TransactionsBody {
  readonly results: readonly {
    readonly status: string;
    readonly transaction_data: { readonly transaction_id: string; readonly transaction_date?: unknown };
  }[];
}

interface StatementsBody {
  readonly statements: readonly { readonly statement_id: string }[];
}

function byId(
  records: readonly BatchRecord[],
  items: readonly (readonly [id: string, outcome: SettledOutcome | undefined])[],
): Outcomes {
  const found = new Map(items);
  if (items.length !== records.length || found.size !== records.length) return undefined;
  return complete(records.map((record) => found.get(record.id!)));
}

/** Notes have no id, so an answer must repeat the sent notes in their order (interface.md 4.2). */
function byPosition(records: readonly BatchRecord[], items: readonly NoteItem[]): Outcomes {
  if (items.length !== records.length) return undefined;
  return complete(
    records.map(({ payload }, index) => {
      const item = items[index]!;
      return isAnswerTo(JSON.parse(payload) as Note, item) ? NOTE_OUTCOMES.get(item.status) : undefined;
    }),
  );
}

function complete(outcomes: readonly (SettledOutcome | undefined)[]): Outcomes {
  return outcomes.includes(undefined) ? undefined : (outcomes as readonly SettledOutcome[]);
}

/** One item of the answer to a request of notes; a platform may add fields that the interface does not list. */
export interface NoteItem {
  readonly created_at: string;
  readonly body?: string | null;
  readonly status: string;
  readonly is_pinned?: unknown;
}

/** Whether an item can be the answer to a note, by every field that comes back (interface.md 2.3). */
export function isAnswerTo(note: Note, item: NoteItem): boolean {
  return (item.body ?? '') === (note.body ?? '') && hasTime(note, item) && hasPin(note, item);
}

/**
 * Compares times to the second (interface.md 2.1), because a platform need not keep fractions. A time without a zone proves
 * nothing. A note sent without `created_at` gets the time of the platform.
 */
function hasTime({ created_at: sent }: Note, { created_at: answered }: NoteItem): boolean {
  return sent === undefined || isSameSecond(sent, answered) !== false;
}

/**
 * Compares the pin of a created note, when the platform sends it back. An existing note is the same note by its body and time
 * alone (interface.md 3.3), however it is pinned.
 */
function hasPin({ is_pinned: sent = false }: Note, { is_pinned: answered, status }: NoteItem): boolean {
  return status !== 'NOTE_CREATION_SUCCESS' || typeof answered !== 'boolean' || answered === sent;
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * Compares transactions with what the platform stored. It may have moved a date into the open statement period (interface.md
 * 4.3). It finds existing transactions by their id alone (interface.md 3.3), so they may have another amount or type. An
 * answer that lacks a field, or has an unreadable one, proves nothing.
 */
function comparedWithStored(
  records: readonly BatchRecord[],
  results: readonly RecordResult[],
  { body, text }: { readonly body: TransactionsBody; readonly text: string },
): readonly RecordResult[] {
  const dates = new Map(
    body.results.map(({ transaction_data: data }) => [data.transaction_id, data.transaction_date]),
  );
  const hasExisting = results.some(({ outcome }) => outcome === 'existing');
  const stored = hasExisting ? storedIn(text) : new Map<unknown, Fields>();
  return results.map((result, index) => {
    const { id, payload } = records[index]!;
    if (result.outcome === 'existing') {
      const differsIn = differingField(parseExactJson(payload) as Fields, stored.get(id) ?? {});
      if (differsIn) return { ...result, outcome: 'verify', differsIn };
    }
    return result.outcome !== 'rejected' && isMoved(payload, dates.get(id!))
      ? { ...result, dateMoved: true }
      : result;
  });
}

function isMoved(payload: string, date: unknown): boolean {
  if (typeof date !== 'string' || !isCalendarDate(date)) return false;
  return date !== (JSON.parse(payload) as { transaction_date: string }).transaction_date;
}

/** The date is not compared, because the platform moves it, nor are texts. */
function differingField(sent: Fields, stored: Fields): RecordResult['differsIn'] {
  const amounts = [decimalOf(sent['amount']), decimalOf(stored['amount'])] as const;
  if (amounts[0] && amounts[1] && compareDecimals(amounts[0], amounts[1]) !== 0) return 'amount';
  return typeof stored['type'] === 'string' && stored['type'] !== sent['type'] ? 'type' : undefined;
}

/** An amount as a number or as text. */
function decimalOf(value: unknown): Decimal | undefined {
  if (value instanceof Decimal) return value;
  return typeof value === 'string' ? Decimal.parse(value) : undefined;
}

/** The transactions of an answer by their ids, with every digit of their numbers. */
function storedIn(text: string): ReadonlyMap<unknown, Fields> {
  try {
    const { results } = parseExactJson(text) as { results: readonly { transaction_data: Fields }[] };
    return new Map(results.map(({ transaction_data: data }) => [data['transaction_id'], data]));
  } catch {
    // A field that occurs twice, with two values, is not readable.
    return new Map();
  }
}

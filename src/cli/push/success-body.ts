import type { Note } from '../../core/contract/note.ts';
import type { Resource } from '../../core/contract/resources.ts';
import { isCalendarDate } from '../../core/values/calendar-date.ts';
import type { BatchRecord } from './ports/batch.ts';
import type { SettledOutcome } from './ports/record-outcome.ts';
import { isAnswerTo, type NoteItem } from './note-answer.ts';

/** The statuses of interface.md 3.3 as outcomes; another status, also that of another resource, settles nothing. */
const NOTE_OUTCOMES: ReadonlyMap<string, SettledOutcome> = new Map([
  ['NOTE_CREATION_SUCCESS', 'created'],
  ['NOTE_ALREADY_EXISTS', 'existing'],
]);
const TRANSACTION_OUTCOMES: ReadonlyMap<string, SettledOutcome> = new Map([
  ['TRANSACTION_ADDED_TO_ACCOUNT', 'created'],
  ['TRANSACTION_ALREADY_EXISTS', 'existing'],
  ['TRANSACTION_IMPORT_ERROR', 'rejected'],
]);

/**
 * The outcome of each record, in the order of the batch, from a body that fits its response schema. Undefined when
 * the body lacks, adds, repeats or swaps records or has a status that is not known: then nothing of it is believed.
 */
export function outcomesIn(
  resource: Resource,
  records: readonly BatchRecord[],
  body: unknown,
): readonly SettledOutcome[] | undefined {
  switch (resource) {
    case 'transactions':
      return byId(
        records,
        (body as TransactionsBody).results.map((item) => ({
          id: item.transaction_data.transaction_id,
          status: item.status,
        })),
      );
    case 'notes':
      return byPosition(records, body as NotesBody);
    case 'statements':
      return byId(
        records,
        (body as StatementsBody).statements.map((item) => ({ id: item.statement_id, status: undefined })),
      );
    case 'payment-instructions':
      return (body as { reference: string }).reference === records[0]!.id ? ['created'] : undefined;
    default:
      return resource satisfies never;
  }
}

/**
 * The records that the platform has with another date than was sent, in a body that accounts for every record. The
 * platform moves a date into the open statement period (interface.md 4.3); an answer without a date tells nothing.
 */
export function movedIn(
  resource: Resource,
  records: readonly BatchRecord[],
  body: unknown,
): ReadonlySet<BatchRecord> {
  if (resource !== 'transactions') return new Set();
  const dates = new Map(
    (body as TransactionsBody).results.map(({ transaction_data: data }) => [
      data.transaction_id,
      data.transaction_date,
    ]),
  );
  return new Set(
    records.filter(({ id, payload }) => {
      const date = dates.get(id!);
      if (typeof date !== 'string' || !isCalendarDate(date)) return false;
      return date !== (JSON.parse(payload) as { transaction_date: string }).transaction_date;
    }),
  );
}

interface TransactionsBody {
  readonly results: readonly {
    readonly status: string;
    readonly transaction_data: { readonly transaction_id: string; readonly transaction_date?: unknown };
  }[];
}

type NotesBody = readonly NoteItem[];

interface StatementsBody {
  readonly statements: readonly { readonly statement_id: string }[];
}

/** Statements carry no status: being echoed is being created (interface.md 4.4). */
function byId(
  records: readonly BatchRecord[],
  items: readonly { readonly id: string; readonly status: string | undefined }[],
): readonly SettledOutcome[] | undefined {
  const found = new Map(
    items.map((item) => [
      item.id,
      item.status === undefined ? 'created' : TRANSACTION_OUTCOMES.get(item.status),
    ]),
  );
  if (items.length !== records.length || found.size !== records.length) return undefined;
  return complete(records.map((record) => found.get(record.id!)));
}

/** Notes have no id, so an answer must repeat what was sent in its order (interface.md 4.2). */
function byPosition(
  records: readonly BatchRecord[],
  items: NotesBody,
): readonly SettledOutcome[] | undefined {
  if (items.length !== records.length) return undefined;
  return complete(
    records.map(({ payload }, index) => {
      const item = items[index]!;
      return isAnswerTo(JSON.parse(payload) as Note, item) ? NOTE_OUTCOMES.get(item.status) : undefined;
    }),
  );
}

function complete(outcomes: readonly (SettledOutcome | undefined)[]): readonly SettledOutcome[] | undefined {
  return outcomes.includes(undefined) ? undefined : (outcomes as readonly SettledOutcome[]);
}

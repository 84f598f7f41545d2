import type { AccountKey } from '../../core/contract/account.ts';
import type { Resource } from '../../core/contract/resources.ts';
import { isCalendarDate } from '../../core/values/calendar-date.ts';
import { compareDecimals, Decimal } from '../../core/values/decimal.ts';
import type { Difference } from './ports/run.ts';

/** A record, or the part of an answer that repeats it, with every digit of its numbers. */
export type Fields = Readonly<Record<string, unknown>>;

type Comparison = 'amount' | 'text' | 'date' | 'flag';

/**
 * The fields of a record that an answer must repeat as they were sent (interface.md 2.4, 4.4). Ids, and the time of a note,
 * say which record an answer is about, so they are not here. The platform may move the date of a transaction and
 * describe that in its texts (interface.md 4.3), and it may put its own root before a document path (interface.md 2.2).
 */
const ECHOED: Readonly<Record<Resource, Readonly<Record<string, Comparison>>>> = {
  notes: { body: 'text', is_pinned: 'flag' },
  transactions: { amount: 'amount', type: 'text', reference: 'text' },
  statements: {
    gross_amount: 'amount',
    bill_period_from_date: 'date',
    bill_period_to_date: 'date',
    issued_date: 'date',
    number: 'text',
  },
  'payment-instructions': { vendor: 'text', type: 'text' },
};

/** The first field that an answer repeats with another value than was sent. A field that it leaves out proves nothing. */
export function firstDifference(
  resource: Resource,
  sent: Fields,
  answered: Fields,
): Omit<Difference, 'code'> | undefined {
  for (const [field, comparison] of Object.entries(ECHOED[resource])) {
    const [mine, theirs] = [sent[field], answered[field]];
    if (!isAbsent(theirs) && !AGREES[comparison](mine, theirs))
      return { field, sent: textOf(mine), answered: textOf(theirs) };
  }
  return undefined;
}

/** Whether a repeated value is the value that was sent. A value that cannot be read does not agree. */
const AGREES: Readonly<Record<Comparison, (sent: unknown, answered: unknown) => boolean>> = {
  // No amount and an amount of zero are the same money.
  amount: (sent, answered) => {
    const [mine, theirs] = [isAbsent(sent) ? ZERO : decimalOf(sent), decimalOf(answered)];
    return mine !== undefined && theirs !== undefined && compareDecimals(mine, theirs) === 0;
  },
  // A platform may fill in a text or a date that was not sent.
  text: (sent, answered) => isAbsent(sent) || answered === sent,
  date: (sent, answered) => isAbsent(sent) || dayOf(answered) === sent,
  // A note without a pin is not pinned (interface.md 2.3).
  flag: (sent, answered) => answered === (sent ?? false),
};

const ZERO = Decimal.of('0');

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null;
}

/** An amount as a number or as text. */
export function decimalOf(value: unknown): Decimal | undefined {
  if (value instanceof Decimal) return value;
  return typeof value === 'string' ? Decimal.parse(value) : undefined;
}

/** The day of a date or date-time. */
function dayOf(value: unknown): string | undefined {
  const day = typeof value === 'string' ? value.slice(0, 'YYYY-MM-DD'.length) : '';
  return isCalendarDate(day) ? day : undefined;
}

function textOf(value: unknown): string {
  if (isAbsent(value)) return '';
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

/** The field with the amount of a record; null for a resource without amounts. */
export const AMOUNT_FIELD: Readonly<Record<Resource, 'amount' | 'gross_amount' | null>> = {
  notes: null,
  transactions: 'amount',
  statements: 'gross_amount',
  'payment-instructions': null,
};

/** Whether a part of an answer names another account than the request. A part that names none proves nothing. */
export function namesAnotherAccount(account: AccountKey, part: Fields): boolean {
  return (['import_supplier', 'external_account_number'] as const).some(
    (field) => !isAbsent(part[field]) && textOf(part[field]) !== account[field],
  );
}

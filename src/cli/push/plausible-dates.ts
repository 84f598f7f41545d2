import type { Resource } from '../../core/contract/resources.ts';
import { failure, warning, type Path, type Problem } from '../../core/problem.ts';
import { isCalendarDate, oneYearAfter, type CalendarDate } from '../../core/values/calendar-date.ts';

/** The days that a date of a migration may name. */
export interface DateBounds {
  /** The first day that is believed (`--earliest-date`). */
  readonly earliest: CalendarDate;
  readonly today: CalendarDate;
}

/** A field with a day or an instant; `upTo`: how far into the future it may reach. */
interface DatedField {
  readonly field: string;
  readonly upTo: 'a_year' | 'any';
}

/** That a transaction lies in the future is a rule of the platform already; a note may be pinned for as long as one likes. */
const DATED: Readonly<Record<Resource, readonly DatedField[]>> = {
  notes: [
    { field: 'created_at', upTo: 'a_year' },
    { field: 'unpin_at', upTo: 'any' },
  ],
  transactions: [{ field: 'transaction_date', upTo: 'any' }],
  statements: [
    { field: 'bill_period_from_date', upTo: 'a_year' },
    { field: 'bill_period_to_date', upTo: 'a_year' },
    { field: 'issued_date', upTo: 'a_year' },
  ],
  'payment-instructions': [],
};

const DATED_IN_ITEMS: readonly DatedField[] = [
  { field: 'start_date', upTo: 'a_year' },
  { field: 'end_date', upTo: 'a_year' },
];

type Fields = Readonly<Record<string, unknown>>;

/** Dates that exist and that no record of a customer has. */
export function implausibleDates(resource: Resource, record: Fields, bounds: DateBounds): readonly Problem[] {
  const found = DATED[resource].flatMap(({ field, upTo }) =>
    dateProblems(record[field], [field], upTo, bounds),
  );
  if (resource === 'statements') found.push(...issuedTooEarly(record));
  const items = record['line_items'];
  if (!Array.isArray(items)) return found;
  items.forEach((item: Fields | null, index) => {
    for (const { field, upTo } of DATED_IN_ITEMS)
      found.push(...dateProblems(item?.[field], ['line_items', index, field], upTo, bounds));
  });
  return found;
}

function dateProblems(
  value: unknown,
  path: Path,
  upTo: DatedField['upTo'],
  { earliest, today }: DateBounds,
): Problem[] {
  if (typeof value !== 'string') return [];
  const day = value.slice(0, 'yyyy-mm-dd'.length);
  const bound =
    day < earliest
      ? `before ${earliest}`
      : upTo === 'a_year' && day > oneYearAfter(today)
        ? 'more than a year after today'
        : undefined;
  return bound !== undefined && isCalendarDate(day) ? [failure('date_implausible', path, { bound })] : [];
}

function issuedTooEarly(statement: Fields): readonly Problem[] {
  const { issued_date: issued, bill_period_from_date: from } = statement;
  return typeof issued === 'string' && typeof from === 'string' && issued < from
    ? [warning('issued_before_bill_period', ['issued_date'])]
    : [];
}

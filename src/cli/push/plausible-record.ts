import { RESOURCE_WIRE, type Resource } from '../../core/contract/resources.ts';
import { failure, warning, type Path, type Problem } from '../../core/problem.ts';
import { isCalendarDate, oneYearAfter, type CalendarDate } from '../../core/values/calendar-date.ts';
import { Decimal } from '../../core/values/decimal.ts';
import { cellDamage, identifierDamage, textDamage } from './plausible-text.ts';
import type { Candidate, CellProblem, SourceCell } from '../mapping/mapping-plan.ts';

/** Longest id in characters, where the interface names no bound: a longer id is text of another column. */
const MAX_ID_CHARACTERS = 255;

/** The days that are plausible for a date of a migration. */
export interface DateBounds {
  /** The earliest plausible day (`--earliest-date`). */
  readonly earliest: CalendarDate;
  readonly today: CalendarDate;
}

type Fields = Readonly<Record<string, unknown>>;

/** Values of one record that the contract accepts and a person would not (docs/check.md). */
export function implausibleValues(
  resource: Resource,
  { account, record }: Pick<Candidate, 'account' | 'record'>,
  bounds: DateBounds,
): readonly Problem[] {
  const fields = record as Fields;
  return [
    ...identifierProblems(account.external_account_number, ['external_account_number']),
    ...idProblems(resource, fields),
    ...textDamage(fields),
    ...implausibleDates(resource, fields, bounds),
    ...zeroAmount(resource, fields['amount']),
  ];
}

/** Damage of the cells of a record, which the values that were made of them do not show. */
export function damagedCells(
  resource: Resource,
  { sourceCells }: Pick<Candidate, 'sourceCells'>,
): readonly CellProblem[] {
  return sourceCells.flatMap((source) => {
    const problem = damageIn(source, RESOURCE_WIRE[resource].idField);
    return problem ? [{ problem, cell: source.cell }] : [];
  });
}

function damageIn({ role, path, text, isReplaced }: SourceCell, idField: string | null): Problem | undefined {
  if (role !== 'name') return cellDamage(text, path);
  if (path[0] !== 'external_account_number' && path[0] !== idField) return undefined;
  const problem = identifierDamage(text, path);
  return problem?.code === 'identifier_has_spaces' && isReplaced
    ? identifierDamage(text.trim(), path)
    : problem;
}

function idProblems(resource: Resource, fields: Fields): readonly Problem[] {
  const field = RESOURCE_WIRE[resource].idField;
  if (field === null) return [];
  const [id, path] = [fields[field], [field]];
  const isTooLong =
    // The contract bounds the reference of an instruction itself.
    field !== 'reference' &&
    typeof id === 'string' &&
    id.length > MAX_ID_CHARACTERS &&
    [...id].length > MAX_ID_CHARACTERS;
  return isTooLong
    ? [failure('max_length', path, { limit: `${MAX_ID_CHARACTERS} characters` })]
    : identifierProblems(id, path);
}

/** A mapping may have found no text at all. */
function identifierProblems(value: unknown, path: Path): readonly Problem[] {
  const problem = typeof value === 'string' ? identifierDamage(value, path) : undefined;
  return problem ? [problem] : [];
}

function zeroAmount(resource: Resource, amount: unknown): readonly Problem[] {
  return resource === 'transactions' && amount instanceof Decimal && amount.isZero
    ? [warning('zero_amount', ['amount'])]
    : [];
}

/** A field with a day or an instant; `upTo`: how far it may lie in the future. */
interface DatedField {
  readonly field: string;
  readonly upTo: 'a_year' | 'any';
}

/** Transactions in the future break a rule of the platform already. A note may be pinned for any time. */
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

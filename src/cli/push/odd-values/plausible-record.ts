import type * as z from 'zod/mini';
import type { DatedField } from '../../../core/contract/descriptor.ts';
import { FIELD_FACTS } from '../../../core/contract/field.ts';
import { DESCRIPTORS, type Resource } from '../../../core/contract/resources.ts';
import { failure, warning, type Path, type Problem } from '../../../core/problem.ts';
import { isCalendarDate, yearsAfter, type CalendarDate } from '../../../core/values/calendar-date.ts';
import { Decimal } from '../../../core/values/decimal.ts';
import {
  cellDamage,
  emptyMeaning,
  identifierDamage,
  isNameOrPath,
  shortenedName,
  textDamage,
} from './plausible-text.ts';
import type { Candidate, CellProblem, SourceCell } from '../../mapping/mapping-plan.ts';

/** Longest id in characters, where the interface names no bound: a longer id is text of another column. */
const MAX_ID_CHARACTERS = 255;

/** The days that are plausible for a date of a migration. */
export interface DateBounds {
  /** The earliest plausible day (the setting `earliestDate`). */
  readonly earliest: CalendarDate;
  readonly today: CalendarDate;
}

/** Problems of texts that are errors of identifiers already. */
const IDENTIFIER_CODES: ReadonlySet<string> = new Set(['cell_is_no_value', 'spreadsheet_damage']);

type Fields = Readonly<Record<string, unknown>>;

/** Values of one record that the contract accepts and a person would not (docs/check.md). */
export function implausibleValues(
  resource: Resource,
  { account, record }: Pick<Candidate, 'account' | 'record'>,
  bounds: DateBounds,
): readonly Problem[] {
  const fields = record as Fields;
  const { idField, amount } = DESCRIPTORS[resource];
  const number = identifierProblem(account.external_account_number, 'external_account_number');
  const found = number ? [number] : [];
  const id = idField === null ? undefined : idProblem(resource, fields[idField], idField);
  if (id) found.push(id);
  // A text that means "no value" is an error of an identifier already.
  for (const problem of textDamage(fields))
    if (problem.path[0] !== idField || !IDENTIFIER_CODES.has(problem.code)) found.push(problem);
  found.push(...implausibleDates(resource, fields, bounds));
  const value = amount && fields[amount.field];
  // An amount in minor units is a total, and may be zero.
  if (amount?.unit === 'major' && value instanceof Decimal && value.isZero)
    found.push(warning('zero_amount', [amount.field]));
  return found;
}

/** Damage of the cells of a record, which the values that were made of them do not show. */
export function damagedCells(
  resource: Resource,
  { sourceCells }: Pick<Candidate, 'sourceCells'>,
): readonly CellProblem[] {
  if (sourceCells.length === 0) return [];
  return sourceCells.flatMap((source) => {
    const problem = damageIn(source, DESCRIPTORS[resource].idField);
    return problem ? [{ problem, cell: source.cell }] : [];
  });
}

function damageIn({ role, path, text, isReplaced }: SourceCell, idField: string | null): Problem | undefined {
  if (role !== 'name') return cellDamage(text, path);
  if (path[0] !== 'external_account_number' && path[0] !== idField)
    return isNameOrPath(path[0]) ? (emptyMeaning(text, path) ?? shortenedName(text, path)) : undefined;
  const problem = identifierDamage(text, path);
  if (!isReplaced) return problem;
  // The identifier itself is looked at again, once the mark was replaced.
  if (problem?.code === 'identifier_has_text_mark') return undefined;
  return problem?.code === 'identifier_has_spaces' ? identifierDamage(text.trim(), path) : problem;
}

/** The contract may bound the id itself. */
function idProblem(resource: Resource, id: unknown, field: string): Problem | undefined {
  const isLong =
    typeof id === 'string' && id.length > MAX_ID_CHARACTERS && [...id].length > MAX_ID_CHARACTERS;
  const schema = isLong && (DESCRIPTORS[resource].schema.shape[field] as z.ZodMiniType);
  return schema && FIELD_FACTS.get(schema)?.max === undefined
    ? failure('max_length', [field], { limit: `${MAX_ID_CHARACTERS} characters` })
    : identifierProblem(id, field);
}

/** A mapping may have found no text at all. */
const identifierProblem = (value: unknown, field: string): Problem | undefined =>
  typeof value === 'string' ? identifierDamage(value, [field]) : undefined;

/** Dates that exist and that no record of a customer has. */
export function implausibleDates(resource: Resource, record: Fields, bounds: DateBounds): readonly Problem[] {
  const { dates, items, datesInOrder, datesTogether } = DESCRIPTORS[resource];
  const found: Problem[] = [];
  const check = (fields: Fields | null, dated: readonly DatedField[], outer: Path = []): void => {
    for (const { field, upTo } of dated) {
      const what = implausible(fields?.[field], upTo, bounds);
      if (what !== undefined) found.push(failure('date_implausible', [...outer, field], { what }));
    }
  };
  check(record, dates);
  if (datesInOrder) {
    const [later, earlier] = [record[datesInOrder.field], record[datesInOrder.notBefore]];
    if (typeof later === 'string' && typeof earlier === 'string' && later < earlier)
      found.push(warning(datesInOrder.code, [datesInOrder.field]));
  }
  for (const { field, after } of datesTogether ?? [])
    if (areFarApart(record[field], record[after]))
      found.push(warning('dates_far_apart', [field], { other: after, years: MOST_YEARS_APART }));
  const listed = items && record[items.list];
  if (items && Array.isArray(listed))
    for (const [index, item] of (listed as readonly (Fields | null)[]).entries())
      check(item, items.dates, [items.list, index]);
  return found;
}

/** A bill is about a year at most, and is issued within the next. One more year leaves room for late ones. */
const MOST_YEARS_APART = 2;

function areFarApart(later: unknown, earlier: unknown): boolean {
  if (typeof later !== 'string' || typeof earlier !== 'string') return false;
  if (later.slice(0, 'yyyy'.length) <= earlier.slice(0, 'yyyy'.length)) return false;
  return isCalendarDate(later) && isCalendarDate(earlier) && later > yearsAfter(earlier, MOST_YEARS_APART);
}

/** Why nobody has such a date; undefined when somebody may, or it is no date. */
function implausible(
  value: unknown,
  upTo: DatedField['upTo'],
  { earliest, today }: DateBounds,
): string | undefined {
  if (typeof value !== 'string' || (value >= earliest && (value <= today || upTo === 'any')))
    return undefined;
  const day = value.slice(0, 'yyyy-mm-dd'.length);
  if (!isCalendarDate(day)) return undefined;
  if (day < earliest) return `lies before ${earliest}`;
  const isLate = upTo === 'a_year' && day > yearsAfter(today, 1);
  return isLate ? `lies more than a year after today, ${today}` : undefined;
}

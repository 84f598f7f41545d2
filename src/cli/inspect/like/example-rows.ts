import { textOf } from './trial.ts';
import { fieldOfName } from '../../mapping/language/fields.ts';
import { isCalendarDate } from '../../../core/values/calendar-date.ts';
import { clockOfInstant, dateInZone, type Instant } from '../../../core/values/instant.ts';
import type { Resource } from '../../../core/contract/resources.ts';
import type { RecordRows } from '../../mapping/mapping-plan.ts';
import type { SourceRow } from '../../csv/source-row.ts';

/** A record as it has to arrive. */
export interface Example {
  /** Of the file of examples. */
  readonly line: number;
  /** The values by the names of their fields, as the engine makes them. */
  readonly values: Readonly<Record<string, unknown>>;
}

/** An example with the row that it comes from. */
export interface FoundExample extends Example {
  readonly row: SourceRow;
}

/** An example whose row is not clear, with the lines that come nearest. */
export interface LostExample extends Example {
  readonly nearest: readonly number[];
}

/** Lines that a sentence names. */
const MOST_LINES = 10;

/** Names lines, the first few of them. */
export function linesText(lines: readonly number[]): string {
  return `${lines.length === 1 ? 'line' : 'lines'} ${lines.slice(0, MOST_LINES).join(', ')}${lines.length > MOST_LINES ? ' …' : ''}`;
}

/** Says which rows are nearest to examples that are clearly none. */
export function nearestText(lost: readonly Pick<LostExample, 'line' | 'nearest'>[]): string {
  return lost
    .map(({ line, nearest }) => `the nearest to the example on line ${line} are on ${linesText(nearest)}`)
    .join('; ');
}

/** A shorter text is in many cells by chance. */
const LEAST_PART = 3;

/** The text of a value, with the other ways to write it that a cell may have. */
interface Wanted {
  readonly text: string;
  /** The digits of a number, without zeros at its ends; null for another value. */
  readonly digits: string | null;
  /** The ways to write a day. */
  readonly days: ReadonlySet<string>;
  /** Of an instant. */
  readonly minute: number | null;
}

/**
 * Finds the row of each example: where most of its values are, rare ones counting more than frequent ones.
 * @param records the rows of each record
 */
export function exampleRows(
  resource: Resource,
  examples: readonly Example[],
  records: readonly RecordRows[],
): { found: readonly FoundExample[]; lost: readonly LostExample[] } {
  const found: FoundExample[] = [];
  const lost: LostExample[] = [];
  for (const example of examples) {
    const scores = scoresOf(resource, example, records);
    const order = [...scores.keys()].toSorted((a, b) => scores[b]! - scores[a]!).slice(0, LEAST_PART);
    const [best, second] = order;
    // A sum below this is expected of some row by chance.
    const isSure = best !== undefined && scores[best]! >= Math.log2(records.length);
    const isTie = second !== undefined && scores[second] === scores[best!];
    const textOfRows = (at: number): string => records[at]!.map(({ cells }) => cells.join('\0')).join('\0');
    const isSame = isTie && textOfRows(best!) === textOfRows(second);
    if (isSure && (!isTie || isSame)) found.push({ ...example, row: records[best]![0] });
    else
      lost.push({
        ...example,
        nearest: order.map((at) => records[at]![0].firstLine).toSorted((a, b) => a - b),
      });
  }
  return { found, lost };
}

function scoresOf(resource: Resource, { values }: Example, records: readonly RecordRows[]): Float64Array {
  const scores = new Float64Array(records.length);
  for (const [field, value] of Object.entries(values)) {
    const text = Array.isArray(value) ? undefined : textOf(value);
    if (text === undefined) continue;
    const wanted = wantedOf(text, fieldOfName(resource, field)?.kind ?? 'text');
    const byColumn = new Map<number, Set<number>>();
    for (const [at, rows] of records.entries())
      for (const { cells } of rows)
        for (const [column, cell] of cells.entries())
          if (isLike(cell, wanted)) byColumn.set(column, (byColumn.get(column) ?? new Set()).add(at));
    // Columns repeat each other, so only the rarest match of a field counts.
    const best = new Map<number, number>();
    for (const hits of byColumn.values()) {
      const weight = Math.log2(records.length / hits.size);
      for (const at of hits) best.set(at, Math.max(best.get(at) ?? 0, weight));
    }
    for (const [at, weight] of best) scores[at]! += weight;
  }
  return scores;
}

/** Tests whether a cell is like a value of a field, or like one of a list of values. */
export function likenessOf(resource: Resource, field: string, value: unknown): (cell: string) => boolean {
  const kind = fieldOfName(resource, field)?.kind ?? 'text';
  const wanted = [value].flat().map((each) => wantedOf(textOf(each) ?? '', kind));
  return (cell) => wanted.some((each) => isLike(cell, each));
}

function wantedOf(text: string, kind: string): Wanted {
  const [, date, minute] = /^(\d{4}-\d\d-\d\d)(?:T\d\d:(\d\d))?/.exec(text) ?? [];
  const isDate = (kind === 'date' || kind === 'datetime') && date !== undefined && isCalendarDate(date);
  const noon = isDate ? clockOfInstant(`${date}T12:00:00Z` as Instant) : 0;
  // An instant may be on the day before or after in the zone of the file.
  const clocks = isDate ? (kind === 'date' ? [noon] : [noon - DAY, noon, noon + DAY]) : [];
  return {
    text,
    digits: kind === 'decimal' ? digitsOf(text) : null,
    days: new Set(clocks.flatMap(waysToWrite)),
    minute: minute === undefined ? null : Number.parseInt(minute, 10),
  };
}

/** The digits of a day in the usual orders. @param noon in ms since 1970 */
function waysToWrite(noon: number): readonly string[] {
  const [year, month, day] = dateInZone(noon, 'UTC').split('-') as [string, string, string];
  const [d, m, y] = [day.replace(/^0/, ''), month.replace(/^0/, ''), year.slice(2)];
  const orders = [
    [year, month, day],
    [day, month, year],
    [month, day, year],
    [d, m, year],
    [d, month, year],
    [m, d, year],
    [day, month, y],
    [month, day, y],
    ['1', y, month, day],
  ];
  return [...orders.map((parts) => parts.join('')), String(Math.floor(noon / DAY) + SPREADSHEET_EPOCH)];
}

const DAY = 86_400_000;
/** Of a day with its whole year. A period has those of two days. */
const DAY_DIGITS = 8;
/** Days from the epoch of spreadsheets to 1970. */
const SPREADSHEET_EPOCH = 25_569;
/** Minutes of which zones differ by a multiple. */
const ZONE_STEP = 15;

function isLike(cell: string, { text, digits, days, minute }: Wanted): boolean {
  const trimmed = cell.trim();
  if (trimmed === '') return false;
  if (trimmed === text) return true;
  if (digits !== null) return digits !== '' && digitsOf(trimmed) === digits;
  if (days.size > 0) {
    const [time, written] = /[T ]\d\d?:(\d\d).*$/.exec(trimmed) ?? [];
    if (minute !== null && written !== undefined && (Number.parseInt(written, 10) - minute) % ZONE_STEP !== 0)
      return false;
    const own = (time === undefined ? trimmed : trimmed.slice(0, -time.length)).replaceAll(/\D/g, '');
    return days.has(own) || [...days].some((day) => day.length === DAY_DIGITS && own.includes(day));
  }
  return (
    trimmed.length >= LEAST_PART &&
    text.length >= LEAST_PART &&
    (text.includes(trimmed) || trimmed.includes(text))
  );
}

/** The digits of a number, without zeros at its ends. */
export function digitsOf(text: string): string {
  return text.replaceAll(/\D/g, '').replaceAll(/^0+|0+$/g, '');
}

import { warning } from '../../../core/problem.ts';
import { NO_CELL } from '../column-map.ts';
import type { Mapping } from '../language/mapping.ts';
import { counted } from '../../../core/values/counts.ts';
import type { Columns } from './columns.ts';
import type { LineTally } from './level.ts';
import type { RowOddities } from './oddities.ts';
import { dateColumns } from './odd-times.ts';

/** Fewer dates than this prove nothing. */
const LEAST = 20;

/** Which of the two numbers of one or two digits comes first. */
type Order = 'day' | 'month';

/** A date in numbers. `shape`: the marks between the numbers, and which of them is the year. */
type WrittenDate = Readonly<{ shape: string; first: string; second: string; year: string }>;

/** A column that is read in one format. */
type MappedDates = WrittenDate & Readonly<{ index: number; format: string; order: Order }>;

/** The dates of a column: how many fit one order alone, how many fit both and mean two days, and the first line of these. */
type SeenDates = { readonly shape: string; readonly only: Record<Order, number>; both: number; line: number };

/**
 * Columns whose dates can all be read in both orders of day and month, while another column with the same marks between the numbers has
 * dates that fit only the order that the mapping does not say.
 */
export function doubtfulDateOrders(mapping: Mapping, columns: Columns): RowOddities {
  const open = new Set(mappedDates(mapping, columns));
  const seen = new Map<number, SeenDates>();
  const left = new Set(columns.names.keys());
  return {
    see(rows) {
      if (open.size === 0) return;
      for (const index of left)
        for (const { cells, firstLine } of rows) {
          const cell = (cells[index] ?? '').trim();
          if (cell !== '' && !note(seen, index, { date: writtenDate(cell), line: firstLine }))
            left.delete(index);
        }
      for (const each of open) if (!left.has(each.index) || isProven(seen.get(each.index))) open.delete(each);
    },
    *warnings() {
      for (const { index, shape, format, order } of open) {
        const dates = seen.get(index);
        if (dates?.shape !== shape || dates.both < LEAST) continue;
        const other = order === 'day' ? 'month' : 'day';
        const proof = [...left].find((at) => {
          const { shape: found, only } = seen.get(at) ?? dates;
          return found === shape && only[other] > 0 && only[order] === 0;
        });
        if (proof === undefined) continue;
        const [other_format, name] = [swapped(format), columns.names[proof]!];
        const what = `may have day and month exchanged: all dates fit \`${other_format}\` as well as \`${format}\`, and the column \`${name}\` has dates that fit only \`${other_format}\``;
        const todo =
          'Correct `format` of the field, or `source.date_format`, when the file has one order. Nothing to do when it has both.';
        const cell = { ...NO_CELL, line: dates.line, column: index + 1, header: columns.names[index]! };
        yield { problem: warning('date_implausible', [], { what, todo }), cell };
      }
    },
  };
}

/** Dates that are kept until the next one that can be read in one order alone. */
const MOST_PENDING = 1_000;

/** Dates that fit the order of the rows only with day and month exchanged, in a column whose other dates follow each other. */
export function exchangedDates(mapping: Mapping, columns: Columns): RowOddities {
  const all = mappedDates(mapping, columns).map((column) => {
    const counts: { odd?: LineTally | undefined } = {};
    return { ...column, last: '', pending: [] as Doubtful[], ...counts, rises: 0, falls: 0, misfits: 0 };
  });
  return {
    see([{ cells, firstLine: line }]) {
      for (const dates of all) {
        const { first, second, year } = writtenDate((cells[dates.index] ?? '').trim()) ?? NO_DATE;
        const [day, month] = dates.order === 'day' ? [first, second] : [second, first];
        const read = year + month + day;
        if (day === month) continue;
        if (day > '12') {
          judge(dates, read);
          dates.pending = [];
          dates.last = read;
        } else if (dates.pending.length < MOST_PENDING)
          dates.pending.push({ read, other: year + day + month, line });
      }
    },
    *warnings() {
      for (const { index, format, rises, falls, odd, misfits } of all) {
        const isOrdered = rises + falls >= LEAST && Math.min(rises, falls) * LEAST <= rises + falls;
        if (!isOrdered || !odd || odd.count < Math.max(3, misfits)) continue;
        const what = `has day and month exchanged in ${odd.count} rows: the rows follow their dates, and these do so only as \`${swapped(format)}\``;
        const todo = 'Export the file again without a spreadsheet. Nothing to do when these days are right.';
        const cell = { ...NO_CELL, line: odd.first, column: index + 1, header: columns.names[index]! };
        yield { problem: warning('date_implausible', [], { what, todo }), cell };
      }
    },
  };
}

const NO_DATE = { first: '', second: '', year: '' };

/** A date that may be read in two orders. Dates are compared as texts. */
type Doubtful = Readonly<{ read: string; other: string; line: number }>;

/** Counts how a date follows the last one that is sure, and which of those between them do so. */
function judge(
  dates: { last: string; pending: readonly Doubtful[]; odd?: LineTally | undefined } & Record<
    'rises' | 'falls' | 'misfits',
    number
  >,
  read: string,
): void {
  const { last } = dates;
  if (last === '') return;
  if (read > last) dates.rises++;
  if (read < last) dates.falls++;
  const [low, high] = [last, read].toSorted() as [string, string];
  const fits = (text: string): boolean => text >= low && text <= high;
  for (const each of dates.pending)
    if (!fits(each.read))
      if (fits(each.other)) dates.odd = counted(dates.odd, each.line);
      else dates.misfits++;
}

const isProven = (dates: SeenDates | undefined): boolean =>
  dates !== undefined && dates.only.day + dates.only.month > 0;

/** Counts a date of a column. False for a text that is no date like those before. */
function note(
  seen: Map<number, SeenDates>,
  index: number,
  { date, line }: { date: WrittenDate | undefined; line: number },
): boolean {
  if (!date) return false;
  const { shape, first, second } = date;
  const dates = seen.get(index) ?? { shape, only: { day: 0, month: 0 }, both: 0, line };
  seen.set(index, dates);
  if (first > '12') dates.only.day++;
  else if (second > '12') dates.only.month++;
  else if (first !== second && ++dates.both === 1) dates.line = line;
  return dates.shape === shape;
}

const DATE = /^(\d+)([^\p{L}\d]+)(\d+)([^\p{L}\d]+)(\d+)(?!\d)/u;

/** Finds the two numbers that are day and month, with two digits each. A time may follow. A year of two digits comes last. */
function writtenDate(text: string): WrittenDate | undefined {
  const [, one = '', mark = '', two = '', otherMark = '', three = ''] = DATE.exec(text) ?? [];
  const numbers = [one, two, three];
  const year = numbers.findIndex(({ length }) => length === 4);
  const [first, second] = numbers.toSpliced(year, 1).map((digits) => digits.padStart(2, '0'));
  if (one === '' || first!.length > 2 || second!.length > 2) return undefined;
  const place = year < 0 ? 2 : year;
  return { shape: `${mark}${otherMark}${place}`, first: first!, second: second!, year: numbers[place]! };
}

/** The columns that are read in one format alone. */
function mappedDates(mapping: Mapping, columns: Columns): readonly MappedDates[] {
  const found = dateColumns(mapping, columns).flatMap(({ index, spec, isAlone }): readonly MappedDates[] => {
    const [format, ...others] = spec.format;
    const isOne = isAlone && others.length === 0 && !format!.includes('MMM');
    const date = isOne ? writtenDate(exampleOf(format!)) : undefined;
    // A format with a year of two digits in front is not compared.
    const order = date && ORDERS[date.first + date.second];
    return order ? [{ ...date, index, format: format!, order }] : [];
  });
  return found.filter(({ index }, at) => found.findIndex((each) => each.index === index) === at);
}

/** The order of a format, by the numbers of its example without the year. */
const ORDERS: Readonly<Record<string, Order>> = { '3112': 'day', '1231': 'month' };

/** The last day of a year, as a format writes it. */
function exampleOf(format: string): string {
  return format
    .replaceAll(/'[^']*'/gu, '')
    .replaceAll(/d+/gu, '31')
    .replaceAll(/M+/gu, '12')
    .replaceAll(/y+/gu, (run) => '2001'.slice(-run.length));
}

function swapped(format: string): string {
  return format.replaceAll(/d+|M+/gu, (run) => (run.startsWith('d') ? 'M' : 'd').repeat(run.length));
}

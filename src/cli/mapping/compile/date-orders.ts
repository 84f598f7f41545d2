import { warning } from '../../../core/problem.ts';
import type { Mapping } from '../language/mapping.ts';
import { counted } from '../../../core/values/counts.ts';
import type { Columns } from './columns.ts';
import type { LineTally } from './level.ts';
import type { RowOddities } from './oddities.ts';
import { dateColumns } from './odd-times.ts';

/** Fewer dates prove nothing, in all and exchanged; and so many are kept until the next one that is sure. */
const [LEAST, LEAST_EXCHANGED, MOST_PENDING] = [20, 3, 1_000];

/** Which of the two numbers of one or two digits comes first. */
type Order = 'day' | 'month';

/** A date in numbers. `shape`: the marks between the numbers, and which of them is the year. */
type WrittenDate = Readonly<{ shape: string; first: string; second: string; year: string }>;

/** A column that is read in one format. */
type MappedDates = Readonly<{ index: number; format: string; order: Order }>;

/** The dates of a column: how many fit one order alone, how many fit both and mean two days, and the first line of these. */
type SeenDates = { readonly shape: string; day: number; month: number; both: number; line: number };

/** A date that fits two orders, as texts that can be compared. */
type Doubtful = Readonly<{ read: string; other: string; line: number }>;

/** How the dates of a column follow each other from row to row, those that fit one order alone. */
interface Sequence {
  last: string;
  readonly pending: Doubtful[];
  rises: number;
  falls: number;
  /** Dates that do so only in the other order. */
  exchanged: LineTally | undefined;
}

/**
 * Dates whose day and month may be exchanged: those of columns that can be read in both orders, where another column has dates that fit
 * only the other one; and those that follow the dates above and below only in the other order.
 */
export function dateOrders(mapping: Mapping, columns: Columns): RowOddities {
  const mapped = mappedDates(mapping, columns).map((column) => {
    const sequence: Sequence = { last: '', pending: [], rises: 0, falls: 0, exchanged: undefined };
    return { ...column, sequence };
  });
  /** Null for a column that has other texts. */
  const seen: (SeenDates | null | undefined)[] = [];
  const isDecided = ({ index }: MappedDates): boolean => seen[index] === null || countOf(seen[index]) > 0;
  return {
    see(rows) {
      for (const each of mapped) follow(each, writtenDate(rows[0].cells[each.index]), rows[0].firstLine);
      if (mapped.every(isDecided)) return;
      for (let index = 0; index < columns.names.length; index++)
        for (const { cells, firstLine } of rows)
          if (seen[index] !== null && cells[index]?.trim())
            seen[index] = noted(seen[index], writtenDate(cells[index]), firstLine);
    },
    *warnings() {
      for (const { index, format, order, sequence } of mapped) {
        const other = swapped(format);
        const dates = seen[index];
        const proof = seen.findIndex(
          (each) => each && each.shape === dates?.shape && countOf(each) > 0 && each[order] === 0,
        );
        const { rises, falls, exchanged } = sequence;
        const isOrdered = rises + falls >= LEAST && Math.min(rises, falls) * LEAST <= rises + falls;
        const [line, what] =
          proof >= 0 && dates && countOf(dates) === 0 && dates.both >= LEAST
            ? [
                dates.line,
                `may have day and month exchanged: all dates fit \`${other}\` as well as \`${format}\`, and the column \`${columns.names[proof]}\` has dates that fit only \`${other}\``,
              ]
            : isOrdered && exchanged && exchanged.count >= LEAST_EXCHANGED
              ? [
                  exchanged.first,
                  `has day and month exchanged in ${exchanged.count} rows: the rows follow their dates, and these do so only as \`${other}\``,
                ]
              : [0, ''];
        const todo =
          'Correct `format` or `source.date_format`, or export the file again without a spreadsheet. Nothing to do when these days are right.';
        const cell = { ...columns.at(index).cell, line };
        if (what !== '') yield { problem: warning('date_implausible', [], { what, todo }), cell };
      }
    },
  };
}

const countOf = (dates: SeenDates | null | undefined): number => (dates ? dates.day + dates.month : 0);

/** The dates of a column with one more; null for a text that is no date like those before. */
function noted(
  seen: SeenDates | null | undefined,
  date: WrittenDate | undefined,
  line: number,
): SeenDates | null {
  const dates = seen ?? { shape: date?.shape ?? '', day: 0, month: 0, both: 0, line };
  if (!date || dates.shape !== date.shape) return null;
  const { first, second } = date;
  if (first > '12') dates.day++;
  else if (second > '12') dates.month++;
  else if (first !== second && ++dates.both === 1) dates.line = line;
  return dates;
}

/** Compares the dates since the last one that is sure with it and with the next one. */
function follow(
  { order, sequence }: { order: Order; sequence: Sequence },
  date: WrittenDate | undefined,
  line: number,
): void {
  if (!date || date.first === date.second) return;
  const { last, pending } = sequence;
  const [day, month] = order === 'day' ? [date.first, date.second] : [date.second, date.first];
  const read = date.year + month + day;
  if (day <= '12') {
    if (pending.length < MOST_PENDING) pending.push({ read, other: date.year + day + month, line });
    return;
  }
  if (last !== '') {
    if (read > last) sequence.rises++;
    if (read < last) sequence.falls++;
    const fits = (text: string): boolean => (text >= last && text <= read) || (text >= read && text <= last);
    for (const each of pending)
      if (!fits(each.read) && fits(each.other)) sequence.exchanged = counted(sequence.exchanged, each.line);
  }
  pending.length = 0;
  sequence.last = read;
}

const DATE = /^(\d+)([^\p{L}\d]+)(\d+)([^\p{L}\d]+)(\d+)(?!\d)/u;

/** Finds the two numbers that are day and month, with two digits each. A time may follow. A year of two digits comes last. */
function writtenDate(text = ''): WrittenDate | undefined {
  const [, one = '', mark = '', two = '', otherMark = '', three = ''] = DATE.exec(text.trim()) ?? [];
  const place = one.length === 4 ? 0 : two.length === 4 ? 1 : 2;
  const [first, second, year] =
    place === 0 ? [two, three, one] : place === 1 ? [one, three, two] : [one, two, three];
  if (one === '' || first.length > 2 || second.length > 2) return undefined;
  const [padded, other] = [first.padStart(2, '0'), second.padStart(2, '0')];
  return { shape: `${mark}${otherMark}${place}`, first: padded, second: other, year };
}

/** The columns that are read in one format alone. */
function mappedDates(mapping: Mapping, columns: Columns): readonly MappedDates[] {
  const found = dateColumns(mapping, columns).flatMap(({ index, spec, isAlone }): readonly MappedDates[] => {
    const [format, ...others] = spec.format;
    const order = isAlone && others.length === 0 ? orderOf(format!) : undefined;
    return order ? [{ index, format: format!, order }] : [];
  });
  return found.filter(({ index }, at) => found.findIndex((each) => each.index === index) === at);
}

/** The order of the numbers in a format. One with the name of a month, or a year of two digits in front, is not compared. */
function orderOf(format: string): Order | undefined {
  const [, first] = /^(?!yy(?!yy))[^Md]*(d+|M+)/u.exec(format.replaceAll(/'[^']*'/gu, '')) ?? [];
  if (first === undefined || !/d/.test(format) || !/M/.test(format) || format.includes('MMM'))
    return undefined;
  return first.startsWith('d') ? 'day' : 'month';
}

function swapped(format: string): string {
  return format.replaceAll(/d+|M+/gu, (run) => (run.startsWith('d') ? 'M' : 'd').repeat(run.length));
}

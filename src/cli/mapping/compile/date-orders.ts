import { warning } from '../../../core/problem.ts';
import { NO_CELL } from '../column-map.ts';
import { isLeaf, visitFields } from '../language/field-visits.ts';
import type { Mapping } from '../language/mapping.ts';
import { stepSpecOf } from '../language/source.ts';
import type { Columns } from './columns.ts';
import type { RowOddities } from './oddities.ts';

/** Fewer dates than this prove nothing. */
const LEAST = 20;

/** Which of the two numbers of one or two digits comes first in a format. */
type Order = 'day' | 'month';

/** A format of a field for one column. `shape`: the format with `x` for day and month and `y` for the year, such as `x.x.y`. */
type MappedDates = Readonly<{ column: string; format: string; order: Order; shape: string }>;

/** The dates of one shape in a column: how many fit one order alone, how many fit both and mean two days, and the first line of these. */
interface SeenDates {
  readonly index: number;
  readonly shape: string;
  readonly pattern: RegExp;
  readonly only: Record<Order, number>;
  both: number;
  line: number;
}

/**
 * Columns whose dates can all be read in both orders of day and month, while another column with the same separators has
 * dates that fit only the order that the mapping does not say.
 */
export function doubtfulDateOrders(mapping: Mapping, { names }: Columns): RowOddities {
  const mapped = mappedDates(mapping);
  const seen = new Set(
    [...new Set(mapped.map(({ shape }) => shape))].flatMap((shape) => {
      const pattern = patternOf(shape);
      return names.map((_, index): SeenDates => ({
        index,
        shape,
        pattern,
        only: { day: 0, month: 0 },
        both: 0,
        line: 1,
      }));
    }),
  );
  // Columns of the mapping of which no date has proven its order.
  const open = new Map(
    [...seen].flatMap((dates) => {
      const own = mapped.find(({ column, shape }) => shape === dates.shape && column === names[dates.index]);
      return own ? [[dates, own] as const] : [];
    }),
  );
  return {
    see(rows) {
      if (open.size === 0) return;
      for (const dates of seen)
        for (const { cells, firstLine } of rows) {
          const cell = (cells[dates.index] ?? '').trim();
          if (cell === '') continue;
          if (!note(dates, cell, firstLine)) seen.delete(dates);
          if (!seen.has(dates) || dates.only.day + dates.only.month > 0) open.delete(dates);
        }
    },
    *warnings() {
      for (const [{ index, line, both }, { column, format, order, shape }] of open) {
        if (both < LEAST) continue;
        const other = order === 'day' ? 'month' : 'day';
        const proof = [...seen].find(
          (dates) => dates.shape === shape && dates.only[other] > 0 && dates.only[order] === 0,
        );
        if (!proof) continue;
        const facts = { format, other: names[proof.index]!, other_format: swapped(format) };
        yield {
          problem: warning('date_order_doubtful', [], facts),
          cell: { ...NO_CELL, line, column: index + 1, header: column },
        };
      }
    },
  };
}

/** Counts a date. False for a text that is none of the shape. */
function note(dates: SeenDates, cell: string, line: number): boolean {
  const [, first, second] = dates.pattern.exec(cell) ?? [];
  if (first === undefined || second === undefined) return false;
  if (isAboveTwelve(first)) dates.only.day++;
  else if (isAboveTwelve(second)) dates.only.month++;
  else if (first.padStart(2, '0') !== second.padStart(2, '0') && ++dates.both === 1) dates.line = line;
  return true;
}

/** The columns of the file itself that are read in one format alone. Second files may write dates in another way. */
function mappedDates({ document }: Mapping): readonly MappedDates[] {
  const found = [...visitFields(document)].flatMap((visit): readonly MappedDates[] => {
    const { column, when } = visit.spec;
    if (column === undefined || when !== undefined || !isLeaf(visit)) return [];
    if (visit.path.includes('join') || visit.path.includes('each')) return [];
    const { kind } = visit.shape.facts;
    if (kind !== 'date' && kind !== 'datetime') return [];
    const [format, ...others] = stepSpecOf(visit.source, { ...visit.spec }, kind).format;
    const known = others.length > 0 ? undefined : orderOf(format!);
    return known ? [{ column, format: format!, ...known }] : [];
  });
  return found.filter(({ column }, at) => found.findIndex((each) => each.column === column) === at);
}

/** The order of day and month in numbers; undefined for a format without the two, such as `iso`, or without marks between them. */
function orderOf(format: string): Pick<MappedDates, 'order' | 'shape'> | undefined {
  const date = /[dMy].*[dMy]/su.exec(format.replaceAll(/'[^']*'/gu, ''))?.[0] ?? '';
  const shape = date.replaceAll(/d+|M+/gu, 'x').replaceAll(/y+/gu, 'y');
  if (date.includes('MMM') || !/^(?=.*x.*x)(?=.*y)[xy][^\p{L}]+[xy][^\p{L}]+[xy]$/u.test(shape))
    return undefined;
  return { order: date.indexOf('d') < date.indexOf('M') ? 'day' : 'month', shape };
}

/** Finds the two numbers that are day and month. A time may follow. */
function patternOf(shape: string): RegExp {
  const source = shape
    .replaceAll(/[^xy]/gu, (mark) => `\\u{${mark.codePointAt(0)!.toString(16)}}`)
    .replaceAll('x', String.raw`(\d{1,2})`)
    .replaceAll('y', String.raw`\d{2}(?:\d{2})?`);
  return new RegExp(`^${source}(?!\\d)`, 'u');
}

const isAboveTwelve = (digits: string): boolean => digits.padStart(2, '0') > '12';

function swapped(format: string): string {
  return format.replaceAll(/d+|M+/gu, (run) => (run.startsWith('d') ? 'M' : 'd').repeat(run.length));
}

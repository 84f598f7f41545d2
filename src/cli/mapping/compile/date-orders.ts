import { warning } from '../../../core/problem.ts';
import { NO_CELL } from '../column-map.ts';
import { isLeaf, visitFields, type FieldVisit } from '../language/field-visits.ts';
import type { Mapping } from '../language/mapping.ts';
import { stepSpecOf } from '../language/source.ts';
import type { CellProblem, RecordRows } from '../mapping-plan.ts';
import type { Columns } from './columns.ts';

/** Fewer dates than this prove nothing. */
const LEAST = 20;

/** Which of the two numbers of one or two digits comes first in a format. */
type Order = 'day' | 'month';

/** A column whose dates have day and month in numbers. */
interface OrderedDates {
  readonly visit: FieldVisit;
  readonly column: string;
  readonly format: string;
  readonly order: Order;
  /** The format with `x` for day and month and `y` for the year: `x.x.y`. */
  readonly shape: string;
}

/** Two columns with the same separators, whose formats have day and month in opposite orders. */
export function* mixedDateOrders(mapping: Mapping): Generator<CellProblem> {
  for (const same of Map.groupBy(orderedDates(mapping), ({ shape }) => shape).values()) {
    const byOrder = Map.groupBy(same, ({ order }) => order);
    const [usual, odd] = [...byOrder.values()].toSorted((a, b) => b.length - a.length);
    if (!usual || !odd) continue;
    for (const { visit, column, format } of odd) {
      // A column that names both orders: a date that fits both is an error at its cell.
      if (usual.some((each) => each.column === column)) continue;
      const { column: other, format: otherFormat } = usual[0]!;
      const at = mapping.positionOf(visit.path);
      yield {
        problem: warning('date_orders_differ', visit.path, { format, other, other_format: otherFormat }),
        cell: { ...NO_CELL, file: at.file, line: at.line, column: at.column, header: column },
      };
    }
  }
}

/** Dates of one column, while each of them can be read in both orders. */
interface AmbiguousDates extends OrderedDates {
  readonly index: number;
  /** Dates whose day and month differ. */
  count: number;
  line: number;
}

/** Dates of one column that feeds nothing: how many of them fit only one order. */
type FreeDates = Readonly<{ index: number; header: string; shape: string; only: Record<Order, number> }>;

/**
 * Columns whose dates can all be read in both orders of day and month, while an unused column with the same separators has
 * dates that fit only the order that the mapping does not say.
 */
export function doubtfulDateOrders(
  mapping: Mapping,
  { names, isUsed }: Columns,
): { see(rows: RecordRows): void; warnings(): Iterable<CellProblem> } {
  const open = new Set<AmbiguousDates>(
    orderedDates(mapping).flatMap((dates) => {
      const index = names.indexOf(dates.column);
      const isSingle = formatsOf(dates.visit).length === 1 && dates.visit.spec.when === undefined;
      return index < 0 || !isSingle || !SEPARATED.test(dates.shape)
        ? []
        : { ...dates, index, count: 0, line: 1 };
    }),
  );
  const shapes = new Map([...open].map(({ shape }) => [shape, patternOf(shape)]));
  const free = new Set<FreeDates>(
    [...shapes.keys()].flatMap((shape) =>
      names.flatMap((header, index) =>
        isUsed(index) ? [] : { index, header, shape, only: { day: 0, month: 0 } },
      ),
    ),
  );
  const see = (dates: AmbiguousDates | FreeDates, cell: string): Order | 'both' | 'no date' | 'same' => {
    const [, first, second] = shapes.get(dates.shape)!.exec(cell) ?? [];
    if (first === undefined || second === undefined) return 'no date';
    if (isAboveTwelve(first)) return 'day';
    if (isAboveTwelve(second)) return 'month';
    return first.padStart(2, '0') === second.padStart(2, '0') ? 'same' : 'both';
  };
  return {
    see(rows) {
      if (open.size === 0) return;
      for (const { cells, firstLine } of rows) {
        for (const dates of open) {
          const cell = (cells[dates.index] ?? '').trim();
          if (cell === '') continue;
          const fits = see(dates, cell);
          if (fits === 'both') {
            if (dates.count === 0) dates.line = firstLine;
            dates.count++;
          } else if (fits !== 'same') open.delete(dates);
        }
        for (const dates of free) {
          const cell = (cells[dates.index] ?? '').trim();
          if (cell === '') continue;
          const fits = see(dates, cell);
          if (fits === 'no date') free.delete(dates);
          else if (fits === 'day' || fits === 'month') dates.only[fits]++;
        }
      }
    },
    *warnings() {
      for (const { index, column, format, order, shape, count, line } of open) {
        const other = order === 'day' ? 'month' : 'day';
        const proof = [...free].find(
          (each) => each.shape === shape && each.only[other] > 0 && each.only[order] === 0,
        );
        if (count < LEAST || !proof) continue;
        yield {
          problem: warning('date_order_doubtful', [], {
            format,
            other: proof.header,
            other_format: swapped(format),
          }),
          cell: { ...NO_CELL, line, column: index + 1, header: column },
        };
      }
    },
  };
}

/** The columns of the file itself, each with its first format. Second files may write dates in another way. */
function orderedDates({ document }: Mapping): readonly OrderedDates[] {
  const found = [...visitFields(document)].flatMap((visit): readonly OrderedDates[] => {
    const { column } = visit.spec;
    if (column === undefined || visit.path.includes('join') || visit.path.includes('each')) return [];
    return formatsOf(visit).flatMap((format) => {
      const known = orderOf(format);
      return known ? [{ visit, column, format, ...known }] : [];
    });
  });
  return found.filter(
    ({ column, format }, at) =>
      found.findIndex((each) => each.column === column && each.format === format) === at,
  );
}

function formatsOf(visit: FieldVisit): readonly string[] {
  if (!isLeaf(visit)) return [];
  const { kind } = visit.shape.facts;
  if (kind !== 'date' && kind !== 'datetime') return [];
  return stepSpecOf(visit.source, visit.spec as Readonly<Record<string, unknown>>, kind).format;
}

/** The order of day and month in numbers; undefined for a format without the two, such as `iso` and `dd MMM yyyy`. */
function orderOf(format: string): Pick<OrderedDates, 'order' | 'shape'> | undefined {
  const date = /[dMy].*[dMy]/su.exec(format.replaceAll(/'[^']*'/gu, ''))?.[0];
  if (date === undefined || !/^(?=.*d)(?=.*M)(?=.*y)[^\p{L}dMy]*(?:[dMy]+[^\p{L}]*)+$/u.test(date))
    return undefined;
  if (date.includes('MMM')) return undefined;
  const shape = date.replaceAll(/d+|M+/gu, 'x').replaceAll(/y+/gu, 'y');
  return { order: date.indexOf('d') < date.indexOf('M') ? 'day' : 'month', shape };
}

/** A shape whose numbers have a separator between them. */
const SEPARATED = /^[xy][^xy]+[xy][^xy]+[xy]$/u;

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

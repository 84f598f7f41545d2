import { elementCells, type Cells } from '../../csv/key-paths.ts';
import type { ElementPaths, SourceRow } from '../../csv/source-row.ts';
import type { RecordRows } from '../../mapping/mapping-plan.ts';
import { ColumnCounter } from '../column/column-profile.ts';
import type { ColumnProfile } from '../column/profiled-column.ts';
import type { FieldEntry } from '../draft/draft.ts';
import { featuresOf, type CellOf, type Feature } from './rules.ts';
import type { Trial } from './trial.ts';

/** A way in which a row has the items of a list: each of its parts, which have cells like a row, may make one. */
export interface Form {
  readonly partsOf: (row: SourceRow) => readonly SourceRow[];
  /** The parts of all rows. */
  readonly all: readonly SourceRow[];
  /** The entry of the list. @param when the conditions of the parts that make an item */
  readonly entry: (item: FieldEntry, when: object | undefined) => FieldEntry;
  /** The columns of a part. */
  readonly columns: readonly ColumnProfile[];
  /** Null for those of the rows. */
  readonly features: readonly Feature[] | null;
  /** Ties an entry of an item to parts. */
  readonly trial: Trial;
}

export interface FormRequest {
  readonly columns: readonly ColumnProfile[];
  readonly rows: readonly SourceRow[];
  /** Ties entries to rows that have this header. */
  readonly tie: (header: readonly string[]) => Trial;
  readonly header: readonly string[];
  /** The lists of JSON Lines. */
  readonly elements: ElementPaths | undefined;
  readonly cellOf: CellOf;
  /** The rows of the record that begins with a row, where the examples show that several are one; else undefined. */
  readonly recordOf: ((row: SourceRow) => RecordRows) | undefined;
}

/** How many different values of a column are remembered. */
const MOST_VALUES = 1000;

/** The name of a column without its last number: `Net2` is one of `Net{n}`. */
export function stemOf(name: string): string {
  return name.replace(/\d{1,3}(?!.*\d)/, '{n}');
}

/** The forms that a file may have, the likeliest first. */
export function formsOf(request: FormRequest): readonly Form[] {
  const { columns, rows, tie, header, recordOf, elements = new Map<string, ReadonlySet<string>>() } = request;
  const own: Form = {
    partsOf: (row) => [row],
    all: rows,
    entry: (item, when) => ({ items: [item], ...(when && { when }) }),
    columns,
    features: null,
    trial: tie(header),
  };
  const whole: readonly Form[] = recordOf
    ? [
        {
          ...own,
          partsOf: recordOf,
          all: rows.flatMap(recordOf),
          entry: (item, when) => ({ rows: { ...(when && { when }), item } }),
        },
      ]
    : [];
  const lists = [...elements].flatMap(([name, keys]) => {
    const at = header.indexOf(name);
    const cellsOf = ({ cells }: SourceRow): readonly Cells[] =>
      (elementCells(cells[at] || '[]') ?? []).map((element) => element.in(keys));
    const entry = (item: FieldEntry, when?: object): FieldEntry => ({
      each: { column: name, ...(when && { when }), item },
    });
    return keys.size === 0 ? [] : [cutForm([...keys], cellsOf, entry, request)];
  });
  return [...repeatedForms(request), ...lists, own, ...whole];
}

/** Items of columns whose names differ in a number. */
function repeatedForms(request: FormRequest): readonly Form[] {
  const stems = Map.groupBy(
    request.columns.filter(({ name }) => stemOf(name!) !== name),
    ({ name }) => stemOf(name!),
  );
  const numbered = [...stems].map(([stem, own]) => {
    const byNumber = new Map(
      own.map(({ name, column }) => [Number.parseInt(/\d{1,3}(?!.*\d)/.exec(name!)![0], 10), column - 1]),
    );
    return { stem, byNumber, from: Math.min(...byNumber.keys()), to: Math.max(...byNumber.keys()) };
  });
  const ranges = Map.groupBy(
    numbered.filter(({ from, to }) => from < to),
    ({ from, to }) => `${from} ${to}`,
  );
  return [...ranges.values()].map((group) => {
    const { from, to } = group[0]!;
    const cellsOf = ({ cells }: SourceRow): readonly Cells[] =>
      Array.from({ length: to - from + 1 }, (_, at) =>
        group.map(({ byNumber }) => cells[byNumber.get(from + at) ?? -1] ?? ''),
      );
    const entry = (item: FieldEntry, when?: object): FieldEntry =>
      when ? null : { repeat: { from, to }, item };
    return cutForm(
      group.map(({ stem }) => stem),
      cellsOf,
      entry,
      request,
    );
  });
}

/** A form whose parts have columns of their own. */
function cutForm(
  names: readonly string[],
  cellsOf: (row: SourceRow) => readonly Cells[],
  entry: Form['entry'],
  { rows, tie, cellOf }: FormRequest,
): Form {
  const counters = names.map(() => new ColumnCounter(MOST_VALUES));
  const parts = new Map<SourceRow, readonly SourceRow[]>();
  for (const row of rows) {
    const own = cellsOf(row).filter((cells) => cells.some((cell) => cell !== ''));
    parts.set(
      row,
      own.map((cells) => ({ ...row, cells })),
    );
    for (const cells of own)
      for (const [at, cell] of cells.entries()) counters[at]!.accept(cell, row.firstLine);
  }
  const columns = counters.map((counter, at) => ({
    column: at + 1,
    name: names[at]!,
    ...counter.result(false),
  }));
  return {
    partsOf: (row) => parts.get(row) ?? [],
    all: [...parts.values()].flat(),
    entry,
    columns,
    features: featuresOf(columns, cellOf),
    trial: tie(names),
  };
}

import { DESCRIPTORS, type Descriptors, type Resource } from '../../../core/contract/resources.ts';
import { total } from '../../../core/values/counts.ts';
import { Decimal, DecimalSum, withPlaces, compareDecimals } from '../../../core/values/decimal.ts';
import { choicesOf, recordShape, type LeafShape, type ObjectShape } from '../../mapping/language/fields.ts';
import type { MappingPlan, RecordRows, UnusedColumn } from '../../mapping/mapping-plan.ts';
import { namesSomething } from '../odd-values/plausible-text.ts';
import { MOST_FORMS, sameForm } from '../ports/identifier-text.ts';
import type { Behind, Picture, RowCounter, Figure } from '../ports/look.ts';
import type { LeftOut, LeftOutCause, RunReport } from '../ports/report.ts';
import type { SeenRecord } from '../staged-file.ts';
import { currencyReader } from '../../mapping/language/currency-code.ts';
import type { SourceRow } from '../../csv/source-row.ts';

const ACCOUNT = 'external_account_number';

/** A field with one value, or with one in each item of a list. The amount of a record is counted by its type. */
interface SeenField {
  readonly path: readonly [string, ...string[]];
  readonly kind: Figure['kind'];
  /** The values that the interface shows; none for any others. */
  readonly known: readonly string[];
  readonly isAmount: boolean;
  readonly byType: Map<string | null, FigureTally>;
}

/** What a person looks at before anything is sent: the values of the records, and what is in the files beside them. */
export class Look implements RowCounter {
  private readonly resource: Resource;
  /** In the order of the interface, by the name that a record has: most records have no lists, and none of their fields. */
  private readonly fields: ReadonlyMap<string, readonly SeenField[]>;
  private records = 0;
  private accounts = 0;
  private readonly columns = new Map<string, ColumnTally>();
  private readonly leftOut = new Map<
    string,
    { cause: LeftOutCause; count: number; sum: DecimalSum; acknowledged: boolean }
  >();

  constructor(resource: Resource, descriptors?: Descriptors) {
    this.resource = resource;
    const { amount, idField, typeField } = DESCRIPTORS[resource];
    const fields = leavesOf(recordShape(resource, descriptors)).flatMap<SeenField>(({ path, leaf }) => {
      const [name, ...inside] = path;
      // The amounts say how many records have a type.
      if (name === 'import_supplier' || name === typeField) return [];
      const isId = inside.length === 0 && (name === ACCOUNT || name === idField || namesSomething(name));
      const known = leaf.facts.kind === 'boolean' ? ['true', 'false'] : choicesOf(leaf);
      const kind = kindOf(leaf, known.length > 0, isId);
      return { path, kind, known, isAmount: name === amount?.field, byType: new Map() };
    });
    this.fields = Map.groupBy(fields, ({ path }) => path[0]);
  }

  /** Counts a valid record. */
  seeRecord({ fields, counted: { account, type }, isFirst }: SeenRecord): void {
    this.records++;
    if (isFirst) this.accounts++;
    for (const [name, each] of this.fields) {
      const value = name === ACCOUNT ? account[name] : fields[name];
      if (value !== undefined) for (const field of each) see(field, value, field.isAmount ? type : null);
    }
  }

  /** Counts the rows of a record in the columns that their mapping does not use. */
  seeRows(rows: RecordRows, { unused }: MappingPlan): void {
    for (const column of unused) {
      let tally = this.columns.get(column.header);
      if (!tally) this.columns.set(column.header, (tally = new ColumnTally(column)));
      for (const row of rows) tally.see(row, column);
    }
  }

  /** Counts rows that are left out. Without a plan they are no rows of data. */
  leaveOut(cause: LeftOutCause, rows: RecordRows, plan?: MappingPlan): void {
    const key = `${cause.kind} ${cause.place}`;
    const acknowledged = plan?.acknowledged.has(cause.place) ?? false;
    const group = this.leftOut.get(key) ?? { cause, count: 0, sum: new DecimalSum(), acknowledged };
    this.leftOut.set(key, group);
    group.count++;
    const amount = plan?.amountIn(rows);
    if (amount) group.sum.add(amount);
  }

  picture(): Picture {
    const { records, accounts } = this;
    return { records, accounts, figures: figuresOf([...this.fields.values()].flat()) };
  }

  /** What is not sent. `known`: the rows that are left out, with those that a journal has left out. */
  behind(showsValues: boolean, known: readonly LeftOut[] = []): readonly Behind[] {
    const none = { count: 0, sum: null, holds: null, different: null, examples: [], acknowledged: false };
    const empty = [...this.fields].flatMap(([name, seen]) => (figuresOf(seen).length > 0 ? [] : name));
    return [
      ...[...this.columns.values()].flatMap((column) => column.behind(showsValues) ?? []),
      ...[...this.leftOut.values()].map(({ cause: { kind, place }, sum, ...group }) => {
        return { ...none, ...group, what: kind, name: place, sum: sum.total?.text ?? null };
      }),
      ...known.flatMap(({ kind, place, count }) =>
        kind === 'corrected' ? { ...none, what: kind, name: place, count } : [],
      ),
      ...empty.map((name) => ({ ...none, what: 'field' as const, name })),
    ];
  }

  /** The report of the rows that the journal keeps, with the rows that were counted here. */
  addedTo(report: RunReport): RunReport {
    const { records, resource } = this;
    const leftOut = [...this.leftOut.values()].map(({ cause, count }) => ({ ...cause, count }));
    const filtered = total(leftOut, ({ count }) => count);
    const amounts = figuresOf(this.fields.get(DESCRIPTORS[resource].amount?.field ?? '') ?? []);
    const untyped = { type: null, count: records, sum: amounts[0]?.sum ?? null };
    const totals = DESCRIPTORS[resource].typeField === null ? [untyped].filter(() => records > 0) : amounts;
    const controlTotals = totals.map(({ type, count, sum: read }) => {
      const accepted = read === null ? null : withPlaces(Decimal.of('0'), Decimal.of(read).places);
      return { type, currency: null, count, read, accepted };
    });
    const { rows } = report;
    const counts = { ...rows, read: rows.read + records + filtered, not_sent: records, filtered };
    return { ...report, rows: counts, controlTotals, leftOut };
  }
}

function figuresOf(seen: readonly SeenField[]): Picture['figures'] {
  return seen.flatMap(({ byType }) =>
    [...byType]
      .toSorted(([a], [b]) => ((a ?? '') < (b ?? '') ? -1 : 1))
      .map(([type, tally]) => tally.figure(type)),
  );
}

function kindOf({ facts: { kind } }: LeafShape, hasChoices: boolean, isId: boolean): Figure['kind'] {
  if (kind === 'decimal') return 'amount';
  if (kind === 'date' || kind === 'datetime') return 'date';
  if (hasChoices) return 'choice';
  return isId ? 'id' : 'text';
}

/** Counts the values of a field, in all items of lists. `depth`: how much of its path leads to the value. */
function see(field: SeenField, value: unknown, type: string | null, depth = 1): void {
  if (value === undefined || value === null || value === '') return;
  if (Array.isArray(value)) for (const each of value) see(field, each, type, depth);
  else if (depth < field.path.length) see(field, (value as Fields)[field.path[depth]!], type, depth + 1);
  else {
    let tally = field.byType.get(type);
    if (!tally) field.byType.set(type, (tally = new FigureTally(field)));
    tally.see(value);
  }
}

type Fields = Readonly<Record<string, unknown>>;

function leavesOf({ fields }: ObjectShape): readonly { path: SeenField['path']; leaf: LeafShape }[] {
  return Object.entries(fields).flatMap(([name, shape]) => {
    const inner = shape.kind === 'list' ? shape.item : shape;
    const found = inner.kind === 'leaf' ? [{ path: [], leaf: inner }] : leavesOf(inner);
    return found.map(({ path, leaf }) => ({ path: [name, ...path] as const, leaf }));
  });
}

/** Different values that are kept of a column, and the most that are states, each with so many rows. */
const MOST_VALUES = 20;
const MOST_STATES = 6;
const ROWS_OF_STATE = 4;

const DATE =
  /^(?:(?:19|20)\d\d([-./]?)(?:0?[1-9]|1[0-2])\1\d\d?|\d\d?([-./])\d\d?\2(?:\d\d){1,2}|\d\d?[-. ]\p{L}{3,9}\.?[-. ]\d{2,4})(?!\d)/u;
const ZONE =
  /^(?:(?:UTC|GMT)?[+-]\d\d:?\d\d|UTC|GMT|Z|[CWE]ES?T|[BIJ]ST|[PMCE][SD]T|[A-Z][a-z]+\/[A-Z][\w/+-]+)$/;

/** Words of headers with which whole numbers are amounts, too. */
const { amount, debit, credit } = DESCRIPTORS.transactions.headerTerms;
const MONEY = new Set([amount, debit, credit].flatMap((terms) => terms?.split(', ') ?? []));

/** The cells of a column that feeds no field, over the rows of all files. Its memory is bounded. */
class ColumnTally {
  private readonly column: UnusedColumn;
  private filled = 0;
  private rows = 0;
  private readonly values = new Set<string>();
  private readonly sum = new DecimalSum();
  private areNumbers = true;
  private hasDecimals = false;

  constructor(column: UnusedColumn) {
    this.column = column;
  }

  /** `column`: the same one, of the file of the row. */
  see(row: SourceRow, { textOf, readNumber }: UnusedColumn): void {
    this.rows++;
    const text = textOf?.(row)?.trim() ?? '';
    if (text === '') return;
    this.filled++;
    if (this.values.size <= MOST_VALUES) this.values.add(text);
    const number = this.areNumbers ? readNumber(text) : undefined;
    if (!number) this.areNumbers = false;
    else {
      this.sum.add(number);
      this.hasDecimals ||= number.places > 0;
    }
  }

  /** What is known of it; undefined for a column without a value. */
  behind(showsValues: boolean): Behind | undefined {
    const { column, filled, values, sum } = this;
    if (filled === 0 && column.textOf) return undefined;
    const holds = filled === 0 ? null : this.holds();
    return {
      what: 'column',
      name: column.header,
      count: column.textOf && filled,
      sum: (holds === 'amounts' && sum.total?.text) || null,
      holds,
      different: values.size > MOST_VALUES ? null : values.size,
      examples: showsValues ? [...values].slice(0, 2) : [],
      // Nobody who writes `all` has looked at each column.
      acknowledged:
        column.isIgnored === 'by_name' || (column.isIgnored === 'by_all' && (holds ?? 'texts') === 'texts'),
    };
  }

  private holds(): NonNullable<Behind['holds']> {
    const { column, filled, rows, values, areNumbers, hasDecimals } = this;
    const all = (is: (value: string) => boolean): boolean => [...values].every(is);
    if (all((value) => DATE.test(value))) return 'dates';
    const currencyOf = currencyReader(column.header);
    if (all((value) => currencyOf(value) !== undefined)) return 'currencies';
    if (all((value) => ZONE.test(value))) return 'zones';
    const words = column.header.toLowerCase().split(/[^\p{L}]+/u);
    if (areNumbers && (hasDecimals || words.some((word) => MONEY.has(word)))) return 'amounts';
    const states = values.size + (filled < rows ? 1 : 0);
    return states > 1 && states <= MOST_STATES && states * ROWS_OF_STATE <= rows ? 'states' : 'texts';
  }
}

/** Shapes of identifiers that are counted, so that memory is bounded, and those that a picture has. All others are counted together. */
const [MOST_SHAPES, SHOWN_SHAPES] = [100, 3];

/** Counts the valid values of a field. */
class FigureTally {
  count = 0;
  private readonly field: SeenField;
  /** By the hour or day, the shape, or the value. The values of a choice are those that the interface shows, because all others are texts of cells. */
  private readonly counts = new Map<string | number, number>();
  /** The shapes of some identifiers, and of those that differ in nothing but their digits. */
  private readonly shapes: { readonly text: string; readonly shape: string }[] = [];
  private readonly sum = new DecimalSum();
  private smallest: Decimal | null = null;
  private largest: Decimal | null = null;

  constructor(field: SeenField) {
    this.field = field;
  }

  see(value: unknown): void {
    const { counts, field } = this;
    this.count++;
    if (field.kind === 'amount') this.seeAmount(value as Decimal);
    else if (field.kind === 'date') add(counts, hourOf(value as string));
    else if (field.kind === 'choice')
      add(counts, field.known.find((each) => each === String(value)) ?? OTHERS);
    else if (field.kind === 'id') {
      const shape = this.shapeOf(value as string);
      add(counts, counts.has(shape) || counts.size < MOST_SHAPES ? shape : OTHERS);
    }
  }

  private shapeOf(text: string): string {
    const known = sameForm(this.shapes, text);
    if (known) return known.shape;
    const shape = shapeOf(text);
    if (this.shapes.length < MOST_FORMS) this.shapes.push({ text, shape });
    return shape;
  }

  private seeAmount(amount: Decimal): void {
    this.sum.add(amount);
    if (!this.smallest || compareDecimals(amount, this.smallest) < 0) this.smallest = amount;
    if (!this.largest || compareDecimals(amount, this.largest) > 0) this.largest = amount;
  }

  figure(type: string | null): Figure {
    const { count, field } = this;
    const { kind, path } = field;
    const days = Object.keys(this.countsBy((hour) => hour.slice(0, 'yyyy-mm-dd'.length)));
    const [smallest = null, largest = null] =
      kind === 'date' ? [days[0], days.at(-1)] : [this.smallest?.text, this.largest?.text];
    const sum = this.sum.total?.text ?? null;
    return { field: path.join('.'), type, kind, count, smallest, largest, sum, counts: this.countsOf(kind) };
  }

  private countsOf(kind: Figure['kind']): Figure['counts'] {
    if (kind === 'amount' || kind === 'text') return {};
    if (kind === 'date') {
      // The key is `yyyy-mm-dd`, or `yyyy-mm-ddThh`.
      const part = (from: number, to?: number) => this.countsBy((hour) => hour.slice(from, to));
      return { months: part(0, 7), days: part(8, 10), hours: part(11) };
    }
    if (kind === 'choice') return { values: this.countsBy((value) => value) };
    // The rarest shape is the one to look at.
    const all = [...this.counts].toSorted(([, a], [, b]) => b - a);
    const shown = new Set([...all.slice(0, SHOWN_SHAPES - 1), ...all.slice(-1)].map(([shape]) => shape));
    return { values: this.countsBy((shape) => (shown.has(shape) ? shape : OTHERS)) };
  }

  private countsBy(keyOf: (key: string) => string): Readonly<Record<string, number>> {
    const sums = new Map<string, number>();
    for (const [key, count] of this.counts)
      add(sums, keyOf(typeof key === 'number' ? textOfHour(key) : key), count);
    sums.delete('');
    return Object.fromEntries([...sums].toSorted(([a], [b]) => (a < b ? -1 : 1)));
  }
}

/** Stands for identifiers of further shapes, and for values that the interface does not show. */
const OTHERS = 'others';

function add<K>(counts: Map<K, number>, key: K, count = 1): void {
  counts.set(key, (counts.get(key) ?? 0) + count);
}

/** `2026-01-31T09` → 2026013109, with 99 for a day without an hour: looking up a new text takes ten times as long. */
function hourOf(date: string): number {
  let hour = 0;
  for (const at of [0, 1, 2, 3, 5, 6, 8, 9, 11, 12])
    hour = hour * 10 + (at < date.length ? date.charCodeAt(at) - 0x30 : 9);
  return hour;
}

function textOfHour(hour: number): string {
  const digits = String(hour).padStart('yyyymmddhh'.length, '0');
  return digits.replace(/^(....)(..)(..)(..)$/, '$1-$2-$3T$4').replace('T99', '');
}

/** Each digit as 9, each letter as A or a; `□` for every character beyond ASCII. */
function shapeOf(text: string): string {
  const letters = text.replaceAll(/[A-Z]/g, 'A').replaceAll(/[a-z]/g, 'a');
  return letters.replaceAll(/[0-9]/g, '9').replaceAll(/[^ -~]/g, '□');
}

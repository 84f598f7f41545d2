import { DESCRIPTORS, type Descriptors, type Resource } from '../../../core/contract/resources.ts';
import { total } from '../../../core/values/counts.ts';
import { Decimal, DecimalSum, withPlaces, compareDecimals } from '../../../core/values/decimal.ts';
import { choicesOf, recordShape, type LeafShape, type ObjectShape } from '../../mapping/language/fields.ts';
import type { MappingPlan, RecordRows, UnusedColumn } from '../../mapping/mapping-plan.ts';
import { MOST_FORMS, sameForm } from '../odd-values/identifier-shapes.ts';
import { namesSomething } from '../odd-values/plausible-text.ts';
import { ZERO } from '../ports/identifier-text.ts';
import type { Behind, Picture, RowCounter, Figure } from '../ports/look.ts';
import type { LeftOutCause, RunReport } from '../ports/report.ts';
import type { SeenRecord } from '../staged-file.ts';
import { currencyReader } from '../../mapping/language/currency-code.ts';
import type { SourceRow } from '../../csv/source-row.ts';

const ACCOUNT = 'external_account_number';

/** A field with one value, or with one in each item of a list. The amount of a record is counted by its type. */
interface SeenField {
  readonly path: readonly [string, ...string[]];
  readonly leaf: LeafShape;
  readonly isAmount: boolean;
  readonly isId: boolean;
  readonly byType: Map<string | null, FigureTally>;
}

/** Fields, and objects in lists, by their names. */
type FieldTree = Map<string, SeenField | FieldTree>;

/** What a person looks at before anything is sent: the values of the records, and what is in the files beside them. */
export class Look implements RowCounter {
  private readonly resource: Resource;
  /** In the order of the interface. */
  private readonly fields: readonly SeenField[];
  private readonly tree: FieldTree = new Map();
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
    this.fields = leavesOf(recordShape(resource, descriptors)).flatMap(({ path, leaf }) => {
      const [name, ...inside] = path;
      // The amounts say how many records have a type.
      if (name === 'import_supplier' || name === typeField) return [];
      const isId = inside.length === 0 && (name === ACCOUNT || name === idField || namesSomething(name));
      return { path, leaf, isId, isAmount: name === amount?.field, byType: new Map() };
    });
    for (const field of this.fields) {
      let at = this.tree;
      for (const name of field.path.slice(0, -1)) {
        const inner = at.get(name) ?? new Map();
        at.set(name, inner);
        at = inner as FieldTree;
      }
      at.set(field.path.at(-1)!, field);
    }
  }

  /** Counts a valid record. */
  seeRecord({ fields, counted: { account, type }, isFirst }: SeenRecord): void {
    this.records++;
    if (isFirst) this.accounts++;
    see(this.tree.get(ACCOUNT)!, account[ACCOUNT], null);
    for (const name of Object.keys(fields)) {
      const [field, value] = [this.tree.get(name), fields[name]];
      if (field && value !== '') see(field, value, type);
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
    return { records, accounts, figures: figuresOf(this.fields) };
  }

  /** What is not sent. */
  behind(showsValues: boolean): readonly Behind[] {
    const none = { count: 0, sum: null, holds: null, different: null, examples: [], acknowledged: false };
    const fields = Map.groupBy(this.fields, ({ path }) => path[0]);
    const empty = [...fields].flatMap(([name, seen]) => (seen.some(isSeen) ? [] : name));
    return [
      ...[...this.columns.values()].flatMap((column) => column.behind(showsValues) ?? []),
      ...[...this.leftOut.values()].map(({ cause: { kind, place }, sum, ...group }) => {
        return { ...none, ...group, what: kind, name: place, sum: sum.total?.text ?? null };
      }),
      ...empty.map((name) => ({ ...none, what: 'field' as const, name })),
    ];
  }

  /** The report of the rows that the journal keeps, with the rows that were counted here. */
  addedTo(report: RunReport): RunReport {
    const { records, resource } = this;
    const leftOut = [...this.leftOut.values()].map(({ cause, count }) => ({ ...cause, count }));
    const filtered = total(leftOut, ({ count }) => count);
    const amounts = figuresOf(this.fields.filter(({ isAmount }) => isAmount));
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

const isSeen = ({ byType }: SeenField): boolean => [...byType.values()].some(({ count }) => count > 0);

function figuresOf(seen: readonly SeenField[]): Picture['figures'] {
  return seen.flatMap(({ path, byType }) =>
    [...byType]
      .toSorted(([a], [b]) => ((a ?? '') < (b ?? '') ? -1 : 1))
      .flatMap(([type, tally]) => (tally.count === 0 ? [] : tally.figure(path.join('.'), type))),
  );
}

/** Counts the value of a field, or the values of an object, in all items of lists. Makes no lists of its own. */
function see(field: SeenField | FieldTree, value: unknown, type: string | null): void {
  if (value === undefined || value === null) return;
  if (typeof value === 'object' && Array.isArray(value)) for (const each of value) see(field, each, type);
  else if (field instanceof Map)
    for (const name of Object.keys(value)) {
      const inner = field.get(name);
      if (inner) see(inner, (value as Readonly<Record<string, unknown>>)[name], type);
    }
  else {
    const key = field.isAmount ? type : null;
    let tally = field.byType.get(key);
    if (!tally) field.byType.set(key, (tally = new FigureTally(field.leaf, field.isId)));
    tally.see(value);
  }
}

function leavesOf({ fields }: ObjectShape): readonly Pick<SeenField, 'path' | 'leaf'>[] {
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
  private last = '';
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
    // Looking a new text up takes long, and many columns have one text alone.
    if (text !== this.last && this.values.size <= MOST_VALUES) this.values.add(text);
    this.last = text;
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

/** Counts the valid values of a field. It makes no texts where it can, because every record has values. */
class FigureTally {
  count = 0;
  private readonly kind: Figure['kind'];
  /**
   * By the day, the shape, or the value. The values of a choice are those that the interface shows, because all others are
   * texts of cells.
   */
  private readonly counts: Map<string | number, number>;
  private readonly hours = new Map<string, number>();
  /** Identifiers that differ in nothing but their digits. */
  private readonly forms: { readonly text: string; count: number }[] = [];
  private readonly sum = new DecimalSum();
  private smallest: Decimal | null = null;
  private largest: Decimal | null = null;

  constructor(leaf: LeafShape, isId: boolean) {
    const { kind } = leaf.facts;
    const known = kind === 'boolean' ? ['true', 'false'] : choicesOf(leaf);
    this.counts = new Map(known.map((value) => [value, 0]));
    if (kind === 'decimal') this.kind = 'amount';
    else if (kind === 'date' || kind === 'datetime') this.kind = 'date';
    else this.kind = known.length > 0 ? 'choice' : isId ? 'id' : 'text';
  }

  see(value: unknown): void {
    this.count++;
    const { kind, counts } = this;
    if (kind === 'amount') this.seeAmount(value as Decimal);
    else if (kind === 'choice') add(counts, counts.has(String(value)) ? String(value) : OTHERS);
    else if (kind === 'id') this.seeId(value as string);
    else if (kind === 'date') {
      const text = value as string;
      add(counts, dayNumber(text));
      if (text[10] === 'T') add(this.hours, text.slice(11, 13));
    }
  }

  private seeAmount(amount: Decimal): void {
    this.sum.add(amount);
    if (!this.smallest || compareDecimals(amount, this.smallest) < 0) this.smallest = amount;
    if (!this.largest || compareDecimals(amount, this.largest) > 0) this.largest = amount;
  }

  private seeId(text: string): void {
    const form = sameForm(this.forms, text);
    if (form) form.count++;
    else if (this.forms.length < MOST_FORMS) this.forms.push({ text, count: 1 });
    else this.addShape(text, 1);
  }

  private addShape(text: string, count: number): void {
    const shape = shapeOf(text);
    add(this.counts, this.counts.has(shape) || this.counts.size < MOST_SHAPES ? shape : OTHERS, count);
  }

  figure(field: string, type: string | null): Figure {
    const { kind, count } = this;
    const sum = this.sum.total?.text ?? null;
    const [smallest, largest] = [this.smallest?.text ?? null, this.largest?.text ?? null];
    const figure = { field, type, kind, count, smallest, largest, sum };
    switch (kind) {
      case 'text':
      case 'amount':
        return { ...figure, counts: {} };
      case 'choice':
        return { ...figure, counts: { values: this.countsBy(String) } };
      case 'id': {
        for (const { text, count: times } of this.forms.splice(0)) this.addShape(text, times);
        // The rarest one is the one to look at.
        const all = [...this.counts].toSorted(([, a], [, b]) => b - a);
        const shown = new Set([...all.slice(0, SHOWN_SHAPES - 1), ...all.slice(-1)].map(([shape]) => shape));
        return {
          ...figure,
          counts: { values: this.countsBy((each) => (shown.has(each) ? String(each) : OTHERS)) },
        };
      }
      case 'date': {
        const months = this.countsBy((day) => dayText(day).slice(0, 'yyyy-mm'.length));
        const days = this.countsBy((day) => dayText(day).slice('yyyy-mm-'.length));
        const sorted = [...this.counts.keys()].map(dayText).toSorted();
        const range = { smallest: sorted[0]!, largest: sorted.at(-1)! };
        return { ...figure, ...range, counts: { months, days, hours: Object.fromEntries(this.hours) } };
      }
    }
  }

  private countsBy(keyOf: (key: string | number) => string): Readonly<Record<string, number>> {
    const sums = new Map<string, number>();
    for (const [key, count] of this.counts) if (count > 0) add(sums, keyOf(key), count);
    return Object.fromEntries([...sums].toSorted(([a], [b]) => (a < b ? -1 : 1)));
  }
}

/** Stands for identifiers of further shapes, and for values that the interface does not show. */
const OTHERS = 'others';

/** Where a date has its dashes. */
const DASHES = [4, 7] as const;

/** The day of a date or an instant as a number such as 20260131, because a new text takes longer to look up. */
function dayNumber(date: string): number {
  let number = 0;
  for (let at = 0; at < 'yyyy-mm-dd'.length; at++)
    if (at !== DASHES[0] && at !== DASHES[1]) number = number * 10 + date.charCodeAt(at) - ZERO;
  return number;
}

const dayText = (day: string | number): string => String(day).replace(/(..)(..)$/u, '-$1-$2');

function add<K>(counts: Map<K, number>, key: K, count = 1): void {
  counts.set(key, (counts.get(key) ?? 0) + count);
}

/** Each digit as 9, each letter as A or a; `□` for every character beyond ASCII. */
function shapeOf(text: string): string {
  const letters = text.replaceAll(/[A-Z]/g, 'A').replaceAll(/[a-z]/g, 'a');
  return letters.replaceAll(/\d/g, '9').replaceAll(/[^ -~]/g, '□');
}

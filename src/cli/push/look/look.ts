import { DESCRIPTORS, type Descriptors, type Resource } from '../../../core/contract/resources.ts';
import { total } from '../../../core/values/counts.ts';
import { DecimalSum } from '../../../core/values/decimal-sum.ts';
import { Decimal, withPlaces } from '../../../core/values/decimal.ts';
import { recordShape, type LeafShape, type ObjectShape } from '../../mapping/language/fields.ts';
import type { MappingPlan, RecordRows } from '../../mapping/mapping-plan.ts';
import { namesSomething } from '../odd-values/plausible-text.ts';
import type { Behind, Picture, RowCounter } from '../ports/look.ts';
import type { LeftOutCause, RunReport } from '../ports/report.ts';
import type { SeenRecord } from '../staged-file.ts';
import { ColumnTally } from './column-tally.ts';
import { FigureTally } from './figure-tally.ts';

const ACCOUNT = 'external_account_number';

/** A field with one value, or with one in each item of a list. The amount of a record is counted by its type. */
interface SeenField {
  readonly path: readonly [string, ...string[]];
  readonly leaf: LeafShape;
  readonly isAmount: boolean;
  readonly isId: boolean;
  readonly byType: Map<string | null, FigureTally>;
}

/** What a person looks at before anything is sent: the values of the records, and what is in the files beside them. */
export class Look implements RowCounter {
  private readonly resource: Resource;
  /** By the first name of their paths. */
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
    const all = leavesOf(recordShape(resource, descriptors)).flatMap(({ path, leaf }) => {
      const [name, ...inside] = path;
      // The amounts say how many records have a type.
      if (name === 'import_supplier' || name === typeField) return [];
      const isId = inside.length === 0 && (name === ACCOUNT || name === idField || namesSomething(name));
      return { path, leaf, isId, isAmount: name === amount?.field, byType: new Map() };
    });
    this.fields = Map.groupBy(all, ({ path }) => path[0]);
  }

  /** Counts a valid record. */
  seeRecord({ fields, counted: { account, type }, isFirst }: SeenRecord): void {
    this.records++;
    if (isFirst) this.accounts++;
    this.seeField(ACCOUNT, account[ACCOUNT], null);
    for (const name of Object.keys(fields)) this.seeField(name, fields[name], type);
  }

  private seeField(name: string, value: unknown, type: string | null): void {
    const leaves = this.fields.get(name);
    if (!leaves || value === undefined || value === null || value === '') return;
    for (const { path, leaf, isAmount, isId, byType } of leaves) {
      const key = isAmount ? type : null;
      let tally = byType.get(key);
      if (!tally) byType.set(key, (tally = new FigureTally(leaf, isId)));
      if (typeof value !== 'object' || isAmount) tally.see(value);
      else for (const each of valuesAt(value, path)) tally.see(each);
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
    if (amount) group.sum.add(amount.text);
  }

  picture(): Picture {
    const { records, accounts } = this;
    return { records, accounts, figures: figuresOf([...this.fields.values()].flat()) };
  }

  /** What is not sent. */
  behind(showsValues: boolean): readonly Behind[] {
    const none = { count: 0, sum: null, holds: null, different: null, examples: [], acknowledged: false };
    const empty = [...this.fields].flatMap(([name, seen]) => (seen.some(isSeen) ? [] : name));
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

const isSeen = ({ byType }: SeenField): boolean => [...byType.values()].some(({ count }) => count > 0);

function figuresOf(seen: readonly SeenField[]): Picture['figures'] {
  return seen.flatMap(({ path, byType }) =>
    [...byType]
      .toSorted(([a], [b]) => ((a ?? '') < (b ?? '') ? -1 : 1))
      .flatMap(([type, tally]) => (tally.count === 0 ? [] : tally.figure(path.join('.'), type))),
  );
}

/** The values of a field, in all items of lists. `value`: that of its first name. */
function valuesAt(value: unknown, [, ...inside]: readonly string[]): readonly unknown[] {
  return inside.reduce<readonly unknown[]>(
    (all, name) => all.flatMap((each) => (each as Readonly<Record<string, unknown>>)[name] ?? []),
    [value].flat(),
  );
}

function leavesOf({ fields }: ObjectShape): readonly Pick<SeenField, 'path' | 'leaf'>[] {
  return Object.entries(fields).flatMap(([name, shape]) => {
    const inner = shape.kind === 'list' ? shape.item : shape;
    const found = inner.kind === 'leaf' ? [{ path: [], leaf: inner }] : leavesOf(inner);
    return found.map(({ path, leaf }) => ({ path: [name, ...path] as const, leaf }));
  });
}

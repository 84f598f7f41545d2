import { DESCRIPTORS, type Descriptors, type Resource } from '../../../core/contract/resources.ts';
import { DecimalSum } from '../../../core/values/decimal-sum.ts';
import { fieldNames, recordShape, type LeafShape, type ObjectShape } from '../../mapping/language/fields.ts';
import type { MappingPlan, RecordRows } from '../../mapping/mapping-plan.ts';
import { namesSomething } from '../odd-values/plausible-text.ts';
import type { Behind, Picture } from '../ports/look.ts';
import type { LeftOutCause } from '../ports/staging.ts';
import type { SeenRecord } from '../staged-file.ts';
import { ColumnTally } from './column-tally.ts';
import { tallyOf, type FieldTally } from './figures.ts';

const ACCOUNT = 'external_account_number';

/** A field that has one value, or one for each item of a list. Amounts of the record itself are counted by its type. */
interface SeenField {
  readonly path: readonly string[];
  readonly leaf: LeafShape;
  readonly tallies: Map<string | null, { count: number; readonly tally: FieldTally }>;
}

/** What a person looks at before anything is sent: the values of the records, and what is in the files beside them. */
export class Look {
  private readonly names: readonly string[];
  private readonly fields: readonly SeenField[];
  private readonly idField: string | null;
  private records = 0;
  private accounts = 0;
  private readonly columns = new Map<string, ColumnTally>();
  private readonly leftOut = new Map<
    string,
    { count: number; sum: DecimalSum; cause: LeftOutCause; acknowledged: boolean }
  >();

  constructor(resource: Resource, descriptors?: Descriptors) {
    this.idField = DESCRIPTORS[resource].idField;
    this.names = fieldNames(resource, descriptors).filter((name) => name !== 'import_supplier');
    this.fields = [...leavesOf(recordShape(resource, descriptors))];
  }

  /** Counts a valid record. */
  seeRecord({ fields, counted: { account, type }, isFirst }: SeenRecord): void {
    this.records++;
    if (isFirst) this.accounts++;
    for (const field of this.fields) {
      const name = field.path[0]!;
      this.seeValue(field, name === ACCOUNT ? account[name] : fields[name], { at: 1, type });
    }
  }

  private seeValue(field: SeenField, value: unknown, within: { at: number; type: string | null }): void {
    const { path, leaf, tallies } = field;
    const { at, type } = within;
    if (value === undefined || value === null || value === '') return;
    if (Array.isArray(value)) for (const item of value) this.seeValue(field, item, within);
    else if (at < path.length) this.seeValue(field, (value as Fields)[path[at]!], { at: at + 1, type: null });
    else {
      const key = leaf.facts.kind === 'decimal' ? type : null;
      let seen = tallies.get(key);
      if (!seen) tallies.set(key, (seen = { count: 0, tally: tallyOf(leaf, this.isId(path)) }));
      seen.count++;
      seen.tally.see(value as never);
    }
  }

  private isId([name, ...inside]: readonly string[]): boolean {
    return inside.length === 0 && (name === ACCOUNT || name === this.idField || namesSomething(name!));
  }

  /** Counts the rows of a record in the columns that the mapping does not use. */
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
    const group = this.leftOut.get(key) ?? { count: 0, sum: new DecimalSum(), cause, acknowledged };
    this.leftOut.set(key, group);
    group.count++;
    const amount = plan?.amountIn(rows);
    if (amount) group.sum.add(amount.text);
  }

  picture(): Picture {
    const { records, accounts, fields } = this;
    const figures = fields.flatMap(({ path, tallies }) =>
      [...tallies]
        .toSorted(([a], [b]) => ((a ?? '') < (b ?? '') ? -1 : 1))
        .map(([type, { count, tally }]) => ({ field: path.join('.'), type, count, ...tally.figure() })),
    );
    return { records, accounts, figures };
  }

  /** What is not sent. `showsValues`: whether values of cells may be shown. */
  behind(showsValues: boolean): readonly Behind[] {
    const none = { count: 0, sum: null, holds: null, different: null, examples: [], acknowledged: false };
    const isEmpty = (name: string): boolean =>
      this.fields.every(({ path, tallies }) => path[0] !== name || tallies.size === 0);
    return [
      ...[...this.columns.values()].flatMap((column) => column.behind(showsValues) ?? []),
      ...[...this.leftOut.values()].map(({ count, sum, cause: { kind, place }, acknowledged }) => {
        return { ...none, what: kind, name: place, count, sum: sum.total?.text ?? null, acknowledged };
      }),
      ...this.names.filter(isEmpty).map((name) => ({ ...none, what: 'field' as const, name })),
    ];
  }
}

type Fields = Readonly<Record<string, unknown>>;

function* leavesOf({ fields }: ObjectShape, outer: readonly string[] = []): Generator<SeenField> {
  for (const [name, shape] of Object.entries(fields)) {
    const inner = shape.kind === 'list' ? shape.item : shape;
    const path = [...outer, name];
    if (inner.kind === 'leaf') yield { path, leaf: inner, tallies: new Map() };
    else yield* leavesOf(inner, path);
  }
}

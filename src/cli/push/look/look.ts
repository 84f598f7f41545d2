import { DESCRIPTORS, type Descriptors, type Resource } from '../../../core/contract/resources.ts';
import { Decimal, sum } from '../../../core/values/decimal.ts';
import { DecimalSum } from '../../../core/values/decimal-sum.ts';
import { recordShape } from '../../mapping/language/fields.ts';
import { UNUSED_KINDS, type MappingPlan, type UnusedCells } from '../../mapping/mapping-plan.ts';
import { namesSomething } from '../odd-values/plausible-text.ts';
import type { Picture, StaysBehind } from '../ports/look.ts';
import type { LeftOutCause, StagingRun } from '../ports/staging.ts';
import type { Oddity, SeenRecord } from '../staged-file.ts';
import { figuresOf, type FieldFigures } from './figures.ts';

const ACCOUNT = 'external_account_number';

/** One field of the records. */
type SeenField = { readonly name: string; readonly figures: FieldFigures };

/** What a person looks at before anything is sent: the values of the records, and what is in the files beside them. */
export class Look implements Oddity {
  private records = 0;
  private accounts = 0;
  private readonly numbers: FieldFigures;
  /** The fields that have figures. */
  private readonly fields: readonly SeenField[];
  /** The fields that no record has so far. */
  private readonly empty: Set<string>;
  private readonly leftOut = new Map<string, LeftOutCause & { count: number; readonly sum: DecimalSum }>();
  private plans: readonly MappingPlan[] = [];
  private readonly showsValues: boolean;

  constructor(
    resource: Resource,
    { descriptors, showsValues }: { descriptors: Descriptors | undefined; showsValues: boolean },
  ) {
    this.showsValues = showsValues;
    const { idField, typeField } = DESCRIPTORS[resource];
    const { import_supplier: _, [ACCOUNT]: number, ...fields } = recordShape(resource, descriptors).fields;
    this.numbers = figuresOf(ACCOUNT, number!, { isId: true, showsValues })!;
    this.empty = new Set(Object.keys(fields));
    // The amounts are split by type, and say how many records have it.
    this.fields = Object.entries(fields).flatMap(([name, shape]) => {
      const isId = name === idField || namesSomething(name);
      const figures = name === typeField ? null : figuresOf(name, shape, { isId, showsValues });
      return figures ? { name, figures } : [];
    });
  }

  see({ fields, counted: { account, type }, isFirst }: SeenRecord): void {
    this.records++;
    if (isFirst) this.accounts++;
    this.numbers.see(account.external_account_number, type);
    for (const { name, figures } of this.fields) {
      const value = fields[name];
      if (value !== undefined && value !== null) figures.see(value, type);
    }
    for (const name of this.empty) if ((fields[name] ?? '') !== '') this.empty.delete(name);
  }

  /** The operations of staging, with which rows that are left out are counted here, too. */
  beside(staging: StagingRun): StagingRun {
    const { leftOut } = this;
    return {
      ...staging,
      appendFiltered(position, cause, amountOf) {
        const key = `${cause.kind} ${cause.place}`;
        const known = leftOut.get(key) ?? { ...cause, count: 0, sum: new DecimalSum() };
        leftOut.set(key, known);
        known.count++;
        const amount = amountOf?.();
        if (amount !== undefined) known.sum.add(amount);
        staging.appendFiltered(position, cause);
      },
    };
  }

  report(): void {}

  /** Takes what the mappings of the files know, once all rows are read. */
  end(plans: readonly MappingPlan[]): void {
    this.plans = plans;
  }

  picture(): Picture {
    const { records, accounts, numbers, fields } = this;
    return {
      records,
      accounts,
      figures: [numbers, ...fields.map((each) => each.figures)].flatMap((each) => each.figures()),
    };
  }

  staysBehind(): StaysBehind {
    const columns = Map.groupBy(
      this.plans.flatMap((plan) => plan.unused()),
      ({ file, header }) => JSON.stringify([file, header]),
    );
    return {
      columns: [...columns.values()].map((each) => this.column(each)),
      rows: [...this.leftOut.values()].map(({ sum: total, ...group }) => ({
        ...group,
        sum: total.total?.text ?? null,
        acknowledged: this.plans.some(({ acknowledged }) => acknowledged.has(group.place)),
      })),
      fields: this.records === 0 ? [] : [...this.empty],
    };
  }

  /** One column of all files. */
  private column(all: readonly UnusedCells[]): StaysBehind['columns'][number] {
    const { file, header } = all[0]!;
    const sums = all.map((each) => each.sum);
    const values = all.map((each) => each.values);
    return {
      file,
      header,
      kind: UNUSED_KINDS.find((kind) => all.some((each) => each.kind === kind))!,
      filled: all.reduce((count, { filled }) => count + filled, 0),
      different: values.includes(null) ? null : new Set(values.flatMap((each) => [...each!])).size,
      sum: sums.includes(null) ? null : sum(sums.map((each) => Decimal.of(each!))).text,
      examples: this.showsValues ? [...new Set(all.flatMap(({ examples }) => examples))].slice(0, 2) : [],
      acknowledged: all.every(({ isAcknowledged }) => isAcknowledged),
    };
  }
}

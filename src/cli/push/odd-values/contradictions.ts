import type { Transaction } from '../../../core/contract/transaction.ts';
import { warning, type Path } from '../../../core/problem.ts';
import type { Decimal } from '../../../core/values/decimal.ts';
import { reportTally, type Oddity, type SeenRecord, type StagedFile } from '../staged-file.ts';
import { counted, countIn, type Tally } from './tally.ts';

/** A number of a record that other numbers of it make, as a bill shows them. */
interface Relation {
  readonly what: string;
  readonly path: Path;
  /** Whether no other rule may make the number. Units may come from readings by a factor, as cubic metres become kWh. */
  readonly isStrict: boolean;
  /** What a constant factor means, by how many times too large the number is that the others make. */
  readonly todo: (factor: number) => string;
  pairs(record: Partial<Transaction>): readonly (readonly [made: number, stated: number])[];
}

const TAX: Relation = {
  what: '`value_taxed` times `rate` is not the `amount` of the tax',
  path: ['tax_items', 0, 'rate'],
  isStrict: true,
  todo: (factor) =>
    factor === 100
      ? '`rate` is a fraction, such as 0.05 for 5 percent: write `unit: minor` at it, or divide it in a query (docs/mapping-recipes.md)'
      : 'Compare the columns of `value_taxed`, `rate` and `amount` with a bill',
  pairs: ({ tax_items: items = [] }) =>
    items.flatMap(({ value_taxed, rate, amount, unit_type }) =>
      unit_type === 'PROPORTION' ? [[valueOf(value_taxed) * valueOf(rate), valueOf(amount)]] : [],
    ),
};

const READINGS: Relation = {
  what: 'the second of `units` minus the first is not `number_of_units`',
  path: ['line_items', 0, 'units'],
  isStrict: false,
  todo: (factor) =>
    factor === -1
      ? 'Exchange the two columns of `units`: the earlier reading comes first'
      : 'Compare the columns of `units` and `number_of_units` with a bill',
  pairs: ({ line_items: items = [] }) =>
    items.flatMap(({ units = [], number_of_units }) =>
      units.length === 2 ? [[valueOf(units[1]!) - valueOf(units[0]!), valueOf(number_of_units)]] : [],
    ),
};

const valueOf = ({ text }: Decimal): number => Number(text);

/** Factors that a sign or a unit makes: percent, pence, thousandths. Meters may count by tens. */
const FACTORS = [-1, 100, -100, 0.01, 1000, 0.001] as const;

/** Suppliers round, and add up what they have rounded. */
const isAbout = (a: number, b: number): boolean => Math.abs(a - b) <= 0.011 + Math.abs(b) / 100;

/** The share of records that a rule of the file holds for, or that a factor is behind. */
const NEARLY_ALL = 0.9;

/** So many readings make a rule of the file. */
const LEAST = 10;

/** One relation over all records of a file. */
class Contradictions implements Oddity {
  private readonly relation: Relation;
  private records = 0;
  private wrong: Tally | undefined;
  private readonly factors = new Map<number, Tally>();

  constructor(relation: Relation) {
    this.relation = relation;
  }

  see({ fields, line }: SeenRecord): void {
    const pairs = this.relation.pairs(fields);
    if (pairs.length === 0) return;
    this.records++;
    const odd = pairs.find(([made, stated]) => !isAbout(made, stated));
    if (!odd) return;
    this.wrong = counted(this.wrong, line);
    const factor = FACTORS.find((each) => isAbout(odd[0] / each, odd[1]));
    if (factor !== undefined) countIn(this.factors, factor, line);
  }

  report(file: StagedFile): void {
    const { relation, records, wrong } = this;
    if (!wrong) return;
    const { what, path, isStrict, todo } = relation;
    const [factor, tally] = [...this.factors].toSorted(([, a], [, b]) => b.count - a.count)[0] ?? [];
    const isFactor =
      tally !== undefined &&
      tally.count >= wrong.count * NEARLY_ALL &&
      (isStrict || factor === -1 || records >= LEAST);
    const isRule = records >= LEAST && wrong.count <= records * (1 - NEARLY_ALL);
    if (!isStrict && !isFactor && !isRule) return;
    const facts = {
      what,
      records,
      factor: isFactor ? `; there, it is ${factor!} times that` : '',
      todo: todo(isFactor ? factor! : 1),
    };
    reportTally(file, wrong, (count) => warning('record_contradicts_itself', path, { ...facts, count }));
  }
}

/** Numbers of a bill that contradict each other. */
export const contradictions = (): readonly Oddity[] =>
  [TAX, READINGS].map((each) => new Contradictions(each));

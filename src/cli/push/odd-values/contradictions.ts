import type { Transaction } from '../../../core/contract/transaction.ts';
import { warning } from '../../../core/problem.ts';
import { roughly } from '../../../core/values/decimal.ts';
import { report, type Oddity, type SeenRecord, type StagedFile } from '../staged-file.ts';
import { counted, countIn, type Tally } from './tally.ts';

/** Numbers that other numbers of a bill make. The sums and products that the platform checks are errors already. */
const RELATIONS = [
  {
    what: '`value_taxed` times `rate` is not the `amount` of the tax',
    path: ['tax_items', 0, 'rate'],
    usual: 100,
    todo: '`rate` is a fraction, such as 0.05 for 5 percent: write `unit: minor` at it, or divide it in a query.',
    /** Whether nothing else may make the number. Units come from readings by a factor, too, as kWh from cubic metres. */
    isStrict: true,
    pairsOf: ({ tax_items: items = [] }: Partial<Transaction>) =>
      items
        .filter(({ unit_type }) => unit_type === 'PROPORTION')
        .map((tax) => [roughly(tax.value_taxed) * roughly(tax.rate), roughly(tax.amount)] as const),
  },
  {
    what: 'the second of `units` minus the first is not `number_of_units`',
    path: ['line_items', 0, 'units'],
    usual: -1,
    todo: 'Exchange the two columns of `units`: the earlier reading comes first.',
    isStrict: false,
    pairsOf: ({ line_items: items = [] }: Partial<Transaction>) =>
      items.flatMap(({ units: [first, second] = [], number_of_units }) =>
        first && second ? [[roughly(second) - roughly(first), roughly(number_of_units)] as const] : [],
      ),
  },
] as const;

/** Factors that a sign or a unit makes: percent, pence, thousandths. Meters may count by tens. */
const FACTORS = [-1, 100, -100, 0.01, 1000, 0.001] as const;

/** Suppliers round, and add up what they have rounded. */
const isAbout = (a: number, b: number): boolean => Math.abs(a - b) <= 0.011 + Math.abs(b) / 100;

/** So many records make a rule of the file, when it holds for nearly all. */
const LEAST = 10;
const NEARLY_ALL = 0.9;

/** One relation over all records of a file. */
class Contradictions implements Oddity {
  private readonly relation: (typeof RELATIONS)[number];
  private records = 0;
  private wrong: Tally | undefined;
  private readonly factors = new Map<number, Tally>();

  constructor(relation: (typeof RELATIONS)[number]) {
    this.relation = relation;
  }

  see({ fields, line }: SeenRecord): void {
    const pairs = this.relation.pairsOf(fields);
    if (pairs.length === 0) return;
    this.records++;
    const odd = pairs.find(([made, stated]) => !isAbout(made, stated));
    if (!odd) return;
    this.wrong = counted(this.wrong, line);
    const factor = FACTORS.find((each) => isAbout(odd[0] / each, odd[1]));
    if (factor !== undefined) countIn(this.factors, factor, line);
  }

  report(file: StagedFile): void {
    const { wrong, records } = this;
    const { what, path, usual, todo, isStrict } = this.relation;
    if (!wrong) return;
    const [factor] = [...this.factors].find(([, { count }]) => count >= wrong.count * NEARLY_ALL) ?? [];
    const isRule = records >= LEAST && wrong.count <= records * (1 - NEARLY_ALL);
    if (!isStrict && !isRule && factor !== usual && (factor === undefined || records < LEAST)) return;
    const facts = {
      what,
      count: wrong.count,
      records,
      factor: factor === undefined ? '' : `; it is ${factor} times as large`,
      todo: factor === usual ? todo : 'Compare these columns with a bill.',
    };
    report(file, warning('record_contradicts_itself', path, facts), wrong.first);
  }
}

/** Numbers of a bill that contradict each other. */
export const contradictions = (): readonly Oddity[] => RELATIONS.map((each) => new Contradictions(each));

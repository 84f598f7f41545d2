import type { Transaction } from '../../../core/contract/transaction.ts';
import { warning } from '../../../core/problem.ts';
import { counted, countIn } from '../../../core/values/counts.ts';
import { compareDecimals, Decimal, distance, product, sum } from '../../../core/values/decimal.ts';
import { negated } from '../../../core/values/decimal-shift.ts';
import type { Oddity, Tally } from './tally.ts';

/** Numbers that other numbers of a bill make. The sums and products that the platform checks are errors already. */
const RELATIONS: readonly Relation[] = [
  {
    what: '`value_taxed` times `rate` is not the `amount` of the tax',
    path: ['tax_items', 0, 'rate'],
    usual: '100',
    todo: '`rate` is a fraction, such as 0.05 for 5 percent: write `unit: minor` at it, or divide it in a query.',
    /** Whether nothing else may make the number. Units come from readings by a factor, too, as kWh from cubic metres. */
    isStrict: true,
    pairOf: ({ unit_type, value_taxed, rate, amount }: Item) =>
      unit_type === 'PROPORTION' ? [product(value_taxed, rate), amount] : undefined,
  },
  {
    what: 'the second of `units` minus the first is not `number_of_units`',
    path: ['line_items', 0, 'units'],
    usual: '-1',
    todo: 'Exchange the two columns of `units`: the earlier reading comes first.',
    isStrict: false,
    pairOf: ({ units: [first, second] = [], number_of_units }: Item) =>
      first && second ? [sum([second, negated(first)]), number_of_units] : undefined,
  },
];

/** An item of a list of transactions. A relation looks at the fields of its own list. */
type Item = NonNullable<Transaction['line_items']>[number] & NonNullable<Transaction['tax_items']>[number];

/** `pairOf`: a number that others of an item make, and the number that the item has. */
interface Relation {
  readonly what: string;
  readonly path: readonly [string, number, string];
  readonly usual: string;
  readonly todo: string;
  readonly isStrict: boolean;
  readonly pairOf: (item: Item) => readonly [made: Decimal, stated: Decimal] | undefined;
}

/** Factors that a sign or a unit makes, each with what undoes it: percent, pence, thousandths. Meters may count by tens. */
const FACTORS = [
  ['-1', '-1'],
  ['100', '0.01'],
  ['-100', '-0.01'],
  ['0.01', '100'],
  ['1000', '0.001'],
  ['0.001', '1000'],
] as const;

const [ZERO, HUNDREDTH, ROUNDED] = [Decimal.of('0'), Decimal.of('0.01'), Decimal.of('0.011')];

/** Suppliers round, and add up what they have rounded: a cent, and a hundredth, are no difference. */
const isAbout = (a: Decimal, b: Decimal): boolean =>
  compareDecimals(a, b) === 0 ||
  compareDecimals(distance(a, b), sum([ROUNDED, product(distance(b, ZERO), HUNDREDTH)])) <= 0;

/** So many records make a rule of the file, when it holds for nearly all. */
const LEAST = 10;
const NEARLY_ALL = 0.9;

/** One relation over all records of a file. */
function contradiction({ pairOf, what, path, usual, todo, isStrict }: Relation): Oddity {
  const factors = new Map<string, Tally>();
  let records = 0;
  let wrong: Tally | undefined;
  return {
    see(items, { line }) {
      let [isSeen, odd] = [false, undefined as ReturnType<typeof pairOf>];
      for (const item of items as readonly Item[]) {
        const pair = pairOf(item);
        if (pair && !odd && !isAbout(...pair)) odd = pair;
        isSeen ||= pair !== undefined;
      }
      if (isSeen) records++;
      if (!odd) return;
      const [made, stated] = odd;
      wrong = counted(wrong, line);
      const factor = FACTORS.find(([, undo]) => isAbout(product(made, Decimal.of(undo)), stated));
      if (factor) countIn(factors, factor[0], line);
    },
    *found() {
      if (!wrong) return;
      const { count, first } = wrong;
      const [factor] = [...factors].find(([, each]) => each.count >= count * NEARLY_ALL) ?? [];
      const isRule = records >= LEAST && count <= records * (1 - NEARLY_ALL);
      if (!isStrict && !isRule && factor !== usual && (factor === undefined || records < LEAST)) return;
      const facts = {
        what,
        count,
        records,
        factor: factor === undefined ? '' : `; it is ${factor} times as large`,
        todo: factor === usual ? todo : 'Compare these columns with a bill.',
      };
      yield [warning('record_contradicts_itself', path, facts), first];
    },
  };
}

/** Numbers of a bill that contradict each other, by the lists that have them. */
export const contradictions = (): readonly (readonly [field: string, Oddity])[] =>
  RELATIONS.map((each) => [each.path[0], contradiction(each)]);

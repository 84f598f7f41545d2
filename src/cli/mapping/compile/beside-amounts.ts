import { warning } from '../../../core/problem.ts';
import { compareDecimals, Decimal, distance, sum } from '../../../core/values/decimal.ts';
import { negated } from '../../../core/values/decimal-shift.ts';
import { NO_CELL } from '../column-map.ts';
import type { MappingPlan, UnusedColumn } from '../mapping-plan.ts';
import type { RowOddities } from './oddities.ts';

/** Columns of money that are compared, records that prove something, and those after which only rules that mostly hold are kept. */
const [MOST, LEAST, ENOUGH] = [5, 10, 200];

/** The shares of the records for which a rule is none, has exceptions, and holds. */
const [FEW, MOSTLY, NEARLY_ALL] = [0.5, 0.6, 0.9];

/** Words of headers of a tax. */
const TAX = /\b(?:vat|gst|tax|mwst|ust|umsatzsteuer|steuer|btw|tva|iva|ptu)\b|podat|税/iu;

const [ZERO, CENT] = [Decimal.of('0'), Decimal.of('0.011')];

const TODO =
  'Compare these rows with the source: a row, a sign or a digit may be lost. Nothing to do when the amounts are right.';

/** A record: the numbers of the columns, the amount, and the account. */
type Seen = {
  readonly values: readonly (Decimal | undefined)[];
  readonly amount: Decimal;
  account?: unknown;
};

/** What two columns make: their sum, their difference, or the change of one. It may be the amount of a record, or of the one above or below. */
interface Rule {
  readonly kind: 'plus' | 'less' | 'change';
  readonly of: readonly [number, number];
  last: Decimal | undefined;
  records: number;
  holds: number;
  besides: number;
  /** The first line to look at. */
  first: number | undefined;
}

/** Amounts beside columns that feed no field: those before and without tax, and a running balance. */
export function besideAmounts(
  unused: readonly UnusedColumn[],
  plan: Pick<MappingPlan, 'amountIn' | 'accountNumberIn'>,
): RowOddities & { pass(): void } {
  const numbers = new Set(unused.keys());
  const money: number[] = [];
  let rules: Rule[] = [];
  let before: Seen | undefined;
  let records = 0;
  const compare = (at: number): void => {
    const add = (kind: Rule['kind'], ...of: Rule['of']): unknown =>
      rules.push({ kind, of, last: undefined, records: 0, holds: 0, besides: 0, first: undefined });
    add('change', at, at);
    for (const other of money) {
      add('plus', other, at);
      if (TAX.test(unused[at]!.header)) add('less', other, at);
      if (TAX.test(unused[other]!.header)) add('less', at, other);
    }
    money.push(at);
  };
  return {
    pass: () => void (before = undefined),
    see(rows) {
      if (numbers.size === 0 || rows.length > 1) return;
      const amount = plan.amountIn(rows);
      if (!amount) return void (before = undefined);
      const values = unused.map(({ textOf, readNumber }, at) => {
        const text = numbers.has(at) ? textOf?.(rows[0])?.trim() : undefined;
        const number = text ? readNumber(text) : undefined;
        if (text && !number) numbers.delete(at);
        if (number?.places && money.length < MOST && !money.includes(at)) compare(at);
        return number;
      });
      const hasBalance = rules.some(({ kind }) => kind === 'change');
      const now = { values, amount, account: hasBalance && plan.accountNumberIn(rows) };
      for (const rule of rules) count(rule, { now, before, line: rows[0].firstLine });
      before = now;
      if (++records !== ENOUGH) return;
      rules = rules.filter(({ records: of, ...rule }) => Math.max(rule.holds, rule.besides) >= of * FEW);
      for (const at of numbers) if (!rules.some(({ of }) => of.includes(at))) numbers.delete(at);
    },
    *warnings() {
      const found = rules.flatMap((rule) => oddityOf(rule, unused) ?? []);
      for (const { line, ...facts } of found.slice(0, 1))
        yield { problem: warning('record_contradicts_itself', [], facts), cell: { ...NO_CELL, line } };
    },
  };
}

function count(
  rule: Rule,
  { now, before, line }: { now: Seen; before: Seen | undefined; line: number },
): void {
  const { kind, of, last } = rule;
  const [one, other] = of;
  const [a, b] = [now.values[one], (kind === 'change' ? before : now)?.values[other]];
  rule.last = undefined;
  if (!a || !b || (kind === 'change' ? before!.account !== now.account : b.isZero)) return;
  const made = sum([a, kind === 'plus' ? b : negated(b)]);
  rule.last = made;
  rule.records++;
  const isRight = isSame(made, now.amount);
  if (isRight) rule.holds++;
  else if ((before && isSame(made, before.amount)) || (last && isSame(last, now.amount))) rule.besides++;
  if (kind === 'less' || !isRight) rule.first ??= line;
}

/** Whether two amounts are equal but for their signs, which a mapping may turn. */
const isSame = (a: Decimal, b: Decimal): boolean =>
  a.text === b.text || compareDecimals(distance(distance(a, ZERO), distance(b, ZERO)), CENT) <= 0;

function oddityOf(
  { kind, of, records, holds, besides, first: line = 0 }: Rule,
  columns: readonly UnusedColumn[],
) {
  const [one, other] = of.map((at) => `\`${columns[at]!.header}\``);
  const what = kind === 'change' ? `the change of ${one}` : `${one} ${kind} ${other}`;
  const said = (text: string, count: number, todo = TODO) => ({
    what: text,
    count,
    records,
    factor: '',
    todo,
    line,
  });
  if (records < LEAST) return undefined;
  if (kind === 'less') {
    const todo = 'Map the amount with tax. Nothing to do when the tax is a record of its own.';
    return holds < records * NEARLY_ALL
      ? undefined
      : said(`the amount is ${what}, so it is without tax,`, holds, todo);
  }
  if (kind === 'plus' && besides >= records * NEARLY_ALL && holds < records * FEW)
    return said(`the amount is ${what} of the row beside it, as if the column was moved,`, besides);
  // Newest first, a balance changes by the amount above.
  const most = kind === 'change' ? Math.max(holds, besides) : holds;
  return most < records * MOSTLY || most === records
    ? undefined
    : said(`the amount is not ${what}`, records - most);
}

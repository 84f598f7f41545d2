import { warning } from '../../../core/problem.ts';
import { compareDecimals, Decimal, distance, sum } from '../../../core/values/decimal.ts';
import { negated } from '../../../core/values/decimal-shift.ts';
import { NO_CELL } from '../column-map.ts';
import type { MappingPlan } from '../mapping-plan.ts';
import type { RowOddities } from './oddities.ts';

/** Fewer records prove nothing, and after so many only rules that hold for half of them are looked at. */
const [LEAST, ENOUGH] = [10, 200];

/** Words of headers of a tax. */
const TAX = /\b(?:vat|gst|tax|mwst|ust|umsatzsteuer|steuer|btw|tva|iva|ptu)\b|podat|税/iu;

const [ZERO, CENT] = [Decimal.of('0'), Decimal.of('0.011')];

/** Whether two amounts are equal but for their signs, which a mapping may turn. */
const isSame = (a: Decimal, b: Decimal): boolean =>
  compareDecimals(distance(distance(a, ZERO), distance(b, ZERO)), CENT) <= 0;

const TODO =
  'Compare these rows and the columns of the mapping with the source. Nothing to do when the amounts are right.';

/** Amounts beside columns that feed no field: those before and without tax, and a running balance. */
export function besideAmounts(
  plan: Pick<MappingPlan, 'unused' | 'amountIn' | 'accountNumberIn'>,
  amountField: string | undefined,
): RowOddities & { pass(): void } {
  const { unused } = plan;
  const texts = new Set<number>();
  const ruleOf = (kind: 'plus' | 'less' | 'change', one: number, other: number) => {
    const last = undefined as Decimal | undefined;
    return { kind, one, other, last, records: 0, holds: 0, moved: 0, line: 0 };
  };
  let rules = [...unused.keys()].flatMap((one) => [
    ruleOf('change', one, one),
    ...unused.flatMap(({ header }, other) => [
      ...(other > one ? [ruleOf('plus', one, other)] : []),
      ...(other !== one && TAX.test(header) ? [ruleOf('less', one, other)] : []),
    ]),
  ]);
  let before: { values: readonly (Decimal | undefined)[]; account: unknown } | undefined;
  let records = 0;
  return {
    pass: () => void (before = undefined),
    see(rows, made) {
      if (rules.length === 0 || rows.length > 1) return;
      const amount = made ? made[amountField!] : plan.amountIn(rows);
      if (!(amount instanceof Decimal)) return void (before = undefined);
      const values = unused.map(({ textOf, readNumber }, at) => {
        const text = texts.has(at) ? '' : (textOf?.(rows[0])?.trim() ?? '');
        const number = text === '' ? undefined : readNumber(text);
        if (text !== '' && !number) texts.add(at);
        return number?.isZero ? undefined : number;
      });
      const account = made ? made['external_account_number'] : plan.accountNumberIn(rows);
      const earlier = before?.account === account ? before?.values : undefined;
      for (const rule of rules) {
        const { kind, last } = rule;
        const [a, b] = [values[rule.one], (kind === 'change' ? earlier : values)?.[rule.other]];
        rule.last = a && b && sum([a, kind === 'plus' ? b : negated(b)]);
        if (!rule.last) continue;
        rule.records++;
        const holds = isSame(rule.last, amount);
        if (holds) rule.holds++;
        else if (last && isSame(last, amount)) rule.moved++;
        if (kind === 'less' || !holds) rule.line ||= rows[0].firstLine;
      }
      before = { values, account };
      if (++records === ENOUGH) rules = rules.filter(({ holds, moved }) => holds + moved >= ENOUGH / 2);
    },
    *warnings() {
      for (const { kind, one, other, records, holds, moved, line } of rules) {
        const [a, b] = [unused[one]!.header, unused[other]!.header];
        const made = kind === 'change' ? `the change of \`${a}\`` : `\`${a}\` ${kind} \`${b}\``;
        const [isRule, count, what] =
          kind === 'less'
            ? [holds >= records * 0.9, holds, `the amount is ${made}, so it is without tax,`]
            : moved > holds
              ? [moved >= records * 0.9, moved, `the amount is ${made} of the row above, as if it was moved,`]
              : [holds >= records * 0.6, records - holds, `the amount is not ${made}`];
        if (records < LEAST || !isRule || count === 0) continue;
        const facts = { what, count, records, factor: '', todo: TODO };
        return yield { problem: warning('record_contradicts_itself', [], facts), cell: { ...NO_CELL, line } };
      }
    },
  };
}

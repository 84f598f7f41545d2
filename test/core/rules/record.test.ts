import { describe, expect, test } from 'vitest';
import { checkRecord } from '../../../src/core/rules/record.ts';
import type { EnumJudge } from '../../../src/core/rules/rule.ts';
import { Decimal } from '../../../src/core/values/decimal.ts';

const context = { today: '2026-11-21' } as Parameters<typeof checkRecord>[2];
const charge = {
  transaction_id: 'T-1',
  transaction_date: '2026-01-05',
  type: 'CHARGE',
  amount: Decimal.of('5'),
};
const problemsOf = (record: object, more: object = {}) => {
  const checked = checkRecord('transactions', record, { ...context, ...more });
  return {
    isRecord: checked.record !== undefined,
    problems: checked.problems.map(({ severity, code, path, facts }) => ({
      severity,
      code,
      path: path.join('.'),
      facts,
    })),
  };
};

describe('a value that the interface does not show', () => {
  const unlisted = { ...charge, type: 'PAYMENT', payment_type: 'BARTER' };

  test('is a warning with the values that it shows', () => {
    const { isRecord, problems } = problemsOf(unlisted);
    expect(isRecord).toBe(true);
    expect(problems).toMatchObject([
      { severity: 'warning', code: 'undocumented_value', path: 'payment_type' },
    ]);
    expect(String(problems[0]!.facts?.['known'])).toMatch(/^\w+, \w+/);
  });

  test('is whatever a judge says that it is', () => {
    const asked: unknown[] = [];
    const judge =
      (verdict: ReturnType<EnumJudge>): EnumJudge =>
      (field, value, isShown) => {
        asked.push([field, value, isShown]);
        return verdict;
      };
    expect(problemsOf(unlisted, { judge: judge('known') })).toEqual({ isRecord: true, problems: [] });
    const refused = problemsOf(unlisted, { judge: judge('refused') });
    expect(refused.isRecord).toBe(false);
    expect(refused.problems).toMatchObject([
      { severity: 'error', code: 'invalid_choice', path: 'payment_type' },
    ]);
    expect(asked).toContainEqual(['payment_type', 'BARTER', false]);
  });
});

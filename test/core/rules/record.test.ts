import { describe, expect, test } from 'vitest';
import { checkRecord } from '../../../src/core/rules/record.ts';
import type { EnumJudge } from '../../../src/core/rules/rule.ts';
import { narrowedDescriptors } from '../../../src/core/operator/narrow.ts';
import { Decimal } from '../../../src/core/values/decimal.ts';
import { imported } from '../../support/operator-document.ts';
import { candidate } from '../../support/push-records.ts';

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

/** interface.md 2.4. */
const SHOWN = 'DD_REGULAR_COLLECTION, DIRECT_CREDIT, DEBIT_CARD';

describe('a value that the interface does not show', () => {
  const unlisted = { ...charge, type: 'PAYMENT', payment_type: 'BARTER' };

  test('is a warning with the values that it shows', () => {
    const { isRecord, problems } = problemsOf(unlisted);
    expect(isRecord).toBe(true);
    expect(problems).toEqual([
      { severity: 'warning', code: 'undocumented_value', path: 'payment_type', facts: { known: SHOWN } },
    ]);
  });

  test('is no empty text, which says nothing', () => {
    const empty = { ...charge, type: 'PAYMENT', reason: '', payment_type: '' };
    expect(problemsOf(empty)).toEqual({ isRecord: true, problems: [] });
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
    expect(refused.problems).toEqual([
      { severity: 'error', code: 'invalid_choice', path: 'payment_type', facts: { known: SHOWN } },
    ]);
    expect(asked).toContainEqual(['payment_type', 'BARTER', false]);
  });
});

describe('a field that the contract of an operator leaves out', () => {
  const item = { start_date: '2026-01-01', end_date: '2026-01-31', number_of_units: 4, net_amount: 44 };
  const supply = {
    ...charge,
    type: 'SUPPLY_CHARGE',
    amount: '44',
    product_code: 'FLAT',
    line_items: [item],
  };
  const textOf = (schema: object) => ({ type: 'string', ...schema });
  const transactionSchema = {
    type: 'object',
    required: ['transaction_id', 'transaction_date', 'amount', 'type', 'note'],
    additionalProperties: false,
    properties: {
      transaction_id: textOf({}),
      transaction_date: textOf({ format: 'date' }),
      amount: {},
      type: textOf({}),
      note: textOf({}),
      product_code: textOf({}),
      line_items: {
        type: 'array',
        items: {
          type: 'object',
          required: ['start_date', 'end_date', 'number_of_units', 'net_amount'],
          additionalProperties: false,
          properties: {
            start_date: textOf({ format: 'date' }),
            end_date: textOf({ format: 'date' }),
            number_of_units: {},
            net_amount: {},
          },
        },
      },
    },
  };
  const descriptors = narrowedDescriptors(imported({ transactionSchema }).contract, 'file');
  const found = (record: object) =>
    problemsOf(candidate(record) as object, { descriptors }).problems.map(({ code, path, facts }) =>
      [code, path, facts?.['of']].filter((part) => part !== undefined).join(' '),
    );

  test.each([
    [
      'of a record is a field of the interface',
      { ...supply, display_note: 'x' },
      "unexpected_field display_note Test's contract",
    ],
    [
      'of an item is a field of the interface',
      { ...supply, line_items: [{ ...item, units: [1, 2] }] },
      "unexpected_field line_items.0.units Test's contract",
    ],
    ['but that nobody has', { ...supply, meter: 'x' }, 'unexpected_field meter'],
    [
      'of an item that nobody has',
      { ...supply, line_items: [{ ...item, meter: 'x' }] },
      'unexpected_field line_items.0.meter',
    ],
  ])('%s', (_, record, problem) => {
    expect(found({ ...record, note: 'n' })).toEqual([problem]);
  });

  test('is named beside the other faults, which are the same with and without a contract', () => {
    expect(found({ ...supply, display_note: 'x', transaction_date: 'soon' })).toEqual(
      expect.arrayContaining([
        'required note',
        'invalid transaction_date',
        "unexpected_field display_note Test's contract",
      ]),
    );
  });
});

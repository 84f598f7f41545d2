import { describe, expect, test } from 'vitest';
import { bucketFor } from '../../../../src/cli/push/ports/measures.ts';
import {
  addsUp,
  ARRIVED,
  arrivedRows,
  NO_ROWS,
  RECORD_OUTCOMES,
  unequalTotals,
  type ControlTotal,
} from '../../../../src/cli/push/ports/report.ts';
import { areDisjoint, shardText } from '../../../../src/cli/push/ports/run.ts';
import { THERE_ALREADY } from '../../../../src/cli/push/ports/there-already.ts';

describe('the counts of rows', () => {
  test('add up when every row that was read ended in one way', () => {
    expect(addsUp(NO_ROWS)).toBe(true);
    const rows = { ...NO_ROWS, read: 6, created: 1, rejected: 1, invalid: 2, filtered: 2 };
    expect(addsUp(rows)).toBe(true);
    expect(addsUp({ ...rows, read: 7 })).toBe(false);
    expect(addsUp({ ...rows, unknown: 1 })).toBe(false);
  });

  test('have arrived in the ways that mean so', () => {
    // Each outcome has another power of two.
    const rows = {
      ...NO_ROWS,
      ...Object.fromEntries(RECORD_OUTCOMES.map((outcome, at) => [outcome, 2 ** at])),
    };
    expect(arrivedRows(rows)).toBe(1 + 2 + 4 + 8 + 16);
    expect(ARRIVED).toEqual(['created', 'existing', 'uncompared', 'confirmed', 'sent_before']);
    expect(arrivedRows(NO_ROWS)).toBe(0);
  });
});

describe('control totals', () => {
  const total = (count: number, read: string | null, accepted: string | null): ControlTotal => ({
    type: null,
    currency: null,
    count,
    read,
    accepted,
  });
  const rows = { ...NO_ROWS, read: 3, created: 2, existing: 1 };

  test.each<readonly [string, ControlTotal]>([
    ['with other zeros', total(2, '1.50', '1.5')],
    ['of zero that nothing was accepted for', total(2, '0.00', null)],
    ['of records without amounts', total(2, null, null)],
  ])('are equal %s', (_, control) => {
    expect(unequalTotals({ rows, controlTotals: [control, total(1, '1', '1')] })).toEqual([]);
  });

  test('are unequal when all records arrived and the sums differ', () => {
    const [wrong, none] = [total(2, '1.50', '1.51'), total(1, '2', null)];
    expect(unequalTotals({ rows, controlTotals: [wrong, none] })).toEqual([wrong, none]);
    expect(unequalTotals({ rows, controlTotals: [wrong, total(1, '2', '2')] })).toEqual([wrong]);
  });

  test('are not compared while a record is missing', () => {
    expect(
      unequalTotals({ rows: { ...rows, created: 1, rejected: 1 }, controlTotals: [total(3, '1', '2')] }),
    ).toEqual([]);
  });
});

test.each([
  [0, 10],
  [1_200, 10],
  [1_201, 50],
  [6_000, 50],
  [6_001, 100],
  [60_001, 1_000],
  [3_600_000, 30_000],
  [86_400_000 * 120, 86_400_000],
  [86_400_000 * 365, 86_400_000],
])('a time of %i ms is shown in spans of %i ms', (lengthMs, bucketMs) => {
  expect(bucketFor(lengthMs)).toBe(bucketMs);
});

test('two shards have no account in common when they are different ones of as many', () => {
  const shard = (text: string) => {
    const [index, count] = text.split('/').map(Number) as [number, number];
    return { index, count };
  };
  const disjoint = (a: string | undefined, b: string | undefined): boolean =>
    areDisjoint(a === undefined ? undefined : shard(a), b === undefined ? undefined : shard(b));
  expect(disjoint('1/2', '2/2')).toBe(true);
  expect([disjoint('1/2', '1/2'), disjoint('1/2', '2/3'), disjoint('1/2', undefined)]).toEqual([
    false,
    false,
    false,
  ]);
  expect([disjoint(undefined, '1/2'), disjoint(undefined, undefined)]).toEqual([false, false]);
  expect(shardText(shard('2/4'))).toBe('2/4');
});

test('two refusals say that the platform has the record', () => {
  expect(THERE_ALREADY.toSorted()).toEqual([
    'historical_statement_already_exists',
    'payment_instruction_already_active',
  ]);
});

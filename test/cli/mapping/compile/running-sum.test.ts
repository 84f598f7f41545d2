import { expect, test } from 'vitest';
import { RunningSum } from '../../../../src/cli/mapping/compile/running-sum.ts';
import { Decimal } from '../../../../src/core/values/decimal.ts';

test('a sum of many amounts is exact', () => {
  const sum = new RunningSum();
  for (let line = 2; line < 1_002; line++) sum.add(Decimal.of('0.10'), line);
  expect([sum.total.text, sum.problemIn('A')]).toEqual(['100.00', undefined]);
});

test('a sum with amounts that cannot be read proves nothing, and names their number and the first line', () => {
  const sum = new RunningSum();
  for (const [line, text] of ['1', 'x', '2', 'y', 'z'].entries()) sum.add(Decimal.parse(text), line + 2);
  expect(sum.total.text).toBe('3');
  expect(sum.problemIn('A')).toMatchObject({
    code: 'trailer_sum_unreadable',
    facts: { column: 'A', count: 3, first_line: 3 },
  });
});

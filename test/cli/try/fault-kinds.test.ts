import { expect, test } from 'vitest';
import { faultPlan, rulesOf } from '../../../src/cli/try/fault-kinds.ts';

const planned = (restart: boolean) =>
  faultPlan(
    new Map([
      ['token', 1],
      ['transactions', 6],
    ]),
    restart,
  );

test('a plan kills the client only when asked', () => {
  const ends = (restart: boolean) => planned(restart).some(({ kind }) => kind.ends === 'client');
  expect([ends(false), ends(true)]).toEqual([false, true]);
});

test('a plan names each fault once, those in the middle first', () => {
  const plan = planned(false).map((fault) => rulesOf(fault).join());
  expect(new Set(plan).size).toBe(plan.length);
  expect(plan[0]).toBe('transactions before-commit reset attempt=1 nth=3');
  expect(plan.at(-1)).toContain('nth=5');
});

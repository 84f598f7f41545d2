import { expect, test } from 'vitest';
import { RESOURCES } from '../../../src/core/contract/resources.ts';
import { faultPlan, rulesOf } from '../../../src/cli/try/fault-kinds.ts';

test('a plan names each fault once, those in the middle first', () => {
  const requests = new Map([
    ['token', 1],
    ['transactions', 6],
  ]);
  const plan = faultPlan(requests, false).map((fault) => rulesOf(fault).join());
  expect(new Set(plan).size).toBe(plan.length);
  expect(plan[0]).toBe('transactions before-commit reset attempt=1 nth=3');
  expect(plan.at(-1)).toContain('nth=5');
});

test('items fail in a 201 of transactions alone, as on deployed platforms, and a 200 comes for no statements', () => {
  const plan = faultPlan(new Map(RESOURCES.map((name) => [name, 1])), false);
  const rules = plan.flatMap(rulesOf).join('\n');
  expect(rules).not.toMatch(/(?:notes|statements|instructions) .*failing|statements .*status=200/);
  expect(rules).toContain('notes before-commit status=200 html');
});

import { expect, test } from 'vitest';
import { activeFaults, type Arrival } from '../../../src/server/faults/active-faults.ts';
import { rulesOf } from '../../../src/server/faults/fault-rule.ts';

/** The index of the rule that each arrival hits; `-` for none. */
function hits(rules: readonly string[], arrivals: readonly Partial<Arrival>[], seed = 0): string {
  const plan = { seed, rules: rulesOf(rules, false) };
  const faults = activeFaults(plan);
  return arrivals
    .map((each) => {
      const rule = faults.decide({ stage: 'accept', endpoint: 'notes', payload: 'a', attempt: 1, ...each });
      return rule === null ? '-' : String(plan.rules.indexOf(rule));
    })
    .join('');
}

test('the first rule that fires takes the request, and later rules do not count it', () => {
  const rules = ['notes accept reset every=2', 'notes accept stall nth=2', 'any accept stall'];
  const six = Array<Partial<Arrival>>(6).fill({ stage: 'head' });
  expect(hits(rules, six)).toBe('201020');
});

test('chance depends on seed, attempt and payload alone, and not on the order of requests', () => {
  const rule = ['notes accept reset p=0.1'];
  const payloads = Array.from({ length: 2_000 }, (_, index) => ({ payload: `p${index}` }));
  const first = hits(rule, payloads);
  expect(first.replaceAll('-', '').length).toBeGreaterThan(150);
  expect(first.replaceAll('-', '').length).toBeLessThan(250);
  expect([...hits(rule, payloads.toReversed())].toReversed().join('')).toBe(first);
  const second = payloads.map((each) => ({ ...each, attempt: 2 }));
  for (const other of [hits(rule, payloads, 1), hits(rule, second)]) expect(other).not.toBe(first);
});

test('two rules of one probability meet different requests', () => {
  const payloads = Array.from({ length: 2_000 }, (_, index) => ({ payload: `p${index}` }));
  const all = hits(['notes accept reset p=0.1', 'notes accept stall p=0.1'], payloads);
  for (const rule of ['0', '1']) {
    const count = all.split(rule).length - 1;
    expect(count).toBeGreaterThan(130);
    expect(count).toBeLessThan(250);
  }
});

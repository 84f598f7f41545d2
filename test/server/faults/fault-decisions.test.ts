import { describe, expect, test } from 'vitest';
import { activeFaults, type Arrival } from '../../../src/server/faults/active-faults.ts';
import { rulesOf } from '../../../src/server/faults/read-rule.ts';

function arrival(fields: Partial<Arrival> = {}): Arrival {
  return { stage: 'head', endpoint: 'notes', payload: 'a', attempt: 1, ...fields };
}

/** The index of the rule that each arrival hits; `-` for none. */
function hits(rules: readonly string[], arrivals: readonly Arrival[], seed = 0): string {
  const plan = { seed, rules: rulesOf(rules) };
  const faults = activeFaults(plan);
  return arrivals
    .map((each) => {
      const rule = faults.decide(each);
      return rule === null ? '-' : String(plan.rules.indexOf(rule));
    })
    .join('');
}

const six = (fields: Partial<Arrival> = {}) => Array.from({ length: 6 }, () => arrival(fields));

test('the first rule that fires takes the request, and later rules do not count it', () => {
  expect(hits(['notes accept reset every=2', 'notes accept stall nth=2', 'any accept stall'], six())).toBe(
    '201020',
  );
});

describe('chance', () => {
  const payloads = Array.from({ length: 2_000 }, (_, index) =>
    arrival({ stage: 'accept', payload: `p${index}` }),
  );
  const count = (text: string, index = '0') => [...text].filter((each) => each === index).length;

  test('hits as many as its probability', () => {
    const met = count(hits(['notes accept reset p=0.1'], payloads));
    expect(met).toBeGreaterThan(150);
    expect(met).toBeLessThan(250);
    expect(count(hits(['notes accept reset p=1'], payloads))).toBe(2_000);
  });

  test('does not depend on the order of requests', () => {
    const forwards = hits(['notes accept reset p=0.3'], payloads);
    const backwards = hits(['notes accept reset p=0.3'], payloads.toReversed());
    expect([...backwards].toReversed().join('')).toBe(forwards);
  });

  test('depends on seed, attempt and payload', () => {
    const rule = ['notes accept reset p=0.5'];
    const first = hits(rule, payloads);
    expect(hits(rule, payloads, 1)).not.toBe(first);
    expect(
      hits(
        rule,
        payloads.map((each) => ({ ...each, attempt: 2 })),
      ),
    ).not.toBe(first);
    expect(hits(rule, payloads)).toBe(first);
  });
});

import { describe, expect, test } from 'vitest';
import { activeFaults, chanceOf, type Arrival } from '../../../src/server/faults/active-faults.ts';
import { rulesOf } from '../../../src/server/faults/read-rule.ts';
import type { FaultEndpoint } from '../../../src/server/faults/rule-schema.ts';

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

describe('the requests that a rule hits', () => {
  test.each([
    ['', '000000'],
    ['nth=3', '--0---'],
    ['every=2', '-0-0-0'],
    ['times=2', '00----'],
    ['every=2 times=2', '-0-0--'],
    ['nth=2 every=2', '-0----'],
  ])('counted with "%s"', (condition, expected) => {
    expect(hits([`notes accept reset ${condition}`], six())).toBe(expected);
  });

  test.each([
    ['any', 'notes token status lists payment-instructions', '00000'],
    ['records', 'notes transactions statements payment-instructions token status lists', '0000---'],
    ['statements', 'notes statements lists', '-0-'],
  ])('requests to %s', (on, endpoints, expected) => {
    const arrivals = endpoints
      .split(' ')
      .map((endpoint) => arrival({ endpoint: endpoint as Arrival['endpoint'] }));
    expect(hits([`${on} accept reset`], arrivals)).toBe(expected);
  });

  test('requests of an account, and only these are counted', () => {
    const arrivals = ['1', '2', '1', '2', '1'].map((account) =>
      arrival({ stage: 'after-commit', account, supplier: 'ACME' }),
    );
    expect(hits(['notes after-commit reset account=1 nth=2'], arrivals)).toBe('--0--');
    expect(hits(['notes after-commit reset account=1 supplier=BETA'], arrivals)).toBe('-----');
  });

  test('requests of an attempt', () => {
    const arrivals = [1, 1, 2, 1, 2].map((attempt) => arrival({ stage: 'accept', attempt }));
    expect(hits(['notes accept reset attempt=1'], arrivals)).toBe('00-0-');
  });
});

describe('the stage at which a rule is asked', () => {
  test.each([
    ['notes accept reset', 'head'],
    ['notes accept reset bytes=3', 'head'],
    ['notes accept delay=3', 'accept'],
    ['notes accept reset p=1', 'accept'],
    ['notes accept reset account=1', 'accept'],
    ['notes accept reset supplier=A', 'accept'],
    ['notes accept reset attempt=1', 'accept'],
    ['notes before-commit reset', 'before-commit'],
    ['notes after-commit reset', 'after-commit'],
  ])('%s: at %s and nowhere else', (rule, stage) => {
    const stages = ['head', 'accept', 'before-commit', 'after-commit'] as const;
    const arrivals = stages.map((each) => arrival({ stage: each, account: '1', supplier: 'A' }));
    expect(hits([rule], arrivals)).toBe(stages.map((each) => (each === stage ? '0' : '-')).join(''));
  });
});

test('the first rule that fires takes the request, and later rules do not count it', () => {
  expect(hits(['notes accept reset every=2', 'notes accept stall nth=2', 'any accept stall'], six())).toBe(
    '201020',
  );
});

describe('a fault that would change nothing does not count as a hit', () => {
  test.each<[string, { results?: number; endpoint?: FaultEndpoint; hasOther?: boolean }, string]>([
    ['notes after-commit reordered', { results: 1 }, '-'],
    ['notes after-commit reordered', { results: 2 }, '0'],
    ['notes after-commit missing', { results: 0 }, '-'],
    ['notes after-commit missing', { results: 1 }, '0'],
    ['any after-commit failing', { results: 1 }, '0'],
    ['any after-commit failing', { results: 1, endpoint: 'statements' }, '-'],
    ['any after-commit swapped', {}, '-'],
    ['any after-commit swapped', { hasOther: true }, '0'],
  ])('%s with %o', (rule, { results = 0, ...fields }, expected) => {
    const answered = arrival({ stage: 'after-commit', results: () => results, ...fields });
    expect(hits([rule], [answered])).toBe(expected);
  });

  test('a prefix of a request without records', () => {
    expect(
      hits(['any before-commit prefix=1'], [arrival({ stage: 'before-commit', endpoint: 'token' })]),
    ).toBe('-');
  });
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

  test('differs between rules, so that the second of two equal rules gets its share', () => {
    const met = hits(['notes accept reset p=0.5', 'notes accept stall p=0.5'], payloads);
    expect(count(met, '1')).toBeGreaterThan(400);
  });

  test('is a number from 0 up to 1, spread evenly', () => {
    const rolls = Array.from({ length: 10_000 }, (_, seed) =>
      chanceOf({ seed, rule: 0, payload: '', attempt: 1 }),
    );
    expect(Math.min(...rolls)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...rolls)).toBeLessThan(1);
    for (const tenth of Array.from({ length: 10 }, (_, index) => index / 10)) {
      const inside = rolls.filter((roll) => roll >= tenth && roll < tenth + 0.1).length;
      expect(inside).toBeGreaterThan(850);
    }
  });
});

test.each([
  ['nth=3', 2, { seen: 2, hits: 0, spent: false }],
  ['nth=3', 3, { seen: 3, hits: 1, spent: true }],
  ['times=2', 1, { seen: 1, hits: 1, spent: false }],
  ['times=2', 2, { seen: 2, hits: 2, spent: true }],
  ['every=2', 9, { seen: 9, hits: 4, spent: false }],
])('a rule with %s after %i requests: %o', (condition, requests, expected) => {
  const faults = activeFaults({ seed: 0, rules: rulesOf([`notes accept reset ${condition}`]) });
  for (let request = 0; request < requests; request++) faults.decide(arrival());
  expect(faults.report().rules).toMatchObject([expected]);
  expect(faults.isActive()).toBe(!expected.spent);
});

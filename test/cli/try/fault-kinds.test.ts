import { describe, expect, test } from 'vitest';
import {
  faultPlan,
  kindsOfFault,
  randomFrom,
  rulesOf,
  type Fault,
} from '../../../src/cli/try/fault-kinds.ts';
import { readRule } from '../../../src/server/faults/read-rule.ts';

const REQUESTS = new Map([
  ['token', 1],
  ['transactions', 6],
]);

function firstOf(count: number, { seed = 0, restart = false } = {}): readonly (readonly Fault[])[] {
  const plan = faultPlan(REQUESTS, { random: randomFrom(seed), restart });
  return Array.from({ length: count }, () => plan.next().value!);
}

const textsOf = (plans: readonly (readonly Fault[])[]): readonly string[] =>
  plans.map((faults) => rulesOf(faults).join('; '));

test('every rule of every kind is one of `serve --fault`', () => {
  const rules = kindsOfFault(true).flatMap((kind) => rulesOf([{ kind, endpoint: 'transactions', nth: 2 }]));
  expect(rules.map((rule) => readRule(rule).reason)).toEqual(rules.map(() => undefined));
});

describe('a plan', () => {
  test('begins with each kind in the middle of the records', () => {
    const kinds = new Set(firstOf(19).flatMap((faults) => faults.map(({ kind }) => kind.name)));
    expect([...kinds]).toEqual(kindsOfFault(false).map(({ name }) => name));
    expect(textsOf(firstOf(1))).toEqual(['transactions before-commit reset attempt=1 nth=3']);
  });

  test('kills the client only when asked', () => {
    const ends = (restart: boolean) =>
      firstOf(60, { restart }).some((faults) => faults.some(({ kind }) => kind.ends === 'client'));
    expect([ends(false), ends(true)]).toEqual([false, true]);
  });

  test('is the same for the same seed, and another one for another seed', () => {
    const [one, same, other] = [1, 1, 2].map((seed) => textsOf(firstOf(200, { seed })));
    expect(same).toEqual(one);
    expect(other).not.toEqual(one);
  });

  test('names each fault alone once, and has pairs in which one process ends', () => {
    const plans = firstOf(400);
    const alone = textsOf(plans.filter(({ length }) => length === 1));
    expect(new Set(alone).size).toBe(alone.length);
    const pairs = plans.filter(({ length }) => length === 2);
    expect(pairs.length).toBeGreaterThan(100);
    expect(pairs.filter((pair) => pair.every(({ kind }) => kind.ends))).toEqual([]);
  });
});

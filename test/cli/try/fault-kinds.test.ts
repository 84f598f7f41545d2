import { expect, test } from 'vitest';
import { faultPlan, randomFrom, rulesOf, type Fault } from '../../../src/cli/try/fault-kinds.ts';

const REQUESTS = new Map([
  ['token', 1],
  ['transactions', 6],
]);

function firstOf(count: number, { seed = 0, restart = false } = {}): readonly (readonly Fault[])[] {
  const plan = faultPlan(REQUESTS, { random: randomFrom(seed), restart });
  return Array.from({ length: count }, () => plan.next().value!);
}

test('a plan kills the client only when asked', () => {
  const ends = (restart: boolean) =>
    firstOf(60, { restart }).some((faults) => faults.some(({ kind }) => kind.ends === 'client'));
  expect([ends(false), ends(true)]).toEqual([false, true]);
});

test('a plan is the same for the same seed alone, and names each fault alone once', () => {
  const [one, same, other] = [1, 1, 2].map((seed) => firstOf(200, { seed }).map(rulesOf));
  expect(same).toEqual(one);
  expect(other).not.toEqual(one);
  const alone = firstOf(200).flatMap((faults) => (faults.length === 1 ? rulesOf(faults).join() : []));
  expect(new Set(alone).size).toBe(alone.length);
});

import { describe, expect, test } from 'vitest';
import { afterAnswer, CLOSED, probing, unprobed, type Breaker } from '../../../src/cli/push/breaker.ts';

/** The breaker after answers, given as `x` for one that failed and `.` for a good one. */
const after = (answers: string, begin: Breaker = CLOSED): Breaker =>
  [...answers].reduce<Breaker>(
    (breaker, answer) =>
      afterAnswer(breaker, { failed: answer === 'x', isProbe: false, nowMs: 1_000, random: 0.5 }),
    begin,
  );
const isOpen = (breaker: Breaker): boolean => breaker.open !== undefined;
const probe = (breaker: Breaker, failed: boolean, nowMs: number): Breaker =>
  afterAnswer(probing(breaker), { failed, isProbe: true, nowMs, random: 0.5 });

describe('the breaker opens when 80 % of the last 20 answers failed, of at least 10', () => {
  test.each([
    ['no answer', '', false],
    ['nine failures', 'x'.repeat(9), false],
    ['ten failures', 'x'.repeat(10), true],
    ['eight failures of ten', '..xxxxxxxx', true],
    ['seven failures of ten', '...xxxxxxx', false],
    ['fifteen failures after five good answers', `${'.'.repeat(5)}${'x'.repeat(15)}`, false],
    ['sixteen of the last twenty, after many good ones', `${'.'.repeat(100)}${'x'.repeat(16)}`, true],
    ['fifteen of the last twenty, after many good ones', `${'.'.repeat(100)}${'x'.repeat(15)}`, false],
    ['one lone failure in twenty, again and again', `${'.'.repeat(19)}x`.repeat(20), false],
  ])('%s', (_, answers, expected) => {
    expect(isOpen(after(answers))).toBe(expected);
  });
});

describe('while it is open', () => {
  const open = after('x'.repeat(10));

  test('the first probe waits like another attempt', () => {
    expect(open.open).toEqual({ failedProbes: 0, probeAtMs: 1_500, isProbing: false });
  });

  test('each failed probe makes the next one wait longer, up to 20 s', () => {
    let breaker = open;
    const waits = Array.from({ length: 8 }, () => {
      breaker = probe(breaker, true, 10_000);
      return breaker.open!.probeAtMs - 10_000;
    });
    expect(waits).toEqual([1_000, 2_000, 4_000, 8_000, 10_000, 10_000, 10_000, 10_000]);
  });

  test('a good probe closes it, and what was before is forgotten', () => {
    expect(probe(open, false, 2_000)).toEqual({ last: [] });
    expect(isOpen(after('x'.repeat(9), probe(open, false, 2_000)))).toBe(false);
  });

  test('a request from before that fails tells nothing new, and one that went well closes it', () => {
    expect(after('xxxx', open)).toBe(open);
    expect(isOpen(after('.', open))).toBe(false);
  });

  test('a probe that is not made after all leaves the place to another', () => {
    expect(probing(open).open!.isProbing).toBe(true);
    expect(unprobed(probing(open))).toEqual(open);
  });
});

test('while it is closed nothing is a probe', () => {
  expect([probing(CLOSED), unprobed(CLOSED)]).toEqual([CLOSED, CLOSED]);
});

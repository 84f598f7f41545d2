import { describe, expect, test } from 'vitest';
import { afterAnswer, CLOSED, probing, type Breaker } from '../../../../src/cli/push/send/breaker.ts';

/** The breaker after answers; `x` is a failed answer and `.` a good one. */
const after = (answers: string, begin: Breaker = CLOSED): Breaker =>
  [...answers].reduce<Breaker>(
    (breaker, answer) =>
      afterAnswer(breaker, { failed: answer === 'x', isProbe: false, nowMs: 1_000, random: 0.5 }),
    begin,
  );
const isOpen = (breaker: Breaker): boolean => breaker.open !== undefined;
const probe = (breaker: Breaker, failed: boolean, nowMs: number): Breaker =>
  afterAnswer(probing(breaker, true), { failed, isProbe: true, nowMs, random: 0.5 });

describe('the breaker opens when 80 % of the last 20 answers failed, of at least 10', () => {
  test.each([
    ['no answer', '', false],
    ['nine failures', 'x'.repeat(9), false],
    ['ten failures', 'x'.repeat(10), true],
    ['eight failures of ten', '..xxxxxxxx', true],
    ['seven failures of ten', '...xxxxxxx', false],
    ['fifteen failures after five good answers', `${'.'.repeat(5)}${'x'.repeat(15)}`, false],
    ['sixteen of the last twenty, after many good answers', `${'.'.repeat(100)}${'x'.repeat(16)}`, true],
    ['fifteen of the last twenty, after many good answers', `${'.'.repeat(100)}${'x'.repeat(15)}`, false],
    ['one lone failure in twenty, again and again', `${'.'.repeat(19)}x`.repeat(20), false],
  ])('%s', (_, answers, expected) => {
    expect(isOpen(after(answers))).toBe(expected);
  });
});

describe('a failure that alone proves an outage', () => {
  const mark = { failed: true, isProbe: false, nowMs: 1_000, random: 0.5 };

  test('opens it at once, for at least the time that it names', () => {
    expect(afterAnswer(CLOSED, { ...mark, probeInMs: 5_000 }).open).toMatchObject({ probeAtMs: 6_000 });
  });

  test('would be one of ten otherwise', () => {
    expect(isOpen(afterAnswer(CLOSED, mark))).toBe(false);
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

  test('a good probe closes it, and earlier failures are forgotten', () => {
    expect(probe(open, false, 2_000)).toEqual({ last: [] });
    expect(isOpen(after('x'.repeat(9), probe(open, false, 2_000)))).toBe(false);
  });

  test('an older request that fails proves nothing new, and one that succeeds closes it', () => {
    expect(after('xxxx', open)).toBe(open);
    expect(isOpen(after('.', open))).toBe(false);
  });

  test('another probe may begin when the first one is not sent after all', () => {
    expect(probing(open, true).open!.isProbing).toBe(true);
    expect(probing(probing(open, true), false)).toEqual(open);
  });
});

test('while it is closed no request is a probe', () => {
  expect([probing(CLOSED, true), probing(CLOSED, false)]).toEqual([CLOSED, CLOSED]);
});

import { describe, expect, test } from 'vitest';
import { firstConcurrency } from '../../../../src/cli/push/send/concurrency.ts';
import { SendingMeter } from '../../../../src/cli/push/send/sending-meter.ts';

const { course } = firstConcurrency(64);

/** Whether a time is at most 5 % longer than expected, and never shorter. */
const near = (time: number, expected: number): boolean => time >= expected && time <= expected * 1.051;

describe('the times of requests', () => {
  test('are within 5 % of the exact quantiles, over six orders of magnitude', () => {
    for (const unit of [1, 1_000, 60_000]) {
      const meter = new SendingMeter();
      for (let number = 1; number <= 1_000; number++) meter.answered(number * unit);
      const { p50, p95, p99 } = meter.figures(1, course).tookMs!;
      expect([near(p50, 500 * unit), near(p95, 950 * unit), near(p99, 990 * unit)]).toEqual([
        true,
        true,
        true,
      ]);
    }
  });

  test('of a single answer are all the same', () => {
    const meter = new SendingMeter();
    meter.answered(21);
    const { p50, p95, p99 } = meter.figures(1, course).tookMs!;
    expect([near(p50, 21), p95, p99]).toEqual([true, p50, p50]);
  });

  test.each([0, -1, 1e12])('of %d ms are counted, whatever a clock says', (tookMs) => {
    const meter = new SendingMeter();
    meter.answered(tookMs);
    expect(meter.figures(1, course)).toMatchObject({
      answers: 1,
      tookMs: { p50: expect.any(Number) as number },
    });
  });

  test('are null without an answer', () => {
    expect(new SendingMeter().figures(5, course)).toEqual({
      sendingMs: 5,
      records: 0,
      answers: 0,
      tookMs: null,
      concurrency: course,
    });
  });
});

test('the records of all answers are counted together', () => {
  const meter = new SendingMeter();
  meter.settled(3);
  meter.settled(4);
  expect(meter.figures(1, course).records).toBe(7);
});

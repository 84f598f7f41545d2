import { expect, test } from 'vitest';
import { mostAtOnceIn, samplesOf } from '../../../src/cli/forecast/samples.ts';

test('a rehearsal may have more requests than a function takes arguments', () => {
  const timings = Array.from({ length: 150_000 }, (_, index) => ({
    batch: index,
    records: 1,
    startedMs: 10 * index,
    endedMs: 10 * index + 25,
    isSettled: true,
  }));
  expect(mostAtOnceIn(samplesOf([{ resource: 'notes', timings }]))).toBe(3);
});

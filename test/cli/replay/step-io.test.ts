import { expect, test } from 'vitest';
import { virtualClock } from '../../../src/cli/replay/step-io.ts';

test('a wait costs no time and is over when the clock shows its end', async () => {
  const clock = virtualClock(1_000);
  await clock.sleep(3_600_000);
  expect(clock.nowMs()).toBe(3_601_000);
});

test('waits at the same time pass together', async () => {
  const clock = virtualClock(0);
  await Promise.all([clock.sleep(500), clock.sleep(200), clock.sleep(400)]);
  expect(clock.nowMs()).toBe(500);
});

test('a wait that is aborted before it begins takes no time', async () => {
  const clock = virtualClock(0);
  await clock.sleep(500, AbortSignal.abort());
  expect(clock.nowMs()).toBe(0);
});

test('time passes between two steps', () => {
  const clock = virtualClock(0);
  clock.pass(60_000);
  expect(clock.nowMs()).toBe(60_000);
});

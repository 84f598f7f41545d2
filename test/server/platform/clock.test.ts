import { expect, test } from 'vitest';
import { clockOver } from '../../../src/server/platform/clock.ts';

/** A clock over a real clock that the test moves. */
function clockAt(realMs: number) {
  const real = { nowMs: realMs };
  const clock = clockOver(() => real.nowMs);
  return { real, clock, shows: () => [clock.nowMs(), clock.mode()] };
}

test('an untouched clock shows real time', () => {
  const { real, shows } = clockAt(1_000);
  real.nowMs += 5;
  expect(shows()).toEqual([1_005, 'real']);
});

test('a frozen clock shows the same time while time passes', () => {
  const { real, clock, shows } = clockAt(1_000);
  clock.freeze();
  real.nowMs += 500;
  expect(shows()).toEqual([1_000, 'frozen']);
  clock.freeze();
  expect(shows(), 'frozen again is as before').toEqual([1_000, 'frozen']);
});

test('a clock that is set runs on from there, and stays frozen if it was frozen', () => {
  const { real, clock, shows } = clockAt(1_000);
  clock.set(50);
  real.nowMs += 7;
  expect(shows()).toEqual([57, 'shifted']);
  clock.freeze();
  clock.set(9_000);
  real.nowMs += 7;
  expect(shows()).toEqual([9_000, 'frozen']);
});

test('advances add up, frozen or not', () => {
  const { clock, shows } = clockAt(1_000);
  clock.advance(10);
  clock.advance(10);
  clock.freeze();
  clock.advance(10);
  expect(shows()).toEqual([1_030, 'frozen']);
});

test('a resumed clock shows real time, whatever was done to it', () => {
  const { real, clock, shows } = clockAt(1_000);
  clock.set(9);
  clock.freeze();
  clock.advance(100);
  real.nowMs += 1;
  clock.resume();
  expect(shows()).toEqual([1_001, 'real']);
});

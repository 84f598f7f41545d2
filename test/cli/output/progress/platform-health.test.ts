import { describe, expect, test } from 'vitest';
import {
  healthAfter,
  healthText,
  type PlatformHealth,
} from '../../../../src/cli/output/progress/progress.ts';
import type { PushEvent } from '../../../../src/cli/push/events.ts';

const OUTAGE = { kind: 'outage', waitMs: 19_000, reason: 'status 503' } as const;
const PAUSED = { kind: 'paused', waitMs: 90_000, reason: 'status 429' } as const;
const retry = (account: string, waitMs: number, reason = 'status 503') =>
  ({ kind: 'retry', account, attempt: 2, waitMs, reason }) as const;

/** The health after events at their seconds. */
function healthOf(...events: readonly (readonly [second: number, event: PushEvent])[]): PlatformHealth {
  return events.reduce<PlatformHealth>(
    (health, [second, event]) => healthAfter(health, event, second * 1_000),
    {},
  );
}

describe('the line counts down to the next try', () => {
  const NO_TOKEN = 'no token: /v1/graphql/ answered with status 503';
  test.each<readonly [string, readonly PushEvent[], string, number]>([
    [
      'of a probe in an outage',
      [OUTAGE, retry('A', 19_000)],
      'the platform keeps failing (status 503): one request at a time, ',
      19,
    ],
    ['of a wait that the platform asks for', [PAUSED], 'the platform asks to wait (status 429), ', 90],
    ['of a request', [retry('A', 19_000, 'reset')], 'account A: reset, ', 19],
    ['of a request for a token', [retry('A', 19_000, NO_TOKEN)], `account A: ${NO_TOKEN}, `, 19],
  ])('%s', (_, events, words, seconds) => {
    const health = healthOf(...events.map((event) => [0, event] as const));
    const attempt = words.startsWith('account') ? ' (attempt 2)' : '';
    const at = (second: number): string => healthText(health, second * 1_000);
    for (let second = 0; second < seconds; second++) {
      const left = seconds - second;
      const text = left < 60 ? `${left} s` : `1 min ${left - 60} s`;
      expect(at(second)).toBe(`${words}next try${attempt} in ${text}`);
    }
    expect(at(seconds - 0.001)).toBe(`${words}next try${attempt} in 1 s`);
    expect(at(seconds)).toBe(`${words}trying again now${attempt}`);
  });

  test('and not to an earlier one that the platform does not allow', () => {
    const health = healthOf([0, retry('A', 1_000)], [0, PAUSED], [0, retry('B', 95_000)]);
    expect(healthText(health, 40_000)).toContain('next try in 50 s');
  });

  test('and not to a later one of another account', () => {
    // The probe of A has failed. B waits for the next probe, and A would wait for longer.
    const health = healthOf(
      [0, OUTAGE],
      [0, retry('B', 19_000)],
      [20, { ...OUTAGE, waitMs: 4_000 }],
      [20, retry('A', 18_000)],
    );
    expect(healthText(health, 21_000)).toContain('next try in 3 s');
  });
});

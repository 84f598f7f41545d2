import { expect, test } from 'vitest';
import { afterErasing, logged } from '../../../src/cli/sending/drain-runs.ts';
import type { LogFields } from '../../../src/cli/outside/log-file.ts';
import type { PushEvent } from '../../../src/cli/push/events.ts';

test('the log has the events of the platform and the reasons for waits, without the account', () => {
  const lines: (readonly [string, LogFields | undefined])[] = [];
  const shown: PushEvent[] = [];
  const emit = logged((event) => void shown.push(event), {
    write: (event, fields) => void lines.push([event, fields]),
  });
  const events: readonly PushEvent[] = [
    { kind: 'settled', outcomes: { created: 1 } },
    { kind: 'slowed', from: 8, to: 5, reason: 'status 503' },
    { kind: 'retry', account: '1001', attempt: 2, waitMs: 12_000, reason: 'status 503' },
    { kind: 'recovered' },
  ];
  events.forEach(emit);
  expect(shown).toEqual(events);
  expect(lines).toEqual([
    ['slowed', { from: 8, to: 5, reason: 'status 503' }],
    ['retry', { attempt: 2, waitMs: 12_000, reason: 'status 503' }],
    ['recovered', {}],
  ]);
});

test('texts are erased when nothing is left to do, unless the disk did not accept the end', () => {
  const erased = (condition: 'open' | 'done', end: Parameters<typeof afterErasing>[1]) => {
    let calls = 0;
    expect(afterErasing({ condition, eraseSettledPayloads: () => void calls++ }, end)).toEqual(end);
    return calls;
  };
  expect(erased('done', { kind: 'finished' })).toBe(1);
  expect(erased('open', { kind: 'finished' })).toBe(0);
  expect(erased('done', { kind: 'unrecorded', reason: { code: 'run_write_failed', facts: {} } })).toBe(0);
});

import { createRequire } from 'node:module';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { END_SIGNALS, processIo } from '../../../src/cli/outside/io.ts';

const { version } = createRequire(import.meta.url)('../../../package.json') as { version: string };

test('the version is that of the package', () => {
  expect(processIo().version()).toBe(version);
});

test('the folder of the user is named after the program', async () => {
  expect(await processIo().configDir()).toMatch(/[/\\]dataimport$|[/\\]dataimport[/\\]Config$/);
});

describe('a wait', () => {
  const { sleep } = processIo().timing;

  test('ends at once when it is aborted before or during it, without an error', async () => {
    await sleep(60_000, AbortSignal.abort());
    const abort = new AbortController();
    const waiting = sleep(60_000, abort.signal);
    abort.abort();
    await waiting;
  });

  test('without a signal lasts longer than a shorter wait that began before it', async () => {
    const order: string[] = [];
    // Timers end in the order of their times, however late the machine is.
    await Promise.all([
      setTimeout(20).then(() => order.push('shorter')),
      sleep(40).then(() => order.push('longer')),
    ]);
    expect(order).toEqual(['shorter', 'longer']);
  });
});

test('signals are handled only until the handler is released', () => {
  // The tests themselves may run under nohup.
  vi.stubEnv('_', undefined);
  onTestFinished(() => void vi.unstubAllEnvs());
  const listeners = () => END_SIGNALS.map((signal) => process.listenerCount(signal));
  const before = listeners();
  const release = processIo().onSignal(() => undefined);
  expect(listeners()).toEqual(before.map((count) => count + 1));
  release();
  expect(listeners()).toEqual(before);
});

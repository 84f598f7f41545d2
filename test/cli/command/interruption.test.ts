import { expect, test } from 'vitest';
import { listenForInterruption } from '../../../src/cli/command/interruption.ts';
import { fakeIo } from '../../support/cli-io.ts';

function listening() {
  const io = fakeIo();
  const output = { emit: () => undefined } as never;
  return { io, ...listenForInterruption({ io, output, onClose: () => undefined }) };
}

test.each([
  ['SIGINT', 'INTERRUPTED'],
  ['SIGTERM', 'TERMINATED'],
] as const)('the first %s stops, and the second one aborts', (signal, exit) => {
  const heard = listening();
  heard.io.raise(signal);
  expect([heard.stopping.aborted, heard.abort.aborted]).toEqual([true, false]);
  heard.io.raise(signal);
  expect(heard.abort.aborted).toBe(true);
  expect(heard.exit()).toBe(exit);
});

test('a closed terminal stops, however often it says so', () => {
  const heard = listening();
  for (let times = 0; times < 3; times += 1) heard.io.raise('SIGHUP');
  expect([heard.stopping.aborted, heard.abort.aborted]).toEqual([true, false]);
  expect(heard.exit()).toBe('TERMINATED');
});

test('a person can still abort after the terminal of another was closed', () => {
  const heard = listening();
  heard.io.raise('SIGHUP');
  heard.io.raise('SIGTERM');
  expect(heard.abort.aborted).toBe(true);
});

import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { onParentEnd } from '../../../src/cli/outside/parent-end.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A process whose parent can end, and how often the handler was called. */
function watched({ isStdinPiped }: { isStdinPiped: boolean }) {
  const state = { parent: 4711, ends: 0 };
  const stdin = new PassThrough();
  const signs = { parentId: () => state.parent, stdin: () => stdin };
  const release = onParentEnd(signs, () => void (state.ends += 1), isStdinPiped);
  return { state, stdin, release };
}

test('an orphan learns once that its parent has ended', () => {
  const { state } = watched({ isStdinPiped: false });
  vi.advanceTimersByTime(60_000);
  expect(state.ends).toBe(0);
  state.parent = 1;
  vi.advanceTimersByTime(60_000);
  expect(state.ends).toBe(1);
});

test('the end of a piped standard input counts as the end of the parent, whatever came before', async () => {
  const { state, stdin } = watched({ isStdinPiped: true });
  stdin.write('x'.repeat(100_000));
  await vi.advanceTimersByTimeAsync(1_000);
  expect(state.ends).toBe(0);
  stdin.end();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(state.ends).toBe(1);
});

test('a standard input that fails counts as the end of the parent as well', async () => {
  const { state, stdin } = watched({ isStdinPiped: true });
  stdin.destroy(new Error('EIO'));
  await vi.advanceTimersByTimeAsync(1_000);
  expect(state.ends).toBe(1);
});

test('the end of a standard input that is no pipe, such as /dev/null, does not count', async () => {
  const { state, stdin } = watched({ isStdinPiped: false });
  stdin.end();
  await vi.advanceTimersByTimeAsync(1_000);
  expect({ ends: state.ends, isRead: stdin.readableFlowing }).toEqual({ ends: 0, isRead: null });
});

test('after the release the handler is not called, and nothing keeps the process alive', async () => {
  const { state, stdin, release } = watched({ isStdinPiped: true });
  release();
  state.parent = 1;
  await vi.advanceTimersByTimeAsync(1_000);
  expect([state.ends, vi.getTimerCount(), stdin.destroyed]).toEqual([0, 0, true]);
});

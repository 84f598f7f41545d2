import { closeSync, openSync } from 'node:fs';
import { devNull } from 'node:os';
import { expect, test } from 'vitest';
import { freeHandles } from '../../src/files/free-handles.ts';

test('free handles are counted up to a bound, and none stays open', () => {
  const before = openSync(devNull, 'r');
  closeSync(before);
  expect(freeHandles(20)).toBe(20);
  const after = openSync(devNull, 'r');
  closeSync(after);
  expect(after).toBe(before);
});

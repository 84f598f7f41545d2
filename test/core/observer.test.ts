import { expect, test } from 'vitest';
import { observer } from '../../src/core/observer.ts';

test('an observer sees everything while it works', () => {
  const seen: unknown[] = [];
  const observe = observer(
    (...all: readonly number[]) => void seen.push(all),
    (error) => void seen.push(error),
  );
  observe(1, 2);
  observe(3);
  expect(seen).toEqual([[1, 2], [3]]);
});

test('an observer that fails is reported once, and sees no more', () => {
  const failures: unknown[] = [];
  let calls = 0;
  const observe = observer(
    () => {
      calls++;
      throw new Error('full');
    },
    (error) => void failures.push(error),
  );
  observe();
  observe();
  expect([calls, failures]).toEqual([1, [new Error('full')]]);
});

import { expect, test } from 'vitest';
import { retryOfStatus, type Retry } from '../../../src/core/contract/retry.ts';

test.each<[status: number, retry: Retry]>([
  [400, 'never'],
  [401, 'token'],
  [403, 'never'],
  [407, 'never'],
  [408, 'wait'],
  [409, 'never'],
  [428, 'never'],
  [429, 'wait'],
  [499, 'never'],
  [500, 'wait'],
  [503, 'wait'],
])('after %i the same request may be sent again: %s', (status, retry) => {
  expect(retryOfStatus(status)).toBe(retry);
});

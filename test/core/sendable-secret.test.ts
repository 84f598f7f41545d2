import { expect, test } from 'vitest';
import { unsendableReason } from '../../src/core/sendable-secret.ts';

const BEYOND = 'a key or token has no spaces, line ends or characters beyond ASCII';

test.each([
  ['!', undefined],
  ['sk-1~', undefined],
  ['', 'it is empty'],
  ['sk 1', BEYOND],
  [' sk-1', BEYOND],
  ['sk-1\n', BEYOND],
  ['schlüssel', BEYOND],
  ['sk-1\u007F', BEYOND],
])('the key %j cannot be sent because %s', (secret, reason) => {
  expect(unsendableReason(secret)).toBe(reason);
});

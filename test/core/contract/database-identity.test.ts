import { expect, test } from 'vitest';
import { databaseNamedIn } from '../../../src/core/contract/database-identity.ts';

test.each(['00c0ffee00c0ffee', 'a', 'A.b_c-9', 'x'.repeat(64)])('%s names a database', (name) => {
  expect(databaseNamedIn({ 'dataimport-database': name })).toBe(name);
});

test.each(['', ' ', 'a b', 'a, a', 'é', 'a\u001b[31m', 'a\n', '../a', '<b>', '%00', 'x'.repeat(65)])(
  '%j names none',
  (name) => {
    expect(databaseNamedIn({ 'dataimport-database': name })).toBeNull();
  },
);

test('an answer without the header names none', () => {
  expect(databaseNamedIn({ 'x-dataimport-database': 'a' })).toBeNull();
});

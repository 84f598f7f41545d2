import { expect, test } from 'vitest';
import { differencesOf } from '../../../../src/cli/push/answer/echo.ts';

test.each([
  ['the same second in another notation', '2024-03-05T19:48:16+01:00', []],
  ['the second without its fraction', '2024-03-05T18:48:16.000Z', []],
  ['a time without a zone, which proves nothing', '2024-03-05T18:48:16', []],
  ['another second', '2024-03-05T18:48:17Z', ['created_at']],
])('an answer that repeats the time of a note as %s', (_, answered, fields) => {
  const sent = { body: 'x', created_at: '2024-03-05T18:48:16Z' };
  const found = differencesOf('notes', { sent, answered: { body: 'x', created_at: answered } });
  expect(found.map(({ field }) => field)).toEqual(fields);
});

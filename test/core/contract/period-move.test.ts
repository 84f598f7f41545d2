import { expect, test } from 'vitest';
import { moveInNote, noteOfMove } from '../../../src/core/contract/period-move.ts';

const period = { from: '2026-09-01', to: '2026-09-30' };

test('a note of a move says what moved, from where, to where, and why', () => {
  expect(noteOfMove({ id: 'T-1', from: '2026-08-31', to: '2026-09-01', period })).toBe(
    'Transaction T-1 was dated 2026-08-31, outside the open statement period 2026-09-01 to 2026-09-30; ' +
      'it was added with the date 2026-09-01.',
  );
});

test.each([
  ['to the first day', { id: 'T-1', from: '2026-08-31', to: '2026-09-01' }],
  ['to the last day', { id: 'T-2', from: '2026-10-01', to: '2026-09-30' }],
  ['of an id with spaces and lines', { id: 'T 3\n; it was', from: '2026-10-01', to: '2026-09-30' }],
])('a note of a move %s is read back', (_, move) => {
  expect(moveInNote(noteOfMove({ ...move, period }))).toEqual(move);
});

const NOTE = noteOfMove({ id: 'T-1', from: '2026-08-31', to: '2026-09-01', period });

test.each([
  ['a text before it', `Please note: ${NOTE}`],
  ['a text behind it', `${NOTE} Thanks.`],
  ['a date before the period', NOTE.replace(/2026-09-01\.$/, '2026-08-30.')],
  ['a date after the period', NOTE.replace(/2026-09-01\.$/, '2026-10-01.')],
  ['a date with letters', NOTE.replace('2026-08-31', '2026-08-3x')],
  ['no id', NOTE.replace('T-1 ', ' ')],
])('a note with %s reports no move', (_, body) => {
  expect(moveInNote(body)).toBeUndefined();
});

import { describe, expect, test } from 'vitest';
import { noteIdentity } from '../../../src/core/contract/resources/notes.ts';
import { isInsideOpenStatement, moveIntoOpenStatement } from '../../../src/core/rules/statement-period.ts';
import { recordOf, transactions } from '../../support/push-records.ts';

describe('two notes', () => {
  const identity = (draft: object) => noteIdentity(recordOf('notes', draft));

  test.each([
    ['have the same body', { body: 'x' }, { body: 'x' }],
    ['differ in documents only', { body: 'x', document_paths: [{ document_path: 'a' }] }, { body: 'x' }],
    [
      'were created at one instant, told with two offsets',
      { body: 'x', created_at: '2024-07-01T12:00:00Z' },
      { body: 'x', created_at: '2024-07-01T13:00:00+01:00' },
    ],
    ['differ in their pin', { body: 'x', is_pinned: true }, { body: 'x' }],
    [
      'have no body and the same documents',
      { document_paths: [{ document_path: 'a' }] },
      { body: '', document_paths: [{ document_path: 'a' }] },
    ],
  ])('are the same when they %s', (_, a, b) => {
    expect(identity(a)).toEqual(identity(b));
  });

  test.each([
    ['a space at the end', { body: 'x' }, { body: 'x ' }],
    ['a line end of two characters', { body: 'a\nb' }, { body: 'a\r\nb' }],
    ['a composed character', { body: '\u00E9' }, { body: 'e\u0301' }],
    ['their case', { body: 'x' }, { body: 'X' }],
    [
      'the instant',
      { body: 'x', created_at: '2024-07-01T12:00:00Z' },
      { body: 'x', created_at: '2024-07-01T12:00:01Z' },
    ],
    ['one having a time', { body: 'x' }, { body: 'x', created_at: '2024-07-01T12:00:00Z' }],
    [
      'their documents, having no body',
      { document_paths: [{ document_path: 'a' }] },
      { document_paths: [{ document_path: 'b' }] },
    ],
    [
      'a document instead of a body that looks like it',
      { body: '["a"]' },
      { document_paths: [{ document_path: 'a' }] },
    ],
  ])('are told apart by %s', (_, a, b) => {
    expect(identity(a)).not.toEqual(identity(b));
  });

  test('a note without a time has no variant, so it is the same as any with its content', () => {
    const bare = identity({ body: 'x' });
    expect(bare.variant).toBeUndefined();
    expect(identity({ body: 'x', created_at: '2024-07-01T12:00:00Z' }).key).toBe(bare.key);
  });
});

describe('the open statement period', () => {
  const period = { from: '2026-01-10', to: '2026-01-20' };

  test.each([
    ['the day before', '2026-01-09', false],
    ['its first day', '2026-01-10', true],
    ['its last day', '2026-01-20', true],
    ['the day after', '2026-01-21', false],
  ])('holds %s: %s', (_, date, inside) => {
    expect(isInsideOpenStatement(date, period)).toBe(inside);
  });

  test.each([
    ['2026-01-05', '2026-01-10'],
    ['2026-02-05', '2026-01-20'],
  ])('a transaction of %s is moved to %s, its nearest day', (date, nearest) => {
    const transaction = recordOf('transactions', { ...transactions.PAYMENT, transaction_date: date });
    const { transaction: moved, noteBody } = moveIntoOpenStatement(transaction, period);
    expect(moved).toEqual({
      ...transaction,
      transaction_date: nearest,
      note: `n Date changed from ${date} to ${nearest}: outside the open statement period.`,
    });
    expect(noteBody).toBe(
      `Transaction T-1 was dated ${date}, outside the open statement period 2026-01-10 to 2026-01-20; it was added with the date ${nearest}.`,
    );
  });
});

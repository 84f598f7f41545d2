import { describe, expect, test } from 'vitest';
import { DESCRIPTORS } from '../../../src/core/contract/resources.ts';
import { toleratedValues, untolerated } from '../../../src/core/rules/tolerated-forms.ts';

const transaction = {
  transaction_id: 'T-1',
  transaction_date: '2026-01-05',
  type: 'SUPPLY_CHARGE',
  amount: 53.24,
  line_items: [
    {
      start_date: '2026-01-01',
      end_date: '2026-01-31',
      number_of_units: 4,
      net_amount: 44,
      units: [100, 104],
    },
  ],
};
const found = (record: unknown, resource: 'transactions' | 'notes' = 'transactions') =>
  toleratedValues(DESCRIPTORS[resource].schema, record).map(({ form, path }) => `${path.join('.')} ${form}`);
/** The record with other values in its item. */
const withItem = (item: object) => ({
  ...transaction,
  line_items: [{ ...transaction.line_items[0], ...item }],
});

describe('a value in another form than the interface shows', () => {
  test('is a decimal as text, at any depth', () => {
    expect(found(transaction)).toEqual([]);
    expect(found({ ...transaction, amount: '53.24' })).toEqual(['amount amount_as_text']);
    expect(found(withItem({ net_amount: '44' }))).toEqual(['line_items.0.net_amount amount_as_text']);
    expect(found(withItem({ number_of_units: '4', net_amount: '44' })).toSorted()).toEqual([
      'line_items.0.net_amount amount_as_text',
      'line_items.0.number_of_units amount_as_text',
    ]);
    expect(found({ ...withItem({ net_amount: '44' }), amount: '53.24' })).toHaveLength(2);
  });

  test('is no text of a decimal that a float does not keep, and no text that is no decimal', () => {
    expect(found({ ...transaction, amount: '12345678901234567.89' })).toEqual([]);
    expect(found({ ...transaction, amount: 'many' })).toEqual([]);
  });

  test('is a date-time with another offset than Z, and no day', () => {
    const note = { body: 'x', created_at: '2026-01-05T10:00:00Z' };
    expect(found(note, 'notes')).toEqual([]);
    expect(found({ ...note, created_at: '2026-01-05T10:00:00+02:00' }, 'notes')).toEqual([
      'created_at other_offset',
    ]);
    expect(found({ ...note, created_at: null }, 'notes')).toEqual([]);
    expect(found({ ...note, created_at: 5 }, 'notes')).toEqual([]);
  });
});

test('a strict platform names the form that it wants', () => {
  expect(untolerated({ form: 'amount_as_text', path: ['amount'] })).toMatchObject({
    code: 'invalid',
    path: ['amount'],
    facts: { expected: 'a number (interface.md 2.4)' },
  });
  expect(untolerated({ form: 'other_offset', path: ['created_at'] }).facts).toEqual({
    expected: 'a date-time in UTC, such as 2026-01-31T09:30:00Z',
  });
});

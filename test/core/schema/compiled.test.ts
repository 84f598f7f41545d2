import { expect, test } from 'vitest';
import type * as z from 'zod/mini';
import { note } from '../../../src/core/contract/note.ts';
import { paymentInstruction } from '../../../src/core/contract/payment-instruction.ts';
import { statement } from '../../../src/core/contract/statement.ts';
import { transactionOfType } from '../../../src/core/contract/transaction.ts';
import { compiled } from '../../../src/core/schema/compiled.ts';
import { candidate } from '../../support/push-records.ts';

/** Made for every record that is read: code that falls back to the schema would cost more than the schema. */
const readOften: Readonly<Record<string, z.ZodMiniType>> = {
  note,
  statement,
  paymentInstruction,
  ...transactionOfType,
};

test.each(Object.entries(readOften))('code is made for the schema of a %s, and once', (_, schema) => {
  expect(compiled(schema)).not.toBe(schema);
  expect(compiled(schema)).toBe(compiled(schema));
});

const charge = { transaction_id: 'T1', transaction_date: '2026-01-31', amount: '12.50', type: 'CHARGE' };

test.each([
  ['a record', charge],
  ['a record with everything', { ...charge, reason: 'IMPORTED_CHARGE', note: '', line_items: [] }],
  ['a field that does not exist', { ...charge, transaction_no: 1 }],
  ['missing fields', { type: 'CHARGE' }],
  ['null', null],
  ['a list', [charge]],
  ['an amount that is no number', { ...charge, amount: '12,50' }],
  ['an amount with three decimals', { ...charge, amount: '12.505' }],
  ['a day that does not exist', { ...charge, transaction_date: '2026-02-30' }],
  ['a blank text', { ...charge, transaction_id: ' ' }],
  ['an item that lacks fields', { ...charge, line_items: [{ start_date: '2026-01-01' }] }],
  ['a key that objects have', JSON.parse(`{ "__proto__": 1, "type": "CHARGE" }`)],
])('the code reads %s as the schema does', (_, value) => {
  const schema = transactionOfType.CHARGE;
  const read = (by: z.ZodMiniType) => by.safeParse(candidate(value));
  expect(read(compiled(schema))).toEqual(read(schema));
});

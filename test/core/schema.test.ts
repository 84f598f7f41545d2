import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { note } from '../../src/core/contract/note.ts';
import { paymentInstruction } from '../../src/core/contract/payment-instruction.ts';
import { statement } from '../../src/core/contract/statement.ts';
import { transactionOfType } from '../../src/core/contract/transaction.ts';
import { compiled, IN_ENGLISH, keysAt } from '../../src/core/schema.ts';
import { candidate } from '../support/push-records.ts';

describe('a compiled schema', () => {
  /** Parsed for every record: code that falls back to the schema would cost more than the schema. */
  const parsedOften: Readonly<Record<string, z.ZodMiniType>> = {
    note,
    statement,
    paymentInstruction,
    ...transactionOfType,
  };

  test.each(Object.entries(parsedOften))('is made of the schema of a %s, and once', (_, schema) => {
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
  ])('parses %s as the schema does', (_, value) => {
    const schema = transactionOfType.CHARGE;
    const parsedBy = (by: z.ZodMiniType) => by.safeParse(candidate(value));
    expect(parsedBy(compiled(schema))).toEqual(parsedBy(schema));
  });
});

describe('the words of an issue', () => {
  const account = z.strictObject({
    supplier: z.string(),
    state: z.literal('staged', 'must be `staged`'),
  });

  test('are English, or those that the schema brings', () => {
    const { error } = account.safeParse({ supplier: 5, state: 'closed', vendor: 'V' }, IN_ENGLISH);
    expect(error?.issues.map(({ message }) => message)).toEqual([
      'Invalid input: expected string, received number',
      'must be `staged`',
      'Unrecognized key: "vendor"',
    ]);
  });
});

describe('the keys at a path', () => {
  const item = z.strictObject({ name: z.string() });
  const schema = z.strictObject({
    list: z.optional(z.array(item)),
    either: z.union([z.strictObject({ a: z.string() }), z.strictObject({ b: item, a: z.string() })]),
    by: z.record(z.string(), z._default(item, { name: 'x' })),
    piped: z.pipe(
      z.strictObject({ inside: z.string() }),
      z.transform((value) => value),
    ),
    text: z.string(),
  });

  test.each<[readonly (string | number)[], readonly string[]]>([
    [[], ['list', 'either', 'by', 'piped', 'text']],
    [['list', 0], ['name']],
    [['list', 'length'], []],
    [['either'], ['a', 'b']],
    [['either', 'b'], ['name']],
    [['by', 'whatever'], ['name']],
    [['piped'], ['inside']],
    [['text'], []],
    [['text', 'length'], []],
    [['toString'], []],
    [['other'], []],
  ])('%j are %j', (path, keys) => {
    expect(keysAt(schema, path)).toEqual(keys);
  });
});

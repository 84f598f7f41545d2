import { expect, test } from 'vitest';
import { charge, startPlatform, supplyCharge } from '../../support/server-platform.ts';
import { expectImportError, statusesOf, transactions } from '../../support/server-transactions.ts';

test.each([
  { what: 'a missing id', item: { ...charge(), transaction_id: undefined }, code: 'required' },
  { what: 'no amount', item: charge({ amount: null }), code: 'null' },
  {
    what: 'a date in the future',
    item: charge({ transaction_date: '2026-03-16' }),
    code: 'transaction_in_future',
  },
  { what: 'an undocumented field', item: charge({ external_id: 'x' }), code: 'unexpected_field' },
  {
    what: 'an unknown product code',
    item: supplyCharge({ product_code: 'FLEX-13' }),
    code: 'product_code_does_not_exist',
  },
  {
    what: 'an amount that is not the sum of its items',
    item: supplyCharge({ amount: 53.26 }),
    code: 'ledger_transaction_amount_does_not_match_with_line_item_net_amount_and_tax_amount',
  },
])('4.3: a transaction with $what is a TRANSACTION_IMPORT_ERROR', async ({ item, code }) => {
  const platform = await startPlatform();
  const answer = await platform.post('createTransactions', transactions(item));
  const { amount: _, ...rest } = JSON.parse(JSON.stringify(item)) as Record<string, unknown>;
  expectImportError(answer, `(${code})`, expect.objectContaining(rest));
  expect(await platform.ledger()).toEqual([]);
});

test('4.3: the first failing transaction is shown', async () => {
  const platform = await startPlatform();
  const outside = charge({ transaction_id: 'outside', transaction_date: '2025-01-01' });
  const broken = charge({ transaction_id: 'broken', amount: 'x' });
  const query = '?force_add_to_current_statement=false';
  const one = await platform.post('createTransactions', transactions(charge(), outside, broken), { query });
  const other = await platform.post('createTransactions', transactions(charge(), broken, outside), { query });
  expect(one.body.transaction_data.transaction_id).toBe('outside');
  expect(other.body.transaction_data.transaction_id).toBe('broken');
});

test('4.3: transaction_data is empty for a value that is not an object, and a number keeps its digits', async () => {
  const platform = await startPlatform();
  expectImportError(await platform.post('createTransactions', transactions(5)), 'is not an object', {});
  expectImportError(await platform.post('createTransactions', transactions('text')), 'is not an object', {});
  const answer = await platform.post(
    'createTransactions',
    JSON.stringify(transactions(charge({ amount: 'A' }))).replace('"A"', '1e5'),
  );
  expect(answer.text).toContain('"amount":1e5');
});

test('4.3: query parameters are booleans in any case, and true by default', async () => {
  const platform = await startPlatform();
  await platform.post('createTransactions', transactions(charge()), {
    query: '?check_previously_added=True',
  });
  expect(statusesOf(await platform.post('createTransactions', transactions(charge())))).toEqual([
    'TRANSACTION_ALREADY_EXISTS',
  ]);
  const unchecked = await platform.post('createTransactions', transactions(charge()), {
    query: '?check_previously_added=FALSE',
  });
  expect(statusesOf(unchecked)).toEqual(['TRANSACTION_ADDED_TO_ACCOUNT']);
});

import { expect, test } from 'vitest';
import { ACCOUNT, charge, problemsOf, startPlatform, supplyCharge } from '../../support/server-platform.ts';
import { expectImportError, statusesOf, transactions } from '../../support/server-transactions.ts';

test.each([
  { what: 'a missing id', item: { ...charge(), transaction_id: undefined }, code: 'required' },
  { what: 'a blank id', item: charge({ transaction_id: ' ' }), code: 'blank' },
  { what: 'an unknown type', item: charge({ type: 'REFUND' }), code: 'invalid_choice' },
  { what: 'more than two decimals', item: charge({ amount: 1.001 }), code: 'max_decimal_places' },
  { what: 'eleven whole digits', item: charge({ amount: 12345678901 }), code: 'max_whole_digits' },
  { what: 'no amount', item: charge({ amount: null }), code: 'null' },
  {
    what: 'a negative payment',
    item: charge({ type: 'PAYMENT', reason: '', amount: -1 }),
    code: 'min_value',
  },
  {
    what: 'a date in the future',
    item: charge({ transaction_date: '2026-03-16' }),
    code: 'transaction_in_future',
  },
  { what: 'a date that does not exist', item: charge({ transaction_date: '2026-02-29' }), code: 'invalid' },
  { what: 'an undocumented field', item: charge({ external_id: 'x' }), code: 'unexpected_field' },
  { what: 'no line items', item: supplyCharge({ line_items: [] }), code: 'empty' },
  { what: 'no product code', item: { ...supplyCharge(), product_code: undefined }, code: 'required' },
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

test('an id that is repeated in a request is a problem of the request', async () => {
  const platform = await startPlatform();
  const items = ['a', 'b', 'a', 'a'].map((transaction_id) => charge({ transaction_id }));
  const answer = await platform.post('createTransactions', transactions(...items));
  expect(answer.status).toBe(400);
  expect(problemsOf(answer)).toEqual([
    ['duplicate_transaction_ids', 'transactions.2.transaction_id'],
    ['duplicate_transaction_ids', 'transactions.3.transaction_id'],
  ]);
  expect(await platform.ledger()).toEqual([]);
});

test.each([
  { what: 'no list', payload: { ...ACCOUNT }, problem: ['required', 'transactions'] },
  {
    what: 'null for the list',
    payload: { ...ACCOUNT, transactions: null },
    problem: ['null', 'transactions'],
  },
  { what: 'an empty list', payload: transactions(), problem: ['empty', 'transactions'] },
  {
    what: 'an object for the list',
    payload: { ...ACCOUNT, transactions: { 0: charge() } },
    problem: ['not_a_list', 'transactions'],
  },
  {
    what: 'an undocumented field',
    payload: { ...transactions(charge()), dry_run: true },
    problem: ['unexpected_field', 'dry_run'],
  },
  {
    what: 'no account number',
    payload: { import_supplier: 'ACME', transactions: [charge()] },
    problem: ['required', 'external_account_number'],
  },
])('$what is a problem of the request, in the format of 7.1', async ({ payload, problem }) => {
  const platform = await startPlatform();
  const answer = await platform.post('createTransactions', payload);
  expect(answer.status).toBe(400);
  expect(problemsOf(answer)).toEqual([problem]);
});

test.each([
  { query: '?check_previously_added=maybe', problem: ['invalid', 'check_previously_added'] },
  { query: '?check_previously_added=', problem: ['invalid', 'check_previously_added'] },
  { query: '?check_previously_added=1', problem: ['invalid', 'check_previously_added'] },
  {
    query: '?check_previously_added=true&check_previously_added=false',
    problem: ['invalid', 'check_previously_added'],
  },
  {
    query: '?force_add_to_current_statement[]=',
    problem: ['unexpected_field', 'force_add_to_current_statement[]'],
  },
  { query: '?check_previously_add=false', problem: ['unexpected_field', 'check_previously_add'] },
])('4.3: the query $query is refused', async ({ query, problem }) => {
  const platform = await startPlatform();
  const answer = await platform.post('createTransactions', transactions(charge()), { query });
  expect(answer.status).toBe(400);
  expect(problemsOf(answer)).toEqual([problem]);
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

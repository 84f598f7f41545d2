import { expect, test } from 'vitest';
import { ENDPOINTS } from '../../../src/core/contract/endpoints.ts';
import { charge, startPlatform, supplyCharge } from '../../support/server-platform.ts';
import { statusesOf, transactions } from '../../support/server-transactions.ts';

test('4.3: one result per transaction, with its fields as sent', async () => {
  const platform = await startPlatform();
  const items = [
    charge(),
    charge({ transaction_id: 'tx-2', type: 'CREDIT', reason: 'GENERAL_CREDIT', note: 'internal' }),
  ];
  const answer = await platform.post('createTransactions', transactions(...items));
  expect(answer.status).toBe(201);
  expect(answer.body).toEqual({
    results: items.map((item) => ({
      status: 'TRANSACTION_ADDED_TO_ACCOUNT',
      transaction_data: { ...item, amount: '12.50' },
    })),
  });
  expect(ENDPOINTS.createTransactions.response.safeParse(answer.body).success).toBe(true);
});

test.each([
  { sent: '10', returned: '10.00' },
  { sent: '10.1', returned: '10.10' },
  { sent: '-0.00', returned: '0.00' },
  { sent: '"7.5"', returned: '7.50' },
  { sent: '1234567890.12', returned: '1234567890.12' },
])('2.4: the amount $sent is returned as the text $returned', async ({ sent, returned }) => {
  const platform = await startPlatform();
  const payload = JSON.stringify(transactions(charge({ amount: 'AMOUNT' }))).replace('"AMOUNT"', sent);
  const answer = await platform.post('createTransactions', payload);
  expect(answer.body.results[0].transaction_data.amount).toBe(returned);
  expect((await platform.ledger())[0]!.data['amount']).toBe(returned);
});

test('2.4: numbers in items keep every digit', async () => {
  const platform = await startPlatform();
  const payload = JSON.stringify(transactions(supplyCharge()))
    .replace('"net_amount":44', '"net_amount":44.0000000000')
    .replace('"rate":0.21', '"rate":0.21000');
  const answer = await platform.post('createTransactions', payload);
  expect(answer.status).toBe(201);
  expect(answer.text).toContain('"net_amount":44.0000000000');
  expect(answer.text).toContain('"rate":0.21000');
  const again = await platform.post('createTransactions', payload);
  expect(again.text).toContain('"net_amount":44.0000000000');
  expect((await platform.ledger())[0]!.data).toMatchObject({
    line_items: [{ number_of_units: '4', net_amount: '44.0000000000', price_per_unit: '11' }],
    tax_items: [{ amount: '9.24', rate: '0.21000' }],
  });
});

test('3.3: a transaction added earlier is skipped and shown as it is stored, marked TRANSACTION_IMPORT_SUCCESS', async () => {
  const platform = await startPlatform();
  await platform.post('createTransactions', transactions(charge()));
  const answer = await platform.post(
    'createTransactions',
    transactions(charge(), charge({ transaction_id: 'tx-2' })),
  );
  expect(answer.status).toBe(201);
  expect(answer.body.results).toEqual([
    {
      status: 'TRANSACTION_ALREADY_EXISTS',
      transaction_data: { ...charge(), amount: '12.50', status: 'TRANSACTION_IMPORT_SUCCESS' },
    },
    {
      status: 'TRANSACTION_ADDED_TO_ACCOUNT',
      transaction_data: { ...charge({ transaction_id: 'tx-2' }), amount: '12.50' },
    },
  ]);
  expect(await platform.ledger()).toHaveLength(2);
});

test('an id that comes again with another amount changes nothing and is counted', async () => {
  const platform = await startPlatform();
  await platform.post('createTransactions', transactions(charge()));
  const answer = await platform.post('createTransactions', transactions(charge({ amount: 99 })));
  expect(statusesOf(answer)).toEqual(['TRANSACTION_ALREADY_EXISTS']);
  expect(answer.body.results[0].transaction_data.amount).toBe('12.50');
  expect(await platform.ledger()).toEqual([expect.objectContaining({ conflicting_replays: 1 })]);
  const health = await platform.request('GET', '/_local/health');
  expect(health.body.counts.conflicting_replays).toBe(1);
});

test('an item that comes again with one more value is a conflicting replay, and one with one less, too', async () => {
  for (const [first, second] of [
    [{}, { units: [100, 104] }],
    [{ units: [100, 104] }, {}],
  ]) {
    const platform = await startPlatform();
    const { line_items: items, ...rest } = supplyCharge() as { line_items: readonly object[] };
    for (const more of [first, second])
      await platform.post(
        'createTransactions',
        transactions({ ...rest, line_items: items.map((item) => ({ ...item, ...more })) }),
      );
    expect(await platform.ledger()).toEqual([expect.objectContaining({ conflicting_replays: 1 })]);
  }
});

test('the same content in another spelling is no conflicting replay', async () => {
  const platform = await startPlatform();
  const payload = JSON.stringify(transactions(supplyCharge(), charge({ transaction_date: '2025-12-31' })));
  await platform.post('createTransactions', payload);
  await platform.post(
    'createTransactions',
    payload.replace('"net_amount":44', '"net_amount":44.00').replace('53.24', '"53.24"'),
  );
  expect((await platform.ledger()).filter((line) => 'conflicting_replays' in line)).toEqual([]);
});

test('ids differ by case, spaces, Unicode form and account', async () => {
  const platform = await startPlatform();
  const ids = ['a', 'A', 'a ', '\u00e9', 'e\u0301', "' OR 1=1 --", '__proto__', 'constructor'];
  const items = ids.map((transaction_id) => charge({ transaction_id }));
  const other = await platform.post('createTransactions', {
    ...transactions(...items),
    external_account_number: '1005',
  });
  const answer = await platform.post('createTransactions', transactions(...items));
  expect(new Set([...statusesOf(other), ...statusesOf(answer)])).toEqual(
    new Set(['TRANSACTION_ADDED_TO_ACCOUNT']),
  );
});

test('4.3: without the check a transaction is added again, and the ledger shows both', async () => {
  const platform = await startPlatform();
  const query = '?check_previously_added=false';
  for (let time = 0; time < 3; time++) {
    expect(statusesOf(await platform.post('createTransactions', transactions(charge()), { query }))).toEqual([
      'TRANSACTION_ADDED_TO_ACCOUNT',
    ]);
  }
  expect((await platform.ledger()).map(({ data }) => data['transaction_id'])).toEqual([
    'tx-1',
    'tx-1',
    'tx-1',
  ]);
  expect(statusesOf(await platform.post('createTransactions', transactions(charge())))).toEqual([
    'TRANSACTION_ALREADY_EXISTS',
  ]);
});

test('a listed field on a type that 2.4 does not show for it is accepted', async () => {
  const platform = await startPlatform();
  expect(
    (await platform.post('createTransactions', transactions(supplyCharge({ reference: 'r' })))).status,
  ).toBe(201);
});

test('a value that an open enum does not show is accepted', async () => {
  const platform = await startPlatform();
  expect(
    (await platform.post('createTransactions', transactions(charge({ reason: 'LOYALTY_BONUS' })))).status,
  ).toBe(201);
});

test('"today" is that of the platform\'s zone', async () => {
  const london = await startPlatform({ timeZone: 'Europe/London' });
  london.clock.nowMs = Date.parse('2026-07-01T23:30:00Z');
  expect(
    (await london.post('createTransactions', transactions(charge({ transaction_date: '2026-07-02' }))))
      .status,
  ).toBe(201);
  const utc = await startPlatform();
  utc.clock.nowMs = london.clock.nowMs;
  expect(
    (await utc.post('createTransactions', transactions(charge({ transaction_date: '2026-07-02' })))).status,
  ).toBe(400);
});

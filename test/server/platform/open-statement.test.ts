import { expect, test } from 'vitest';
import { charge, startPlatform, supplyCharge } from '../../support/server-platform.ts';
import { expectImportError, statusesOf, transactions } from '../../support/server-transactions.ts';

test.each([
  { sent: '2025-12-31', moved: '2026-01-01' },
  { sent: '2019-05-05', moved: '2026-01-01' },
])(
  '4.3: a transaction dated $sent, outside the open statement, is moved to $moved, described, and a note is pinned',
  async ({ sent, moved }) => {
    const platform = await startPlatform();
    const answer = await platform.post(
      'createTransactions',
      transactions(charge({ transaction_date: sent, note: 'mine' })),
    );
    expect(answer.status).toBe(201);
    const description = `Date changed from ${sent} to ${moved}: outside the open statement period.`;
    const transaction = {
      ...charge(),
      transaction_date: moved,
      amount: '12.50',
      note: `mine ${description}`,
    };
    expect(answer.body.results).toEqual([
      { status: 'TRANSACTION_ADDED_TO_ACCOUNT', transaction_data: transaction },
    ]);
    const [first, second, ...more] = await platform.ledger();
    expect(first!.data).toEqual(transaction);
    expect(second).toMatchObject({
      kind: 'note',
      data: { is_pinned: true, body: expect.stringMatching(`tx-1 .*${sent}.*${moved}`) },
    });
    expect(more).toEqual([]);
  },
);

test('4.3: a date after the open statement is moved to its last day', async () => {
  const platform = await startPlatform();
  platform.clock.nowMs = Date.parse('2027-06-01T00:00:00Z');
  const answer = await platform.post(
    'createTransactions',
    transactions(charge({ transaction_date: '2027-01-01' })),
  );
  expect(answer.body.results[0].transaction_data.transaction_date).toBe('2026-12-31');
});

test('a moved transaction that is sent again is no conflicting replay and pins no second note', async () => {
  const platform = await startPlatform();
  const payload = transactions(charge({ transaction_date: '2025-12-31' }));
  await platform.post('createTransactions', payload);
  expect(statusesOf(await platform.post('createTransactions', payload))).toEqual([
    'TRANSACTION_ALREADY_EXISTS',
  ]);
  const ledger = await platform.ledger();
  expect(ledger.map(({ kind }) => kind)).toEqual(['transaction', 'note']);
  expect(ledger[0]).not.toHaveProperty('conflicting_replays');
});

test('4.3: a transaction outside the open statement fails without force, with the reason', async () => {
  const platform = await startPlatform();
  const item = charge({ transaction_date: '2025-12-31' });
  const answer = await platform.post(
    'createTransactions',
    transactions(charge({ transaction_id: 'tx-0' }), item),
    {
      query: '?force_add_to_current_statement=false',
    },
  );
  expectImportError(answer, 'outside the open statement period 2026-01-01 to 2026-12-31', {
    ...item,
    amount: '12.50',
  });
  expect(await platform.ledger(), 'nothing of the request is stored').toEqual([]);
});

test.each(['2026-01-01', '2026-02-28', '2026-03-15'])(
  '4.3: %s is inside the open statement',
  async (transaction_date) => {
    const platform = await startPlatform();
    const query = '?force_add_to_current_statement=false';
    const answer = await platform.post('createTransactions', transactions(charge({ transaction_date })), {
      query,
    });
    expect(answer.body.results[0].transaction_data.transaction_date).toBe(transaction_date);
  },
);

test('an existing transaction is found before product codes and the open statement are checked', async () => {
  const platform = await startPlatform();
  await platform.post('createTransactions', transactions(supplyCharge()));
  const answer = await platform.post(
    'createTransactions',
    transactions(supplyCharge({ product_code: 'GONE' })),
  );
  expect(statusesOf(answer)).toEqual(['TRANSACTION_ALREADY_EXISTS']);
});

test('the description of a moved SUPPLY_CHARGE is in display_note', async () => {
  const platform = await startPlatform();
  const answer = await platform.post(
    'createTransactions',
    transactions(supplyCharge({ transaction_date: '2025-12-31' })),
  );
  expect(answer.body.results[0].transaction_data).toMatchObject({
    display_note: expect.stringContaining('Date changed'),
  });
  expect(answer.body.results[0].transaction_data).not.toHaveProperty('note');
});

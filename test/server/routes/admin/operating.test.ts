import { describe, expect, test } from 'vitest';
import { admin } from '../../../support/server-admin.ts';
import {
  ACCOUNT,
  charge,
  problemsOf,
  START,
  startPlatform,
  statement,
} from '../../../support/server-platform.ts';

const TX = { reason: undefined };

describe('suppliers', () => {
  test('are listed with their accounts, and a new status takes effect at once', async () => {
    const platform = await startPlatform();
    expect((await admin(platform, 'GET suppliers')).body.suppliers[0]).toEqual({
      code: 'ACME',
      name: 'Acme Energy',
      status: 'Ongoing',
      document_root: 's3://migration/acme/',
      accounts: 6,
    });
    const send = async () =>
      (await platform.post('createNotes', { ...ACCOUNT, notes: [{ body: 'x' }] })).status;
    expect(await send()).toBe(201);
    expect((await admin(platform, 'PUT suppliers/ACME', { status: 'Paused' })).body).toEqual({
      code: 'ACME',
      status: 'Paused',
    });
    expect(await send()).toBe(400);
    await admin(platform, 'POST reset');
    expect(await send(), 'the seed says Ongoing').toBe(201);
  });

  test('that do not exist, and a status that does not exist, are refused', async () => {
    const platform = await startPlatform();
    const unknown = await admin(platform, 'PUT suppliers/NOBODY', { status: 'Paused' });
    expect([unknown.status, unknown.body.code]).toEqual([404, 'supplier_not_found']);
    const wrong = await admin(platform, 'PUT suppliers/ACME', { status: 'paused' });
    expect([wrong.status, ...problemsOf(wrong)]).toEqual([400, ['invalid_choice', 'status']]);
  });
});

describe('the import of an account by hand', () => {
  const status = async (platform: Awaited<ReturnType<typeof startPlatform>>, account: string) =>
    (await platform.get('accountTransferStatus', { importSupplier: 'ACME', externalAccountNumber: account }))
      .body?.status;

  test('begins with staging a new account, which takes data once it is imported', async () => {
    const platform = await startPlatform();
    const put = (body: object) => admin(platform, 'PUT accounts/ACME/9001', body);
    const send = async () =>
      (
        await platform.post('createNotes', {
          ...ACCOUNT,
          external_account_number: '9001',
          notes: [{ body: 'x' }],
        })
      ).status;
    const steps: unknown[] = [];
    for (const state of ['staged', 'in_progress', 'failed', 'staged', 'imported']) {
      await put({ state });
      steps.push([await status(platform, '9001'), await send()]);
    }
    expect(steps).toEqual([
      ['UNKNOWN', 404],
      ['IN_PROGRESS', 404],
      ['UNKNOWN', 404],
      ['UNKNOWN', 404],
      ['COMPLETED', 201],
    ]);
  });

  test('creates it at the time of the platform, and the account keeps that time', async () => {
    const platform = await startPlatform();
    await admin(platform, 'POST clock/set', { now: '2026-04-01T00:00:00Z' });
    const first = (await admin(platform, 'PUT accounts/ACME/1002', { state: 'imported' })).body;
    expect(first).toMatchObject({ account_created_at: '2026-04-01T00:00:00Z', status: 'COMPLETED' });
    expect(first.platform_account_number).toMatch(/^A-[0-9a-f]{8}$/);
    await admin(platform, 'POST clock/advance', { seconds: 60 });
    expect((await admin(platform, 'PUT accounts/ACME/1002', { state: 'imported' })).body).toEqual(first);
  });

  test('sets the open statement if it is given, and keeps it otherwise', async () => {
    const platform = await startPlatform();
    const open_statement = { from: '2026-02-01', to: '2026-02-28' };
    await admin(platform, 'POST clock/advance', { seconds: 60 });
    await admin(platform, 'PUT accounts/ACME/1001', { state: 'imported', open_statement });
    const again = await admin(platform, 'PUT accounts/ACME/1001', { state: 'imported' });
    expect(again.body).toMatchObject({ open_statement, account_created_at: START });
  });

  test.each([
    ['ACME/777', { state: 'imported' }, 404, 'account_not_staged'],
    ['ACME/777', { state: 'failed' }, 404, 'account_not_staged'],
    ['NOBODY/777', { state: 'staged' }, 404, 'supplier_not_found'],
    ['ACME/1001', { state: 'done' }, 400, 'validation_error'],
    [
      'ACME/1001',
      { state: 'staged', open_statement: { from: '2026-02-30', to: '2026-03-01' } },
      400,
      'validation_error',
    ],
    [
      'ACME/1001',
      { state: 'imported', open_statement: { from: '2026-03-02', to: '2026-03-01' } },
      400,
      'validation_error',
    ],
  ])('refuses %s %j', async (account, body, expected, code) => {
    const platform = await startPlatform();
    const answer = await admin(platform, `PUT accounts/${account}`, body);
    expect([answer.status, answer.body.code]).toEqual([expected, code]);
    expect((await admin(platform, 'GET accounts')).body.accounts).toHaveLength(9);
  });
});

test.each([
  ['PUT suppliers/ACME', { status: 'Closed' }, 'Ongoing, Paused, Complete'],
  ['PUT accounts/ACME/1002', { state: 'ready' }, 'staged, in_progress, imported, failed'],
  ['GET accounts?state=gone', undefined, 'staged, in_progress, imported, failed'],
  ['GET ledger?kind=bill', undefined, 'note, transaction, statement, payment_instruction'],
])('%s with a value that does not exist gets the list of values', async (path, body, choices) => {
  const answer = await admin(await startPlatform(), path, body);
  expect([answer.status, answer.body.errors[0].detail]).toEqual([
    400,
    `is not one of the allowed values (${choices})`,
  ]);
});

test('an answer of the interface lists no values, because a real platform has its own', async () => {
  const answer = await (
    await startPlatform()
  ).post('createTransactions', { import_supplier: 'NOBODY', external_account_number: '1', transactions: [] });
  expect(answer.text).not.toContain('ACME');
});

describe('accounts', () => {
  test('are listed by supplier and state', async () => {
    const platform = await startPlatform();
    const numbers = async (query: string) =>
      (await admin(platform, `GET accounts${query}`)).body.accounts.map(
        ({ external_account_number }: { external_account_number: string }) => external_account_number,
      );
    expect(await numbers('')).toHaveLength(9);
    expect(await numbers('?import_supplier=BETA')).toEqual(['2001']);
    expect(await numbers('?import_supplier=ACME&state=failed')).toEqual(['1004']);
    expect(problemsOf(await admin(platform, 'GET accounts?state=gone'))).toEqual([
      ['invalid_choice', 'state'],
    ]);
  });

  test('come in pages of a thousand, each starting where the previous page ended', async () => {
    const platform = await startPlatform();
    const rows = Array.from(
      { length: 2_000 },
      (_, index) => `  - { import_supplier: B, external_account_number: "${index}", state: staged }`,
    );
    const large = await startPlatform({
      seed: `version: 1\nsuppliers: [{ code: B, name: B, status: Ongoing }]\naccounts:\n${rows.join('\n')}\n`,
    });
    expect((await admin(platform, 'GET accounts')).body.next).toBeNull();
    const seen: string[] = [];
    let query = '';
    for (let page = 0; page < 3; page++) {
      const { accounts, next } = (await admin(large, `GET accounts${query}`)).body;
      seen.push(
        ...accounts.map((account: { external_account_number: string }) => account.external_account_number),
      );
      query = `?after=${next}`;
    }
    expect(seen).toEqual(Array.from({ length: 2_000 }, (_, index) => String(index)));
  });

  test('show everything on them: pinned notes first, transactions by date with the balance after each', async () => {
    const platform = await startPlatform();
    await platform.post('createNotes', {
      ...ACCOUNT,
      notes: [
        { body: 'late', created_at: '2026-02-02T00:00:00Z' },
        { body: 'early', created_at: '2026-02-01T00:00:00Z' },
        { body: 'pinned', created_at: '2026-03-01T00:00:00Z', is_pinned: true },
      ],
    });
    await platform.post('createTransactions', {
      ...ACCOUNT,
      transactions: [
        charge({ ...TX, transaction_id: 'c', transaction_date: '2026-02-03', amount: 0.1 }),
        charge({ ...TX, transaction_id: 'b', transaction_date: '2026-02-02', amount: 0.2, type: 'PAYMENT' }),
        charge({ ...TX, transaction_id: 'a', transaction_date: '2026-02-01', amount: 0.1 }),
        charge({ ...TX, transaction_id: 'd', transaction_date: '2026-02-03', amount: 5, type: 'REPAYMENT' }),
        charge({ ...TX, transaction_id: 'e', transaction_date: '2026-02-03', amount: -1, type: 'CREDIT' }),
      ],
    });
    await platform.post('createStatements', { ...ACCOUNT, statements: [statement({ gross_amount: 5324 })] });
    await platform.post('createPaymentInstruction', {
      ...ACCOUNT,
      vendor: 'STRIPE',
      reference: 'pi_1',
      type: 'CARD',
    });
    const shown = (await admin(platform, 'GET accounts/ACME/1001')).body;
    expect(shown).toMatchObject({
      state: 'imported',
      balance: '6.00',
      statements: [{ statement_id: 'st-1', gross_amount: '5324' }],
      payment_instruction: { reference: 'pi_1' },
    });
    expect(shown.notes.map(({ body }: { body: string }) => body)).toEqual(['pinned', 'early', 'late']);
    const ledger = shown.transactions.map((transaction: { transaction_id: string; balance: string }) => [
      transaction.transaction_id,
      transaction.balance,
    ]);
    expect(ledger).toEqual([
      ['a', '0.10'],
      ['b', '-0.10'],
      ['c', '0.00'],
      ['d', '5.00'],
      ['e', '6.00'],
    ]);
  });

  test('without anything on them, and an account that does not exist', async () => {
    const platform = await startPlatform();
    expect((await admin(platform, 'GET accounts/ACME/1002')).body).toMatchObject({
      balance: '0.00',
      notes: [],
    });
    expect((await admin(platform, 'GET accounts/ACME/777')).status).toBe(404);
  });

  test('are found by account numbers of any characters', async () => {
    const platform = await startPlatform();
    const path = `accounts/ACME/${encodeURIComponent('A/1 ü%')}`;
    expect((await admin(platform, `GET ${path}`)).body.external_account_number).toBe('A/1 ü%');
  });
});

describe('/_local/ledger/totals', () => {
  test('sums exactly by account and type; floats would not', async () => {
    const platform = await startPlatform();
    const transactions = Array.from({ length: 30 }, (_, index) =>
      charge({ transaction_id: `t-${index}`, amount: index < 20 ? '0.10' : '1234567890.07' }),
    );
    await platform.post('createTransactions', { ...ACCOUNT, transactions });
    await platform.post('createTransactions', {
      import_supplier: 'BETA',
      external_account_number: '2001',
      transactions: [
        charge({ amount: 1 }),
        charge({ transaction_id: 'p', amount: 3, type: 'PAYMENT', reason: undefined }),
      ],
    });
    await platform.post('createStatements', {
      ...ACCOUNT,
      statements: [statement({ gross_amount: 5324 }), statement({ statement_id: 'st-2' })],
    });
    await platform.post('createNotes', { ...ACCOUNT, notes: [{ body: 'x' }] });
    const { totals, accounts } = (await admin(platform, 'GET ledger/totals')).body;
    expect(totals).toEqual([
      { kind: 'note', type: null, count: 1, amount: null },
      { kind: 'statement', type: null, count: 2, amount: '5324' },
      { kind: 'transaction', type: 'CHARGE', count: 31, amount: '12345678903.70' },
      { kind: 'transaction', type: 'PAYMENT', count: 1, amount: '3.00' },
    ]);
    expect(accounts).toContainEqual({
      ...ACCOUNT,
      kind: 'transaction',
      type: 'CHARGE',
      count: 30,
      amount: '12345678902.70',
    });
    expect(transactions.reduce((total, { amount }) => total + Number(amount), 0)).not.toBe(12_345_678_902.7);
    const narrowed = (await admin(platform, 'GET ledger/totals?import_supplier=BETA&kind=transaction')).body;
    expect(narrowed.accounts).toHaveLength(2);
  });

  test('lists duplicates, and transactions that came again with other content', async () => {
    const platform = await startPlatform();
    const send = (fields: object, query = '') =>
      platform.post('createTransactions', { ...ACCOUNT, transactions: [charge({ ...fields })] }, { query });
    await send({});
    await send({}, '?check_previously_added=false');
    await send({ transaction_id: 'other' });
    await send({ transaction_id: 'other', amount: 99 });
    await send({ transaction_id: 'fine' });
    const { duplicates, conflicting_replays, totals } = (await admin(platform, 'GET ledger/totals')).body;
    expect(duplicates).toEqual([{ ...ACCOUNT, transaction_id: 'tx-1', stored: 2, conflicting_replays: 0 }]);
    expect(conflicting_replays).toEqual([
      { ...ACCOUNT, transaction_id: 'other', stored: 1, conflicting_replays: 1 },
    ]);
    expect(totals).toEqual([{ kind: 'transaction', type: 'CHARGE', count: 4, amount: '50.00' }]);
  });
});

test('faults are added after the present ones, whose counts go on', async () => {
  const platform = await startPlatform({ faults: { rules: ['notes accept status=503 nth=1'] } });
  const send = async () =>
    (await platform.post('createNotes', { ...ACCOUNT, notes: [{ body: 'x' }] })).status;
  expect(await send()).toBe(503);
  const { body } = await admin(platform, 'POST faults', { rules: ['notes accept status=502 nth=1'] });
  expect(body.rules.map(({ hits }: { hits: number }) => hits)).toEqual([1, 0]);
  expect([await send(), await send()]).toEqual([502, 201]);
});

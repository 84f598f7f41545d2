import { describe, expect, test } from 'vitest';
import { admin } from '../../../support/server-admin.ts';
import {
  ACCOUNT,
  charge,
  startPlatform,
  supplyCharge,
  type TestPlatform,
} from '../../../support/server-platform.ts';

const transactions = (...list: readonly object[]) => ({ ...ACCOUNT, transactions: list });

describe('a request that is only validated', () => {
  const validated = (platform: TestPlatform, payload: object, more = {}) =>
    admin(platform, 'POST validate', { resource: 'transactions', body: JSON.stringify(payload), ...more });

  test('gets the answer that it would get, and stores nothing', async () => {
    const platform = await startPlatform();
    const good = transactions(charge());
    const { body } = await validated(platform, good);
    expect([body.status, body.problems]).toEqual([201, []]);
    expect(await platform.ledger()).toEqual([]);
    expect((await platform.post('createTransactions', good)).text).toBe(body.body);
    // Now it exists, and the check can be left out.
    expect((await validated(platform, good)).body.body).toContain('TRANSACTION_ALREADY_EXISTS');
    const added = await validated(platform, good, { query: 'check_previously_added=false' });
    expect(added.body.body).toContain('TRANSACTION_ADDED_TO_ACCOUNT');
    expect(await platform.ledger()).toHaveLength(1);
    expect((await admin(platform, 'GET overview')).body.totals).toMatchObject([
      { count: 1, amount: '12.50' },
    ]);
  });

  test('is explained when it would be refused', async () => {
    const platform = await startPlatform();
    const { body } = await validated(platform, transactions(charge({ type: 'GIFT' })));
    expect(body.status).toBe(400);
    expect(body.problems).toMatchObject([
      { code: 'invalid_choice', attr: 'transactions.0.type', next: expect.stringContaining('SUPPLY_CHARGE') },
    ]);
    expect(
      (await validated(platform, { ...transactions(charge()), external_account_number: '777' })).body,
    ).toMatchObject({
      status: 404,
      problems: [
        {
          code: 'account_not_found',
          attr: '',
          field: 'external_account_number',
          next: expect.stringContaining('…/all-account-import-processes/ACME/'),
          rules: [{ name: 'imported-accounts-take-data' }, { name: 'missing-account-elsewhere' }],
        },
      ],
    });
  });

  const tried = async (platform: TestPlatform, payload: object, attr: string, resource = 'transactions') =>
    (await admin(platform, 'POST validate/example', { resource, body: JSON.stringify(payload), attr })).body;

  const PASSES = { status: 201, problems: [] };

  test.each([
    [{ transaction_date: '31/01/2026' }, 'transaction_date', '"2026-01-31"'],
    [{ transaction_date: 'yesterday' }, 'transaction_date', '"2026-01-01"'],
    [{ amount: '1,250.005' }, 'amount', '1250.00'],
    [{ amount: 12.345 }, 'amount', '12.34'],
    [{ type: 'charge' }, 'type', '"CHARGE"'],
    [{ type: 'PAYMENT', amount: -3 }, 'amount', '3'],
    [{ transaction_id: ' ' }, 'transaction_id', '"text"'],
    [{ type: 'PAYMENT', reason: null }, 'reason', '"IMPORTED_CHARGE"'],
  ])('%j has an example that passes', async (fields, name, json) => {
    const platform = await startPlatform();
    const { example } = await tried(platform, transactions(charge(fields)), `transactions.0.${name}`);
    expect(example).toEqual({ json, result: PASSES });
    expect(await platform.ledger()).toEqual([]);
  });

  test('has an example of another amount when the items of a record add up to it', async () => {
    const platform = await startPlatform();
    const wrong = transactions(supplyCharge({ amount: 12.5 }));
    const [problem] = (await validated(platform, wrong)).body.problems;
    expect(problem).toMatchObject({
      attr: 'transactions.0',
      field: 'transactions.0.amount',
      related: ['transactions.0.line_items.0.net_amount', 'transactions.0.tax_items.0.amount'],
    });
    const { example } = await tried(platform, wrong, problem.field);
    expect(example).toEqual({ json: '53.24', result: PASSES });
  });

  test('has an example of a list of records or of items that is missing or empty', async () => {
    const platform = await startPlatform();
    for (const list of [[], undefined])
      for (const [resource, name] of [
        ['transactions', 'transactions'],
        ['statements', 'statements'],
        ['notes', 'notes'],
      ] as const) {
        const { example } = await tried(platform, { ...ACCOUNT, [name]: list }, name, resource);
        expect(example).toMatchObject({ result: PASSES });
      }
    const { line_items: _, tax_items: __, ...rest } = supplyCharge();
    const { example } = await tried(platform, transactions(rest), 'transactions.0.line_items');
    expect(example).toMatchObject({ json: expect.stringContaining('"net_amount":53.24'), result: PASSES });
  });

  test('tells what is wrong next when an example passes at its place', async () => {
    const platform = await startPlatform();
    const wrong = transactions(charge({ type: 'charge', amount: 'much' }));
    const { example } = await tried(platform, wrong, 'transactions.0.type');
    expect(example).toMatchObject({
      json: '"CHARGE"',
      result: { status: 400, problems: [{ field: 'transactions.0.amount', code: 'invalid' }] },
    });
  });

  test('has no example that is wrong in its own record, whatever is wrong before it', async () => {
    const platform = await startPlatform();
    const id = 'T0020';
    const list = transactions(
      charge({ transaction_id: id, amount: 'much' }),
      charge({ transaction_id: 'between' }),
      charge({ transaction_id: id }),
    );
    const [problem] = (await validated(platform, list)).body.problems;
    expect(problem).toMatchObject({
      code: 'duplicate_transaction_ids',
      field: 'transactions.2.transaction_id',
      related: ['transactions.0.transaction_id'],
    });
    const { example } = await tried(platform, list, problem.field);
    expect(example).toMatchObject({
      json: '"T0020-2"',
      result: { status: 400, problems: [{ field: 'transactions.0.amount' }] },
    });
  });

  test('passes without a field that may be left out', async () => {
    const platform = await startPlatform();
    const without = (fields: Record<string, unknown>, name: string) =>
      tried(platform, transactions(charge(fields)), `transactions.0.${name}`);
    const leftOut = { json: null, result: PASSES };
    expect(await without({ colour: 'red' }, 'colour')).toEqual({ example: null, left_out: leftOut });
    expect(await without({ reason: null }, 'reason')).toMatchObject({ left_out: leftOut });
    expect(await without({ type: 'GIFT' }, 'type')).toMatchObject({ left_out: null });
  });

  test('has no example when no single value passes', async () => {
    const platform = await startPlatform();
    const unknown = { ...transactions(charge()), external_account_number: '777' };
    const none = { example: null, left_out: null };
    for (const attr of ['', 'transactions.0.amount'])
      expect(await tried(platform, unknown, attr)).toEqual(none);
    const paused = { ...unknown, import_supplier: 'PAUSED', external_account_number: '3001' };
    expect((await tried(platform, paused, 'transactions.0.amount')).example).toBeNull();
    const broken = { resource: 'notes', body: '{', attr: 'notes' };
    expect((await admin(platform, 'POST validate/example', broken)).body).toEqual(none);
  });
});

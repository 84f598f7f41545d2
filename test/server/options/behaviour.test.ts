import { describe, expect, test } from 'vitest';
import {
  ACCOUNT,
  charge,
  problemsOf,
  startPlatform,
  statement,
  supplyCharge,
} from '../../support/server-platform.ts';
import { TEST_SEED } from '../../support/server-seed.ts';
import { expectImportError, statusesOf, transactions } from '../../support/server-transactions.ts';

const THREE = transactions(
  charge({ transaction_id: 'a' }),
  charge({ transaction_id: 'b', amount: -1, type: 'PAYMENT' }),
  charge({ transaction_id: 'c' }),
);

test.each([
  { tx400: 'atomic', kept: [] },
  { tx400: 'prefix', kept: ['a'] },
] as const)('--tx-400 $tx400 keeps $kept before a failing transaction', async ({ tx400, kept }) => {
  const platform = await startPlatform({ behaviour: [`tx-400=${tx400}`] });
  const answer = await platform.post('createTransactions', THREE);
  expectImportError(answer, 'amount: is less than', expect.objectContaining({ transaction_id: 'b' }));
  expect((await platform.ledger()).map(({ data }) => data['transaction_id'])).toEqual(kept);
});

test('--tx-400 prefix keeps nothing when the request as a whole is wrong', async () => {
  const platform = await startPlatform({ behaviour: ['tx-400=prefix'] });
  const twice = await platform.post('createTransactions', transactions(charge(), charge()));
  expect(problemsOf(twice)).toEqual([['duplicate_transaction_ids', 'transactions.1.transaction_id']]);
  expect(await platform.ledger()).toEqual([]);
});

test.each([201, 200] as const)(
  '--statements-status %i is the status of stored statements',
  async (status) => {
    const platform = await startPlatform({ behaviour: [`statements-status=${status}`] });
    const answer = await platform.post('createStatements', { ...ACCOUNT, statements: [statement()] });
    expect([answer.status, answer.body.statements]).toEqual([status, [statement()]]);
  },
);

describe('a form that the interface does not show', () => {
  const note = { body: 'rang', created_at: '2026-02-01T10:00:00+02:00' };
  const item = { start_date: '2026-01-01', end_date: '2026-01-31', number_of_units: '4', net_amount: 44 };
  test.each([
    {
      what: 'an amount as text',
      endpoint: 'createTransactions',
      records: { transactions: [charge({ amount: '12.50' })] },
      at: 'amount: is not a number',
      tolerated: { amount_as_text: 1 },
    },
    {
      what: 'a number of a line item as text',
      endpoint: 'createTransactions',
      records: { transactions: [supplyCharge({ line_items: [item] })] },
      at: 'line_items.0.number_of_units: is not a number',
      tolerated: { amount_as_text: 1 },
    },
    {
      what: 'a time with another offset',
      endpoint: 'createNotes',
      records: { notes: [note, { body: 'wrote' }] },
      at: 'notes.0.created_at',
      tolerated: { other_offset: 1 },
    },
  ] as const)(
    '$what is tolerated, and refused with --strict',
    async ({ endpoint, records, at, tolerated }) => {
      const open = await startPlatform();
      expect((await open.post(endpoint, { ...ACCOUNT, ...records })).status).toBe(201);
      const lines = (await open.request('GET', '/_local/requests')).text.trim().split('\n');
      expect(JSON.parse(lines.at(-1)!) as object).toMatchObject({ tolerated });
      const none = { amount_as_text: 0, other_offset: 0 };
      expect((await open.request('GET', '/_local/figures')).body.tolerated).toEqual({
        ...none,
        ...tolerated,
      });
      expect(open.tolerated()).toEqual({ ...none, ...tolerated });

      const strict = await startPlatform({ behaviour: ['strict'] });
      const refused = await strict.post(endpoint, { ...ACCOUNT, ...records });
      expect([refused.status, refused.text]).toEqual([400, expect.stringContaining(at)]);
      expect(strict.tolerated()).toEqual(none);
    },
  );

  test.each([
    ['a number', charge()],
    [
      'a text that a float does not keep',
      supplyCharge({
        amount: 53.24,
        tax_items: [
          {
            amount: '9.24000000000000000',
            tax_type: 'VAT',
            value_taxed: 44,
            rate: 0.21,
            unit_type: 'PROPORTION',
          },
        ],
      }),
    ],
  ])('%s is no such form', async (_, record) => {
    const strict = await startPlatform({ behaviour: ['strict'] });
    const answer = await strict.post('createTransactions', transactions(record));
    expect(answer.text).not.toContain('is not a number (interface.md 2.4)');
    expect(strict.tolerated().amount_as_text).toBe(0);
  });
});

test.each([400, 403] as const)(
  '--paused-status %i is the status of a paused supplier',
  async (pausedStatus) => {
    const platform = await startPlatform({ behaviour: [`paused-status=${pausedStatus}`] });
    await platform.request('PUT', '/_local/suppliers/ACME', { body: '{"status":"Paused"}' });
    const answer = await platform.post('createTransactions', transactions(charge()));
    expect([answer.status, problemsOf(answer)]).toEqual([
      pausedStatus,
      [['import_supplier_migration_not_ongoing', 'import_supplier']],
    ]);
  },
);

test.each([200, 404] as const)(
  '--empty-list-status %i is the status of an empty list',
  async (emptyListStatus) => {
    const seed =
      '{version: 1, api_keys: [{key: all-key}], suppliers: [{code: ACME, name: A, status: Ongoing}]}';
    const platform = await startPlatform({ seed, behaviour: [`empty-list-status=${emptyListStatus}`] });
    const answer = await platform.get('allAccountImportProcesses', { importSupplier: 'ACME' });
    expect([answer.status, answer.body]).toEqual([
      emptyListStatus,
      emptyListStatus === 200 ? [] : expect.objectContaining({ code: 'not_found' }),
    ]);
  },
);

test('--token-path is the path of the token mutation, and the other path is gone', async () => {
  const platform = await startPlatform({ behaviour: ['token-path=/graph/'] });
  const post = (path: string) => platform.request('POST', path, { body: '{"query":"x"}' });
  expect((await post('/graph/')).body.errors[0].extensions.errorCode).toBe('parse_error');
  expect((await post('/v1/graphql/')).status).toBe(404);
  const { body } = await platform.request('GET', '/_local/openapi.json');
  expect([body.paths['/graph/'], body.paths['/v1/graphql/']]).toEqual([expect.anything(), undefined]);
});

test('--require refuses a record without the field', async () => {
  const platform = await startPlatform({
    behaviour: ['require=transactions.display_note', 'require=notes.created_at'],
  });
  const missing = await platform.post('createTransactions', transactions(charge()));
  expectImportError(missing, 'display_note: is required', expect.anything());
  const given = await platform.post('createTransactions', transactions(charge({ display_note: 'x' })));
  expect(given.status).toBe(201);
  const note = await platform.post('createNotes', { ...ACCOUNT, notes: [{ body: 'x' }] });
  expect(problemsOf(note)).toEqual([['required', 'notes.0.created_at']]);
  await expect(startPlatform({ behaviour: ['require=transactions.mood'] })).rejects.toThrow(
    'it must be require=FIELD (requires an optional field, such as transactions.reason)',
  );
});

test.each([
  {
    what: 'reason',
    endpoint: 'createTransactions',
    records: { transactions: [charge({ reason: 'LOYALTY' })] },
  },
  {
    what: 'line_items.0.rate_band',
    endpoint: 'createTransactions',
    records: {
      transactions: [
        supplyCharge({
          line_items: [
            {
              start_date: '2026-01-01',
              end_date: '2026-01-31',
              number_of_units: 4,
              net_amount: 44,
              rate_band: 'NIGHT',
            },
          ],
        }),
      ],
    },
  },
  {
    what: 'type',
    endpoint: 'createPaymentInstruction',
    records: { vendor: 'STRIPE', reference: 'pi_1', type: 'CHEQUE' },
  },
] as const)('--strict refuses an undocumented value of $what', async ({ what, endpoint, records }) => {
  const open = await startPlatform();
  const withoutStrict = await open.post(endpoint, { ...ACCOUNT, ...records });
  expect(withoutStrict.text).not.toContain('invalid_choice');
  const strict = await startPlatform({ behaviour: ['strict'] });
  const answer = await strict.post(endpoint, { ...ACCOUNT, ...records });
  expect(answer.status).toBe(400);
  if (endpoint === 'createPaymentInstruction') expect(problemsOf(answer)).toEqual([['invalid_choice', what]]);
  else expect(answer.body.error_detail).toBe(`${what}: is not one of the allowed values (invalid_choice)`);
});

test('--strict accepts the values of the interface, and an empty text where deployments allow it', async () => {
  const platform = await startPlatform({ behaviour: ['strict'] });
  const answer = await platform.post(
    'createTransactions',
    transactions(
      charge(),
      charge({ transaction_id: 'p', type: 'PAYMENT', reason: '', payment_type: 'DEBIT_CARD' }),
    ),
  );
  expect(statusesOf(answer)).toHaveLength(2);
});

const UNLISTED = {
  ...ACCOUNT,
  dry_run: false,
  transactions: [
    charge({ transaction_id: 'a', supply_point_identifier: 's' }),
    charge({ transaction_id: 'b', supply_point_identifier: 's', __x: { y: [1] } }),
    supplyCharge({
      tax_items: [
        { amount: 9.24, tax_type: 'VAT', value_taxed: 44, rate: 0.21, unit_type: 'PROPORTION', params: {} },
      ],
    }),
  ],
};

test('--lenient drops unlisted fields, stores the rest, and counts the fields', async () => {
  const platform = await startPlatform({ behaviour: ['lenient'] });
  const answer = await platform.post('createTransactions', UNLISTED);
  expect(statusesOf(answer)).toHaveLength(3);
  expect(answer.text).not.toContain('supply_point_identifier');
  expect((await platform.ledger()).map(({ data }) => Object.keys(data))).toEqual([
    Object.keys(charge()),
    Object.keys(charge()),
    Object.keys(supplyCharge()),
  ]);
  const ignored = async () => (await platform.request('GET', '/_local/health')).body.ignored_fields;
  expect(await ignored()).toEqual([
    { resource: 'transactions', field: 'dry_run', times: 1 },
    { resource: 'transactions', field: 'transactions.*.__x', times: 1 },
    { resource: 'transactions', field: 'transactions.*.supply_point_identifier', times: 2 },
    { resource: 'transactions', field: 'transactions.*.tax_items.*.params', times: 1 },
  ]);
  await platform.request('POST', '/_local/reset', { body: '{}' });
  expect(await ignored()).toEqual([]);
});

describe('--lenient with dry_run', () => {
  const POSTS = [
    ['createNotes', { notes: [{ body: 'x' }] }],
    ['createTransactions', { transactions: [charge()] }],
    ['createStatements', { statements: [statement()] }],
    ['createPaymentInstruction', { vendor: 'STRIPE', reference: 'pi_1', type: 'CARD' }],
  ] as const;

  test.each(POSTS)('true: %s is validated and answered, and nothing is stored', async (endpoint, records) => {
    const platform = await startPlatform({ behaviour: ['lenient'] });
    const dry = await platform.post(endpoint, { ...ACCOUNT, dry_run: true, ...records });
    expect(dry.status).toBe(201);
    expect(await platform.ledger()).toEqual([]);
    expect((await platform.request('GET', '/_local/health')).body.ignored_fields).toEqual([]);
    const real = await platform.post(endpoint, { ...ACCOUNT, dry_run: false, ...records });
    expect([real.status, real.text]).toEqual([201, dry.text]);
    expect(await platform.ledger()).toHaveLength(1);
  });

  test('true: a wrong record is refused, also where the records before it would be kept', async () => {
    const platform = await startPlatform({ behaviour: ['lenient', 'tx-400=prefix'] });
    const answer = await platform.post('createTransactions', { ...THREE, dry_run: true });
    expectImportError(answer, 'amount: is less than', expect.objectContaining({ transaction_id: 'b' }));
    expect(await platform.ledger()).toEqual([]);
  });

  test.each([
    ['"true"', 'true'],
    [1, 1],
    [null, null],
  ])('%j: refused, because it is neither true nor false', async (_, dry_run) => {
    const platform = await startPlatform({ behaviour: ['lenient'] });
    const answer = await platform.post('createTransactions', {
      ...ACCOUNT,
      dry_run,
      transactions: [charge()],
    });
    expect(answer.status).toBe(400);
    expect(problemsOf(answer)).toEqual([['invalid', 'dry_run']]);
    expect(await platform.ledger()).toEqual([]);
  });
});

test('--max-items limits the records of a request, --body-limit its bytes', async () => {
  const platform = await startPlatform({ behaviour: ['max-items=2', 'body-limit=400'] });
  const notes = (count: number, body = 'x') => ({
    ...ACCOUNT,
    notes: Array.from({ length: count }, (_, index) => ({ body: body + index })),
  });
  expect((await platform.post('createNotes', notes(2))).status).toBe(201);
  expect(problemsOf(await platform.post('createNotes', notes(3)))).toEqual([['max_length', 'notes']]);
  const large = await platform.post('createNotes', notes(1, 'x'.repeat(400)));
  expect([large.status, large.body.code]).toEqual([413, 'payload_too_large']);
});

test.each([
  { transactionIds: 'account', status: 'TRANSACTION_ADDED_TO_ACCOUNT', stored: 2 },
  { transactionIds: 'platform', status: 'TRANSACTION_ALREADY_EXISTS', stored: 1 },
] as const)(
  '--transaction-ids $transactionIds: the id of another account is $status',
  async ({ transactionIds, status, stored }) => {
    const seed = TEST_SEED.replace(
      'accounts:',
      `accounts:\n  - {import_supplier: ${ACCOUNT.import_supplier}, external_account_number: other, state: imported}`,
    );
    const platform = await startPlatform({ seed, behaviour: [`transaction-ids=${transactionIds}`] });
    await platform.post('createTransactions', transactions(charge()));
    const second = { ...transactions(charge({ amount: 2 })), external_account_number: 'other' };
    const answer = await platform.post('createTransactions', second);
    expect(statusesOf(answer)).toEqual([status]);
    const [first, ...others] = await platform.ledger();
    // A transaction that exists is shown as it is stored, on whichever account.
    expect(answer.body.results[0].transaction_data.amount).toBe((others[0] ?? first)!.data['amount']);
    expect(others).toHaveLength(stored - 1);
  },
);

test.each(['PENDING', 'IN_PROGRESS', 'REJECTED'] as const)(
  '--imported-status %s is the status of an account that exists',
  async (importedStatus) => {
    const platform = await startPlatform({ behaviour: [`imported-status=${importedStatus}`] });
    const { import_supplier: importSupplier, external_account_number: externalAccountNumber } = ACCOUNT;
    const answer = await platform.get('accountTransferStatus', { importSupplier, externalAccountNumber });
    expect(answer.body).toMatchObject({ status: importedStatus });
  },
);

test('--lenient also applies to notes, statements and instructions, and beside --strict, which judges values', async () => {
  const platform = await startPlatform({ behaviour: ['lenient', 'strict'] });
  const extra = { external_id: 'x' };
  const answers = await Promise.all([
    platform.post('createNotes', { ...ACCOUNT, notes: [{ body: 'x', is_archived: true }] }),
    platform.post('createStatements', { ...ACCOUNT, statements: [statement(extra)] }),
    platform.post('createPaymentInstruction', {
      ...ACCOUNT,
      vendor: 'STRIPE',
      reference: 'pi_1',
      type: 'CARD',
      ...extra,
    }),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
  expect((await platform.request('GET', '/_local/health')).body.ignored_fields).toEqual([
    { resource: 'notes', field: 'notes.*.is_archived', times: 1 },
    { resource: 'payment-instructions', field: 'external_id', times: 1 },
    { resource: 'statements', field: 'statements.*.external_id', times: 1 },
  ]);
});

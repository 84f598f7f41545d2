import { join } from 'node:path';
import { expect, test } from 'vitest';
import { AppError } from '../../../src/core/app-error.ts';
import { readSeed } from '../../../src/server/seed/read-seed.ts';
import { ACCOUNT, charge, START, startPlatform } from '../../support/server-platform.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const SUPPLIER = 'suppliers: [{ code: ACME, name: Acme Energy, status: Ongoing }]';

/** The error of `read`. */
function errorOf(read: () => unknown): AppError {
  try {
    read();
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

test('without a seed the platform starts with the built-in one', async () => {
  const platform = await startPlatform({ seeds: [] });
  expect(platform.apiKeys).toEqual([{ key: 'local-key', suppliers: ['ACME'] }]);
  expect(platform.counts).toMatchObject({ suppliers: 1, accounts: 2 });
  const options = { apiKey: 'local-key' };
  const list = await platform.get('allAccountImportProcesses', { importSupplier: 'ACME' }, options);
  expect(list.body.map((item: { external_account_number: string }) => item.external_account_number)).toEqual([
    '1001',
    '1002',
  ]);
  const pay = () =>
    platform.post(
      'createPaymentInstruction',
      { ...ACCOUNT, vendor: 'STRIPE', reference: 'pi_2', type: 'CARD' },
      options,
    );
  expect([(await pay()).status, (await pay()).status, (await pay()).status]).toEqual([500, 500, 201]);
});

test('an unreadable seed is named', () => {
  const file = join(temporaryFolder(), 'missing.yaml');
  const error = errorOf(() => readSeed([file]));
  expect([error.code, error.facts]).toEqual(['file_not_readable', { file, reason: 'no such file' }]);
});

test('a seed changes the entries that it names and keeps records, creation times and everything else', async () => {
  const database = join(temporaryFolder(), 'serve.sqlite');
  const accounts = (state: string, ...more: string[]) => `version: 1
api_keys: [{ key: all-key }]
${SUPPLIER}
accounts:
  - { import_supplier: ACME, external_account_number: "1001", state: imported }
  - { import_supplier: ACME, external_account_number: "1002", state: ${state} }
${more.join('\n')}`;
  const first = await startPlatform({
    database,
    seed: accounts('staged', '  - { import_supplier: ACME, external_account_number: "1003", state: staged }'),
  });
  await first.post('createNotes', { ...ACCOUNT, notes: [{ body: 'kept' }] });
  await first.close();

  const laterMs = Date.parse('2026-04-01T00:00:00Z');
  const second = await startPlatform({ database, seed: accounts('imported'), nowMs: () => laterMs });
  const list = await second.get('allAccountImportProcesses', { importSupplier: 'ACME' });
  const created = list.body.map(
    (item: { external_account_number: string; account_created_at: string | null }) => [
      item.external_account_number,
      item.account_created_at,
    ],
  );
  expect(created).toEqual([
    ['1001', START],
    ['1002', '2026-04-01T00:00:00Z'],
    ['1003', null],
  ]);
  expect((await second.ledger()).map(({ data }) => data['body'])).toEqual(['kept']);
});

test('a seed without product codes, documents and enums keeps those of the database', async () => {
  const database = join(temporaryFolder(), 'serve.sqlite');
  const seed = (supplier: string, lists = '') => `version: 1
api_keys: [{ key: all-key }]
suppliers: [{ code: ACME, name: Acme, status: Ongoing${supplier} }]
accounts: [{ import_supplier: ACME, external_account_number: "1001", state: imported }]
${lists}`;
  const lists = 'product_codes: [FLEX-12]\nenums: { reason: { every_type: [GIFT] } }';
  await (await startPlatform({ database, seed: seed(', documents: [a.pdf]', lists) })).close();
  const platform = await startPlatform({ database, seed: seed('') });
  const post = async (endpoint: 'createTransactions' | 'createNotes', payload: object) =>
    (await platform.post(endpoint, { ...ACCOUNT, ...payload })).status;
  const charged = (fields: object) => post('createTransactions', { transactions: [charge({ ...fields })] });
  expect([await charged({ reason: 'OTHER' }), await charged({ reason: 'GIFT' })]).toEqual([400, 201]);
  expect(await charged({ transaction_id: 'p', product_code: 'FLEX-99' })).toBe(400);
  const noted = (document_path: string) =>
    post('createNotes', { notes: [{ document_paths: [{ document_path }] }] });
  expect([await noted('b.pdf'), await noted('a.pdf')]).toEqual([400, 201]);
});

test('a second seed replaces the enums, and the documents of the suppliers that list some, whatever their codes', async () => {
  const database = join(temporaryFolder(), 'serve.sqlite');
  const CODES = ['ACME', 'A[C]ME', 'A*'];
  const seed = (documents: readonly string[], enums: string) => `version: 1
api_keys: [{ key: all-key }]
suppliers: [${CODES.map((code, at) => `{ code: "${code}", name: X, status: Ongoing${documents[at]} }`).join()}]
accounts: [${CODES.map((code) => `{ import_supplier: "${code}", external_account_number: "1001", state: imported }`).join()}]
enums: ${enums}`;
  const [a, b] = [', documents: [a.pdf]', ', documents: [b.pdf]'];
  await (
    await startPlatform({ database, seed: seed([a, a, a], '{ reason: { every_type: [GIFT] } }') })
  ).close();
  const platform = await startPlatform({ database, seed: seed(['', b, b], '{ tax_type: [GST] }') });
  const noted = async (import_supplier: string, document_path: string) => {
    const notes = [{ document_paths: [{ document_path }] }];
    return (await platform.post('createNotes', { ...ACCOUNT, import_supplier, notes })).status;
  };
  for (const [code, kept, other] of [
    ['ACME', 'a', 'b'],
    ['A[C]ME', 'b', 'a'],
    ['A*', 'b', 'a'],
  ] as const)
    expect([code, await noted(code, `${kept}.pdf`), await noted(code, `${other}.pdf`)]).toEqual([
      code,
      201,
      400,
    ]);
  const charged = { ...ACCOUNT, transactions: [charge({ reason: 'OTHER' })] };
  expect((await platform.post('createTransactions', charged)).status).toBe(201);
});

test('without product codes in the seed every code exists', async () => {
  const seed = `version: 1\napi_keys: [{ key: all-key }]\n${SUPPLIER}\naccounts: [{ import_supplier: ACME, external_account_number: "1001", state: imported }]`;
  const platform = await startPlatform({ seed });
  const items = [{ start_date: '2026-01-01', end_date: '2026-01-31', number_of_units: 1, net_amount: 1 }];
  const transaction = {
    transaction_id: 't',
    transaction_date: '2026-01-01',
    amount: 1,
    type: 'SUPPLY_CHARGE',
    product_code: 'ANY',
    line_items: items,
  };
  expect(
    (await platform.post('createTransactions', { ...ACCOUNT, transactions: [transaction] })).status,
  ).toBe(201);
});

test('a database with a supplier does not get the built-in seed', async () => {
  const database = join(temporaryFolder(), 'serve.sqlite');
  await (await startPlatform({ database })).close();
  const again = await startPlatform({ database, seeds: [] });
  expect(again.apiKeys.map(({ key }) => key)).toEqual(['all-key', 'acme-key']);
  expect(again.counts).toMatchObject({ suppliers: 5, accounts: 9 });
});

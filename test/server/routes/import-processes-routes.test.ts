import { expect, test } from 'vitest';
import { ENDPOINTS } from '../../../src/core/contract/endpoints.ts';
import { START, startPlatform, type TestPlatform } from '../../support/server-platform.ts';

const NUMBER = expect.stringMatching(/^A-[0-9a-f]{8}$/);
const statusOf = (platform: TestPlatform, externalAccountNumber: string, importSupplier = 'ACME') =>
  platform.get('accountTransferStatus', { importSupplier, externalAccountNumber });

test.each([
  { account: '1001', state: 'imported', status: 'COMPLETED', number: NUMBER },
  { account: '1003', state: 'in progress', status: 'IN_PROGRESS', number: '' },
  { account: '1002', state: 'staged and never processed', status: 'UNKNOWN', number: '' },
  { account: '1004', state: 'failed', status: 'UNKNOWN', number: '' },
])('3.1: an account that is $state is $status', async ({ account, status, number }) => {
  const platform = await startPlatform();
  const answer = await statusOf(platform, account);
  expect(answer.status).toBe(200);
  expect(answer.body).toEqual({ status, platform_account_number: number });
  expect(ENDPOINTS.accountTransferStatus.response.safeParse(answer.body).success).toBe(true);
});

test.each([
  { importSupplier: 'ACME', account: '9999' },
  { importSupplier: 'NOBODY', account: '1001' },
  { importSupplier: 'BETA', account: '1001' },
  { importSupplier: 'acme', account: '1001' },
  { importSupplier: '__proto__', account: 'constructor' },
])('4.6: 404 for the account $account of $importSupplier', async ({ importSupplier, account }) => {
  const platform = await startPlatform();
  const answer = await statusOf(platform, account, importSupplier);
  expect(answer.status).toBe(404);
  expect(answer.body).toEqual({
    detail: 'no import process exists for this account: it was never staged',
    code: 'account_not_found',
  });
});

test('4: path segments are decoded, whatever the account number contains', async () => {
  const platform = await startPlatform();
  expect((await statusOf(platform, 'A/1 ü%')).body.status).toBe('COMPLETED');
});

test('4: an account number of 128 characters fits into a path', async () => {
  const number = '€'.repeat(128);
  const seed = `{version: 1, api_keys: [{key: all-key}], suppliers: [{code: S, name: S, status: Ongoing}],
    accounts: [{import_supplier: S, external_account_number: "${number}", state: staged}]}`;
  const platform = await startPlatform({ seed });
  expect((await statusOf(platform, number, 'S')).status).toBe(200);
});

const PENDING = { platform_account_number: null, account_created_at: null };
const IMPORTED = { platform_account_number: NUMBER, account_created_at: START };

test('4.7: all accounts of a supplier, with nulls while pending', async () => {
  const platform = await startPlatform();
  const answer = await platform.get('allAccountImportProcesses', { importSupplier: 'ACME' });
  expect(answer.status).toBe(200);
  expect(answer.body).toEqual([
    { external_account_number: '1001', ...IMPORTED },
    { external_account_number: '1002', ...PENDING },
    { external_account_number: '1003', ...PENDING },
    { external_account_number: '1004', ...PENDING },
    { external_account_number: '1005', ...IMPORTED },
    { external_account_number: 'A/1 ü%', ...IMPORTED },
  ]);
  expect(ENDPOINTS.allAccountImportProcesses.response.safeParse(answer.body).success).toBe(true);
});

test('4.8: the pending accounts, with both fields null', async () => {
  const platform = await startPlatform();
  const answer = await platform.get('pendingAccountImportProcesses', { importSupplier: 'ACME' });
  expect(answer.body).toEqual(
    ['1002', '1003', '1004'].map((number) => ({ external_account_number: number, ...PENDING })),
  );
});

test('4.9: the imported accounts, in the same shape', async () => {
  const platform = await startPlatform();
  const answer = await platform.get('importedAccountImportProcesses', { importSupplier: 'BETA' });
  expect(answer.body).toEqual([{ external_account_number: '2001', ...IMPORTED }]);
});

test.each([
  'allAccountImportProcesses',
  'pendingAccountImportProcesses',
  'importedAccountImportProcesses',
] as const)(
  '%s of a supplier without accounts is an empty list, and of an unknown one a 404',
  async (endpoint) => {
    const platform = await startPlatform();
    const empty = await platform.get(endpoint, { importSupplier: 'EMPTY' });
    expect([empty.status, empty.body]).toEqual([200, []]);
    const unknown = await platform.get(endpoint, { importSupplier: 'NOBODY' });
    expect(unknown.status).toBe(404);
    expect(unknown.body).toEqual({ detail: expect.any(String), code: 'import_supplier_not_found' });
  },
);

test('a list contains all accounts, however many', async () => {
  const accounts = Array.from(
    { length: 1_500 },
    (_, index) => `{ import_supplier: ACME, external_account_number: "n${index}", state: imported }`,
  );
  const platform = await startPlatform({
    seed: `{ version: 1, api_keys: [{ key: all-key }], suppliers: [{ code: ACME, name: A, status: Ongoing }], accounts: [${accounts.join()}] }`,
  });
  for (const endpoint of ['allAccountImportProcesses', 'importedAccountImportProcesses'] as const)
    expect((await platform.get(endpoint, { importSupplier: 'ACME' })).body).toHaveLength(1_500);
});

test('account numbers of the platform are equal in two runs and differ between accounts', async () => {
  const [one, two] = [await startPlatform(), await startPlatform()];
  const numbers = async (platform: TestPlatform) =>
    (await platform.get('importedAccountImportProcesses', { importSupplier: 'ACME' })).body.map(
      (item: { platform_account_number: string }) => item.platform_account_number,
    );
  expect(await numbers(one)).toEqual(await numbers(two));
  expect(new Set(await numbers(one)).size).toBe(3);
});

test('3.2: a paused or complete supplier still answers GETs', async () => {
  const platform = await startPlatform();
  expect((await statusOf(platform, '3001', 'PAUSED')).status).toBe(200);
  expect((await platform.get('allAccountImportProcesses', { importSupplier: 'DONE' })).body).toHaveLength(1);
});

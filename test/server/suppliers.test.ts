import { expect, test } from 'vitest';
import type { EndpointName } from '../../src/core/contract/endpoints.ts';
import { ACCOUNT, charge, problemsOf, startPlatform, statement } from '../support/server-platform.ts';

/** One good request for each POST. */
const POSTS: readonly { endpoint: EndpointName; records: object }[] = [
  { endpoint: 'createNotes', records: { notes: [{ body: 'x' }] } },
  { endpoint: 'createTransactions', records: { transactions: [charge()] } },
  { endpoint: 'createStatements', records: { statements: [statement()] } },
  { endpoint: 'createPaymentInstruction', records: { vendor: 'STRIPE', reference: 'pi_1', type: 'CARD' } },
];

test.each(POSTS)(
  '3.2: $endpoint answers 400 while the supplier is Paused or Complete',
  async ({ endpoint, records }) => {
    const platform = await startPlatform();
    for (const key of [
      { import_supplier: 'PAUSED', external_account_number: '3001' },
      { import_supplier: 'DONE', external_account_number: '4001' },
    ]) {
      const answer = await platform.post(endpoint, { ...key, ...records });
      expect(answer.status).toBe(400);
      expect(problemsOf(answer)).toEqual([['import_supplier_migration_not_ongoing', 'import_supplier']]);
    }
  },
);

test.each(POSTS)(
  'silent: $endpoint answers an unknown supplier with 400 invalid_choice',
  async ({ endpoint, records }) => {
    const platform = await startPlatform();
    const answer = await platform.post(endpoint, { ...ACCOUNT, import_supplier: 'NOBODY', ...records });
    expect(answer.status).toBe(400);
    expect(problemsOf(answer)).toEqual([['invalid_choice', 'import_supplier']]);
  },
);

test.each(POSTS)(
  'silent: $endpoint is forbidden to a key of other suppliers, even for an account that is not there',
  async ({ endpoint, records }) => {
    const platform = await startPlatform();
    for (const external_account_number of ['2001', '9999']) {
      const answer = await platform.post(
        endpoint,
        { import_supplier: 'BETA', external_account_number, ...records },
        { apiKey: 'acme-key' },
      );
      expect(answer.status).toBe(403);
      expect(answer.body).toEqual({ detail: expect.any(String), code: 'permission_denied' });
    }
    expect(await platform.ledger()).toEqual([]);
  },
);

test('silent: fields come before the key: a body that fails validation is a 400 to any key', async () => {
  const platform = await startPlatform();
  const answer = await platform.post(
    'createNotes',
    { import_supplier: 'BETA', notes: [] },
    { apiKey: 'acme-key' },
  );
  expect(answer.status).toBe(400);
});

test.each([
  ['accountTransferStatus', { importSupplier: 'BETA', externalAccountNumber: '2001' }],
  ['allAccountImportProcesses', { importSupplier: 'BETA' }],
  ['pendingAccountImportProcesses', { importSupplier: 'BETA' }],
  ['importedAccountImportProcesses', { importSupplier: 'BETA' }],
] as const)('silent: %s is forbidden to a key of other suppliers', async (endpoint, segments) => {
  const platform = await startPlatform();
  expect((await platform.get(endpoint, segments, { apiKey: 'acme-key' })).status).toBe(403);
  expect((await platform.get(endpoint, segments)).status).toBe(200);
});

test('silent: a key that is limited may touch its own suppliers', async () => {
  const platform = await startPlatform();
  const answer = await platform.post(
    'createNotes',
    { ...ACCOUNT, notes: [{ body: 'x' }] },
    { apiKey: 'acme-key' },
  );
  expect(answer.status).toBe(201);
});

import { expect, test } from 'vitest';
import { ENDPOINTS, type EndpointName } from '../../../src/core/contract/endpoints.ts';
import { ACCOUNT, charge, problemsOf, startPlatform, statement } from '../../support/server-platform.ts';

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

const [NOTES, ...OTHERS] = POSTS;
const ofNobody = { ...ACCOUNT, import_supplier: 'NOBODY', ...NOTES!.records };

test('4.2, 7.2: notes of an unknown supplier are a 404, as for an unknown account', async () => {
  const platform = await startPlatform();
  const answer = await platform.post('createNotes', ofNobody);
  expect(answer.status).toBe(404);
  expect(answer.body).toEqual({ detail: expect.any(String), code: 'account_not_found' });
  expect(await platform.ledger()).toEqual([]);
});

test('--unknown-supplier-status 400 answers notes of an unknown supplier with invalid_choice', async () => {
  const platform = await startPlatform({ behaviour: ['unknown-supplier-status=400'] });
  const answer = await platform.post('createNotes', ofNobody);
  expect(answer.status).toBe(400);
  expect(problemsOf(answer)).toEqual([['invalid_choice', 'import_supplier']]);
});

test.each(OTHERS)(
  '$endpoint answers an unknown supplier with 400 invalid_choice',
  async ({ endpoint, records }) => {
    const platform = await startPlatform();
    const answer = await platform.post(endpoint, { ...ACCOUNT, import_supplier: 'NOBODY', ...records });
    expect(answer.status).toBe(400);
    expect(problemsOf(answer)).toEqual([['invalid_choice', 'import_supplier']]);
  },
);

test.each(POSTS)(
  '$endpoint is forbidden to a key of other suppliers, even for an account that is not there',
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

test('fields are checked before the key: a body that fails validation is a 400 for any key', async () => {
  const platform = await startPlatform();
  const answer = await platform.post(
    'createNotes',
    { import_supplier: 'BETA', notes: [] },
    { apiKey: 'acme-key' },
  );
  expect(answer.status).toBe(400);
});

test('a limited key may use its own suppliers', async () => {
  const platform = await startPlatform();
  const answer = await platform.post(
    'createNotes',
    { ...ACCOUNT, notes: [{ body: 'x' }] },
    { apiKey: 'acme-key' },
  );
  expect(answer.status).toBe(201);
});

test('problems are reported in the order in which the platform checks', async () => {
  const platform = await startPlatform();
  const authorization = `Token ${await platform.token('acme-key')}`;
  const json = { authorization, 'content-type': 'application/json' };
  const body = (account: object, note: object) => JSON.stringify({ ...account, notes: [note] });
  const beta = { import_supplier: 'BETA', external_account_number: '9999' };
  const nobody = { ...ACCOUNT, external_account_number: '9999' };
  const steps: readonly [
    status: number,
    code: string,
    method: string,
    headers: Record<string, string>,
    body: string,
  ][] = [
    [401, 'not_authenticated', 'PUT', { 'content-type': 'text/plain' }, '{'],
    [405, 'method_not_allowed', 'PUT', { authorization, 'content-type': 'text/plain' }, '{'],
    [415, 'unsupported_media_type', 'POST', { authorization, 'content-type': 'text/plain' }, '{'],
    [400, 'parse_error', 'POST', json, '{'],
    [400, 'required', 'POST', json, body({ import_supplier: 'BETA' }, {})],
    [403, 'permission_denied', 'POST', json, body(beta, {})],
    [404, 'account_not_found', 'POST', json, body(nobody, {})],
    [400, 'invalid', 'POST', json, body(ACCOUNT, { body: '', created_at: 'x' })],
    [400, 'note_body_or_document_path_not_found', 'POST', json, body(ACCOUNT, { body: '' })],
    [201, 'NOTE_CREATION_SUCCESS', 'POST', json, body(ACCOUNT, { body: 'x' })],
  ];
  for (const [status, code, method, headers, sent] of steps) {
    const answer = await platform.request(method, ENDPOINTS.createNotes.path, { headers, body: sent });
    const answered = answer.body[0]?.status ?? answer.body.errors?.[0].code ?? answer.body.code;
    expect([answer.status, answered]).toEqual([status, code]);
  }
});

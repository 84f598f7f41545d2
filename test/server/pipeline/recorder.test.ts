import { EventEmitter } from 'node:events';
import { expect, onTestFinished, test, vi } from 'vitest';
import { KEPT_BODY_BYTES } from '../../../src/server/http/kept-request.ts';
import { recordAtEnd } from '../../../src/server/pipeline/recorder.ts';
import { admin, linesOf } from '../../support/server-admin.ts';
import { faultyPlatform } from '../../support/server-faults.ts';
import {
  ACCOUNT,
  charge,
  startPlatform,
  statement,
  type TestPlatform,
} from '../../support/server-platform.ts';

/** The requests in the log, without those for a token. */
const logged = async (platform: TestPlatform) =>
  linesOf(await admin(platform, 'GET requests')).filter(({ endpoint }) => endpoint !== 'token');

const NOTES = '/v1/data-import/notes/create/';
const NOTE = { ...ACCOUNT, notes: [{ body: 'what the customer said' }] };
const LISTS = '/v1/data-import/all-account-import-processes';

test('a request is logged with its answer', async () => {
  const platform = await startPlatform();
  const answer = await platform.post('createNotes', NOTE);
  const [token, notes] = linesOf(await admin(platform, 'GET requests'));
  expect(token).toMatchObject({ seq: 1, method: 'POST', path: '/v1/graphql/', status: 200, codes: [] });
  expect(notes).toEqual({
    seq: 2,
    at: '2026-03-15T12:00:00.000Z',
    method: 'POST',
    path: NOTES,
    query: '',
    endpoint: 'notes',
    ...ACCOUNT,
    records: 1,
    status: 201,
    codes: [],
    duration_ms: expect.any(Number) as number,
    request_bytes: JSON.stringify(NOTE).length,
    response_bytes: answer.text.length,
    request_body: JSON.stringify(NOTE),
    response_body: answer.text,
  });
});

test('the log has the codes of a refusal in every shape, each once', async () => {
  const platform = await startPlatform();
  await platform.post('createNotes', { ...ACCOUNT, notes: [{}, { body: '' }] });
  await platform.post('createTransactions', {
    ...ACCOUNT,
    transactions: [charge({ amount: 'x', type: 'GIFT' })],
  });
  await platform.post('createPaymentInstruction', {
    ...ACCOUNT,
    vendor: 'STRIPE',
    reference: 'nobody',
    type: 'CARD',
  });
  await platform.post('createStatements', {
    ...ACCOUNT,
    external_account_number: '777',
    statements: [statement()],
  });
  await platform.request('POST', NOTES, { body: '{}' });
  await platform.request('GET', '/v1/nothing');
  expect((await logged(platform)).map(({ status, codes }) => [status, ...codes])).toEqual([
    [400, 'note_body_or_document_path_not_found'],
    [400, 'invalid', 'invalid_choice'],
    [400, 'payment_instruction_not_found'],
    [404, 'account_not_found'],
    [401, 'not_authenticated'],
    [404, 'not_found'],
  ]);
});

test('a refusal in a shape without codes has its problems in the log all the same', async () => {
  const platform = await startPlatform({ behaviour: { errorShape: 'nested' } });
  await platform.post('createNotes', { ...ACCOUNT, notes: [{}] });
  expect(await logged(platform)).toMatchObject([
    { codes: [], problems: [{ code: 'note_body_or_document_path_not_found' }] },
  ]);
});

test('the log names the faults of a request, and has no answer of one whose connection was reset', async () => {
  const rules = ['notes after-commit reset nth=1', 'notes accept status=302 location=/x nth=2'];
  const platform = await faultyPlatform(rules);
  await expect(platform.post('createNotes', NOTE)).rejects.toThrow();
  await platform.post('createNotes', NOTE);
  const [reset, redirect] = await logged(platform);
  expect(reset).toMatchObject({
    path: NOTES,
    status: null,
    codes: [],
    faults: [{ rule: rules[0], effect: 'reset' }],
    request_bytes: JSON.stringify(NOTE).length,
    response_bytes: null,
  });
  // The body of a redirect is no refusal, whatever it says.
  expect(redirect).toMatchObject({ status: 302, codes: [], faults: [{ rule: rules[1], effect: 'answer' }] });
  expect(redirect).not.toHaveProperty('problems');
});

test('the log says which records were there before, and which values had another form', async () => {
  const platform = await startPlatform();
  const send = (amount: unknown) =>
    platform.post('createTransactions', { ...ACCOUNT, transactions: [charge({ amount })] });
  await send('12.5');
  await send(13);
  const [first, second] = await logged(platform);
  expect(first).toMatchObject({ tolerated: { amount_as_text: 1 } });
  expect(first).not.toHaveProperty('repetitions');
  const conflicts = [{ index: 0, id: 'tx-1', fields: ['amount'] }];
  expect(second).toMatchObject({ repetitions: { existing: 1, conflicts } });
});

test('the log keeps bodies, no header, and never a key or token', async () => {
  const platform = await startPlatform();
  const token = await platform.token();
  await platform.post('createNotes', NOTE);
  await platform.request('GET', '/v1/nothing');
  const { text } = await admin(platform, 'GET requests');
  const [notes, nothing] = await logged(platform);
  expect(JSON.parse(notes.request_body)).toEqual(NOTE);
  expect(notes.response_body).toContain('NOTE_CREATION_SUCCESS');
  expect([nothing.request_body, JSON.parse(nothing.response_body).code]).toEqual([undefined, 'not_found']);
  for (const secret of ['all-key', token, 'Token ', 'request_body":"mutation'])
    expect(text).not.toContain(secret);
});

test.each([
  [
    '?check_previously_added=false&force_add_to_current_statement=true',
    'check_previously_added=false&force_add_to_current_statement=true',
  ],
  ['?check_previously_added=false&token=eyJ.secret.x', 'check_previously_added=false&token'],
  ['?eyJ.secret.x', '…'],
  ['?a=eyJ.secret.x=&&b', 'a&…&b'],
  [`?${'k'.repeat(64)}=1&${'k'.repeat(65)}=1`, `${'k'.repeat(64)}&…`],
  ['?-key', '…'],
  ['?key-', '…'],
])('the log keeps the query %s as %s', async (query, kept) => {
  const platform = await startPlatform();
  await platform.post('createTransactions', { ...ACCOUNT, transactions: [charge()] }, { query });
  expect(await logged(platform)).toMatchObject([{ query: kept }]);
});

test('the log names the account of a request and counts its records, although no route has judged it', async () => {
  const platform = await startPlatform();
  const authorization = `Token ${await platform.token()}`;
  const named = { ...ACCOUNT, colour: 'red' };
  const longest = 'S'.repeat(128);
  const post = (path: string, body: unknown) =>
    platform.request('POST', path, {
      body: typeof body === 'string' ? body : JSON.stringify(body),
      headers: { authorization },
    });
  const INSTRUCTION = '/v1/data-import/payment-instruction/create/';
  await post(NOTES, { ...named, notes: [{}, {}] });
  await post(NOTES, { ...named, notes: { 0: {}, length: 1 } });
  await post(NOTES, { ...named, import_supplier: 5, external_account_number: '' });
  await post(NOTES, { ...named, import_supplier: longest, external_account_number: `${longest}S` });
  await post(NOTES, '{');
  await post(NOTES, 'null');
  await post(INSTRUCTION, named);
  await post(INSTRUCTION, { import_supplier: 5, vendor: 'STRIPE' });
  await post(INSTRUCTION, { import_supplier: 5 });
  await platform.request('GET', `${LISTS}/ACME/?page=2`, { headers: { authorization } });
  await platform.request('GET', '/v1/data-import/account-transfer-status/ACME/77/');
  await platform.request('GET', '/v1/nothing');
  const found = (await logged(platform)).map((each) => [
    each.endpoint,
    each.import_supplier,
    each.external_account_number,
    each.records,
  ]);
  expect(found).toEqual([
    ['notes', 'ACME', '1001', 2],
    ['notes', 'ACME', '1001', null],
    ['notes', null, null, null],
    ['notes', longest, null, null],
    ['notes', null, null, null],
    ['notes', null, null, null],
    ['payment-instructions', 'ACME', '1001', 1],
    ['payment-instructions', null, null, 1],
    ['payment-instructions', null, null, null],
    ['lists', 'ACME', null, null],
    ['status', 'ACME', '77', null],
    [null, null, null, null],
  ]);
  // The body of a token request is a secret as a whole.
  await post('/v1/graphql/', ACCOUNT);
  const token = linesOf(await admin(platform, 'GET requests')).at(-1);
  expect([token.endpoint, token.import_supplier, token.external_account_number, token.records]).toEqual([
    'token',
    null,
    null,
    null,
  ]);
});

/** The entry of a request whose connection has ended after 12.37 ms. */
function entryOf(context: object, header?: number): Record<string, unknown> {
  const entries: Record<string, unknown>[] = [];
  const requests = { add: (entry: Record<string, unknown>) => entries.push(entry) };
  const response = Object.assign(new EventEmitter(), {
    writableFinished: true,
    statusCode: 201,
    getHeader: () => header,
  });
  const clock = vi.spyOn(performance, 'now').mockReturnValueOnce(1_000).mockReturnValueOnce(1_012.37);
  onTestFinished(() => clock.mockRestore());
  recordAtEnd(
    { path: '/', queryText: '', faults: [], server: { requests }, response, ...context } as never,
    () => 0,
  );
  response.emit('close');
  expect(entries).toHaveLength(1);
  return entries[0]!;
}

test('an entry has the time of the request in tenths of a millisecond', () => {
  expect(entryOf({})).toMatchObject({ at: '1970-01-01T00:00:00.000Z', duration_ms: 12.4, request_bytes: 0 });
});

test('an answer without a length has none in the log', () => {
  expect(entryOf({})).toMatchObject({ status: 201, response_bytes: null });
  expect(entryOf({}, 77)).toMatchObject({ response_bytes: 77 });
});

test('the log keeps the first part of a long body', () => {
  const body = Buffer.alloc(KEPT_BODY_BYTES + 1, 'x');
  const entry = entryOf({ body });
  expect(entry).toMatchObject({ request_bytes: KEPT_BODY_BYTES + 1 });
  expect(entry['request_body']).toHaveLength(KEPT_BODY_BYTES);
  expect(entry).not.toHaveProperty('response_body');
});

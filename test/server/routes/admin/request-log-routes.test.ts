import { describe, expect, test } from 'vitest';
import { requestLog } from '../../../../src/server/http/request-log.ts';
import { admin, linesOf } from '../../../support/server-admin.ts';
import {
  ACCOUNT,
  charge,
  problemsOf,
  startPlatform,
  statement,
  type TestPlatform,
} from '../../../support/server-platform.ts';

const logged = async (platform: TestPlatform, query = '') =>
  linesOf(await admin(platform, `GET requests${query}`));

const NOTES = '/v1/data-import/notes/create/';

describe('/_local/requests', () => {
  test('lists requests with their answers', async () => {
    const platform = await startPlatform();
    const payload = { ...ACCOUNT, notes: [{ body: 'x' }] };
    const answer = await platform.post('createNotes', payload);
    const [token, notes] = await logged(platform);
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
      request_bytes: JSON.stringify(payload).length,
      response_bytes: answer.text.length,
    });
  });

  test('lists the codes of a refusal in every shape', async () => {
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
    const refused = (await logged(platform)).filter(({ status }) => status >= 400);
    expect(refused.map(({ status, codes }) => [status, ...codes])).toEqual([
      [400, 'note_body_or_document_path_not_found'],
      [400, 'invalid', 'invalid_choice'],
      [400, 'payment_instruction_not_found'],
      [404, 'account_not_found'],
      [401, 'not_authenticated'],
      [404, 'not_found'],
    ]);
  });

  test('can be limited by status, path and time', async () => {
    const platform = await startPlatform();
    await platform.post('createNotes', { ...ACCOUNT, notes: [{ body: 'x' }] });
    platform.clock.nowMs += 60_500;
    await platform.post('createNotes', { ...ACCOUNT, notes: [] }, { query: '?x=1' });
    const seqs = async (query: string) => (await logged(platform, query)).map(({ seq }) => seq);
    expect(await seqs('?status=201')).toEqual([2]);
    expect(await seqs('?status=4xx')).toEqual([4]);
    expect(await seqs(`?path=${NOTES}`)).toEqual([2, 4]);
    expect(await seqs('?since=2026-03-15T12:00:00Z')).toEqual([1, 2, 3, 4]);
    expect(await seqs('?since=2026-03-15T13:01:00.500%2B01:00')).toEqual([3, 4]);
    expect(await seqs('?since=2026-03-15T12:01:00.501Z')).toEqual([]);
    expect(await seqs('?status=none')).toEqual([]);
  });

  test.each([
    ['?status=abc', 'invalid', 'status'],
    ['?status=6xx', 'invalid', 'status'],
    ['?since=yesterday', 'invalid', 'since'],
    ['?state=1', 'unexpected_field', 'state'],
  ])('refuses %s', async (query, code, attr) => {
    const answer = await admin(await startPlatform(), `GET requests${query}`);
    expect([answer.status, ...problemsOf(answer)]).toEqual([400, [code, attr]]);
  });

  test('is empty again after a reset, and has no calls of the admin API', async () => {
    const platform = await startPlatform();
    await platform.token();
    await admin(platform, 'POST reset');
    expect(await logged(platform)).toEqual([]);
    await platform.token();
    expect((await logged(platform)).map(({ seq }) => seq)).toEqual([1]);
  });

  test('has no status for a request whose answer a fault destroyed', async () => {
    const platform = await startPlatform({ faults: { rules: ['notes after-commit reset nth=1'] } });
    await expect(platform.post('createNotes', { ...ACCOUNT, notes: [{ body: 'x' }] })).rejects.toThrow();
    expect((await logged(platform, '?status=none'))[0]).toMatchObject({
      path: NOTES,
      status: null,
      response_bytes: null,
    });
  });

  test('keeps no body unless asked to, no header, and never a key or token', async () => {
    const note = { ...ACCOUNT, notes: [{ body: 'what the customer said' }] };
    const silent = await startPlatform();
    await silent.post('createNotes', note);
    expect((await admin(silent, 'GET requests')).text).not.toContain('customer said');

    const platform = await startPlatform({ logBodies: true });
    const token = await platform.token();
    await platform.post('createNotes', note);
    const { text } = await admin(platform, 'GET requests');
    expect(JSON.parse((await logged(platform, `?path=${NOTES}`))[0].request_body)).toEqual(note);
    expect((await logged(platform, `?path=${NOTES}`))[0].response_body).toContain('NOTE_CREATION_SUCCESS');
    for (const secret of ['all-key', token, 'Token ']) expect(text).not.toContain(secret);
  });
});

test.each([
  [
    '?check_previously_added=false&force_add_to_current_statement=true',
    'check_previously_added=false&force_add_to_current_statement=true',
  ],
  ['?check_previously_added=false&token=eyJ.secret.x', 'check_previously_added=false&token'],
  ['?eyJ.secret.x', '…'],
  ['?a=eyJ.secret.x=&&b', 'a&…&b'],
])('the log keeps the query %s as %s', async (query, kept) => {
  const platform = await startPlatform();
  await platform.post('createTransactions', { ...ACCOUNT, transactions: [charge()] }, { query });
  expect((await logged(platform)).at(-1)).toMatchObject({ query: kept });
});

/** A request for the log. Only its position in the log matters. */
const REQUEST = {
  at: '',
  method: 'GET',
  path: '/',
  query: '',
  endpoint: null,
  import_supplier: null,
  external_account_number: null,
  records: null,
  status: 200,
  codes: [],
  duration_ms: 0,
  request_bytes: 0,
  response_bytes: 0,
};

test('the log keeps the newest requests and forgets the oldest, in their order', () => {
  const log = requestLog({ requests: 3, bodies: 1 });
  const seqs = () => log.list({}).map(({ seq }) => seq);
  for (const expected of [[1], [1, 2], [1, 2, 3], [2, 3, 4], [3, 4, 5], [4, 5, 6], [5, 6, 7]]) {
    log.add(REQUEST);
    expect(seqs()).toEqual(expected);
  }
  log.clear();
  expect(seqs()).toEqual([]);
  log.add(REQUEST);
  expect(seqs()).toEqual([1]);
});

test('the log keeps the bodies of the newest requests only', () => {
  const log = requestLog({ requests: 5, bodies: 2 });
  for (let count = 0; count < 12; count++) {
    log.add({ ...REQUEST, request_body: 'x', response_body: 'y' });
    const kept = log.list({}).map((logged) => 'request_body' in logged || 'response_body' in logged);
    expect(kept).toEqual(kept.map((_, index) => index >= kept.length - 2));
  }
});

import { describe, expect, test } from 'vitest';
import { httpDateMs } from '../../../src/core/values/http-date.ts';
import { ACCOUNT, charge, type Answered } from '../../support/server-platform.ts';
import { faultyPlatform, POSTS } from '../../support/server-faults.ts';
import { transactions } from '../../support/server-transactions.ts';

/** The answer to the notes of `POSTS` with one rule active. */
async function answered(rule: string): Promise<Answered> {
  const platform = await faultyPlatform([rule]);
  return platform.post('createNotes', POSTS.notes.payload);
}

describe('an answer by a rule', () => {
  test.each([
    [401, 'authentication_failed'],
    [403, 'permission_denied'],
    [408, 'error'],
    [413, 'payload_too_large'],
    [429, 'throttled'],
    [500, 'error'],
    [599, 'error'],
  ])('with status %i has the body of the platform for it', async (status, code) => {
    const answer = await answered(`notes accept status=${status}`);
    expect([answer.status, answer.body.code]).toEqual([status, code]);
    expect(answer.headers.get('www-authenticate')).toBe(status === 401 ? 'Token' : null);
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
  });

  test.each([
    ['status=502 html', 502, '<h1>502 Bad Gateway</h1>'],
    ['html', 200, '<h1>Welcome to this network</h1>'],
    [`html body='<p>Log in</p>'`, 200, '<p>Log in</p>'],
  ])('with %s is a page', async (fault, status, text) => {
    const answer = await answered(`notes after-commit ${fault}`);
    expect(answer.status).toBe(status);
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(answer.text).toContain(text);
  });

  test('has the body of the rule', async () => {
    const body = JSON.stringify({ detail: 'closed', errors: [] });
    expect((await answered(`notes accept status=400 body='${body}'`)).text).toBe(body);
  });

  test('asks to wait until a date after the date of the answer', async () => {
    const { headers } = await answered('notes accept status=503 retry-after-date=90');
    expect(httpDateMs(headers.get('retry-after')!)! - httpDateMs(headers.get('date')!)!).toBe(90_000);
  });
});

describe('the results of an answer', () => {
  const idsUnder = async (fault: string): Promise<readonly string[]> => {
    const platform = await faultyPlatform([`transactions after-commit ${fault}`]);
    const { body } = await platform.post('createTransactions', POSTS.transactions.payload);
    expect(await platform.ledger()).toHaveLength(3);
    return body.results.map(
      (result: { transaction_data: { transaction_id: string } }) => result.transaction_data.transaction_id,
    );
  };

  test.each([
    ['missing', 't-1 t-2'],
    ['doubled', 't-1 t-2 t-3 t-3'],
    ['reordered', 't-3 t-2 t-1'],
    ['extra', 't-1 t-2 t-3 sent-by-nobody'],
    ['failing', 't-1 t-2 t-3'],
  ])('%s: %s', async (fault, ids) => {
    expect((await idsUnder(fault)).join(' ')).toBe(ids);
  });
});

test('a rule whose times are over only when it has hit so often fires at its turn', async () => {
  const platform = await faultyPlatform(['notes after-commit status=500 every=2 times=1']);
  const statuses = [];
  for (let request = 0; request < 4; request++)
    statuses.push((await platform.post('createNotes', POSTS.notes.payload)).status);
  expect(statuses).toEqual([201, 500, 201, 201]);
});

test('one result is never reordered, and failing before the commit it is not stored', async () => {
  const faults = ['notes after-commit reordered', 'notes before-commit failing times=1'];
  const platform = await faultyPlatform(faults);
  const send = () => platform.post('createNotes', { ...ACCOUNT, notes: [{ body: 'one' }] });
  const words = [(await send()).body[0].status, (await send()).body[0].status];
  expect(words).toEqual(['NOTE_CREATION_ERROR', 'NOTE_CREATION_SUCCESS']);
  expect(platform.faults.unused()).toEqual([faults[0]]);
});

test('swapped answers as the request before, never as the request itself', async () => {
  const platform = await faultyPlatform(['transactions after-commit swapped']);
  const post = (transaction_id: string) =>
    platform.post('createTransactions', transactions(charge({ transaction_id })));
  const results = [];
  for (const id of ['a', 'a', 'b', 'c', 'c']) {
    const [{ status, transaction_data: data }] = (await post(id)).body.results;
    results.push(`${data.transaction_id} ${/ADDED|EXISTS/.exec(status)![0]}`);
  }
  expect(results).toEqual(['a ADDED', 'a EXISTS', 'a EXISTS', 'b ADDED', 'c EXISTS']);
  expect(await platform.ledger()).toHaveLength(3);
  // A request without another one before it is no hit.
  const { rules } = (await platform.request('GET', '/_local/faults')).body;
  expect(rules).toMatchObject([{ seen: 2, hits: 2 }]);
});

describe('expire-tokens', () => {
  test('invalidates the tokens issued before, that of the request included, and no later token', async () => {
    const platform = await faultyPlatform(['notes accept expire-tokens every=2']);
    const token = await platform.token();
    const send = (with_: string) =>
      platform.request('POST', '/v1/data-import/notes/create/', {
        body: JSON.stringify({ ...ACCOUNT, notes: [{ body: 'x' }] }),
        headers: { authorization: `Token ${with_}` },
      });
    expect((await send(token)).status).toBe(201);
    const ended = await send(token);
    expect([ended.status, ended.body.code]).toEqual([401, 'authentication_failed']);
    expect((await send(await platform.token())).status).toBe(201);
  });

  test('answers 401 itself when chance decides', async () => {
    const platform = await faultyPlatform(['notes accept expire-tokens p=1 times=1']);
    expect((await platform.post('createNotes', POSTS.notes.payload)).status).toBe(401);
    expect(await platform.ledger()).toEqual([]);
    expect((await platform.post('createNotes', POSTS.notes.payload)).status).toBe(201);
  });
});

describe('the attempt of a payload', () => {
  test('is counted over its tries, whatever the query', async () => {
    const platform = await faultyPlatform(['transactions accept status=500 attempt=2']);
    const post = (id: string, query = '') =>
      platform.post('createTransactions', transactions(charge({ transaction_id: id })), { query });
    const statuses = [];
    for (const [id, query] of [['a'], ['b'], ['a', '?check_previously_added=true'], ['b'], ['a']] as const)
      statuses.push((await post(id, query)).status);
    expect(statuses).toEqual([201, 201, 500, 500, 201]);
  });
});

test('a rule about an account finds the account in the body and in the path', async () => {
  const platform = await faultyPlatform(['any after-commit status=500 account=1001']);
  const other = { import_supplier: 'BETA', external_account_number: '2001' };
  expect((await platform.post('createNotes', POSTS.notes.payload)).status).toBe(500);
  expect((await platform.post('createNotes', { ...POSTS.notes.payload, ...other })).status).toBe(201);
  const statusOf = (importSupplier: string, externalAccountNumber: string) =>
    platform.get('accountTransferStatus', { importSupplier, externalAccountNumber });
  expect((await statusOf('ACME', '1001')).status).toBe(500);
  expect((await statusOf('BETA', '2001')).status).toBe(200);
});

import { expect, test } from 'vitest';
import { ACCOUNT, charge, startPlatform, type TestPlatform } from '../../support/server-platform.ts';

type Sent = Parameters<TestPlatform['request']>[2];

/** The next step that the log shows for the first problem of a request. */
async function adviceFor(platform: TestPlatform, method: string, path: string, sent: Sent = {}) {
  await platform.request(method, path, sent);
  const { body } = await platform.request('GET', '/_local/requests/newest?limit=1');
  const { body: logged } = await platform.request('GET', `/_local/requests/${body.requests[0].seq}`);
  return logged.problems[0].next as string;
}

const NOTES = '/v1/data-import/notes/create/';
const SEND = 'send `Authorization: Token <token>`';

test.each([
  [
    'no header',
    {},
    `You sent no header Authorization; ${SEND}. POST /v1/graphql/ gives a token for an API key.`,
  ],
  ['another scheme', { authorization: 'Bearer abc' }, `You sent the scheme Bearer; ${SEND}.`],
  ['a token alone', { authorization: 'abc.def' }, `You sent a token without its scheme; ${SEND}.`],
  [
    'a long word before another',
    { authorization: `${'k'.repeat(40)} x` },
    `You sent a token without its scheme; ${SEND}.`,
  ],
  ['the scheme alone', { authorization: 'Token' }, `You sent no token; ${SEND}.`],
  ['two tokens', { authorization: 'Token a b' }, `You sent more than a token; ${SEND}.`],
  [
    'a token of somebody else',
    { authorization: 'Token abc' },
    'Ask for a new token: it ends after its time and with a restart, and an API key is no token.',
  ],
] as const)('a client that sends %s reads what to send', async (_, headers, advice) => {
  const platform = await startPlatform();
  expect(await adviceFor(platform, 'POST', NOTES, { headers, body: '{}' })).toBe(advice);
});

test.each([
  ['/v1/data-import/notes/create', `Did you mean ${NOTES} (with the slash)?`],
  ['/v1//data-import/notes/create/', `Did you mean ${NOTES} (with single slashes)?`],
  ['/data-import/notes/create', `Did you mean ${NOTES}?`],
  ['/v1/data-import/note/create/', `Did you mean ${NOTES}?`],
  [
    '/v1/data-import/all-account-import-processes/ACME',
    'Did you mean /v1/data-import/all-account-import-processes/ACME/ (with the slash)?',
  ],
  ['/v1/customers/', 'Compare the path with /_local/openapi.json.'],
])('a client that asks for %s reads which path it means', async (path, advice) => {
  expect(await adviceFor(await startPlatform(), 'POST', path, { body: '{}' })).toBe(advice);
});

test('a client that uses another method reads which', async () => {
  const platform = await startPlatform();
  const headers = { authorization: `Token ${await platform.token()}` };
  expect(await adviceFor(platform, 'GET', NOTES, { headers })).toBe('Send POST.');
});

test.each([
  [
    'a number for a text',
    { ...ACCOUNT, external_account_number: 1001 },
    '`external_account_number` is a number; it has to be text.',
  ],
  ['a list for an object', [], 'The body is a list; it has to be an object.'],
  [
    'a wrong date',
    { ...ACCOUNT, transactions: [charge({ transaction_date: '1.2.2026' })] },
    '`transactions.0.transaction_date` has to be a calendar date YYYY-MM-DD.',
  ],
  [
    'an unknown account',
    { ...ACCOUNT, external_account_number: '9', transactions: [charge()] },
    'Send it once the account is imported, not only staged: `GET …/imported-account-import-processes/ACME/` lists it then.',
  ],
])('a client that sends %s reads about its request', async (_, payload, advice) => {
  const platform = await startPlatform();
  const headers = { authorization: `Token ${await platform.token()}` };
  const body = JSON.stringify(payload);
  const told = await adviceFor(platform, 'POST', '/v1/data-import/transactions/create/', { headers, body });
  expect(told).toBe(advice);
});

test('the client of this toolkit reads about its cells', async () => {
  const platform = await startPlatform();
  const headers = {
    authorization: `Token ${await platform.token()}`,
    'user-agent': 'dataimport/1.2.3',
  };
  const body = JSON.stringify({ ...ACCOUNT, transactions: [charge({ transaction_date: '1.2.2026' })] });
  const told = await adviceFor(platform, 'POST', '/v1/data-import/transactions/create/', { headers, body });
  expect(told).toBe('Correct the cell in the source file.');
});

import { expect, test, vi } from 'vitest';
import { admin, linesOf } from '../../support/server-admin.ts';
import { exchange } from '../../support/server-bytes.ts';
import { faultyPlatform } from '../../support/server-faults.ts';
import {
  ACCOUNT,
  charge,
  startPlatform,
  supplyCharge,
  type TestPlatform,
} from '../../support/server-platform.ts';

type Sent = Parameters<TestPlatform['request']>[2];

/** The next step that the log shows for the first problem of a request. */
async function adviceFor(platform: TestPlatform, method: string, path: string, sent: Sent = {}) {
  await platform.request(method, path, sent);
  return newestAdvice(platform);
}

/** The newest request in the log. */
async function newestIn(platform: TestPlatform) {
  const { body } = await platform.request('GET', '/_local/requests/newest?limit=1');
  return (await platform.request('GET', `/_local/requests/${body.requests[0].seq}`)).body;
}

const newestAdvice = async (platform: TestPlatform) => (await newestIn(platform)).problems[0].next as string;

const NOTES = '/v1/data-import/notes/create/';
const NO_TOKEN =
  'You sent no token of this platform; send the `token` that POST /v1/graphql/ answers, without quotes. An API key is no token.';
const NOT_ISSUED =
  'This platform has not issued this token since its start, or it is not whole; send the `token` that POST /v1/graphql/ answers.';
const NO_CORS =
  'This API has no CORS, so a browser does not call it for a page of another origin: call it from a server, or through a proxy of your own.';
const OPENAPI = 'Compare the path with /_local/openapi.json.';
const SEND = 'send `Authorization: Token <token>`';
const LISTED =
  'The supplier has no account with this number: `GET …/all-account-import-processes/ACME/` lists its accounts.';

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
  ['a token of somebody else', { authorization: 'Token a.b.c' }, NOT_ISSUED],
  ['the beginning of a token', { authorization: 'Token eyJhbGciOiJIUzI1NiJ9.eyJz' }, NOT_ISSUED],
  ['an API key for a token', { authorization: 'Token local-key' }, NO_TOKEN],
  ['a token behind a quote', { authorization: 'Token "a.b.c' }, NO_TOKEN],
  ['a token before a quote', { authorization: 'Token a.b.c"' }, NO_TOKEN],
  ['the first part of a token', { authorization: 'Token eyJhbGciOiJIUzI1NiJ9' }, NOT_ISSUED],
  ['two spaces before a token', { authorization: 'Token  a.b.c' }, NOT_ISSUED],
  // The word may be the secret itself.
  ['one word', { authorization: 'secret' }, `You sent a token without its scheme; ${SEND}.`],
  ['the word undefined', { authorization: 'Token undefined' }, NO_TOKEN],
] as const)('a client that sends %s reads what to send', async (_, headers, advice) => {
  const platform = await startPlatform();
  expect(await adviceFor(platform, 'POST', NOTES, { headers, body: '{}' })).toBe(advice);
});

test('a client with a token of another use, or one that has ended, reads which', async () => {
  const platform = await startPlatform();
  const query = 'mutation { obtainPlatformToken(input: {APIKey: "all-key"}) { token refreshToken } }';
  const { body } = await platform.request('POST', '/v1/graphql/', { body: JSON.stringify({ query }) });
  const { token, refreshToken } = body.data.obtainPlatformToken;
  const sent = (text: string) =>
    adviceFor(platform, 'POST', NOTES, { headers: { authorization: `Token ${text}` }, body: '{}' });
  expect(await sent(refreshToken)).toBe(
    'You sent the refresh token; send the `token` of the same answer, and the refresh token to POST /v1/graphql/ alone.',
  );
  expect(await sent(token.slice(0, -5))).toBe(NOT_ISSUED);
  const rules = ['token accept expire-tokens'];
  for (let times = 0; times < 2; times++) {
    await platform.request('POST', '/_local/faults', { body: JSON.stringify({ rules }) });
    await platform.request('POST', '/v1/graphql/', { body: JSON.stringify({ query }) });
    expect(await sent(token)).toBe('Ask for a new token: it ends after its time and with a restart.');
  }
  expect(await sent(refreshToken)).toContain('You sent the refresh token');
});

test('a client that sends the header Authorization twice reads to send it once', async () => {
  const platform = await startPlatform();
  const header = `Authorization: Token ${await platform.token()}\r\n`;
  await exchange(platform.port, `POST ${NOTES} HTTP/1.1\r\nHost: localhost\r\n${header}${header}\r\n`);
  await vi.waitFor(async () => expect((await newestIn(platform)).status).toBe(401));
  expect(await newestAdvice(platform)).toBe(`You sent the header Authorization twice; ${SEND} once.`);
});

test('a browser that asks for another origin reads that there is no CORS, and a program which method to send', async () => {
  const platform = await startPlatform();
  const headers = { origin: 'http://localhost:3000', 'access-control-request-method': 'POST' };
  expect(await adviceFor(platform, 'OPTIONS', NOTES, { headers })).toBe(NO_CORS);
  expect(await adviceFor(platform, 'OPTIONS', NOTES)).toBe('Send POST.');
  expect(await adviceFor(platform, 'PUT', NOTES, { headers: await ownPageOf(platform) })).toBe('Send POST.');
});

/** The headers of a page that the platform itself has served. */
const ownPageOf = async (platform: TestPlatform) => ({
  origin: platform.url,
  authorization: `Token ${await platform.token()}`,
});

test.each([
  [
    "{'notes': []}",
    'Look at character 2. There is a single quote, and JSON has double ones; send it with `json=` or `json.dumps(…)`, because `str(…)` is the text of Python.',
  ],
  [
    '{"is_pinned": True}',
    'Look at character 15. There is a word of Python; send it with `json=` or `json.dumps(…)`, because `str(…)` is the text of Python.',
  ],
  [
    '{"amount": NaN}',
    'Look at character 12. There is NaN or Infinity, and JSON has no such number; send the number itself.',
  ],
  ['{"a": 1, "a": 2}', 'Look at character 10. The key there is in the object already; send it once.'],
  ['{"a": 1,}', 'Look at character 9. A value is missing here, perhaps behind a comma too many.'],
  [
    '{"notes": [',
    'Look at character 12. The body ends too early; compare its length with what the client means to send.',
  ],
  [
    '[object Object]',
    'Look at character 2. The body is the text of a JavaScript object; send `JSON.stringify(…)` of it.',
  ],
  ['{"a": undefined}', 'Look at character 7. There is `undefined`; leave the field out.'],
  ['', 'You sent no body: send the JSON document.'],
  ['a=b', 'Send one JSON document in UTF-8, without a byte order mark.'],
])('a client that sends %s reads where it is no JSON', async (body, advice) => {
  const platform = await startPlatform();
  const headers = {
    authorization: `Token ${await platform.token()}`,
    'content-type': 'application/json',
  };
  expect(await adviceFor(platform, 'POST', NOTES, { headers, body })).toBe(advice);
});

test.each([
  ['the lists', 'all-account-import-processes/ACME/?page=2'],
  ['the status', 'account-transfer-status/ACME/1001/?page=2'],
])('a client that asks %s for a page is refused, so that it does not go on for ever', async (_, path) => {
  const platform = await startPlatform();
  const headers = { authorization: `Token ${await platform.token()}` };
  const answer = await platform.request('GET', `/v1/data-import/${path}`, { headers });
  expect([answer.status, answer.body.errors[0]]).toMatchObject([
    400,
    { code: 'unexpected_field', attr: 'page' },
  ]);
  expect(await newestAdvice(platform)).toContain('its answer has everything, without pages');
});

test('a client whose amount is not the sum of its items reads both', async () => {
  const wrong = supplyCharge({ amount: 12 });
  const platform = await startPlatform();
  const headers = { authorization: `Token ${await platform.token()}` };
  const body = JSON.stringify({ ...ACCOUNT, transactions: [wrong] });
  expect(
    await adviceFor(platform, 'POST', '/v1/data-import/transactions/create/', { headers, body }),
  ).toMatch(
    /^The amount is 12, and its items add up to 53\.24\. Correct `transactions\.0\.amount` in the request\.$/,
  );
});

test.each([
  ['/v1/data-import/notes/create', `Did you mean ${NOTES} (with the slash)?`],
  ['/v1//data-import/notes/create/', `Did you mean ${NOTES} (with single slashes)?`],
  ['/data-import/notes/create', `Did you mean ${NOTES}?`],
  ['/v1/data-import/note/create/', `Did you mean ${NOTES}?`],
  ['/v1/data-import/create/notes/', `Did you mean ${NOTES}?`],
  ['/v2/import/createNotes', `Did you mean ${NOTES}?`],
  ['/v1/data-import/statements/create/', 'Did you mean /v1/data-import/historical-statements/create/?'],
  ['/v1/data-import/payments/create/', 'Did you mean /v1/data-import/payment-instruction/create/?'],
  ['/v1/data-import/tranactions/', 'Did you mean /v1/data-import/transactions/create/?'],
  ['/v1/token/', 'Did you mean /v1/graphql/?'],
  [
    '/v1/data-import/pending-accounts/ACME/',
    'Did you mean /v1/data-import/pending-account-import-processes/<import-supplier-code>/ with GET?',
  ],
  ['/v1/data-import/bills/create/', OPENAPI],
  ['/v1/data-import/create/', OPENAPI],
  [
    '/v1/data-import/all-account-import-processes/ACME',
    'Did you mean /v1/data-import/all-account-import-processes/ACME/ (with the slash)?',
  ],
  ['/v1/customers/', OPENAPI],
])('a client that asks for %s reads which path it means', async (path, advice) => {
  expect(await adviceFor(await startPlatform(), 'POST', path, { body: '{}' })).toBe(advice);
});

test('a client that uses another method reads which', async () => {
  const platform = await startPlatform();
  const headers = { authorization: `Token ${await platform.token()}` };
  expect(await adviceFor(platform, 'GET', NOTES, { headers })).toBe('Send POST.');
  const list = '/v1/data-import/all-account-import-processes/ACME/';
  expect(await adviceFor(platform, 'POST', list, { headers, body: '{}' })).toBe('Send GET.');
});

const NO_TYPE = 'You sent a content-type that is none; send `content-type: application/json`.';

test.each([
  [
    { 'content-type': 'text/plain' },
    'You sent `content-type: text/plain`; send `content-type: application/json`.',
  ],
  [
    { 'content-type': 'application/json; charset=latin1' },
    'You sent another charset than UTF-8; send `content-type: application/json`, and UTF-8.',
  ],
  [{ 'content-type': '<b>' }, NO_TYPE],
  [{ 'content-type': '<b> text/plain' }, NO_TYPE],
  [{ 'content-type': 'text/plain <b>' }, NO_TYPE],
  [{ 'content-type': 'x/application/json' }, NO_TYPE],
  [
    { 'content-type': 'text/plain;q=1', 'content-encoding': 'Identity' },
    'You sent `content-type: text/plain`; send `content-type: application/json`.',
  ],
  [
    { 'content-encoding': 'gzip' },
    'You sent the body compressed; send it as it is, without `content-encoding`.',
  ],
])('a client whose body has %j reads what to send instead', async (sent, advice) => {
  const platform = await startPlatform();
  const headers = { authorization: `Token ${await platform.token()}`, ...sent };
  expect(await adviceFor(platform, 'POST', NOTES, { headers, body: '{}' })).toBe(advice);
});

test('a client that names no content type reads which to send', async () => {
  const platform = await startPlatform();
  const headers = { authorization: `Token ${await platform.token()}` };
  expect(await adviceFor(platform, 'POST', NOTES, { headers })).toBe(
    'You sent no header content-type; send `content-type: application/json`.',
  );
});

test.each([
  [
    'a wrong key',
    'mutation { obtainPlatformToken(input: {APIKey: "x"}) { token } }',
    'Send a key of this platform',
  ],
  ['another query', 'query { me }', 'Begin the query with `mutation`'],
  [
    'another mutation',
    'mutation { obtainPlatformTokens(input: {APIKey: "x"}) { token } }',
    'Compare the request with the one that the page',
  ],
  [
    'single quotes',
    "mutation { obtainPlatformToken(input: {APIKey: 'x'}) { token } }",
    'Put texts into double quotes',
  ],
  ['no input', 'mutation { obtainPlatformToken(APIKey: "x") { token } }', 'Put the key into `input: {…}`'],
  [
    'a key in small letters',
    'mutation { obtainPlatformToken(input: {apiKey: "all-key"}) { token } }',
    'Write the argument `APIKey` with its capitals.',
  ],
  [
    'another field',
    'mutation { obtainPlatformToken(input: {APIKey: "all-key"}) { accessToken } }',
    'Ask for token, refreshToken, refreshExpiresIn, payload.',
  ],
])('a client that asks for a token with %s reads that the answer 200 is none', async (_, query, advice) => {
  const body = JSON.stringify({ query });
  const told = await adviceFor(await startPlatform(), 'POST', '/v1/graphql/', { body });
  expect(told).toContain(advice);
  expect(told).toContain('look');
});

test('a wrong key is shown with the rule about keys, and the log keeps no text of the query', async () => {
  const platform = await startPlatform();
  const ask = async (key: string, field: string) => {
    const query = `mutation { obtainPlatformToken(input: {APIKey: "${key}"}) { ${field} } }`;
    await platform.request('POST', '/v1/graphql/', { body: JSON.stringify({ query }) });
    return newestIn(platform);
  };
  const wrong = await ask('a-secret', 'token');
  expect(wrong).toMatchObject({
    codes: ['authentication_failed'],
    problems: [{ attr: '', field: 'APIKey', rule: { name: 'token-mutation-form' } }],
  });
  expect(JSON.stringify(wrong)).not.toContain('a-secret');
  expect(JSON.stringify(await ask('all-key', 'x'.repeat(5_000)))).not.toContain('xxx');
});

const STATUS = '/v1/data-import/account-transfer-status';
const OWN_CLIENT = { 'user-agent': 'dataimport/1.2.3' };

test('a client that uses another host name, or a page of another site, reads how to reach the platform', async () => {
  const platform = await startPlatform();
  const port = Number(new URL(platform.url).port);
  await exchange(port, 'GET /v1/graphql/ HTTP/1.1\r\nHost: platform:4010\r\n\r\n');
  // The log has a request a moment after its client has the answer.
  await vi.waitFor(async () => expect((await newestIn(platform)).status).toBe(421));
  expect(await newestAdvice(platform)).toBe(
    'Send to the address that `serve` prints, or let it listen on a network with `--host` and `--allow-network`, which takes any name.',
  );
  const headers = { origin: 'http://localhost:3000' };
  expect(await adviceFor(platform, 'POST', NOTES, { headers, body: '{}' })).toBe(NO_CORS);
});

/** The problems of the newest request, as the log keeps them. */
const keptProblems = async (platform: TestPlatform) =>
  linesOf(await admin(platform, 'GET requests')).at(-1).problems as unknown;

test('the log says what the answer said, and to the client of this toolkit no more', async () => {
  const platform = await startPlatform();
  const headers = { authorization: `Token ${await platform.token()}`, 'user-agent': 'a client/1.0' };
  const { body } = await platform.request('GET', `${STATUS}/ACME/9/`, { headers });
  const said = { code: 'account_not_found', attr: '', detail: body.detail };
  expect(await keptProblems(platform)).toEqual([{ ...said, next: LISTED }]);
  await platform.request('GET', `${STATUS}/ACME/9/`, { headers: { ...headers, ...OWN_CLIENT } });
  expect(await keptProblems(platform)).toEqual([said]);
});

test.each([
  [
    'of the table',
    { errors: [{ code: 'throttled' }] },
    'throttled',
    'Wait as long as `Retry-After` says, then send the same request again.',
  ],
  ['that no table has', { detail: 'No.', code: 'own' }, 'own', undefined],
  [
    'about an account that the request does not name',
    { detail: 'No.', code: 'account_not_found' },
    'account_not_found',
    LISTED.replace('ACME', 'CODE'),
  ],
])('the answer of a fault with a code %s is no sentence of the platform', async (_, body, code, next) => {
  const platform = await faultyPlatform([`notes accept status=400 body='${JSON.stringify(body)}'`]);
  await platform.post('createNotes', {});
  expect(await keptProblems(platform)).toEqual([{ code, attr: '', detail: '', ...(next && { next }) }]);
});

test('a client that asks for the list of a supplier without accounts reads that the platform was told to answer 404', async () => {
  const platform = await startPlatform({ behaviour: { emptyListStatus: 404 } });
  const headers = { authorization: `Token ${await platform.token()}` };
  const list = '/v1/data-import/all-account-import-processes/EMPTY/';
  expect(await adviceFor(platform, 'GET', list, { headers })).toBe(
    'The supplier has no account for this list: this platform answers 404 then.',
  );
});

test('a client reads the path of the token mutation, also where it was moved', async () => {
  const platform = await startPlatform({ behaviour: { tokenPath: '/auth/' } });
  const asked = (path: string) => adviceFor(platform, 'POST', path, { body: '{}' });
  expect(await asked('/auth')).toBe('Did you mean /auth/ (with the slash)?');
  expect(await asked('/auth/tokens?key=1')).toBe('Did you mean /auth/?');
  expect(await asked('/v1/graphql')).toBe(OPENAPI);
});

test.each([
  ['an account that was never staged', `${STATUS}/ACME/9/`, LISTED],
  ['a mistyped supplier', `${STATUS}/ACNE/1001/`, 'Did you mean the import supplier ACME?'],
  ['the account before its supplier', `${STATUS}/1001/ACME/`, 'Name the supplier first, then the account.'],
  [
    'the list of an unknown supplier',
    '/v1/data-import/all-account-import-processes/X/',
    'No import supplier has this code; the platform has ACME.',
  ],
])('a client that asks for %s reads what there is', async (_, path, advice) => {
  const platform = await startPlatform({ seeds: [] });
  const headers = { authorization: `Token ${await platform.token('local-key')}` };
  expect(await adviceFor(platform, 'GET', path, { headers })).toBe(advice);
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
    'The supplier has no account with this number: `GET …/all-account-import-processes/ACME/` lists its accounts.',
  ],
  ['no object but its text', JSON.stringify(ACCOUNT), 'The body is text; it has to be an object.'],
  [
    'a query parameter in the body',
    { ...ACCOUNT, transactions: [charge()], check_previously_added: false },
    'Move it into the query, because it is no field: `POST /v1/data-import/transactions/create/?check_previously_added=false`.',
  ],
  [
    'a mistyped field',
    { ...ACCOUNT, transactions: [charge({ transactionDate: '2026-02-01' })] },
    'Did you mean `transaction_date`?',
  ],
  [
    'a field of no record',
    { ...ACCOUNT, transactions: [charge({ colour: 'red' })] },
    'Remove it; only documented fields may be sent (interface.md 2.1).',
  ],
  [
    'the account in a record',
    { ...ACCOUNT, transactions: [charge({ import_supplier: 'ACME' })] },
    'Move it out of the record, beside `transactions`: all records of a request are of one account.',
  ],
  [
    'too many decimals',
    { ...ACCOUNT, transactions: [charge({ amount: 1.234 })] },
    'Nothing is rounded: send the exact amount, with at most 2 digits after the decimal point.',
  ],
  [
    'the records of another path',
    { ...ACCOUNT, notes: [{ body: 'x' }] },
    'Send `notes` to POST /v1/data-import/notes/create/, because each path takes records of one kind.',
  ],
  [
    'a number that a float would change',
    { ...ACCOUNT, transactions: [charge({ amount: JSON.rawJSON('12345678901234567.89') })] },
    '`transactions.0.amount` is a number; it has to be text with the same digits, because a float would change them.',
  ],
  [
    'a field of a record beside the records',
    { ...ACCOUNT, transactions: [charge()], amount: 5 },
    'Move it into each record of `transactions`.',
  ],
])('a client that sends %s reads about its request', async (_, payload, advice) => {
  const platform = await startPlatform();
  const headers = { authorization: `Token ${await platform.token()}` };
  const body = JSON.stringify(payload);
  const told = await adviceFor(platform, 'POST', '/v1/data-import/transactions/create/', { headers, body });
  expect(told).toBe(advice);
});

test.each([
  [
    'notes/create/',
    { ...ACCOUNT, transactions: [] },
    'transactions',
    'Send `transactions` to POST /v1/data-import/transactions/create/, because each path takes records of one kind.',
  ],
  [
    'payment-instruction/create/',
    { ...ACCOUNT, vendor: 'STRIPE', reference: 'pi_1', type: 'card' },
    '',
    'The vendor has this `reference` with another `type`: compare it. The interface shows BPAY, CARD, CUSTOM, DIRECT_DEBIT, GMO_REFUND, PAYMENT_SLIP, in capitals.',
  ],
  [
    'historical-statements/create/',
    { ...ACCOUNT, historical_statements: [], statements: [{}] },
    'historical_statements',
    'Did you mean `statements`?',
  ],
  [
    'payment-instruction/create/',
    { ...ACCOUNT, payment_instructions: [{}], vendor: 'STRIPE', reference: 'pi_1', type: 'CARD' },
    'payment_instructions',
    'Send one record in a request, with its fields beside `import_supplier`.',
  ],
  [
    'payment-instruction/create/',
    { ...ACCOUNT, vendor: 'STRIP', reference: 'pi_1', type: 'CARD' },
    'vendor',
    'Did you mean the payment vendor STRIPE?',
  ],
  [
    'transactions/create/?check_previous_added=false',
    { ...ACCOUNT, transactions: [charge()] },
    'check_previous_added',
    'Did you mean the query parameter `check_previously_added`?',
  ],
  [
    'notes/create/?check_previously_added=false',
    { ...ACCOUNT, notes: [{ body: 'x' }] },
    'check_previously_added',
    'Leave it out: this endpoint has no such query parameter.',
  ],
])('a client that sends %s with %j reads about %s', async (path, payload, attr, advice) => {
  const platform = await startPlatform({ seeds: [] });
  const headers = { authorization: `Token ${await platform.token('local-key')}` };
  await platform.request('POST', `/v1/data-import/${path}`, { headers, body: JSON.stringify(payload) });
  const logged = await newestIn(platform);
  const told = (logged.problems as { attr: string; next: string }[]).find((each) => each.attr === attr);
  expect(told?.next).toBe(advice);
});

test('the client of this toolkit reads about its cells', async () => {
  const platform = await startPlatform();
  const headers = {
    authorization: `Token ${await platform.token()}`,
    ...OWN_CLIENT,
  };
  const body = JSON.stringify({ ...ACCOUNT, transactions: [charge({ transaction_date: '1.2.2026' })] });
  const told = await adviceFor(platform, 'POST', '/v1/data-import/transactions/create/', { headers, body });
  expect(told).toBe('Correct the cell in the source file.');
});

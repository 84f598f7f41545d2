import { expect, test } from 'vitest';
import { ENDPOINTS } from '../../../src/core/contract/endpoints.ts';
import { ACCOUNT, problemsOf, startPlatform, type TestPlatform } from '../../support/server-platform.ts';
import { firstLineOf, rawRequest } from '../../support/server-raw-http.ts';

const NOTES = ENDPOINTS.createNotes.path;
const GOOD = JSON.stringify({ ...ACCOUNT, notes: [{ body: 'x' }] });

async function postNotes(
  platform: TestPlatform,
  body: string | Uint8Array,
  headers: Record<string, string> = {},
) {
  return platform.request('POST', NOTES, {
    body,
    headers: { authorization: `Token ${await platform.token()}`, ...headers },
  });
}

test.each([
  { what: 'empty', body: '' },
  { what: 'spaces', body: '  \n' },
  { what: 'cut', body: GOOD.slice(0, -1) },
  { what: 'with a trailing comma', body: '{"a":1,}' },
  { what: 'with a comment', body: '{} // x' },
  { what: 'two documents', body: `${GOOD}\n${GOOD}` },
  { what: 'with NaN', body: '{"a":NaN}' },
  { what: 'with a leading zero', body: '{"a":01}' },
  { what: 'with a key twice', body: '{"import_supplier":"A","import_supplier":"B"}' },
  { what: 'with a key twice, once escaped', body: '{"notes":1,"n\\u006ftes":2}' },
  { what: 'nested 100,000 deep', body: '['.repeat(100_000) + ']'.repeat(100_000) },
  { what: 'with a byte order mark', body: new Uint8Array([0xef, 0xbb, 0xbf, ...Buffer.from(GOOD)]) },
  {
    what: 'with a byte that is not UTF-8',
    body: Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xff]), Buffer.from('"}')]),
  },
  {
    what: 'with an overlong byte pair',
    body: Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xc0, 0xaf]), Buffer.from('"}')]),
  },
  { what: 'in UTF-16', body: new Uint8Array(Buffer.from(GOOD, 'utf16le')) },
])('a body that is $what is a parse_error', async ({ body }) => {
  const platform = await startPlatform();
  const answer = await postNotes(platform, body);
  expect(answer.status).toBe(400);
  expect(answer.body).toEqual({
    detail: expect.any(String),
    code: 'parse_error',
    errors: [{ detail: answer.body.detail, code: 'parse_error', attr: null }],
  });
  expect(await platform.ledger()).toEqual([]);
  expect(platform.unexpected).toEqual([]);
});

test('a body with a byte order mark, or not JSON in UTF-8, is refused with the reason', async () => {
  const platform = await startPlatform();
  const marked = await postNotes(platform, new Uint8Array([0xef, 0xbb, 0xbf, ...Buffer.from(GOOD)]));
  expect(marked.body.detail).toContain('byte order mark');
  const latin = { 'content-type': 'application/json; charset=iso-8859-1' };
  expect((await postNotes(platform, GOOD, latin)).body.detail).toContain('charset');
  const packed = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
  expect((await postNotes(platform, GOOD, packed)).body.detail).toContain('compressed');
});

test.each([
  {
    body: { notes: [{ body: 'x' }] },
    problems: [
      ['required', 'import_supplier'],
      ['required', 'external_account_number'],
    ],
  },
  { body: { ...ACCOUNT, import_supplier: null, notes: [{}] }, problems: [['null', 'import_supplier']] },
  { body: { ...ACCOUNT, import_supplier: 5, notes: [{}] }, problems: [['invalid', 'import_supplier']] },
  { body: { ...ACCOUNT, import_supplier: ' ', notes: [{}] }, problems: [['blank', 'import_supplier']] },
  {
    body: { ...ACCOUNT, external_account_number: 'x'.repeat(129), notes: [{}] },
    problems: [['max_length', 'external_account_number']],
  },
  { body: { ...ACCOUNT, notes: [] }, problems: [['empty', 'notes']] },
  { body: { ...ACCOUNT, notes: 'x' }, problems: [['not_a_list', 'notes']] },
  { body: { ...ACCOUNT, notes: [{}], extra: 1 }, problems: [['unexpected_field', 'extra']] },
])('2.1: the fields around the records: $problems', async ({ body, problems }) => {
  const platform = await startPlatform();
  const answer = await postNotes(platform, JSON.stringify(body));
  expect(answer.status).toBe(400);
  expect(problemsOf(answer)).toEqual(problems);
});

test('7.1: a validation error has detail, code and errors, each with detail, code and attr', async () => {
  const platform = await startPlatform();
  const answer = await postNotes(platform, JSON.stringify({ ...ACCOUNT, notes: [] }));
  expect(answer.body).toEqual({
    detail: expect.any(String),
    code: 'validation_error',
    errors: [{ detail: expect.any(String), code: 'empty', attr: 'notes' }],
  });
});

test('a request has at most 10,000 records', async () => {
  const platform = await startPlatform();
  const notes = (count: number) =>
    JSON.stringify({ ...ACCOUNT, notes: Array.from({ length: count }, () => ({ body: 'x' })) });
  const answer = await postNotes(platform, notes(10_001));
  expect(answer.status).toBe(400);
  expect(problemsOf(answer)).toEqual([['max_length', 'notes']]);
  expect((await postNotes(platform, notes(10_000))).body).toHaveLength(10_000);
});

test('a body has at most 5 MiB, checked before and while it is read', async () => {
  const platform = await startPlatform();
  const limit = 5 * 1024 * 1024;
  const fitting = GOOD + ' '.repeat(limit - GOOD.length);
  expect((await postNotes(platform, fitting)).status).toBe(201);
  const answer = await postNotes(platform, `${fitting} `);
  expect(answer.status).toBe(413);
  expect(answer.body).toEqual({ detail: expect.stringContaining('5242880'), code: 'payload_too_large' });
  const headers = [
    'Host: localhost',
    `Authorization: Token ${await platform.token()}`,
    'Content-Type: application/json',
  ];
  const announced = `POST ${NOTES} HTTP/1.1\r\n${headers.join('\r\n')}\r\nContent-Length: ${limit + 1}\r\n\r\n`;
  expect(await firstLineOf(platform.port, announced)).toContain('413');
});

test.each([
  { type: 'application/json', status: 201 },
  { type: 'APPLICATION/JSON; charset=UTF-8', status: 201 },
  { type: 'application/json;', status: 201 },
  { type: 'application/json; charset=utf-16', status: 415 },
  { type: 'application/json; charset=latin1', status: 415 },
  { type: 'application/jsonp', status: 415 },
  { type: 'text/plain', status: 415 },
  { type: 'text/plain; application/json', status: 415 },
  { type: 'application/x-www-form-urlencoded', status: 415 },
  { type: 'multipart/form-data; boundary=x', status: 415 },
])('content type `$type` is answered with $status', async ({ type, status }) => {
  const platform = await startPlatform();
  const answer = await postNotes(platform, GOOD, { 'content-type': type });
  expect(answer.status).toBe(status);
  if (status === 415)
    expect(answer.body).toEqual({ detail: expect.any(String), code: 'unsupported_media_type' });
});

test('a body without content type, and a compressed one, is a 415', async () => {
  const platform = await startPlatform();
  const authorization = `Token ${await platform.token()}`;
  const without = await rawRequest(platform.url, {
    method: 'POST',
    path: NOTES,
    headers: { authorization },
    body: GOOD,
  });
  expect(without.status).toBe(415);
  expect((await postNotes(platform, GOOD, { 'content-encoding': 'gzip' })).status).toBe(415);
});

import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openRecorder, type RecorderOptions } from '../../../src/cli/recording/recorder.ts';
import { readRecording } from '../../../src/cli/recording/recording.ts';
import { AppError } from '../../../src/core/app-error.ts';
import type { RequestEnd } from '../../../src/cli/client/requests.ts';
import { DEFAULT_TOKEN_MUTATION } from '../../../src/core/contract/token.ts';
import { migration } from '../../support/migration.ts';
import { GOOD, HEADER, IMPORTED } from '../../support/refused-account.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const read = (file: string): string => readFileSync(file, 'utf8');

const OPTIONS: Omit<RecorderOptions, 'path'> = {
  kept: [],
  mutation: DEFAULT_TOKEN_MUTATION,
  version: '1.0.0',
  onFailure: () => undefined,
};

function recorder(options: Partial<RecorderOptions> = {}) {
  const path = join(temporaryFolder(), 'pilot.jsonl');
  const failures: string[] = [];
  const opened = openRecorder({
    ...OPTIONS,
    path,
    onFailure: (reason) => void failures.push(reason),
    ...options,
  });
  /** A request that leaves, and its end. */
  const begin = (body: string, hide = (text: string): string => text): ((end: RequestEnd) => void) =>
    opened.record(posted(body), hide);
  return {
    path,
    failures,
    begin,
    record: (body: string, answer = '{}') => begin(body)(answered(answer)),
    close: () => opened.close(),
  };
}

const posted = (body: string) => ({
  method: 'POST' as const,
  path: '/v1/data-import/transactions/create/',
  body,
  isForToken: false,
  startedMs: 0,
});
const answered = (body: string): RequestEnd => ({
  answer: { kind: 'answer', status: 201, headers: {}, body },
  tookMs: 1,
});

const account = '"import_supplier":"ACME","external_account_number":"0010023417"';

test('what joins still joins, numbers beside items stay, and every number keeps its form', () => {
  const { path, record } = recorder();
  const plain = '{"transaction_id":"TX-5001","transaction_date":"2026-02-14","amount":1234.50}';
  const items = '{"transaction_id":"TX-5002","amount":12.40,"line_items":[{"net_amount":12.40}]}';
  record(`{${account},"transactions":[${plain},${items}]}`, plain);
  const [exchange] = readRecording(path, read).exchanges;
  const sent = JSON.parse(exchange!.body!) as { transactions: Record<string, unknown>[] };
  const answered = JSON.parse(exchange!.answer!) as Record<string, unknown>;
  // A part of a number may be there by chance.
  expect(exchange!.body).not.toMatch(/"ACME"|"0010023417"|TX-500|1234\.50/);
  expect(sent.transactions[0]).toEqual(answered);
  expect(answered['transaction_date']).toBe('2022-02-14');
  expect(exchange!.answer).toMatch(/"amount":[1-9]{4}\.[1-9]0\}/);
  expect(exchange!.body).toContain('"amount":12.40,"line_items":[{"net_amount":12.40}]');
});

test('no secret and no person is in headers, names, codes and sentences', () => {
  const { path, record: _, ...opened } = recorder();
  const end = opened.begin('{"a":1}', (text) => text.replaceAll('the-api-key', '[secret]'));
  const headers = {
    'www-authenticate': 'Token realm="ann.fox@example.org the-api-key"',
    'x-ratelimit-ann-fox': 'the-api-key',
    'content-type': 'application/json',
  };
  const body = JSON.stringify({
    detail: 'no ann_fox here (account_not_found)',
    code: 'AnnFox',
    errors: [{ code: 'product_not_allowed', attr: 'notes.0.body', annfox: 1 }],
    'the-api-key': 1,
    born: '1980-05-17',
    phone: 7.7009001e12,
    line_items: [{ net_amount: 12.4, meter: 77889966 }],
  });
  end({ answer: { kind: 'answer', status: 400, headers, body }, tookMs: 1 });
  const [exchange] = readRecording(path, read).exchanges;
  // A few letters or digits in a row may be there by chance.
  expect(read(path)).not.toMatch(/ann[._-]?fox|example|api-key|7009001|19\d\d-05-17|77889966/i);
  expect(exchange!.answer).toContain('"net_amount":12.4,');
  expect(exchange!.headers).toMatchObject({ 'content-type': 'application/json' });
  expect(exchange!.answer).toMatch(/"code":"product_not_allowed","attr":"notes\.0\.body"/);
  expect(exchange!.answer).toContain('(account_not_found)');
});

test('a new token is in no part of the recording of its answer, whoever repeats it', () => {
  const path = join(temporaryFolder(), 'pilot.jsonl');
  const opened = openRecorder({ ...OPTIONS, path });
  const data = { [DEFAULT_TOKEN_MUTATION.mutation]: { token: 'new-token-1', 'new-token-1': 'x' } };
  const body = JSON.stringify({ data, errors: [{ extensions: { errorCode: 'new-token-1' } }] });
  const headers = { 'x-ratelimit-limit': 'new-token-1' };
  const end = opened.record({ ...posted('{}'), isForToken: true }, (text) => text);
  end({ answer: { kind: 'answer', status: 200, headers, body }, tookMs: 1 });
  expect(read(path)).not.toContain('new-token-1');
  expect(read(path)).toContain(`{\\"data\\":{\\"${DEFAULT_TOKEN_MUTATION.mutation}\\":{\\"token\\"`);
});

test('another command goes on with the file, and only in the same disguise', () => {
  const { path, record, close } = recorder();
  record('{"a":"Miller"}');
  close();
  const second = recorder({ path });
  second.record('{"a":"Miller"}');
  const [one, other] = readRecording(path, read).exchanges;
  expect(one!.body).toBe(other!.body);
});

test('the words of a contract stay, also where another command goes on without it', () => {
  const { path, record, close } = recorder({ kept: ['SOLAR'] });
  record('{"a":"SOLAR"}');
  close();
  recorder({ path }).record('{"a":"SOLAR WIND"}');
  const { exchanges, disguise } = readRecording(path, read);
  expect(exchanges.map(({ body }) => body)).toEqual([
    '{"a":"SOLAR"}',
    expect.stringMatching(/"SOLAR (?!WIND)/),
  ]);
  expect(disguise!.kept).toContain('SOLAR');
});

test('a recording that cannot go on says why, and gets no key', () => {
  const { path } = recorder();
  const why = (options: Partial<RecorderOptions>): unknown => {
    try {
      recorder(options);
    } catch (error) {
      return error instanceof AppError
        ? [error.code, String(error.facts['reason']).replace(/^.* takes no more exchanges: /, '')]
        : error;
    }
    return 'goes on';
  };
  const needed = `the disguise of ${path} needs the key that was written with it as ${path}.key`;
  writeFileSync(`${path}.key`, `${'0'.repeat(64)}\n`);
  expect(why({ path })).toEqual(['document_invalid', needed]);
  rmSync(`${path}.key`);
  expect(why({ path })).toEqual(['document_invalid', needed]);
  expect(existsSync(`${path}.key`)).toBe(false);
});

test.skipIf(process.platform === 'win32')('both files are for their owner alone', () => {
  const { path } = recorder();
  for (const file of [path, `${path}.key`]) expect(statSync(file).mode & 0o777).toBe(0o600);
});

test('a line that ends in its middle is left out and named, and the next command begins a line', () => {
  const { path, record } = recorder();
  record('{"a":1}');
  writeFileSync(path, '{"request":"x","at":"2026-02-1', { flag: 'a' });
  const half = { warnings: [expect.stringContaining(`line 4 of ${path} ends in its middle`)] };
  expect(readRecording(path, read)).toMatchObject({ ...half, exchanges: [{ status: 201 }] });
  recorder({ path }).record('{"b":1}');
  expect(read(path).split('\n')[4]).toMatch(/^\{"recording":1/);
  expect(readRecording(path, read)).toMatchObject({
    ...half,
    exchanges: [{ status: 201 }, { status: 201 }],
  });
  writeFileSync(path, '{"at":"2026-02-1"}\n', { flag: 'a' });
  expect(() => readRecording(path, read)).toThrow(expect.objectContaining({ code: 'document_invalid' }));
});

test.each([
  ['a path with a control character', { path: '/v1/\u0001/' }],
  ['a path of the admin API', { path: '/%5Flocal/reset' }],
  ['a time that is none', { at: '2026-13-45T99:99:99.999Z' }],
  ['a body of 501 levels', { body: '['.repeat(501) + ']'.repeat(501) }],
  ['a body with a key twice', { body: '{"a":1,"a":2}' }],
])('a recording of another making with %s ends in a sentence', (_, wrong) => {
  const { path } = recorder();
  const request = { request: 'x', at: '2026-02-01T10:00:00.000Z', method: 'POST', path: '/v1/', body: null };
  writeFileSync(path, `${JSON.stringify({ ...request, ...wrong })}\n`, { flag: 'a' });
  expect(() => readRecording(path, read)).toThrow(expect.objectContaining({ code: 'document_invalid' }));
});

test('a request is in the file before its answer, and a killed process leaves it without one', () => {
  const first = recorder();
  const end = first.begin('{"a":1}');
  first.begin('{"a":2}');
  end(answered('{}'));
  const { exchanges, warnings } = readRecording(first.path, read);
  expect(exchanges.map(({ status, took_ms }) => [status, took_ms])).toEqual([
    [null, 0],
    [201, 1],
  ]);
  expect(warnings).toEqual([]);
});

test('a file that takes no more lines ends the recording and not the command', () => {
  const { failures, record, close } = recorder();
  close();
  record('{"a":1}');
  record('{"a":1}');
  expect(failures).toHaveLength(1);
});

test('no secret and no value of a row is in the recording of a push', async () => {
  const site = await migration(IMPORTED);
  const push = ['push', 'transactions', site.csv('t.csv', HEADER, GOOD), '--record'];
  expect((await site.cli(...push, 'pilot.jsonl')).exitCode).toBe(0);
  // Names of requests and the print of the key have digits by chance.
  const text = read(join(site.cwd, 'pilot.jsonl')).replaceAll(/"[\da-f]{12}-\d+"|"[\da-f]{64}"/g, '""');
  expect(text).not.toMatch(/local-key|eyJ|authorization|10\.10|1001|ACME/i);
  expect(text).toContain('TRANSACTION_ADDED_TO_ACCOUNT');
});

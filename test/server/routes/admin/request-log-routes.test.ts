import { describe, expect, test } from 'vitest';
import { requestLog } from '../../../../src/server/http/request-log.ts';
import { admin, linesOf } from '../../../support/server-admin.ts';
import { ACCOUNT, problemsOf, startPlatform, type TestPlatform } from '../../../support/server-platform.ts';

const logged = async (platform: TestPlatform, query = '') =>
  linesOf(await admin(platform, `GET requests${query}`));

const NOTES = '/v1/data-import/notes/create/';

describe('/_local/requests', () => {
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

test('a full log keeps the bodies of the newest requests only', () => {
  const log = requestLog(20_000);
  for (let count = 0; count < 12; count++) {
    log.add({ ...REQUEST, request_body: 'x'.repeat(4_000), response_body: 'y' });
    const kept = log.list({}).map((logged) => 'request_body' in logged || 'response_body' in logged);
    expect(kept).toHaveLength(count + 1);
    expect(kept.at(-1)).toBe(true);
    expect(kept.lastIndexOf(false), 'the newest').toBeLessThan(kept.indexOf(true));
  }
  expect(log.at(10)).not.toHaveProperty('request_body');
});

test('long texts are cut, and the log names the fields that were cut', () => {
  const log = requestLog();
  const problem = { code: 'unexpected_field', attr: `notes.0.${'x'.repeat(5_000)}`, detail: 'y' };
  log.add({ ...REQUEST, path: '/ordinary' });
  log.add({ ...REQUEST, query: 'x'.repeat(15_000), problems: Array.from({ length: 60 }, () => problem) });
  const [ordinary, long] = log.list({});
  expect(ordinary).toEqual({ ...REQUEST, seq: 1, path: '/ordinary' });
  expect(long).toMatchObject({ query: 'x'.repeat(1_024), cut: ['query', 'problems'] });
  expect(long!.problems).toHaveLength(50);
  expect(long!.problems![0]!.attr).toHaveLength(1_024);
});

test('a log that is full drops its oldest bodies, then its oldest requests, also after it was cleared', () => {
  const log = requestLog(20_000);
  for (const round of [1, 2]) {
    log.add({ ...REQUEST, request_body: 'x'.repeat(9_000) });
    log.add({ ...REQUEST, request_body: 'y'.repeat(9_000) });
    expect(log.list({}).map(({ seq, request_body: body }) => [seq, body?.[0]])).toEqual([
      [1, undefined],
      [2, 'y'],
    ]);
    for (let count = 0; count < 100; count++) log.add(REQUEST);
    const kept = log.list({}).map(({ seq }) => seq);
    expect(kept.at(-1)).toBe(102);
    expect(kept.length).toBeLessThan(80);
    expect(kept).toEqual(kept.map((_, index) => 103 - kept.length + index));
    expect(log.at(1)).toBeUndefined();
    expect(log.count()).toBe(103 * round - 1);
    log.clear();
    log.add(REQUEST);
    expect(log.list({}).map(({ seq }) => seq)).toEqual([1]);
    log.clear();
  }
});

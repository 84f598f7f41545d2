import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { Platform } from '../../../../src/cli/push/ports/platform.ts';
import { assertProven } from '../../../../src/cli/journal/read/consistency.ts';
import { NotSentError } from '../../../../src/core/app-error.ts';
import { RESOURCES, type Resource } from '../../../../src/core/contract/resources.ts';
import { answer } from '../../../support/push-batch.ts';
import { drained, fakeTiming, quiet, type DrainOptions } from '../../../support/push-drained.ts';
import { FakePlatform, type Fault } from '../../../support/fake-platform.ts';
import { csvFrom, reopened, stagedRun, type StagedRunOptions } from '../../../support/push-staged-run.ts';

const LOST = { kind: 'lost', applied: false } as const;
const LOST_BUT_DONE = { kind: 'lost', applied: true } as const;
const given = (status: number, body: unknown = '', headers: Record<string, string> = {}): Fault => ({
  kind: 'answer',
  applied: false,
  answer: answer(status, body, headers),
});
const doneButGiven = (status: number, body: unknown = ''): Fault => ({
  kind: 'answer',
  applied: true,
  answer: answer(status, body),
});

/** Stages rows (`A:1 B:2`) in batches of two and drains them. */
async function push(
  resource: Resource,
  rows: string,
  faults: Readonly<Record<string, Fault>> = {},
  options: DrainOptions & { staged?: StagedRunOptions } = {},
) {
  const { run, folder } = await stagedRun(resource, csvFrom(resource, rows), options.staged);
  const platform = new FakePlatform(resource, faults);
  const result = await drained(run, platform, options);
  return { ...result, run, folder, platform };
}

/** The bodies of the requests of an account. */
const bodiesOf = (platform: FakePlatform, account: string): readonly string[] =>
  platform.received.filter((each) => each.account === account).map(({ body }) => body);

test('each attempt seals its request, and its answer with the status, as docs/chain.md says', async () => {
  const { run } = await stagedRun('transactions', csvFrom('transactions', 'A:1'));
  const platform = new FakePlatform('transactions', {
    'A#1': given(503, 'busy'),
    'A#2': given(504, 'busy'),
    'A#3': LOST,
  });
  const sealed: unknown[] = [];
  const own: unknown[] = [];
  const sha256 = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex');
  const recorded: Platform = {
    async send(request) {
      const answered = await platform.send(request);
      own.push({
        request: sha256(`POST ${request.path}\n${request.body}`),
        answer: answered.kind === 'answer' ? sha256(`${answered.status}\n${answered.body}`) : null,
      });
      return answered;
    },
  };
  await drained(run, recorded, {
    through: (operations) => ({
      ...operations,
      fail(batch, attempt) {
        sealed.push(batch.exchange);
        return operations.fail(batch, attempt);
      },
      settle(batch, settlement, claimsNext) {
        sealed.push(batch.exchange);
        return operations.settle(batch, settlement, claimsNext);
      },
    }),
  });
  expect(own).toHaveLength(4);
  expect(sealed).toEqual(own);
});

describe('a platform without faults', () => {
  test.each(RESOURCES)('gets every record of %s once, in the order of each account', async (resource) => {
    const rows = resource === 'payment-instructions' ? 'A:1 B:2 C:3' : 'A:1 B:2 A:3 A:4 C:5 B:6 A:7';
    const limits = { records: resource === 'payment-instructions' ? 1 : 2, bytes: 1_000_000 };
    const { end, report, platform, waits, run } = await push(resource, rows, {}, { staged: { limits } });
    expect(end).toEqual({ kind: 'finished' });
    const inOrder = (account: string): string[] =>
      rows.split(' ').flatMap((word) => {
        const [of, id] = word.split(':');
        if (of !== account) return [];
        return resource === 'notes' ? [`Note ${id} at 2024-03-05T18:48:16Z`] : [id!];
      });
    expect(platform.contents()).toEqual({ A: inOrder('A'), B: inOrder('B'), C: inOrder('C') });
    const read = rows.split(' ').length;
    expect(report.rows).toMatchObject({ read, created: read });
    expect(report.requests).toEqual({
      total: platform.received.length,
      retried: 0,
      byStatus: { 201: platform.received.length },
    });
    expect(report.accounts).toEqual({ total: 3, done: 3, stopped: 0 });
    expect([waits, report.problemsTotal, run.isOpen]).toEqual([[], 0, false]);
  });

  test('that already has the records reports them as existing', async () => {
    const first = await push('transactions', 'A:1 A:2');
    const { run } = await stagedRun('transactions', csvFrom('transactions', 'A:2 A:3'));
    const { report } = await drained(run, first.platform);
    expect(report.rows).toMatchObject({ existing: 1, created: 1 });
    expect(report.controlTotals).toMatchObject([{ count: 2, read: '20.20', accepted: '20.20' }]);
  });
});

describe('accounts', () => {
  test('are sent in parallel up to the limit, with one request at a time for each', async () => {
    const { run } = await stagedRun(
      'transactions',
      csvFrom('transactions', 'A:1 A:2 A:3 B:4 C:5 D:6 D:7 D:8'),
    );
    const platform = new FakePlatform('transactions');
    platform.hold();
    const draining = drained(run, platform, { concurrency: 3 });
    await quiet();
    expect(platform.waiting).toEqual(['A', 'B', 'C']);
    platform.letGo('B');
    await quiet();
    expect(platform.waiting).toEqual(['A', 'C', 'D']);
    platform.letGo('A');
    await quiet();
    expect(platform.waiting).toEqual(['C', 'D', 'A']);
    for (const account of ['C', 'D', 'A']) platform.letGo(account);
    await quiet();
    platform.letGo('D');
    expect((await draining).end).toEqual({ kind: 'finished' });
    expect(platform.most).toEqual({ inFlight: 3, ofOneAccount: 1 });
    expect(platform.contents()).toEqual({ A: ['1', '2', '3'], B: ['4'], C: ['5'], D: ['6', '7', '8'] });
  });
});

describe('a request that was surely not applied', () => {
  test.each([
    ['refused connections', { 'A#1': { kind: 'not_sent' }, 'A#2': { kind: 'not_sent' } }, [125, 250]],
    ['too many requests', { 'A#1': given(429), 'A#2': given(429) }, [125, 250]],
    ['a Retry-After', { 'A#1': given(429, '', { 'retry-after': '30' }) }, [30_000]],
    [
      'a wait that is shorter than ours',
      { 'A#1': given(429), 'A#2': given(429, '', { 'retry-after': '0' }) },
      [125, 250],
    ],
  ] as const)('is made again with the same bytes: %s', async (_, faults, expected) => {
    for (const resource of ['notes', 'transactions', 'statements'] as const) {
      const { platform, waits, report, end } = await push(resource, 'A:1 A:2', faults);
      expect([end.kind, waits]).toEqual(['finished', expected]);
      expect(new Set(bodiesOf(platform, 'A')).size).toBe(1);
      expect(report.rows).toMatchObject({ created: 2, existing: 0 });
      const neverLeft = report.requests.byStatus['not_sent'] ?? 0;
      expect(report.requests).toMatchObject({
        total: expected.length + 1,
        retried: expected.length - neverLeft,
      });
    }
  });

  test('is reported with the attempt, the wait and the reason', async () => {
    const { events, report } = await push('transactions', 'A:1', {
      'A#1': { kind: 'not_sent' },
      'A#2': given(429),
    });
    expect(events.filter(({ kind }) => kind === 'retry')).toEqual([
      { kind: 'retry', account: 'A', attempt: 2, waitMs: 125, reason: 'refused' },
      { kind: 'retry', account: 'A', attempt: 3, waitMs: 250, reason: 'status 429' },
    ]);
    expect(report.requests.byStatus).toEqual({ 201: 1, 429: 1, not_sent: 1 });
  });

  test.each(['notes', 'transactions', 'statements'] as const)(
    'leaves its %s not sent when the time is over',
    async (resource) => {
      const never = { kind: 'not_sent' } as const;
      const faults = { 'A#1': never, 'A#2': never, 'A#3': never };
      const { end, report, run, waits } = await push(resource, 'A:1 A:2', faults, { retryForMs: 300 });
      expect(end).toMatchObject({
        kind: 'unfinished',
        reason: {
          facts: {
            reason: expect.stringMatching(/^refused \(/),
            what: 'a request was given up after 300 ms',
          },
        },
      });
      expect(waits).toEqual([125, 175]);
      expect(report.requests).toEqual({ total: 3, retried: 0, byStatus: { not_sent: 3 } });
      expect(report.rows).toMatchObject({ not_sent: 2, unknown: 0 });
      expect(run.isOpen).toBe(true);
    },
  );

  test('is sent again without the check for existing transactions when the user turned the check off', async () => {
    const staged = { options: { checkPreviouslyAdded: false } };
    const { platform } = await push('transactions', 'A:1', { 'A#1': given(429) }, { staged });
    expect(platform.received.map(({ path }) => path.split('?')[1])).toEqual([
      'check_previously_added=false',
      'check_previously_added=false',
    ]);
  });
});

const TOO_MANY = 'Ensure this field has no more than 2 elements.';

describe('a request that is too large', () => {
  test.each([
    {
      detail: '',
      code: 'validation_error',
      errors: [{ detail: TOO_MANY, code: 'max_length', attr: 'transactions' }],
    },
    { transactions: { non_field_errors: [TOO_MANY] } },
    { transactions: [TOO_MANY] },
  ])('by the number of its records is sent in halves: %j', async (body) => {
    const { platform, report, end } = await push('transactions', 'A:1 A:2 A:3', { 'A#1': given(400, body) });
    expect(end.kind).toBe('finished');
    expect(platform.contents()).toEqual({ A: ['1', '2', '3'] });
    expect(report.requests.byStatus).toEqual({ 201: 3, 400: 1 });
    expect(report.problems).toEqual([]);
  });

  test('is sent in halves, in order, down to one record', async () => {
    const rows = 'A:1 A:2 A:3 A:4 A:5 A:6';
    const staged = { limits: { records: 5, bytes: 1_000_000 } };
    const faults = { 'A#1': given(413), 'A#2': given(413), 'A#3': given(413, '<html>') };
    const { platform, report, end, waits } = await push('transactions', rows, faults, { staged });
    expect([end.kind, waits]).toEqual(['finished', []]);
    expect(bodiesOf(platform, 'A').map((body) => body.match(/"transaction_id":"\d"/g)!.length)).toEqual([
      5, 3, 2, 1, 1, 1, 2, 1,
    ]);
    expect(platform.contents()).toEqual({ A: ['1', '2', '3', '4', '5', '6'] });
    expect(report.rows).toMatchObject({ created: 6 });
    expect(report.requests.byStatus).toEqual({ 201: 5, 413: 3 });
  });

  test('is a rejection of its row when it has one record', async () => {
    const { end, report, platform } = await push(
      'transactions',
      'B:1 A:2',
      { 'A#1': given(413, { detail: 'larger than 9 bytes', code: 'payload_too_large' }) },
      { concurrency: 1 },
    );
    expect(end.kind).toBe('refused');
    expect(report.rows).toMatchObject({ rejected: 1, created: 1 });
    expect(report.problems).toMatchObject([{ code: 'payload_too_large', line: 3, http_status: 413 }]);
    expect(report.problems[0]!.next).toMatch(/^Shorten it, or set it aside/);
    expect(platform.received).toHaveLength(2);
  });

  test('stays in doubt in its halves when it may have been applied', async () => {
    const faults = { 'A#1': LOST_BUT_DONE, 'A#2': given(413) };
    const { platform, report } = await push('transactions', 'A:1 A:2 A:3', faults);
    expect(report.rows).toMatchObject({ existing: 2, created: 1 });
    expect(platform.contents()).toEqual({ A: ['1', '2', '3'] });
  });
});

describe('a request that may have been applied is resolved before the next batch of its account', () => {
  const AMBIGUOUS: readonly (readonly [string, Fault])[] = [
    ['lost before it was applied', LOST],
    ['lost after it was applied', LOST_BUT_DONE],
    ['answered with a failure before it was applied', given(500)],
    ['answered with a failure after it was applied', doneButGiven(502, '<html>')],
    ['answered with 408', given(408)],
    ['answered with 200 and a page of a proxy', doneButGiven(200, '<html>Log in</html>')],
    ['answered with too few records', doneButGiven(201, { results: [] })],
    ['answered with 202', doneButGiven(202)],
  ];

  test.each(AMBIGUOUS)('transactions, %s', async (_, fault) => {
    const { platform, report, waits, end } = await push('transactions', 'A:1 A:2 A:3 B:4', { 'A#1': fault });
    expect(end).toEqual({ kind: 'finished' });
    const [first, again, next] = bodiesOf(platform, 'A');
    expect(again).toBe(first);
    expect(next).not.toBe(first);
    expect(platform.contents()).toEqual({ A: ['1', '2', '3'], B: ['4'] });
    expect(report.rows.created + report.rows.existing).toBe(4);
    expect(waits).toEqual([125]);
  });

  test.each(AMBIGUOUS)('notes, %s', async (_, fault) => {
    const { platform, end } = await push('notes', 'A:1 A:2 A:3', { 'A#1': fault });
    expect(end).toEqual({ kind: 'finished' });
    expect(bodiesOf(platform, 'A')[1]).toBe(bodiesOf(platform, 'A')[0]);
    expect(platform.contents()['A']).toHaveLength(3);
  });

  test.each(AMBIGUOUS)('statements one by one, %s', async (_, fault) => {
    const { platform, report, end } = await push('statements', 'A:1 A:2 A:3', { 'A#1': fault });
    expect(end).toEqual({ kind: 'finished' });
    expect(platform.contents()).toEqual({ A: ['1', '2', '3'] });
    expect(bodiesOf(platform, 'A').map((body) => body.match(/"statement_id":"\d"/g)!.length)).toEqual([
      2, 1, 1, 1,
    ]);
    expect(report.rows.created + report.rows.verify).toBe(3);
  });

  test.each(AMBIGUOUS)('payment instructions, %s', async (_, fault) => {
    const staged = { limits: { records: 1, bytes: 1_000_000 } };
    const { platform, report, end } = await push(
      'payment-instructions',
      'A:1 B:2',
      { 'A#1': fault },
      { staged },
    );
    expect(end).toEqual({ kind: 'finished' });
    expect(platform.contents()).toEqual({ A: ['1'], B: ['2'] });
    expect(report.rows.created + report.rows.verify).toBe(2);
  });

  test('transactions without the check are sent again with it, and existing ones have to be verified', async () => {
    const staged = { options: { checkPreviouslyAdded: false } };
    const { platform, report, end } = await push(
      'transactions',
      'A:1 A:2 A:3',
      { 'A#1': LOST_BUT_DONE },
      { staged },
    );
    expect(end).toEqual({ kind: 'finished' });
    expect(platform.received.map(({ path }) => path.split('?')[1])).toEqual([
      'check_previously_added=false',
      undefined,
      'check_previously_added=false',
    ]);
    expect(platform.contents()).toEqual({ A: ['1', '2', '3'] });
    expect(report.rows).toMatchObject({ created: 1, verify: 2 });
  });

  test('an existing note needs no verification, whatever the option for transactions says', async () => {
    const staged = { options: { checkPreviouslyAdded: false } };
    const { report } = await push('notes', 'A:1 A:2', { 'A#1': LOST_BUT_DONE }, { staged });
    expect(report.rows).toMatchObject({ existing: 2, verify: 0 });
  });

  test('every row whose outcome is unproven is reported', async () => {
    const { report } = await push('statements', 'A:1 A:2', { 'A#1': LOST_BUT_DONE });
    expect(report.rows).toMatchObject({ verify: 2 });
    expect(report.problems.map(({ line, column, code, header }) => [line, column, code, header])).toEqual([
      [2, 3, 'outcome_unproven', 'statement_id'],
      [3, 3, 'outcome_unproven', 'statement_id'],
    ]);
    expect(report.problems[0]!.detail).toBe('may or may not be on the platform, because an answer was lost');
  });

  test('its records are unknown when the time is over, and no later batch of the account was sent', async () => {
    const faults = { 'A#1': LOST, 'A#2': LOST, 'A#3': LOST };
    const { end, report, platform, run } = await push('transactions', 'A:1 A:2 A:3', faults, {
      retryForMs: 375,
    });
    expect(end).toMatchObject({
      kind: 'unfinished',
      reason: {
        facts: { reason: expect.stringMatching(/^reset \(/), what: 'a request was given up after 375 ms' },
      },
    });
    expect(report.rows).toMatchObject({ unknown: 2, not_sent: 1 });
    expect(new Set(bodiesOf(platform, 'A')).size).toBe(1);
    expect(run.isOpen).toBe(true);
  });

  test('statements that are sent one by one stay unknown until they are answered', async () => {
    const stopping = new AbortController();
    const faults = { 'A#1': LOST_BUT_DONE };
    const { end, report, platform } = await push('statements', 'A:1 A:2 A:3', faults, {
      stopping: stopping.signal,
      through: (operations) => ({
        ...operations,
        claimNext: async (...asked) => {
          const batch = await operations.claimNext(...asked);
          if (batch?.inDoubt) stopping.abort();
          return batch;
        },
      }),
    });
    expect(end).toEqual({ kind: 'interrupted' });
    expect(platform.received).toHaveLength(1);
    expect(report.rows).toMatchObject({ unknown: 2, not_sent: 1 });
  });

  test.each([
    ['a refused token', given(401, { detail: 'No.' }), 'unauthenticated', 'authentication_failed'],
    ['a redirect', given(302), 'refused', 'answer_unproven'],
  ])('%s proves nothing, so its records stay unknown', async (_, fault, kind, code) => {
    const faults = { 'A#1': LOST_BUT_DONE, 'A#2': fault };
    const { end, report, run, folder, platform } = await push('transactions', 'A:1 A:2 A:3', faults);
    expect(end.kind).toBe(kind);
    expect(report.rows).toMatchObject({ unknown: 2, not_sent: 1 });
    expect(report.problems.map((problem) => problem.code)).toEqual([code]);
    run.close();
    const resumed = await drained(reopened(folder), platform);
    expect(resumed.report.rows).toMatchObject({ existing: 2, created: 1 });
    expect(resumed.report.problemsTotal).toBe(0);
  });

  test('an ambiguous answer after one that was not applied stays ambiguous', async () => {
    const faults = { 'A#1': LOST_BUT_DONE, 'A#2': given(429), 'A#3': { kind: 'not_sent' } } as const;
    const { report, run } = await push('transactions', 'A:1 A:2', faults, { retryForMs: 375 });
    expect(report.rows).toMatchObject({ unknown: 2 });
    expect(run.isOpen).toBe(true);
  });
});

describe('the first refusal', () => {
  const refusal = given(400, {
    errors: [{ detail: 'No.', code: 'invalid_choice', attr: 'transactions.1.reason' }],
  });

  test('stops the run: no request begins, and requests in flight end and are recorded', async () => {
    const { run } = await stagedRun('transactions', csvFrom('transactions', 'A:1 A:2 B:3 B:4 B:5 C:6 D:7'));
    const platform = new FakePlatform('transactions', { 'A#1': refusal });
    platform.hold();
    const draining = drained(run, platform, { concurrency: 3 });
    await quiet();
    expect(platform.waiting).toEqual(['A', 'B', 'C']);
    platform.letGo('A');
    await quiet();
    expect(platform.waiting).toEqual(['B', 'C']);
    platform.letGo('B');
    platform.letGo('C');
    const { end, report, events } = await draining;
    expect(end).toEqual({ kind: 'refused' });
    expect(platform.contents()).toEqual({ B: ['3', '4'], C: ['6'] });
    expect(report.rows).toMatchObject({ created: 3, rejected: 1, not_sent: 2, unknown: 1 });
    expect(report.accounts).toEqual({ total: 4, done: 1, stopped: 1 });
    expect(events.filter(({ kind }) => kind === 'stopping')).toEqual([
      { kind: 'stopping', reason: 'refused' },
    ]);
  });

  test('is reported at its cell', async () => {
    const { report } = await push('transactions', 'A:1 A:2', { 'A#1': refusal });
    expect(report.problems).toEqual([
      {
        code: 'invalid_choice',
        severity: 'error',
        file: 'transactions-1.csv',
        line: 3,
        column: null,
        header: null,
        attr: 'transactions.1.reason',
        detail: 'is not one of the allowed values; its text of 3 characters is hidden',
        next: null,
        http_status: 400,
      },
    ]);
  });

  test('stops a batch that waits for its next attempt', async () => {
    const { run } = await stagedRun('transactions', csvFrom('transactions', 'A:1 B:2'));
    const platform = new FakePlatform('transactions', {
      'A#1': LOST,
      'B#1': given(403, { detail: 'No.', code: 'permission_denied' }),
    });
    const untilStopped = (_: number, signal?: AbortSignal): Promise<void> =>
      new Promise((resolve) => signal!.addEventListener('abort', () => resolve()));
    const timing = { ...fakeTiming(), sleep: untilStopped };
    platform.hold();
    const draining = drained(run, platform, { timing });
    await quiet();
    platform.letGo('A');
    await quiet();
    platform.letGo('B');
    const { end, report } = await draining;
    expect(end).toEqual({ kind: 'refused' });
    expect(report.rows).toMatchObject({ unknown: 1, rejected: 1 });
    expect(platform.received).toHaveLength(2);
  });

  test.each([
    ['of the request', given(404, { detail: 'Not found.' }), { rejected: 2, not_sent: 1 }],
    [
      'of a redirect',
      given(307, '', { location: 'http://elsewhere.example/' }),
      { rejected: 0, unknown: 2, not_sent: 1 },
    ],
    [
      'of a page of something else',
      given(404, '<html>Not found</html>'),
      { rejected: 0, unknown: 2, not_sent: 1 },
    ],
    ['of the token', given(401, { detail: 'No.' }), { rejected: 0, not_sent: 3 }],
  ])('%s leaves the other records not sent', async (_, fault, rows) => {
    const { report, run, folder, platform } = await push('transactions', 'A:1 A:2 A:3', { 'A#1': fault });
    expect(report.rows).toMatchObject(rows);
    expect(run.isOpen).toBe(true);
    run.close();
    const again = await drained(reopened(folder), platform);
    expect(again.end).toEqual({ kind: 'finished' });
    expect(again.report.rows).toMatchObject({ created: 3, rejected: 0, not_sent: 0 });
    expect(again.report.problemsTotal).toBe(0);
    expect(platform.contents()).toEqual({ A: ['1', '2', '3'] });
  });

  test.each([
    ['a redirect', 307, ''],
    ['a page', 403, '<html>Blocked</html>'],
    ['an error that names no record', 400, { non_field_errors: ['No.'] }],
  ])(
    '%s may come after the platform added all records, so all are sent again with the check',
    async (_, status, body) => {
      const staged = { options: { checkPreviouslyAdded: false }, limits: { records: 3, bytes: 1_000_000 } };
      const { report, run, folder, platform } = await push(
        'transactions',
        'A:1 A:2 A:3',
        { 'A#1': doneButGiven(status, body) },
        { staged },
      );
      expect(report.rows).toMatchObject({ unknown: 3, rejected: 0, not_sent: 0 });
      run.close();
      const again = await drained(reopened(folder), platform);
      expect(platform.received.at(-1)!.path).not.toContain('check_previously_added=false');
      expect(platform.contents()).toEqual({ A: ['1', '2', '3'] });
      expect(again.report.rows).toMatchObject({ verify: 3 });
    },
  );

  test('of a transaction may come after the platform added earlier ones, so they are sent again with the check', async () => {
    const staged = { options: { checkPreviouslyAdded: false }, limits: { records: 3, bytes: 1_000_000 } };
    const data = { transaction_id: '2' };
    const kept = { status: 'TRANSACTION_IMPORT_ERROR', error_detail: 'No.', transaction_data: data };
    const { report, run, folder, platform } = await push(
      'transactions',
      'A:1 A:2 A:3',
      { 'A#1': given(400, kept) },
      { staged },
    );
    expect(report.rows).toMatchObject({ rejected: 1 });
    run.close();
    // The platform had added the first transaction.
    const { path, body } = platform.received[0]!;
    const first = body.replace(/,\{"transaction_id":"2".*\]/, ']');
    await platform.send({ method: 'POST', path, body: first });
    const again = await drained(reopened(folder), platform);
    expect(platform.received.at(-1)!.path).not.toContain('check_previously_added=false');
    expect(platform.contents()).toEqual({ A: ['1', '2', '3'] });
    expect(again.report.rows).toMatchObject({ verify: 1, created: 2 });
  });

  test('inside an answer of success settles the other records too', async () => {
    const results = [
      { status: 'TRANSACTION_ADDED_TO_ACCOUNT', transaction_data: { transaction_id: '1' } },
      { status: 'TRANSACTION_IMPORT_ERROR', transaction_data: { transaction_id: '2' } },
    ];
    const { end, report, run, folder, platform } = await push('transactions', 'A:1 A:2 A:3', {
      'A#1': given(201, { results }),
    });
    expect(end).toEqual({ kind: 'refused' });
    expect(report.rows).toMatchObject({ created: 1, rejected: 1, not_sent: 1 });
    run.close();
    const again = await drained(reopened(folder), platform);
    expect(again.report.rows).toMatchObject({ created: 3 });
    expect(bodiesOf(platform, 'A')[1]).not.toContain('"transaction_id":"1"');
  });
});

describe('a run that gets no token', () => {
  test('sends nothing and ends with the reason', async () => {
    const error = new NotSentError('credentials_refused', { reason: 'no' });
    const { end, report, platform } = await push(
      'transactions',
      'A:1 B:2',
      { 'A#1': { kind: 'throws', error } },
      { concurrency: 1 },
    );
    expect(end).toMatchObject({ kind: 'unauthenticated', reason: { code: error.code, facts: error.facts } });
    expect(report.rows).toMatchObject({ not_sent: 2, unknown: 0 });
    expect(platform.received).toHaveLength(1);
  });

  test('leaves a batch in doubt when an earlier attempt may have been applied', async () => {
    const error = new NotSentError('credentials_refused', { reason: 'no' });
    const { end, report } = await push('transactions', 'A:1', {
      'A#1': LOST,
      'A#2': { kind: 'throws', error },
    });
    expect(end.kind).toBe('unauthenticated');
    expect(report.rows).toMatchObject({ unknown: 1 });
  });
});

describe('an error in this program', () => {
  test('during a request leaves its records unknown, because bytes may have left', async () => {
    const { run } = await stagedRun('transactions', csvFrom('transactions', 'A:1 B:2'));
    const platform = new FakePlatform('transactions', {
      'A#1': { kind: 'throws', error: new TypeError('ours') },
    });
    await expect(drained(run, platform, { concurrency: 1 })).rejects.toThrow('ours');
    expect(run.report().rows).toMatchObject({ unknown: 1, not_sent: 1 });
  });

  test('ends the run only after the requests in flight are recorded', async () => {
    const { run } = await stagedRun('transactions', csvFrom('transactions', 'A:1 B:2 B:3 B:4 C:5'));
    const platform = new FakePlatform('transactions', {
      'A#1': { kind: 'throws', error: new TypeError('ours') },
    });
    platform.hold();
    const draining = drained(run, platform);
    const failing = expect(draining).rejects.toThrow('ours');
    await quiet();
    platform.letGo('A');
    await quiet();
    platform.letGo('B');
    await failing;
    expect(run.report().rows).toMatchObject({ created: 2, unknown: 1, not_sent: 2 });
  });

  test('in the journal stops sending', async () => {
    const { run } = await stagedRun('transactions', csvFrom('transactions', 'A:1 A:2 A:3 B:4'));
    const platform = new FakePlatform('transactions');
    const failing = drained(run, platform, {
      concurrency: 1,
      through: (operations) => ({
        ...operations,
        settle: () => {
          throw new Error('disk full');
        },
      }),
    });
    await expect(failing).rejects.toThrow('disk full');
    expect(platform.received).toHaveLength(1);
  });
});

describe('an interrupted run', () => {
  test('finishes the requests in flight and begins no other', async () => {
    const { run, folder } = await stagedRun('transactions', csvFrom('transactions', 'A:1 A:2 A:3 B:4 C:5'));
    const stopping = new AbortController();
    const platform = new FakePlatform('transactions');
    platform.hold();
    const draining = drained(run, platform, { stopping: stopping.signal });
    await quiet();
    stopping.abort();
    platform.letGo('A');
    platform.letGo('B');
    const { end, report, events } = await draining;
    expect(end).toEqual({ kind: 'interrupted' });
    expect(report.rows).toMatchObject({ created: 3, not_sent: 2, unknown: 0 });
    expect(events.filter(({ kind }) => kind === 'stopping')).toEqual([
      { kind: 'stopping', reason: 'interrupted' },
    ]);
    run.close();
    const rest = new FakePlatform('transactions');
    expect((await drained(reopened(folder), rest)).report.rows).toMatchObject({ created: 5 });
    expect(rest.contents()).toEqual({ A: ['3'], C: ['5'] });
  });

  test('makes no further attempt for a failed batch', async () => {
    const stopping = new AbortController();
    const { run } = await stagedRun('transactions', csvFrom('transactions', 'A:1'));
    const platform = new FakePlatform('transactions', { 'A#1': LOST });
    platform.hold();
    const draining = drained(run, platform, { stopping: stopping.signal });
    await quiet();
    stopping.abort();
    platform.letGo('A');
    const { end, waits, report } = await draining;
    expect([end.kind, waits]).toEqual(['interrupted', []]);
    expect(report.rows).toMatchObject({ unknown: 1 });
  });

  test('passes the second signal to the requests in flight', async () => {
    const abort = new AbortController();
    const { run } = await stagedRun('transactions', csvFrom('transactions', 'A:1'));
    const signals: (AbortSignal | undefined)[] = [];
    const platform = {
      send: async (_: unknown, signal?: AbortSignal) => {
        signals.push(signal);
        return { kind: 'lost', reason: 'interrupted' } as const;
      },
    };
    await drained(run, platform, { abort: abort.signal, retryForMs: 0 });
    expect(signals).toEqual([abort.signal]);
  });
});

describe('--retry-for', () => {
  test('is counted from the first attempt of the batch', async () => {
    const faults = Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`A#${index + 1}`, LOST]));
    const { end, waits } = await push('transactions', 'A:1', faults, { retryForMs: 16_000 });
    expect(waits).toEqual([125, 250, 500, 1_000, 2_000, 4_000, 8_000, 125]);
    expect(end).toMatchObject({
      kind: 'unfinished',
      reason: { facts: { what: 'a request was given up after 16 s' } },
    });
  });

  test('includes a last attempt at its very end, which may succeed', async () => {
    const faults = Object.fromEntries(Array.from({ length: 5 }, (_, index) => [`A#${index + 1}`, LOST]));
    const { end, waits } = await push('transactions', 'A:1', faults, { retryForMs: 3_000 });
    expect([end.kind, waits]).toEqual(['finished', [125, 250, 500, 1_000, 1_125]]);
  });

  test('stops the other accounts when it is over', async () => {
    const { end, report } = await push(
      'transactions',
      'A:1 B:2',
      { 'A#1': LOST },
      { concurrency: 1, retryForMs: 0 },
    );
    expect(end.kind).toBe('unfinished');
    expect(report.rows).toMatchObject({ unknown: 1, not_sent: 1 });
  });

  test('ends the run at once when Retry-After asks for a longer wait', async () => {
    const fault = given(503, '', { 'retry-after': '120' });
    const { end, waits } = await push('transactions', 'A:1', { 'A#1': fault });
    const reason = expect.stringMatching(/^status 503, which asks to wait 2 min 0 s \(/);
    expect([end.reason, waits]).toMatchObject([{ code: 'retry_time_used_up', facts: { reason } }, []]);
  });
});

describe('a platform that keeps a second statement, by its contract,', () => {
  const contract = {
    name: 'Operator',
    sha256: '',
    fileSha256: '',
    saysDryRun: false,
    keepsSecond: true,
  } as const;
  const staged = { options: { contract } };

  test.each([
    ['may have stored', LOST_BUT_DONE],
    ['may have lost', LOST],
    ['may have stored before a 502', doneButGiven(502)],
  ])('never gets statements again that it %s', async (_, fault) => {
    const { end, report, platform, run } = await push(
      'statements',
      'A:1 A:2 A:3 B:4',
      { 'A#1': fault },
      { staged },
    );
    expect(end).toEqual({ kind: 'finished' });
    expect(report.rows).toMatchObject({ verify: 2, created: 2, unknown: 0, not_sent: 0 });
    expect(report.requests.byStatus).toMatchObject({ 201: 2, not_sent: 2 });
    expect(report.problems.map(({ code, http_status }) => [code, http_status])).toEqual([
      ['outcome_unproven', null],
      ['outcome_unproven', null],
    ]);
    expect(bodiesOf(platform, 'A').map((body) => body.match(/"statement_id":"\d"/g))).toEqual([
      ['"statement_id":"1"', '"statement_id":"2"'],
      ['"statement_id":"3"'],
    ]);
    assertProven(run.db);
  });

  test.each([
    ['may have stored', LOST_BUT_DONE],
    ['may have stored before a 502', doneButGiven(502)],
  ])('never gets one alone in its request again that it %s', async (_, fault) => {
    const limits = { records: 1, bytes: 1_000_000 };
    const alone = { staged: { ...staged, limits } };
    const { end, report, platform } = await push('statements', 'A:1 A:2', { 'A#1': fault }, alone);
    expect([end.kind, report.rows]).toMatchObject(['finished', { verify: 1, created: 1 }]);
    expect(platform.requestsOf('A')).toBe(2);
  });

  test('gets what surely was not applied', async () => {
    const { report, platform } = await push('statements', 'A:1 A:2', { 'A#1': given(429) }, { staged });
    expect([report.rows.created, platform.requestsOf('A')]).toEqual([2, 2]);
  });

  test('gets everything again with --again', async () => {
    // A finished run has no texts any more.
    const { run, folder } = await push(
      'statements',
      'A:1 B:2',
      { 'B#1': given(429) },
      { staged, retryForMs: 0 },
    );
    run.close();
    const again = new FakePlatform('statements');
    const { report } = await drained(reopened(folder, { again: true }), again);
    expect([report.rows.created, again.contents()]).toEqual([2, { A: ['1'], B: ['2'] }]);
  });
});

test('statements are sent again where no contract says that the platform keeps a second one', async () => {
  const { report, platform } = await push('statements', 'A:1 A:2', { 'A#1': LOST });
  expect([report.rows.created, platform.requestsOf('A')]).toEqual([2, 3]);
});

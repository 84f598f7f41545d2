import { describe, expect, test } from 'vitest';
import type { Resource } from '../../../../src/core/contract/resources.ts';
import type { Platform, PlatformAnswer, PlatformRequest } from '../../../../src/cli/push/ports/platform.ts';
import type { DrainRun } from '../../../../src/cli/push/ports/run.ts';
import { Crash, dying, type Death } from '../../../support/dying-operations.ts';
import { answer } from '../../../support/push-batch.ts';
import { drained, type DrainOptions } from '../../../support/push-drained.ts';
import { FakePlatform, type Fault } from '../../../support/fake-platform.ts';
import { csvFrom, reopened, stagedRun, type StagedRunOptions } from '../../../support/push-staged-run.ts';

type Json = Readonly<Record<string, unknown>>;
const ID = { transactions: 'transaction_id', statements: 'statement_id', notes: 'body' } as const;

/** Ways in which a platform reports the records that it rejects. */
type Words = (found: readonly { readonly id: string; readonly index: number }[], list: string) => unknown;

const DOCUMENTED: Words = (found, list) => ({
  detail: 'x',
  code: 'validation_error',
  errors: found.map(({ index }) => ({
    detail: 'No.',
    code: 'invalid_choice',
    attr: `${list}.${index}.non_field_errors`,
  })),
});
const AT_A_FIELD: Words = (found, list) => ({
  detail: 'x',
  code: 'validation_error',
  errors: found.map(({ index }) => ({ detail: 'No.', code: 'invalid', attr: `${list}.${index}.number` })),
});
const NESTED: Words = (found, list) => ({
  [list]: Object.fromEntries(found.map(({ index }) => [index, { type: ['No.'] }])),
});
const FIRST: Words = ([first]) => ({
  status: 'TRANSACTION_IMPORT_ERROR',
  error_detail: 'No.',
  transaction_data: { transaction_id: first!.id },
});
const NOBODY: Words = () => ({
  detail: 'x',
  code: 'validation_error',
  errors: [{ detail: 'No.', code: 'invalid', attr: null }],
});

/** A platform that rejects records with an `!` in their id. With `prefix` it adds the records before the first such record. */
function picky(resource: keyof typeof ID, words: Words, inner = new FakePlatform(resource), prefix = false) {
  const requests: string[][] = [];
  const platform: Platform = {
    async send(request: PlatformRequest): Promise<PlatformAnswer> {
      const { [resource]: list, ...account } = JSON.parse(request.body!) as Readonly<
        Record<string, readonly Json[]>
      >;
      const ids = list!.map((record) => String(record[ID[resource]]));
      requests.push(ids);
      const found = ids.flatMap((id, index) => (id.includes('!') ? [{ id, index }] : []));
      if (found.length === 0) return inner.send(request);
      const before = list!.slice(0, found[0]!.index);
      if (prefix && before.length > 0)
        await inner.send({ ...request, body: JSON.stringify({ ...account, [resource]: before }) });
      return answer(400, words(found, resource));
    },
  };
  return { platform, inner, requests };
}

async function skipping(
  resource: keyof typeof ID,
  rows: string,
  given: { readonly platform: Platform },
  options: DrainOptions & { staged?: StagedRunOptions } = {},
) {
  const limits = { records: 8, bytes: 1_000_000 };
  const { run, folder } = await stagedRun(resource, csvFrom(resource, rows), { limits, ...options.staged });
  const result = await drained(run, given.platform, { onReject: 'skip', ...options });
  return { ...result, run, folder };
}

const ROWS = 'A:1 A:2! A:3 A:4! A:5 B:6';

describe('a rejected record is set aside and the rest of its batch is sent again, in order', () => {
  test.each([
    ['transactions', 'documented', DOCUMENTED, [['1', '2!', '3', '4!', '5'], ['1'], ['3', '5'], ['6']]],
    ['transactions', 'nested', NESTED, [['1', '2!', '3', '4!', '5'], ['1'], ['3', '5'], ['6']]],
    [
      'transactions',
      'the first of several',
      FIRST,
      [['1', '2!', '3', '4!', '5'], ['1'], ['3', '4!', '5'], ['3'], ['5'], ['6']],
    ],
    ['statements', 'documented', DOCUMENTED, [['1', '2!', '3', '4!', '5'], ['1', '3', '5'], ['6']]],
  ] as const)('%s, %s', async (resource, _, words, requests) => {
    const given = picky(resource, words);
    const { end, report, run } = await skipping(resource, ROWS, given, { concurrency: 1 });
    expect(end).toEqual({ kind: 'finished' });
    expect(given.requests).toEqual(requests);
    expect(given.inner.contents()).toEqual({ A: ['1', '3', '5'], B: ['6'] });
    expect(report.rows).toMatchObject({ read: 6, created: 4, rejected: 2, unknown: 0, not_sent: 0 });
    expect(report.problems.map(({ line }) => line)).toEqual([3, 5]);
    expect(report.accounts).toEqual({ total: 2, done: 1, stopped: 0 });
    expect(run.openWork().requests).toBe(0);
  });

  test('a refusal that names no record is located by halves, down to one record', async () => {
    const given = picky('transactions', NOBODY);
    const { end, report } = await skipping('transactions', 'A:1 A:2 A:3! A:4', given);
    expect(end.kind).toBe('finished');
    expect(given.requests).toEqual([['1', '2', '3!', '4'], ['1', '2'], ['3!', '4'], ['3!'], ['4']]);
    expect(given.inner.contents()).toEqual({ A: ['1', '2', '4'] });
    expect(report.rows).toMatchObject({ created: 3, rejected: 1 });
    expect(report.requests.byStatus).toEqual({ 201: 2, 400: 3 });
  });

  test('a record that failed inside an answer of success is set aside', async () => {
    const results = [
      { status: 'TRANSACTION_ADDED_TO_ACCOUNT', transaction_data: { transaction_id: '1' } },
      { status: 'TRANSACTION_IMPORT_ERROR', transaction_data: { transaction_id: '2' } },
    ];
    const fault: Fault = { kind: 'answer', applied: false, answer: answer(201, { results }) };
    const platform = new FakePlatform('transactions', { 'A#1': fault });
    const { end, report } = await skipping('transactions', 'A:1 A:2 B:3', { platform });
    expect(end.kind).toBe('finished');
    expect(report.rows).toMatchObject({ created: 2, rejected: 1 });
    expect(platform.requestsOf('A')).toBe(1);
  });

  test('a missing account is reported with one request for each of its batches', async () => {
    const inner = new FakePlatform('transactions');
    const platform: Platform = {
      send: async (request) =>
        request.body!.includes('"B"') ? answer(404, { detail: 'Not found.' }) : inner.send(request),
    };
    const staged = { limits: { records: 2, bytes: 1_000_000 } };
    const { end, report } = await skipping('transactions', 'A:1 B:2 B:3 B:4 A:5', { platform }, { staged });
    expect(end.kind).toBe('finished');
    expect(report.rows).toMatchObject({ created: 2, rejected: 3 });
    expect(report.requests.byStatus).toEqual({ 201: 1, 404: 2 });
  });
});

describe('the rest of a batch is sent again with the check', () => {
  test('so that records that the platform added are not added twice', async () => {
    const given = picky('transactions', FIRST, new FakePlatform('transactions'), true);
    const paths: string[] = [];
    const platform: Platform = {
      send: (request) => {
        paths.push(request.path.split('?')[1] ?? '');
        return given.platform.send(request);
      },
    };
    const staged = { options: { checkPreviouslyAdded: false }, limits: { records: 8, bytes: 1_000_000 } };
    const { report } = await skipping('transactions', 'A:1 A:2! A:3', { platform }, { staged });
    expect(paths).toEqual(['check_previously_added=false', '', '']);
    expect(given.inner.contents()).toEqual({ A: ['1', '3'] });
    // Nothing proves that this run added the first record.
    expect(report.rows).toMatchObject({ created: 1, verify: 1, rejected: 1 });
  });
});

describe('some refusals end the run even with --on-reject skip', () => {
  test.each<readonly [string, number, unknown, string]>([
    [
      'the supplier does not migrate',
      400,
      { errors: [{ detail: 'x', code: 'import_supplier_migration_not_ongoing', attr: 'import_supplier' }] },
      'refused',
    ],
    [
      'the supplier is refused',
      400,
      { errors: [{ detail: 'x', code: 'invalid_choice', attr: 'import_supplier' }] },
      'refused',
    ],
    ['the supplier is refused in the nested form', 400, { import_supplier: ['Is not ongoing.'] }, 'refused'],
    ['a key without permission', 403, { detail: 'No.', code: 'permission_denied' }, 'refused'],
    ['a rejected token', 401, { detail: 'No.' }, 'unauthenticated'],
  ])('%s', async (_, status, body, kind) => {
    const fault: Fault = { kind: 'answer', applied: false, answer: answer(status, body) };
    const platform = new FakePlatform('transactions', { 'A#1': fault });
    const { end, run } = await skipping('transactions', 'A:1 B:2', { platform }, { concurrency: 1 });
    expect(end.kind).toBe(kind);
    expect(platform.received).toHaveLength(1);
    expect(run.isOpen).toBe(true);
  });
});

describe('a refusal that may be of something before the platform holds its account', () => {
  const REFUSALS: readonly (readonly [string, number, unknown])[] = [
    ['the platform refuses in its own words', 403, { detail: 'Import supplier is not ongoing.' }],
    ['a redirect', 302, ''],
    ['a page of a proxy', 404, '<html>'],
    ['a refusal without a reason', 400, ''],
  ];

  test.each(REFUSALS)('and the others go on: %s', async (_, status, body) => {
    const fault: Fault = { kind: 'answer', applied: false, answer: answer(status, body) };
    const platform = new FakePlatform('transactions', { 'A#1': fault });
    const { end, run } = await skipping('transactions', 'A:1 A:2 B:3', { platform }, { concurrency: 1 });
    expect([end.kind, run.isOpen, platform.received.length]).toEqual(['refused', true, 2]);
  });

  test.each(REFUSALS)('and three in a row end the run: %s', async (_, status, body) => {
    const fault: Fault = { kind: 'answer', applied: false, answer: answer(status, body) };
    const platform = new FakePlatform('transactions', { 'A#1': fault, 'B#1': fault, 'C#1': fault });
    const { end } = await skipping('transactions', 'A:1 B:2 C:3 D:4', { platform }, { concurrency: 1 });
    expect([end.kind, platform.received.length]).toEqual(['refused', 3]);
  });

  test('and three with good answers between them do not', async () => {
    const fault: Fault = { kind: 'answer', applied: false, answer: answer(404, '<html>') };
    const platform = new FakePlatform('transactions', { 'A#1': fault, 'C#1': fault, 'E#1': fault });
    await skipping('transactions', 'A:1 B:2 C:3 D:4 E:5 F:6', { platform }, { concurrency: 1 });
    expect(platform.received).toHaveLength(6);
  });
});

describe('one lost answer of an account that is not imported does not block the run', () => {
  const missing = answer(404, { detail: 'Not found.' }, { 'content-type': 'application/json' });

  test.each<Resource>(['notes', 'transactions', 'statements', 'payment-instructions'])(
    'of %s',
    async (resource) => {
      let requests = 0;
      const inner = new FakePlatform(resource);
      const platform: Platform = {
        send: async (request) => {
          if (!request.body!.includes('"B"')) return inner.send(request);
          return ++requests === 1 ? { kind: 'lost', reason: 'reset' } : missing;
        },
      };
      const limits = { records: resource === 'payment-instructions' ? 1 : 8, bytes: 1_000_000 };
      const rows = resource === 'payment-instructions' ? 'A:1 B:2 C:4' : 'A:1 B:2 B:3 C:4';
      const { run } = await stagedRun(resource, csvFrom(resource, rows), { limits });
      const { end, report } = await drained(run, platform, { onReject: 'skip', concurrency: 1 });
      expect(end.kind).toBe('finished');
      expect(report.rows).toMatchObject({ created: 2, rejected: rows.includes('B:3') ? 2 : 1, unknown: 0 });
      expect(new Set(report.problems.map(({ code }) => code))).toEqual(new Set(['account_not_found']));
    },
  );

  test('and neither does the process that died in between', async () => {
    const inner = new FakePlatform('transactions');
    let life = 1;
    const platform: Platform = {
      send: async (request) => {
        if (!request.body!.includes('"B"')) return inner.send(request);
        return life === 1 ? { kind: 'lost', reason: 'reset' } : missing;
      },
    };
    const { run, folder } = await stagedRun('transactions', csvFrom('transactions', 'A:1 B:2 C:3'));
    const first = await drained(run, platform, { onReject: 'skip', concurrency: 1, retryForMs: 1_000 });
    expect(first.end.kind).toBe('unfinished');
    run.close();
    life = 2;
    const again = await drained(reopened(folder), platform, { onReject: 'skip' });
    expect(again.end.kind).toBe('finished');
    expect(again.report.rows).toMatchObject({ created: 2, rejected: 1 });
  });
});

test('an answer of another database ends the run before any other account is sent', async () => {
  const inner = new FakePlatform('transactions');
  const send = async (request: PlatformRequest): Promise<PlatformAnswer> => {
    const given = await inner.send(request);
    const name = inner.received.at(-1)!.account === 'A' ? 'db-1' : 'db-2';
    return given.kind === 'answer' ? { ...given, headers: { 'dataimport-database': name } } : given;
  };
  const given = { platform: { send } };
  const { end, report } = await skipping('transactions', 'A:1 B:2 C:3', given, {
    database: 'db-1',
    concurrency: 1,
  });
  expect(end).toEqual({ kind: 'refused' });
  expect(report.rows).toMatchObject({ created: 1, unknown: 1, not_sent: 1 });
});

describe('too many errors end the run', () => {
  test.each([
    [0, 1],
    [1, 2],
    [2, 3],
  ])('more than %i', async (maxErrors, rejected) => {
    const given = picky('transactions', FIRST);
    const { end, report, run } = await skipping('transactions', 'A:1! A:2! A:3! A:4! B:5', given, {
      maxErrors,
      concurrency: 1,
    });
    const facts = { errors: rejected, limit: maxErrors };
    expect(end).toEqual({ kind: 'refused', reason: { code: 'max_errors_exceeded', facts } });
    // The platform may have added the records before the rejected one, and there are none.
    expect(report.rows).toMatchObject({ rejected, unknown: 0, not_sent: 5 - rejected });
    expect(given.requests).toHaveLength(rejected);
    expect(run.isOpen).toBe(true);
  });

  test('and those of requests in flight are counted', async () => {
    const options = { maxErrors: 0, concurrency: 2 };
    const { end } = await skipping('transactions', 'A:1! B:2! C:3', picky('transactions', FIRST), options);
    expect(end.reason?.facts).toEqual({ errors: 2, limit: 0 });
  });

  test('exactly as many as allowed do not', async () => {
    const given = picky('transactions', FIRST);
    const { end } = await skipping('transactions', 'A:1! A:2! A:3', given, { maxErrors: 2 });
    expect(end.kind).toBe('finished');
  });
});

describe('a run that stops after it set records aside', () => {
  test('sends them again with the rest, and keeps their problems, when the command is run again', async () => {
    const given = picky('transactions', FIRST);
    const { run, folder, report } = await skipping('transactions', ROWS, given, {
      maxErrors: 0,
      concurrency: 1,
    });
    expect(report.rows).toMatchObject({ rejected: 1, unknown: 1, not_sent: 4 });
    run.close();
    const again = await drained(reopened(folder), given.platform, { onReject: 'skip' });
    expect(again.end.kind).toBe('finished');
    expect(again.report.rows).toMatchObject({ created: 4, rejected: 2 });
    expect(again.report.problems.map(({ line }) => line)).toEqual([3, 5]);
    expect(given.requests.flat().filter((id) => id === '2!')).toHaveLength(2);
  });

  test('does not report records as not sent that an earlier attempt may have added', async () => {
    // The first answer is lost. The second attempt rejects one record. Then the run stops.
    const lost: Fault = { kind: 'lost', applied: false };
    const inner = new FakePlatform('transactions', { 'A#1': lost });
    let requests = 0;
    const named = {
      status: 'TRANSACTION_IMPORT_ERROR',
      error_detail: 'No.',
      transaction_data: { transaction_id: '2' },
    };
    const platform: Platform = {
      send: (request) => (++requests === 2 ? Promise.resolve(answer(400, named)) : inner.send(request)),
    };
    const { report, end } = await skipping('transactions', 'A:1 A:2 A:3', { platform }, { maxErrors: 0 });
    expect(end.reason?.code).toBe('max_errors_exceeded');
    expect(report.rows).toMatchObject({ rejected: 1, unknown: 2, not_sent: 0 });
  });
});

test.each<Resource>(['payment-instructions'])('%s are rejected one by one', async (resource) => {
  const fault: Fault = {
    kind: 'answer',
    applied: false,
    answer: answer(400, {
      error_detail: 'No.',
      reference: '1',
      external_account_number: 'A',
      import_supplier: 'ACME',
    }),
  };
  const platform = new FakePlatform(resource, { 'A#1': fault });
  const { run } = await stagedRun(resource, csvFrom(resource, 'A:1 B:2'), {
    limits: { records: 1, bytes: 1e6 },
  });
  const { end, report } = await drained(run, platform, { onReject: 'skip' });
  expect(end.kind).toBe('finished');
  expect(report.rows).toMatchObject({ created: 1, rejected: 1 });
});

describe('a process that dies while it sets records aside', () => {
  test.each([
    ['that the refusal names', 'transactions', FIRST],
    ['that the refusal does not name', 'transactions', NOBODY],
    ['of statements', 'statements', AT_A_FIELD],
  ] as const)('%s loses and repeats nothing, at whatever step it dies', async (_, resource, words) => {
    /** Drains the run by processes that die at the given steps, and at last by one that does not. */
    async function lives(deaths: readonly Death[]): Promise<number> {
      const given = picky(resource, words, new FakePlatform(resource), resource === 'transactions');
      const staged = await stagedRun(resource, csvFrom(resource, ROWS), {
        limits: { records: 3, bytes: 1_000_000 },
        choice: { onReject: 'skip' },
      });
      staged.run.close();
      let seen = { operations: 0 };
      for (const death of [...deaths, { step: Infinity, when: 'after' } as const]) {
        const run = reopened(staged.folder);
        const through = (operations: DrainRun): DrainRun => {
          const mortal = dying(operations, death);
          seen = mortal.seen;
          return mortal.through;
        };
        const isLast = death.step === Infinity;
        const draining = drained(run, given.platform, { through, concurrency: 1 });
        if (isLast)
          expect((await draining).report.rows).toMatchObject({ rejected: 2, not_sent: 0, unknown: 0 });
        else await expect(draining).rejects.toThrow(Crash);
        // A statement that the platform already had is named, too.
        const refused = run
          .report()
          .problems.filter(({ code, severity }) => severity === 'error' && code !== 'outcome_unproven');
        if (isLast) expect([...new Set(refused.map(({ line }) => line))]).toEqual([3, 5]);
        run.close();
      }
      expect(given.inner.contents()).toEqual({ A: ['1', '3', '5'], B: ['6'] });
      return seen.operations;
    }

    const operations = await lives([]);
    for (let step = 1; step <= operations; step++) {
      // A death before a step leaves what the death after the step before it leaves.
      if (step === 1) await lives([{ step, when: 'before' }]);
      await lives([{ step, when: 'after' }]);
    }
  });
});

import Database from 'better-sqlite3';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Batch, DrainRun, Settlement } from '../../../../src/cli/push/ports/run.ts';
import type { LocatedProblem } from '../../../../src/cli/push/ports/report.ts';
import { Journal } from '../../../../src/cli/journal/journal.ts';
import { created, rowsOf, settlement, staged } from '../../../support/requests-of-a-run.ts';
import { journalIn, NOW, reopened } from '../../../support/push-staged-run.ts';

const AMBIGUOUS = { kind: 'ambiguous', status: null, reason: 'reset' } as const;
const NOT_APPLIED = { kind: 'not_applied', status: 429, reason: 'status 429' } as const;

const problem: LocatedProblem = {
  code: 'invalid',
  severity: 'error',
  file: 'transactions-1.csv',
  line: 2,
  column: 1,
  header: 'x',
  attr: null,
  detail: 'x',
  next: null,
  http_status: null,
};

const settleAndClaim = (operations: DrainRun, batch: Batch, result: Settlement): Promise<Batch | undefined> =>
  operations.settle(batch, result, () => true);

const ids = (batch: Batch | undefined): unknown => batch?.records.map(({ id }) => id);

describe('the counts add up after every operation', () => {
  test('a claim, a lost answer, a second attempt and success', async () => {
    const { run, operations } = await staged();
    expect(rowsOf(run)).toEqual({ read: 4, not_sent: 4 });
    const batch = (await operations.claimNext(1))!;
    expect([ids(batch), batch.attempt, batch.inDoubt]).toEqual([['1', '2'], 1, false]);
    expect(rowsOf(run)).toEqual({ read: 4, unknown: 2, not_sent: 2 });
    await operations.fail(batch, AMBIGUOUS);
    expect(rowsOf(run)).toEqual({ read: 4, unknown: 2, not_sent: 2 });
    const again = await operations.claimAgain(batch);
    expect([ids(again), again.attempt, again.inDoubt]).toEqual([['1', '2'], 2, true]);
    const next = (await settleAndClaim(operations, again, settlement(again, ['existing', 'created'])))!;
    expect(ids(next)).toEqual(['3']);
    expect(rowsOf(run)).toEqual({ read: 4, created: 1, existing: 1, unknown: 1, not_sent: 1 });
    expect(await settleAndClaim(operations, next, created(next))).toBeUndefined();
    expect(rowsOf(run)).toEqual({ read: 4, created: 2, existing: 1, not_sent: 1 });
    expect(run.report().requests).toEqual({ total: 3, retried: 1, byStatus: { 201: 2, lost: 1 } });
    expect(run.report().accounts).toEqual({ total: 2, done: 1, stopped: 0 });
  });

  test('a refusal of one record leaves the records before it in doubt and the records after it unsent', async () => {
    const { run, folder, operations } = await staged();
    const batch = (await operations.claimNext(1))!;
    const refusal = settlement(batch, [null, 'rejected'], { status: 400, state: 'rejected', inDoubt: true });
    await operations.settle(batch, refusal);
    expect(rowsOf(run)).toEqual({ read: 4, rejected: 1, unknown: 1, not_sent: 2 });
    expect(run.report().accounts).toEqual({ total: 2, done: 0, stopped: 1 });
    expect(await operations.claimNext(1)).toMatchObject({ records: [{ id: '3' }] });
    run.close();
    const later = reopened(folder);
    // The record in flight and the one before the refused one may be there.
    expect(rowsOf(later)).toEqual({ read: 4, not_sent: 2, unknown: 2 });
    expect(await later.draining(() => NOW).claimNext(1)).toMatchObject({
      inDoubt: true,
      records: [{ id: '1' }],
    });
  });

  test('a refused batch that may have been applied earlier is in doubt when the run is resumed', async () => {
    const { run, folder, operations } = await staged();
    await operations.fail((await operations.claimNext(1))!, AMBIGUOUS);
    const batch = (await operations.claimNext(1))!;
    await operations.settle(
      batch,
      settlement(batch, ['rejected', 'rejected'], { status: 404, state: 'rejected' }),
    );
    run.close();
    expect(
      await reopened(folder)
        .draining(() => NOW)
        .claimNext(1),
    ).toMatchObject({ inDoubt: true });
  });

  test('statements in doubt are claimed one by one, and are unknown until the platform answers for each', async () => {
    const { run, operations } = await staged('A:1 A:2 A:3 B:4', 'statements');
    await operations.fail((await operations.claimNext(1))!, AMBIGUOUS);
    expect(rowsOf(run)).toEqual({ read: 4, unknown: 2, not_sent: 2 });
    const first = (await operations.claimNext(1))!;
    expect([ids(first), first.inDoubt]).toEqual([['1'], true]);
    const second = (await settleAndClaim(operations, first, settlement(first, ['verify'])))!;
    expect([ids(second), second.inDoubt, second.attempt]).toEqual([['2'], true, 1]);
    expect(rowsOf(run)).toEqual({ read: 4, verify: 1, unknown: 1, not_sent: 2 });
    const third = (await settleAndClaim(operations, second, created(second)))!;
    expect([ids(third), third.inDoubt]).toEqual([['3'], false]);
    expect(run.report().requests.total).toBe(4);
  });

  test.each([
    ['a lost answer', AMBIGUOUS, true],
    ['a 502', { ...AMBIGUOUS, status: 502 }, true],
    ['a 500', { ...AMBIGUOUS, status: 500 }, undefined],
  ])(
    'may repeat what the platform has after %s, also when they are cut: %o',
    async (_, failure, mayRepeat) => {
      const { operations } = await staged('A:1 A:2', 'statements');
      const batch = (await operations.claimNext(1))!;
      expect(batch.mayRepeat).toBeUndefined();
      await operations.fail(batch, failure);
      const first = (await operations.claimNext(1))!;
      const second = (await settleAndClaim(operations, first, created(first)))!;
      expect([first.mayRepeat, second.mayRepeat]).toEqual([mayRepeat, mayRepeat]);
    },
  );

  describe('a refused record that is planned again beside a record in doubt', () => {
    /** Its batch is [1 2]: 1 was refused, then the answer about 2 was lost, and the next command takes the run up. */
    const beside = async () => {
      const { run, folder, operations } = await staged('A:1 A:2', 'statements');
      const batch = (await operations.claimNext(1))!;
      const refused = settlement(batch, ['rejected', null], { state: 'again' });
      await operations.fail((await settleAndClaim(operations, batch, refused))!, AMBIGUOUS);
      run.close();
      return reopened(folder).draining(() => NOW);
    };
    /** The ids and doubts of the following requests. */
    const following = async (operations: DrainRun): Promise<readonly unknown[]> => {
      const sent = [];
      let next = await operations.claimNext(1);
      for (; next; next = await settleAndClaim(operations, next, created(next)))
        sent.push([ids(next), next.inDoubt]);
      return sent;
    };

    test('is sent after it and is not in doubt', async () => {
      expect(await following(await beside())).toEqual([
        [['2'], true],
        [['1'], false],
      ]);
    });

    test('is in doubt itself when a request has had it since', async () => {
      const { run, folder, operations } = await staged('A:1 A:2', 'statements');
      const batch = (await operations.claimNext(1))!;
      await operations.settle(batch, settlement(batch, ['rejected', null], { state: 'rejected' }));
      run.close();
      const again = reopened(folder).draining(() => NOW);
      await again.fail((await again.claimNext(1))!, AMBIGUOUS);
      expect(await following(again)).toEqual([
        [['1'], true],
        [['2'], true],
      ]);
    });
  });

  test('a batch that was not applied is split into halves that are not in doubt', async () => {
    const { run, operations } = await staged('A:1 A:2 A:3');
    await operations.splitInHalves((await operations.claimNext(1))!, {
      kind: 'not_applied',
      status: 413,
      reason: 'status 413',
    });
    expect(rowsOf(run)).toEqual({ read: 3, not_sent: 3 });
    const first = (await operations.claimNext(1))!;
    expect([ids(first), first.inDoubt]).toEqual([['1'], false]);
    expect(ids(await settleAndClaim(operations, first, created(first)))).toEqual(['2']);
  });

  test('a batch in doubt is split into halves that are in doubt', async () => {
    const { run, operations } = await staged('A:1 A:2');
    await operations.fail((await operations.claimNext(1))!, AMBIGUOUS);
    await operations.splitInHalves((await operations.claimNext(1))!, {
      kind: 'not_applied',
      status: 413,
      reason: 'status 413',
    });
    expect(rowsOf(run)).toEqual({ read: 2, unknown: 2 });
    expect(await operations.claimNext(1)).toMatchObject({ inDoubt: true, records: [{ id: '1' }] });
  });

  test('accounts are listed in the order of the file while they have an open batch', async () => {
    const { operations } = await staged('B:1 A:2 C:3');
    expect([0, 1, 2, 3].map(operations.nextAccount)).toEqual([1, 2, 3, undefined]);
    const batch = (await operations.claimNext(2))!;
    expect(batch.account.external_account_number).toBe('A');
    await operations.settle(batch, created(batch));
    expect([0, 1, 2, 3].map(operations.nextAccount)).toEqual([1, 3, 3, undefined]);
    expect(await operations.claimNext(2)).toBeUndefined();
  });
});

test('an attempt that sent no byte does not count as a retried request', async () => {
  const { run, operations } = await staged();
  const batch = (await operations.claimNext(1))!;
  await operations.fail(batch, { kind: 'not_applied', status: null, reason: 'refused' });
  await operations.fail(await operations.claimAgain(batch), {
    kind: 'not_applied',
    status: null,
    reason: 'refused',
  });
  expect(run.report().requests).toEqual({ total: 2, retried: 0, byStatus: { not_sent: 2 } });
  await operations.fail(await operations.claimAgain({ ...batch, attempt: 2 }), NOT_APPLIED);
  expect(run.report().requests).toEqual({ total: 3, retried: 0, byStatus: { 429: 1, not_sent: 2 } });
  const last = await operations.claimAgain({ ...batch, attempt: 3 });
  // An attempt in flight counts as made.
  expect(run.report().requests).toMatchObject({ total: 4, retried: 1 });
  await operations.settle(last, created(last));
  expect(run.report().requests).toEqual({ total: 4, retried: 1, byStatus: { 201: 1, 429: 1, not_sent: 2 } });
});

test('a batch in doubt stays in doubt when a later attempt was not applied', async () => {
  const { operations } = await staged();
  const batch = (await operations.claimNext(1))!;
  await operations.fail(batch, AMBIGUOUS);
  const second = await operations.claimAgain(batch);
  await operations.fail(second, NOT_APPLIED);
  expect(await operations.claimAgain(second)).toMatchObject({ attempt: 3, inDoubt: true });
});

describe('an operation that meets an unexpected state throws and changes nothing', () => {
  /** Brings a batch into a state and returns the batch of its last claim. */
  const STATES: Readonly<Record<string, (operations: DrainRun) => Promise<Batch>>> = {
    planned: async (operations) => {
      const batch = (await operations.claimNext(1))!;
      await operations.fail(batch, NOT_APPLIED);
      return batch;
    },
    'in doubt': async (operations) => {
      const batch = (await operations.claimNext(1))!;
      await operations.fail(batch, AMBIGUOUS);
      return batch;
    },
    done: async (operations) => {
      const batch = (await operations.claimNext(1))!;
      await operations.settle(batch, created(batch));
      return batch;
    },
    refused: async (operations) => {
      const batch = (await operations.claimNext(1))!;
      await operations.settle(batch, settlement(batch, ['rejected', null], { state: 'rejected' }));
      return batch;
    },
  };
  const OPERATIONS: Readonly<Record<string, (operations: DrainRun, batch: Batch) => Promise<unknown>>> = {
    'a lost answer': (operations, batch) => operations.fail(batch, AMBIGUOUS),
    'a request that was not applied': (operations, batch) => operations.fail(batch, NOT_APPLIED),
    'a success': (operations, batch) => settleAndClaim(operations, batch, created(batch)),
    'a refusal': (operations, batch) =>
      operations.settle(batch, settlement(batch, ['rejected', null], { state: 'rejected' })),
    'a split into halves': (operations, batch) => operations.splitInHalves(batch, NOT_APPLIED),
  };

  test.each(
    Object.keys(STATES).flatMap((state) => Object.keys(OPERATIONS).map((name) => [state, name] as const)),
  )('on a batch that is %s: %s', async (state, name) => {
    const { run, operations } = await staged();
    const batch = await STATES[state]!(operations);
    const before = JSON.stringify(run.report());
    await expect(OPERATIONS[name]!(operations, batch)).rejects.toThrow(/^journal: /);
    expect(JSON.stringify(run.report())).toBe(before);
  });

  test.each(['done', 'refused'])('a second attempt on a batch that is %s', async (state) => {
    const { run, operations } = await staged();
    const batch = await STATES[state]!(operations);
    const before = JSON.stringify(run.report());
    await expect(operations.claimAgain(batch)).rejects.toThrow(/^journal: claim/);
    expect(JSON.stringify(run.report())).toBe(before);
  });

  test('a second claim of an account whose request is in flight', async () => {
    const { operations } = await staged();
    const batch = (await operations.claimNext(1))!;
    await expect(operations.claimNext(1)).rejects.toThrow(/in flight/);
    await expect(operations.claimAgain(batch)).rejects.toThrow(/in flight/);
  });

  test('an attempt on an outdated copy of the batch', async () => {
    const { operations } = await staged();
    const batch = (await operations.claimNext(1))!;
    await operations.fail(batch, AMBIGUOUS);
    await operations.fail(await operations.claimAgain(batch), AMBIGUOUS);
    await expect(operations.claimAgain(batch)).rejects.toThrow(/^journal: claim/);
  });

  test('success that leaves a record without an outcome', async () => {
    const { run, operations } = await staged();
    const batch = (await operations.claimNext(1))!;
    await expect(settleAndClaim(operations, batch, settlement(batch, ['created', null]))).rejects.toThrow(
      /without outcome/,
    );
    expect(rowsOf(run)).toMatchObject({ unknown: 2 });
  });

  test('a second outcome for a record', async () => {
    const { run, operations } = await staged('A:1 A:2 A:3');
    const first = (await operations.claimNext(1))!;
    const second = (await settleAndClaim(operations, first, created(first)))!;
    const wrong = {
      ...created(second),
      records: [{ seq: first.records[0]!.seq, outcome: 'created' as const }],
    };
    await expect(operations.settle(second, wrong)).rejects.toThrow(
      'an outcome belongs to no record of the batch',
    );
    expect(rowsOf(run)).toEqual({ read: 3, created: 2, unknown: 1 });
  });

  test('an invalidation of a record that is missing or already invalid', async () => {
    const { run } = await staged();
    const operations = run.staging();
    expect(() => operations.invalidate(99)).toThrow(/^journal: record 99/);
    operations.invalidate(1);
    expect(() => operations.invalidate(1)).toThrow(/^journal: record 1/);
  });

  test('resuming removes the problems of a refused batch and keeps those of a done batch', async () => {
    const { run, folder, operations } = await staged();
    const first = (await operations.claimNext(2))!;
    await operations.settle(first, { ...created(first), problems: [problem] });
    const second = (await operations.claimNext(1))!;
    const refusal = settlement(second, ['rejected', null], {
      state: 'rejected',
      problems: [problem, problem],
    });
    await operations.settle(second, refusal);
    expect(run.report().problemsTotal).toBe(3);
    run.close();
    expect(reopened(folder).report().problemsTotal).toBe(1);
  });
});

describe('a journal that somebody has changed sends nothing', () => {
  /** Claims the first request of a closed run after a change of its file. */
  const claimAfter = async (sql: string) => {
    const { run, folder } = await staged();
    run.close();
    const db = new Database(journalIn(folder));
    db.pragma('ignore_check_constraints = 1');
    db.pragma('foreign_keys = 0');
    db.exec(sql);
    db.close();
    const again = Journal.open(journalIn(folder)).reading(1);
    onTestFinished(() => again.close());
    return again.draining(() => NOW).claimNext(1);
  };

  test.each([
    ['the id of a record', `UPDATE record SET id = '9' WHERE seq = 2`, 'the record of line 3'],
    ['its amount', `UPDATE record SET amount = '9' WHERE seq = 1`, 'the record of line 2'],
    ['its file by one that is none', 'UPDATE record SET source_id = 0 WHERE seq = 1', 'of no file'],
    ['its file by one too many', 'UPDATE record SET source_id = 2 WHERE seq = 1', 'of no file'],
    ['its account', 'UPDATE record SET account_id = 2 WHERE account_id = 1', 'has no records'],
  ])('%s', async (_, sql, reason) => {
    await expect(claimAfter(sql)).rejects.toMatchObject({
      code: 'run_damaged',
      facts: { reason: expect.stringContaining(reason) as unknown },
    });
  });

  test('without a change it sends', async () => {
    expect(await claimAfter('SELECT 1')).toMatchObject({
      records: [{ id: '1', parts: [], wasThere: false }, {}],
    });
  });
});

describe('an answer', () => {
  /** How each attempt ended, as the file keeps it. */
  const endsIn = (folder: string): readonly unknown[] => {
    const db = new Database(journalIn(folder), { readonly: true });
    const rows = db.prepare('SELECT status, result, reason FROM attempt ORDER BY id').raw().all();
    db.close();
    return rows;
  };

  test('is kept with its status and what it meant', async () => {
    const { run, folder, operations } = await staged('A:1 A:2 A:3 A:4 A:5 A:6 A:7 A:8');
    const next = async () => (await operations.claimNext(1))!;
    await operations.fail(await next(), AMBIGUOUS);
    const resent = await next();
    await operations.settle(resent, created(resent));
    const doubtful = await next();
    await operations.settle(
      doubtful,
      settlement(doubtful, [null, 'rejected'], { status: 400, state: 'rejected', inDoubt: true }),
    );
    const refused = await next();
    await operations.settle(
      refused,
      settlement(refused, ['rejected', 'rejected'], { status: 404, state: 'rejected' }),
    );
    const last = await next();
    await operations.fail(last, { kind: 'refused', status: 413, reason: 'too large', inDoubt: false });
    await operations.settle(
      await operations.claimAgain(last),
      settlement(last, ['created', null], { state: 'again', inDoubt: true }),
    );
    run.close();
    expect(endsIn(folder)).toEqual([
      [null, 'ambiguous', 'reset'],
      [201, 'settled', null],
      [400, 'settled', null],
      [404, 'settled', null],
      [413, 'refused', 'too large'],
      [201, 'settled', null],
    ]);
  });

  test.each([
    [
      'that settles nothing leaves new records unsent',
      false,
      [null, null],
      { state: 'again' },
      { read: 2, not_sent: 2 },
      { stopped: 0, inDoubt: false },
    ],
    [
      'that settles nothing leaves records in doubt',
      true,
      [null, null],
      { state: 'again' },
      { read: 2, unknown: 2 },
      { stopped: 0, inDoubt: true },
    ],
    [
      'that is itself unclear puts records in doubt',
      false,
      [null, null],
      { state: 'again', inDoubt: true },
      { read: 2, unknown: 2 },
      { stopped: 0, inDoubt: true },
    ],
    [
      'that refuses the whole request leaves doubts',
      true,
      [null, null],
      { state: 'rejected' },
      { read: 2, unknown: 2 },
      { stopped: 0, inDoubt: true },
    ],
    [
      'that refuses one record settles it',
      true,
      [null, 'rejected'],
      { state: 'rejected' },
      { read: 2, rejected: 1, unknown: 1 },
      { stopped: 1, inDoubt: true },
    ],
    [
      'that refuses a new request leaves the others unsent',
      false,
      [null, 'rejected'],
      { state: 'rejected' },
      { read: 2, rejected: 1, not_sent: 1 },
      { stopped: 1, inDoubt: false },
    ],
  ] as const)('%s', async (_, wasInDoubt, outcomes, changes, expected, { stopped, inDoubt }) => {
    const { run, folder, operations } = await staged('A:1 A:2');
    if (wasInDoubt) await operations.fail((await operations.claimNext(1))!, AMBIGUOUS);
    const batch = (await operations.claimNext(1))!;
    await operations.settle(batch, settlement(batch, outcomes, changes));
    expect(rowsOf(run)).toEqual(expected);
    expect(run.report().accounts.stopped).toBe(stopped);
    run.close();
    const again = reopened(folder).draining(() => NOW);
    expect((await again.claimNext(1))?.inDoubt).toBe(inDoubt);
  });

  test('claims the next request of its account only when it is asked to', async () => {
    const { operations } = await staged();
    const batch = (await operations.claimNext(1))!;
    expect(await operations.settle(batch, created(batch))).toBeUndefined();
    expect(await operations.claimNext(1, () => false)).toBeUndefined();
    expect(ids(await operations.claimNext(1, () => true))).toEqual(['3']);
  });
});

describe('a failed attempt', () => {
  test.each([
    ['may have been applied', { kind: 'refused', status: 400, reason: 'x', inDoubt: true }, 'unknown'],
    ['was not', { kind: 'refused', status: 400, reason: 'x', inDoubt: false }, 'not_sent'],
  ] as const)('that was refused %s', async (_, attempt, count) => {
    const { run, operations } = await staged('A:1 A:2');
    await operations.fail((await operations.claimNext(1))!, attempt);
    expect(rowsOf(run)).toEqual({ read: 2, [count]: 2 });
  });

  test('without a clear answer is reported until its records are sent again', async () => {
    const { run, folder, operations } = await staged('A:1 A:2');
    await operations.fail((await operations.claimNext(1))!, { ...AMBIGUOUS, problems: [problem] });
    expect(run.report().problemsTotal).toBe(1);
    run.close();
    expect(reopened(folder).report().problemsTotal).toBe(0);
  });
});

test('problems of records that are not sent again stay when the run is taken up', async () => {
  const { run, folder, operations } = await staged('A:1 A:2');
  const batch = (await operations.claimNext(1))!;
  const problems = [
    problem,
    { ...problem, severity: 'warning' as const },
    { ...problem, code: 'answer_differs' as const },
  ];
  await operations.settle(
    batch,
    settlement(batch, ['verify', 'rejected'], { status: 400, state: 'rejected', problems }),
  );
  expect(run.report().problemsTotal).toBe(3);
  run.close();
  expect(
    reopened(folder)
      .report()
      .problems.map(({ severity, code }) => `${severity} ${code}`),
  ).toEqual(['error answer_differs', 'warning invalid']);
});

test('problems of a request that settles a part of its records stay, although the rest is sent again', async () => {
  const { run, folder, operations } = await staged('A:1 A:2');
  const batch = (await operations.claimNext(1))!;
  const changes = { state: 'again', problems: [problem] } as const;
  await operations.settle(batch, settlement(batch, ['verify', null], changes));
  run.close();
  const again = reopened(folder);
  expect(again.report().problemsTotal).toBe(1);
  expect(rowsOf(again)).toEqual({ read: 2, verify: 1, not_sent: 1 });
});

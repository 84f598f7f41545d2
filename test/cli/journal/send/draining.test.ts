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

  test('a second claim of an account whose request is in flight', async () => {
    const { operations } = await staged();
    const batch = (await operations.claimNext(1))!;
    await expect(operations.claimNext(1)).rejects.toThrow(/in flight/);
    await expect(operations.claimAgain(batch)).rejects.toThrow(/in flight/);
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
  test.each([
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
});

test('problems of records that are not sent again stay when the run is taken up', async () => {
  const { run, folder, operations } = await staged('A:1 A:2');
  const batch = (await operations.claimNext(1))!;
  const problems = [
    problem,
    { ...problem, severity: 'warning' as const },
    { ...problem, code: 'existing_differs' as const },
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
  ).toEqual(['error existing_differs', 'warning invalid']);
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

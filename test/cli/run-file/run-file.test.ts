import { chmodSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Batch } from '../../../src/cli/push/ports/batch.ts';
import { addsUp } from '../../../src/cli/push/ports/record-outcome.ts';
import type { DrainRun, Settlement } from '../../../src/cli/push/ports/run.ts';
import type { LocatedProblem } from '../../../src/cli/push/ports/located-problem.ts';
import { preciseInstantOfClock } from '../../../src/core/values/instant.ts';
import type { RunFile } from '../../../src/cli/run-file/run-file.ts';
import { RunsFolder } from '../../../src/cli/run-file/runs-folder.ts';
import { drained } from '../../support/push-drained.ts';
import { FakePlatform } from '../../support/push-fake-platform.ts';
import {
  csvFrom,
  csvOf,
  headerOf,
  NOW,
  reopened,
  row,
  RUN_ID,
  stagedRun,
} from '../../support/push-staged-run.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const AMBIGUOUS = { kind: 'ambiguous', status: null, reason: 'reset' } as const;
const NOT_APPLIED = { kind: 'not_applied', status: 429, reason: 'status 429' } as const;

/** A settlement with one outcome for each record of a batch, or null. */
function settlement(
  batch: Batch,
  outcomes: readonly Settlement['records'][number]['outcome'][],
  changes: Partial<Settlement> = {},
): Settlement {
  const records = batch.records.map(({ seq }, index) => ({ seq, outcome: outcomes[index]! }));
  return { status: 201, records, state: 'done', problems: [], unsure: false, ...changes };
}

const created = (batch: Batch): Settlement =>
  settlement(
    batch,
    batch.records.map(() => 'created'),
  );

/** A staged run of transactions in batches of two, and its verbs. */
async function staged(rows = 'A:1 A:2 A:3 B:4') {
  const { run, folder } = await stagedRun('transactions', csvFrom('transactions', rows));
  return { run, folder, verbs: run.draining(() => NOW) };
}

/** Counts of a run that are not zero; they must add up. */
function rowsOf(run: RunFile): Readonly<Record<string, number>> {
  const { rows } = run.report();
  expect(addsUp(rows)).toBe(true);
  return Object.fromEntries(Object.entries(rows).filter(([, count]) => count > 0));
}

const ids = (batch: Batch | undefined): unknown => batch?.records.map(({ id }) => id);

describe('every verb moves the counts, and they add up after each', () => {
  test('a claim, a lost answer, another attempt, and success', async () => {
    const { run, verbs } = await staged();
    expect(rowsOf(run)).toEqual({ read: 4, not_sent: 4 });
    const batch = verbs.claimNext(1)!;
    expect([ids(batch), batch.attempt, batch.unsure]).toEqual([['1', '2'], 1, false]);
    expect(rowsOf(run)).toEqual({ read: 4, unknown: 2, not_sent: 2 });
    verbs.fail(batch, AMBIGUOUS);
    expect(rowsOf(run)).toEqual({ read: 4, unknown: 2, not_sent: 2 });
    const again = verbs.claimAgain(batch);
    expect([ids(again), again.attempt, again.unsure]).toEqual([['1', '2'], 2, true]);
    const next = verbs.settle(again, settlement(again, ['existing', 'created']), 'claim_next')!;
    expect(ids(next)).toEqual(['3']);
    expect(rowsOf(run)).toEqual({ read: 4, created: 1, existing: 1, unknown: 1, not_sent: 1 });
    expect(verbs.settle(next, created(next), 'claim_next')).toBeUndefined();
    expect(rowsOf(run)).toEqual({ read: 4, created: 2, existing: 1, not_sent: 1 });
    expect(run.report().requests).toEqual({ total: 3, retried: 1, byStatus: { 201: 2, lost: 1 } });
    expect(run.report().accounts).toEqual({ total: 2, done: 1, stopped: 0 });
  });

  test('a request that was not applied puts its batch back', async () => {
    const { run, verbs } = await staged();
    const batch = verbs.claimNext(1)!;
    verbs.fail(batch, NOT_APPLIED);
    expect(rowsOf(run)).toEqual({ read: 4, not_sent: 4 });
    expect(verbs.claimAgain(batch)).toMatchObject({ attempt: 2, unsure: false });
    expect(rowsOf(run)).toMatchObject({ unknown: 2 });
  });

  test('a batch that may have been applied is not put back', async () => {
    const { run, verbs } = await staged();
    verbs.fail(verbs.claimNext(1)!, AMBIGUOUS);
    const again = verbs.claimNext(1)!;
    expect(again).toMatchObject({ attempt: 2, unsure: true });
    verbs.fail(again, NOT_APPLIED);
    expect(rowsOf(run)).toMatchObject({ unknown: 2 });
  });

  test('a refusal of one record leaves the others of its batch unsettled, those before it in doubt', async () => {
    const { run, folder, verbs } = await staged();
    const batch = verbs.claimNext(1)!;
    const refusal = settlement(batch, [null, 'rejected'], { status: 400, state: 'rejected', unsure: true });
    expect(verbs.settle(batch, refusal, 'claim_none')).toBeUndefined();
    expect(rowsOf(run)).toEqual({ read: 4, rejected: 1, unknown: 1, not_sent: 2 });
    expect(run.report().accounts).toEqual({ total: 2, done: 0, stopped: 1 });
    expect(verbs.claimNext(1)).toMatchObject({ records: [{ id: '3' }] });
    run.close();
    const later = reopened(folder);
    expect(rowsOf(later)).toEqual({ read: 4, not_sent: 1, unknown: 3 });
    expect(later.draining(() => NOW).claimNext(1)).toMatchObject({
      unsure: true,
      records: [{ id: '1' }, { id: '2' }],
    });
  });

  test('a refused batch that may have been applied before is in doubt when it is taken up again', async () => {
    const { run, folder, verbs } = await staged();
    verbs.fail(verbs.claimNext(1)!, AMBIGUOUS);
    const batch = verbs.claimNext(1)!;
    verbs.settle(
      batch,
      settlement(batch, ['rejected', 'rejected'], { status: 404, state: 'rejected' }),
      'claim_none',
    );
    run.close();
    expect(
      reopened(folder)
        .draining(() => NOW)
        .claimNext(1),
    ).toMatchObject({ unsure: true });
  });

  test('records that were settled in a refused batch are not sent again', async () => {
    const { run, folder, verbs } = await staged();
    const batch = verbs.claimNext(1)!;
    verbs.settle(batch, settlement(batch, ['created', 'rejected'], { state: 'rejected' }), 'claim_none');
    run.close();
    expect(
      ids(
        reopened(folder)
          .draining(() => NOW)
          .claimNext(1),
      ),
    ).toEqual(['2']);
  });

  test('a batch is cut into single records, all of them unknown until they are asked for', async () => {
    const { run, verbs } = await staged('A:1 A:2 A:3 B:4');
    verbs.fail(verbs.claimNext(1)!, AMBIGUOUS);
    verbs.splitIntoSingles(verbs.claimNext(1)!);
    expect(rowsOf(run)).toEqual({ read: 4, unknown: 2, not_sent: 2 });
    const first = verbs.claimNext(1)!;
    expect([ids(first), first.unsure]).toEqual([['1'], true]);
    const second = verbs.settle(first, settlement(first, ['verify']), 'claim_next')!;
    expect([ids(second), second.unsure, second.attempt]).toEqual([['2'], true, 1]);
    expect(rowsOf(run)).toEqual({ read: 4, verify: 1, unknown: 1, not_sent: 2 });
    const third = verbs.settle(second, created(second), 'claim_next')!;
    expect([ids(third), third.unsure]).toEqual([['3'], false]);
    expect(run.report().requests.total).toBe(4);
  });

  test('a batch is cut in halves, which are as sure as it was', async () => {
    const { run, verbs } = await staged('A:1 A:2 A:3');
    verbs.splitInHalves(verbs.claimNext(1)!, { kind: 'not_applied', status: 413, reason: 'status 413' });
    expect(rowsOf(run)).toEqual({ read: 3, not_sent: 3 });
    const first = verbs.claimNext(1)!;
    expect([ids(first), first.unsure]).toEqual([['1'], false]);
    expect(ids(verbs.settle(first, created(first), 'claim_next'))).toEqual(['2']);
  });

  test('a batch that may have been applied stays so in halves', async () => {
    const { run, verbs } = await staged('A:1 A:2');
    verbs.fail(verbs.claimNext(1)!, AMBIGUOUS);
    verbs.splitInHalves(verbs.claimNext(1)!, { kind: 'not_applied', status: 413, reason: 'status 413' });
    expect(rowsOf(run)).toEqual({ read: 2, unknown: 2 });
    expect(verbs.claimNext(1)).toMatchObject({ unsure: true, records: [{ id: '1' }] });
  });

  test('accounts are taken in the order of the file, and only while they have something open', async () => {
    const { verbs } = await staged('B:1 A:2 C:3');
    expect([0, 1, 2, 3].map(verbs.nextAccount)).toEqual([1, 2, 3, undefined]);
    const batch = verbs.claimNext(2)!;
    expect(batch.account.external_account_number).toBe('A');
    verbs.settle(batch, created(batch), 'claim_none');
    expect([0, 1, 2, 3].map(verbs.nextAccount)).toEqual([1, 3, 3, undefined]);
    expect(verbs.claimNext(2)).toBeUndefined();
  });
});

describe('what is left', () => {
  test('is counted by records, batches and accounts', async () => {
    const { run, folder, verbs } = await staged();
    expect(run.openWork()).toEqual({ records: 4, batches: 3, accounts: 2 });
    const batch = verbs.claimNext(1)!;
    verbs.settle(batch, settlement(batch, ['created', 'rejected'], { state: 'rejected' }), 'claim_none');
    const other = verbs.claimNext(2)!;
    verbs.settle(other, created(other), 'claim_none');
    run.close();
    // The record that was refused is sent again; the one beside it is settled.
    expect(reopened(folder).openWork()).toEqual({ records: 2, batches: 2, accounts: 1 });
  });

  test('is nothing when all is done', async () => {
    const { run } = await staged();
    await drained(run, new FakePlatform('transactions'));
    expect(run.openWork()).toEqual({ records: 0, batches: 0, accounts: 0 });
  });
});

describe('the time that sending took', () => {
  test('is that from the first attempt to the last answer', async () => {
    const { run } = await staged();
    expect(run.sendingMs()).toBe(0);
    const times = [0, 250, 1_000, 2_500].map((ms) => preciseInstantOfClock(Date.UTC(2026, 10, 21) + ms));
    const verbs = run.draining(() => times.shift()!);
    const batch = verbs.claimNext(1)!;
    verbs.fail(batch, NOT_APPLIED);
    const again = verbs.claimAgain(batch);
    verbs.settle(again, created(again), 'claim_none');
    expect(run.sendingMs()).toBe(2_500);
  });
});

test('an attempt of which no byte left is no request that was tried again', async () => {
  const { run, verbs } = await staged();
  const batch = verbs.claimNext(1)!;
  verbs.fail(batch, { kind: 'not_applied', status: null, reason: 'refused' });
  verbs.fail(verbs.claimAgain(batch), { kind: 'not_applied', status: null, reason: 'refused' });
  expect(run.report().requests).toEqual({ total: 2, retried: 0, byStatus: { not_sent: 2 } });
  verbs.fail(verbs.claimAgain({ ...batch, attempt: 2 }), NOT_APPLIED);
  expect(run.report().requests).toEqual({ total: 3, retried: 0, byStatus: { 429: 1, not_sent: 2 } });
  const last = verbs.claimAgain({ ...batch, attempt: 3 });
  // While it is in flight it counts as one that was made.
  expect(run.report().requests).toMatchObject({ total: 4, retried: 1 });
  verbs.settle(last, created(last), 'claim_none');
  expect(run.report().requests).toEqual({ total: 4, retried: 1, byStatus: { 201: 1, 429: 1, not_sent: 2 } });
});

test('an attempt whose token was refused is a 401, and the one with another token follows it at once', async () => {
  const { run, verbs } = await staged();
  const again = verbs.renewToken(verbs.claimNext(1)!);
  expect([ids(again), again.attempt, again.unsure]).toEqual([['1', '2'], 2, false]);
  verbs.settle(again, created(again), 'claim_none');
  expect(run.report().requests).toEqual({ total: 2, retried: 1, byStatus: { 201: 1, 401: 1 } });
});

test('what may have been applied stays in doubt while its token is renewed', async () => {
  const { verbs } = await staged();
  const batch = verbs.claimNext(1)!;
  verbs.fail(batch, AMBIGUOUS);
  expect(verbs.renewToken(verbs.claimAgain(batch))).toMatchObject({ attempt: 3, unsure: true });
});

describe('a verb in a state that it does not rely on throws and changes nothing', () => {
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

  /** Brings a batch into a state and gives it as it was claimed last. */
  const STATES: Readonly<Record<string, (verbs: DrainRun) => Batch>> = {
    'put back': (verbs) => {
      const batch = verbs.claimNext(1)!;
      verbs.fail(batch, NOT_APPLIED);
      return batch;
    },
    'in doubt': (verbs) => {
      const batch = verbs.claimNext(1)!;
      verbs.fail(batch, AMBIGUOUS);
      return batch;
    },
    done: (verbs) => {
      const batch = verbs.claimNext(1)!;
      verbs.settle(batch, created(batch), 'claim_none');
      return batch;
    },
    refused: (verbs) => {
      const batch = verbs.claimNext(1)!;
      verbs.settle(batch, settlement(batch, ['rejected', null], { state: 'rejected' }), 'claim_none');
      return batch;
    },
  };
  const VERBS: Readonly<Record<string, (verbs: DrainRun, batch: Batch) => void>> = {
    'an answer that is lost': (verbs, batch) => verbs.fail(batch, AMBIGUOUS),
    'an answer that was not applied': (verbs, batch) => verbs.fail(batch, NOT_APPLIED),
    'an answer that settles': (verbs, batch) => void verbs.settle(batch, created(batch), 'claim_next'),
    'a refusal': (verbs, batch) =>
      void verbs.settle(batch, settlement(batch, ['rejected', null], { state: 'rejected' }), 'claim_none'),
    'a cut into single records': (verbs, batch) => verbs.splitIntoSingles(batch),
    'a cut in halves': (verbs, batch) => verbs.splitInHalves(batch, NOT_APPLIED),
  };

  test.each(Object.keys(STATES).flatMap((state) => Object.keys(VERBS).map((verb) => [state, verb] as const)))(
    'of a batch that is %s: %s',
    async (state, verb) => {
      const { run, verbs } = await staged();
      const batch = STATES[state]!(verbs);
      const before = JSON.stringify(run.report());
      expect(() => VERBS[verb]!(verbs, batch)).toThrow(/^run file: /);
      expect(JSON.stringify(run.report())).toBe(before);
    },
  );

  test.each(['done', 'refused'])('another attempt at a batch that is %s', async (state) => {
    const { run, verbs } = await staged();
    const batch = STATES[state]!(verbs);
    const before = JSON.stringify(run.report());
    expect(() => verbs.claimAgain(batch)).toThrow(/^run file: claim/);
    expect(JSON.stringify(run.report())).toBe(before);
  });

  test('a second claim of an account whose request is in flight', async () => {
    const { verbs } = await staged();
    const batch = verbs.claimNext(1)!;
    expect(() => verbs.claimNext(1)).toThrow(/in flight/);
    expect(() => verbs.claimAgain(batch)).toThrow(/in flight/);
  });

  test('another attempt that does not know of the last one', async () => {
    const { verbs } = await staged();
    const batch = verbs.claimNext(1)!;
    verbs.fail(batch, AMBIGUOUS);
    verbs.fail(verbs.claimAgain(batch), AMBIGUOUS);
    expect(() => verbs.claimAgain(batch)).toThrow(/^run file: claim/);
  });

  test('success that leaves a record without an outcome', async () => {
    const { run, verbs } = await staged();
    const batch = verbs.claimNext(1)!;
    expect(() => verbs.settle(batch, settlement(batch, ['created', null]), 'claim_next')).toThrow(
      /without outcome/,
    );
    expect(rowsOf(run)).toMatchObject({ unknown: 2 });
  });

  test('a second outcome for a record', async () => {
    const { run, verbs } = await staged('A:1 A:2 A:3');
    const first = verbs.claimNext(1)!;
    const second = verbs.settle(first, created(first), 'claim_next')!;
    const wrong = {
      ...created(second),
      records: [{ seq: first.records[0]!.seq, outcome: 'created' as const }],
    };
    expect(() => verbs.settle(second, wrong, 'claim_none')).toThrow(/UNIQUE|FOREIGN/);
    expect(rowsOf(run)).toEqual({ read: 3, created: 2, unknown: 1 });
  });

  test('staging that is finished twice', async () => {
    const { run } = await staged();
    expect(() => run.finishStaging([])).toThrow(/^run file: staging/);
  });

  test('a row that is not there or not valid is made invalid', async () => {
    const { run } = await staged();
    const verbs = run.staging();
    expect(() => verbs.invalidate(99)).toThrow(/^run file: record 99/);
    verbs.invalidate(1);
    expect(() => verbs.invalidate(1)).toThrow(/^run file: record 1/);
  });

  test('a problem of a refused batch is forgotten when it is taken up again, that of a done one is not', async () => {
    const { run, folder, verbs } = await staged();
    const first = verbs.claimNext(2)!;
    verbs.settle(first, { ...created(first), problems: [problem] }, 'claim_none');
    const second = verbs.claimNext(1)!;
    const refusal = settlement(second, ['rejected', null], {
      state: 'rejected',
      problems: [problem, problem],
    });
    verbs.settle(second, refusal, 'claim_none');
    expect(run.report().problemsTotal).toBe(3);
    run.close();
    expect(reopened(folder).report().problemsTotal).toBe(1);
  });
});

describe('a run that is opened again', () => {
  test('is what it was', async () => {
    const { run, folder, verbs } = await staged();
    const batch = verbs.claimNext(1)!;
    verbs.settle(batch, created(batch), 'claim_none');
    const { header, mappedSources } = run;
    const report = run.report();
    run.close();
    const later = folder.open(RUN_ID);
    expect(later.header).toEqual(header);
    expect(later.mappedSources).toEqual(mappedSources);
    expect(later.report()).toEqual(report);
    expect([later.state, later.isOpen, later.condition]).toEqual(['staged', true, 'open']);
    later.close();
  });

  test('takes what was in flight for what may have been applied', async () => {
    const { run, folder, verbs } = await staged();
    const batch = verbs.claimNext(1)!;
    run.close();
    const later = reopened(folder);
    expect(rowsOf(later)).toEqual({ read: 4, unknown: 2, not_sent: 2 });
    const again = later.draining(() => NOW).claimNext(1)!;
    expect(again).toEqual({ ...batch, attempt: 2, unsure: true });
    expect(later.report().requests).toMatchObject({ total: 2, byStatus: { lost: 2 } });
  });

  test('sends the very bytes that it would have sent', async () => {
    const csv = csvOf([{ ...row.transactions('A', '1'), amount: '0010.10', note: 'é "quoted"\n😀' }]);
    const { run, folder } = await stagedRun('transactions', csv);
    const first = new FakePlatform('transactions', { 'A#1': { kind: 'lost', applied: false } });
    await drained(run, first, { retryForMs: 0 });
    run.close();
    const second = new FakePlatform('transactions');
    await drained(reopened(folder), second);
    expect(second.received).toEqual(first.received);
  });

  test('is never staged when its process died while it read the file', () => {
    const folder = new RunsFolder(temporaryFolder());
    folder.create(headerOf('notes')).close();
    const run = folder.open(RUN_ID);
    expect([run.condition, run.isOpen]).toEqual(['never_staged', false]);
    run.close();
  });
});

describe('what is private', () => {
  test('the file and its journal belong to the user alone, and so does the folder', async () => {
    const { folder, verbs } = await staged();
    verbs.claimNext(1);
    const names = readdirSync(folder.path).toSorted();
    // No shared memory file: the lock is exclusive.
    expect(names).toEqual([`${RUN_ID}.sqlite`, `${RUN_ID}.sqlite-wal`]);
    for (const name of names) expect(statSync(join(folder.path, name)).mode & 0o777).toBe(0o600);
  });

  test('the user may read and write the file, whatever the umask', () => {
    const folder = new RunsFolder(temporaryFolder());
    const before = process.umask(0o277);
    try {
      folder.create(headerOf('notes')).close();
    } finally {
      process.umask(before);
    }
    expect(statSync(folder.fileOf(RUN_ID)).mode & 0o777).toBe(0o600);
  });

  test('a folder that has to be made belongs to the user alone, whatever the umask', () => {
    const parent = temporaryFolder();
    const before = process.umask(0);
    try {
      const folder = new RunsFolder(join(parent, '.dataimport', 'runs'));
      folder.create(headerOf('notes')).close();
      for (const path of [join(parent, '.dataimport'), folder.path]) {
        expect(statSync(path).mode & 0o777).toBe(0o700);
      }
      expect(statSync(folder.fileOf(RUN_ID)).mode & 0o777).toBe(0o600);
    } finally {
      process.umask(before);
    }
  });

  test('payloads are erased from every byte of the folder; ids, lines, amounts and outcomes stay', async () => {
    const secret = 'Mrs Smith of 12 Elm Street called about her meter. '.repeat(200);
    const csv = csvOf([
      { ...row.transactions('A', 'T-1'), note: secret },
      { ...row.transactions('A', 'T-2'), note: 'Mr Jones has moved out' },
      { ...row.transactions('B', 'T-3'), note: 'Mr Jones has moved out', amount: 'secret amount 4711' },
    ]);
    const { run, folder } = await stagedRun('transactions', csv, { skipInvalid: true });
    const bytes = (): string =>
      readdirSync(folder.path)
        .map((name) => readFileSync(join(folder.path, name), 'latin1'))
        .join('');
    expect(bytes()).toContain('Elm Street');
    await drained(run, new FakePlatform('transactions'));
    const report = run.report();
    expect(bytes()).toContain('Elm Street');
    run.erasePayloads();
    for (const words of ['Elm Street', 'Mr Jones', 'moved out', 'secret amount'])
      expect(bytes()).not.toContain(words);
    expect(bytes()).toContain('T-1');
    expect(run.report()).toEqual(report);
    expect([run.state, run.condition]).toEqual(['cleared', 'done']);
    run.close();
    const later = folder.open(RUN_ID);
    expect(later.report()).toEqual(report);
    later.close();
    for (const words of ['Elm Street', 'Mr Jones']) expect(bytes()).not.toContain(words);
  });

  test('a run of which something was left is forgotten, and everything else of it stays', async () => {
    const { run, verbs } = await staged();
    const first = verbs.claimNext(1)!;
    verbs.settle(first, settlement(first, [null, 'rejected'], { state: 'rejected' }), 'claim_none');
    const report = run.report();
    run.erasePayloads();
    expect([run.condition, run.isOpen]).toEqual(['forgotten', false]);
    expect(run.report()).toEqual(report);
    expect(rowsOf(run)).toEqual({ read: 4, rejected: 1, not_sent: 3 });
  });

  test('so is a run whose process died while it read the file', async () => {
    const { run } = await stagedRun('transactions', csvFrom('transactions', 'A:1'), { limits: null });
    expect(run.condition).toBe('never_staged');
    run.erasePayloads();
    expect(run.condition).toBe('forgotten');
  });

  test('the text of a note is erased, too, which is what tells it from others', async () => {
    const csv = csvOf([{ ...row.notes('A', '1'), body: 'Mrs Smith is ill' }]);
    const { run, folder } = await stagedRun('notes', csv);
    run.erasePayloads();
    run.close();
    expect(readFileSync(folder.fileOf(RUN_ID), 'latin1')).not.toContain('Smith');
  });

  test('without being erased page by page the text would stay readable', async () => {
    const { default: Database } = await import('better-sqlite3');
    const path = join(temporaryFolder(), 'plain.sqlite');
    const db = new Database(path);
    db.exec('CREATE TABLE record (payload TEXT)');
    db.prepare('INSERT INTO record VALUES (?)').run('Elm Street '.repeat(2_000));
    db.exec('UPDATE record SET payload = NULL');
    db.close();
    expect(readFileSync(path, 'latin1')).toContain('Elm Street');
  });
});

test.skipIf(process.getuid?.() === 0)('a folder that cannot be written to is told', () => {
  const parent = temporaryFolder();
  chmodSync(parent, 0o500);
  const folder = new RunsFolder(join(parent, 'runs'));
  expect(() => folder.create(headerOf('notes'))).toThrow(
    expect.objectContaining({
      code: 'run_not_writable',
      facts: expect.objectContaining({ folder: folder.path }) as unknown,
    }) as Error,
  );
  chmodSync(parent, 0o700);
});

test('a run is never made over another', () => {
  const folder = new RunsFolder(temporaryFolder());
  folder.create(headerOf('notes')).close();
  const before = readFileSync(folder.fileOf(RUN_ID));
  expect(() => folder.create(headerOf('notes'))).toThrow(
    expect.objectContaining({ code: 'run_not_writable' }) as Error,
  );
  expect(readFileSync(folder.fileOf(RUN_ID)).equals(before)).toBe(true);
  expect(readdirSync(folder.path)).toEqual([`${RUN_ID}.sqlite`]);
});

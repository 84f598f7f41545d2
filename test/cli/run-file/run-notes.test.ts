import { rmSync } from 'node:fs';
import Database from 'better-sqlite3';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openRunDatabase } from '../../../src/cli/run-file/database/run-database.ts';
import { CountedRows } from '../../../src/cli/run-file/read/counted-rows.ts';
import { RunFile } from '../../../src/cli/run-file/run-file.ts';
import { drained } from '../../support/push-drained.ts';
import { FakePlatform } from '../../support/fake-platform.ts';
import {
  csvFrom,
  csvOf,
  headerOf,
  NOW,
  row,
  RUN_ID,
  stagedRun,
  takenUp,
} from '../../support/push-staged-run.ts';
import { runWithEveryEnd } from '../../support/sent-run.ts';
import { Versions } from '../../support/versions.ts';

const VIEW = { showValues: false, command: null };
const failure = (code: string): Error => expect.objectContaining({ code }) as Error;

describe('a run keeps', () => {
  test('how the last command ended, until it is taken up again', async () => {
    const { run, folder } = await stagedRun('transactions', csvFrom('transactions', 'A:1'));
    expect(run.end).toBeNull();
    run.recordEnd({ exit: 'UNFINISHED', reason: null });
    run.close();
    const later = folder.open(RUN_ID);
    onTestFinished(() => later.close());
    expect(later.end).toEqual({ exit: 'UNFINISHED', reason: null });
    takenUp(later);
    expect(later.end).toBeNull();
  });

  test('the report of a run with nothing left to do', async () => {
    const { run } = await stagedRun('transactions', csvFrom('transactions', 'A:1'));
    await drained(run, new FakePlatform('transactions'));
    expect(run.summary).toBeUndefined();
    const report = run.report();
    run.keepSummary(report);
    expect(run.summary).toEqual(report);
  });

  test('the choices and the turn of the last command', async () => {
    const { run } = await stagedRun('transactions', csvFrom('transactions', 'A:1'), { turn: 3 });
    const choice = { ...run.choice, onReject: 'skip', words: ['resume'] } as const;
    expect([run.turn, run.choice.words]).toEqual([3, ['push', 'FILE']]);
    takenUp(run, { turn: 8, choice });
    expect([run.turn, run.choice]).toEqual([8, choice]);
  });

  test('no note whose checksum is another one', async () => {
    const { run, folder } = await stagedRun('transactions', csvFrom('transactions', 'A:1'));
    run.close();
    const db = new Database(folder.fileOf(RUN_ID));
    db.exec(`UPDATE run SET choice = replace(choice, '"stop"', '"skip"')`);
    db.close();
    const opened = folder.open(RUN_ID);
    onTestFinished(() => opened.close());
    expect(() => opened.choice).toThrow(failure('run_damaged'));
  });
});

describe('the problems of a run', () => {
  test('are its errors, in the order of the files and lines, and its warnings in groups', async () => {
    const bad = (id: string) => ({ ...row.transactions('A', id), amount: 'x' });
    const files = [
      csvOf([row.transactions('A', '0'), bad('1'), { ...row.transactions('B', '2'), amount: '0' }, bad('3')]),
      csvOf([bad('4')]),
    ];
    const { run } = await stagedRun('transactions', files);
    expect([...run.errors()].map(({ source, problem }) => [source, problem.line, problem.code])).toEqual([
      [1, 3, 'invalid'],
      [1, 5, 'invalid'],
      [2, 2, 'invalid'],
    ]);
    expect(run.warnings(VIEW).map(({ first, count }) => [first.code, count])).toEqual([['zero_amount', 1]]);
    expect([run.hasInvalidRows, run.condition]).toEqual([true, 'never_staged']);
  });
});

describe('a run beside a history', () => {
  test('drops records that were sent before, unless it keeps all', async () => {
    const { run } = await stagedRun('transactions', csvFrom('transactions', 'A:1'), { limits: null });
    expect([run.dropsRecords, run.keepsRecords]).toEqual([false, true]);
    for (const keepsAll of [true, false]) {
      run.compareWhileStaging({ keepsAll } as never);
      expect(run.dropsRecords).toBe(!keepsAll);
    }
  });

  test('has conflicts when records are there with other content', async () => {
    const versions = new Versions('transactions', new FakePlatform('transactions'));
    const conflictsOf = async (csv: string) => {
      const { id } = await versions.send(csv, { skipInvalid: false });
      const run = versions.folder.open(id);
      const has = run.hasConflicts;
      run.close();
      return has;
    };
    const csv = csvFrom('transactions', 'A:1 A:2');
    expect(await conflictsOf(csv)).toBe(false);
    expect(await conflictsOf(csv.replace('10.10', '10.11'))).toBe(true);
  });
});

describe('a run with records of which nobody knows whether they arrived', () => {
  test('finds that out without sending more', async () => {
    const { run } = await runWithEveryEnd();
    expect(run.rows()).toEqual(run.report().rows);
    expect(run.rows()).toMatchObject({ unknown: 1, not_sent: 1, created: 2 });
    run.openDoubts(NOW);
    const through = () => run.draining(() => NOW, { batches: 'doubts' });
    await drained(run, new FakePlatform('transactions'), { through });
    expect(run.rows()).toMatchObject({ unknown: 0, not_sent: 1, created: 3 });
    expect(run.proving.chain()).toMatchObject({ broken: null });
  });
});

describe('a run without a name', () => {
  test('keeps its records or counts them', () => {
    for (const counted of [undefined, new CountedRows({ keepsLeftOut: false })]) {
      const run = RunFile.scratch(headerOf('notes'), counted);
      expect(run.keepsRecords).toBe(counted === undefined);
      expect([run.choice.skipInvalid, run.choice.onReject, run.turn, run.state]).toEqual([
        true,
        'skip',
        0,
        'staging',
      ]);
      run.close();
    }
  });
});

describe('a run file', () => {
  test('that is gone while it is sent ends the sending', async () => {
    const { run, folder } = await stagedRun('transactions', csvFrom('transactions', 'A:1'));
    const operations = run.draining(() => NOW);
    rmSync(folder.fileOf(RUN_ID));
    await expect(operations.claimNext(1)).rejects.toThrow(failure('run_file_gone'));
  });

  test('of another name is none of this run, and is closed', async () => {
    const { run, folder } = await stagedRun('transactions', csvFrom('transactions', 'A:1'));
    run.close();
    const path = folder.fileOf(RUN_ID);
    expect(() => RunFile.open(path, 'other')).toThrow(failure('run_misnamed'));
    RunFile.open(path, RUN_ID).close();
  });

  test('is checked as a whole', async () => {
    const { run } = await stagedRun('transactions', csvFrom('transactions', 'A:1 A:2'));
    run.assertWhole();
    const { db } = run as unknown as { readonly db: Database.Database };
    db.pragma('foreign_keys = OFF');
    db.exec('DELETE FROM record WHERE seq = 2');
    expect(() => run.assertWhole()).toThrow(
      expect.objectContaining({
        code: 'run_damaged',
        facts: expect.objectContaining({
          reason: 'it has not the rows that were read from the files',
        }) as object,
      }) as Error,
    );
  });
});

describe('the erasing of texts', () => {
  const sent = async (rows = 'A:1 A:2') => {
    const staged = await stagedRun('transactions', csvFrom('transactions', rows));
    await drained(staged.run, new FakePlatform('transactions'));
    return staged;
  };
  const hasTexts = (run: RunFile): boolean => run.proving.payloadOf(1) !== null;

  test('is completed by the next process', async () => {
    const { run } = await sent();
    expect([run.hasTextsToErase, hasTexts(run), run.condition]).toEqual([true, true, 'done']);
    run.finishErasing();
    expect([run.hasTextsToErase, hasTexts(run), run.state]).toEqual([false, false, 'cleared']);
    run.finishErasing();
    expect(run.condition).toBe('done');
  });

  test('is not begun while something is left to send', async () => {
    const { run } = await runWithEveryEnd();
    expect(run.hasTextsToErase).toBe(true);
    run.finishErasing();
    expect([hasTexts(run), run.state]).toEqual([true, 'staged']);
    const { run: reading } = await stagedRun('transactions', csvFrom('transactions', 'A:1'), {
      limits: null,
    });
    reading.finishErasing();
    expect([hasTexts(reading), reading.state]).toEqual([true, 'staging']);
  });

  test('is tried again when the disk is full, and stops at damage', async () => {
    const failing = async (code: string) => {
      const { run, folder } = await sent();
      run.close();
      let isFailing = false;
      const opened = RunFile.open(folder.fileOf(RUN_ID), RUN_ID, (file, id) => {
        const db = openRunDatabase(file, id);
        const prepare = (sql: string): unknown => {
          if (isFailing && sql.startsWith('UPDATE record SET payload'))
            throw new Database.SqliteError('the disk', code);
          return db.prepare(sql);
        };
        return Object.assign(Object.create(db) as typeof db, { prepare });
      });
      onTestFinished(() => opened.close());
      isFailing = true;
      return opened;
    };
    const full = await failing('SQLITE_FULL');
    full.finishErasing();
    expect([full.state, hasTexts(full)]).toEqual(['staged', true]);
    const damaged = await failing('SQLITE_CORRUPT');
    expect(() => damaged.finishErasing()).toThrow(failure('run_damaged'));
  });

  test('stops when a record has no outcome although nothing is left to send', async () => {
    const { run } = await sent();
    const { db } = run as unknown as { readonly db: Database.Database };
    db.exec('DELETE FROM outcome WHERE seq = 2');
    expect(() => run.eraseSettledPayloads()).toThrow(failure('run_damaged'));
  });
});

import { describe, expect, test } from 'vitest';
import type { Batch, Settlement } from '../../../../src/cli/push/ports/run.ts';
import { openRunDatabase, type RunDatabase } from '../../../../src/cli/journal/database/run-database.ts';
import type { Reading } from '../../../../src/cli/journal/reading.ts';
import { opened, csvFrom, NOW, stagedRun, takenUp } from '../../../support/push-staged-run.ts';

const ANSWERED = ['12.50', undefined, '-0.10'] as const;

function settlement({ records }: Batch, changes: Partial<Settlement> = {}): Settlement {
  return {
    status: 201,
    state: 'done',
    problems: [],
    inDoubt: false,
    records: records.map(({ seq }, index) => {
      const amount = ANSWERED[index];
      return {
        seq,
        outcome: index === 1 ? 'existing' : 'created',
        ...(amount === undefined ? {} : { amount }),
      };
    }),
    ...changes,
  };
}

/** A journal whose three records of account A are settled, with its database for a look into it. */
async function settledRun(): Promise<{
  readonly run: Reading;
  readonly db: RunDatabase;
  readonly folder: string;
}> {
  const rows = csvFrom('transactions', 'A:1 B:2 A:3 A:4');
  const { run: staged, folder } = await stagedRun('transactions', rows, {
    limits: { records: 3, bytes: 1_000_000 },
  });
  staged.close();
  let db: RunDatabase | undefined;
  const run = opened(folder, (file) => (db = openRunDatabase(file)));
  const operations = run.draining(() => NOW);
  const batch = (await operations.claimNext(1))!;
  await operations.settle(batch, settlement(batch));
  return { run, db: db!, folder };
}

const packedIn = (db: RunDatabase): unknown =>
  db.prepare('SELECT outcome, amounts FROM packed_outcome ORDER BY link_id, outcome').all();

describe('packed outcomes on a full disk', () => {
  const fill = (db: RunDatabase): void =>
    void db.pragma(`max_page_count = ${db.pragma('page_count', { simple: true }) as number}`);

  test('are reported from memory, and the run cannot be continued before there is room', async () => {
    const { run, db } = await settledRun();
    db.exec('CREATE TABLE filler (bytes BLOB)');
    // Leaves no free page, and no room in the pages of `outcome`.
    const insert = db.prepare('INSERT INTO outcome VALUES (?, ?, ?, 1, NULL)');
    db.pragma('foreign_keys = OFF');
    for (let seq = 100; seq < 400; seq++) insert.run(seq, 'verify', '1'.repeat(60));
    fill(db);
    expect(() => run.draining(() => NOW)).toThrow(
      expect.objectContaining({ code: 'run_write_failed' }) as Error,
    );
    expect(run.rows()).toMatchObject({ created: 2, existing: 1 });
    expect(packedIn(db)).toHaveLength(2);
    expect(() => takenUp(run)).toThrow(expect.objectContaining({ code: 'run_write_failed' }) as Error);
    db.pragma('max_page_count = 100000');
    takenUp(run);
    expect(packedIn(db)).toEqual([]);
    expect(run.rows()).toMatchObject({ created: 2, existing: 1 });
  });
});

describe('packed outcomes that this program never wrote', () => {
  test.each([
    ['no JSON', `UPDATE packed_outcome SET amounts = '{"1"'`],
    ['a second outcome of a record', `INSERT INTO packed_outcome VALUES (9, 'verify', '{"1":null}')`],
    ['an unknown outcome', `UPDATE packed_outcome SET outcome = 'maybe' WHERE outcome = 'existing'`],
  ])('are damage: %s', async (_, sql) => {
    const { run, db } = await settledRun();
    db.exec(sql);
    expect(() => run.report()).toThrow(expect.objectContaining({ code: 'run_damaged' }) as Error);
  });
});

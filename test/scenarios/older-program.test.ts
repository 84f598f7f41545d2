import { existsSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { migration, type Migration } from '../support/migration.ts';
import { GOOD, HEADER, IMPORTED } from '../support/refused-account.ts';

/** A run as version 0.2 kept it, in a file of its own. */
function olderRun(site: Pick<Migration, 'cwd'>, folder: string, state: 'planned' | 'done'): string {
  const file = join(site.cwd, folder, '20261120-101502-transactions-4f2a.sqlite');
  mkdirSync(dirname(file), { recursive: true });
  const db = new Database(file);
  db.exec(`
    CREATE TABLE run (tool_version TEXT NOT NULL);
    CREATE TABLE batch (state TEXT NOT NULL);
    INSERT INTO run VALUES ('0.2.0');
    INSERT INTO batch VALUES ('done'), ('${state}')`);
  db.close();
  return file;
}

const PUSH = ['push', 'transactions', 't.csv'];

test.each([
  ['.dataimport/runs', []],
  ['kept', ['--run-dir', 'kept']],
])('nothing is sent beside an unfinished run of an older program: in %s', async (folder, flags) => {
  const site = await migration(IMPORTED);
  site.csv('t.csv', HEADER, GOOD);
  const file = olderRun(site, folder, 'planned');
  const { exitCode, stderr } = await site.cli(...PUSH, ...flags);
  expect([exitCode, stderr]).toEqual([
    8,
    expect.stringContaining(
      `run_inaccessible the journal ${file} cannot be opened: it was written by dataimport (version 0.2.0)`,
    ),
  ]);
  expect(stderr).toContain(
    `next: Finish it with that version, or remove ${dirname(file)} if it is not to be finished.`,
  );
  expect(await site.ledger()).toEqual([]);
  const listed = await site.cli('runs', ...flags);
  expect([listed.exitCode, listed.stdout.replaceAll(/\s+/g, ' ')]).toEqual([
    0,
    expect.stringContaining('it was written by dataimport (version 0.2.0)'),
  ]);
});

test('finished runs of an older program keep nothing from being sent', async () => {
  const site = await migration(IMPORTED);
  site.csv('t.csv', HEADER, GOOD);
  const file = olderRun(site, '.dataimport/runs', 'done');
  const { exitCode, stderr } = await site.cli(...PUSH);
  expect([exitCode, stderr]).toEqual([0, expect.not.stringContaining(dirname(file))]);
  expect(existsSync(`${file}-wal`)).toBe(false);
});

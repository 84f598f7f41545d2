import { cpSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  boundJournal,
  createRunDatabase,
  openRunDatabase,
  type RunDatabase,
} from '../../../src/cli/journal/database/run-database.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** A change of the file as a request makes it: a small transaction. */
function change(db: RunDatabase, times: number): void {
  const insert = db.prepare(
    `INSERT INTO account (import_supplier, external_account_number) VALUES ('ACME', ?)`,
  );
  for (let each = 0; each < times; each++) insert.run(String(each));
}

const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

test('the journal of a small run stays smaller than its file, and grows many times larger by default', () => {
  const path = join(temporaryFolder(), 'run.sqlite');
  const db = createRunDatabase(path);
  change(db, 2_000);
  const [file, journal] = [sizeOf(path), sizeOf(`${path}-wal`)];
  expect(journal).toBeLessThan(200_000);
  db.pragma('wal_autocheckpoint = 1000');
  db.exec('DELETE FROM account');
  change(db, 2_000);
  expect(sizeOf(`${path}-wal`)).toBeGreaterThan(5 * journal);
  // A larger file may have a larger journal.
  db.exec(
    'CREATE TABLE filler AS WITH RECURSIVE n (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n LIMIT 9000) SELECT x, zeroblob(1000) FROM n',
  );
  boundJournal(db);
  expect(db.pragma('wal_autocheckpoint', { simple: true })).toBeGreaterThan(500);
  expect(file).toBeGreaterThan(0);
  db.close();
});

test('a journal that a process has left is moved into the file when the run is opened', () => {
  const [folder, left] = [temporaryFolder(), temporaryFolder()];
  const path = join(folder, 'run.sqlite');
  const db = createRunDatabase(path);
  change(db, 20);
  cpSync(folder, left, { recursive: true });
  db.close();
  const opened = openRunDatabase(join(left, 'run.sqlite'));
  expect(sizeOf(join(left, 'run.sqlite-wal'))).toBe(0);
  expect(opened.prepare('SELECT count(*) FROM account').pluck().get()).toBe(20);
  opened.close();
});

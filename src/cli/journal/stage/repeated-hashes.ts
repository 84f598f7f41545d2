import type { RepeatedHashes } from '../../push/ports/staging.ts';
import { guard } from '../database/integrity.ts';
import type { RunDatabase } from '../database/run-database.ts';

/** Hashes that are written at once. One statement for each takes twice the time. */
const WRITTEN_AT_ONCE = 4096;

/** Finds out whether any hash occurs twice. The hashes are on disk, because memory must not grow with them. */
export function repeatedHashes(db: RunDatabase): RepeatedHashes {
  let waiting: number[] = [];
  db.exec(`
    DROP TABLE IF EXISTS temp.added_hash;
    CREATE TEMP TABLE added_hash (hash INTEGER NOT NULL) STRICT`);
  const insert = db.prepare('INSERT INTO temp.added_hash SELECT value FROM json_each(?)');
  const repeated = db
    .prepare<[], number>('SELECT EXISTS (SELECT 1 FROM temp.added_hash GROUP BY hash HAVING count(*) > 1)')
    .pluck();
  const write = (): void =>
    guard(db, () => {
      insert.run(JSON.stringify(waiting));
      waiting = [];
    });
  return {
    add(hash) {
      if (waiting.push(hash) === WRITTEN_AT_ONCE) write();
    },
    hasRepeated() {
      write();
      return guard(db, () => repeated.get() === 1);
    },
  };
}

import Database from 'better-sqlite3';

/**
 * Opens an empty database in a temporary file without a name: SQLite unlinks it as it makes it, in the folder for temporary
 * files (`SQLITE_TMPDIR`, `TMPDIR`), with mode 0600. What is in it goes with the process, also when that is killed.
 */
export function openScratch(): Database.Database {
  // The empty name asks SQLite for such a file (sqlite.org/inmemorydb.html, "Temporary Databases").
  const db = new Database('');
  // On disk although a build of SQLite might keep it in memory: it grows with the source.
  db.pragma('temp_store = FILE');
  // Nothing is taken up after a crash, so what a transaction would roll back need not reach the disk.
  db.pragma('journal_mode = MEMORY');
  return db;
}

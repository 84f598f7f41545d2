import Database from 'better-sqlite3';

/** The version of the program that wrote a file, as this program and older ones note it; null when the file does not say. */
export function writerOf(db: Database.Database): string | null {
  for (const table of ['journal', 'run'])
    try {
      return db.prepare<[], string>(`SELECT tool_version FROM ${table}`).pluck().get() ?? null;
    } catch {
      // The table of the other kind of file.
    }
  return null;
}

/** What a file of a run says that an older program has written. */
export interface OlderRun {
  readonly tool: string | null;
  /** Whether something of it may be left to send or to find out. */
  readonly isOpen: boolean;
}

export function olderRun(path: string): OlderRun {
  try {
    const db = new Database(path, { fileMustExist: true, timeout: 0 });
    try {
      db.pragma('locking_mode = EXCLUSIVE');
      const open = db.prepare("SELECT EXISTS (SELECT 1 FROM batch WHERE state <> 'done')").pluck();
      return { tool: writerOf(db), isOpen: open.get() === 1 };
    } finally {
      db.close();
    }
  } catch {
    return { tool: null, isOpen: true };
  }
}

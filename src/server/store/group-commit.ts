import type { Database, Statement } from 'better-sqlite3';

// none ──first write──▶ open ──end of the event loop's turn, or `commit`──▶ none
//
// Requests that arrive together share one transaction and one commit, because a commit waits for the disk. Each write has a
// savepoint, so a failing write undoes itself alone. Until the commit nothing of the group is stored. An error of the commit,
// or of a statement that makes SQLite end the transaction (such as a full disk), is the error of all writes of the group.

/** The transaction that writes share until their commit. */
export interface GroupCommit {
  /**
   * Runs `work` at once. When it throws, its effects are undone. Its other effects are on disk when `committed` has resolved,
   * so tell nobody about them before that.
   */
  write<T>(work: () => T): T;
  /** Resolves when every write so far is on disk; rejects when the open group could not be stored. */
  committed(): Promise<void>;
  /** Ends the open group now. @throws the error that `committed` rejects with, too */
  commit(): void;
}

/** Values that a write keeps in memory until it ends. */
interface Buffered {
  /** Stores the values so far, before another write begins. The returned function forgets all later ones, because they are undone. */
  begin(): () => void;
  store(): void;
}

export function groupCommitOn(database: Database, buffered: Buffered): GroupCommit {
  const statement = (sql: string): Statement<[]> => database.prepare<[]>(sql);
  const begin = statement('BEGIN IMMEDIATE');
  const end = statement('COMMIT');
  const rollback = statement('ROLLBACK');
  const savepoint = statement('SAVEPOINT request');
  const undo = statement('ROLLBACK TO request');
  const release = statement('RELEASE request');
  let group: (PromiseWithResolvers<void> & { forget: () => void }) | undefined;

  const open = () => {
    begin.run();
    group = { ...Promise.withResolvers<void>(), forget: buffered.begin() };
    // A group without a waiting request has nobody to report an error to.
    group.promise.catch(() => undefined);
    setImmediate(commitAtEndOfTurn);
  };
  const lose = (error: unknown) => {
    if (database.inTransaction) rollback.run();
    group?.forget();
    group?.reject(error);
    group = undefined;
  };
  const commit = () => {
    if (!group) return;
    try {
      end.run();
      group.resolve();
      group = undefined;
    } catch (error) {
      lose(error);
      throw error;
    }
  };
  const commitAtEndOfTurn = () => {
    try {
      commit();
    } catch {
      // `committed` reports it to the requests of the group.
    }
  };

  return {
    write: (work) => {
      if (!group) open();
      // A write inside a write undoes only its own part.
      const forget = buffered.begin();
      savepoint.run();
      try {
        const result = work();
        buffered.store();
        release.run();
        return result;
      } catch (error) {
        forget();
        if (!database.inTransaction) lose(error);
        else {
          undo.run();
          release.run();
        }
        throw error;
      }
    },
    committed: async () => group?.promise,
    commit,
  };
}

import type { Database } from 'better-sqlite3';
import type { ImportState } from '../../core/rules/import-status.ts';
import type { Instant } from '../../core/values/instant.ts';

/** A planned step of an import: the next state and its time. */
export interface ImportStep {
  readonly accountId: number;
  /** In whole seconds, so that texts sort like times. */
  readonly dueAt: Instant;
  readonly state: ImportState;
}

export function importStepsIn(database: Database) {
  const add = database.prepare<[ImportStep]>(
    'INSERT INTO import_steps (account_id, due_at, state) VALUES (@accountId, @dueAt, @state)',
  );
  const any = database.prepare<[], 0 | 1>('SELECT EXISTS (SELECT 1 FROM import_steps)').pluck();
  const due = database.prepare<[Instant], ImportStep>(`
    SELECT account_id AS accountId, due_at AS dueAt, state FROM import_steps
    WHERE due_at <= ? ORDER BY due_at, account_id`);
  const drop = database.prepare<[ImportStep]>(
    'DELETE FROM import_steps WHERE account_id = @accountId AND due_at = @dueAt',
  );
  const dropOf = database.prepare<[number]>('DELETE FROM import_steps WHERE account_id = ?');

  return {
    add: (step: ImportStep) => void add.run(step),
    any: () => any.get() === 1,
    /** The steps whose time has come, earliest first. */
    due: (now: Instant) => due.all(now),
    drop: (step: ImportStep) => void drop.run(step),
    dropOf: (accountId: number) => void dropOf.run(accountId),
  };
}

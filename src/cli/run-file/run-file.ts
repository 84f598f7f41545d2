import { linkSync, unlinkSync } from 'node:fs';
import { dirname } from 'node:path';
import { AppError } from '../../core/app-error.ts';
import { clockOfInstant } from '../../core/values/instant.ts';
import type { ColumnMap } from '../mapping/column-map.ts';
import type { PlannedRequest } from '../push/ports/batch.ts';
import type { RejectedRow } from '../push/ports/rejected-row.ts';
import type { RunReport } from '../push/ports/report.ts';
import type { RunEnd } from '../push/ports/run-end.ts';
import type { DrainRun, StagingRun } from '../push/ports/run.ts';
import { drainingVerbs } from './draining.ts';
import { reportOf } from './reporting.ts';
import { plannedRequestsOf } from './planned-requests.ts';
import { firstRowByte, rejectedRowsOf } from './rejected-rows.ts';
import { assertNobodyIsMissing, emptyJournal, erase, hasAny } from './payloads.ts';
import { retryingVerbs, type RetryingVerbs } from './retrying.ts';
import { onDisk, readOnDisk, recorded } from './recorded.ts';
import {
  createRunDatabase,
  createScratchDatabase,
  openRunDatabase,
  type RunDatabase,
} from './run-database.ts';
import { createIndexes } from './schema.ts';
import { readHeader, writeHeader, type RunHeader } from './run-header.ts';
import { seal, unseal } from './sealed.ts';
import { stagingVerbs } from './staging.ts';
import { unknownRowsOf, type UnknownRow } from './unknown-rows.ts';

/** `staging`: the file is being read and nothing is sent. `staged`: may be drained. `cleared`: payloads are erased. */
export type RunState = 'staging' | 'staged' | 'cleared';

/**
 * `open`: something is left to send or to find out. `done`: nothing is. `never_staged`: nothing was sent.
 * `forgotten`: something is left, and its payloads are erased.
 */
export type RunCondition = 'open' | 'done' | 'never_staged' | 'forgotten';

/** What is known of a source once it is read. */
interface FinishedSource {
  readonly columns: ColumnMap;
  /** Where its first row begins, in bytes; that of the records when left out. A retry has only some of them. */
  readonly rowsFrom?: number | null;
}

/** What a drain has before it. */
interface OpenWork {
  readonly records: number;
  readonly batches: number;
  readonly accounts: number;
}

/** The journal of one run, held by this process alone until it is closed. */
export class RunFile {
  readonly header: RunHeader;
  private readonly db: RunDatabase;

  private constructor(db: RunDatabase, header: RunHeader) {
    this.db = db;
    this.header = header;
    this.retrying = recorded(db, retryingVerbs(db));
  }

  /** Begins a run in a new file. @throws AppError `run_not_writable` */
  static create(path: string, header: RunHeader): RunFile {
    // Made whole under another name first: a process that dies here leaves no run that cannot be opened.
    const unfinished = `${path}-new`;
    const db = createRunDatabase(unfinished, (made) => writeHeader(made, header));
    db.close();
    giveName(unfinished, path);
    return RunFile.open(path, header.id);
  }

  /** Begins a run that is thrown away: it has no name, and is gone when it is closed or the process ends. */
  static scratch(header: RunHeader): RunFile {
    return new RunFile(
      createScratchDatabase((made) => writeHeader(made, header)),
      header,
    );
  }

  /**
   * Opens a run that exists. `openDatabase`: the file itself, unless a test has a disk of its own.
   * @throws AppError `run_not_found`, `run_locked`, `run_damaged`
   */
  static open(path: string, id: string, openDatabase = openRunDatabase): RunFile {
    const db = openDatabase(path, id);
    try {
      return new RunFile(db, readHeader(db));
    } catch (error) {
      db.close();
      throw new AppError('run_damaged', { file: path, reason: (error as Error).message }, error);
    }
  }

  get state(): RunState {
    return onDisk(this.db, () => this.db.prepare('SELECT state FROM run').pluck().get() as RunState);
  }

  /** Which column of which source fed which field, for the way back from an answer to a cell. */
  get mappedSources(): readonly (FinishedSource & { readonly name: string })[] {
    const sources = this.db.prepare<[], { name: string; columns: string | null; rowsFrom: number | null }>(
      'SELECT name, columns, rows_from AS rowsFrom FROM source ORDER BY id',
    );
    return onDisk(this.db, () =>
      sources.all().map(({ columns, ...row }) => ({
        ...row,
        columns: columns === null ? [] : unseal<ColumnMap>(columns),
      })),
    );
  }

  /** How the last command that sent the run ended; null when it is not known, or nothing was left to do. */
  get end(): RunEnd | null {
    return onDisk(this.db, () => {
      const ended = this.db.prepare('SELECT ended FROM run').pluck().get() as string | null;
      return ended === null ? null : unseal<RunEnd>(ended);
    });
  }

  /** @throws AppError `run_write_failed` */
  recordEnd(end: RunEnd): void {
    onDisk(this.db, () => this.db.prepare('UPDATE run SET ended = ?').run(seal(end)));
  }

  /** Whether anything is left to send or to find out. */
  get isOpen(): boolean {
    return this.condition === 'open';
  }

  get condition(): RunCondition {
    const { state } = this;
    if (state === 'staging') return 'never_staged';
    if (!this.hasRowsLeft()) return 'done';
    return state === 'cleared' ? 'forgotten' : 'open';
  }

  /** Valid records have batches, unless the run was forgotten before it was planned. */
  private hasRowsLeft(): boolean {
    const left = this.db.prepare(`
      SELECT EXISTS (SELECT 1 FROM batch WHERE state <> 'done')
        OR (NOT EXISTS (SELECT 1 FROM batch) AND EXISTS (SELECT 1 FROM record WHERE state = 'valid'))`);
    return onDisk(this.db, () => left.pluck().get() === 1);
  }

  /** What is left to send or to find out. */
  openWork(): OpenWork {
    const work = this.db.prepare<[], OpenWork>(
      `SELECT count(*) AS batches, count(DISTINCT account_id) AS accounts,
           (SELECT count(*) FROM record WHERE state = 'valid' AND seq NOT IN (SELECT seq FROM taken_over)
              AND NOT EXISTS (SELECT 1 FROM outcome WHERE outcome.seq = record.seq)) AS records
         FROM batch WHERE state <> 'done'`,
    );
    return onDisk(this.db, () => work.get()!);
  }

  /** From the first attempt to the last answer, in milliseconds; 0 when nothing was sent. */
  sendingMs(): number {
    const span = this.db.prepare<[], { first: string | null; last: string | null }>(
      'SELECT min(started_at) AS first, max(coalesce(ended_at, started_at)) AS last FROM attempt',
    );
    return onDisk(this.db, () => {
      const { first, last } = span.get()!;
      return first === null || last === null ? 0 : clockOfInstant(last) - clockOfInstant(first);
    });
  }

  /** The verbs of staging; `commit` puts on disk what was appended. */
  staging(): StagingRun & { commit(): void } {
    return recorded(this.db, stagingVerbs(this.db));
  }

  /** Makes what planning looks up by, once all rows are in. */
  index(): void {
    onDisk(this.db, () => createIndexes(this.db));
  }

  /** Ends staging: from here on the run can be drained and resumed. */
  readonly finishStaging = (plans: readonly FinishedSource[]): void => {
    const finish = this.db.transaction(() => {
      const finishSource = this.db.prepare('UPDATE source SET columns = ?, rows_from = ? WHERE id = ?');
      plans.forEach(({ columns, rowsFrom }, index) => {
        const source = index + 1;
        finishSource.run(seal(columns), rowsFrom ?? firstRowByte(this.db, source), source);
      });
      const { changes } = this.db.prepare(`UPDATE run SET state = 'staged' WHERE state = 'staging'`).run();
      if (changes !== 1) throw new Error('run file: staging was finished before');
    });
    onDisk(this.db, finish);
    // What is about to be sent must not be in the journal alone, which may get lost.
    onDisk(this.db, () => emptyJournal(this.db));
  };

  /** The verbs of draining; `now` gives the instant to write down. */
  draining(now: () => string): DrainRun {
    return drainingVerbs(this.db, now);
  }

  /**
   * Takes up what an earlier process left: batches that were sent may have been applied, and batches that were refused
   * are tried again.
   */
  readonly reopen = (now: string): void => {
    const reopen = this.db.transaction(() => {
      this.db.prepare('UPDATE run SET ended = NULL').run();
      this.db.prepare(`UPDATE batch SET unsure = 1 WHERE state = 'sent'`).run();
      this.db
        .prepare(`UPDATE attempt SET ended_at = ?, reason = 'the process ended' WHERE ended_at IS NULL`)
        .run(now);
      this.db
        .prepare(
          `DELETE FROM outcome WHERE outcome = 'rejected' AND seq NOT IN (SELECT seq FROM taken_over) AND seq IN (
             SELECT seq FROM record JOIN batch USING (account_id)
             WHERE batch.state = 'rejected' AND record.seq BETWEEN batch.first_seq AND batch.last_seq)`,
        )
        .run();
      this.db
        .prepare(
          `DELETE FROM problem WHERE lasting = 0 AND batch_id IN (SELECT id FROM batch WHERE state <> 'done')`,
        )
        .run();
      this.db.prepare(`UPDATE batch SET state = 'planned' WHERE state = 'rejected'`).run();
    });
    onDisk(this.db, reopen);
  };

  /** What would be sent, request by request. */
  plannedRequests(): Iterable<PlannedRequest> {
    return readOnDisk(this.db, plannedRequestsOf(this.db));
  }

  /** The rows of a source, counted from 1, that were invalid or refused, in file order. */
  rejectedRows(source: number): Iterable<RejectedRow> {
    return readOnDisk(this.db, rejectedRowsOf(this.db, source));
  }

  /** The rows that were sent and of which no answer tells what became, in the order of the files. */
  unknownRows(): readonly UnknownRow[] {
    return onDisk(this.db, () => unknownRowsOf(this.db));
  }

  /** How many bytes stand before the first row of a source: its header, and what is above it. */
  bytesBeforeRows(source: number): number {
    return this.mappedSources[source - 1]?.rowsFrom ?? onDisk(this.db, () => firstRowByte(this.db, source));
  }

  /** What the run has come to so far. */
  report(): RunReport {
    const { id, resource, parent } = this.header;
    return onDisk(this.db, () => ({ run: id, resource, parent, ...reportOf(this.db) }));
  }

  /** What `retry` takes over from this run, and into it. */
  readonly retrying: RetryingVerbs;

  /** Erases the payloads; ids, lines, amounts and outcomes stay. */
  erasePayloads(): void {
    onDisk(this.db, () => erase(this.db, 'all'));
  }

  /** Erases the payloads that nobody can need any more: of records that are on the platform, or that were never sent. */
  eraseSettledPayloads(): void {
    onDisk(this.db, () => {
      assertNobodyIsMissing(this.db);
      erase(this.db, 'settled');
    });
  }

  /** Erases what its process was about to erase when it died. A disk that does not take it leaves it for the next time. */
  finishErasing(): void {
    if (this.state !== 'staged' || this.condition !== 'done' || !hasAny(this.db, 'settled')) return;
    try {
      this.eraseSettledPayloads();
    } catch (error) {
      if ((error as AppError).code !== 'run_write_failed') throw error;
    }
  }

  close(): void {
    this.db.close();
  }
}

/** A link and not a rename, which would take the place of a run that another process made under this name meanwhile. */
function giveName(unfinished: string, path: string): void {
  try {
    linkSync(unfinished, path);
  } catch (error) {
    throw new AppError(
      'run_not_writable',
      { folder: dirname(path), reason: (error as Error).message },
      error,
    );
  } finally {
    unlinkSync(unfinished);
  }
}

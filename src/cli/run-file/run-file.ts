import { linkSync } from 'node:fs';
import { AppError } from '../../core/app-error.ts';
import { DESCRIPTORS } from '../../core/contract/resources.ts';
import {
  CONFLICTING,
  HIDING,
  type ChainHead,
  type RejectedRow,
  type ReportView,
  type RowCounts,
  type ProblemGroup,
  type RunEnd,
  type RunReport,
} from '../push/ports/report.ts';
import type { DrainRun, RunChoice } from '../push/ports/run.ts';
import type { TraceChoice } from '../push/ports/trace.ts';
import type { NewRun, PlannedRequest, StagingRun } from '../push/ports/staging.ts';
import { notWritable } from './database/access.ts';
import type { CountedRows } from './read/counted-rows.ts';
import { attemptsSoFar } from './read/attempts.ts';
import { cohortOperations, type CohortOperations } from './read/cohort-accounts.ts';
import { confirmingOperations, type ConfirmingOperations } from './history/confirming.ts';
import { drainingOperations, type DrainedBatches } from './send/draining.ts';
import { historyOperations, type HistoryOperations } from './history/history-operations.ts';
import { whileThere } from './database/group-commit.ts';
import { guard, guarded, guardedRows, seal, unseal } from './database/integrity.ts';
import { measuringOperations, type MeasuringOperations } from './read/measuring.ts';
import { packedOutcomes, type PackedOutcomes } from './database/packed-outcomes.ts';
import { assertNoOutcomeMissing, emptyJournal, erase, hasAny } from './database/payloads.ts';
import { errorsOf, problemGroupsOf, type KeptError } from './read/problems.ts';
import { provingOperations, type ProvingOperations } from './read/proving.ts';
import { firstRowByte, rejectedRowsOf } from './stage/rejected-rows.ts';
import {
  hasRefused,
  hasRowsLeft,
  openWorkOf,
  plannedRequestsOf,
  reportOf,
  rowCountsOf,
  rowEndsOf,
  sendingMsOf,
  settledCountsOf,
  unknownRowsOf,
  type OpenWork,
  type RowEnd,
  type UnknownRow,
} from './read/reporting.ts';
import {
  assertIntegrity,
  createRunDatabase,
  createScratchDatabase,
  openingError,
  openRunDatabase,
  removeDatabase,
  type RunDatabase,
} from './database/run-database.ts';
import {
  mappedSourcesOf,
  readHeader,
  writeHeader,
  type NewRunState,
  type RunHeader,
  type SourceColumns,
} from './database/run-header.ts';
import { assertStagedRows } from './database/sealed-rows.ts';
import { restore, textsOf } from './stage/restoring.ts';
import { createIndexes } from './database/schema.ts';
import {
  finishStaging,
  stagingOperations,
  type FinishedSource,
  type StagingHistory,
} from './stage/staging.ts';
import { openDoubts, takeUp, type TakingUp } from './send/taking-up.ts';
import { traced } from './read/tracing.ts';

/** `staging`: the file is being read and nothing is sent. `staged`: may be drained. `cleared`: payloads are erased. */
export type RunState = 'staging' | 'staged' | 'cleared';

/**
 * `open`: something is left to send or to find out. `done`: nothing is left. `never_staged`: nothing was sent. `forgotten`:
 * something is left, and its payloads are erased.
 */
export type RunCondition = 'open' | 'done' | 'never_staged' | 'forgotten';

/** Which batches are sent, and who gets the head of the chain after each commit. */
type DrainingChoice = { readonly batches?: DrainedBatches; readonly onCommit?: (head: ChainHead) => void };

/** A run that is thrown away has no place among the runs of a folder. */
const SCRATCH: NewRunState = {
  turn: 0,
  choice: { onReject: 'skip', onExisting: 'reject', skipInvalid: true, words: [] },
};

/** The journal of one run, open in this process alone until it is closed. */
export class RunFile implements NewRun {
  /** What other runs know of the records, and what this run knows for others. */
  readonly history: HistoryOperations;
  /** The rows that only a person can settle. */
  readonly confirming: ConfirmingOperations;
  /** The queries of `verify`. */
  readonly proving: ProvingOperations;
  /** The queries of a cohort. */
  readonly cohort: CohortOperations;
  /** The queries of `report`. */
  readonly measuring: MeasuringOperations;
  private readonly db: RunDatabase;
  private readonly outcomes: PackedOutcomes;
  private readonly assertThere: () => void;
  readonly header: RunHeader;
  private stagingHistory: StagingHistory | undefined;
  /** The rows that are counted and not kept; undefined when all are kept. */
  private readonly counted: CountedRows | undefined;

  private constructor(db: RunDatabase, header: RunHeader, counted?: CountedRows) {
    this.db = db;
    this.header = header;
    this.counted = counted;
    this.outcomes = packedOutcomes(db);
    this.assertThere = whileThere(db.name);
    const { unpack } = this.outcomes;
    this.history = guarded(db, historyOperations(db, header), unpack);
    this.confirming = guarded(db, confirmingOperations(db), unpack);
    this.proving = guarded(db, provingOperations(db), unpack);
    const cohort = cohortOperations(db);
    const { notSent, firstOf } = guarded(db, { notSent: cohort.notSent, firstOf: cohort.firstOf }, unpack);
    // Asked about accounts while records are sent. A packed outcome is no failure (draining.ts).
    this.cohort = { ...guarded(db, cohort), notSent, firstOf };
    this.measuring = guarded(db, measuringOperations(db), unpack);
  }

  /** Begins a run in a new file. @throws AppError `run_not_writable` */
  static create(path: string, header: RunHeader, state: NewRunState): RunFile {
    // Completed under another name first, so that a process that dies here leaves no run that cannot be opened.
    const unfinished = `${path}-new`;
    const db = createRunDatabase(unfinished, (created) => writeHeader(created, header, state));
    try {
      // The journal would stay behind under the other name. Closing moves it into the file, too, but is silent when the disk
      // is full.
      emptyJournal(db);
      db.close();
      // A link, because a rename would replace a run that another process has created under this name meanwhile.
      linkSync(unfinished, path);
    } catch (error) {
      throw notWritable(path, error);
    } finally {
      db.close();
      removeDatabase(unfinished);
    }
    return RunFile.open(path, header.id);
  }

  /**
   * Begins a run that is thrown away. It has no name, and is gone when it is closed or the process ends. `counted`: counts
   * the valid records, which are not kept then.
   */
  static scratch(header: RunHeader, counted?: CountedRows): RunFile {
    return new RunFile(
      createScratchDatabase((db) => writeHeader(db, header, SCRATCH)),
      header,
      counted,
    );
  }

  /**
   * Opens an existing run and reads its header. `assertWhole` checks the rest. `openDatabase`: opens the file; tests pass a
   * disk that fails.
   * @throws AppError `run_not_found`, `run_locked`, `run_inaccessible`, `run_version_differs`, `run_damaged`, `run_misnamed`
   */
  static open(path: string, id: string, openDatabase = openRunDatabase): RunFile {
    const db = openDatabase(path, id);
    try {
      const header = readHeader(db);
      // A copy would be a second run of the same records.
      if (header.id !== id) throw new AppError('run_misnamed', { file: path, run: header.id });
      return new RunFile(db, header);
    } catch (error) {
      db.close();
      throw openingError(path, error);
    }
  }

  close(): void {
    this.db.close();
  }

  /** Lets SQLite check the whole file, and counts its rows, before a run is taken up. @throws AppError `run_damaged`, `run_inaccessible` */
  assertWhole(): void {
    try {
      assertIntegrity(this.db);
      assertStagedRows(this.db);
    } catch (error) {
      throw openingError(this.db.name, error);
    }
  }

  /** The choices of the last command that sent the run. */
  get choice(): RunChoice {
    return this.sealed<RunChoice>('choice')!;
  }

  /** Counts the commands that took up a run of the folder. The newest run has the highest. */
  get turn(): number {
    return this.column('turn');
  }

  get state(): RunState {
    return this.column('state');
  }

  get condition(): RunCondition {
    const { state } = this;
    if (state === 'staging') return 'never_staged';
    const isCleared = state === 'cleared';
    // Refused records would be sent again, if their texts were not erased.
    const isLeft = this.guard(() => hasRowsLeft(this.db) || (isCleared && hasRefused(this.db)));
    if (!isLeft) return 'done';
    return isCleared ? 'forgotten' : 'open';
  }

  /** Whether anything is left to send or to find out. */
  get isOpen(): boolean {
    return this.condition === 'open';
  }

  /** How the last command that sent the run ended; null when it is not known, or nothing was left to do. */
  get end(): RunEnd | null {
    return this.sealed<RunEnd>('ended');
  }

  /** @throws AppError `run_write_failed` */
  recordEnd(end: RunEnd): void {
    this.guard(this.db.transaction(() => this.db.prepare('UPDATE run SET ended = ?').run(seal(end))));
  }

  get mappedSources(): readonly SourceColumns[] {
    return this.guard(() => mappedSourcesOf(this.db));
  }

  /** How many bytes precede the first row of a source: its header, and everything above it. */
  bytesBeforeRows(source: number): number {
    if (this.counted) return this.counted.firstRowByte(source);
    return this.mappedSources[source - 1]?.rowsFrom ?? this.guard(() => firstRowByte(this.db, source));
  }

  get keepsRecords(): boolean {
    return this.counted === undefined;
  }

  /** Compares the records that are staged from now on with a history. */
  compareWhileStaging(history: StagingHistory): void {
    this.stagingHistory = history;
  }

  get dropsRecords(): boolean {
    return this.stagingHistory !== undefined && !this.stagingHistory.keepsAll;
  }

  staging(): StagingRun {
    const operations = guarded(this.db, stagingOperations(this.db, this.stagingHistory));
    return this.counted?.staging(operations) ?? operations;
  }

  index(): void {
    this.guard(() => createIndexes(this.db));
  }

  finishStaging(sources: readonly FinishedSource[]): void {
    this.guard(() => finishStaging(this.db, sources));
  }

  /** The size of each request that would be sent. */
  plannedRequests(): Iterable<PlannedRequest> {
    return this.each((db) => plannedRequestsOf(db));
  }

  /** The operations of draining. `now` gives the instant to record, as text. `batches`: which are sent. Default: all open ones. */
  draining(now: () => string, choice: DrainingChoice = {}): DrainRun {
    this.guard(() => this.outcomes.unpackToDisk());
    const { assertThere } = this;
    const { oneByOne } = DESCRIPTORS[this.header.resource].lostAnswer;
    return drainingOperations(this.db, this.outcomes, { now, assertThere, oneByOne, ...choice });
  }

  /** Takes up the work of an earlier process. */
  takeUp(taking: TakingUp): void {
    this.guard(() => {
      this.outcomes.unpackToDisk();
      takeUp(this.db, this.header, taking);
    });
  }

  /** Takes the texts of all records, and the rows that are not kept, from a run that has read the same files. */
  restore(from: RunFile): void {
    this.guard(() => restore(this.db, textsOf(from.db)));
  }

  /** Whether records are kept from being sent because the platform has them with other content or on another account. */
  get hasConflicts(): boolean {
    const query = `SELECT EXISTS (SELECT 1 FROM outcome WHERE outcome IN ('${CONFLICTING.join("', '")}'))`;
    return this.guard(() => this.db.prepare(query).pluck().get() === 1);
  }

  get hasInvalidRows(): boolean {
    const query = `SELECT EXISTS (SELECT 1 FROM record WHERE state = 'invalid')`;
    return this.guard(() => this.db.prepare(query).pluck().get() === 1);
  }

  /** Whether every record that may be sent has its text. */
  get hasAllTexts(): boolean {
    const query = `
      SELECT EXISTS (SELECT 1 FROM record WHERE state = 'valid' AND payload IS NULL)
        OR EXISTS (SELECT 1 FROM sent_before WHERE until_id IS NULL)`;
    return this.guard(() => this.db.prepare(query).pluck().get() === 0);
  }

  /** Prepares the run for a drain of its doubts alone. */
  openDoubts(now: string): void {
    this.guard(() => {
      this.outcomes.unpackToDisk();
      openDoubts(this.db, now);
    });
  }

  openWork(): OpenWork {
    return this.guard(() => openWorkOf(this.db));
  }

  /** How many records have each outcome. */
  settledCounts(): ReturnType<typeof settledCountsOf> {
    return this.guard(() => settledCountsOf(this.db));
  }

  /** From the first attempt to the last answer, in milliseconds; 0 when nothing was sent. */
  sendingMs(): number {
    return this.guard(() => sendingMsOf(this.db));
  }

  /** The suppliers of its accounts. */
  suppliers(): readonly string[] {
    const query = 'SELECT DISTINCT import_supplier FROM account ORDER BY 1';
    return this.guard(() => this.db.prepare<[], string>(query).pluck().all());
  }

  /** How many rows ended in each way. */
  rows(): RowCounts {
    return this.guard(() => rowCountsOf(this.db));
  }

  /** How many requests were begun. */
  requestsSoFar(): number {
    return this.guard(() => attemptsSoFar(this.db));
  }

  report(view: ReportView = HIDING): RunReport {
    const { id, resource } = this.header;
    const report = this.guard(() => ({ run: id, resource, ...reportOf(this.db, view) }));
    return this.counted?.addedTo(report) ?? report;
  }

  /** The warnings about its rows, in groups. */
  warnings(view: ReportView): readonly ProblemGroup[] {
    return this.guard(() => problemGroupsOf(this.db, view).warningGroups);
  }

  /** The report that the last command kept, because nothing was left to do; undefined without one. */
  get summary(): RunReport | undefined {
    return this.sealed<RunReport>('summary') ?? undefined;
  }

  /** Keeps the report of a run with nothing left to do, because counting millions of rows takes longer than reading their files. */
  keepSummary(report: RunReport): void {
    this.guard(this.db.transaction(() => this.db.prepare('UPDATE run SET summary = ?').run(seal(report))));
  }

  /** The rows of a source, counted from 1, that were invalid or rejected, in file order. */
  rejectedRows(source: number, view: ReportView = HIDING): Iterable<RejectedRow> {
    return this.each((db) => rejectedRowsOf(db, source, view));
  }

  /** All errors, in the order of the sources and their lines. */
  errors(): Iterable<KeptError> {
    return this.each((db) => errorsOf(db, HIDING));
  }

  /** Every step of the chosen records. */
  traced(choice: TraceChoice, view: ReportView): ReturnType<typeof traced> {
    return this.guard(() => traced(this.db, choice, view));
  }

  /** The end of every row, in the order of the files. */
  rowEnds(): Iterable<RowEnd> {
    return this.each((db) => rowEndsOf(db));
  }

  /** The rows that were sent without an answer that says whether they were applied, in the order of the files. */
  unknownRows(): readonly UnknownRow[] {
    return this.guard(() => unknownRowsOf(this.db));
  }

  /** Erases all payloads; ids, lines, amounts and outcomes stay. */
  erasePayloads(): void {
    this.guard(() => erase(this.db, 'all'));
  }

  /** Erases the payloads that nobody needs any more: of records that are on the platform, or that were never sent. */
  eraseSettledPayloads(): void {
    this.guard(() => {
      assertNoOutcomeMissing(this.db);
      erase(this.db, 'settled');
    });
  }

  /** Whether texts are left that nobody needs any more, because the process that had to erase them died. */
  get hasTextsToErase(): boolean {
    return this.guard(() => hasAny(this.db, 'settled'));
  }

  /** Completes the erasing that a process began before it died. When the disk does not take it, the next opening tries again. */
  finishErasing(): void {
    if (this.state !== 'staged' || this.condition !== 'done' || !hasAny(this.db, 'settled')) return;
    try {
      this.eraseSettledPayloads();
    } catch (error) {
      if ((error as AppError).code !== 'run_write_failed') throw error;
    }
  }

  private column<T>(name: 'choice' | 'turn' | 'state' | 'ended' | 'summary'): T {
    return this.guard(() => this.db.prepare(`SELECT ${name} FROM run`).pluck().get() as T);
  }

  private sealed<T>(name: 'choice' | 'ended' | 'summary'): T | null {
    return this.guard(() => {
      const text = this.column<string | null>(name);
      return text === null ? null : unseal<T>(text);
    });
  }

  private each<T>(rows: (db: RunDatabase) => Iterable<T>): Iterable<T> {
    const found = this.guard(() => rows(this.db));
    return guardedRows(this.db, found);
  }

  private guard<T>(act: () => T): T {
    return guard(this.db, () => {
      this.outcomes.unpack();
      return act();
    });
  }
}

import { DESCRIPTORS } from '../../core/contract/resources.ts';
import {
  HIDING,
  type ChainHead,
  type LocatedProblem,
  type ReportView,
  type RowBytes,
  type RowCounts,
  type ProblemGroup,
  type RunEnd,
  type RunReport,
} from '../push/ports/report.ts';
import type { RunMeasures } from '../push/ports/measures.ts';
import type { DrainRun, RunChoice } from '../push/ports/run.ts';
import type { TraceChoice } from '../push/ports/trace.ts';
import type {
  FinishedSource,
  HistoryConflict,
  NewRun,
  PlannedRequest,
  StagingRun,
} from '../push/ports/staging.ts';
import { chainOf, readingDocument } from './database/chain.ts';
import { whileThere } from './database/group-commit.ts';
import { guard, guarded, guardedRows, seal, unseal } from './database/integrity.ts';
import { rowsOf } from './database/outcome-sql.ts';
import { packedOutcomes, type PackedOutcomes } from './database/packed-outcomes.ts';
import { emptyJournal, erase, hasSettledPayloads } from './database/payloads.ts';
import { isAny, valueOf, valuesOf } from './database/queries.ts';
import { createScratchDatabase, type RunDatabase } from './database/run-database.ts';
import {
  allSourcesOf,
  mappedSourcesOf,
  readHeader,
  scopeOf,
  writeHeader,
  writeScope,
  type RunHeader,
  type SourceColumns,
} from './database/run-header.ts';
import { createIndexes } from './database/schema.ts';
import { sealReading } from './database/sealed-rows.ts';
import type { Comparison } from './merge/comparison.ts';
import { cohortOperations, type CohortOperations } from './read/cohort-accounts.ts';
import { confirmingOperations, type ConfirmingOperations } from './read/confirming.ts';
import type { CountedRows } from './read/counted-rows.ts';
import { measuresOf } from './read/measuring.ts';
import { errorsOf, problemGroupsOf, problemInserter, type KeptError } from './read/problems.ts';
import { provingOperations, type ProvingOperations } from './read/proving.ts';
import {
  attemptsSoFar,
  changedOf,
  leftOf,
  openWorkOf,
  plannedRequestsOf,
  reportOf,
  rowCountsOf,
  rowEndsOf,
  sendingMsOf,
  unknownRowsOf,
  type OpenWork,
  type RowEnd,
  type UnknownRow,
} from './read/reporting.ts';
import { traced } from './read/tracing.ts';
import { drainingOperations } from './send/draining.ts';
import { settlePending, takeUp, type TakingUp } from './send/taking-up.ts';
import { rejectedRowsOf } from './stage/rejected-rows.ts';
import { finishSources, stagingOperations } from './stage/staging.ts';

/**
 * `open`: something is left to send or to find out. `done`: nothing is left. `never_staged`: the files were not read to their end, and
 * nothing was sent. `forgotten`: something is left, and its texts are erased.
 */
export type RunCondition = 'open' | 'done' | 'never_staged' | 'forgotten';

/** One version of files that was read, in the journal that has its records. */
export class Reading implements NewRun {
  readonly header: RunHeader;
  /** Its number in the journal, from 1. */
  readonly number: number;
  /** The rows that only a person can settle. */
  readonly confirming: ConfirmingOperations;
  /** The queries of `verify`. */
  readonly proving: ProvingOperations;
  /** The queries of a cohort. */
  readonly cohort: CohortOperations;
  readonly db: RunDatabase;
  private readonly outcomes: PackedOutcomes;
  private readonly assertThere: () => void;
  /** The rows that are counted and not kept; undefined when all are kept. */
  private readonly counted: CountedRows | undefined;
  private comparison: Comparison | undefined;

  constructor(db: RunDatabase, number: number, counted?: CountedRows) {
    this.db = db;
    this.number = number;
    this.header = readHeader(db, number);
    this.counted = counted;
    this.outcomes = packedOutcomes(db);
    this.assertThere = whileThere(db.name);
    const { unpack } = this.outcomes;
    this.confirming = guarded(db, confirmingOperations(db, number), unpack);
    this.proving = guarded(db, provingOperations(db, number), unpack);
    const cohort = cohortOperations(db, number);
    const { notSent, firstOf } = guarded(db, { notSent: cohort.notSent, firstOf: cohort.firstOf }, unpack);
    // Asked about accounts while records are sent. A packed outcome is no failure (draining.ts).
    this.cohort = { ...guarded(db, cohort), notSent, firstOf };
  }

  /**
   * Begins a reading that is thrown away. It has no name, and is gone when it is closed or the process ends. `counted`: counts
   * the valid records, which are not kept then.
   */
  static scratch(header: RunHeader, counted?: CountedRows): Reading {
    const db = createScratchDatabase((created) => {
      writeScope(created, scopeOf(header, ''), header);
      writeHeader(created, header, NO_CHOICE);
    });
    return new Reading(db, 1, counted);
  }

  close(): void {
    this.db.close();
  }

  /** The choices of the last command that sent the reading. */
  get choice(): RunChoice {
    return this.sealed<RunChoice>('choice')!;
  }

  get condition(): RunCondition {
    if (this.column('state') === 'staging') return 'never_staged';
    const mayBeFinal = DESCRIPTORS[this.header.resource].refusal.final !== null;
    const { rows, erased } = this.guard(() => leftOf(this.db, this.number, mayBeFinal));
    if (erased > 0) return 'forgotten';
    return rows === 0 ? 'done' : 'open';
  }

  /** Whether anything is left to send or to find out. */
  get isOpen(): boolean {
    return this.condition === 'open';
  }

  /** Whether it has every row that it read. A record that other files have, too, is of the reading that read it last. */
  get isWhole(): boolean {
    return this.rows().read === this.column<number>('rows');
  }

  /** How the last command that sent it ended; null when it is not known, or nothing was left to do. */
  get end(): RunEnd | null {
    return this.sealed<RunEnd>('ended');
  }

  /** @throws AppError `run_write_failed` */
  recordEnd(end: RunEnd): void {
    const write = this.db.prepare('UPDATE reading SET ended = ? WHERE id = ?');
    this.guard(this.db.transaction(() => write.run(seal(end), this.number)));
  }

  get mappedSources(): readonly SourceColumns[] {
    return this.guard(() => mappedSourcesOf(this.db, this.number));
  }

  /** The files of all readings of the journal, as the records of a request name them. */
  get allSources(): readonly SourceColumns[] {
    return this.guard(() => allSourcesOf(this.db));
  }

  /** How many bytes precede the first row of a source: its header, and everything above it. */
  bytesBeforeRows(source: number): number {
    return this.mappedSources[source - 1]?.rowsFrom ?? 0;
  }

  get keepsRecords(): boolean {
    return this.counted === undefined;
  }

  /** Compares the rows with a journal once all of them are read. */
  compareWith(comparison: Comparison): void {
    this.comparison = comparison;
  }

  staging(): StagingRun {
    const operations = guarded(this.db, stagingOperations(this.db, this.comparison));
    return this.counted?.staging(operations) ?? operations;
  }

  index(): void {
    this.guard(() => createIndexes(this.db));
  }

  finishStaging(sources: readonly FinishedSource[]): void {
    this.guard(() => finishSources(this.db, sources));
  }

  /** Ends the reading: from now on its records may be sent. `now`: the instant to record. */
  finish(now: string): void {
    const { db, number } = this;
    this.guard(() => {
      sealReading(db, number);
      db.transaction(() => {
        const document = readingDocument(db, number);
        chainOf(db).appendEvent({ at: now, kind: 'read', by: null, document }, () => undefined);
        db.prepare("UPDATE reading SET state = 'staged' WHERE id = ?").run(number);
      })();
      // Records that are about to be sent must not be in the journal alone, which may get lost.
      if (db.name !== '') emptyJournal(db);
    });
  }

  /** The size of each request that would be sent. */
  plannedRequests(): Iterable<PlannedRequest> {
    return this.each((db) => plannedRequestsOf(db));
  }

  /** The operations of draining. `now` gives the instant to record, as text. `onCommit` gets the head of the chain after each commit. */
  draining(now: () => string, choice: { readonly onCommit?: (head: ChainHead) => void } = {}): DrainRun {
    this.guard(() => this.outcomes.unpackToDisk());
    const { assertThere, number: reading } = this;
    const { oneByOne } = DESCRIPTORS[this.header.resource].lostAnswer;
    return drainingOperations(this.db, this.outcomes, { now, reading, assertThere, oneByOne, ...choice });
  }

  /** Takes up the work of an earlier command. */
  takeUp(taking: TakingUp): void {
    this.guard(() => {
      this.outcomes.unpackToDisk();
      takeUp(this.db, this.number, this.header, taking);
    });
  }

  /** Settles the rows that waited for a record in doubt. Returns whether anything is to be sent now. `problemOf`: of a row that has changed. */
  settlePending(problemOf: (conflict: HistoryConflict, file: string) => LocatedProblem): boolean {
    const insert = problemInserter(this.db);
    const owner = { reading: this.number, batch: null, isLasting: true };
    const { sources } = this.header;
    return this.guard(() =>
      settlePending(this.db, this.number, (conflict) =>
        insert(problemOf(conflict, sources[conflict.source - 1]!.name), owner),
      ),
    );
  }

  /** Whether rows are kept from being sent because the platform has their records with other content or on another account. */
  get hasConflicts(): boolean {
    return this.has(`state IN ('changed', 'moved')`);
  }

  get hasInvalidRows(): boolean {
    return this.has(`state = 'invalid'`);
  }

  /** How much is to be sent. */
  openWork(): OpenWork {
    return this.guard(() => openWorkOf(this.db));
  }

  /** The figures of `report`. */
  measures(report: RunReport, view: ReportView): RunMeasures {
    return this.guard(() => measuresOf(this.db, this.number, report, view));
  }

  /** From the first attempt to the last answer, in milliseconds; 0 when nothing was sent. */
  sendingMs(): number {
    return this.guard(() => sendingMsOf(this.db, this.number));
  }

  /** The suppliers of its accounts. */
  suppliers(): readonly string[] {
    return this.guard(() =>
      valuesOf<string>(
        this.db,
        `SELECT DISTINCT import_supplier FROM ${rowsOf(this.db, this.number)} JOIN account ON account.id = account_id ORDER BY 1`,
      ),
    );
  }

  /** How many rows ended in each way. */
  rows(): RowCounts {
    return this.guard(() => rowCountsOf(this.db, this.number));
  }

  /** How many rows are kept from being sent because the platform has their records with other content or on another account. */
  changedRows(): number {
    return this.guard(() => changedOf(this.db, this.number));
  }

  /** How many requests were begun. */
  requestsSoFar(): number {
    return this.guard(() => attemptsSoFar(this.db, this.number));
  }

  report(view: ReportView = HIDING): RunReport {
    const { id, resource } = this.header;
    const report = this.guard(() => ({ run: id, resource, ...reportOf(this.db, this.number, view) }));
    return this.counted?.addedTo(report) ?? report;
  }

  /** The warnings about its rows, in groups. */
  warnings(view: ReportView): readonly ProblemGroup[] {
    return this.guard(() => problemGroupsOf(this.db, this.number, view).warningGroups);
  }

  /** Reports a problem that the comparison with the journal found. */
  reportCompared(problem: Parameters<ReturnType<typeof problemInserter>>[0]): void {
    const owner = { reading: this.number, batch: null, isLasting: true };
    this.guard(this.db.transaction(() => problemInserter(this.db)(problem, owner)));
  }

  /** The bytes of the rows of a source, counted from 1, that were invalid or rejected, in file order. */
  rejectedRows(source: number): Iterable<RowBytes> {
    return this.each((db) => rejectedRowsOf(db, this.number, source));
  }

  /** All errors, in the order of the sources and their lines. */
  errors(): Iterable<KeptError> {
    return this.each((db) => errorsOf(db, this.number, HIDING));
  }

  /** Every step of the chosen records. */
  traced(choice: TraceChoice, view: ReportView): ReturnType<typeof traced> {
    return this.guard(() => traced(this.db, this.number, choice, view));
  }

  /** The end of every row, in the order of the files. */
  rowEnds(): Iterable<RowEnd> {
    return this.each((db) => rowEndsOf(db, this.number));
  }

  /** The rows that were sent without an answer that says whether they were applied, in the order of the files. */
  unknownRows(): readonly UnknownRow[] {
    return this.guard(() => unknownRowsOf(this.db, this.number));
  }

  /** Erases all texts of its records; ids, lines, amounts and outcomes stay. */
  erasePayloads(): void {
    this.guard(() => erase(this.db, this.number, 'all'));
  }

  /** Erases the texts that nobody needs any more: of records that are on the platform. */
  eraseSettledPayloads(): void {
    this.guard(() => erase(this.db, this.number, 'settled'));
  }

  /** Whether texts are left that nobody needs any more, because the process that had to erase them died. */
  get hasTextsToErase(): boolean {
    return this.guard(() => hasSettledPayloads(this.db, this.number));
  }

  private has(condition: string): boolean {
    return this.guard(() =>
      isAny(this.db, `SELECT 1 FROM ${rowsOf(this.db, this.number)} WHERE ${condition}`),
    );
  }

  private column<T>(name: 'choice' | 'state' | 'ended' | 'rows'): T {
    return this.guard(() => valueOf(this.db, `SELECT ${name} FROM reading WHERE id = ?`, this.number) as T);
  }

  private sealed<T>(name: 'choice' | 'ended'): T | null {
    const text = this.column<string | null>(name);
    return this.guard(() => (text === null ? null : unseal<T>(text)));
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

/** The choices of a reading of which nothing is sent. */
const NO_CHOICE: RunChoice = { onReject: 'skip', onExisting: 'reject', skipInvalid: true, words: [] };

import { existsSync, linkSync } from 'node:fs';
import { AppError } from '../../core/app-error.ts';
import type { ChainHead } from '../push/ports/report.ts';
import type { RunChoice } from '../push/ports/run.ts';
import { notWritable } from './database/access.ts';
import { chainHeadOf } from './database/chain.ts';
import { guard } from './database/integrity.ts';
import { doubtfulIn } from './database/outcome-sql.ts';
import { packedOutcomes } from './database/packed-outcomes.ts';
import { valueOf, valuesOf } from './database/queries.ts';
import {
  assertIntegrity,
  createRunDatabase,
  openingError,
  openRunDatabase,
  removeDatabase,
  type RunDatabase,
} from './database/run-database.ts';
import {
  readScope,
  writeHeader,
  writeScope,
  type JournalScope,
  type RunHeader,
} from './database/run-header.ts';
import { comparedWith, type Comparison, type ComparisonChoice } from './merge/comparison.ts';
import { endReading, giveElsewhere } from './merge/ending.ts';
import { mergeRows } from './merge/merging.ts';
import { headBeside, noteHead } from './journal-head.ts';
import { assertProven } from './read/consistency.ts';
import { createIndexes } from './database/schema.ts';
import { openReading, type Reading } from './reading.ts';
import { endEarlier } from './send/taking-up.ts';

/** Only `verify` checks the whole file of a larger journal, because the check takes as long as reading the file. */
const CHECKED_BYTES = 64 * 1024 * 1024;

/** The journal of a resource of a supplier of a target, open in this process alone until it is closed. */
export class Journal {
  readonly scope: JournalScope;
  readonly path: string;
  private readonly db: RunDatabase;
  private severalSuppliers: boolean | undefined;

  private constructor(db: RunDatabase, path: string, scope: JournalScope) {
    this.db = db;
    this.path = path;
    this.scope = scope;
  }

  /**
   * Opens a journal. `openDatabase`: opens the file; tests pass a disk that fails. `assertOwn`: throws when the file has not its name; asked
   * first, because a journal of another name has another chain.
   * @throws AppError `run_not_found`, `run_locked`, `run_inaccessible`, `run_version_differs`, `run_damaged`, `run_rolled_back`
   */
  static open(
    path: string,
    openDatabase = openRunDatabase,
    assertOwn: (journal: Journal) => void = () => undefined,
  ): Journal {
    const db = openDatabase(path);
    try {
      const journal = new Journal(db, path, readScope(db));
      assertOwn(journal);
      journal.assertNewest();
      return journal;
    } catch (error) {
      db.close();
      throw openingError(path, error);
    }
  }

  /**
   * Begins a journal with its first reading, under another name: a process that dies before the reading ends leaves none. `placed` gives the
   * file its name. @throws AppError `run_not_writable`
   */
  static begin(path: string, scope: JournalScope, header: RunHeader, choice: RunChoice): Reading {
    const unfinished = unfinishedOf(path);
    removeDatabase(unfinished);
    const db = createRunDatabase(unfinished, (created) => {
      writeScope(created, scope, header);
      writeHeader(created, header, choice);
    });
    return openReading(db, 1);
  }

  /** Gives a begun journal its name, once its first reading has ended, and opens it. @throws AppError `run_not_writable` */
  static placed(path: string, first: Reading): Journal {
    const unfinished = unfinishedOf(path);
    first.close();
    removeLeftOf(path);
    try {
      // A link, because a rename would replace a journal that is there by now.
      linkSync(unfinished, path);
    } catch (error) {
      throw notWritable(path, error);
    } finally {
      removeDatabase(unfinished);
    }
    return Journal.open(path);
  }

  /** Removes a journal that was begun and not placed. */
  static discard(path: string, first: Reading): void {
    first.close();
    removeDatabase(unfinishedOf(path));
  }

  close(): void {
    this.db.close();
  }

  /** Lets SQLite check the whole file, unless it is large. @throws AppError `run_damaged`, `run_inaccessible` */
  assertWhole(): void {
    try {
      const bytes = this.number('SELECT page_count * page_size FROM pragma_page_count, pragma_page_size');
      if (bytes <= CHECKED_BYTES) assertIntegrity(this.db);
    } catch (error) {
      throw openingError(this.path, error);
    }
  }

  /** Computes the chain, and looks for contradictions. @throws AppError `run_damaged` */
  assertProven(): void {
    this.guard(() => {
      assertIntegrity(this.db);
      assertProven(this.db);
    });
  }

  /** All readings, the newest first. */
  readings(): readonly Reading[] {
    const numbers = this.guard(() => valuesOf<number>(this.db, 'SELECT id FROM reading ORDER BY id DESC'));
    return numbers.map((number) => this.reading(number));
  }

  reading(number: number): Reading {
    return this.guard(() => openReading(this.db, number));
  }

  /** Ends the requests that an earlier process had in flight. */
  endEarlier(now: string): void {
    this.guard(() => {
      packedOutcomes(this.db).unpackToDisk();
      endEarlier(this.db, now);
    });
  }

  /** Whether requests of it have records that did not arrive, or may not have. */
  get isOpen(): boolean {
    return this.number("SELECT EXISTS (SELECT 1 FROM batch WHERE state <> 'done')") === 1;
  }

  /** A journal without a reading. */
  static empty(
    path: string,
    scope: JournalScope,
    made: Pick<RunHeader, 'toolVersion' | 'createdAt'>,
  ): Journal {
    removeLeftOf(path);
    const db = createRunDatabase(path, (created) => {
      writeScope(created, scope, made);
      createIndexes(created);
    });
    return new Journal(db, path, scope);
  }

  /** Compares a reading in a database of its own with this journal, which is closed. */
  comparedWith(
    reading: Reading,
    choice: Pick<ComparisonChoice, 'others' | 'again' | 'isForgotten'>,
  ): Comparison {
    const { resource } = this.scope;
    const doubtful = this.guard(() => {
      packedOutcomes(this.db).unpackToDisk();
      return doubtfulIn(this.db);
    });
    this.close();
    return comparedWith(reading.db, this.path, { resource, doubtful, ...choice });
  }

  /** Takes a compared reading over into its journal, and opens it there. */
  static merged(
    path: string,
    { db, header }: Reading,
    {
      comparison,
      choice,
      now,
      again,
    }: Readonly<{
      comparison: Comparison;
      choice: RunChoice;
      now: string;
      again: boolean;
    }>,
  ): { readonly journal: Journal; readonly reading: Reading } {
    const number = guard(db, () => {
      const begun = db.transaction(() => writeHeader(db, header, choice, 'journal'))();
      mergeRows(db, { reading: begun, again, keepsSecond: header.options.contract?.keepsSecond ?? false });
      return begun;
    });
    comparison.detach();
    const journal = Journal.open(path);
    journal.guard(() => endReading(journal.db, number));
    const reading = journal.reading(number);
    journal.guard(() => giveElsewhere(journal.db, number, now));
    reading.finish(now);
    journal.see();
    return { journal, reading };
  }

  /** The head of the chain. */
  head(): ChainHead {
    return this.guard(() => chainHeadOf(this.db));
  }

  /** Notes how far the chain has grown, beside the journal, so that an older copy of it is noticed. */
  see({ head, links }: ChainHead = this.head()): void {
    this.severalSuppliers ??= this.number('SELECT count(DISTINCT import_supplier) > 1 FROM account') === 1;
    noteHead(this.path, { links, head, severalSuppliers: this.severalSuppliers });
  }

  /** @throws AppError `run_rolled_back` when the chain lacks links that were there */
  private assertNewest(): void {
    const seen = headBeside(this.path);
    if (!seen || seen.links === 0) return;
    const found = valueOf<string>(this.db, 'SELECT lower(hex(hash)) FROM link WHERE id = ?', seen.links);
    if (found === seen.head) return;
    const { links } = chainHeadOf(this.db);
    throw new AppError('run_rolled_back', { run: this.path, file: this.path, links, seen: seen.links });
  }

  private number(query: string): number {
    return this.guard(() => valueOf<number>(this.db, query)!);
  }

  private guard<T>(act: () => T): T {
    return guard(this.db, act);
  }
}

/** Removes the files that SQLite kept beside a journal that is gone: it would take them for those of the new one. */
function removeLeftOf(path: string): void {
  if (!existsSync(path)) removeDatabase(path);
}

const unfinishedOf = (path: string): string => `${path}-unfinished`;

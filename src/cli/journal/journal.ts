import { existsSync, linkSync } from 'node:fs';
import type { Statement } from 'better-sqlite3';
import { AppError } from '../../core/app-error.ts';
import type { AccountKey } from '../../core/contract/account.ts';
import type { ChainHead, RowOutcome } from '../push/ports/report.ts';
import type { RunChoice } from '../push/ports/run.ts';
import { notWritable } from './database/access.ts';
import { chainHeadOf } from './database/chain.ts';
import { guard, guarded } from './database/integrity.ts';
import { OUTCOME_OF_RECORD } from './database/outcome-sql.ts';
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
export type Journal = ReturnType<typeof journalIn>;

function journalIn(db: RunDatabase, path: string, scope: JournalScope) {
  let severalSuppliers: boolean | undefined;
  let sentRecord: Statement<[object], SentRecord> | undefined;
  const outcomes = packedOutcomes(db);
  const reading = (of: number): Reading => openReading(db, of, outcomes);
  const number = (query: string): number => valueOf<number>(db, query)!;
  return {
    scope,
    path,
    close: () => void db.close(),
    ...guarded(db, {
      /** Lets SQLite check the whole file, unless it is large. */
      assertWhole() {
        try {
          const bytes = number('SELECT page_count * page_size FROM pragma_page_count, pragma_page_size');
          if (bytes <= CHECKED_BYTES) assertIntegrity(db);
        } catch (error) {
          throw openingError(path, error);
        }
      },
      /** Computes the chain, and looks for contradictions. */
      assertProven() {
        assertIntegrity(db);
        assertProven(db);
      },
      /** All readings, the newest first. */
      readings: () => valuesOf<number>(db, 'SELECT id FROM reading ORDER BY id DESC').map(reading),
      reading,
      /** Ends the requests that an earlier process had in flight. */
      endEarlier(now: string) {
        outcomes.unpackToDisk();
        endEarlier(db, now);
      },
      /** Whether requests of it have records that did not arrive, or may not have. */
      isOpen: () => number("SELECT EXISTS (SELECT 1 FROM batch WHERE state <> 'done')") === 1,
      /** Compares a reading in a database of its own with this journal, which is closed. */
      comparedWith(compared: Reading, choice: Pick<ComparisonChoice, 'others' | 'again' | 'isForgotten'>) {
        outcomes.unpackToDisk();
        db.close();
        return comparedWith(compared.db, path, { resource: scope.resource, ...choice });
      },
      /** The record with an account, key and variant, whatever reading has read it last. */
      recordOf(record: AccountKey & Readonly<{ key: string; variant: string }>) {
        outcomes.unpack();
        sentRecord ??= db.prepare(RECORD_OF);
        return sentRecord.get(record);
      },
      head: () => chainHeadOf(db),
      /** Notes how far the chain has grown, beside the journal, so that an older copy of it is noticed. */
      see({ head, links }: ChainHead = chainHeadOf(db)) {
        severalSuppliers ??= number('SELECT count(DISTINCT import_supplier) > 1 FROM account') === 1;
        noteHead(path, { links, head, severalSuppliers });
      },
    }),
  };
}

/**
 * Opens a journal. `openDatabase`: opens the file; tests pass a disk that fails. `assertOwn`: throws when the file has not its name; asked
 * first, because a journal of another name has another chain.
 */
function open(
  path: string,
  openDatabase = openRunDatabase,
  assertOwn: (journal: Journal) => void = () => undefined,
): Journal {
  const db = openDatabase(path);
  try {
    const journal = journalIn(db, path, readScope(db));
    assertOwn(journal);
    assertNewest(db, path);
    return journal;
  } catch (error) {
    db.close();
    throw openingError(path, error);
  }
}

/** @throws AppError `run_rolled_back` when the chain lacks links that were there */
function assertNewest(db: RunDatabase, path: string): void {
  const seen = headBeside(path);
  if (!seen || seen.links === 0) return;
  const found = valueOf<string>(db, 'SELECT lower(hex(hash)) FROM link WHERE id = ?', seen.links);
  if (found === seen.head) return;
  const { links } = chainHeadOf(db);
  throw new AppError('run_rolled_back', { run: path, file: path, links, seen: seen.links });
}

/**
 * Begins a journal with its first reading, under another name: a process that dies before the reading ends leaves none. `placed` gives the
 * file its name.
 */
function begin(path: string, scope: JournalScope, header: RunHeader, choice: RunChoice): Reading {
  const unfinished = unfinishedOf(path);
  removeDatabase(unfinished);
  const db = createRunDatabase(unfinished, (created) => {
    writeScope(created, scope, header);
    writeHeader(created, header, choice);
  });
  return openReading(db, 1);
}

/** Gives a begun journal its name, once its first reading has ended, and opens it. */
function placed(path: string, first: Reading): Journal {
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
  return open(path);
}

/** Removes a journal that was begun and not placed. */
function discard(path: string, first: Reading): void {
  first.close();
  removeDatabase(unfinishedOf(path));
}

function empty(
  path: string,
  scope: JournalScope,
  made: Pick<RunHeader, 'toolVersion' | 'createdAt'>,
): Journal {
  removeLeftOf(path);
  const db = createRunDatabase(path, (created) => {
    writeScope(created, scope, made);
    createIndexes(created);
  });
  return journalIn(db, path, scope);
}

/** What is taken over of a compared reading. */
type Merged = Readonly<{ comparison: Comparison; choice: RunChoice; now: string; again: boolean }>;

/** Takes a compared reading over into its journal, and opens it there. */
function merged(
  path: string,
  { db, header }: Reading,
  { comparison, choice, now, again }: Merged,
): { readonly journal: Journal; readonly reading: Reading } {
  const number = guard(db, () => {
    const begun = db.transaction(() => writeHeader(db, header, choice, 'journal'))();
    mergeRows(db, { reading: begun, again, keepsSecond: header.options.contract?.keepsSecond ?? false });
    return begun;
  });
  comparison.detach();
  const journal = open(path);
  const reading = journal.reading(number);
  guard(reading.db, () => {
    endReading(reading.db, number);
    giveElsewhere(reading.db, number, now);
  });
  reading.finish(now);
  journal.see();
  return { journal, reading };
}

/** A record of a journal, and the number of the reading that has read it last. */
type SentRecord = Readonly<Record<'type' | 'amount', string | null>> &
  Readonly<{ content: Buffer; reading: number; outcome: RowOutcome }>;

const RECORD_OF = `
  SELECT type, record.amount, coalesce(content, payload_sha256) AS content, reading_id AS reading, ${OUTCOME_OF_RECORD} AS outcome
  FROM record JOIN account ON account.id = account_id LEFT JOIN outcome USING (seq)
  WHERE record.state = 'valid' AND import_supplier = @import_supplier AND external_account_number = @external_account_number
    AND identity_key = @key AND identity_variant = @variant`;

export const Journal = { open, begin, placed, discard, empty, merged };

/** Removes the files that SQLite kept beside a journal that is gone: it would take them for those of the new one. */
function removeLeftOf(path: string): void {
  if (!existsSync(path)) removeDatabase(path);
}

const unfinishedOf = (path: string): string => `${path}-unfinished`;

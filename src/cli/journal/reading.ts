import { DESCRIPTORS } from '../../core/contract/resources.ts';
import type { RowCounter } from '../push/ports/look.ts';
import type { ChainHead, LocatedProblem, RunEnd } from '../push/ports/report.ts';
import type { DrainRun, RunChoice } from '../push/ports/run.ts';
import type { FinishedSource, HistoryConflict, StagingRun } from '../push/ports/staging.ts';
import { chainOf, readingDocument } from './database/chain.ts';
import { whileThere } from './database/group-commit.ts';
import { guard, guarded, seal, unseal } from './database/integrity.ts';
import { packedOutcomes } from './database/packed-outcomes.ts';
import { emptyJournal, erase, textsToErase } from './database/payloads.ts';
import { isAny, valueOf } from './database/queries.ts';
import { createScratchDatabase, type RunDatabase } from './database/run-database.ts';
import {
  readHeader,
  scopeOf,
  sourcesOf,
  writeHeader,
  writeScope,
  type RunHeader,
} from './database/run-header.ts';
import { createIndexes } from './database/schema.ts';
import { sealReading } from './database/sealed-rows.ts';
import type { Comparison } from './merge/comparison.ts';
import { vanishedIn } from './merge/ending.ts';
import { cohortOperations } from './read/cohort-accounts.ts';
import { confirmingOperations } from './read/confirming.ts';
import { problemInserter } from './read/problems.ts';
import { reportingOperations } from './read/reporting.ts';
import { drainingOperations } from './send/draining.ts';
import { planOpenRecords, settlePending, takeUp, type TakingUp } from './send/taking-up.ts';
import { finishSources, stagingOperations } from './stage/staging.ts';

/**
 * `open`: something is left to send or to find out. `done`: nothing is left. `never_staged`: the files were not read to their end, and
 * nothing was sent. `forgotten`: something is left, and its texts are erased.
 */
export type RunCondition = 'open' | 'done' | 'never_staged' | 'forgotten';

/** One version of files that was read, in the journal that has its records. */
export type Reading = ReturnType<typeof openReading>;

/** Opens a reading of a journal by its number, from 1. `counted`: the rows that are counted and not kept; all are kept without it. */
export function openReading(
  db: RunDatabase,
  number: number,
  outcomes = packedOutcomes(db),
  counted?: RowCounter,
) {
  const header = readHeader(db, number);
  const assertThere = whileThere(db.name);
  let comparison: Comparison | undefined;

  const column = <T>(name: 'choice' | 'state' | 'ended' | 'rows') =>
    valueOf(db, `SELECT ${name} FROM reading WHERE id = ?`, number) as T;
  const figures = reportingOperations(db, number, header, counted);
  /** Keeps problems that the comparison with the journal found. */
  const insertProblems = (problems: Iterable<LocatedProblem>): void => {
    const insert = problemInserter(db);
    for (const problem of problems) insert(problem, { reading: number, batch: null, isLasting: true });
  };

  const asked = guarded(
    db,
    {
      ...figures,
      /** Whether anything is left of it. */
      condition(): RunCondition {
        if (column('state') === 'staging') return 'never_staged';
        const { rows, erased } = figures.left();
        if (erased > 0) return 'forgotten';
        return rows === 0 ? 'done' : 'open';
      },
      isStaged: () => column('state') === 'staged',
      choice: () => unseal<RunChoice>(column('choice')),
      end() {
        const ended = column<string | null>('ended');
        return ended === null ? null : unseal<RunEnd>(ended);
      },
      /** Whether it has every row that it read. A record that other files have, too, is of the reading that read it last. */
      isWhole: () => figures.rows().read === column<number>('rows'),
      recordEnd(end: RunEnd) {
        const write = db.prepare('UPDATE reading SET ended = ? WHERE id = ?');
        db.transaction(() => write.run(seal(end), number))();
      },
      mappedSources: () => sourcesOf(db, number),
      /** The files of all readings of the journal, as the records of a request name them. */
      allSources: () => sourcesOf(db),
      staging(): StagingRun {
        const operations = guarded(db, stagingOperations(db, comparison));
        return counted ? { ...operations, appendRecord: () => {}, appendFiltered: () => {} } : operations;
      },
      index: () => createIndexes(db),
      finishStaging: (finished: readonly FinishedSource[]) => finishSources(db, finished),
      /** Ends the reading: from now on its records may be sent. `now`: the instant to record. */
      finish(now: string) {
        sealReading(db, number);
        db.transaction(() => {
          const document = readingDocument(db, number);
          chainOf(db).appendEvent({ at: now, kind: 'read', by: null, document }, () => undefined);
          db.prepare("UPDATE reading SET state = 'staged' WHERE id = ?").run(number);
        })();
        // Records that are about to be sent must not be in the journal alone, which may get lost.
        if (db.name !== '') emptyJournal(db);
      },
      /** Keeps what is open of other files from being sent, where nothing is left of this reading. */
      holdOthers: () => db.transaction(planOpenRecords)(db, number),
      /** Takes up the work of an earlier command. */
      takeUp(taking: TakingUp) {
        outcomes.unpackToDisk();
        takeUp(db, number, header, taking);
      },
      /**
       * Settles rows that waited for a record in doubt. Returns whether some of them are to be sent now. `problemOf` makes the problem of a
       * row that has changed.
       */
      settlePending: (problemOf: (conflict: HistoryConflict, file: string) => LocatedProblem) =>
        settlePending(db, number, (conflicts) =>
          insertProblems(
            conflicts.map((conflict) => problemOf(conflict, header.sources[conflict.source - 1]!.name)),
          ),
        ),
      keepProblems(problems: Iterable<LocatedProblem>) {
        db.transaction(insertProblems)(problems);
      },
      /** Erases all texts of its records; ids, lines, amounts and outcomes stay. */
      erasePayloads: () => erase(db, number, 'all'),
      /** Erases the texts that nobody needs any more: of records that are on the platform. */
      eraseSettledPayloads: () => erase(db, number, 'settled'),
      /** Whether texts are left that nobody needs any more, because the process that had to erase them died. */
      hasTextsToErase: () => isAny(db, textsToErase(db, number, 'settled')),
      /** The records that are or may be on the platform, and that no row is any more. */
      vanished: () => vanishedIn(db, number),
    },
    outcomes.unpack,
  );

  return {
    ...asked,
    header,
    db,
    number,
    /** Whether it keeps valid records, or only counts them because they are never sent. */
    keepsRecords: counted === undefined,
    /** The choices of the last command that sent it. */
    get choice() {
      return asked.choice();
    },
    get condition() {
      return asked.condition();
    },
    /** Whether anything is left to send or to find out. */
    get isOpen() {
      return asked.condition() === 'open';
    },
    /** How the last command that sent it ended; null when it is not known, or nothing was left to do. */
    get end() {
      return asked.end();
    },
    confirming: guarded(db, confirmingOperations(db, number), outcomes.unpack),
    /** The queries of a cohort. They are asked while records are sent, and a packed outcome is no failure (draining.ts). */
    cohort: guarded(db, cohortOperations(db, number)),
    /** Compares the rows with a journal once all of them are read. */
    compareWith(other: Comparison) {
      comparison = other;
    },
    /** The operations of draining. `now` gives the instant to record, as text. `onCommit` gets the head of the chain after each commit. */
    draining(now: () => string, choice: { readonly onCommit?: (head: ChainHead) => void } = {}): DrainRun {
      guard(db, () => outcomes.unpackToDisk());
      const { oneByOne } = DESCRIPTORS[header.resource].lostAnswer;
      return drainingOperations(db, outcomes, { now, reading: number, assertThere, oneByOne, ...choice });
    },
    close: () => void db.close(),
  };
}

/** Begins a reading that is thrown away. It has no name, and is gone when it is closed or the process ends. `counted`: as `openReading` has it. */
export function scratchReading(header: RunHeader, counted?: RowCounter): Reading {
  const db = createScratchDatabase((created) => {
    writeScope(created, scopeOf(header, ''), header);
    writeHeader(created, header, NO_CHOICE);
  });
  return openReading(db, 1, packedOutcomes(db), counted);
}

/** The choices of a reading of which nothing is sent. */
const NO_CHOICE: RunChoice = { onReject: 'skip', onExisting: 'reject', skipInvalid: true, words: [] };

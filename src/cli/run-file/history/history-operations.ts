import {
  judgeOpenRecords,
  judgementsOf,
  dropUntrue,
  otherRecordsOf,
  overruledIn,
  writeJudgements,
  type ComparedFacts,
} from './comparing.ts';
import { keepWithdrawn, type UnseenRecord } from '../read/withdrawn.ts';
import { chainHeadOf } from '../database/chain.ts';
import type { AnsweredProblem } from '../../push/ports/report.ts';
import { shardText, type RunChoice } from '../../push/ports/run.ts';
import type { HistoryIndex, RunFacts } from './history-index.ts';
import type { HistoryView, RecordThere } from './history-view.ts';
import { DamageError, seal, unseal } from '../database/integrity.ts';
import { ARRIVED_SQL } from '../database/outcome-sql.ts';
import { problemInserter } from '../read/problems.ts';
import { rangesSentBefore, type RowRange } from '../read/proving.ts';
import { hasRowsLeft } from '../read/reporting.ts';
import type { RunDatabase } from '../database/run-database.ts';
import type { RunHeader } from '../database/run-header.ts';
import { hasDoubts } from '../send/taking-up.ts';

/** The state of the other runs of a scope: how many links each has, by its id. */
export type OtherRunStates = Readonly<Record<string, number>>;

/** What other runs know of the records of a run, and what the run knows for others. */
export type HistoryOperations = ReturnType<typeof historyOperations>;

export function historyOperations(db: RunDatabase, header: RunHeader) {
  const places = (): ReadonlySet<string> => {
    const replaced = db.prepare<[], string>('SELECT place FROM replaced').pluck().all();
    return new Set([...header.sources.flatMap(({ place }) => place ?? []), ...replaced]);
  };
  const facts = (): RunFacts => {
    const { turn, state, choice } = db
      .prepare<[], { turn: number; state: string; choice: string }>('SELECT turn, state, choice FROM run')
      .get()!;
    const { id, resource, target, database, version, createdAt, options } = header;
    const { shard } = options.selection;
    const isStaged = state !== 'staging';
    if (!isStaged && db.prepare('SELECT id FROM attempt').get() !== undefined)
      throw new DamageError('it has sent records before it had all of them');
    return {
      id,
      resource,
      target,
      database,
      version,
      createdAt,
      shard: shard ? shardText(shard) : null,
      cohort: unseal<RunChoice>(choice).cohort?.name ?? null,
      turn,
      places: [...places()],
      isStaged,
      isOpen: state === 'staged' && hasRowsLeft(db),
      hasDoubts: isStaged && hasDoubts(db),
      ...chainHeadOf(db),
    };
  };
  let finder: ReturnType<typeof recordFinder> | undefined;
  return {
    /** The facts that an index keeps of the run. */
    facts,
    /** Writes the records of the run, or what has changed in them, into an index. */
    teach: (index: HistoryIndex) => index.learn(db, facts()),
    /** The hash of a link, in hexadecimal; undefined when the chain is shorter. */
    linkAt: (number: number) =>
      db.prepare<[number], string>('SELECT lower(hex(hash)) FROM link WHERE id = ?').pluck().get(number),
    /** The records, as another run reads them. */
    asOther: () => otherRecordsOf(db, header),
    /** Whether all records of these ranges are on the platform. */
    haveArrived(ranges: readonly RowRange[]) {
      const arrived = db
        .prepare<[number, number], number>(
          `SELECT count(*) FROM outcome WHERE seq BETWEEN ? AND ? AND outcome IN ${ARRIVED_SQL}`,
        )
        .pluck();
      return ranges.every(({ first, last }) => arrived.get(first, last) === last - first + 1);
    },
    /** Whether one of the records of these ranges has other content since a person has confirmed it. Default: of all records. */
    isOverruled: (
      confirmed: readonly RecordThere[],
      ranges: readonly RowRange[] = [{ first: 1, last: Infinity }],
    ) =>
      [...overruledIn(db, confirmed)].some(
        ({ seq, isKnown }) => !isKnown && ranges.some(({ first, last }) => first <= seq && seq <= last),
      ),
    /** The places of the files of this run, and of files that a person has named as earlier versions. */
    places,
    /** Remembers the places of earlier versions of the files. */
    replace: db.transaction((added: readonly string[]) => {
      const insert = db.prepare('INSERT INTO replaced VALUES (?) ON CONFLICT DO NOTHING');
      for (const place of added) insert.run(place);
      // Earlier versions of these files count from now on.
      db.exec('UPDATE run SET compared = NULL, summary = NULL');
    }),
    /**
     * Compares the records that are still to be sent with the history, and gives them the outcomes that it has. Returns those that are
     * not to be sent as they are.
     */
    compare(view: HistoryView, compared: ComparedFacts) {
      db.transaction(() => db.exec('DELETE FROM problem WHERE of_history = 1'))();
      const judgements = judgementsOf(db, view);
      db.transaction(() => judgeOpenRecords(db, view, judgements))();
      dropUntrue(db, view);
      writeJudgements(db, compared);
      return judgements;
    },
    /** Whether a row of this run is a record of another run. Rows that are not kept are not found. */
    has: (
      record: Pick<UnseenRecord, 'import_supplier' | 'external_account_number' | 'key' | 'variant'>,
    ): boolean => (finder ??= recordFinder(db))(record),
    /** Notes the records of other runs that rows of this run are, which it does not keep. `numberOf`: the number of a run in the index. */
    markRowsSentBefore(numberOf: (id: string) => number | undefined, view: HistoryView) {
      for (const { run: id, first, last } of rangesSentBefore(db)) {
        const run = numberOf(id);
        if (run !== undefined) for (let seq = first; seq <= last; seq++) view.see({ run, seq });
      }
    },
    /** Whether records are missing or on another account, as far as the rows of this shard say. */
    missesRecords() {
      const found = `SELECT EXISTS (SELECT 1 FROM problem WHERE of_history = 1 AND code IN ('record_moved', 'record_vanished'))`;
      return db.prepare(found).pluck().get() === 1;
    },
    /** Reports a problem of the last comparison. */
    report: db.transaction((problem: AnsweredProblem) =>
      problemInserter(db)(problem, { batch: null, isLasting: true, isOfHistory: true }),
    ),
    /** Replaces the list of records that other versions had and that no row is any more. */
    keepWithdrawn: (records: Iterable<UnseenRecord>) => keepWithdrawn(db, records),
    /** The state of the other runs at the last comparison; undefined before it. */
    comparedWith() {
      const sealed = db.prepare<[], string | null>('SELECT compared FROM run').pluck().get();
      return sealed ? unseal<OtherRunStates>(sealed) : undefined;
    },
    rememberCompared: db.transaction(
      (others: OtherRunStates) => void db.prepare('UPDATE run SET compared = ?').run(seal(others)),
    ),
  };
}

/** Finds records by their identity. The index is made once, because few commands need it. */
function recordFinder(db: RunDatabase): HistoryOperations['has'] {
  db.exec(`
    CREATE TEMP TABLE own_identity AS
      SELECT account_id, identity_key, identity_variant FROM record WHERE state = 'valid';
    CREATE INDEX temp.own_identity_at ON own_identity (identity_key, account_id, identity_variant)`);
  const find = db.prepare<[string, string, string, string], number>(
    `SELECT 1 FROM temp.own_identity JOIN account ON account.id = account_id
     WHERE identity_key = ? AND identity_variant = ? AND import_supplier = ? AND external_account_number = ?`,
  );
  return ({ import_supplier, external_account_number, key, variant }) =>
    find.get(key, variant, import_supplier, external_account_number) !== undefined;
}

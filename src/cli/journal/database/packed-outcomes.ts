import type { RecordResult } from '../../push/ports/run.ts';
import type { SettledOutcome } from '../../push/ports/report.ts';
import { diskObstacle } from './access.ts';
import type { RunDatabase } from './run-database.ts';

/**
 * The records of a request are scattered over the file, and so are their rows in `outcome`. Writing one page for each record would
 * take most of the time of sending. So an answer is written as one row for each kind of outcome, and everything that reads
 * outcomes first moves them into `outcome`, sorted.
 */
export type PackedOutcomes = ReturnType<typeof packedOutcomes>;

export function packedOutcomes(db: RunDatabase) {
  const countPacked = db.prepare<[], number>('SELECT count(*) FROM packed_outcome').pluck();
  const move = db.transaction(() => {
    db.exec(
      `${DROP_COPY}; INSERT INTO main.outcome (seq, outcome, amount, link_id, origin) ${UNPACKED} ORDER BY seq; DELETE FROM packed_outcome`,
    );
  });
  /** How many rows are packed while a copy of all outcomes is in memory. */
  let copied = 0;
  const unpackTo = (place: 'disk' | 'any'): void => {
    const packed = countPacked.get()!;
    if (packed === (place === 'disk' ? 0 : copied)) return;
    try {
      move();
      copied = 0;
    } catch (error) {
      if (place === 'disk' || !diskObstacle(error)) throw error;
      db.pragma('temp_store = MEMORY');
      // The name of a temporary table goes before the same name in the file.
      db.exec(`${DROP_COPY}; CREATE TEMP TABLE outcome AS ${ALL_OUTCOMES};
               CREATE UNIQUE INDEX temp.outcome_of_record ON outcome (seq)`);
      copied = packed;
    }
  };
  return {
    /** Moves packed outcomes. On a full disk the moved outcomes are in memory, so that the result can still be shown. */
    unpack: () => unpackTo('any'),
    /** The same before `outcome` is written. A full disk is an error. */
    unpackToDisk: () => unpackTo('disk'),
  };
}

const DROP_COPY = 'DROP TABLE IF EXISTS temp.outcome';

/** The outcomes that are still packed. */
export const UNPACKED = `
  SELECT CAST(key AS INTEGER) AS seq, outcome, value AS amount, link_id, NULL AS origin FROM packed_outcome, json_each(amounts)`;

/** All outcomes of a journal: those in their table, and those that are still packed. */
export const ALL_OUTCOMES = `SELECT seq, outcome, amount, link_id, origin FROM main.outcome UNION ALL ${UNPACKED}`;

/** Packs the outcomes of one answer. Returns the function that writes them. */
export function outcomePacker(db: RunDatabase): (link: number, settled: readonly SettledRecord[]) => void {
  const insert = db.prepare('INSERT INTO packed_outcome (link_id, outcome, amounts) VALUES (?, ?, ?)');
  return (link, settled) => {
    for (const [outcome, records] of Map.groupBy(settled, (record) => record.outcome))
      insert.run(
        link,
        outcome,
        JSON.stringify(Object.fromEntries(records.map(({ seq, amount = null }) => [seq, amount]))),
      );
  };
}

export type SettledRecord = RecordResult & { readonly outcome: SettledOutcome };

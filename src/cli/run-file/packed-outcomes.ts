import { dirname } from 'node:path';
import type { RecordResult } from '../push/ports/run.ts';
import type { SettledOutcome } from '../push/ports/report.ts';
import { diskObstacle } from './access.ts';
import type { RunDatabase } from './run-database.ts';

/**
 * The records of a request are scattered over the file, and so are their rows in `outcome`. Writing one page for each record would
 * take most of the time of sending. So an answer is written as one row for each kind of outcome, and everything that reads
 * outcomes first moves them into `outcome`, sorted.
 */
export interface PackedOutcomes {
  /** Moves packed outcomes. On a full disk the moved outcomes are in memory, so that the result can still be shown. */
  unpack(): void;
  /** The same before `outcome` is written. A full disk is an error. */
  unpackToDisk(): void;
}

export function packedOutcomes(db: RunDatabase): PackedOutcomes {
  const isAnyPacked = db.prepare<[], number>('SELECT EXISTS (SELECT 1 FROM packed_outcome)').pluck();
  const move = db.transaction(() => {
    db.exec(`INSERT INTO main.outcome ${UNPACKED} ORDER BY seq; DELETE FROM packed_outcome`);
  });
  let isInMemory = false;
  return {
    unpack() {
      if (isInMemory || isAnyPacked.get() === 0) return;
      try {
        move();
      } catch (error) {
        if (!diskObstacle(dirname(db.name), error)) throw error;
        db.pragma('temp_store = MEMORY');
        // The name of a temporary table goes before the same name in the file.
        db.exec(`CREATE TEMP TABLE outcome AS ${UNPACKED} UNION ALL SELECT * FROM main.outcome;
                 CREATE UNIQUE INDEX temp.outcome_of_record ON outcome (seq)`);
        isInMemory = true;
      }
    },
    unpackToDisk() {
      if (isInMemory) db.exec('DROP TABLE temp.outcome');
      isInMemory = false;
      if (isAnyPacked.get() === 1) move();
    },
  };
}

const UNPACKED = `
  SELECT CAST(key AS INTEGER) AS seq, outcome, value AS amount, link_id FROM packed_outcome, json_each(amounts)`;

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

/** A record that an answer settled. */
export type SettledRecord = RecordResult & { readonly outcome: SettledOutcome };

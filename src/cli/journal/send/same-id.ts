import type { SameId } from '../../push/ports/run.ts';
import { ARRIVED_SQL, MAY_BE_THERE, ofBatch } from '../database/outcome-sql.ts';
import type { PackedOutcomes } from '../database/packed-outcomes.ts';
import type { RunDatabase } from '../database/run-database.ts';

/** Accounts with one id that are looked at, because some files count their ids from 1 in each account. */
const MOST_ACCOUNTS = 300;

const OTHERS = `FROM record AS mine JOIN record ON record.identity_key = mine.identity_key AND record.account_id <> mine.account_id
    AND record.state = 'valid' WHERE mine.seq = ?
      AND NOT EXISTS (SELECT 1 FROM past_outcome WHERE past_outcome.seq = mine.seq AND outcome IN ${ARRIVED_SQL})`;

const BY_US = "('created', 'confirmed', 'sent_before')";

/** Answers `DrainRun.sameIdElsewhere`. Ids that only one account has are found without a look at outcomes. */
export function sameIdsElsewhere(db: RunDatabase, outcomes: Pick<PackedOutcomes, 'unpackToDisk'>) {
  const isShared = db.prepare<[number], number>(`SELECT 1 ${OTHERS} LIMIT 1`);
  const byUs = db.prepare<[number], { file: string; line: number; isCreated: 0 | 1 }>(`
    SELECT name AS file, first_line AS line, isCreated FROM (
      SELECT source_id, first_line, (coalesce(outcome IN ${BY_US}, 0) OR EXISTS (
          SELECT 1 FROM past_outcome WHERE past_outcome.seq = record.seq AND past_outcome.outcome IN ${BY_US})) AS isCreated,
        CASE outcome WHEN 'verify' THEN 1 WHEN 'existing' THEN ${ofBatch('attempts > 1')} ELSE outcome IS NULL AND ${MAY_BE_THERE} END AS isOpen
      FROM (SELECT record.* ${OTHERS} LIMIT ${MOST_ACCOUNTS}) AS record LEFT JOIN outcome USING (seq))
    JOIN source ON source.id = source_id WHERE isCreated OR isOpen ORDER BY isCreated DESC LIMIT 2`);
  return (seqs: readonly number[]): ReadonlyMap<number, SameId> => {
    const shared = seqs.filter((seq) => isShared.get(seq) !== undefined);
    if (shared.length > 0) outcomes.unpackToDisk();
    return new Map(
      shared.flatMap((seq) => {
        const [first, second] = byUs.all(seq);
        const isKeptByAccount = second?.isCreated === 1;
        return first && !isKeptByAccount ? [[seq, { ...first, isCreated: first.isCreated === 1 }]] : [];
      }),
    );
  };
}

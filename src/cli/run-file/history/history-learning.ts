import { DESCRIPTORS, type Resource } from '../../../core/contract/resources.ts';
import { guard } from '../database/integrity.ts';
import type { RunDatabase } from '../database/run-database.ts';
import { IS_FINAL } from '../send/taking-up.ts';

/** Bytes of the hash of a record that the index keeps: two different records have the same by a chance of 2^-128. */
export const CONTENT_BYTES = 16;

/** Record numbers in a block of `arrived`. */
export const BLOCK = 1_024;

/** Writes the records of a run into the index at `path`. `learnt`: the links that the index knows; -1 when it knows no record. */
export function learnRecords(
  run: RunDatabase,
  path: string,
  row: { scope: number; number: number; learnt: number; resource: Resource },
): void {
  const { resource, ...values } = row;
  // Records without an outcome are learnt once.
  const among = values.learnt < 0 ? '' : `AND record.seq IN (${CHANGED})`;
  guard(run, () => {
    run.prepare('ATTACH ? AS history').run(path);
    try {
      run.pragma('history.synchronous = NORMAL');
      run.exec('BEGIN IMMEDIATE');
      run.prepare(overruledSql(among)).run(values);
      run.prepare(learningSql('identity_key', among)).run(values);
      if (hasIdsBesideKeys(resource)) run.prepare(learningSql(BY_ID, among)).run(values);
      const blocks = run
        .prepare<[object], number>(`SELECT DISTINCT seq / ${BLOCK} FROM (${CHANGED})`)
        .pluck()
        .all({ learnt: values.learnt });
      const block = run.prepare(ARRIVED);
      for (const number of blocks) block.run({ run: row.number, block: number });
      run.exec('COMMIT');
    } finally {
      if (run.inTransaction) run.exec('ROLLBACK');
      run.exec('DETACH history');
    }
  });
}

const CHANGED = `SELECT seq FROM main.outcome WHERE link_id > @learnt UNION SELECT seq FROM main.past_outcome WHERE until_id > @learnt`;

/** Whether records are found by an id that is not their identity: an account has one payment instruction, whatever its reference. */
export function hasIdsBesideKeys(resource: Resource): boolean {
  const { idField, repetition } = DESCRIPTORS[resource];
  return idField !== null && !repetition.isKeyedById;
}

/** The key under which such a record is found by its id, in SQL and here. */
const BY_ID = "'id ' || record.id";
export const keyById = (id: string): string => `id ${id}`;

export const CONTENT = `substr(coalesce(content, payload_sha256), 1, ${CONTENT_BYTES})`;

/** The blocks of other runs where a record has other content since a person has confirmed it. */
const overruledSql = (among: string): string => `
  DELETE FROM history.arrived WHERE (run, block) IN (
    SELECT there.run, there.seq / ${BLOCK} FROM main.record JOIN main.account ON account.id = account_id JOIN main.outcome USING (seq)
      JOIN history.record AS there ON scope_id = @scope AND key = identity_key AND supplier = import_supplier
        AND there.account = external_account_number AND variant = identity_variant
    WHERE outcome.outcome = 'confirmed' AND there.run <> @number ${among})`;

/** A row that has moved is not on its account, so it is as open as if it was never sent there. */
const learningSql = (key: string, among: string): string => `
  INSERT INTO history.record
  SELECT @scope, ${key} AS key, import_supplier, external_account_number, identity_variant, ${CONTENT}, @number, record.seq,
    CASE WHEN outcome.outcome = 'confirmed' THEN 5
      WHEN outcome.outcome IN ('created', 'existing', 'uncompared') THEN 4
      WHEN outcome.outcome = 'sent_before' THEN 3
      WHEN outcome.outcome = 'verify' THEN 2
      WHEN outcome.outcome = 'rejected' AND ${IS_FINAL} THEN 1
      ELSE 0 END
  FROM main.record JOIN main.account ON account.id = account_id LEFT JOIN main.outcome USING (seq)
  WHERE state = 'valid' AND (origin IS NULL OR outcome.outcome IN ('sent_before', 'moved')) ${among} ${IN_KEY_ORDER}`;

/**
 * A record that arrived stays where it arrived first, unless a person has confirmed another one. A record that nothing is proven of
 * stays so. Otherwise the run that was indexed last has it.
 */
const IN_KEY_ORDER = `
  ORDER BY key, import_supplier, external_account_number, identity_variant
  ON CONFLICT (scope_id, key, supplier, account, variant) DO UPDATE
  SET content = excluded.content, run = excluded.run, seq = excluded.seq, known = excluded.known
  WHERE run = excluded.run OR excluded.known = 5 OR (excluded.known > 2 AND excluded.known > known)
    OR (excluded.known = 2 AND known < 2) OR (excluded.known < 2 AND known < 2)`;

const ARRIVED = `
  INSERT OR REPLACE INTO history.arrived
  SELECT @run, @block, coalesce(unhex(group_concat(printf('%08x%08x', record.seq, account_id) || hex(${CONTENT}), '' ORDER BY record.seq)), x'')
  FROM main.record JOIN main.outcome USING (seq)
  WHERE record.seq BETWEEN @block * ${BLOCK} AND @block * ${BLOCK} + ${BLOCK - 1} AND state = 'valid'
    AND outcome.outcome IN ('created', 'existing', 'uncompared', 'confirmed')`;

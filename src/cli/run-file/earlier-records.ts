import type { ChangedRecord, EarlierRecord, EarlierRecords, VanishedRecord } from '../push/ports/staging.ts';
import type { RunDatabase } from './run-database.ts';

/**
 * The records of a run beside those of earlier runs, in temporary tables, because both may have millions. `records` come in the
 * order of account, key and variant.
 */
export function earlierRecords(db: RunDatabase, records: Iterable<EarlierRecord>): EarlierRecords {
  db.transaction(() => {
    db.exec(TABLES);
    const insert = db.prepare(
      `INSERT INTO earlier (account_id, import_supplier, key, variant, content, file, line, run, of_shard)
       VALUES ((SELECT id FROM account WHERE import_supplier = @import_supplier
                AND external_account_number = @external_account_number),
         @import_supplier, @key, @variant, @content, @file, @line, @run, @ofShard)`,
    );
    for (const record of withoutRepetitions(records))
      insert.run({ ...record, ofShard: record.isOfShard ? 1 : 0 });
    db.exec(FIND);
  })();
  const changed = db.prepare<[number, number], ChangedRow>(CHANGED);
  const vanished = db.prepare<[number, number], VanishedRecord>(VANISHED);
  return {
    leaveOutUnchanged: () => db.transaction(() => db.exec(LEAVE_OUT_UNCHANGED))(),
    changed: (after, limit) =>
      changed.all(after, limit).map(({ earlier_file: file, earlier_line: line, run, ...record }) => ({
        ...record,
        earlier: { file, line, run },
      })),
    vanished: (after, limit) => vanished.all(after, limit),
  };
}

interface ChangedRow extends Omit<ChangedRecord, 'earlier'> {
  readonly earlier_file: string;
  readonly earlier_line: number;
  readonly run: string;
}

/** Equal notes of an account are one note for the platform, and each pair of them would be a row here. */
function* withoutRepetitions(records: Iterable<EarlierRecord>): Generator<EarlierRecord> {
  let last: EarlierRecord | undefined;
  for (const record of records) {
    const isRepeated =
      last?.import_supplier === record.import_supplier &&
      last.external_account_number === record.external_account_number &&
      last.key === record.key &&
      last.variant === record.variant &&
      last.content.equals(record.content);
    last = record;
    if (!isRepeated) yield record;
  }
}

const TABLES = `
  DROP TABLE IF EXISTS temp.earlier;
  DROP TABLE IF EXISTS temp.version;
  DROP TABLE IF EXISTS temp.gone;
  CREATE TEMP TABLE earlier (
    number INTEGER PRIMARY KEY, account_id INTEGER, import_supplier, key, variant, content, file, line, run,
    of_shard);
  CREATE TEMP TABLE version (seq INTEGER, number INTEGER, kind, PRIMARY KEY (seq, number)) WITHOUT ROWID;
  CREATE TEMP TABLE gone (number INTEGER PRIMARY KEY, import_supplier, key, variant, content);
`;

/**
 * `version`: each record of this run with its earlier versions. `gone`: earlier records that no record of this run is. A record
 * without a version has moved when `gone` has it for the same supplier, because another account had it. Notes have no id, and
 * two accounts may have equal notes, so a note never moves.
 *
 * `record` is read in its order and looks its versions up, because an index on all records would cost more.
 */
const FIND = `
  CREATE INDEX temp.earlier_identity ON earlier (account_id, key, variant);
  INSERT INTO version
    SELECT seq, number, iif(content = payload_sha256, 'unchanged', 'changed')
    FROM record CROSS JOIN earlier
      ON earlier.account_id = record.account_id AND key = identity_key AND variant = identity_variant
    WHERE state = 'valid';
  INSERT INTO gone SELECT number, import_supplier, key, variant, content FROM earlier
    WHERE number NOT IN (SELECT number FROM version);
  CREATE INDEX temp.gone_content ON gone (content);
  INSERT INTO version
    SELECT record.seq, min(gone.number), 'moved'
    FROM record CROSS JOIN gone ON content = payload_sha256 AND key = identity_key AND variant = identity_variant
      JOIN account ON account.id = record.account_id AND account.import_supplier = gone.import_supplier
    WHERE state = 'valid' AND record.id IS NOT NULL
      AND NOT EXISTS (SELECT 1 FROM version WHERE version.seq = record.seq)
    GROUP BY record.seq;
  DELETE FROM gone WHERE number IN (SELECT number FROM version WHERE kind = 'moved');
`;

const UNCHANGED = `SELECT seq FROM version WHERE kind = 'unchanged'`;

/** The hash of the content stays, so that the next version of the file can be compared with this run. */
const LEAVE_OUT_UNCHANGED = `
  INSERT INTO cause (kind, place) VALUES ('unchanged', '') ON CONFLICT DO NOTHING;
  UPDATE record SET state = 'filtered', payload = NULL,
    cause_id = (SELECT id FROM cause WHERE kind = 'unchanged') WHERE seq IN (${UNCHANGED});
`;

const CHANGED = `
  SELECT seq, source_id AS source, first_line AS line, kind,
    earlier.file AS earlier_file, earlier.line AS earlier_line, earlier.run
  FROM version JOIN record USING (seq) JOIN earlier ON earlier.number = version.number
  WHERE seq > ? AND kind <> 'unchanged' AND seq NOT IN (${UNCHANGED})
  GROUP BY seq ORDER BY seq LIMIT ?`;

const VANISHED = `
  SELECT number, file, line, run FROM gone JOIN earlier USING (number)
  WHERE of_shard AND number > ? ORDER BY number LIMIT ?`;

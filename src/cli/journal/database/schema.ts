import type { Database } from 'better-sqlite3';
import { allRows } from './queries.ts';

/** `PRAGMA application_id` of a journal: "dImp". */
export const APPLICATION_ID = 0x64496d70;

/** `PRAGMA user_version` that this program reads and writes. */
export const SCHEMA_VERSION = 20;

/**
 * One journal for each resource of a supplier of a target, or for a shard of it: every record that was ever wanted there, once.
 *
 * **A row of the file, by the identity of its record**, when the files are read (merge/comparison.ts):
 *
 *     the journal has             row equal                     row with other content
 *     nothing                     a new record                  -
 *     a record never sent         replaced by the row           replaced by the row
 *     an arrived record           takes the place of the row    a row `changed`, beside the record
 *     a record in doubt           takes the place of the row    a row `pending`, until the record is settled
 *     an unproven record          takes the place of the row    a row `pending`, until a person settles the record
 *     a refused record            takes the place of the row    a new record; the refused one is `replaced`
 *     it on another account       a row `moved`, when the record there has arrived and no row is it
 *
 * A note that repeats another row exactly is `repeated`: it ends as the record does that it repeats.
 *
 * `record.state`: `valid` for a record; `replaced` for one that is kept for the chain alone; the others are rows of the newest reading of
 * their files that are no record of their own, and go with the next reading. `there` is the record that a row `changed`, `moved`,
 * `pending` or `repeated` is about. `reading_id` and `place` say which reading has read the record last, and as which of its rows.
 *
 * **The state machine of a batch.** Every arrow is one transaction, on disk before the next step is taken.
 *
 *   planned ──claim──▶ sent ──settle──▶ done        every record has an outcome
 *    ▲  ▲               │ │              │
 *    │  │               │ └──settle──▶ rejected     some records have no outcome
 *    │  └──not applied──┤                │
 *    │  └──set aside────┘                │          refused records have their outcome, the others are sent again
 *    └──────────plan again───────────────┘          the next command withdraws refusals and sends these records again
 *
 * `held`: as `planned`, and not of the files of the present command.
 *
 * `in_doubt` is set when an attempt may have been applied: the answer was lost, the process died while the batch was sent, the platform
 * refused one record and may have kept others, or something else than the platform answered. Records in doubt are sent first in their
 * account, whatever files have them, and nothing else of it is sent before an answer settles them.
 *
 * A batch that is cut, because it is too large or because its records are sent singly, passes its state on to all parts. After a refusal
 * only the part before the refused record may be there, so that part alone is in doubt. `cut_from` is the batch that was cut, and
 * `cut_after` its last attempt until then. The attempts of a part are its own and those.
 *
 * A record without an outcome is `unknown` while it may have been applied, and otherwise `not_sent`.
 *
 * An outcome has one of three sources, and its link says which: the answer to an attempt, another journal of the folder
 * (`sent_before`; `origin` is its name), or a person (`confirmed`). An outcome that no longer counts moves to `past_outcome`, so the chain
 * still seals it. What a record with an outcome consists of is never changed. `outcome.amount` is the amount that the answer names.
 * `packed_outcome` has the outcomes of the latest answers (packed-outcomes.ts). `amounts` is a JSON object: the amount of each record by
 * its `seq`.
 *
 * `identity_key` and `identity_variant` are what the identities of core/contract/resources decide: two records of an account are the
 * same record when both are equal. The variant is empty for a record without one. Both columns of a note are hashes.
 *
 * `record.payload_sha256` is the hash of the JSON text that is sent. It stays when the payload is erased, so that `verify` can still prove
 * the content. `record.content` is the hash of the same text with equal values written alike (stage-record.ts); null when that text is the
 * payload. A row that is no record has neither; an invalid one has its account, id and amount where they can be read. A row that is left out has a cause: the kind, and the place in the mapping file.
 *
 * `reading.header` is the JSON text of a `RunHeader` (run-header.ts), `choice` has the choices of its last command, and `ended` says how that
 * ended: a process that dies writes nothing there. `seal` is the number and the hash of the rows that the files gave (sealed-rows.ts).
 * `first_seq` and `last_seq` bound its rows, so that a small file is found beside many records. `source.place` is the real path of a file,
 * which it has in common with its next version; null for standard input.
 *
 * `account.seen_under_way` is set once `migrate` has seen the import of the account under way: when it is not under way any more, without
 * success, it has failed.
 *
 * `link` is the chain of docs/chain.md: one row for each attempt that has ended and for each event, written in the transaction that ends
 * it. `outcome.link_id` is the link that seals the outcome. `link.state` is the state in which a settlement left the batch.
 *
 * A problem with a batch and without `lasting` is removed when its record is sent again. So are the reasons why `migrate` did not send an
 * account: one problem for each, with its first batch that was not sent. A problem without a batch goes with its reading. `problem.seq` is
 * the record that a problem of an answer is about, and `at_line` the line on which it began then. `unhidden` is the problem as
 * `--show-values` shows it: null when nothing is hidden, and empty once it is erased, together with the payloads of its batch.
 *
 * Checksums (CRC-32) find what a disk changed. `record.checksum` covers the account, id, type, amount, parts and payload of a record,
 * `journal.checksum` and `reading.checksum` cover what never changes in these, and sealed texts begin with their own. Nothing is sent
 * from a file with a wrong checksum.
 */
const SCHEMA = `
  CREATE TABLE journal (
    resource      TEXT NOT NULL,
    target        TEXT NOT NULL,
    database      TEXT,
    supplier      TEXT NOT NULL,
    shard         TEXT,
    tool_version  TEXT NOT NULL,
    created_at    TEXT NOT NULL,
    checksum      INTEGER NOT NULL DEFAULT 0
  ) STRICT;

  CREATE TABLE reading (
    id             INTEGER PRIMARY KEY,
    state          TEXT NOT NULL CHECK (state IN ('staging', 'staged')),
    header         TEXT NOT NULL,
    checksum       INTEGER NOT NULL,
    seal           TEXT,
    first_seq      INTEGER NOT NULL DEFAULT 0,
    last_seq       INTEGER NOT NULL DEFAULT 0,
    rows           INTEGER NOT NULL DEFAULT 0,
    choice         TEXT NOT NULL,
    ended          TEXT
  ) STRICT;

  CREATE TABLE source (
    id          INTEGER PRIMARY KEY,
    reading_id  INTEGER NOT NULL REFERENCES reading (id),
    name        TEXT NOT NULL,
    place       TEXT,
    columns     TEXT,
    rows_from   INTEGER
  ) STRICT;

  CREATE TABLE account (
    id                       INTEGER PRIMARY KEY,
    import_supplier          TEXT NOT NULL,
    external_account_number  TEXT NOT NULL,
    seen_under_way           INTEGER NOT NULL DEFAULT 0 CHECK (seen_under_way IN (0, 1)),
    UNIQUE (import_supplier, external_account_number)
  ) STRICT;

  CREATE TABLE record (
    seq               INTEGER PRIMARY KEY,
    state             TEXT NOT NULL CHECK (state IN ('valid', 'replaced', 'changed', 'moved', 'pending', 'repeated', 'invalid', 'filtered')),
    reading_id        INTEGER NOT NULL REFERENCES reading (id),
    place             INTEGER NOT NULL,
    source_id         INTEGER NOT NULL REFERENCES source (id),
    first_line        INTEGER NOT NULL,
    last_line         INTEGER NOT NULL,
    byte_start        INTEGER NOT NULL,
    byte_end          INTEGER NOT NULL,
    account_id        INTEGER REFERENCES account (id),
    identity_key      TEXT,
    identity_variant  TEXT,
    id                TEXT,
    type              TEXT,
    amount            TEXT,
    payload           TEXT,
    payload_sha256    BLOB,
    content           BLOB,
    parts             TEXT,
    checksum          INTEGER,
    cause             TEXT,
    cause_place       TEXT,
    there             INTEGER REFERENCES record (seq)
  ) STRICT;

  CREATE TABLE batch (
    id          INTEGER PRIMARY KEY,
    account_id  INTEGER NOT NULL REFERENCES account (id),
    first_seq   INTEGER NOT NULL,
    last_seq    INTEGER NOT NULL,
    state       TEXT NOT NULL DEFAULT 'planned' CHECK (state IN ('planned', 'held', 'sent', 'done', 'rejected')),
    in_doubt    INTEGER NOT NULL DEFAULT 0 CHECK (in_doubt IN (0, 1)),
    attempts    INTEGER NOT NULL DEFAULT 0,
    cut_from    INTEGER REFERENCES batch (id),
    cut_after   INTEGER,
    UNIQUE (account_id, first_seq)
  ) STRICT;

  CREATE TABLE attempt (
    id          INTEGER PRIMARY KEY,
    batch_id    INTEGER NOT NULL REFERENCES batch (id),
    started_at  TEXT NOT NULL,
    ended_at    TEXT,
    status      INTEGER,
    result      TEXT CHECK (result IN ('settled', 'refused', 'not_applied', 'ambiguous')),
    reason      TEXT
  ) STRICT;

  CREATE TABLE outcome (
    seq      INTEGER PRIMARY KEY REFERENCES record (seq),
    outcome  TEXT NOT NULL CHECK (outcome IN (
      'created', 'existing', 'uncompared', 'confirmed', 'sent_before', 'verify', 'rejected')),
    amount   TEXT,
    link_id  INTEGER NOT NULL,
    origin   TEXT
  ) STRICT;

  CREATE TABLE past_outcome (
    seq       INTEGER NOT NULL REFERENCES record (seq),
    outcome   TEXT NOT NULL,
    amount    TEXT,
    link_id   INTEGER NOT NULL,
    origin    TEXT,
    until_id  INTEGER NOT NULL,
    PRIMARY KEY (seq, link_id)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE packed_outcome (
    link_id  INTEGER NOT NULL,
    outcome  TEXT NOT NULL,
    amounts  TEXT NOT NULL,
    PRIMARY KEY (link_id, outcome)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE event (
    id        INTEGER PRIMARY KEY,
    at        TEXT NOT NULL,
    kind      TEXT NOT NULL CHECK (kind IN ('read', 'sent_before', 'planned_again', 'confirmed')),
    by        TEXT,
    document  TEXT NOT NULL
  ) STRICT;

  CREATE TABLE link (
    id          INTEGER PRIMARY KEY,
    attempt_id  INTEGER UNIQUE REFERENCES attempt (id),
    event_id    INTEGER UNIQUE REFERENCES event (id),
    state       TEXT NOT NULL CHECK (state IN ('done', 'rejected', 'again', 'none')),
    request     BLOB,
    answer      BLOB,
    outcomes    INTEGER NOT NULL,
    records     BLOB NOT NULL,
    hash        BLOB NOT NULL,
    CHECK ((attempt_id IS NULL) <> (event_id IS NULL))
  ) STRICT;

  CREATE TABLE problem (
    id          INTEGER PRIMARY KEY,
    reading_id  INTEGER NOT NULL REFERENCES reading (id),
    batch_id    INTEGER REFERENCES batch (id),
    seq         INTEGER,
    at_line     INTEGER,
    source_id   INTEGER REFERENCES source (id),
    line        INTEGER,
    severity    TEXT NOT NULL CHECK (severity IN ('error', 'warning')),
    code        TEXT NOT NULL,
    header      TEXT,
    document    TEXT NOT NULL,
    lasting     INTEGER NOT NULL DEFAULT 0,
    unhidden    TEXT
  ) STRICT;
`;

/** Whether a row, by its state, is beside a record that it is about. */
export const IS_APART = "IN ('changed', 'moved', 'pending', 'repeated')";

/** Created once the rows of the first reading are in, because they would slow it down. */
const INDEXES = `
  CREATE UNIQUE INDEX record_by_identity ON record (identity_key, account_id, identity_variant) WHERE state = 'valid';
  CREATE INDEX record_in_account_order ON record (account_id, seq) WHERE state = 'valid';
  CREATE INDEX row_of_account ON record (account_id) WHERE state ${IS_APART};
  CREATE INDEX open_batch ON batch (account_id, in_doubt DESC, first_seq) WHERE state IN ('planned', 'sent');
  CREATE INDEX waiting_batch ON batch (account_id, first_seq) WHERE state IN ('held', 'rejected');
  CREATE INDEX open_attempt ON attempt (batch_id) WHERE ended_at IS NULL;
`;

/** Created for a resource whose records are found by an id that is not their identity. */
export const ID_INDEX = 'CREATE INDEX IF NOT EXISTS record_by_id ON record (id)';

/** Created when the errors of records are looked for. */
export const PROBLEM_INDEXES = `
  CREATE INDEX IF NOT EXISTS problem_at ON problem (source_id, line);
  CREATE INDEX IF NOT EXISTS problem_of_batch ON problem (batch_id);
  CREATE INDEX IF NOT EXISTS problem_of_record ON problem (seq);
`;

/** Makes a journal of an empty database. */
export function createSchema(db: Database): void {
  db.pragma(`application_id = ${APPLICATION_ID}`);
  db.pragma(`user_version = ${SCHEMA_VERSION}`);
  db.exec(SCHEMA);
}

/** Whether the objects of a file are exactly those that this program creates: a trigger or a view may change what is sent. */
export function hasSchema(db: Database): boolean {
  const found = allRows<{ type: string; sql: string | null }>(
    db,
    'SELECT type, sql FROM sqlite_schema ORDER BY rootpage',
  );
  const made = found.filter(({ sql }) => sql !== null);
  const tables = made.filter(({ type }) => type === 'table').map(({ sql }) => sql);
  const others = made.filter(({ type }) => type !== 'table').map(({ sql }) => sql);
  const known = new Set([...statementsOf(INDEXES), ...statementsOf(PROBLEM_INDEXES), normal(ID_INDEX)]);
  // SQLite makes an index without a statement for some keys.
  return tables.join() === statementsOf(SCHEMA).join() && others.every((sql) => known.has(normal(sql!)));
}

function statementsOf(sql: string): readonly string[] {
  return sql
    .split(';')
    .map((statement) => normal(statement.trim()))
    .filter((statement) => statement !== '');
}

/** A statement as SQLite keeps it. */
const normal = (statement: string): string => statement.replace(' IF NOT EXISTS', '');

/** Creates the indexes that planning and draining need. */
export function createIndexes(db: Database): void {
  db.transaction(() => db.exec(INDEXES))();
}

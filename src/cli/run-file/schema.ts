import type { Database } from 'better-sqlite3';

/** `PRAGMA application_id` of a run file: "dImp". */
export const APPLICATION_ID = 0x64496d70;

/** `PRAGMA user_version` that this program reads and writes. */
export const SCHEMA_VERSION = 16;

/**
 * The state machine of a batch. Every arrow is one transaction, on disk before the next step is taken.
 *
 *   planned ──claim──▶ sent ──settle──▶ done        every record has an outcome, or another run took it over
 *      ▲                │ │
 *      │                │ └──settle──▶ rejected     some records have no outcome; `resume` makes the batch planned again
 *      └──not applied───┘
 *      └──set aside─────┘                           refused records have their outcome, the others are sent again
 *
 * `in_doubt` is set when an attempt may have been applied: the answer was lost, the process died while the batch was sent
 * (the next process that opens the file sets it), the platform refused one record and may have kept others, or something
 * else than the platform answered. A sent batch in doubt stays sent until an answer settles it, and nothing else of its
 * account is sent before that.
 *
 * A refusal that names a record puts a batch in doubt for the first time. The platform may then have kept
 * only the records before the first refused one. The attempt has the result `first_doubt`.
 *
 * A batch that is cut into parts, because it is too large or because its records are sent singly, passes its state on to all
 * parts.
 *
 * `cut_from` is the batch that a part was cut from, and `cut_after` is the last attempt of that batch until then. The attempts of
 * a part are its own and those.
 *
 * A record without an outcome is `unknown` while its batch is sent or in doubt, and otherwise `not_sent`. A record behind the
 * first refused record of a first doubt is `not_sent`, too.
 *
 * A record that another run took over (`retry`) is never sent from this run again. It keeps its outcome; a record without
 * one stays `unknown`.
 *
 * `identity_key` and `identity_variant` are what the identities of core/contract/resources decide: two records of an account are the
 * same record when both are equal. The variant is empty for a record without one; repetitions.ts says what a note without a time
 * equals. Both columns of a note are hashes.
 *
 * `run.ended` says how the last command that sent the run ended. A process that dies writes nothing there. It is valid until
 * the run is resumed or gives records away, and only while something is left to do.
 *
 * `account.platform_account_number` is the platform's own number, where an answer names it; otherwise null.
 * `account.seen_under_way` is set once `migrate` has seen the import of the account under way, in the run of the first resource
 * with records of it. An import that is not under way any more, without success, has failed.
 *
 * `record.payload_sha256` is the hash of the JSON text that is sent. The hash stays when the payload is erased, so that `verify`
 * can still prove the content. A row that is no valid record has none, except a
 * record that `--only-new` left out, because the next version of the file is compared with it.
 *
 * A record that is left out has a cause: the kind, and the place in the mapping file that leaves it out, if there is one.
 *
 * `outcome.amount` is the amount that the answer names; null when it names none. `accepted` of a control total sums it.
 *
 * `packed_outcome` has the outcomes of the latest answers, until they are moved into `outcome` (packed-outcomes.ts). `amounts` is a
 * JSON object: the amount of each record by its `seq`.
 *
 * `link` is the chain of docs/chain.md: one row for each attempt that has ended, in that order, written in the transaction that
 * ends the attempt. `outcome.link_id` is the link that seals the outcome. `link.state` is the state in which the settlement left
 * the batch. The outcomes `rejected` of a link with the state `rejected` are removed when the run is resumed.
 *
 * A problem with a batch and without `lasting` is removed when the run is continued. So are the reasons why `migrate` did not send
 * an account: one problem for each, with its first batch that was not sent.
 *
 * `problem.unhidden` is the problem as `--show-values` shows it: with texts of the platform, which may quote cells, and with
 * values of cells. It is null when nothing is hidden, and empty once it is erased, together with the payloads of its batch.
 *
 * Checksums (CRC-32) find what a disk changed. `record.checksum` covers the account, id, type, amount, parts and payload of a
 * record, `run.checksum` covers the header of the run. The header changes only with `--on-reject` of a `resume`. The texts of problems, of columns and of
 * `run.ended` begin with their own checksum. Nothing is sent from a file with a wrong checksum.
 */
const SCHEMA = `
  CREATE TABLE run (
    id             TEXT NOT NULL,
    state          TEXT NOT NULL CHECK (state IN ('staging', 'staged', 'cleared')),
    resource       TEXT NOT NULL,
    target         TEXT NOT NULL,
    options        TEXT NOT NULL,
    tool_version   TEXT NOT NULL,
    created_at     TEXT NOT NULL,
    content_sha256 TEXT NOT NULL,
    parent         TEXT,
    ended          TEXT,
    checksum       INTEGER NOT NULL DEFAULT 0
  ) STRICT;

  CREATE TABLE source (
    id         INTEGER PRIMARY KEY,
    name       TEXT NOT NULL,
    bytes      INTEGER NOT NULL,
    sha256     TEXT NOT NULL,
    mapped_by  TEXT,
    columns    TEXT,
    rows_from  INTEGER
  ) STRICT;

  CREATE TABLE input (
    id       INTEGER PRIMARY KEY,
    name     TEXT NOT NULL,
    bytes    INTEGER NOT NULL,
    sha256   TEXT NOT NULL
  ) STRICT;

  CREATE TABLE account (
    id                       INTEGER PRIMARY KEY,
    import_supplier          TEXT NOT NULL,
    external_account_number  TEXT NOT NULL,
    platform_account_number  TEXT,
    seen_under_way           INTEGER NOT NULL DEFAULT 0 CHECK (seen_under_way IN (0, 1)),
    UNIQUE (import_supplier, external_account_number)
  ) STRICT;

  CREATE TABLE record (
    seq               INTEGER PRIMARY KEY,
    state             TEXT NOT NULL CHECK (state IN ('valid', 'invalid', 'filtered')),
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
    parts             TEXT,
    checksum          INTEGER,
    cause_id          INTEGER REFERENCES cause (id)
  ) STRICT;

  CREATE TABLE cause (
    id     INTEGER PRIMARY KEY,
    kind   TEXT NOT NULL,
    place  TEXT NOT NULL,
    UNIQUE (kind, place)
  ) STRICT;

  CREATE TABLE batch (
    id          INTEGER PRIMARY KEY,
    account_id  INTEGER NOT NULL REFERENCES account (id),
    first_seq   INTEGER NOT NULL,
    last_seq    INTEGER NOT NULL,
    state       TEXT NOT NULL DEFAULT 'planned' CHECK (state IN ('planned', 'sent', 'done', 'rejected')),
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
    result      TEXT CHECK (result IN ('settled', 'first_doubt', 'refused', 'not_applied', 'ambiguous')),
    reason      TEXT
  ) STRICT;

  CREATE TABLE outcome (
    seq      INTEGER PRIMARY KEY REFERENCES record (seq),
    outcome  TEXT NOT NULL CHECK (outcome IN ('created', 'existing', 'verify', 'rejected')),
    amount   TEXT,
    link_id  INTEGER NOT NULL
  ) STRICT;

  CREATE TABLE packed_outcome (
    link_id  INTEGER NOT NULL,
    outcome  TEXT NOT NULL,
    amounts  TEXT NOT NULL,
    PRIMARY KEY (link_id, outcome)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE link (
    id          INTEGER PRIMARY KEY,
    attempt_id  INTEGER NOT NULL UNIQUE REFERENCES attempt (id),
    state       TEXT NOT NULL CHECK (state IN ('done', 'rejected', 'again', 'none')),
    request     BLOB,
    answer      BLOB,
    outcomes    INTEGER NOT NULL,
    records     BLOB NOT NULL,
    hash        BLOB NOT NULL
  ) STRICT;

  CREATE TABLE problem (
    id        INTEGER PRIMARY KEY,
    batch_id  INTEGER REFERENCES batch (id),
    source_id INTEGER REFERENCES source (id),
    line      INTEGER,
    severity  TEXT NOT NULL CHECK (severity IN ('error', 'warning')),
    code      TEXT NOT NULL,
    header    TEXT,
    document  TEXT NOT NULL,
    lasting   INTEGER NOT NULL DEFAULT 0,
    unhidden  TEXT
  ) STRICT;

  CREATE TABLE taken_over (
    seq       INTEGER PRIMARY KEY REFERENCES record (seq),
    run       TEXT NOT NULL,
    in_doubt  INTEGER NOT NULL CHECK (in_doubt IN (0, 1))
  ) STRICT;
`;

/** Created once all rows are in, because they would slow staging down. */
const INDEXES = `
  CREATE INDEX record_in_account_order ON record (account_id, seq) WHERE state = 'valid';
  CREATE INDEX open_batch ON batch (account_id, first_seq) WHERE state IN ('planned', 'sent');
  CREATE INDEX open_attempt ON attempt (batch_id) WHERE ended_at IS NULL;
`;

/** Makes a run file of an empty database. */
export function createSchema(db: Database): void {
  db.pragma(`application_id = ${APPLICATION_ID}`);
  db.pragma(`user_version = ${SCHEMA_VERSION}`);
  db.exec(SCHEMA);
}

/** Whether the tables are exactly the tables that this program creates. */
export function hasSchema(db: Database): boolean {
  const tables = db
    .prepare<[], string>("SELECT sql FROM sqlite_schema WHERE type = 'table' ORDER BY rootpage")
    .pluck()
    .all();
  const statements = SCHEMA.split(';').map((statement) => statement.trim());
  return tables.join() === statements.filter((statement) => statement !== '').join();
}

/** Creates the indexes that planning and draining need. */
export function createIndexes(db: Database): void {
  db.transaction(() => db.exec(INDEXES))();
}

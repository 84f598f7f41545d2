import type { Database } from 'better-sqlite3';

/** `PRAGMA application_id` of a run file: "dImp". */
export const APPLICATION_ID = 0x64496d70;

/** `PRAGMA user_version` that this program reads and writes. */
export const SCHEMA_VERSION = 5;

/** Reason of an attempt that was refused in part, of a batch that was not in doubt before. */
export const FIRST_DOUBT = 'refused from here on';

/**
 * The state machine of a batch; every arrow is one transaction, on disk before the next step is taken.
 *
 *   planned ──claim──▶ sent ──settle──▶ done        every record of it has an outcome, or another run took it over
 *      ▲                │ │
 *      │                │ └──settle──▶ rejected     some records have none; `resume` makes it planned again
 *      └──not applied───┘
 *      └──set aside─────┘                           what was refused has its outcome, the rest is sent again
 *
 * `unsure` is set when an attempt may have been applied: the answer was lost, the process died while the batch was
 * sent (seen by the next one that opens the file), the platform refused a part and may have kept another, or something else
 * answered. A sent batch that is unsure stays sent until an answer settles it, and nothing else of its account is sent before.
 *
 * A refusal that names a record is the first doubt when nothing before it left one: then only what stands before the first
 * refused record may have been kept. The reason of its attempt says so (`FIRST_DOUBT`).
 *
 * A batch that is cut into parts, because it is too large or because its records have to be asked for one by one, keeps
 * its state in all of them.
 *
 * A record without an outcome is `unknown` while its batch is sent or unsure, but for what stands behind a refused record of a
 * first doubt; otherwise it is `not_sent`.
 *
 * A record that another run took over (`retry`) is never sent from this one again. It keeps the outcome that it had;
 * without one it stays `unknown`.
 *
 * `run.ended` says how the last command that sent the run ended; a process that dies writes nothing there. It holds until
 * the run is taken up or gives records up, and only while something is left to do.
 *
 * What was written is told from what a disk made of it by checksums (CRC-32): `record.checksum` is over the account, id,
 * type, amount, parts and payload of a record, and `run.checksum` over what a run is; both are written once. The texts of
 * problems, of columns and of `run.ended` have theirs before them. Nothing is sent from a file whose checksums differ.
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
    UNIQUE (import_supplier, external_account_number)
  ) STRICT;

  CREATE TABLE record (
    seq         INTEGER PRIMARY KEY,
    state       TEXT NOT NULL CHECK (state IN ('valid', 'invalid', 'filtered')),
    source_id   INTEGER NOT NULL REFERENCES source (id),
    first_line  INTEGER NOT NULL,
    last_line   INTEGER NOT NULL,
    byte_start  INTEGER NOT NULL,
    byte_end    INTEGER NOT NULL,
    account_id  INTEGER REFERENCES account (id),
    identity    TEXT,
    id          TEXT,
    type        TEXT,
    amount      TEXT,
    payload     TEXT,
    parts       TEXT,
    checksum    INTEGER
  ) STRICT;

  CREATE TABLE batch (
    id          INTEGER PRIMARY KEY,
    account_id  INTEGER NOT NULL REFERENCES account (id),
    first_seq   INTEGER NOT NULL,
    last_seq    INTEGER NOT NULL,
    state       TEXT NOT NULL DEFAULT 'planned' CHECK (state IN ('planned', 'sent', 'done', 'rejected')),
    unsure      INTEGER NOT NULL DEFAULT 0 CHECK (unsure IN (0, 1)),
    attempts    INTEGER NOT NULL DEFAULT 0,
    UNIQUE (account_id, first_seq)
  ) STRICT;

  CREATE TABLE attempt (
    id          INTEGER PRIMARY KEY,
    batch_id    INTEGER NOT NULL REFERENCES batch (id),
    started_at  TEXT NOT NULL,
    ended_at    TEXT,
    status      INTEGER,
    reason      TEXT
  ) STRICT;

  CREATE TABLE outcome (
    seq      INTEGER PRIMARY KEY REFERENCES record (seq),
    outcome  TEXT NOT NULL CHECK (outcome IN ('created', 'existing', 'verify', 'rejected'))
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
    lasting   INTEGER NOT NULL DEFAULT 0
  ) STRICT;

  CREATE TABLE taken_over (
    seq     INTEGER PRIMARY KEY REFERENCES record (seq),
    run     TEXT NOT NULL,
    unsure  INTEGER NOT NULL CHECK (unsure IN (0, 1))
  ) STRICT;
`;

/** Indexes that staging would only slow down; made once all rows are in. */
const INDEXES = `
  CREATE INDEX record_in_account_order ON record (account_id, seq) WHERE state = 'valid';
  CREATE INDEX open_batch ON batch (account_id, first_seq) WHERE state IN ('planned', 'sent');
  CREATE INDEX open_attempt ON attempt (batch_id) WHERE ended_at IS NULL;
`;

/** Lays out an empty database as a run file. */
export function createSchema(db: Database): void {
  db.pragma(`application_id = ${APPLICATION_ID}`);
  db.pragma(`user_version = ${SCHEMA_VERSION}`);
  db.exec(SCHEMA);
}

/** Whether the tables are those that this program lays out, letter by letter. */
export function hasSchema(db: Database): boolean {
  const tables = db
    .prepare<[], string>("SELECT sql FROM sqlite_schema WHERE type = 'table' ORDER BY rootpage")
    .pluck()
    .all();
  return tables.join() === statementsOf(SCHEMA).join();
}

function statementsOf(sql: string): readonly string[] {
  return sql
    .split(';')
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '');
}

/** Makes what planning and draining look up by. */
export function createIndexes(db: Database): void {
  db.exec(INDEXES);
}

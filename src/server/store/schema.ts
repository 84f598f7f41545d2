/** Marks a file as a database of the local platform (`PRAGMA application_id`): "DIMP" in ASCII. */
export const APPLICATION_ID = 0x44_49_4d_50;

/** `PRAGMA user_version`. A database of another version is refused, so a change of the tables needs the next number. */
export const SCHEMA_VERSION = 8;

export const SCHEMA = `
  CREATE TABLE setup (
    kind TEXT NOT NULL,
    name TEXT NOT NULL,
    -- JSON.
    value TEXT NOT NULL,
    PRIMARY KEY (kind, name)
  ) STRICT;

  -- What stays when a snapshot replaces everything else.
  CREATE TABLE own (
    kind TEXT NOT NULL,
    name TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (kind, name)
  ) STRICT;

  CREATE TABLE accounts (
    id INTEGER PRIMARY KEY,
    import_supplier TEXT NOT NULL,
    external_account_number TEXT NOT NULL,
    state TEXT NOT NULL,
    -- When the account was created on the platform; null until it is imported.
    created_at TEXT,
    open_from TEXT,
    open_to TEXT,
    UNIQUE (import_supplier, external_account_number),
    CHECK ((created_at IS NULL) = (state <> 'imported'))
  ) STRICT;

  CREATE TABLE records (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    account_id INTEGER NOT NULL REFERENCES accounts (id),
    kind TEXT NOT NULL,
    identity_key TEXT NOT NULL,
    -- Tells apart records of one key that may both exist; '' for all others.
    variant TEXT NOT NULL,
    -- JSON, with every number digit for digit as it was sent.
    data TEXT NOT NULL,
    -- The same as it was sent, where the platform changed it.
    sent TEXT,
    conflicting_replays INTEGER NOT NULL DEFAULT 0,
    UNIQUE (account_id, kind, identity_key, variant)
  ) STRICT;

  -- The steps of imports that the platform takes by itself, once its clock has come to them.
  CREATE TABLE import_steps (
    account_id INTEGER NOT NULL REFERENCES accounts (id),
    due_at TEXT NOT NULL,
    state TEXT NOT NULL,
    PRIMARY KEY (account_id, due_at)
  ) STRICT;
  CREATE INDEX import_steps_by_time ON import_steps (due_at, account_id);

  -- Counts the records that came again with other content.
  CREATE INDEX conflicting_replays ON records (conflicting_replays) WHERE conflicting_replays > 0;

  -- Finds the transactions that are stored more than once, or came again with other content.
  CREATE INDEX repeated_transactions ON records (account_id, identity_key)
    WHERE kind = 'transaction' AND (variant <> '' OR conflicting_replays > 0);
`;

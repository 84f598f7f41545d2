/** Marks a file as a database of the local platform (`PRAGMA application_id`): "DIMP" in ASCII. */
export const APPLICATION_ID = 0x44_49_4d_50;

/** `PRAGMA user_version`. A database of another version is refused, so a change of the tables needs the next number. */
export const SCHEMA_VERSION = 7;

export const SCHEMA = `
  CREATE TABLE suppliers (
    code TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    status TEXT NOT NULL,
    document_root TEXT
  ) STRICT;

  CREATE TABLE accounts (
    id INTEGER PRIMARY KEY,
    import_supplier TEXT NOT NULL REFERENCES suppliers (code),
    external_account_number TEXT NOT NULL,
    state TEXT NOT NULL,
    -- When the account was created on the platform; null until it is imported.
    created_at TEXT,
    open_from TEXT,
    open_to TEXT,
    UNIQUE (import_supplier, external_account_number),
    CHECK ((created_at IS NULL) = (state <> 'imported'))
  ) STRICT;

  CREATE TABLE api_keys (
    key TEXT PRIMARY KEY,
    -- JSON array of supplier codes; null means all.
    suppliers TEXT
  ) STRICT;

  CREATE TABLE vendors (
    code TEXT PRIMARY KEY
  ) STRICT;

  CREATE TABLE vendor_instructions (
    vendor TEXT NOT NULL REFERENCES vendors (code),
    reference TEXT NOT NULL,
    type TEXT NOT NULL,
    fails TEXT,
    times INTEGER NOT NULL,
    PRIMARY KEY (vendor, reference)
  ) STRICT;

  -- How often an intermittent vendor has failed so far.
  CREATE TABLE vendor_failures (
    account_id INTEGER NOT NULL REFERENCES accounts (id),
    vendor TEXT NOT NULL,
    reference TEXT NOT NULL,
    failures INTEGER NOT NULL,
    PRIMARY KEY (account_id, vendor, reference)
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

  -- The product codes, documents and values of enums that exist. Every value exists in a list without a row.
  CREATE TABLE closed_lists (
    list TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (list, value)
  ) STRICT;

  -- Fields that are not listed, were accepted and left out; a field of a list has * for its index.
  CREATE TABLE ignored_fields (
    resource TEXT NOT NULL,
    field TEXT NOT NULL,
    times INTEGER NOT NULL,
    PRIMARY KEY (resource, field)
  ) STRICT;

  -- Counts the records that came again with other content.
  CREATE INDEX conflicting_replays ON records (conflicting_replays) WHERE conflicting_replays > 0;

  CREATE TABLE database_identity (
    row INTEGER PRIMARY KEY CHECK (row = 1),
    id TEXT NOT NULL
  ) STRICT;

  -- Finds the transactions that are stored more than once, or came again with other content.
  CREATE INDEX repeated_transactions ON records (account_id, identity_key)
    WHERE kind = 'transaction' AND (variant <> '' OR conflicting_replays > 0);
`;

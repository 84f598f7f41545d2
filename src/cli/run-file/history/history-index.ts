import { chmodSync, closeSync, existsSync, openSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import type { AccountKey } from '../../../core/contract/account.ts';
import { DESCRIPTORS } from '../../../core/contract/resources.ts';
import { makePrivateFolder } from '../../../files/private-folder.ts';
import { diskObstacle, notWritable } from '../database/access.ts';
import { learnRecords } from './history-learning.ts';
import { boundJournal, isBusy, type RunDatabase } from '../database/run-database.ts';
import { platformOf, type RunScope } from '../database/run-header.ts';

/** `PRAGMA user_version` of the index. An index of another version is built again. */
const VERSION = 5;

/** How long another process may write, in milliseconds: it may index millions of records. */
const PATIENCE_MS = 120_000;

/**
 * What the history knows of a record, the weakest first. `open`: not sent, or refused. `final`: refused, and not to be sent again in
 * the same form. `verify`: sent, and nothing proves what became of it. `arrived`: on the platform, where another run brought it or this
 * one. `confirmed`: a person has said so.
 */
export const KNOWN = ['open', 'final', 'verify', 'arrived', 'arrived', 'confirmed'] as const;
export type Known = (typeof KNOWN)[number];

export interface IndexedRun extends RunScope {
  readonly id: string;
  /** The number of the run in the index. */
  readonly number: number;
  /** Whether its records were learnt. Otherwise its process died while it sent them. */
  readonly isLearnt: boolean;
  readonly version: string;
  readonly shard: string | null;
  readonly cohort: string | null;
  readonly turn: number;
  readonly createdAt: string;
  readonly places: readonly string[];
  readonly isStaged: boolean;
  readonly isOpen: boolean;
  readonly hasDoubts: boolean;
  readonly links: number;
}

export type RunFacts = Omit<IndexedRun, 'number' | 'isLearnt'> & { readonly head: string };

/** A record of another run. */
export interface KnownRecord {
  /** Number of the run in the index. */
  readonly run: number;
  /** Number of the record there. */
  readonly seq: number;
  readonly known: Known;
  /** The first 16 bytes of its `content`, as a text of Latin-1. */
  readonly content: string;
}

/** The identity of a record, as the run file keeps it. */
export type StoredIdentity = { readonly key: string; readonly variant: string };

const SCHEMA = `
  CREATE TABLE scope (
    id INTEGER PRIMARY KEY, resource TEXT NOT NULL, platform TEXT NOT NULL, UNIQUE (resource, platform)) STRICT;
  CREATE TABLE run (
    number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, stat TEXT NOT NULL, scope_id INTEGER NOT NULL, head TEXT NOT NULL,
    links INTEGER NOT NULL, learnt INTEGER NOT NULL DEFAULT -1, facts TEXT NOT NULL) STRICT;
  CREATE TABLE record (
    scope_id INTEGER NOT NULL, key TEXT NOT NULL, supplier TEXT NOT NULL, account TEXT NOT NULL, variant TEXT NOT NULL,
    content BLOB NOT NULL, run INTEGER NOT NULL, seq INTEGER NOT NULL, known INTEGER NOT NULL,
    PRIMARY KEY (scope_id, key, supplier, account, variant)) STRICT, WITHOUT ROWID;
  CREATE INDEX confirmed ON record (known) WHERE known = 5;
  CREATE TABLE arrived (
    run INTEGER NOT NULL, block INTEGER NOT NULL, records BLOB NOT NULL, PRIMARY KEY (run, block)) STRICT, WITHOUT ROWID;
`;

/**
 * An index over the run files of a folder: every record that was ever to be sent, and what is known of it. The run files stay the
 * only truth. An index that is missing, damaged or of another version is built again from them.
 *
 * `record` finds a record by its identity. `arrived` has the records of a run that the platform has in their order, `BLOCK` numbers at
 * a time: for each the number, the account and the hash, in 24 bytes.
 */
export class HistoryIndex {
  readonly path: string;
  private readonly db: Database.Database;

  private constructor(path: string, db: Database.Database) {
    this.path = path;
    this.db = db;
  }

  /** @throws AppError `run_not_writable` */
  static open(path: string): HistoryIndex {
    try {
      return new HistoryIndex(path, opened(path));
    } catch (error) {
      if (diskObstacle(error) || isBusy(error)) throw notWritable(path, error);
    }
    try {
      // An index that cannot be read is of no use, and nothing is lost with it.
      removeIndex(path);
      return new HistoryIndex(path, opened(path));
    } catch (error) {
      throw notWritable(path, error);
    }
  }

  close(): void {
    this.db.close();
  }

  /** Every run that was indexed, the newest first. */
  runs(): readonly IndexedRun[] {
    return this.db
      .prepare<[], { number: number; links: number; learnt: number; facts: string }>(
        'SELECT number, links, learnt, facts FROM run',
      )
      .all()
      .map(({ learnt, facts, ...row }) => ({
        ...(JSON.parse(facts) as RunFacts),
        ...row,
        isLearnt: learnt >= 0,
      }))
      .toSorted((a, b) => b.turn - a.turn || (a.id < b.id ? 1 : -1));
  }

  /** The state of the file of each run when it was indexed, by id. */
  stats(): ReadonlyMap<string, string> {
    const rows = this.db.prepare<[], { id: string; stat: string }>('SELECT id, stat FROM run').all();
    return new Map(rows.map(({ id, stat }) => [id, stat]));
  }

  /** The last link of a run that the index has seen; undefined for a run that it does not know. */
  headOf(id: string): { readonly links: number; readonly head: string } | undefined {
    return this.db
      .prepare<[string], { links: number; head: string }>('SELECT links, head FROM run WHERE id = ?')
      .get(id);
  }

  /** Records that the chain of a run has grown, while it is being sent. Another copy of the file is then noticed. */
  see(id: string, { links, head }: { links: number; head: string }): void {
    this.write(
      "UPDATE run SET links = ?, head = ?, stat = '' WHERE id = ? AND links <= ?",
      links,
      head,
      id,
      links,
    );
  }

  /** Records the state of a file whose run is indexed. */
  touch(id: string, stat: string): void {
    this.write('UPDATE run SET stat = ? WHERE id = ?', stat, id);
  }

  /** How many records of a run the platform has, may have or has refused for good. */
  recordsSent({ number, resource }: IndexedRun): number {
    const refused = DESCRIPTORS[resource].refusal.final === null ? '' : ', 1';
    // A payment instruction has a row for its account and one for its reference.
    const count = `SELECT count(DISTINCT seq) FROM record WHERE run = ? AND known IN (2, 3, 4, 5${refused})`;
    return this.db.prepare<[number], number>(count).pluck().get(number)!;
  }

  /** Forgets a run of which no record is known. */
  forget(id: string): void {
    this.write('DELETE FROM run WHERE id = ?', id);
  }

  /** Forgets everything, so that all runs are indexed again. */
  clear(): void {
    this.db.exec(
      'BEGIN; DELETE FROM record; DELETE FROM arrived; DELETE FROM run; DELETE FROM scope; COMMIT',
    );
  }

  /** Makes a run known, so that its chain is watched while it is sent. Its records are learnt later. */
  register({ head, ...facts }: RunFacts): void {
    const values = { id: facts.id, scope: this.scopeOf(facts, true)!, head, links: facts.links };
    this.write(
      `INSERT INTO run (id, stat, scope_id, head, links, facts) VALUES (@id, '', @scope, @head, @links, @facts)
       ON CONFLICT (id) DO UPDATE SET head = @head, links = @links, facts = @facts, stat = ''`,
      { ...values, facts: JSON.stringify(facts) },
    );
  }

  /** Indexes a run, or what has changed in it since. `run`: its open database. */
  learn(run: RunDatabase, facts: RunFacts): void {
    this.register(facts);
    const row = this.db
      .prepare<[string], { number: number; learnt: number; scope: number }>(
        'SELECT number, learnt, scope_id AS scope FROM run WHERE id = ?',
      )
      .get(facts.id)!;
    if (!facts.isStaged || row.learnt === facts.links) return;
    learnRecords(run, this.path, { ...row, resource: facts.resource });
    this.write('UPDATE run SET learnt = ? WHERE number = ?', facts.links, row.number);
  }

  /** The records of a scope; undefined when none is known. */
  scoped(scope: RunScope): ScopedRecords | undefined {
    const id = this.scopeOf(scope, false);
    if (id === undefined) return undefined;
    const any = this.db.prepare<[number], number>('SELECT 1 FROM record WHERE scope_id = ? LIMIT 1').pluck();
    return any.get(id) === undefined ? undefined : new ScopedRecords(this.db, id);
  }

  private scopeOf(scope: RunScope, creates: boolean): number | undefined {
    const values = [scope.resource, platformOf(scope)] as const;
    const find = this.db.prepare<[string, string], number>(
      'SELECT id FROM scope WHERE resource = ? AND platform = ?',
    );
    const found = find.pluck().get(...values);
    if (found !== undefined || !creates) return found;
    this.write('INSERT INTO scope (resource, platform) VALUES (?, ?)', ...values);
    return this.scopeOf(scope, false);
  }

  /** @throws AppError `run_not_writable` for an obstacle on the disk, such as one that is full */
  private write(sql: string, ...values: readonly unknown[]): void {
    try {
      this.db.prepare(sql).run(...values);
    } catch (error) {
      throw diskObstacle(error) ? notWritable(this.path, error) : error;
    }
  }
}

/** Records of one id that are read at most. */
const MOST_OF_ID = 10;

export class ScopedRecords {
  private readonly byKey: Database.Statement<[number, string, string, string, string], KnownRow>;
  private readonly byId: Database.Statement<[number, string, string], KnownRow>;
  private readonly block: Database.Statement<[number, number], Buffer>;
  /** The records that a person has confirmed. The `+` in its SQL makes SQLite take their index, not the key of all records. */
  readonly confirmed: () => Iterable<KnownRow>;
  private readonly scope: number;

  constructor(db: Database.Database, scope: number) {
    const select =
      'SELECT content, run, seq, known FROM record WHERE scope_id = ? AND key = ? AND supplier = ?';
    this.scope = scope;
    this.byKey = db.prepare(`${select} AND account = ? AND variant = ?`);
    this.byId = db.prepare(`${select} LIMIT ${MOST_OF_ID}`);
    const confirmed = db.prepare<number, KnownRow>('SELECT * FROM record WHERE +scope_id = ? AND known = 5');
    this.confirmed = () => confirmed.iterate(scope);
    this.block = db
      .prepare<[number, number], Buffer>('SELECT records FROM arrived WHERE run = ? AND block = ?')
      .pluck();
  }

  find(
    { import_supplier, external_account_number }: AccountKey,
    { key, variant }: StoredIdentity,
  ): KnownRecord | undefined {
    const row = this.byKey.get(this.scope, key, import_supplier, external_account_number, variant);
    return row && knownRecord(row);
  }

  /** The first records of an id, on whatever accounts. */
  allOf({ import_supplier }: AccountKey, key: string): readonly KnownRecord[] {
    return this.byId.all(this.scope, key, import_supplier).map(knownRecord);
  }

  /** A block of the arrived records of a run, as a text of Latin-1. */
  arrived(run: number, block: number): string {
    return this.block.get(run, block)?.toString('latin1') ?? '';
  }
}

type KnownRow = Omit<KnownRecord, 'known' | 'content'> & { readonly known: number; readonly content: Buffer };

function knownRecord(row: KnownRow): KnownRecord {
  return { ...row, content: row.content.toString('latin1'), known: KNOWN[row.known]! };
}

function opened(path: string): Database.Database {
  makePrivateFolder(dirname(path));
  if (!existsSync(path)) closeSync(openSync(path, 'a', 0o600));
  chmodSync(path, 0o600);
  const db = new Database(path, { timeout: PATIENCE_MS });
  try {
    if (db.pragma('user_version', { simple: true }) !== VERSION) create(db);
    db.pragma('journal_mode = WAL');
    boundJournal(db);
    // A commit that is lost with the power is found by the state of the run file, and made again.
    db.pragma('synchronous = NORMAL');
    db.prepare('SELECT number, facts FROM run LIMIT 1').get();
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

function create(db: Database.Database): void {
  db.exec('BEGIN IMMEDIATE');
  // Another process may have been faster.
  if (db.pragma('user_version', { simple: true }) !== VERSION) {
    const tables = db.prepare<[], number>('SELECT count(*) FROM sqlite_schema').pluck().get();
    if (tables !== 0) throw new Error('an index of another version');
    db.exec(SCHEMA);
    db.pragma(`user_version = ${VERSION}`);
  }
  db.exec('COMMIT');
}

function removeIndex(path: string): void {
  for (const end of ['', '-wal', '-shm', '-journal']) rmSync(path + end, { force: true });
}

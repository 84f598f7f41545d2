import { crc32 } from 'node:zlib';
import type { Resource } from '../../../core/contract/resources.ts';
import type { SourceFingerprint } from '../../csv/source-row.ts';
import type { ColumnMap } from '../../mapping/column-map.ts';
import { shardText, type RunChoice, type RunOptions } from '../../push/ports/run.ts';
import { DamageError, seal, unseal } from './integrity.ts';
import { allRows, firstRow, valueOf } from './queries.ts';
import type { RunDatabase } from './run-database.ts';

/** The identity of a reading and its inputs. Written when the reading begins, and never changed. */
export interface RunHeader {
  /** `20261121-101502-transactions-4f2a`: time, resource, first digits of the content's hash. */
  readonly id: string;
  readonly resource: Resource;
  /** Base URL of the platform that gets the records. */
  readonly target: string;
  /** Identity of the database behind the base URL; null where the platform names none. */
  readonly database: string | null;
  /** Hash of everything that decides what is sent. */
  readonly version: string;
  readonly options: RunOptions;
  readonly toolVersion: string;
  readonly createdAt: string;
  readonly sources: readonly (RunSource & {
    /** The mapping file, as it was typed or found. */
    readonly mappedBy?: { readonly name: string } | null;
    /** The real path of the file; null for standard input. */
    readonly place: string | null;
  })[];
  /** The other files that decided what is sent: the mapping, and the files that it looks up and joins. */
  readonly inputs: readonly RunSource[];
  /** Hash of the content of all sources. Readings of the same content have the same hash, whatever the names of their files. */
  readonly contentSha256: string;
  /** The name of the cohort of the files; null for files of their own. */
  readonly cohort: string | null;
}

/** The target of a journal. */
export type RunScope = Pick<RunHeader, 'resource' | 'target' | 'database'>;

/** What a journal is of: it has every record that was ever wanted there. */
export interface JournalScope extends RunScope {
  /** The import supplier of its records, or of the first one. */
  readonly supplier: string;
  /** `2/4`; null for all accounts. */
  readonly shard: string | null;
}

/** The platform of a run, as a text: its database where it names one, because one platform may have several addresses. */
export const platformOf = ({ target, database }: Omit<RunScope, 'resource'>): string =>
  database === null ? `at ${target}` : `with ${database}`;

/** A file that a reading was made from. */
export interface RunSource extends SourceFingerprint {
  /** As it was typed. */
  readonly name: string;
}

/** The journal that a reading belongs to. */
export function scopeOf(
  { resource, target, database, options }: Omit<RunHeader, 'id'>,
  supplier: string,
): JournalScope {
  const { shard } = options.selection;
  return { resource, target, database, supplier, shard: shard ? shardText(shard) : null };
}

/** Writes what a journal is of into an empty one. */
export function writeScope(
  db: RunDatabase,
  { resource, target, database, supplier, shard }: JournalScope,
  { toolVersion, createdAt }: Pick<RunHeader, 'toolVersion' | 'createdAt'>,
): void {
  db.prepare(
    `INSERT INTO journal (resource, target, database, supplier, shard, tool_version, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
  ).run(resource, target, database, supplier, shard, toolVersion, createdAt);
  db.prepare('UPDATE journal SET checksum = ?').run(crc32(valueOf<string>(db, SCOPE)!));
}

/** The row of a journal as a JSON text. */
const SCOPE = `
  SELECT json_object('resource', resource, 'target', target, 'database', database, 'supplier', supplier, 'shard', shard,
    'tool_version', tool_version, 'created_at', created_at) AS text, checksum
  FROM journal LIMIT 2`;

/** What a journal is of. @throws DamageError when it is not what was written */
export function readScope(db: RunDatabase): JournalScope {
  const [row, second] = allRows<{ text: string; checksum: number }>(db, SCOPE);
  if (!row || second || row.checksum !== crc32(row.text)) throw new DamageError(WRONG_HEADER);
  const { resource, target, database, supplier, shard } = JSON.parse(row.text) as JournalScope;
  return { resource, target, database, supplier, shard };
}

const WRONG_HEADER = 'its header is not what was written';

/** Begins a reading. Returns its number. `schema`: of the journal. */
export function writeHeader(db: RunDatabase, header: RunHeader, choice: RunChoice, schema = 'main'): number {
  // The journal says what it is of.
  const text = JSON.stringify({ ...header, resource: undefined, target: undefined, database: undefined });
  const insert = `INSERT INTO ${schema}.reading (state, header, checksum, choice) VALUES ('staging', ?, ?, ?) RETURNING id`;
  const number = valueOf<number>(db, insert, text, crc32(text), seal(choice))!;
  const insertSource = db.prepare(`INSERT INTO ${schema}.source (reading_id, name, place) VALUES (?, ?, ?)`);
  for (const { name, place } of header.sources) insertSource.run(number, name, place);
  return number;
}

/** The id of a reading, and its cohort, as expressions over its row in SQL. */
export const RUN_OF_READING = "(reading.header ->> '$.id')";
export const cohortOf = (reading: string): string => `${reading}.header ->> '$.cohort'`;

/** The header of a reading as JSON text. @throws DamageError when it is not what was written */
export function headerText(db: RunDatabase, number: number): string {
  const row = firstRow<{ header: string; checksum: number }>(
    db,
    'SELECT header, checksum FROM reading WHERE id = ?',
    number,
  );
  // A damaged page may have a number in place of the text.
  if (!row || row.checksum !== crc32(String(row.header))) throw new DamageError(WRONG_HEADER);
  return row.header;
}

/** Reads the header of a reading. The journal may name another address of the same platform. */
export function readHeader(db: RunDatabase, number: number): RunHeader {
  const { resource, target, database } = readScope(db);
  const header = JSON.parse(headerText(db, number)) as Omit<RunHeader, keyof RunScope>;
  return { ...header, resource, target, database };
}

/** A source with its columns, which lead from an answer back to a cell. */
export interface SourceColumns {
  readonly name: string;
  readonly columns: ColumnMap;
  /** Byte at which its first row begins; null until the source is read to its end. */
  readonly rowsFrom: number | null;
}

/**
 * The sources of a reading, in their order; without columns until staging has finished. Without a number those of the journal, by their
 * number in it, less one: a record may have been read last by any reading.
 */
export function sourcesOf(db: RunDatabase, number: number | null = null): readonly SourceColumns[] {
  return allRows<Omit<SourceColumns, 'columns'> & { readonly columns: string | null }>(
    db,
    'SELECT name, columns, rows_from AS rowsFrom FROM source WHERE reading_id = coalesce(?, reading_id) ORDER BY id',
    number,
  ).map(({ columns, ...row }) => ({ ...row, columns: columns === null ? [] : unseal<ColumnMap>(columns) }));
}

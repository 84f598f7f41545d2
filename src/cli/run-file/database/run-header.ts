import { crc32 } from 'node:zlib';
import type { Resource } from '../../../core/contract/resources.ts';
import type { SourceFingerprint } from '../../csv/source-row.ts';
import type { ColumnMap } from '../../mapping/column-map.ts';
import type { RunChoice, RunOptions } from '../../push/ports/run.ts';
import { DamageError, seal, unseal } from './integrity.ts';
import type { RunDatabase } from './run-database.ts';

/** The identity of a run and its inputs. Written when the run begins, and never changed. */
export interface RunHeader {
  /** `20261121-101502-transactions-4f2a`: time, resource, first digits of the content's hash. */
  readonly id: string;
  readonly resource: Resource;
  /** Base URL of the platform that gets the records. */
  readonly target: string;
  /** Identity of the database behind the base URL; null where the platform names none. */
  readonly database: string | null;
  /** Hash of everything that decides what is sent. There is one run for a version, target and database. */
  readonly version: string;
  readonly options: RunOptions;
  readonly toolVersion: string;
  readonly createdAt: string;
  readonly sources: readonly (RunSource & {
    readonly mappedBy?: MappedBy | null;
    /** The real path of the file; null for standard input. */
    readonly place: string | null;
    /** Whether its rows took the place of others (`--corrections`). */
    readonly isCorrection: boolean;
  })[];
  /** The other files that decided what is sent: the mapping, and the files that it looks up and joins. */
  readonly inputs: readonly RunSource[];
  /** Hash of the content of all sources. Runs of the same content have the same hash, whatever the names of their files. */
  readonly contentSha256: string;
}

/** The target of a run: runs of one scope know of each other's records. */
export type RunScope = Pick<RunHeader, 'resource' | 'target' | 'database'>;

/** The platform of a run, as a text: its database where it names one, because one platform may have several addresses. */
export const platformOf = ({ target, database }: Omit<RunScope, 'resource'>): string =>
  database === null ? `at ${target}` : `with ${database}`;

/** A file that a run was made from. */
export interface RunSource extends SourceFingerprint {
  /** As it was typed. */
  readonly name: string;
}

interface MappedBy {
  /** As it was typed or found. */
  readonly name: string;
}

/** What a new run is begun with, beside its header. */
export interface NewRunState {
  /** One more than the turn of any other run of the folder. */
  readonly turn: number;
  readonly choice: RunChoice;
}

/** Writes the header into an empty run file. */
export function writeHeader(db: RunDatabase, header: RunHeader, { turn, choice }: NewRunState): void {
  db.prepare(
    `INSERT INTO run (id, state, resource, target, database, version, options, tool_version, created_at,
       content_sha256, turn, choice) VALUES (?, 'staging', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  ).run(
    header.id,
    header.resource,
    header.target,
    header.database,
    header.version,
    JSON.stringify(header.options),
    header.toolVersion,
    header.createdAt,
    header.contentSha256,
    turn,
    seal(choice),
  );
  const insertSource = db.prepare(
    'INSERT INTO source (name, place, bytes, sha256, mapped_by, is_correction) VALUES (?, ?, ?, ?, ?, ?)',
  );
  for (const { name, place, bytes, sha256, mappedBy, isCorrection } of header.sources)
    insertSource.run(
      name,
      place,
      bytes,
      sha256,
      mappedBy ? JSON.stringify(mappedBy) : null,
      isCorrection ? 1 : 0,
    );
  const insertInput = db.prepare('INSERT INTO input (name, bytes, sha256) VALUES (?, ?, ?)');
  for (const { name, bytes, sha256 } of header.inputs) insertInput.run(name, bytes, sha256);
  db.prepare('UPDATE run SET checksum = ?').run(checksumOf(fetchHeader(db)));
}

/** Reads the header. @throws DamageError when it is not what was written, or an error of SQLite or JSON */
export function readHeader(db: RunDatabase): RunHeader {
  const header = fetchHeader(db);
  if (db.prepare('SELECT checksum FROM run').pluck().get() !== checksumOf(header))
    throw new DamageError('its header is not what was written');
  return header;
}

const checksumOf = (header: RunHeader): number => crc32(JSON.stringify(header));

function fetchHeader(db: RunDatabase): RunHeader {
  const [row, second] = db.prepare<[], Record<string, string | null>>('SELECT * FROM run LIMIT 2').all();
  if (!row || second) throw new DamageError(`its header is ${row ? 'there twice' : 'missing'}`);
  return {
    id: row['id']!,
    resource: row['resource'] as Resource,
    target: row['target']!,
    database: row['database'] ?? null,
    version: row['version']!,
    options: JSON.parse(row['options']!) as RunOptions,
    toolVersion: row['tool_version']!,
    createdAt: row['created_at']!,
    sources: fetchSources(db),
    inputs: fetchInOrder<RunSource>(db, 'SELECT id, name, bytes, sha256 FROM input ORDER BY id'),
    contentSha256: row['content_sha256']!,
  };
}

function fetchSources(db: RunDatabase): RunHeader['sources'] {
  const rows = fetchInOrder<
    RunSource & { place: string | null; mappedBy: string | null; isCorrection: number }
  >(
    db,
    'SELECT id, name, place, bytes, sha256, mapped_by AS mappedBy, is_correction AS isCorrection FROM source ORDER BY id',
  );
  return rows.map(({ mappedBy, isCorrection, ...source }) => ({
    ...source,
    isCorrection: isCorrection === 1,
    mappedBy: mappedBy === null ? null : (JSON.parse(mappedBy) as MappedBy),
  }));
}

/** @throws DamageError when the rows do not have the numbers 1, 2 and so on, to which records refer */
function fetchInOrder<Row extends object>(db: RunDatabase, sql: string): readonly Row[] {
  const rows = db.prepare<[], Row & { id: number }>(sql).all();
  return rows.map(({ id, ...row }, index) => {
    if (id !== index + 1) throw new DamageError('its header is not what was written');
    return row as unknown as Row;
  });
}

/** A source with its columns, which lead from an answer back to a cell. */
export interface SourceColumns {
  readonly name: string;
  readonly columns: ColumnMap;
  /** Byte at which its first row begins; null until the source is read to its end. */
  readonly rowsFrom: number | null;
}

/** The sources of a run, in their order; without columns until staging has finished. */
export function mappedSourcesOf(db: RunDatabase): readonly SourceColumns[] {
  return db
    .prepare<[], { name: string; columns: string | null; rowsFrom: number | null }>(
      'SELECT name, columns, rows_from AS rowsFrom FROM source ORDER BY id',
    )
    .all()
    .map(({ columns, ...row }) => ({ ...row, columns: columns === null ? [] : unseal<ColumnMap>(columns) }));
}

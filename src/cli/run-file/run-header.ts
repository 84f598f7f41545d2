import { crc32 } from 'node:zlib';
import type { Resource } from '../../core/contract/resources.ts';
import type { SourceFingerprint } from '../csv/source-row.ts';
import type { RunOptions } from '../push/ports/run.ts';
import type { RunDatabase } from './run-database.ts';
import { Damage } from './sealed.ts';

/** What a run is, written down when it begins and never changed. */
export interface RunHeader {
  /** `20261121-101502-transactions-4f2a`: time, resource, first digits of the content's hash. */
  readonly id: string;
  readonly resource: Resource;
  /** Base URL that the records go to. */
  readonly target: string;
  readonly options: RunOptions;
  readonly toolVersion: string;
  readonly createdAt: string;
  readonly sources: readonly (RunSource & { readonly mappedBy?: MappedBy | null })[];
  /** The other files that decided what is sent: the mapping, and what it includes, looks up and joins. */
  readonly inputs: readonly RunSource[];
  /** Hash of the content of all sources; runs of the same content have the same one, whatever their file names. */
  readonly contentSha256: string;
  /** The run that the records were taken over from (`retry`); null when they were read from the sources. */
  readonly parent: string | null;
}

/** A file that a run was made from. */
export interface RunSource extends SourceFingerprint {
  /** As it was typed. */
  readonly name: string;
}

/** The mapping that a source was read with. */
interface MappedBy {
  /** As it was typed or found. */
  readonly name: string;
  /** Whether the last record of the source was read as its control record. */
  readonly hasTrailer: boolean;
}

/** Writes it into an empty run file. */
export function writeHeader(db: RunDatabase, header: RunHeader): void {
  db.prepare(`INSERT INTO run VALUES (?, 'staging', ?, ?, ?, ?, ?, ?, ?, NULL, 0)`).run(
    header.id,
    header.resource,
    header.target,
    JSON.stringify(header.options),
    header.toolVersion,
    header.createdAt,
    header.contentSha256,
    header.parent,
  );
  const insertSource = db.prepare('INSERT INTO source (name, bytes, sha256, mapped_by) VALUES (?, ?, ?, ?)');
  for (const { name, bytes, sha256, mappedBy } of header.sources)
    insertSource.run(name, bytes, sha256, mappedBy ? JSON.stringify(mappedBy) : null);
  const insertInput = db.prepare('INSERT INTO input (name, bytes, sha256) VALUES (?, ?, ?)');
  for (const { name, bytes, sha256 } of header.inputs) insertInput.run(name, bytes, sha256);
  db.prepare('UPDATE run SET checksum = ?').run(checksumOf(fetchHeader(db)));
}

/** Reads it; throws what SQLite or JSON throws when there is none. @throws Damage when it is not what was written */
export function readHeader(db: RunDatabase): RunHeader {
  const header = fetchHeader(db);
  if (db.prepare('SELECT checksum FROM run').pluck().get() !== checksumOf(header))
    throw new Damage('its header is not what was written');
  return header;
}

function checksumOf(header: RunHeader): number {
  return crc32(JSON.stringify(header));
}

function fetchHeader(db: RunDatabase): RunHeader {
  const row = db.prepare('SELECT * FROM run').get() as Record<string, string>;
  return {
    id: row['id']!,
    resource: row['resource'] as Resource,
    target: row['target']!,
    options: JSON.parse(row['options']!) as RunOptions,
    toolVersion: row['tool_version']!,
    createdAt: row['created_at']!,
    sources: readSources(db),
    inputs: db.prepare('SELECT name, bytes, sha256 FROM input ORDER BY id').all() as RunSource[],
    contentSha256: row['content_sha256']!,
    parent: row['parent'] ?? null,
  };
}

function readSources(db: RunDatabase): RunHeader['sources'] {
  const rows = db
    .prepare('SELECT name, bytes, sha256, mapped_by AS mappedBy FROM source ORDER BY id')
    .all() as (RunSource & { mappedBy: string | null })[];
  return rows.map(({ mappedBy, ...source }) => ({
    ...source,
    mappedBy: mappedBy === null ? null : (JSON.parse(mappedBy) as MappedBy),
  }));
}

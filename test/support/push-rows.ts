import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { readCsv } from '../../src/cli/csv/read-csv.ts';
import { openSourceFile, type SourceFile } from '../../src/cli/csv/source-file.ts';
import { RFC_4180, type SourceFormat } from '../../src/cli/csv/source-format.ts';
import { eachItem, type ReadItem, type SourceRow } from '../../src/cli/csv/source-row.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** Writes a file into a folder of its own. @returns its path */
export function fileWith(content: string | Uint8Array, name = 'source.csv'): string {
  const path = join(temporaryFolder(), name);
  writeFileSync(path, content);
  return path;
}

/** Everything that is read from a file. */
export interface ReadFile {
  readonly header: Extract<ReadItem, { kind: 'header' }> | undefined;
  readonly rows: readonly SourceRow[];
  readonly trailer: SourceRow | undefined;
  readonly notices: readonly Extract<ReadItem, { kind: 'notice' }>[];
  /** Why the file could not be read on. */
  readonly end: Extract<ReadItem, { kind: 'unreadable' }> | undefined;
}

/** How the bytes of a file arrive, and its format. */
export interface ReadOptions {
  /** Bytes of a chunk; left out: a real file is read. */
  readonly chunkBytes?: number | undefined;
  /** Where it differs from RFC 4180. */
  readonly format?: Partial<SourceFormat> | undefined;
}

/** Reads a real file, or chunks of so many bytes. */
export async function readAll(
  content: string | Uint8Array,
  { chunkBytes, format }: ReadOptions = {},
): Promise<ReadFile> {
  const file =
    chunkBytes === undefined ? await openSourceFile(fileWith(content)) : inChunks(content, chunkBytes);
  try {
    return await itemsOf(file, format);
  } finally {
    await file.close();
  }
}

/** Reads an open file to its end. */
export async function itemsOf(file: SourceFile, format: Partial<SourceFormat> = {}): Promise<ReadFile> {
  const items: ReadItem[] = [];
  for await (const item of eachItem(readCsv(file, { ...RFC_4180, ...format }))) items.push(item);
  const of = <K extends ReadItem['kind']>(kind: K): Extract<ReadItem, { kind: K }>[] =>
    items.filter((item): item is Extract<ReadItem, { kind: K }> => item.kind === kind);
  const [header, ...headers] = of('header');
  const [trailer, ...trailers] = of('trailer');
  const [end, ...ends] = of('unreadable');
  if (headers.length + trailers.length + ends.length > 0) throw new Error('something came twice');
  if (header && items.findIndex(({ kind }) => kind === 'row') === 0)
    throw new Error('a row came before the header');
  if (end && items.at(-1) !== end) throw new Error('something came after the end');
  return { header, rows: of('row').map(({ row }) => row), trailer: trailer?.row, notices: of('notice'), end };
}

/** A file that arrives in chunks of so many bytes. */
function inChunks(content: string | Uint8Array, chunkBytes: number): SourceFile {
  const bytes = Buffer.from(content);
  const chunks = Array.from({ length: Math.ceil(bytes.length / chunkBytes) }, (_, index) =>
    bytes.subarray(index * chunkBytes, (index + 1) * chunkBytes),
  );
  return {
    name: 'source.csv',
    fingerprint: { bytes: bytes.length, sha256: '' },
    bytes: () => Readable.from(chunks, { objectMode: false }),
    share: () => 0,
    close: async () => undefined,
  };
}

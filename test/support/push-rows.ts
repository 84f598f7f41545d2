import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { readCsv, type ReadItem } from '../../src/cli/csv/read-csv.ts';
import { openSourceFile, type SourceFile } from '../../src/cli/csv/source-file.ts';
import type { SourceRow } from '../../src/cli/csv/source-row.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** Writes a file into a folder of its own and gives its path. */
export function fileWith(content: string | Uint8Array, name = 'source.csv'): string {
  const path = join(temporaryFolder(), name);
  writeFileSync(path, content);
  return path;
}

/** Everything that reading gives, from a real file or from chunks of so many bytes. */
export async function readAll(
  content: string | Uint8Array,
  chunkBytes?: number,
): Promise<{ readonly rows: readonly SourceRow[]; readonly end: ReadItem | undefined }> {
  const file =
    chunkBytes === undefined ? await openSourceFile(fileWith(content)) : inChunks(content, chunkBytes);
  try {
    return await itemsOf(file);
  } finally {
    await file.close();
  }
}

/** Everything that reading an open file gives. */
export async function itemsOf(
  file: SourceFile,
): Promise<{ readonly rows: readonly SourceRow[]; readonly end: ReadItem | undefined }> {
  const rows: SourceRow[] = [];
  let end: ReadItem | undefined;
  for await (const item of readCsv(file)) {
    if (end) throw new Error('something came after the end');
    if (item.kind === 'row') rows.push(item.row);
    else end = item;
  }
  return { rows, end };
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
    close: async () => undefined,
  };
}

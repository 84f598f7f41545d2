import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { SourceFile } from '../../src/cli/csv/source-file.ts';
import {
  inspectFile,
  type FileProfile,
  type Inspection,
  type InspectionRequest,
} from '../../src/cli/inspect/inspect-file.ts';
import type { ColumnProfile } from '../../src/cli/inspect/column/column-profile.ts';

/** The inspection of a file with these bytes, or with this text in UTF-8. */
export async function inspected(
  content: Buffer | string,
  request: Partial<InspectionRequest> & { readonly chunkBytes?: number | undefined } = {},
): Promise<Inspection> {
  const { chunkBytes = 65_536, ...overrules } = request;
  return inspectFile(sourceOf(Buffer.from(content as string), chunkBytes), {
    showValues: false,
    ...overrules,
  });
}

/** The profile of a text file. */
export async function inspectedText(content: Buffer | string, chunkBytes?: number): Promise<FileProfile> {
  const { content: text } = await inspected(content, { chunkBytes });
  if (!text) throw new Error('the content is no text');
  return text;
}

/** The profile of a column with these cells, one on each line. */
export async function inspectedColumn(...cells: readonly string[]): Promise<ColumnProfile> {
  const lines = cells.map((cell) => `"${cell.replaceAll('"', '""')}",x`);
  const { columns } = await inspectedText(`name,other\n${lines.join('\n')}\n`);
  return columns[0]!;
}

function sourceOf(bytes: Buffer, chunkBytes: number): SourceFile {
  const chunks = Array.from({ length: Math.ceil(bytes.length / chunkBytes) }, (_, at) =>
    bytes.subarray(at * chunkBytes, (at + 1) * chunkBytes),
  );
  return {
    name: 'export.csv',
    fingerprint: { bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') },
    bytes: () => Readable.from(chunks),
    share: () => 0,
    close: async () => undefined,
  };
}

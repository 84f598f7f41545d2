import { linkSync, rmSync } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { cutRanges, lineEndsIn, withoutBlankLines } from '../csv/byte-ranges.ts';
import type { SourceFile } from '../csv/source-file.ts';
import { reasonRows, reasonsHeader } from '../output/reasons-csv.ts';
import type { RejectedRow } from '../push/ports/rejected-row.ts';
import type { RunFile } from '../run-file/run-file.ts';
import { notWritten } from '../text-file.ts';

/** The files for the rejected rows of one source. */
export interface RejectsTarget {
  /** As it is shown: the typed name, with the name of the source in it when there are several. */
  readonly name: string;
  readonly path: string;
  /** The same for the file with the reasons. */
  readonly reasonsName: string;
  readonly reasonsPath: string;
}

/** The name of a file until it is complete. */
export function unfinishedName(path: string): string {
  return `${path}-new`;
}

/** The bytes of a source that go into its rejects file. Without a row: the bytes above the rows. */
interface RejectedRange {
  readonly start: number;
  readonly end: number;
  readonly row?: RejectedRow;
}

/**
 * Writes the rows of a source that were invalid or refused, byte for byte, under the lines above the rows of the source,
 * so that they can be corrected and pushed with the same mapping. Returns how many rows there were; no file for none.
 * @throws AppError `file_not_writable`, `file_exists`, `file_changed`
 */
export async function writeRejectsFile(
  run: RunFile,
  { file, number }: { readonly file: SourceFile; readonly number: number },
  { name, path, reasonsName, reasonsPath }: RejectsTarget,
): Promise<number> {
  const first = run.rejectedRows(number)[Symbol.iterator]().next();
  if (first.done) return 0;
  let rows = 0;
  const rejects = await Draft.open(name, path);
  const reasons = await Draft.open(reasonsName, reasonsPath);
  try {
    await reasons.write(reasonsHeader());
    let line = 1;
    for await (const { range, bytes } of cutRanges(file.bytes(), rangesOf(run, number))) {
      if (!range.row) {
        await rejects.write(bytes);
        line += lineEndsIn(bytes);
        continue;
      }
      await rejects.write(withoutBlankLines(bytes));
      await reasons.write(reasonRows(line, range.row.problems));
      line += range.row.lastLine - range.row.firstLine + 1;
      rows++;
    }
    await rejects.finish();
    await reasons.finish();
  } finally {
    await rejects.discard();
    await reasons.discard();
  }
  return rows;
}

function* rangesOf(run: RunFile, source: number): Generator<RejectedRange> {
  yield { start: 0, end: run.bytesBeforeRows(source) };
  for (const row of run.rejectedRows(source)) yield { start: row.byteStart, end: row.byteEnd, row };
}

/** Bytes that are collected before they are written. */
const WRITTEN_AT_ONCE = 256 * 1024;

/** A file that gets its name when it is complete; only its owner may read it. */
class Draft {
  private readonly name: string;
  private readonly path: string;
  private readonly file: FileHandle;
  private waiting: Buffer[] = [];
  private waitingBytes = 0;

  private constructor(name: string, path: string, file: FileHandle) {
    this.name = name;
    this.path = path;
    this.file = file;
  }

  static async open(name: string, path: string): Promise<Draft> {
    try {
      return new Draft(name, path, await open(unfinishedName(path), 'wx', 0o600));
    } catch (error) {
      throw notWritten(name, error);
    }
  }

  /** Collects what is written: 150,000 rows one by one take 20 s, collected 3 s. */
  async write(data: Buffer | string): Promise<void> {
    const bytes = typeof data === 'string' ? Buffer.from(data) : data;
    this.waiting.push(bytes);
    this.waitingBytes += bytes.length;
    if (this.waitingBytes >= WRITTEN_AT_ONCE) await this.flush();
  }

  private async flush(): Promise<void> {
    try {
      await this.file.writeFile(Buffer.concat(this.waiting));
    } catch (error) {
      throw notWritten(this.name, error);
    }
    this.waiting = [];
    this.waitingBytes = 0;
  }

  /** Links instead of renaming, because a rename would replace a file that another program made meanwhile. */
  async finish(): Promise<void> {
    await this.flush();
    try {
      await this.file.sync();
      linkSync(unfinishedName(this.path), this.path);
    } catch (error) {
      throw notWritten(this.name, error);
    }
  }

  async discard(): Promise<void> {
    await this.file.close();
    rmSync(unfinishedName(this.path), { force: true });
  }
}

import { linkSync, rmSync } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import type { Resource } from '../../core/contract/resources.ts';
import { cutRanges, lineEndsIn, withoutBlankLines } from '../csv/byte-ranges.ts';
import type { SourceFile } from '../csv/source-file.ts';
import type { RejectedRow } from '../push/ports/report.ts';
import { reasonRows, reasonsHeader } from '../render/reasons-csv.ts';
import { counted, shellWord } from '../render/text.ts';
import type { RunFile } from '../run-file/run-file.ts';
import { notWritten } from '../text-file.ts';
import type { MappedSource } from './mapping-of.ts';
import { unfinishedOf, type RejectsTarget } from './rejects-target.ts';

/**
 * Writes the rows of a run that were invalid or refused, byte for byte as they stand in their sources, under what stands
 * above the rows there, so that they can be corrected and pushed with the same mapping. What was written, as lines to show.
 * @throws AppError `file_not_writable`, `file_exists`, `file_changed`
 */
export async function writeRejects(
  run: RunFile,
  sources: readonly RejectedSource[],
  targets: readonly RejectsTarget[],
): Promise<readonly string[]> {
  const notes: string[] = [];
  for (const [index, target] of targets.entries()) {
    const source = sources[index]!;
    const rows = await writeSource(run, { source: source.file, number: index + 1 }, target);
    if (rows === 0) {
      notes.push(`rejects: no row, so ${target.name} was not written`);
      continue;
    }
    notes.push(
      `rejects: ${counted(rows, 'row')} in ${target.name}, the reasons in ${target.reasonsName}`,
      `rejects: once corrected, ${checkCommand(run.header.resource, source.mappedBy, target)}`,
    );
  }
  return notes;
}

/** A source, and the mapping that its rejects are read with, too. */
export interface RejectedSource {
  readonly file: SourceFile;
  readonly mappedBy: MappedSource['mappedBy'];
}

function checkCommand(
  resource: Resource,
  mappedBy: MappedSource['mappedBy'],
  { name }: RejectsTarget,
): string {
  const map =
    mappedBy === null ? [] : ['--map', mappedBy.name, ...(mappedBy.hasTrailer ? ['--no-trailer'] : [])];
  return ['dataimport', 'check', resource, name, ...map].map(shellWord).join(' ');
}

/** The bytes of a source that go into its rejects file; without a row those above the rows. */
interface RejectedRange {
  readonly start: number;
  readonly end: number;
  readonly row?: RejectedRow;
}

async function writeSource(
  run: RunFile,
  { source, number }: { readonly source: SourceFile; readonly number: number },
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
    for await (const { range, bytes } of cutRanges(source.bytes(), rangesOf(run, number))) {
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

/** Bytes that are gathered before they are written. */
const WRITTEN_AT_ONCE = 256 * 1024;

/** A file that gets its name when it is whole; only its owner may read it. */
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
      return new Draft(name, path, await open(unfinishedOf(path), 'wx', 0o600));
    } catch (error) {
      throw notWritten(name, error);
    }
  }

  /** Gathers what is written: 150,000 rows one by one take 20 s, and gathered 3 s. */
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

  /** A link and not a rename, which would take the place of a file that has come into being meanwhile. */
  async finish(): Promise<void> {
    await this.flush();
    try {
      await this.file.sync();
      linkSync(unfinishedOf(this.path), this.path);
    } catch (error) {
      throw notWritten(this.name, error);
    }
  }

  async discard(): Promise<void> {
    await this.file.close();
    rmSync(unfinishedOf(this.path), { force: true });
  }
}

import { randomUUID } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fstatSync,
  fsyncSync,
  linkSync,
  lstatSync,
  openSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { cutRanges, lineEndsIn, withoutBlankLines } from '../csv/byte-ranges.ts';
import type { SourceFile } from '../csv/source-file.ts';
import { reasonRows, reasonsHeader } from '../output/formats/reasons-csv.ts';
import type { RunFile } from '../run-file/run-file.ts';
import { notWritten } from '../command/typed-file.ts';
import type { RejectedRow, ReportView } from '../push/ports/report.ts';

/** The files for the rejected rows of one source. */
export interface RejectsTarget {
  /** As it is shown: the typed name, with the name of the source in it when there are several. */
  readonly name: string;
  readonly path: string;
  /** The same for the file with the reasons. */
  readonly reasonsName: string;
  readonly reasonsPath: string;
}

/**
 * The name of a file until it is complete. It ends with the number of the file in its file system, which no file of
 * another program has in its name, nor a copy.
 */
const unfinishedName = (path: string, inode: bigint): string => `${path}-new-${inode}`;

/** A name that no file has, in the folder of the rejects file. */
export const unusedName = (path: string): string => `${path}-new-${randomUUID()}`;

/**
 * Removes what a killed command has left of its rejects file: the unfinished files, and reasons that are complete beside
 * rows that are not. A complete rejects file stays, and so does every file of another program.
 */
export function removeUnfinished({ path, reasonsPath }: RejectsTarget): void {
  const inode = inodeOf(reasonsPath);
  // A file that still has its unfinished name beside its own one, as only a command leaves it that was killed.
  const isUnfinished = inode !== undefined && inodeOf(unfinishedName(reasonsPath, inode)) === inode;
  if (isUnfinished && !existsSync(path)) rmSync(reasonsPath);
  for (const complete of [path, reasonsPath])
    for (const unfinished of unfinishedOf(complete)) rmSync(unfinished, { force: true });
}

/** The unfinished files of a killed command. */
function unfinishedOf(path: string): readonly string[] {
  const folder = dirname(path);
  return namesIn(folder)
    .map((name) => join(folder, name))
    .filter((name) => {
      const inode = name.startsWith(path) ? inodeOf(name) : undefined;
      return inode !== undefined && name === unfinishedName(path, inode);
    });
}

/** The names in a folder; none when it cannot be read. Making a file in it then reports why. */
function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** The number of a file in its file system; undefined when there is no such file. */
function inodeOf(path: string): bigint | undefined {
  const found = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  return found?.isFile() === true ? found.ino : undefined;
}

/** The bytes of a source that go into its rejects file. Without a row: the bytes above the rows. */
type RejectedRange = { readonly start: number; readonly end: number; readonly row?: RejectedRow };

/**
 * Writes the rows of a source that were invalid or refused, byte for byte, under the lines above the rows of the source,
 * so that they can be corrected and pushed with the same mapping. Returns how many rows there were; no file for none.
 * @throws AppError `file_not_writable`, `file_exists`, `file_changed`
 */
export async function writeRejectsFile(
  run: RunFile,
  { file, number, view }: { file: SourceFile; number: number; view: ReportView },
  { name, path, reasonsName, reasonsPath }: RejectsTarget,
): Promise<number> {
  const first = run.rejectedRows(number, view)[Symbol.iterator]().next();
  if (first.done) return 0;
  let rows = 0;
  const rejects = new Draft(name, path);
  let reasons: Draft | undefined;
  try {
    reasons = new Draft(reasonsName, reasonsPath);
    reasons.write(reasonsHeader());
    let line = 1;
    for await (const { range, bytes } of cutRanges(file.bytes(), rangesOf(run, number, view))) {
      if (!range.row) {
        rejects.write(bytes);
        line += lineEndsIn(bytes);
        continue;
      }
      rejects.write(withoutBlankLines(bytes));
      const copied = {
        rejectsLine: line,
        file: file.name,
        fileSha256: file.fingerprint.sha256,
        line: range.row.firstLine,
      };
      reasons.write(reasonRows(copied, range.row.problems));
      line += range.row.lastLine - range.row.firstLine + 1;
      rows++;
    }
    // The rows last: they are the file that a person corrects, and mean that the pair is complete.
    reasons.finish();
    rejects.finish();
  } finally {
    rejects.discard();
    reasons?.discard();
  }
  return rows;
}

function* rangesOf(run: RunFile, source: number, view: ReportView): Generator<RejectedRange> {
  yield { start: 0, end: run.bytesBeforeRows(source) };
  for (const row of run.rejectedRows(source, view)) yield { start: row.byteStart, end: row.byteEnd, row };
}

/** A file that gets its name when it is complete; only its owner may read it. */
class Draft {
  private readonly name: string;
  private readonly path: string;
  private readonly file: number;
  private readonly unfinished: string;

  constructor(name: string, path: string) {
    this.name = name;
    this.path = path;
    const unused = unusedName(path);
    this.file = attempt(name, () => openSync(unused, 'wx', 0o600));
    this.unfinished = unfinishedName(path, fstatSync(this.file, { bigint: true }).ino);
    // Still empty, so a process that is killed here leaves nothing of a row behind.
    attempt(name, () => linkSync(unused, this.unfinished));
    rmSync(unused);
  }

  write(data: Buffer | string): void {
    attempt(this.name, () => writeFileSync(this.file, data));
  }

  /** Links instead of renaming, because a rename would replace a file that another program made meanwhile. */
  finish(): void {
    attempt(this.name, () => {
      fsyncSync(this.file);
      linkSync(this.unfinished, this.path);
    });
  }

  discard(): void {
    closeSync(this.file);
    rmSync(this.unfinished, { force: true });
  }
}

function attempt<T>(name: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    throw notWritten(name, error);
  }
}

import { randomUUID } from 'node:crypto';
import {
  closeSync,
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
import { cutRanges, type ByteRange } from '../csv/byte-ranges.ts';
import type { SourceFile } from '../csv/source-file.ts';
import type { Reading } from '../journal/reading.ts';
import { notWritten } from '../command/typed-file.ts';

/** The files for the rejected rows of one source. */
export interface RejectsTarget {
  /** As it is shown: the typed name, with the name of the source in it when there are several. */
  readonly name: string;
  readonly path: string;
}

/**
 * The name of a file until it is complete. It ends with the number of the file in its file system, which no file of
 * another program has in its name, nor a copy.
 */
const unfinishedName = (path: string, inode: bigint): string => `${path}-new-${inode}`;

/** A name that no file has, in the folder of the rejects file. */
export const unusedName = (path: string): string => `${path}-new-${randomUUID()}`;

/** Removes the unfinished files of killed commands. A complete rejects file stays, and so does every file of another program. */
export function removeUnfinished(path: string): void {
  const folder = dirname(path);
  for (const name of namesIn(folder).map((each) => join(folder, each))) {
    const inode = name.startsWith(path) ? inodeOf(name) : undefined;
    if (inode !== undefined && name === unfinishedName(path, inode)) rmSync(name, { force: true });
  }
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

/** The bytes of a source that go into its rejects file. `isRow`: false for the bytes above the rows. */
type RejectedRange = ByteRange & { readonly isRow: boolean };

/**
 * Writes the rows of a source that were invalid or refused, byte for byte with the blank lines before them, under the lines above
 * the rows of the source, so that they can be corrected and pushed with the same mapping. Returns how many rows there were; no file for none.
 */
export async function writeRejectsFile(
  run: Reading,
  { file, number }: { file: SourceFile; number: number },
  { name, path }: RejectsTarget,
): Promise<number> {
  const [first] = run.rejectedRows(number);
  if (!first) return 0;
  let rows = 0;
  const rejects = new Draft(name, path);
  const ranges = rangesOf(run, number);
  try {
    for await (const { range, bytes } of cutRanges(file.bytes(), ranges)) {
      rejects.write(bytes);
      if (range.isRow) rows++;
    }
    rejects.finish();
  } finally {
    // A journal cannot be written while its rows are read.
    ranges.return(undefined);
    rejects.discard();
  }
  return rows;
}

function* rangesOf(run: Reading, source: number): Generator<RejectedRange> {
  yield { start: 0, end: run.mappedSources()[source - 1]?.rowsFrom ?? 0, isRow: false };
  for (const range of run.rejectedRows(source)) yield { ...range, isRow: true };
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

  write(data: Buffer): void {
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

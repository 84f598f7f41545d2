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
export function removeUnfinished({ name, path }: RejectsTarget): void {
  attempt(name, () => {
    for (const file of readdirSync(dirname(path)).map((each) => join(dirname(path), each))) {
      if (!file.startsWith(`${path}-new-`)) continue;
      const { ino } = lstatSync(file, { bigint: true });
      if (file === unfinishedName(path, ino)) rmSync(file, { force: true });
    }
  });
}

/** The bytes of a source that go into its rejects file. `isRow`: false for the bytes above the rows. */
type RejectedRange = ByteRange & { readonly isRow: boolean };

/**
 * Writes the rows of a source that were invalid or refused, byte for byte with the blank lines before them, under the lines above
 * the rows of the source, so that they can be corrected and pushed with the same mapping. The file gets its name when it is complete, and only
 * its owner may read it. Returns how many rows there were; no file for none.
 */
export async function writeRejectsFile(
  run: Reading,
  { file, number }: { file: SourceFile; number: number },
  { name, path }: RejectsTarget,
): Promise<number> {
  const [first] = run.rejectedRows(number);
  if (!first) return 0;
  const unused = unusedName(path);
  const handle = attempt(name, () => openSync(unused, 'wx', 0o600));
  const unfinished = unfinishedName(path, fstatSync(handle, { bigint: true }).ino);
  let rows = 0;
  const ranges = rangesOf(run, number);
  try {
    // Still empty, so a process that is killed here leaves nothing of a row behind.
    attempt(name, () => linkSync(unused, unfinished));
    rmSync(unused);
    for await (const { range, bytes } of cutRanges(file.bytes(), ranges)) {
      attempt(name, () => writeFileSync(handle, bytes));
      if (range.isRow) rows++;
    }
    // A link, because a rename would replace a file that another program made meanwhile.
    attempt(name, () => {
      fsyncSync(handle);
      linkSync(unfinished, path);
    });
  } finally {
    // A journal cannot be written while its rows are read.
    ranges.return(undefined);
    closeSync(handle);
    for (const left of [unused, unfinished]) rmSync(left, { force: true });
  }
  return rows;
}

function* rangesOf(run: Reading, source: number): Generator<RejectedRange> {
  yield { start: 0, end: run.mappedSources()[source - 1]?.rowsFrom ?? 0, isRow: false };
  for (const range of run.rejectedRows(source)) yield { ...range, isRow: true };
}

function attempt<T>(name: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    throw notWritten(name, error);
  }
}

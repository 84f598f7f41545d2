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
import { basename, dirname, extname, join, resolve } from 'node:path';
import { commandLine, type FlagWords } from '../../core/command-line.ts';
import { AppError } from '../../core/app-error.ts';
import { counted } from '../output/text/text.ts';
import type { Reading } from '../journal/reading.ts';
import { assertWritable, notWritten } from '../command/typed-file.ts';
import { hasJsonLinesName } from '../csv/read-json-lines.ts';
import { cutRanges, type ByteRange } from '../csv/byte-ranges.ts';
import type { RunSourceFile } from '../sources/sources.ts';
import type { StageEnd } from '../push/stage/stage.ts';

/** The rejects that a command is to write: a target for each source. No targets without `--rejects`. */
export interface Rejects {
  readonly files: readonly RunSourceFile[];
  readonly targets: readonly RejectsTarget[];
  /** The flags with which a file of rejects is pushed. */
  readonly flags: readonly FlagWords[];
}

/**
 * The rejects file of each source, in their order; none without `--rejects`. A file that exists is an error: its rows
 * may be corrected already, and it must not look like the rejects of this command.
 */
export function rejectsTargets(
  file: string | undefined,
  sources: readonly string[],
  cwd: string,
): readonly RejectsTarget[] {
  if (file === undefined) return [];
  if (file === '-')
    throw new AppError('usage', { reason: '--rejects takes a file, not standard output', command: 'check' });
  if (sources.some(hasJsonLinesName) && !hasJsonLinesName(file))
    throw new AppError('usage', {
      reason: '--rejects writes JSON Lines here, which is known by the name: let it end with .jsonl',
      command: 'check',
    });
  // The file is plain text, so under such a name it could not be read again.
  if (/\.gz$/i.test(file))
    throw new AppError('usage', { reason: '--rejects writes plain text: leave .gz out', command: 'check' });
  const targets = namesFor(file, sources).map((name) => ({ name, path: resolve(cwd, name) }));
  for (const target of targets) {
    const { name, path } = target;
    if (existsSync(path)) throw new AppError('file_exists', { file: name });
    // Now, and not after hours of reading.
    assertWritable(name, cwd, { trial: unusedName(name) });
    removeUnfinished(target);
  }
  return targets;
}

/** `rejects.csv` of `june.csv` and `july.csv`: `rejects-june.csv`, `rejects-july.csv`. */
function namesFor(file: string, sources: readonly string[]): readonly string[] {
  if (sources.length === 1) return [file];
  const extension = extname(file);
  const stem = join(dirname(file), basename(file, extension));
  const words = sources.map((source) => basename(source).replace(/(\.csv)?(\.gz)?$/i, ''));
  return words.map((word, index) => {
    const isAlone = words.indexOf(word) === index && words.lastIndexOf(word) === index;
    return `${stem}-${isAlone ? word : `${word}-${index + 1}`}${extension}`;
  });
}

/** Writes the rejects of a run after reading. The notes say what was written, or why nothing was, and whether reading was stopped. */
export async function rejectsAfterReading(
  run: Reading,
  staged: StageEnd,
  rejects: Rejects,
): Promise<readonly string[]> {
  const why = whyNone(staged);
  const written =
    why === undefined || rejects.targets.length === 0
      ? await writeRejects(run, rejects)
      : [`rejects: none written, because ${why}`];
  if (staged.kind !== 'interrupted') return written;
  const { read } = run.report().rows;
  return [`incomplete: reading stopped after ${counted(read, 'row')}; the rest was not checked`, ...written];
}

function whyNone(staged: StageEnd): string | undefined {
  if (staged.kind === 'interrupted') return 'reading stopped';
  return staged.kind === 'invalid' && staged.unusable
    ? 'the file as a whole has to be corrected first'
    : undefined;
}

/** Writes the rejects of a run after sending. A failure becomes a note, because it must not hide the result of the run. */
export async function rejectsAfterSending(run: Reading, rejects: Rejects): Promise<readonly string[]> {
  // Refused rows are left to correct. After any other early end more rows may follow.
  const isRefused = ['REFUSED', 'PARTIAL'].includes(run.end?.exit ?? '');
  if (rejects.targets.length > 0 && run.isOpen && !isRefused)
    return ['rejects: none written yet, because the run is unfinished'];
  try {
    return await writeRejects(run, rejects);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return [`rejects: none written: ${error.message}`];
  }
}

/** Notes about the files that were written. */
export async function writeRejects(
  run: Reading,
  { files, targets, flags }: Rejects,
): Promise<readonly string[]> {
  const notes: string[] = [];
  for (const [index, target] of targets.entries()) {
    const source = files[index]!;
    const rows = await writeRejectsFile(run, { ...source, number: index + 1 }, target);
    if (rows === 0) notes.push(`rejects: no row, so ${target.name} was not written`);
    else
      notes.push(
        `rejects: ${counted(rows, 'row')} in ${target.name}`,
        `rejects: once its rows are corrected, ${howToCorrect(run, target, source, flags)}`,
      );
  }
  return notes;
}

function howToCorrect(
  { header: { resource }, choice }: Reading,
  { name }: RejectsTarget,
  { file, mappedBy }: RunSourceFile,
  flags: readonly FlagWords[],
): string {
  if (choice.cohort !== undefined) return `copy them back into ${file.name}, and type the same command again`;
  const push = commandLine('push', [resource, name], [['--map', mappedBy?.name], ...flags]);
  return `push it as a file of its own, with the same flags: ${push}`;
}

/** The files for the rejected rows of one source. */
interface RejectsTarget {
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
const unusedName = (path: string): string => `${path}-new-${randomUUID()}`;

/** Removes the unfinished files of killed commands. A complete rejects file stays, and so does every file of another program. */
function removeUnfinished({ name, path }: RejectsTarget): void {
  attempt(name, () => {
    for (const file of readdirSync(dirname(path)).map((each) => join(dirname(path), each))) {
      if (!file.startsWith(`${path}-new-`)) continue;
      const { ino } = lstatSync(file, { bigint: true });
      if (file === unfinishedName(path, ino)) rmSync(file, { force: true });
    }
  });
}

/** Bytes of a source that go into the rejects file. `isRow`: false for the lines above the rows. */
type RejectedRange = ByteRange & { readonly isRow: boolean };

/**
 * Writes the rows of a source that were invalid or refused, byte for byte with the blank lines before them, under the lines above
 * the rows of the source, so that they can be corrected and pushed with the same mapping. The file gets its name when it is complete, and only
 * its owner may read it. Returns how many rows there were; no file for none.
 */
async function writeRejectsFile(
  run: Reading,
  { file, endOfRejects, number }: RunSourceFile & { number: number },
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
    attempt(name, () => writeFileSync(handle, endOfRejects));
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

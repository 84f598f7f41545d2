import { existsSync } from 'node:fs';
import { basename, dirname, extname, join, resolve } from 'node:path';
import { fileWord } from '../../core/command-line.ts';
import { AppError } from '../../core/app-error.ts';
import type { OnClose } from '../command/command-ports.ts';
import { MOST_OPEN_FILES, openSourceFile } from '../csv/source-file.ts';
import { counted } from '../output/text/text.ts';
import type { RunFile } from '../run-file/run-file.ts';
import { assertWritable } from '../command/typed-file.ts';
import { removeUnfinished, unusedName, writeRejectsFile, type RejectsTarget } from './rejects-file.ts';
import type { RunSourceFile } from '../sources/sources.ts';
import { HIDING, type ReportView } from '../push/ports/report.ts';
import type { StageEnd } from '../push/stage/stage.ts';

/** The rejects that a command is to write: a target for each source. No targets without `--rejects`. */
export interface Rejects {
  readonly files: readonly RunSourceFile[];
  readonly targets: readonly RejectsTarget[];
  /** Default: texts that may contain values of cells are hidden. */
  readonly view?: ReportView;
}

/**
 * The rejects file of each source, in their order; none without `--rejects`. A file that exists is an error: its rows
 * may be corrected already, and it must not look like the rejects of this command.
 * @throws AppError `file_exists`, `file_not_writable`; `usage` for `-` and `.gz`
 */
export function rejectsTargets(
  file: string | undefined,
  sources: readonly string[],
  cwd: string,
): readonly RejectsTarget[] {
  if (file === undefined) return [];
  if (file === '-')
    throw new AppError('usage', { reason: '--rejects takes a file, not standard output', command: 'check' });
  // The file is plain text, so under such a name it could not be read again.
  if (/\.gz$/i.test(file))
    throw new AppError('usage', { reason: '--rejects writes plain text: leave .gz out', command: 'check' });
  const targets = namesFor(file, sources).map((name): RejectsTarget => {
    const reasonsName = `${name}.reasons.csv`;
    return { name, path: resolve(cwd, name), reasonsName, reasonsPath: resolve(cwd, reasonsName) };
  });
  for (const target of targets) {
    const { name, path, reasonsName, reasonsPath } = target;
    removeUnfinished(target);
    if (existsSync(path)) throw new AppError('file_exists', { file: name });
    if (existsSync(reasonsPath)) throw new AppError('file_exists', { file: reasonsName });
    // Now, and not after hours of reading.
    assertWritable(name, cwd, { trial: unusedName(name) });
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

/** The files of `--rejects` that are there of the command that last sent a run. */
export function rejectsWritten(
  { choice: { words }, header }: Pick<RunFile, 'choice' | 'header'>,
  cwd: string,
): readonly string[] {
  const at = words.findIndex((word) => word === '--rejects' || word.startsWith('--rejects='));
  const file = words[at]?.includes('=') ? words[at].slice('--rejects='.length) : words[at + 1];
  if (at < 0 || file === undefined) return [];
  const names = namesFor(
    file,
    header.sources.map(({ name }) => name),
  );
  return names.filter((name) => existsSync(resolve(cwd, name)));
}

/** Standard input under the name that problems have for it. */
const STANDARD_INPUT = '<stdin>';

/**
 * The rejects of a run that an earlier command began. They are copied from its source files, which must not have changed.
 * Without `--rejects` the source files are not needed.
 * @throws AppError `source_changed`, `file_not_readable`, `file_exists`, `file_not_writable`; `usage` for standard input
 */
export async function rejectsOfRun(
  file: string | undefined,
  run: RunFile,
  { cwd, onClose }: { cwd: string; onClose: OnClose },
): Promise<Rejects> {
  if (file === undefined) return { files: [], targets: [] };
  const names = run.header.sources.map(({ name }) => name);
  if (names.includes(STANDARD_INPUT)) {
    const reason =
      'the rows of this run came from standard input, so --rejects cannot read them again; save them in a file and push that file';
    throw new AppError('usage', { reason, command: 'resume' });
  }
  const targets = rejectsTargets(file, names, cwd);
  const files: RunSourceFile[] = [];
  const isOneOfMany = names.length > MOST_OPEN_FILES;
  for (const { name, sha256, mappedBy = null } of run.header.sources) {
    const source = await openSourceFile(name, cwd, { isOneOfMany });
    onClose(() => source.close());
    if (source.fingerprint.sha256 !== sha256) throw new AppError('source_changed', { file: name });
    files.push({ file: source, mappedBy });
  }
  return { files, targets };
}

/** Writes the rejects of a run after reading. The notes say what was written, or why nothing was, and whether reading was stopped. */
export async function rejectsAfterReading(
  run: RunFile,
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
export async function rejectsAfterSending(run: RunFile, rejects: Rejects): Promise<readonly string[]> {
  // A refusal that ended the command is a row to correct. After any other early end more rows may follow.
  const isStopped = run.end?.exit === 'REFUSED';
  if (rejects.targets.length > 0 && run.isOpen && !isStopped)
    return ['rejects: none written yet, because the run is unfinished'];
  try {
    return await writeRejects(run, rejects);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return [`rejects: none written: ${error.message}`];
  }
}

/** Notes about the files that were written. @throws AppError `file_not_writable`, `file_exists`, `file_changed` */
export async function writeRejects(
  run: RunFile,
  { files, targets, view = HIDING }: Rejects,
): Promise<readonly string[]> {
  const notes: string[] = [];
  for (const [index, target] of targets.entries()) {
    const source = files[index]!;
    const rows = await writeRejectsFile(run, { file: source.file, number: index + 1, view }, target);
    if (rows === 0) notes.push(`rejects: no row, so ${target.name} was not written`);
    else
      notes.push(
        `rejects: ${counted(rows, 'row')} in ${target.name}, the reasons in ${target.reasonsName}`,
        `rejects: once its rows are corrected, ${howToCorrect(run, target)}`,
      );
  }
  return notes;
}

function howToCorrect({ header: { resource }, choice }: RunFile, { name }: RejectsTarget): string {
  return choice.cohort === undefined
    ? `add --corrections ${fileWord(name)} to the command, and another name for --rejects`
    : `name it under \`corrections\` of ${resource} in ${choice.cohort.file}`;
}

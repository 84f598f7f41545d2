import { tmpdir } from 'node:os';
import { AppError } from '../../core/app-error.ts';
import { commandLine } from '../../core/command-line.ts';
import { RESOURCES } from '../../core/contract/resources.ts';
import type { CommandContext, CommandDeclaration, CommandEnd } from '../command/command.ts';
import type { CommandPorts } from '../command/command-ports.ts';
import { openSourceFile } from '../csv/source-file.ts';
import { declareFormat, type FormatFlags } from '../command/flags.ts';
import { dataFilesOf, mappingBeside, otherExportsOf } from '../../files/data-files.ts';
import { likelyResource } from './draft/likely-resource.ts';
import { MOST_FILES, shownFolder, type ListedFile, type ListedFolder } from './folder.ts';
import { inspectFile } from './inspect-file.ts';
import type { Inspection } from './inspection.ts';
import { shownInspection } from './inspection-result.ts';

export type InspectOptions = FormatFlags & { readonly file: string; readonly showValues?: boolean };

type TypedOptions = Omit<InspectOptions, 'file'> & { readonly file?: string };

export const command: CommandDeclaration<TypedOptions> = {
  description:
    'Reads a whole file and shows its encoding, line ends, delimiter, header, trailer and the kinds of values of each column, with the reasons. A finding that the file does not prove is marked as assumed or OPEN. An encoding other than Unicode is OPEN: three words of the file are shown as each likely encoding reads them. An odd file is not an error. A file that names each account only once, or has several kinds of records, gets the warning that `check` gives. Without a file: what each data file of this folder looks like, and the next command for it.',
  examples: [
    'dataimport inspect',
    'dataimport inspect bookings.csv',
    'dataimport inspect bookings.csv.gz --json',
  ],
  settings: [],
  declare(command) {
    command
      .argument('[file]', 'the file; - for standard input')
      .option('--show-values', 'show up to three values of each column');
    declareFormat(command);
  },
  run,
};

async function run({ file, ...flags }: TypedOptions, context: CommandContext): Promise<CommandEnd> {
  if (file === undefined) return { exit: 'OK', result: shownFolder(await folderOf(flags, context)) };
  const inspection = await inspectionOf({ ...flags, file }, context);
  return { exit: 'OK', result: shownInspection({ inspection, next: nextStep(inspection, context.io.cwd) }) };
}

/** Opens and inspects a file. @throws AppError `file_not_readable` and the like when it cannot be opened */
export async function inspectionOf(
  { file: name, showValues = false, encoding, delimiter }: InspectOptions,
  { io, onClose }: Pick<CommandPorts, 'io' | 'onClose'>,
): Promise<Inspection> {
  const file = await openSourceFile(name, io.cwd, {
    standardInput: { stream: io.stdin, spoolFolder: tmpdir() },
  });
  onClose(() => file.close());
  return inspectFile(file, { showValues, encoding, delimiter });
}

/** Looks into each data file of the folder that is not large. */
async function folderOf(flags: FormatFlags, context: CommandContext): Promise<ListedFolder> {
  const { cwd } = context.io;
  const found = dataFilesOf(cwd);
  if (found.length === 0) throw new AppError('usage', { reason: NO_FILES, command: 'inspect' });
  const files: ListedFile[] = [];
  for (const { name: file, bytes } of found.slice(0, MOST_FILES))
    files.push(
      bytes > LARGE_BYTES ? unseen(file, 'a large file') : await listed({ ...flags, file }, context),
    );
  return { files, not_read: otherExportsOf(cwd), left: found.length - files.length };
}

export const NO_FILES = 'a file is missing, and this folder has no data file (.csv, .tsv, .jsonl, .ndjson)';

/** A larger file takes seconds, and is inspected when it is named. */
const LARGE_BYTES = 20_000_000;

const unseen = (file: string, looks: string): ListedFile => ({
  file,
  looks,
  next: commandLine('inspect', [file]),
});

async function listed(options: InspectOptions, context: CommandContext): Promise<ListedFile> {
  const { file } = options;
  try {
    const inspection = await inspectionOf(options, context);
    const likely = inspection.content && likelyResource(inspection.content.columns);
    return likely
      ? { file, looks: likely.resource, next: nextStep(inspection, context.io.cwd) }
      : unseen(file, 'not sure');
  } catch (error) {
    if (error instanceof AppError) return unseen(file, 'not readable');
    throw error;
  }
}

function nextStep({ content, file }: Inspection, cwd: string): string {
  if (content === null || content.markup !== null)
    return 'export the data again as CSV, then type the same command';
  const likely = likelyResource(content.columns);
  const needsMapping = !likely?.isOfInterface || content.encoding.name !== 'utf-8';
  const command = likely && (!needsMapping || mappingBeside(file, cwd) !== undefined) ? 'check' : 'map init';
  const [first, ...others] = RESOURCES;
  const name = file === STANDARD_INPUT ? '-' : file;
  const typed = commandLine(command, [likely?.resource ?? first, name]);
  return likely ? typed : `${typed} (or ${others.join(', ')} in place of ${first})`;
}

/** Name of standard input once it is open. */
const STANDARD_INPUT = '<stdin>';

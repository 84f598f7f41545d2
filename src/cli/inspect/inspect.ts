import { tmpdir } from 'node:os';
import { fileWord } from '../../core/command-line.ts';
import type { CommandContext, CommandDeclaration, CommandEnd } from '../command/command.ts';
import type { CommandPorts } from '../command/command-ports.ts';
import { openSourceFile } from '../csv/source-file.ts';
import { declareFormat, type FormatFlags } from '../command/flags.ts';
import { inspectFile } from './inspect-file.ts';
import type { Inspection } from './inspection.ts';
import { shownInspection } from './inspection-result.ts';

export type InspectOptions = FormatFlags & { readonly file: string; readonly showValues?: boolean };

export const command: CommandDeclaration<InspectOptions> = {
  description:
    'Reads a whole file and shows its encoding, line ends, delimiter, header, trailer and the kinds of values of each column, with the reasons. A finding that the file does not prove is marked as assumed or OPEN. An odd file is not an error. A file that names each account only once, or has several kinds of records, gets the warning that `check` gives.',
  examples: ['dataimport inspect bookings.csv', 'dataimport inspect bookings.csv.gz --json'],
  settings: [],
  declare(command) {
    command
      .argument('<file>', 'the file; - for standard input')
      .option('--show-values', 'show up to three values of each column');
    declareFormat(command);
  },
  run,
};

async function run(options: InspectOptions, context: CommandContext): Promise<CommandEnd> {
  const inspection = await inspectionOf(options, context);
  return { exit: 'OK', result: shownInspection({ inspection, next: nextStep(inspection) }) };
}

/** Opens and inspects a file. @throws AppError `file_not_readable` and the like when it cannot be opened */
export async function inspectionOf(
  { file: name, showValues = false, encoding, delimiter, maxGzipRatio }: InspectOptions,
  { io, onClose }: Pick<CommandPorts, 'io' | 'onClose'>,
): Promise<Inspection> {
  const file = await openSourceFile(name, io.cwd, {
    standardInput: { stream: io.stdin, spoolFolder: tmpdir() },
    maxGzipRatio,
  });
  onClose(() => file.close());
  return inspectFile(file, { showValues, encoding, delimiter });
}

function nextStep({ content, file }: Inspection): string {
  if (content === null || content.markup !== null)
    return 'export the data again as CSV, then type the same command';
  return `dataimport map init <resource> ${file === STANDARD_INPUT ? '<file>' : fileWord(file)}`;
}

/** Name of standard input once it is open. */
const STANDARD_INPUT = '<stdin>';

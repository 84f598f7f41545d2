import { tmpdir } from 'node:os';
import { commandLine } from '../../core/command-line.ts';
import { mappingBeside } from '../../files/data-files.ts';
import type { CommandContext, CommandDeclaration, CommandEnd } from '../command/command.ts';
import type { CommandPorts } from '../command/command-ports.ts';
import { declareFormat, type FormatFlags } from '../command/flags.ts';
import { openSourceFile } from '../csv/source-file.ts';
import { likelyResource } from './draft/header-match.ts';
import { inspectFile, type InspectionRequest } from './inspect-file.ts';
import type { Inspection } from './inspection.ts';
import { shownInspection } from './inspection-result.ts';

export type InspectOptions = FormatFlags & { readonly file: string; readonly showValues?: boolean };

export const command: CommandDeclaration<InspectOptions> = {
  description:
    'Reads a whole file and shows its encoding, delimiter, header, control record and the kinds of values of each column, with the reasons. A finding that the file does not prove is marked as assumed or OPEN. An encoding other than Unicode is OPEN: three words of the file are shown as each likely encoding reads them. An odd file is not an error.',
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
  return {
    exit: 'OK',
    result: shownInspection(inspection, nextStep(inspection, options, context.io.cwd)),
  };
}

/** Opens and inspects a file. @throws AppError `file_not_readable` and the like when it cannot be opened */
export async function inspectionOf(
  { file: name, showValues = false, ...format }: Partial<InspectionRequest> & { readonly file: string },
  { io, onClose }: Pick<CommandPorts, 'io' | 'onClose'>,
): Promise<Inspection> {
  const file = await openSourceFile(name, io.cwd, {
    standardInput: { stream: io.stdin, spoolFolder: tmpdir() },
  });
  onClose(() => file.close());
  return inspectFile(file, { showValues, ...format });
}

function nextStep({ content, file }: Inspection, typed: FormatFlags, cwd: string): string {
  if (content === null) return 'export the data again as CSV, then type the same command';
  const likely = likelyResource(content.columns);
  const needsMapping = !likely?.isOfInterface || content.encoding.name !== 'utf-8';
  const name = file === STANDARD_INPUT ? '-' : file;
  if (likely && (!needsMapping || mappingBeside(file, cwd) !== undefined))
    return commandLine('check', [likely.resource, name]);
  if (name === '-') return 'save the rows in a file, and give it to `dataimport init`';
  // It asks what the rows are, where the columns do not say it.
  const flags = [
    ['--encoding', typed.encoding],
    ['--delimiter', typed.delimiter],
  ] as const;
  return commandLine('init', [name], flags);
}

/** Name of standard input once it is open. */
const STANDARD_INPUT = '<stdin>';

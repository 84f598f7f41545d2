import { tmpdir } from 'node:os';
import type { CommandContext, CommandDeclaration, CommandEnd } from '../command.ts';
import { openSourceFile } from '../csv/source-file.ts';
import { declareFormat, type FormatFlags } from '../flags.ts';
import { inspectFile } from '../inspect/inspect-file.ts';
import type { Inspection } from '../inspect/inspection.ts';
import { shellWord } from '../output/text.ts';

export interface InspectOptions extends FormatFlags {
  readonly file: string;
  readonly showValues?: boolean;
}

export const command: CommandDeclaration<InspectOptions> = {
  description:
    'Reads a whole file and shows what it is, with the evidence: encoding, line ends, delimiter, header, trailer, and per column the kinds of values. What the file does not prove is called assumed or OPEN. Odd files are no error.',
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
  return { exit: 'OK', result: { kind: 'inspection', inspection, next: nextStep(inspection) } };
}

/** Opens and inspects a file. @throws AppError `file_not_readable` and the like when it cannot be opened */
export async function inspectionOf(
  { file: name, showValues = false, encoding, delimiter }: InspectOptions,
  { io, onClose }: Pick<CommandContext, 'io' | 'onClose'>,
): Promise<Inspection> {
  const file = await openSourceFile(name, io.cwd, { stream: io.stdin, spoolFolder: tmpdir() });
  onClose(() => file.close());
  return inspectFile(file, { showValues, encoding, delimiter });
}

function nextStep({ content, file }: Inspection): string {
  if (content === null || content.markup !== null)
    return 'export the data again as CSV, then type the same command';
  return `dataimport map init <resource> ${file === STANDARD_INPUT ? '<file>' : shellWord(file)}`;
}

/** Name of standard input once it is open. */
const STANDARD_INPUT = '<stdin>';

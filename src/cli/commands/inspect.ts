import { tmpdir } from 'node:os';
import type { CommandContext, CommandDeclaration } from '../command.ts';
import { openSourceFile } from '../csv/source-file.ts';
import type { ExitName } from '../exit-codes.ts';
import { inspectFile } from '../inspect/inspect-file.ts';
import type { Inspection } from '../inspect/inspection.ts';
import { shellWord } from '../render/text.ts';

export interface InspectOptions {
  readonly file: string;
  readonly showValues?: boolean;
}

export const inspect: CommandDeclaration<InspectOptions> = {
  name: 'inspect',
  group: 'Look',
  summary: 'Find out what a file is: encoding, delimiter, columns',
  description:
    'Reads a whole file and shows what it is, with the evidence: encoding, line ends, delimiter, header, trailer, and per\ncolumn the kinds of values. What the file does not prove is called assumed or OPEN. Odd files are no error.',
  examples: ['dataimport inspect bookings.csv', 'dataimport inspect bookings.csv.gz --json'],
  settings: [],
  declare: (command) =>
    void command
      .argument('<file>', 'the file; - for standard input')
      .option('--show-values', 'show up to three values of each column'),
  run,
};

async function run({ file, showValues }: InspectOptions, context: CommandContext): Promise<ExitName> {
  const inspection = await inspectionOf(file, showValues ?? false, context);
  const next = nextStep(inspection);
  if (context.globals.json) {
    const { inspectDocumentOf } = await import('../render/inspection-document.ts');
    context.document(inspectDocumentOf(inspection, next));
    return 'OK';
  }
  const { inspectionText } = await import('../render/inspection.ts');
  context.io.stdout.write(inspectionText(inspection, next));
  return 'OK';
}

/** Opens and inspects a file. @throws AppError `file_not_readable` and the like when it cannot be opened */
export async function inspectionOf(
  name: string,
  showValues: boolean,
  context: CommandContext,
): Promise<Inspection> {
  const { io } = context;
  const file = await openSourceFile(name, io.cwd, { stream: io.stdin, spoolFolder: tmpdir() });
  context.onClose(() => file.close());
  return inspectFile(file, showValues);
}

function nextStep({ content, file }: Inspection): string {
  if (content === null || content.markup !== null)
    return 'export the data again as CSV, then type the same command';
  return `dataimport map init <resource> ${file === STANDARD_INPUT ? '<file>' : shellWord(file)}`;
}

/** How standard input is called once it is open. */
const STANDARD_INPUT = '<stdin>';

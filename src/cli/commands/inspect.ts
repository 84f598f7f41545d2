import { tmpdir } from 'node:os';
import { InvalidArgumentError, Option, type Command } from 'commander';
import type { CommandContext, CommandDeclaration } from '../command.ts';
import { openSourceFile } from '../csv/source-file.ts';
import { SOURCE_ENCODINGS, type SourceEncoding } from '../csv/source-format.ts';
import type { ExitName } from '../exit-codes.ts';
import { inspectFile } from '../inspect/inspect-file.ts';
import type { Inspection } from '../inspect/inspection.ts';
import { shellWord } from '../render/text.ts';

export interface InspectOptions {
  readonly file: string;
  readonly showValues?: boolean;
  readonly encoding?: SourceEncoding;
  readonly delimiter?: string;
}

export const inspect: CommandDeclaration<InspectOptions> = {
  name: 'inspect',
  group: 'Look',
  summary: 'Find out what a file is: encoding, delimiter, columns',
  description:
    'Reads a whole file and shows what it is, with the evidence: encoding, line ends, delimiter, header, trailer, and per column the kinds of values. What the file does not prove is called assumed or OPEN. Odd files are no error.',
  examples: ['dataimport inspect bookings.csv', 'dataimport inspect bookings.csv.gz --json'],
  settings: [],
  declare: (command) => {
    command
      .argument('<file>', 'the file; - for standard input')
      .option('--show-values', 'show up to three values of each column');
    declareOverrules(command);
  },
  run,
};

async function run(options: InspectOptions, context: CommandContext): Promise<ExitName> {
  const inspection = await inspectionOf(options, context);
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

/** Declares what a person may know better than the file shows. */
export function declareOverrules(command: Command): void {
  command
    .addOption(
      new Option('--encoding <name>', 'read the file in this encoding, whatever its bytes suggest').choices(
        SOURCE_ENCODINGS,
      ),
    )
    .option('--delimiter <c>', 'cut rows at this character; `tab` for a tab', readDelimiter);
}

function readDelimiter(text: string): string {
  const character = text === 'tab' || text === String.raw`\t` ? '\t' : text;
  if (/^[^\r\n"]$/.test(character)) return character;
  throw new InvalidArgumentError('give one character, or `tab`.');
}

/** Opens and inspects a file. @throws AppError `file_not_readable` and the like when it cannot be opened */
export async function inspectionOf(
  { file: name, showValues = false, encoding, delimiter }: InspectOptions,
  context: CommandContext,
): Promise<Inspection> {
  const { io } = context;
  const file = await openSourceFile(name, io.cwd, { stream: io.stdin, spoolFolder: tmpdir() });
  context.onClose(() => file.close());
  return inspectFile(file, { showValues, encoding, delimiter });
}

function nextStep({ content, file }: Inspection): string {
  if (content === null || content.markup !== null)
    return 'export the data again as CSV, then type the same command';
  return `dataimport map init <resource> ${file === STANDARD_INPUT ? '<file>' : shellWord(file)}`;
}

/** How standard input is called once it is open. */
const STANDARD_INPUT = '<stdin>';

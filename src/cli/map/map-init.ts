import { lstat, rename, rm, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { commandLine, type FlagWords } from '../../core/command-line.ts';
import { AppError } from '../../core/app-error.ts';
import type { Resource } from '../../core/contract/resources.ts';
import type { CommandContext, CommandDeclaration, CommandEnd } from '../command/command.ts';
import { declareFormat, resourceArgument } from '../command/flags.ts';
import { draftMapping } from '../inspect/draft/draft-mapping.ts';
import type { FileProfile, Inspection } from '../inspect/inspection.ts';
import type { Settings } from '../settings/settings.ts';
import { notWritten } from '../command/typed-file.ts';
import type { Io } from '../outside/io.ts';
import { appliedContract } from '../sources/applied-contract.ts';
import { inspectionOf, type InspectOptions } from '../inspect/inspect.ts';
import { shownAs } from '../output/formats/result-formats.ts';
import { exitDocument } from '../output/json.ts';
import { counted, escapeControl, labelledLines } from '../output/text/text.ts';

export interface MapInitOptions extends InspectOptions {
  readonly resource: Resource;
  /** `-` for standard output. */
  readonly out?: string;
  readonly force?: boolean;
}

export const command: CommandDeclaration<MapInitOptions> = {
  description:
    'Inspects a whole file and writes a commented mapping for it. Each line says how many values support it. Where the file does not decide, the mapping has a QUESTION, and `check` fails until it is answered.',
  examples: [
    'dataimport map init transactions bookings.csv',
    'dataimport map init notes notes.csv --out - --show-values',
  ],
  settings: ['contract'],
  declare(command) {
    command
      .addArgument(resourceArgument())
      .argument('<file>', 'the file; - for standard input')
      .option('--out <file>', 'file to write; - for standard output (default: <file>.map.yaml)')
      .option('--force', 'overwrite an existing mapping')
      .option('--show-values', 'write values of columns that need a lookup table into the mapping');
    declareFormat(command);
  },
  run,
};

async function run(options: MapInitOptions, context: CommandContext): Promise<CommandEnd> {
  const { resource, file, force = false, showValues = false } = options;
  const inspection = await inspectionOf(options, context);
  const settings = await context.settings();
  const contract = await appliedContract(settings, context.io.cwd);
  const draft = draftMapping(tableOf(inspection), {
    resource,
    descriptors: contract?.descriptors,
    file: inspection.file,
    showValues,
    hasEndMark: inspection.endsWithSubstitute,
  });
  const out = options.out ?? (file === '-' ? '-' : `${file}.map.yaml`);
  const isWritten = out !== '-';
  if (isWritten) await write(out, draft.text, force, context.io);
  return {
    exit: 'OK',
    result: shownMappingDraft({
      mapping: out,
      text: isWritten ? null : draft.text,
      decided: draft.decided,
      questions: draft.questions.map(({ text }) => text),
      unused: draft.unused,
      next: isWritten ? [checkCommand(options, out, contractFlag(settings))] : [],
    }),
  };
}

/** A contract that was typed has to be typed again. */
function contractFlag(settings: Settings): FlagWords {
  const { value, source } = settings.resolved('contract') ?? {};
  return ['--contract', source?.kind === 'flag' ? value : undefined];
}

/** A mapping beside the file needs no --map. A supplier that is missing is asked for by the command: nobody types a word of ours for it. */
function checkCommand({ resource, file }: MapInitOptions, out: string, contract: FlagWords): string {
  const map = out === `${file}.map.yaml` ? undefined : out;
  return commandLine('check', [resource, file], [['--map', map], contract]);
}

/** @throws AppError `file_is_no_table` */
function tableOf({ file, binary, content }: Inspection): FileProfile {
  if (content === null) throw new AppError('file_is_no_table', { file, reason: `its content is ${binary}` });
  if (content.markup !== null)
    throw new AppError('file_is_no_table', { file, reason: `it begins like ${content.markup}` });
  return content;
}

/**
 * Writes the whole mapping or nothing. An existing mapping is replaced only by a complete one, so a full disk costs neither.
 * @throws AppError `file_exists`, `file_not_writable`
 */
async function write(name: string, text: string, force: boolean, { cwd, pid }: Io): Promise<void> {
  const path = resolve(cwd, name);
  // Only a file can be replaced. A device, or a link to elsewhere, is written in place.
  const replaces = force && ((await lstat(path).catch(() => undefined))?.isFile() ?? false);
  const written = replaces ? `${path}.${pid}.new` : path;
  try {
    await writeFile(written, text, { flag: force && !replaces ? 'w' : 'wx' });
    if (replaces) await rename(written, path);
  } catch (error) {
    const failure = notWritten(name, error, 'Give --force to write over it, or --out FILE for another name.');
    if (failure.code === 'file_not_writable') await removeTrace(written);
    throw failure;
  }
}

/** Removes what a failed write has left. A file that was never made is not there. */
async function removeTrace(path: string): Promise<void> {
  const found = await lstat(path).catch(() => undefined);
  if (found?.isFile()) await rm(path);
}

/** The file that was written, or `-` and the text of the mapping. */
type MappingDraftResult = Readonly<
  { mapping: string; text: string | null } & Record<
    'decided' | 'questions' | 'unused' | 'next',
    readonly string[]
  >
>;

const shownMappingDraft = shownAs<MappingDraftResult>({
  document: (draft, exit) => ({ version: 1, exit: exitDocument(exit), ...draft }),
  text: (draft) => draft.text ?? summaryText(draft),
});

const LABEL_WIDTH = 11;

/** Which file was written, and what is left to do. */
function summaryText({ mapping, decided, questions, unused, next }: MappingDraftResult): string {
  const named = (names: readonly string[], noun: string): string =>
    names.length === 0 ? `no ${noun}` : `${counted(names.length, noun)}: ${names.join(', ')}`;
  const open =
    questions.length === 0
      ? 'no question'
      : `${counted(questions.length, 'question')}, marked QUESTION in the file:`;
  const facts: readonly (readonly [string, string])[] = [
    ['written', mapping],
    ['decided', named(decided, 'field')],
    ['open', open],
    ...questions.map((question, at) => ['', `${at + 1}. ${question}`] as const),
    ...(unused.length === 0 ? [] : [['unused', named(unused, 'column')] as const]),
    ...next.map((command, at) => [at === 0 ? 'next:' : '', command] as const),
  ];
  return facts.map(([label, text]) => labelledLines(label, escapeControl(text), LABEL_WIDTH)).join('');
}

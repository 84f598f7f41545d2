import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Argument } from 'commander';
import { AppError } from '../../core/app-error.ts';
import { RESOURCES, type Resource } from '../../core/contract/resources.ts';
import type { CommandContext, CommandDeclaration } from '../command.ts';
import type { SourceEncoding } from '../csv/source-format.ts';
import type { ExitName } from '../exit-codes.ts';
import { draftMapping, type MappingDraft } from '../inspect/draft/draft-mapping.ts';
import type { FileProfile, Inspection } from '../inspect/inspection.ts';
import type { MappingDraftDocument } from '../render/mapping-draft.ts';
import { exitDocument } from '../render/json-output.ts';
import { declareOverrules, inspectionOf } from './inspect.ts';
import { shellWord } from '../render/text.ts';
import { notWritten } from '../text-file.ts';

export interface MapInitOptions {
  readonly resource: Resource;
  readonly file: string;
  /** `-` for standard output. */
  readonly out?: string;
  readonly force?: boolean;
  readonly showValues?: boolean;
  readonly encoding?: SourceEncoding;
  readonly delimiter?: string;
}

export const mapInit: CommandDeclaration<MapInitOptions> = {
  name: 'map init',
  group: 'Migrate',
  summary: 'Write a mapping for a file, from what the file shows',
  description:
    'Inspects a whole file and writes a commented mapping for it. Each line tells how many values it rests on; what the file does not decide is left as a QUESTION, and `check` fails until it is answered.',
  examples: [
    'dataimport map init transactions bookings.csv',
    'dataimport map init notes notes.csv --out - --show-values',
  ],
  settings: [],
  declare: (command) => {
    command
      .addArgument(
        new Argument('<resource>', `what the rows are: ${RESOURCES.join(', ')}`).choices(RESOURCES),
      )
      .argument('<file>', 'the file; - for standard input')
      .option('--out <file>', 'where to write it; - for standard output (default: <file>.map.yaml)')
      .option('--force', 'write over a mapping that exists')
      .option('--show-values', 'write values of columns that need a lookup table into the mapping');
    declareOverrules(command);
  },
  run,
};

async function run(options: MapInitOptions, context: CommandContext): Promise<ExitName> {
  const { resource, file, force = false, showValues = false } = options;
  const { io, globals } = context;
  const inspection = await inspectionOf(options, context);
  const draft = draftMapping(tableOf(inspection), {
    resource,
    file: inspection.file,
    showValues,
    hasEndMark: inspection.endsWithSubstitute,
  });
  const out = options.out ?? (file === '-' ? '-' : `${file}.map.yaml`);
  if (out !== '-') await write(resolve(io.cwd, out), out, draft.text, force);
  const document: MappingDraftDocument = {
    version: 1,
    exit: exitDocument('OK'),
    mapping: out,
    text: out === '-' ? draft.text : null,
    decided: draft.decided,
    questions: draft.questions,
    unused: draft.unused,
    next:
      out === '-'
        ? []
        : [`dataimport map check ${shellWord(out)} ${shellWord(file)}`, checkLine(options, out, draft)],
  };
  context.document(document);
  if (globals.json) return 'OK';
  if (out === '-') io.stdout.write(draft.text);
  else {
    const { mappingDraftText } = await import('../render/mapping-draft.ts');
    io.stdout.write(mappingDraftText(document));
  }
  return 'OK';
}

/** A mapping beside the file is found by itself; a supplier that is not in the file has to be typed. */
function checkLine({ resource, file }: MapInitOptions, out: string, { decided }: MappingDraft): string {
  const map = out === `${file}.map.yaml` ? '' : ` --map ${shellWord(out)}`;
  const supplier = decided.includes('import_supplier') ? '' : ' --supplier CODE';
  return `dataimport check ${resource} ${shellWord(file)}${map}${supplier}`;
}

/** @throws AppError `file_is_no_table` */
function tableOf({ file, binary, content }: Inspection): FileProfile {
  if (content === null) throw new AppError('file_is_no_table', { file, reason: `its content is ${binary}` });
  if (content.markup !== null)
    throw new AppError('file_is_no_table', { file, reason: `it begins like ${content.markup}` });
  return content;
}

/** @throws AppError `mapping_exists`, `file_not_writable` */
async function write(path: string, name: string, text: string, force: boolean): Promise<void> {
  try {
    await writeFile(path, text, { flag: force ? 'w' : 'wx' });
  } catch (error) {
    throw notWritten(name, error, 'mapping_exists');
  }
}

import { AppError } from '../../core/app-error.ts';
import { commandLine, type FlagWords } from '../../core/command-line.ts';
import { RESOURCES, type Resource } from '../../core/contract/resources.ts';
import { mappingBeside } from '../../files/data-files.ts';
import type { CommandContext } from '../command/command.ts';
import type { FormatFlags } from '../command/flags.ts';
import { readText } from '../command/typed-file.ts';
import { END_OF_REJECTS } from '../csv/source-format.ts';
import { draftMapping } from '../inspect/draft/draft-mapping.ts';
import { likelyResource } from '../inspect/draft/header-match.ts';
import { formatFlags, inspectionOf, resourceQuestion } from '../inspect/inspect.ts';
import type { FileProfile } from '../inspect/inspect-file.ts';
import { loadMapping } from '../mapping/file/load-mapping.ts';
import { COLUMNS as UNRESOLVED_COLUMNS } from '../runs/runs-confirm.ts';
import type { AppliedContract } from '../sources/applied-contract.ts';
import { openerIn } from '../sources/mapped-by-file.ts';
import type { PreparedFile } from './init-result.ts';

/** A file, what it is, and the mapping to write; undefined when the file needs none, or has one. */
export type Preparation = PreparedFile & { readonly mappingText?: string; readonly content?: FileProfile };

export interface InitOptions extends FormatFlags {
  readonly file: readonly string[];
  readonly resource?: Resource;
  readonly showValues?: boolean;
}

/** What every file of the command is prepared with. */
interface InitSetting {
  readonly context: CommandContext;
  readonly contract: AppliedContract | undefined;
  /** Flags of settings, to be typed again. */
  readonly flags: readonly FlagWords[];
}

/**
 * Reads a file and drafts its mapping. A file that was named has to become a mapping. A file of the folder that cannot be read is left out,
 * and the reason is said.
 * @throws AppError `file_not_readable`, `file_is_no_table`; `usage` for a file that was named and that nobody knows
 */
export async function prepareFile(
  name: string,
  typed: InitOptions,
  setting: InitSetting,
): Promise<Preparation> {
  try {
    return await prepared(name, typed, setting);
  } catch (error) {
    if (!(error instanceof AppError) || typed.file.length > 0) throw error;
    return leftOut(name, String(error.facts['reason'] ?? error.message));
  }
}

async function prepared(file: string, typed: InitOptions, setting: InitSetting): Promise<Preparation> {
  const { context, contract, flags } = setting;
  const { content, noTable } = await inspectionOf({ ...typed, file, showValues: false }, context);
  if (content === null)
    throw new AppError('file_is_no_table', { file, reason: noTable!['reason']!, ...noTable });
  const isList = content.columns.map(({ name }) => name).join() === UNRESOLVED_COLUMNS.join();
  if (isList || Object.values(content.table.trailer?.keys ?? {}).includes(END_OF_REJECTS)) {
    const reason = isList ? 'a list for `runs confirm --rows`' : 'rejects of another file';
    throw new AppError('usage', { file, reason: `it has ${reason}`, command: 'init' });
  }
  const before = mappingBeside(file, context.io.cwd);
  if (before !== undefined) return { ...(await mappedBefore(file, before, setting)), content };
  const likely = likelyResource(content, contract?.descriptors);
  const resource = typed.resource ?? likely?.resource;
  if (resource === undefined)
    throw new AppError('usage', {
      file,
      reason: 'nothing says what it is',
      todo: `${resourceQuestion(file, typed)}.`,
    });
  const found = { file, resource, mapping: null, questions: 0, left_out: null, content };
  if (likely?.isOfInterface === true && typed.resource === undefined) return found;
  const { text, questions } = draftMapping(content, {
    resource,
    descriptors: contract?.descriptors,
    file,
    showValues: typed.showValues ?? false,
    again: (encoding) =>
      commandLine(
        'init',
        [file],
        [['--resource', resource], ...formatFlags(encoding ? { ...typed, encoding } : typed), ...flags],
      ),
  });
  return { ...found, mapping: `${file}.map.yaml`, questions: questions.length, mappingText: text };
}

/** What a mapping says that is there already, whether or not it can be used. */
async function mappedBefore(
  file: string,
  mapping: string,
  { context, contract }: InitSetting,
): Promise<Preparation> {
  const { cwd } = context.io;
  const said = /^resource: *['"]?([a-z-]+)/m.exec(readText(mapping, cwd))?.[1];
  const resource = RESOURCES.find((each) => each === said);
  if (!resource) return { ...leftOut(file, 'its mapping names no resource'), mapping };
  const { problems } = await loadMapping(mapping, openerIn(cwd), contract?.descriptors);
  const open = problems.filter(({ problem }) => problem.code === 'mapping_question_open');
  return { file, resource, mapping, questions: open.length, left_out: null };
}

const leftOut = (file: string, reason: string): Preparation => ({
  file,
  resource: null,
  mapping: null,
  questions: 0,
  left_out: reason,
});

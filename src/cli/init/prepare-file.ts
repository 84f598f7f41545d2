import { AppError } from '../../core/app-error.ts';
import { RESOURCES, type Resource } from '../../core/contract/resources.ts';
import { mappingBeside } from '../../files/data-files.ts';
import type { CommandContext } from '../command/command.ts';
import type { FormatFlags } from '../command/flags.ts';
import { readText } from '../command/typed-file.ts';
import { draftMapping } from '../inspect/draft/draft-mapping.ts';
import { likelyResource } from '../inspect/draft/header-match.ts';
import { inspectionOf } from '../inspect/inspect.ts';
import type { FileProfile } from '../inspect/inspect-file.ts';
import type { AppliedContract } from '../sources/applied-contract.ts';
import type { PreparedFile } from './init-result.ts';

/** A file, what it is, and the mapping to write; undefined when the file needs none, or has one. */
export type Preparation = PreparedFile & { readonly mappingText?: string; readonly content?: FileProfile };

export interface InitOptions extends FormatFlags {
  readonly file: readonly string[];
  readonly resource?: Resource;
  readonly showValues?: boolean;
}

/**
 * Reads a file and drafts its mapping. A file that was named has to become a mapping. A file of the folder that cannot be read is left out,
 * and the reason is said.
 * @throws AppError `file_not_readable`, `file_is_no_table`; `usage` for a file that was named and that nobody knows
 */
export async function prepareFile(
  name: string,
  typed: InitOptions,
  { context, contract }: { context: CommandContext; contract: AppliedContract | undefined },
): Promise<Preparation> {
  const isNamed = typed.file.length > 0;
  const { encoding, delimiter, showValues = false } = typed;
  const inspection = await inspectionOf({ file: name, encoding, delimiter }, context).catch(
    (error: unknown) => {
      if (error instanceof AppError && !isNamed) return error;
      throw error;
    },
  );
  if (inspection instanceof AppError) return leftOut(name, 'cannot be read');
  const { content, noTable } = inspection;
  if (content === null) {
    if (!isNamed) return leftOut(name, 'no table');
    throw new AppError('file_is_no_table', { file: name, reason: noTable!['reason']!, ...noTable });
  }
  const before = mappingBeside(name, context.io.cwd);
  if (before !== undefined)
    return { ...mappedBefore(name, before, readText(before, context.io.cwd)), content };
  const likely = likelyResource(content.columns);
  const resource = typed.resource ?? likely?.resource;
  if (resource === undefined) {
    if (!isNamed) return leftOut(name, NOT_KNOWN);
    throw new AppError('usage', {
      reason: `${name}: ${NOT_KNOWN}; say it with --resource ${RESOURCES.join(', ')}`,
      command: 'init',
    });
  }
  const prepared = { file: name, resource, mapping: null, questions: 0, left_out: null, content };
  if (likely?.isOfInterface === true && content.encoding.name === 'utf-8' && typed.resource === undefined)
    return prepared;
  const request = { resource, descriptors: contract?.descriptors, file: name, showValues };
  const { text, questions } = draftMapping(content, request);
  return { ...prepared, mapping: `${name}.map.yaml`, questions: questions.length, mappingText: text };
}

/** What a mapping says that is there already, whether or not it can be used. */
function mappedBefore(file: string, mapping: string, text: string): Preparation {
  const said = /^resource: *['"]?([a-z-]+)/m.exec(text)?.[1];
  const resource = RESOURCES.find((each) => each === said);
  if (!resource) return leftOut(file, 'its mapping names no resource');
  const questions = text.match(/^\s*# QUESTION \d+:/gm)?.length ?? 0;
  return { file, resource, mapping, questions, left_out: null };
}

/** Why a file is left out that nobody has looked at. */
export const NOT_KNOWN = 'nothing says what it is';

const leftOut = (file: string, reason: string): Preparation => ({
  file,
  resource: null,
  mapping: null,
  questions: 0,
  left_out: reason,
});

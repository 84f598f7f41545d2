import { AppError } from '../../core/app-error.ts';
import { RESOURCES, type Resource } from '../../core/contract/resources.ts';
import { mappingBeside } from '../../files/data-files.ts';
import type { CommandContext } from '../command/command.ts';
import type { FormatFlags } from '../command/flags.ts';
import { readText } from '../command/typed-file.ts';
import { SOURCE_ENCODINGS, type SourceEncoding } from '../csv/encodings.ts';
import { conversionOf } from '../inspect/bytes/encoding-finding.ts';
import { draftMapping } from '../inspect/draft/draft-mapping.ts';
import { likelyResource } from '../inspect/draft/header-match.ts';
import { inspectionOf } from '../inspect/inspect.ts';
import type { FileProfile } from '../inspect/inspection.ts';
import type { AppliedContract } from '../sources/applied-contract.ts';
import type { PreparedFile } from './init-result.ts';
import { chosen, type Questioner } from './questioner.ts';
import type { Answer, AnswerLines, DraftQuestion, GivenAnswers } from '../inspect/draft/draft-text.ts';

/** A file, what it is, and the mapping to write; undefined when the file needs none, or has one. */
type Preparation = PreparedFile & { readonly mappingText?: string; readonly content?: FileProfile };

interface PreparationSetting {
  readonly context: CommandContext;
  readonly contract: AppliedContract | undefined;
  /** Undefined when nobody can be asked. */
  readonly questioner: Questioner | undefined;
  /** What the person has typed. A file that was named has to become a mapping; one of a folder may be left out. */
  readonly typed: FormatFlags &
    Readonly<{ file: readonly string[]; resource?: Resource; showValues?: boolean }>;
}

/**
 * Reads a file and drafts its mapping. Asks what the file does not decide. Leaves out a file of the folder that cannot be read, and says why.
 * @throws AppError `file_not_readable`, `file_is_no_table`; `usage` for a file that was named and that nobody knows
 */
export async function prepareFile(name: string, setting: PreparationSetting): Promise<Preparation> {
  const { context, contract, questioner, typed } = setting;
  const isNamed = typed.file.length > 0;
  const { encoding, delimiter, showValues = false } = typed;
  const inspection = await inspectionOf({ file: name, encoding, delimiter }, context).catch(
    (error: unknown) => {
      if (error instanceof AppError && !isNamed) return error;
      throw error;
    },
  );
  if (inspection instanceof AppError) return leftOut(name, 'cannot be read');
  const { content: found, noTable } = inspection;
  if (found === null) {
    if (!isNamed) return leftOut(name, 'no table');
    throw new AppError('file_is_no_table', { file: name, reason: noTable!['reason']!, ...noTable });
  }
  const before = mappingBeside(name, context.io.cwd);
  if (before !== undefined)
    return { ...mappedBefore(name, before, readText(before, context.io.cwd)), content: found };
  const content = questioner ? await inEncoding(name, found, { context, questioner }) : found;
  if (content === null) return leftOut(name, 'to be converted with iconv');
  const likely = likelyResource(content.columns);
  const resource =
    typed.resource ?? likely?.resource ?? (questioner && (await askedResource(name, questioner)));
  if (resource === undefined) {
    if (!isNamed) return leftOut(name, NOT_KNOWN);
    throw new AppError('usage', {
      reason: `${name}: ${NOT_KNOWN}; say it with --resource ${RESOURCES.join(', ')}`,
      command: 'init',
    });
  }
  if (resource === 'none') return leftOut(name, 'not part of the migration');
  const prepared = { file: name, resource, mapping: null, questions: 0, left_out: null, content };
  if (likely?.isOfInterface === true && content.encoding.name === 'utf-8' && typed.resource === undefined)
    return prepared;
  const request = { resource, descriptors: contract?.descriptors, file: name, showValues };
  const first = draftMapping(content, request);
  const given = questioner ? await givenAnswers(name, first.questions, questioner) : new Map();
  const { text, questions } = given.size === 0 ? first : draftMapping(content, { ...request, given });
  const open = questions.length - given.size;
  return { ...prepared, mapping: `${name}.map.yaml`, questions: open, mappingText: text };
}

/** Asks for the encoding that the file leaves open, and inspects the file again. Null for an encoding that is not read. */
async function inEncoding(
  name: string,
  content: FileProfile,
  { context, questioner }: { context: CommandContext; questioner: Questioner },
): Promise<FileProfile | null> {
  const { certainty, because, candidates } = content.encoding;
  if (certainty !== 'open') return content;
  const encoding = await chosen<SourceEncoding | 'none'>(questioner, {
    question: [`Which encoding is ${name} in (${because})? Each has the same words of the file.`],
    answers: [
      ...candidates.map((each) => ({ shown: `${each.name}: ${each.words.join(' | ')}`, means: each.name })),
      { shown: conversionOf(name), means: 'none' as const },
    ],
    others: (typed) => SOURCE_ENCODINGS.find((each) => each === typed),
  });
  if (encoding === undefined) return content;
  return encoding === 'none' ? null : (await inspectionOf({ file: name, encoding }, context)).content;
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

async function askedResource(name: string, questioner: Questioner): Promise<Resource | 'none' | undefined> {
  const answers = [...RESOURCES, 'none' as const].map((means) => ({
    shown: means === 'none' ? 'none of them: leave it out' : means,
    means,
  }));
  return chosen(questioner, { question: [`What are the rows of ${name}?`], answers });
}

/** Asks every question of a draft in turn. A question that a person leaves open has no answer. */
async function givenAnswers(
  name: string,
  questions: readonly DraftQuestion[],
  questioner: Questioner,
): Promise<GivenAnswers> {
  const given = new Map<number, AnswerLines>();
  for (const [at, question] of questions.entries()) {
    const text = `${name}, question ${at + 1} of ${questions.length}: ${question.text}`;
    const answer = await answerOf({ ...question, text }, questioner);
    if (answer) given.set(at + 1, answer);
  }
  return given;
}

async function answerOf(question: DraftQuestion, questioner: Questioner): Promise<AnswerLines | undefined> {
  const { text, key, answers, isOptional = false, isInParts = false, ofColumn } = question;
  if (isInParts) return completed(answers[0]!, questioner, [text]);
  const all: readonly { shown: string; means: Answer | readonly Answer[] }[] = [
    ...answers.map((answer) => ({ shown: `${key}: ${answer.lines.join(', ')}`, means: answer })),
    ...(isOptional ? [{ shown: `leave ${key} out`, means: { lines: [] } }] : []),
  ];
  if (all.length === 0 && !ofColumn) return undefined;
  const numbers = all.length === 0 ? [] : [all.length === 1 ? '1' : `a number from 1 to ${all.length}`];
  const found = await chosen<Answer | readonly Answer[]>(questioner, {
    question: [text, ...(ofColumn ? [`  columns: ${[...ofColumn.keys()].join(', ')}`] : [])],
    answers: all,
    others: (typed) => ofColumn?.get(typed)?.(),
    hint: [...numbers, ...(ofColumn ? ['the name of a column'] : [])].join(' or '),
  });
  const only = found && ('lines' in found ? found : found.length === 1 ? found[0] : undefined);
  if (found === undefined || only) return only && completed(only, questioner);
  return answerOf({ text: 'how is the column read?', key, answers: found as readonly Answer[] }, questioner);
}

/** The lines of an answer. Asks for what they lack. */
async function completed(
  { lines, table }: Answer,
  questioner: Questioner,
  title: readonly string[] = [],
): Promise<AnswerLines | undefined> {
  if (!table) return lines;
  const meant: string[] = [];
  for (const [at, question] of table.each.entries()) {
    const answer = await chosen(questioner, {
      question: [...(at === 0 ? title : []), question],
      answers: table.means.map((word) => ({ shown: word, means: word })),
    });
    if (answer === undefined) return undefined;
    meant.push(answer);
  }
  return meant.length === 0 ? undefined : table.lines(meant);
}

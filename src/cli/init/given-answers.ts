import type { Descriptors, Resource } from '../../core/contract/resources.ts';
import { knownValues } from '../inspect/draft/choice-draft.ts';
import type { FieldEntry } from '../inspect/draft/draft.ts';
import { flowYaml, type Answer, type DraftQuestion, type GivenAnswers } from '../inspect/draft/draft-text.ts';
import type { FileProfile } from '../inspect/inspection.ts';
import { chosen, type Questioner } from './questioner.ts';

/** The file and its resource, for questions about values. */
interface Asked {
  readonly content: FileProfile;
  readonly resource: Resource;
  readonly descriptors: Descriptors | undefined;
}

/** Asks every question of a draft in turn. A question that a person leaves open has no answer. */
export async function givenAnswers(
  name: string,
  questions: readonly DraftQuestion[],
  asked: Asked,
  questioner: Questioner,
): Promise<GivenAnswers> {
  const given = new Map<number, Answer>();
  for (const [at, question] of questions.entries()) {
    const title = `${name}, question ${at + 1} of ${questions.length}: `;
    const answer = question.parts
      ? await partsAnswer(title, question, questioner)
      : await answerOf(title, question, { ...asked, questioner });
    if (answer) given.set(at + 1, answer);
  }
  return given;
}

/** Asks about each line of an answer by itself. */
async function partsAnswer(
  title: string,
  { text, parts = [], answers: [lines = []], key }: DraftQuestion,
  questioner: Questioner,
): Promise<Answer | undefined> {
  const kept: string[] = [];
  const isLeftOut = (question: readonly string[]): Promise<boolean | undefined> =>
    chosen(questioner, {
      question,
      answers: [
        { shown: 'leave these lines out', means: true },
        { shown: 'they are records', means: false },
      ],
    });
  for (const [at, { fact, values }] of parts.entries()) {
    const asked = [...(at === 0 ? [`${title}${text}`] : []), `${key}, ${at + 1} of ${parts.length}: ${fact}`];
    const left: string[] = [];
    for (const [index, value] of (values ?? [null]).entries()) {
      const of = value === null ? [] : [`rows with ${flowYaml(value)}`];
      const answer = await isLeftOut([...(index === 0 ? asked : []), ...of]);
      if (answer === undefined) return undefined;
      if (answer) left.push(value ?? '');
    }
    if (left.length > 0)
      kept.push(values ? lines[at]!.replace('in: []', `in: ${flowYaml(left)}`) : lines[at]!);
  }
  return kept;
}

type Asking = Asked & { readonly questioner: Questioner };

async function answerOf(title: string, question: DraftQuestion, asking: Asking): Promise<Answer | undefined> {
  const { text, key, answers, entries, isOptional, ofColumn } = question;
  const names = asking.content.columns.flatMap(({ name, column }) => name ?? `COLUMN_${column}`);
  const all = answers.map((lines, at) => ({
    shown: `${key}: ${lines.join(', ')}`,
    means: { lines, entry: entries?.[at] },
  }));
  if (isOptional) all.push({ shown: `leave ${key} out`, means: { lines: [], entry: undefined } });
  if (all.length === 0 && !ofColumn) return undefined;
  const numbers = all.length === 0 ? [] : [all.length === 1 ? '1' : `a number from 1 to ${all.length}`];
  const found = await chosen<{ lines: Answer; entry: FieldEntry | undefined } | string>(asking.questioner, {
    question: [`${title}${text}`, ...(ofColumn ? [`  columns: ${names.join(', ')}`] : [])],
    answers: all,
    others: (typed) => (ofColumn && names.includes(typed) ? typed : undefined),
    hint: [...numbers, ...(ofColumn ? ['the name of a column'] : [])].join(' or '),
  });
  if (typeof found !== 'string') return found && withMeanings(found, key, asking);
  const ofIt = ofColumn!(found);
  const [only, ...others] = ofIt;
  if (only !== undefined && others.length === 0)
    return withMeanings({ lines: [flowYaml(only)], entry: only }, key, asking);
  const next = {
    text: `how is ${found} read?`,
    key,
    answers: ofIt.map((entry) => [flowYaml(entry)]),
    entries: ofIt,
  };
  return ofIt.length === 0 ? undefined : answerOf(title, next, asking);
}

/** Asks what each value means, where an answer has a table of values or the words for yes and no. */
async function withMeanings(
  { lines, entry }: { lines: Answer; entry: FieldEntry | undefined },
  key: string,
  { content, resource, descriptors, questioner }: Asking,
): Promise<Answer | undefined> {
  const {
    column,
    lookup,
    true_tokens: yes,
    false_tokens: no,
    ...keys
  } = (typeof entry === 'object' && entry !== null ? entry : {}) as {
    column?: string;
    lookup?: object;
    true_tokens?: unknown;
    false_tokens?: unknown;
  };
  const isFlag = yes !== undefined && no !== undefined;
  if (!isFlag && !Object.values(lookup ?? {}).includes('')) return lines;
  const values = content.columns.find(({ name }) => name === column)?.values;
  const known = isFlag ? ['yes', 'no'] : (knownValues(resource, key, descriptors) ?? []);
  if (!values || values.length > MOST_VALUES) return undefined;
  const meanings = new Map<string, string>();
  for (const value of values) {
    const means = await chosen(questioner, {
      question: [`What does ${flowYaml(value)} in ${flowYaml(column)} mean?`],
      answers: known.map((each) => ({ shown: each, means: each })),
    });
    if (means === undefined) return undefined;
    meanings.set(value, means);
  }
  const of = (meaning: string): readonly string[] =>
    values.filter((value) => meanings.get(value) === meaning);
  const answer = isFlag
    ? {
        ...(of('yes').length > 0 && { true_tokens: of('yes') }),
        ...(of('no').length > 0 && { false_tokens: of('no') }),
      }
    : { lookup: Object.fromEntries(meanings) };
  return [flowYaml({ column, ...answer, ...keys })];
}

/** A longer list of values is filled in with an editor. */
const MOST_VALUES = 50;

import type { Answer, AnswerLines, DraftQuestion, GivenAnswers } from '../inspect/draft/draft-text.ts';
import { chosen, type Questioner } from './questioner.ts';

/** Asks every question of a draft in turn. A question that a person leaves open has no answer. */
export async function givenAnswers(
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

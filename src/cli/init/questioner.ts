import { createInterface } from 'node:readline/promises';
import type { GlobalFlags } from '../command/command.ts';
import type { Io } from '../outside/io.ts';
import type { OnClose } from '../command/command-ports.ts';
import { escapeControl, escapedLines } from '../output/text/text.ts';

/** Asks the person at the terminal. */
export interface Questioner {
  /** Resolves with the typed line; an empty one when the person leaves the question open, or ends the input. */
  typed(lines: readonly string[]): Promise<string>;
}

/** Undefined where nobody can be asked: with --no-input, in CI, and where standard input or standard error is no terminal. */
export function openQuestioner(
  { stdin, stderr, env }: Pick<Io, 'stdin' | 'stderr' | 'env'>,
  { input, json }: GlobalFlags,
  onClose: OnClose,
): Questioner | undefined {
  if (!input || json || stdin.isTTY !== true || !stderr.isTTY || (env['CI'] ?? '') !== '') return undefined;
  const lines = createInterface({ input: stdin });
  onClose(() => lines.close());
  const answers = lines[Symbol.asyncIterator]();
  return {
    async typed(question) {
      stderr.write(`\n${escapedLines(question)}> `);
      const { value, done } = await answers.next();
      return done === true ? '' : String(value).trim();
    },
  };
}

/**
 * Lets a person choose one of several answers by its number. `others`: turns another text that may be typed into an answer.
 * Asks again after a text that is none. Undefined when the question is left open.
 */
export async function chosen<T>(
  questioner: Questioner,
  {
    question,
    answers,
    others = () => undefined,
    hint = `a number from 1 to ${answers.length}`,
  }: {
    readonly question: readonly string[];
    readonly answers: readonly { readonly shown: string; readonly means: T }[];
    readonly others?: (typed: string) => T | undefined;
    readonly hint?: string;
  },
): Promise<T | undefined> {
  const listed = answers.map(({ shown }, at) => `  ${at + 1}  ${escapeControl(shown)}`);
  let text = await questioner.typed([...question, ...listed, `Type ${hint}, or Enter to leave it open.`]);
  while (text !== '') {
    const answer = answers.find((_, at) => text === `${at + 1}`)?.means ?? others(text);
    if (answer !== undefined) return answer;
    text = await questioner.typed([`That is not ${hint}.`]);
  }
  return undefined;
}

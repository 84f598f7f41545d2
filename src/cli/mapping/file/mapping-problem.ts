import { sentenceOf } from '../../../core/error-codes/sentence.ts';
import { attrOfPath, failure, type Problem } from '../../../core/problem.ts';
import type { TextPosition } from '../../../core/yaml/yaml-text.ts';

/** A problem in a mapping file, and its position there. The path of the problem is the path of the key. */
export type MappingProblem = TextPosition & { readonly problem: Problem };

/** `fields.amount.fold must be one of earlier, later`. */
export function mappingSentence({ problem }: MappingProblem): string {
  return [attrOfPath(problem.path), sentenceOf(problem.code, problem.facts)]
    .filter((part) => part !== '')
    .join(' ');
}

/** The problem of a key without a value, with the question of a draft above the key. Other problems stay as they are. */
export function askedProblem(found: MappingProblem, text: string): MappingProblem {
  const { code, path } = found.problem;
  const question = `# QUESTION (\\d+): (.*(?:\\n *# {3}.*)*)(?:\\n *#.*)*\\n *${path.at(-1)}:`;
  const asked = code === 'mapping_question_open' ? new RegExp(question).exec(text) : null;
  if (!asked) return found;
  const line = text.slice(0, asked.index).split('\n').length;
  const reason = `is open; answer question ${asked[1]}, line ${line}: ${asked[2]!.replaceAll(/\n *# +/g, ' ')}`;
  const todo = `Remove the "# " of an answer below line ${line}, or write another one behind the key.`;
  return { ...found, problem: failure('mapping_question_open', path, { reason, todo }) };
}

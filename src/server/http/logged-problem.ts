import { sentenceOf, textsOf } from '../../core/error-codes/sentence.ts';
import { attrOfPath, platformPathOf, withoutNonField, type Problem } from '../../core/problem.ts';
import type { LoggedProblem } from './logged-request.ts';

/** How many problems of an answer are kept. */
const MOST = 50;

/** The errors of an answer with the paths of interface.md 7.1, whatever the shape of the answer. */
export function loggedProblems(problems: readonly Problem[]): readonly LoggedProblem[] {
  return problems
    .filter(({ severity }) => severity === 'error')
    .slice(0, MOST)
    .map((problem) => {
      const { code, facts } = problem;
      const { next } = textsOf(code, facts);
      const attr = attrOfPath(withoutNonField(platformPathOf(problem)));
      return { code, attr, detail: sentenceOf(code, facts), ...(next !== null && { next }) };
    });
}

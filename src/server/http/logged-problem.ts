import { adviceForClients, sentenceOf, textsOf } from '../../core/error-codes/sentence.ts';
import { attrOfPath, platformPathOf, withoutNonField, type Problem } from '../../core/problem.ts';
import type { LoggedProblem } from './logged-request.ts';
import { adviceForUnlisted, type SentTo } from './unlisted-advice.ts';

/** How many problems of an answer are kept. */
const MOST = 50;

/** Who reads the next steps of problems. */
export interface Reader {
  /** The user of `dataimport`, who corrects cells. The author of another client corrects requests. */
  readonly isOurs: boolean;
  /** Undefined when the request was sent to another endpoint than those of records. */
  readonly sentTo: SentTo | undefined;
}

/** The errors of an answer with the paths of interface.md 7.1, whatever the shape of the answer. */
export function loggedProblems(problems: readonly Problem[], reader: Reader): readonly LoggedProblem[] {
  return problems
    .filter(({ severity }) => severity === 'error')
    .slice(0, MOST)
    .map((problem) => {
      const { code, facts } = problem;
      const attr = attrOfPath(withoutNonField(platformPathOf(problem)));
      const field = attrOfPath(withoutNonField(problem.path));
      const next = reader.isOurs ? textsOf(code, facts).next : adviceForAuthor(problem, field, reader);
      return {
        code,
        attr,
        ...(field !== attr && { field }),
        detail: sentenceOf(code, facts),
        ...(next !== null && { next }),
      };
    });
}

function adviceForAuthor({ code, path, facts }: Problem, field: string, { sentTo }: Reader): string {
  const { expected } = facts;
  if (code === 'invalid' && expected !== undefined && expected !== 'valid')
    return `${field === '' ? 'The body' : `\`${field}\``} has to be ${expected}.`;
  const isUnlisted = code === 'unexpected_field' && facts['of'] === undefined;
  const unlisted = isUnlisted && sentTo ? adviceForUnlisted(path, sentTo) : undefined;
  return unlisted ?? adviceForClients(code, field === '' ? facts : { ...facts, field });
}

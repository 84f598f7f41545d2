import { adviceForClients, sentenceOf, textsOf } from '../../core/error-codes/sentence.ts';
import { attrOfPath, platformPathOf, withoutNonField, type Problem } from '../../core/problem.ts';
import { valueAt } from '../../core/rules/schema-problems.ts';
import type { LoggedProblem } from './logged-request.ts';

/** How many problems of an answer are kept. */
const MOST = 50;

/** Who reads the next steps of problems. */
export interface Reader {
  /** The user of `dataimport`, who corrects cells. The author of another client corrects requests. */
  readonly isOurs: boolean;
  /** The body of the request as JSON. */
  json(): unknown;
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
      const next = reader.isOurs ? textsOf(code, facts).next : adviceForValue(problem, field, reader);
      return {
        code,
        attr,
        ...(field !== attr && { field }),
        detail: sentenceOf(code, facts),
        ...(next !== null && { next }),
      };
    });
}

/** Names what the value is, where that is what is wrong with it. */
function adviceForValue({ code, path, facts }: Problem, field: string, { json }: Reader): string {
  const expected = facts['expected'];
  if (code === 'invalid' && expected !== undefined && expected !== 'valid') {
    const kind = kindOf(valueAt(json(), withoutNonField(path)));
    const name = field === '' ? 'the body' : `\`${field}\``;
    return `${capitalized(name)} ${kind === undefined ? '' : `is ${kind}; it `}has to be ${expected}.`;
  }
  return adviceForClients(code, field === '' ? facts : { ...facts, field });
}

/** A text is not named, because its content is what is wrong. */
function kindOf(value: unknown): string | undefined {
  if (Array.isArray(value)) return 'a list';
  if (value === null) return 'null';
  return KINDS[typeof value];
}

const KINDS: Readonly<Partial<Record<string, string>>> = {
  number: 'a number',
  boolean: 'true or false',
  object: 'an object',
};

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

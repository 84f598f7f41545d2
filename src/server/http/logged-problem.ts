import { adviceForClients, sentenceOf, textsOf } from '../../core/error-codes/sentence.ts';
import { attrOfPath, platformPathOf, withoutNonField, type Problem } from '../../core/problem.ts';
import { valueAt } from '../../core/rules/schema-problems.ts';
import { plainJson } from '../../core/values/plain-json.ts';
import type { LoggedProblem } from './logged-request.ts';
import { adviceForUnlisted, type SentTo } from './unlisted-advice.ts';

/** How many problems of an answer are kept. */
const MOST = 50;

/** Who reads the next steps of problems. */
export interface Reader {
  /** The user of `dataimport`, who corrects cells. The author of another client corrects requests. */
  readonly isOurs: boolean;
  /** The body of the request. */
  text(): string;
  /** Undefined when the request was sent to another endpoint than those of records. */
  readonly sentTo: SentTo | undefined;
}

/** The errors of an answer with the paths of interface.md 7.1, whatever the shape of the answer. */
export function loggedProblems(problems: readonly Problem[], reader: Reader): readonly LoggedProblem[] {
  let parsed: unknown;
  // Parsed once, and only for a problem that needs it, because a body may be large.
  const body = (): unknown => (parsed ??= plainJson(reader.text()));
  return problems
    .filter(({ severity }) => severity === 'error')
    .slice(0, MOST)
    .map((problem) => {
      const { code, facts } = problem;
      const attr = attrOfPath(withoutNonField(platformPathOf(problem)));
      const field = attrOfPath(withoutNonField(problem.path));
      const next = reader.isOurs
        ? textsOf(code, facts).next
        : adviceForValue(problem, { field, body, sentTo: reader.sentTo });
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
function adviceForValue(
  { code, path, facts }: Problem,
  { field, body, sentTo }: { field: string; body: () => unknown; sentTo: SentTo | undefined },
): string {
  const expected = facts['expected'];
  if (code === 'invalid' && expected !== undefined && expected !== 'valid') {
    const kind = kindOf(valueAt(body(), withoutNonField(path)), String(expected));
    const name = field === '' ? 'the body' : `\`${field}\``;
    return `${capitalized(name)} ${kind === undefined ? '' : `is ${kind}; it `}has to be ${expected}.`;
  }
  const isUnlisted = code === 'unexpected_field' && facts['of'] === undefined;
  const unlisted = isUnlisted && sentTo ? adviceForUnlisted(path, sentTo) : undefined;
  return unlisted ?? adviceForClients(code, field === '' ? facts : { ...facts, field });
}

/** Undefined where the value has the right type, so that its content is what is wrong. */
function kindOf(value: unknown, expected: string): string | undefined {
  if (Array.isArray(value)) return 'a list';
  if (value === null) return 'null';
  const kind = KINDS[typeof value];
  return OF_OTHER_TYPE[typeof value]?.test(expected) ? kind : undefined;
}

const KINDS: Readonly<Partial<Record<string, string>>> = {
  string: 'text',
  number: 'a number',
  boolean: 'true or false',
  object: 'an object',
};

/** Words of what is expected where a value of the type cannot be it. */
const OF_OTHER_TYPE: Readonly<Partial<Record<string, RegExp>>> = {
  string: /^(an object|true or false|a (whole )?number)/,
  number: /^(?!.*(number|decimal))/,
  boolean: /^(?!true or false)/,
  object: /^(?!an object)/,
};

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

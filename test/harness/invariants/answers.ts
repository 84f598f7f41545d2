import { violation, type Violation } from './violation.ts';

/** The statuses that any request may get. 302 leads from `/` to the page, 505 is for another version of HTTP. */
const STATUSES: ReadonlySet<number> = new Set([
  100, 200, 201, 302, 400, 401, 403, 404, 405, 408, 413, 415, 417, 421, 431, 505,
]);

/** An answer of the platform. */
export interface Answered {
  readonly status: number;
  readonly contentType: string | undefined;
  readonly body: string;
  /** False for an answer to HEAD. */
  readonly hasBody: boolean;
}

/** Checks I12 for one answer. */
export function answerViolations({ status, contentType, body, hasBody }: Answered): readonly Violation[] {
  const found: Violation[] = [];
  if (!STATUSES.has(status)) found.push(violation('I12', `the status is ${status}`));
  // A redirect has a text for those who see it.
  if (!hasBody || status === 100 || status === 302) return found;
  if (!/^application\/(json|x-ndjson)/.test(contentType ?? ''))
    return [...found, violation('I12', `the answer ${status} is no JSON but ${contentType ?? 'nothing'}`)];
  if (status >= 400 && !isErrorOfTheInterface(parsed(body), status))
    found.push(violation('I12', `the answer ${status} has none of the shapes of the interface`));
  return found;
}

/** Checks I13. `stored`: how many records the platform has more than before these answers. */
export function storedViolations(
  answers: readonly Pick<Answered, 'status' | 'body'>[],
  stored: number,
): readonly Violation[] {
  const reported = answers.reduce((sum, answer) => sum + storedBy(answer), 0);
  return stored === reported
    ? []
    : [violation('I13', `the answers report ${reported} stored records, and there are ${stored}`)];
}

/** How many stored records a 201 reports. */
function storedBy({ status, body }: Pick<Answered, 'status' | 'body'>): number {
  const answer = parsed(body);
  if (status !== 201) return 0;
  if (Array.isArray(answer)) return answer.filter((item) => item.status === 'NOTE_CREATION_SUCCESS').length;
  const { results, statements } = answer as { results?: { status: string }[]; statements?: unknown[] };
  if (results) return results.filter(({ status: each }) => each === 'TRANSACTION_ADDED_TO_ACCOUNT').length;
  return statements?.length ?? 1;
}

/** The shapes 1 and 4 of deployments.md, "Responses". */
function isErrorOfTheInterface(answer: unknown, status: number): boolean {
  if (typeof answer !== 'object' || answer === null) return false;
  const { detail, code, errors, error_detail: errorDetail } = answer as Readonly<Record<string, unknown>>;
  if (typeof errorDetail === 'string') return status === 400;
  const isPlain = typeof detail === 'string' && typeof code === 'string';
  return isPlain && (status !== 400 || Array.isArray(errors));
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

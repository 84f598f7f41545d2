import { violation, type Violation } from './violation.ts';

/** What the platform may say to anything at all; 505 is said to those who speak another HTTP. */
const STATUSES: ReadonlySet<number> = new Set([
  100, 200, 201, 400, 401, 403, 404, 405, 408, 413, 415, 417, 421, 431, 505,
]);

/** An answer as it came. */
export interface Answered {
  readonly status: number;
  readonly contentType: string | undefined;
  readonly body: string;
  /** The answer to HEAD has none. */
  readonly hasBody: boolean;
}

/** I12: whatever was sent. */
export function answerViolations({ status, contentType, body, hasBody }: Answered): readonly Violation[] {
  const found: Violation[] = [];
  if (!STATUSES.has(status)) found.push(violation('I12', `the status is ${status}`));
  if (!hasBody || status === 100) return found;
  if (!/^application\/(json|x-ndjson)/.test(contentType ?? ''))
    return [...found, violation('I12', `the answer ${status} is no JSON but ${contentType ?? 'nothing'}`)];
  if (status >= 400 && !isErrorOfTheInterface(parsed(body), status))
    found.push(violation('I12', `the answer ${status} has no shape of the interface`));
  return found;
}

/** I13: `stored` is how many records the platform holds more than before these answers. */
export function storedViolations(
  answers: readonly Pick<Answered, 'status' | 'body'>[],
  stored: number,
): readonly Violation[] {
  const told = answers.reduce((sum, answer) => sum + storedBy(answer), 0);
  return stored === told ? [] : [violation('I13', `${told} records are told as stored, ${stored} are`)];
}

/** How many records a 200 or 201 says that it stored. */
function storedBy({ status, body }: Pick<Answered, 'status' | 'body'>): number {
  const told = parsed(body);
  if (status !== 201) return 0;
  if (Array.isArray(told)) return told.filter((item) => item.status === 'NOTE_CREATION_SUCCESS').length;
  const { results, statements } = told as { results?: { status: string }[]; statements?: unknown[] };
  if (results) return results.filter(({ status: each }) => each === 'TRANSACTION_ADDED_TO_ACCOUNT').length;
  return statements?.length ?? 1;
}

/** The shapes 1 and 4 of deployments.md, "Responses". */
function isErrorOfTheInterface(told: unknown, status: number): boolean {
  if (typeof told !== 'object' || told === null) return false;
  const { detail, code, errors, error_detail: errorDetail } = told as Readonly<Record<string, unknown>>;
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

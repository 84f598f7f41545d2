import { ENDPOINTS } from '../../core/contract/endpoints.ts';
import { TOKEN_SCHEME } from '../../core/contract/token.ts';
import { adviceForClients, sentenceOf } from '../../core/error-codes/sentence.ts';
import { isErrorCode } from '../../core/error-codes/table.ts';
import { nearestName } from '../../core/suggestion.ts';
import { plainJson } from '../../core/values/plain-json.ts';
import { loggedProblems, type Reader } from '../http/logged-problem.ts';
import type { LoggedProblem, RequestSubject } from '../http/logged-request.ts';
import type { Answer } from '../http/answer.ts';
import type { RequestContext } from './request-context.ts';
import { matchRoute } from './route-match.ts';

/** The problems of a refused request, with the next steps of whoever sent it: a user of `dataimport`, or the author of another client. */
export function problemsFor(
  context: RequestContext,
  answer: Answer,
  codes: readonly string[],
  subject: RequestSubject,
): readonly LoggedProblem[] {
  const { request, body } = context;
  const isOurs = (request.headers['user-agent'] ?? '').startsWith('dataimport/');
  const reader: Reader = { isOurs, json: () => plainJson(Buffer.from(body ?? []).toString()) };
  if (answer.problems) return loggedProblems(answer.problems, reader);
  return codes.map((code) => {
    const problem = { code, attr: '', detail: isErrorCode(code) ? sentenceOf(code) : '' };
    if (isOurs || !isErrorCode(code)) return problem;
    const supplier = subject.import_supplier;
    const next = ADVICE[code]?.(context) ?? adviceForClients(code, supplier === null ? {} : { supplier });
    return { ...problem, next };
  });
}

/** What only the request tells. Undefined when it does not tell more than the code. */
const ADVICE: Readonly<Record<string, (context: RequestContext) => string | undefined>> = {
  not_authenticated: adviceForToken,
  authentication_failed: adviceForToken,
  not_found: adviceForPath,
  method_not_allowed: ({ match }) => match && `Send ${match.allowed.join(' or ')}.`,
};

function adviceForToken({ request, tokenPath }: RequestContext): string | undefined {
  const send = `send \`Authorization: ${TOKEN_SCHEME} <token>\``;
  const [header = '', ...others] = request.headersDistinct['authorization'] ?? [];
  const [scheme = '', ...parts] = header.split(/\s+/).filter((part) => part !== '');
  if (others.length > 0) return `You sent the header Authorization twice; ${send} once.`;
  if (scheme === '')
    return `You sent no header Authorization; ${send}. POST ${tokenPath} gives a token for an API key.`;
  const isToken = scheme.toLowerCase() === TOKEN_SCHEME.toLowerCase();
  if (isToken && parts.length === 0) return `You sent no token; ${send}.`;
  if (isToken && parts.length > 1) return `You sent more than a token; ${send}.`;
  if (isToken) return undefined;
  // A word without another one may be the secret itself.
  const named = parts.length > 0 && /^[A-Za-z-]{1,16}$/.test(scheme);
  return named ? `You sent the scheme ${scheme}; ${send}.` : `You sent a token without its scheme; ${send}.`;
}

/** A longer path is no mistyped one, and comparing it takes time. */
const LONGEST = 128;

/** Paths of the interface without names in them. */
const PLAIN_PATHS = Object.values(ENDPOINTS)
  .map(({ path }) => path)
  .filter((path) => !path.includes(':'));

function adviceForPath({ match, method, target, tokenPath }: RequestContext): string | undefined {
  if (match) return undefined;
  const [path = ''] = target.split('?', 1);
  const isKnown = (other: string): boolean => other === tokenPath || matchRoute(method, other) !== undefined;
  const meant = (other: string, how: string): string => `Did you mean ${other}${how}?`;
  if (isKnown(`${path}/`)) return meant(`${path}/`, ' (with the slash)');
  const single = path.replaceAll(/\/{2,}/g, '/');
  if (single !== path && isKnown(single)) return meant(single, ' (with single slashes)');
  const whole = PLAIN_PATHS.find((known) => known.endsWith(single.replace(/\/?$/, '/')) && single.length > 1);
  const near = whole ?? (path.length < LONGEST ? nearestName(path, [...PLAIN_PATHS, tokenPath]) : undefined);
  return near === undefined ? undefined : meant(near, '');
}

import { TOKEN_SCHEME } from '../../core/contract/token.ts';
import { adviceForClients, sentenceOf } from '../../core/error-codes/sentence.ts';
import { isErrorCode } from '../../core/error-codes/table.ts';
import { attrOfPath, platformPathOf, withoutNonField, type Facts, type Problem } from '../../core/problem.ts';
import { isTokenScheme } from './guards.ts';
import { isJsonObject } from '../../core/values/plain-json.ts';
import type { LoggedProblem, RequestSubject } from '../http/logged-request.ts';
import type { Answer } from '../http/answer.ts';
import { routedPath, type RequestContext } from './request-context.ts';
import { matchRoute } from './route-match.ts';

const MOST = 50;

/** The problems of a refused request, each with the next step of the author of its client. */
export function problemsFor(
  context: RequestContext,
  answer: Answer,
  codes: readonly string[],
  subject: RequestSubject,
): readonly LoggedProblem[] {
  if (answer.problems) {
    return answer.problems
      .filter(({ severity }) => severity === 'error')
      .slice(0, MOST)
      .map(loggedProblem);
  }
  if (answer.hidden) return [{ attr: '', ...answer.hidden }];
  const supplier = subject.import_supplier;
  const facts: Facts = { ...(supplier !== null && { supplier }), ...answer.facts };
  const { body } = answer;
  const detail = isJsonObject(body) && typeof body['detail'] === 'string' ? body['detail'] : '';
  return codes.map((code) => {
    const next = ADVICE[code]?.(context) ?? (isErrorCode(code) && adviceForClients(code, facts));
    const field = String(facts['field'] ?? FIELDS_OF_REQUEST[code] ?? '');
    return { code, attr: '', field, detail, ...(next && { next }) };
  });
}

/** The field that is looked at first when an answer refuses a request as a whole. */
const FIELDS_OF_REQUEST: Readonly<Record<string, string>> = {
  account_not_found: 'external_account_number',
  permission_denied: 'import_supplier',
};

/** An error with the paths of interface.md 7.1, whatever the shape of the answer. */
function loggedProblem(problem: Problem): LoggedProblem {
  const { code, facts } = problem;
  const attr = attrOfPath(withoutNonField(platformPathOf(problem)));
  const field = attrOfPath(withoutNonField(problem.path));
  const next = adviceFor(problem, field);
  return { code, attr, ...(field !== attr && { field }), detail: sentenceOf(code, facts), next };
}

function adviceFor({ code, facts }: Problem, field: string): string {
  const { expected } = facts;
  if (code === 'invalid' && expected !== undefined && expected !== 'valid')
    return `${field === '' ? 'The body' : `\`${field}\``} has to be ${expected}.`;
  return adviceForClients(code, field === '' ? facts : { ...facts, field });
}

/** What only the request tells. Undefined when it does not tell more than the code. */
const ADVICE: Readonly<Record<string, (context: RequestContext) => string | undefined>> = {
  not_authenticated: adviceForToken,
  authentication_failed: adviceForToken,
  not_found: adviceForPath,
  // A path of the interface has one method, and HEAD beside GET, for which a client has no use.
  method_not_allowed: ({ match, request: { headers, method } }) =>
    method === 'OPTIONS' && headers.origin !== undefined ? NO_CORS : match && `Send ${match.allowed[0]}.`,
  unsupported_media_type: () =>
    'Send the body as it is, with `content-type: application/json`, in UTF-8 and without `content-encoding`.',
  misdirected_request: () =>
    'Send to the address that `serve` prints, or let it listen on a network with `--host` and `--allow-network`, which takes any name.',
  cross_site_request: () => NO_CORS,
};

const NO_CORS =
  'This API has no CORS, so a browser does not call it for a page of another origin: call it from a server, or through a proxy of your own. `serve --behaviour cors=ORIGIN` allows it here.';

function adviceForToken({ request, server: { platform } }: RequestContext): string {
  const { tokenPath } = platform.behaviour;
  const [header = ''] = request.headersDistinct['authorization'] ?? [];
  const [scheme] = header.split(/\s+/);
  // The scheme is not repeated, because it may be the secret itself.
  return isTokenScheme(scheme, platform)
    ? `Send the \`token\` that POST ${tokenPath} answers, once, whole and without quotes; a restart of the platform ends it. An API key and a refresh token are no tokens.`
    : `Send \`Authorization: ${TOKEN_SCHEME} <token>\`. POST ${tokenPath} gives a token for an API key.`;
}

function adviceForPath({ match, method, path, server }: RequestContext): string | undefined {
  // A list without accounts may be a 404, too.
  if (match) return 'The supplier has no account for this list: this platform answers 404 then.';
  const withSlash = `${path.replaceAll(/\/{2,}/g, '/').replace(/\/$/, '')}/`;
  const isKnown =
    matchRoute(method, routedPath(withSlash, server.platform.behaviour.tokenPath)) !== undefined;
  return isKnown ? `Did you mean ${withSlash}, with single slashes and one at its end?` : undefined;
}

import type { IncomingHttpHeaders } from 'node:http';
import type { Outcome } from '../faults/fault-pipeline.ts';
import { Refusal, refusal, Text, type Answer } from '../http/answer.ts';
import { closeAfterAnswer } from '../http/closing.ts';
import { isLoopback } from '../http/hosts.ts';
import {
  CROSS_SITE,
  EXPECTATION_UNKNOWN,
  HOST_UNCLEAR,
  MISDIRECTED,
  TOO_MANY_HEADERS,
  VERSION_UNKNOWN,
} from '../http/malformed-request.ts';
import { MAX_HEADERS } from '../options/http-limits.ts';
import { LINKED_PATHS } from '../routes/page-routes.ts';
import type { Method } from '../routes/route.ts';
import type { LocalServer } from '../local-server/local-server.ts';
import type { RequestContext } from './request-context.ts';
import type { RouteMatch } from './route-match.ts';
import { TOKEN_SCHEME } from '../../core/contract/token.ts';
import type { Caller } from '../auth/tokens.ts';

/** A check of a request before its body is read. It returns an outcome when a fault ends the request. */
export type Guard = (context: RequestContext) => Outcome | null | undefined | void;

/** Tells a client that faults are active, but not which. */
const FAULT_HEADER = 'x-dataimport-fault';

/**
 * The guards in their order, each with its reason. The checks after the body are in `routes/record-route.ts`.
 * @param isOurs whether a Host header names this server
 * @param isLocal whether only this machine can reach the server; other machines reach it by names that it does not know
 */
export function guardsOf(isOurs: (host?: string) => boolean, isLocal: boolean): readonly Guard[] {
  return [
    // Node's parser accepts requests that a proxy would read differently.
    function requestIsPlain({ request, response }) {
      if (request.httpVersion !== '1.1') throw new Refusal(VERSION_UNKNOWN);
      if (request.rawHeaders.length > 2 * MAX_HEADERS) throw new Refusal(TOO_MANY_HEADERS);
      // Node takes the first of two Host headers, but a proxy may have checked the second. The two may also disagree about
      // where the next request starts.
      if (request.headersDistinct['host']?.length !== 1) {
        closeAfterAnswer(request.socket, response);
        throw new Refusal(HOST_UNCLEAR);
      }
      if (!isExpectationKnown(request.headers)) throw new Refusal(EXPECTATION_UNKNOWN);
    },
    // Early, so that a page that points its own name at this machine learns nothing.
    function hostIsOurs(context) {
      const { request, response, target, match, server } = context;
      const mayHaveAnyHost = !isLocal && match?.access !== 'loopback';
      // `targetOf` removes our own host from a URL, so a remaining host belongs to a request for a proxy.
      if (!(mayHaveAnyHost || isOurs(request.headers.host)) || !target.startsWith('/'))
        throw new Refusal(MISDIRECTED);
      context.isOurs = true;
      if (server.faultPipeline.isActive()) response.setHeader(FAULT_HEADER, 'armed');
    },
    // Before the token, as in the platform's framework. A 404 for a path reveals nothing about data.
    function pathIsKnown({ match }) {
      if (!match) throw new Refusal(refusal('not_found'));
    },
    // A browser asks with OPTIONS before a page sends anything that has a token or a JSON body.
    function pageMayCall(context) {
      if (!isOfNamedPage(context)) return undefined;
      const { request, response, method, match } = context;
      response.setHeader('access-control-allow-origin', request.headers.origin!);
      response.setHeader('access-control-expose-headers', 'retry-after');
      response.setHeader('vary', 'origin');
      if (method !== 'OPTIONS') return undefined;
      const headers = {
        'access-control-allow-methods': match!.allowed.join(', '),
        'access-control-allow-headers': 'authorization, content-type',
      };
      return { kind: 'answer', answer: { status: 204, body: new Text('', null), headers } };
    },
    // No path has other methods. A browser sends OPTIONS to ask whether a foreign page may go on.
    function methodIsOfTheInterface({ method, match }) {
      if (!KNOWN_METHODS.has(method)) throw new Refusal(methodNotAllowed(match!));
    },
    function pageIsOurs(context) {
      const { request, method, match } = context;
      const { headers } = request;
      if (isOfNamedPage(context)) return;
      // A page may have pointed its own name at this machine.
      const isOfOtherName = headers.origin !== undefined && !isOurs(headers.host);
      if (!isOfOtherName && !isFromForeignPage(headers)) return;
      const isLink = method === 'GET' && LINKED_PATHS.has(match!.path) && isOpenedAsPage(headers);
      if (!isLink) throw new Refusal(CROSS_SITE);
    },
    // The admin API does not exist for other machines.
    function adminIsLocal({ request, match }) {
      if (match!.access === 'loopback' && !isLoopback(request.socket.remoteAddress))
        throw new Refusal(refusal('not_found'));
    },
    // A gateway between client and platform fails before anybody checks the token.
    function faultAtHead({ match, server, faults }) {
      const { endpoint, route } = match!;
      return endpoint && route && server.faultPipeline.enter(endpoint, (fault) => faults.push(fault));
    },
    // Before the body, so that strangers cannot make us read megabytes.
    function callerIsKnown(context) {
      const { request, match, server } = context;
      if (match!.access === 'token')
        context.caller = authenticate(request.headersDistinct['authorization'], server);
    },
    // After the token: the order of checks in deployments.md, "Framework behaviour".
    function methodIsAllowed({ match }) {
      if (!match!.route) throw new Refusal(methodNotAllowed(match!));
    },
    // Any other body is a form or script of a foreign page, or text in an encoding that we would misread.
    function bodyIsReadable({ request: { headers }, method, match }) {
      const isReadable = isJson(headers) || isEmptyCall(headers, match!);
      if (takesBody(method) && !isReadable) throw new Refusal(refusal('unsupported_media_type'));
    },
    // Before the client is asked for the body. A body without an announced size is counted while it is read.
    function bodyIsSmallEnough(context) {
      const limit = bodyLimitOf(context);
      if (Number.parseInt(context.request.headers['content-length']!, 10) > limit)
        throw new Refusal(refusal('payload_too_large', { limit }));
    },
  ];
}

/** Whether a page of the origin that `--behaviour cors` names calls the interface. The admin API stays closed to it. */
function isOfNamedPage({ request, match, server }: RequestContext): boolean {
  const { cors } = server.platform.behaviour;
  return cors !== undefined && request.headers.origin === cors && match!.access !== 'loopback';
}

/** Whether a call of the admin API has no body, as `curl -X POST` sends it. A foreign page is refused before. */
function isEmptyCall(headers: IncomingHttpHeaders, { access }: RouteMatch): boolean {
  const { 'content-length': length = '0', 'transfer-encoding': coding } = headers;
  return access === 'loopback' && length === '0' && coding === undefined;
}

/** A request for a token comes from anybody and has two short texts. */
const TOKEN_BODY_BYTES = 64 * 1024;

/** Largest body of a path, in bytes. */
export function bodyLimitOf({ match, server }: RequestContext): number {
  const { bodyLimitBytes } = server.platform.behaviour;
  return match!.access === 'open' ? Math.min(bodyLimitBytes, TOKEN_BODY_BYTES) : bodyLimitBytes;
}

/** Whether the body of a request with this method is read. */
export const takesBody = (method: string): boolean => TAKES_BODY.has(method);

const TAKES_BODY: ReadonlySet<string> = new Set(['POST', 'PUT'] satisfies Method[]);

const KNOWN_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']);

function methodNotAllowed({ allowed }: RouteMatch): Answer {
  return refusal('method_not_allowed', {}, { allow: allowed.join(', ') });
}

/**
 * Finds the caller by the rules of Django REST framework (deployments.md, "Framework behaviour"): the scheme in any case,
 * white space, one token. Two headers are refused, because a proxy may have checked the other one.
 * @throws Refusal 401 with `WWW-Authenticate: Token`
 */
function authenticate(headers: readonly string[] = [''], { tokens, platform }: LocalServer): Caller {
  const [header, ...others] = headers;
  const [scheme, token, ...more] = header!.split(/\s+/);
  if (!isTokenScheme(scheme, platform)) throw unauthenticated('not_authenticated');
  const caller = token === undefined || more.length + others.length > 0 ? undefined : tokens.read(token);
  if (!caller) throw unauthenticated('authentication_failed');
  return caller;
}

/** Whether a word before a token is one of the contract that the platform plays, or that of the interface where it names none. */
export function isTokenScheme(
  scheme: string | undefined,
  { contract }: Pick<LocalServer['platform'], 'contract'>,
): boolean {
  const said = contract?.authorization.filter((word) => /^\w+$/.test(word)) ?? [];
  const words = said.length > 0 ? said : [TOKEN_SCHEME];
  return words.some((word) => word.toLowerCase() === scheme?.toLowerCase());
}

function unauthenticated(code: 'not_authenticated' | 'authentication_failed'): Refusal {
  return new Refusal(refusal(code, {}, { 'www-authenticate': TOKEN_SCHEME }));
}

const JSON_IN_UTF8 = /^application\/json[ \t]*(?:;[ \t]*charset[ \t]*=[ \t]*"?utf-?8"?[ \t]*)?;?[ \t]*$/i;

/**
 * Whether the headers announce uncompressed JSON in UTF-8. A browser asks before it sends such a body to another site,
 * and this server never allows it, so no foreign page can post here.
 */
function isJson(headers: IncomingHttpHeaders): boolean {
  const isCompressed = (headers['content-encoding'] ?? 'identity').toLowerCase() !== 'identity';
  return JSON_IN_UTF8.test(headers['content-type'] ?? '') && !isCompressed;
}

/** The values of Fetch Metadata for requests of this server's own page, or of the user. */
const OWN_SITES = new Set(['same-origin', 'none']);

/**
 * Whether a page of another site sent the request. A browser sends `Origin` with every request that could change
 * something, and `Sec-Fetch-Site` with every request. Programs send neither.
 */
function isFromForeignPage(headers: IncomingHttpHeaders): boolean {
  const { origin, 'sec-fetch-site': site } = headers;
  // An earlier guard has checked that the Host header names this server.
  if (origin !== undefined && origin.toLowerCase() !== `http://${headers.host?.toLowerCase()}`) return true;
  return site !== undefined && !OWN_SITES.has(String(site));
}

/** Whether a browser opens the address as a page of its own, as after a click on a link. Neither a script nor a frame does that. */
function isOpenedAsPage({ origin, ...headers }: IncomingHttpHeaders): boolean {
  return (
    origin === undefined &&
    headers['sec-fetch-mode'] === 'navigate' &&
    headers['sec-fetch-dest'] === 'document'
  );
}

/** Whether this server can meet the `Expect` header. */
function isExpectationKnown({ expect }: IncomingHttpHeaders): boolean {
  return expect === undefined || expect.toLowerCase() === '100-continue';
}

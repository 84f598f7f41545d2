import { isLoopback } from '../http/hosts.ts';
import { Refusal, refusal, type Answer } from '../http/answer.ts';
import { authenticate } from '../auth/authentication.ts';
import { closeAfterAnswer } from '../http/closing.ts';
import { enterWorld, worldOf, type Exchange } from './request-context.ts';
import { isExpectationKnown } from '../http/expectation.ts';
import { isFromForeignPage } from '../http/foreign-page.ts';
import { MAX_HEADERS } from '../options/http-limits.ts';
import {
  CROSS_SITE,
  EXPECTATION_UNKNOWN,
  HOST_UNCLEAR,
  MISDIRECTED,
  TOO_MANY_HEADERS,
  VERSION_UNKNOWN,
} from '../http/malformed-request.ts';
import { isJson, isNdJson } from '../http/media-type.ts';
import type { Place } from './route-match.ts';
import type { Method } from '../routes/route.ts';
import { worldOfHead } from './tenant-of-request.ts';
import type { Worlds } from '../tenants/tenants.ts';

interface StepOptions {
  /** Whether a Host header names this server. */
  readonly isOurs: (host: string | undefined) => boolean;
  readonly worlds: Worlds;
  readonly bodyLimitBytes: number;
}

/** @throws Refusal, Faulted */
export type Step = (exchange: Exchange) => void;

/** What a request has to pass before a byte of its body is read, in this order. The steps after it: `record-route.ts`. */
export function stepsBeforeBody({ isOurs, worlds, bodyLimitBytes }: StepOptions): readonly Step[] {
  return [
    // What Node's parser lets pass and no other reader would understand in the same way.
    function requestIsPlain({ request, response }) {
      if (request.httpVersion !== '1.1') throw new Refusal(VERSION_UNKNOWN);
      if (request.rawHeaders.length > 2 * MAX_HEADERS) throw new Refusal(TOO_MANY_HEADERS);
      // Node takes the first of two Host headers, and a proxy may have looked at the second; nor do both agree then on
      // what comes behind it.
      if (request.headersDistinct['host']?.length !== 1) {
        closeAfterAnswer(request.socket, response);
        throw new Refusal(HOST_UNCLEAR);
      }
      if (!isExpectationKnown(request.headers)) throw new Refusal(EXPECTATION_UNKNOWN);
    },
    // Before all that tells something, so that a page that points its own name at this machine learns nothing at all.
    function hostIsOurs({ request, target }) {
      // A URL that still has a host is meant for a proxy: `targetOf` takes off only one that is ours.
      if (!isOurs(request.headers.host) || !target.startsWith('/')) throw new Refusal(MISDIRECTED);
    },
    // Before the token, because that is where the platform's framework finds out; and nothing about data is told by it.
    function pathIsKnown({ place }) {
      if (!place) throw new Refusal(refusal('not_found'));
    },
    // No path has these; a browser asks with OPTIONS whether a foreign page may go on.
    function methodIsOfTheInterface({ method, place }) {
      if (!KNOWN_METHODS.has(method)) throw new Refusal(methodNotAllowed(place));
    },
    function pageIsOurs({ request }) {
      if (isFromForeignPage(request.headers)) throw new Refusal(CROSS_SITE);
    },
    // The admin API is for this machine only; to others it does not exist.
    function isNearEnough({ request, place }) {
      if (place?.access === 'loopback' && !isLoopback(request.socket.remoteAddress))
        throw new Refusal(refusal('not_found'));
    },
    // Before the token is looked at, because each world has tokens of its own.
    function worldIsFound(exchange) {
      const { request, method, place, query } = exchange;
      const isWorldless = place?.routeFor(method)?.worldless ?? false;
      const { headers } = request;
      enterWorld(exchange, worldOfHead({ access: place?.access, isWorldless, headers, query }, worlds));
    },
    // What stands between client and platform fails without asking who comes.
    function faultAtTheDoor({ method, place, world }) {
      if (place?.endpoint && place.routeFor(method)) world?.passage.enter(place.endpoint);
    },
    // Before the body, so that strangers cannot make us read megabytes.
    function senderIsKnown(exchange) {
      const { request, place } = exchange;
      if (place?.access === 'token')
        exchange.caller = authenticate(request.headersDistinct['authorization'], worldOf(exchange).tokens);
    },
    // After the token: the order of checks in deployments.md, "Framework behaviour".
    function methodIsAllowed({ method, place }) {
      if (!place?.routeFor(method)) throw new Refusal(methodNotAllowed(place));
    },
    // Anything else is a form or a script of a foreign page, or text in an encoding that we would misread.
    function bodyIsJson({ request: { headers }, method, place }) {
      const isReadable = isJson(headers) || (place?.takesLines === true && isNdJson(headers));
      if (takesBody(method) && !isReadable) throw new Refusal(refusal('unsupported_media_type'));
    },
    // Before it is asked for. A body that does not tell its size is counted while it is read.
    function bodyIsSmallEnough({ request: { headers }, place }) {
      const limit = place?.bodyLimitBytes ?? bodyLimitBytes;
      if (Number.parseInt(headers['content-length'] ?? '0', 10) > limit)
        throw new Refusal(refusal('payload_too_large', { limit }));
    },
  ];
}

/** Of a request with another method no body is read. */
export function takesBody(method: string): boolean {
  return TAKES_BODY.has(method);
}

const TAKES_BODY: ReadonlySet<string> = new Set(['POST', 'PUT'] satisfies Method[]);

const KNOWN_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']);

function methodNotAllowed(place: Place | undefined): Answer {
  return refusal('method_not_allowed', {}, { allow: place?.allowed.join(', ') ?? '' });
}

import { METHODS } from 'node:http';
import { Readable } from 'node:stream';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { isAllowedHost, isLoopback, targetOf } from './allowed-hosts.ts';
import { Page, Refusal, refusal, textOf, unreadableBody, type Answer } from './answer.ts';
import { authenticate } from './authentication.ts';
import { closeAfterAnswer, closeAfterUnreadBody, isClosing } from './closing.ts';
import { askForBody, isExpectationKnown, judgeBeforeBody } from './expectation.ts';
import { Faulted, type Departure } from './faults/departure.ts';
import type { Held } from './faults/held.ts';
import { departOnWire } from './faults/wire.ts';
import { isFromForeignPage } from './foreign-page.ts';
import { MAX_HEADERS, type HttpLimits } from './http-limits.ts';
import { limitConnections, limitedHttp } from './limited-http.ts';
import { portOf } from './listen.ts';
import {
  CROSS_SITE,
  EXPECTATION_UNKNOWN,
  HOST_UNCLEAR,
  MISDIRECTED,
  malformedRequests,
  TOO_MANY_HEADERS,
  VERSION_UNKNOWN,
} from './malformed-request.ts';
import { isJson, isNdJson } from './media-type.ts';
import { NdJson } from './ndjson.ts';
import { placeAt, type Place } from './place.ts';
import { recorderOf, type Recorder } from './requests/recorder.ts';
import type { Call, Method, Route } from './routes/route.ts';
import { stoppingOf } from './stopping.ts';
import type { Caller } from './tokens.ts';
import { worldOfHead, worldOfTokenRequest } from './worlds/world-of-request.ts';
import type { World } from './worlds/world.ts';
import type { Worlds } from './worlds/worlds.ts';

export interface AppOptions {
  readonly worlds: Worlds;
  /** The address the server is told to listen on. */
  readonly host: string;
  /** Further names for the Host header, in lower case and without a port. */
  readonly allowedHosts: readonly string[];
  readonly bodyLimitBytes: number;
  readonly http: HttpLimits;
  readonly held: Held;
  /** Whether the log of requests keeps bodies. */
  readonly logBodies: boolean;
  /** The real clock. */
  readonly nowMs: () => number;
  /** Is handed what no rule foresees; its words never leave the machine. */
  readonly onUnexpectedError: (error: unknown) => void;
}

/** The HTTP side of the platform: what every request goes through, and the answer on its way back. */
export function buildApp(options: AppOptions): FastifyInstance {
  const malformed = malformedRequests();
  const isOurs = (host: string | undefined): boolean =>
    isAllowedHost(host, { host: options.host, port: portOf(app) }, options.allowedHosts);
  const app: FastifyInstance = fastify({
    logger: false,
    bodyLimit: options.bodyLimitBytes,
    ...limitedHttp(options.http),
    clientErrorHandler: malformed.refuse,
    exposeHeadRoutes: false,
    rewriteUrl: ({ url = '/' }) => targetOf(url, isOurs),
    // The contract checks what comes in, so Fastify's own compilers are never asked; loading them takes 17 ms of a start.
    schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
    forceCloseConnections: 'idle',
    // Account numbers of 128 characters, percent-encoded.
    routerOptions: { maxParamLength: 128 * 12 },
    // A path that cannot be decoded is no path of ours.
    frameworkErrors: (_error, _request, reply) => send(reply, refusal('not_found')),
  });
  app.setErrorHandler((error, _request, reply) => {
    if (error instanceof Faulted) depart(reply, error.departure, options);
    else send(reply, answerOfError(error, options));
  });
  limitConnections(app, options.http);
  const stopping = stoppingOf(app, options.http);
  judgeBeforeBody(app);
  app.server.on('request', malformed.follow);
  app.decorateRequest('caller', null);
  app.decorateRequest('world', null);
  app.decorateRequest('recorder', null);

  // The body stays bytes until the sender is known. What type it has was checked before, so one parser takes all.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));

  const steps = stepsBeforeBody(isOurs, options);
  app.addHook('onRequest', (request, reply, next) => {
    if (isClosing(request.raw.socket)) return void reply.hijack();
    const place = placeOf(request, options);
    if (place?.access !== 'loopback') request.recorder = recorderOf(request, reply, options);
    try {
      for (const step of steps) step(request, place, reply);
    } catch (refused) {
      // Before the next request on the connection is looked at, if there is one.
      closeAfterUnreadBody(request.raw, reply.raw);
      throw refused;
    }
    askForBody(request.raw, reply.raw);
    next();
  });
  // What a fault keeps waiting would keep the server from ending.
  app.addHook('preClose', (done) => {
    stopping.begin();
    options.held.release();
    done();
  });

  for (const method of METHODS) {
    if (method !== 'CONNECT' && !app.supportedMethods.includes(method)) app.addHttpMethod(method);
  }
  // Every method is routed to every path, so that a wrong one is a 405 and not a 404: the known ones each by itself, all others
  // by one route, because thirty more for each path would be a tenth of a start.
  const handler = (request: FastifyRequest, reply: FastifyReply) => answerTo(request, reply, options);
  app.route({
    method: app.supportedMethods.filter((method) => !KNOWN_METHODS.has(method)),
    url: '*',
    handler,
  });
  for (const place of options.worlds.root.places.values()) {
    app.route({
      bodyLimit: place.bodyLimitBytes ?? options.bodyLimitBytes,
      method: [...KNOWN_METHODS],
      url: place.path,
      config: { place },
      handler,
    });
  }
  return app;
}

/** Undefined for a path that the server does not have. */
function placeOf({ routeOptions, method, url }: FastifyRequest, { worlds }: AppOptions): Place | undefined {
  if (KNOWN_METHODS.has(method)) return routeOptions.config.place;
  return placeAt(url, worlds.root.places.values());
}

/** What a client may learn of faults: that there are some, never which. */
const FAULT_HEADER = 'x-dataimport-fault';

function noSchemas(): never {
  throw new Error('a route has a Fastify schema');
}

declare module 'fastify' {
  interface FastifyContextConfig {
    readonly place?: Place;
  }
  interface FastifyRequest {
    /** Null where no token is asked for. */
    caller: Caller | null;
    /** Null until it is known, and where the request is refused before. */
    world: World | null;
    /** Null for the admin API. */
    recorder: Recorder | null;
  }
}

/** @throws Refusal, Faulted */
type Step = (request: FastifyRequest, place: Place | undefined, reply: FastifyReply) => void;

/** What a request has to pass before a byte of its body is read, in this order. The steps after it: `record-route.ts`. */
function stepsBeforeBody(
  isOurs: (host: string | undefined) => boolean,
  options: AppOptions,
): readonly Step[] {
  return [
    // What Node's parser lets pass and no other reader would understand in the same way.
    function requestIsPlain({ raw }, _place, reply) {
      if (raw.httpVersion !== '1.1') throw new Refusal(VERSION_UNKNOWN);
      if (raw.rawHeaders.length > 2 * MAX_HEADERS) throw new Refusal(TOO_MANY_HEADERS);
      // Node takes the first of two Host headers, and a proxy may have looked at the second; nor do both agree then on
      // what comes behind it.
      if (raw.headersDistinct['host']?.length !== 1) {
        closeAfterAnswer(raw.socket, reply.raw);
        throw new Refusal(HOST_UNCLEAR);
      }
      if (!isExpectationKnown(raw.headers)) throw new Refusal(EXPECTATION_UNKNOWN);
    },
    // Before all that tells something, so that a page that points its own name at this machine learns nothing at all.
    function hostIsOurs({ raw }) {
      // A URL that still has a host is meant for a proxy: `targetOf` takes off only one that is ours.
      if (!isOurs(raw.headers.host) || !raw.url?.startsWith('/')) throw new Refusal(MISDIRECTED);
    },
    // Before the token, because that is where the platform's framework finds out; and nothing about data is told by it.
    function pathIsKnown(_request, place) {
      if (!place) throw new Refusal(refusal('not_found'));
    },
    // No path has these; a browser asks with OPTIONS whether a foreign page may go on.
    function methodIsOfTheInterface({ method }, place) {
      if (!KNOWN_METHODS.has(method)) throw new Refusal(methodNotAllowed(place));
    },
    function pageIsOurs({ headers }) {
      if (isFromForeignPage(headers)) throw new Refusal(CROSS_SITE);
    },
    // The admin API is for this machine only; to others it does not exist.
    function isNearEnough({ socket }, place) {
      if (place?.access === 'loopback' && !isLoopback(socket.remoteAddress))
        throw new Refusal(refusal('not_found'));
    },
    // Before the token is looked at, because each world has tokens of its own.
    function worldIsFound(request, place, reply) {
      const { headers, method } = request;
      const isWorldless = place?.routeFor(method)?.worldless ?? false;
      const query = request.query as Call['query'];
      request.world = worldOfHead({ access: place?.access, isWorldless, headers, query }, options.worlds);
      if (request.world.passage.isArmed()) reply.header(FAULT_HEADER, 'armed');
    },
    // What stands between client and platform fails without asking who comes.
    function faultAtTheDoor({ method, world }, place) {
      if (place?.endpoint && place.routeFor(method)) world?.passage.enter(place.endpoint);
    },
    // Before the body, so that strangers cannot make us read megabytes.
    function senderIsKnown(request, place) {
      if (place?.access === 'token')
        request.caller = authenticate(request.raw.headersDistinct['authorization'], worldOf(request).tokens);
    },
    // After the token: the order of checks in deployments.md, "Framework behaviour".
    function methodIsAllowed({ method }, place) {
      if (!place?.routeFor(method)) throw new Refusal(methodNotAllowed(place));
    },
    // Anything else is a form or a script of a foreign page, or text in an encoding that we would misread.
    function bodyIsJson({ method, headers }, place) {
      const isReadable = isJson(headers) || (place?.takesLines === true && isNdJson(headers));
      if (TAKES_BODY.has(method) && !isReadable) throw new Refusal(refusal('unsupported_media_type'));
    },
    // Before it is asked for. Of a body that does not tell its size, Fastify counts while it reads, and stops.
    function bodyIsSmallEnough({ headers }, place) {
      const limit = place?.bodyLimitBytes ?? options.bodyLimitBytes;
      if (Number.parseInt(headers['content-length'] ?? '0', 10) > limit)
        throw new Refusal(refusal('payload_too_large', { limit }));
    },
  ];
}

const TAKES_BODY: ReadonlySet<string> = new Set(['POST', 'PUT'] satisfies Method[]);

const KNOWN_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']);

function methodNotAllowed(place: Place | undefined): Answer {
  return refusal('method_not_allowed', {}, { allow: place?.allowed.join(', ') ?? '' });
}

/** The steps after the body; with a fault armed, through its phases. */
function answerTo(request: FastifyRequest, reply: FastifyReply, options: AppOptions): Promise<void> | void {
  const { body } = request as { readonly body: Uint8Array | undefined };
  const { place } = request.routeOptions.config;
  if (place?.access === 'open') enterWorldOfKey(request, reply, options.worlds);
  const { passage, places } = worldOf(request);
  const route = place && places.get(place.path)?.routeFor(request.method);
  if (!place || !route) throw new Error('a request without a route got past the steps');
  const { endpoint } = place;
  if (!endpoint || !passage.isArmed()) return send(reply, answerOf(route, request, body));
  const { url, params } = request;
  const segments = params as Readonly<Record<string, string>>;
  const handle = (given: Uint8Array | undefined) => answerOf(route, request, given);
  return passage
    .through({ endpoint, url, segments, body, handle })
    .then((departure) => depart(reply, departure, options));
}

/** Whose token is asked for stands in the body, so what is at the door of that world comes only now. */
function enterWorldOfKey(request: FastifyRequest, reply: FastifyReply, worlds: Worlds): void {
  if (!worlds.isolated) return;
  const { body } = request as { readonly body: Uint8Array | undefined };
  request.world = worldOfTokenRequest(body, worlds) ?? worlds.root;
  const { passage } = request.world;
  if (passage.isArmed()) reply.header(FAULT_HEADER, 'armed');
  passage.enter('token');
}

function worldOf({ world }: FastifyRequest): World {
  if (world === null) throw new Error('a request without a world got past the steps');
  return world;
}

function depart(reply: FastifyReply, departure: Departure, { held }: AppOptions): void {
  if (departure.kind === 'answer') send(reply, departure.answer);
  else departOnWire(departure, reply, held);
}

function answerOf(route: Route, request: FastifyRequest, body: Uint8Array | undefined): Answer {
  const call = {
    segments: request.params as Readonly<Record<string, string>>,
    query: request.query as Call['query'],
    body,
  };
  if (route.access !== 'token') return route.answer({ ...call, caller: null });
  if (request.caller === null) throw new Error('a request without a token got past the steps');
  return route.answer({ ...call, caller: request.caller });
}

function send(reply: FastifyReply, answer: Answer): void {
  reply.request.recorder?.note(answer);
  closeAfterUnreadBody(reply.request.raw, reply.raw);
  reply.code(answer.status).headers(answer.headers ?? {});
  if (answer.body instanceof NdJson) {
    reply.type('application/x-ndjson').send(Readable.from(answer.body.chunks()));
  } else if (answer.body instanceof Page) {
    if (answer.body.contentType !== null) reply.type(answer.body.contentType);
    // Of an empty text Fastify would say that it is plain.
    reply.send(answer.body.text === '' ? undefined : answer.body.text);
  } else {
    reply.type('application/json').send(textOf(answer));
  }
}

function answerOfError(error: unknown, { bodyLimitBytes, onUnexpectedError }: AppOptions): Answer {
  if (error instanceof Refusal) return error.answer;
  switch ((error as { code?: unknown }).code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return refusal('payload_too_large', { limit: bodyLimitBytes });
    // Fastify reads the header a little more strictly than we do.
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return refusal('unsupported_media_type');
    // The body has not the length that was announced, or the sender went away.
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
    case 'ECONNRESET':
      return unreadableBody('it ends too early');
    default:
      onUnexpectedError(error);
      return refusal('error');
  }
}

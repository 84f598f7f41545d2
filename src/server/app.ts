import { METHODS } from 'node:http';
import { Readable } from 'node:stream';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { isAllowedHost, isLoopback } from './allowed-hosts.ts';
import { Page, Refusal, refusal, textOf, unreadableBody, type Answer } from './answer.ts';
import { authenticate } from './authentication.ts';
import { Faulted, type Departure } from './faults/departure.ts';
import type { Held } from './faults/held.ts';
import type { Passage } from './faults/passage.ts';
import { departOnWire } from './faults/wire.ts';
import { portOf } from './listen.ts';
import { isJson } from './media-type.ts';
import { NdJson } from './ndjson.ts';
import { placesOf, type Place } from './place.ts';
import type { Method, Route } from './routes/route.ts';
import type { Caller, Tokens } from './tokens.ts';

export interface AppOptions {
  readonly routes: readonly Route[];
  readonly tokens: Tokens;
  /** The address the server is told to listen on. */
  readonly host: string;
  /** Further names for the Host header, in lower case and without a port. */
  readonly allowedHosts: readonly string[];
  readonly bodyLimitBytes: number;
  /** The faults that requests meet on their way. */
  readonly passage: Passage;
  readonly held: Held;
  /** Is handed what no rule foresees; its words never leave the machine. */
  readonly onUnexpectedError: (error: unknown) => void;
}

/** The HTTP side of the platform: what every request goes through, and the answer on its way back. */
export function buildApp(options: AppOptions): FastifyInstance {
  const app = fastify({
    logger: false,
    bodyLimit: options.bodyLimitBytes,
    // Slow senders are cut off, in milliseconds: after the headers, after the whole request (emulator.md, "Start, stop, safety").
    http: { headersTimeout: 10_000 },
    requestTimeout: 30_000,
    exposeHeadRoutes: false,
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
  app.decorateRequest('caller', null);

  // The body stays bytes until the sender is known. What type it has was checked before, so one parser takes all.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));

  const steps = stepsBeforeBody(app, options);
  app.addHook('onRequest', (request, reply, next) => {
    const { place } = request.routeOptions.config;
    if (options.passage.isArmed()) reply.header(FAULT_HEADER, 'armed');
    for (const step of steps) step(request, place);
    next();
  });
  // What a fault keeps waiting would keep the server from ending.
  app.addHook('preClose', (done) => {
    options.held.release();
    done();
  });

  // Every method is routed to every path, so that a wrong one is a 405 and not a 404.
  for (const method of METHODS) {
    if (method !== 'CONNECT' && !app.supportedMethods.includes(method)) app.addHttpMethod(method);
  }
  for (const place of placesOf(options.routes)) {
    app.route({
      method: app.supportedMethods,
      url: place.path,
      config: { place },
      handler: (request, reply) => answerTo(request, reply, options),
    });
  }
  return app;
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
  }
}

/** @throws Refusal, Faulted */
type Step = (request: FastifyRequest, place: Place | undefined) => void;

/** What a request has to pass before a byte of its body is read, in this order. The steps after it: `record-route.ts`. */
function stepsBeforeBody(app: FastifyInstance, options: AppOptions): readonly Step[] {
  return [
    // First of all, so that a page that points its own name at this machine learns nothing at all.
    function hostIsOurs({ raw }) {
      const listening = { host: options.host, port: portOf(app) };
      // Node takes the first of two Host headers, and a proxy may have looked at the second.
      const [host, ...more] = raw.headersDistinct['host'] ?? [];
      const isOurs = more.length === 0 && isAllowedHost(host, listening, options.allowedHosts);
      // A URL with a host of its own is meant for a proxy.
      if (!isOurs || !raw.url?.startsWith('/')) throw new Refusal(MISDIRECTED);
    },
    // Before the token, because that is where the platform's framework finds out; and nothing about data is told by it.
    function pathIsKnown({ is404 }) {
      if (is404) throw new Refusal(refusal('not_found'));
    },
    // The admin API is for this machine only; to others it does not exist.
    function isNearEnough({ socket }, place) {
      if (place?.access === 'loopback' && !isLoopback(socket.remoteAddress))
        throw new Refusal(refusal('not_found'));
    },
    // What stands between client and platform fails without asking who comes.
    function faultAtTheDoor({ method }, place) {
      if (place?.endpoint && place.routeFor(method)) options.passage.enter(place.endpoint);
    },
    // Before the body, so that strangers cannot make us read megabytes.
    function senderIsKnown(request, place) {
      if (place?.access === 'token')
        request.caller = authenticate(request.headers.authorization, options.tokens);
    },
    // After the token: the order of checks in deployments.md, "Framework behaviour".
    function methodIsAllowed({ method }, place) {
      const headers = { allow: place?.allowed.join(', ') ?? '' };
      if (!place?.routeFor(method)) throw new Refusal(refusal('method_not_allowed', {}, headers));
    },
    // Anything else is a form or a script of a foreign page, or text in an encoding that we would misread.
    function bodyIsJson({ method, headers }) {
      if (TAKES_BODY.has(method) && !isJson(headers)) throw new Refusal(refusal('unsupported_media_type'));
    },
    // Last, the size: Fastify counts while it reads, and stops.
  ];
}

const TAKES_BODY: ReadonlySet<string> = new Set(['POST', 'PUT'] satisfies Method[]);

/** RFC 9110, 15.5.20. No code of the table fits, because no client of the interface ever gets it. */
const MISDIRECTED: Answer = {
  status: 421,
  body: { detail: 'the Host header does not name this server', code: 'misdirected_request' },
};

/** The steps after the body; with a fault armed, through its phases. */
function answerTo(request: FastifyRequest, reply: FastifyReply, options: AppOptions): Promise<void> | void {
  const { place } = request.routeOptions.config;
  const route = place?.routeFor(request.method);
  if (!place || !route) throw new Error('a request without a route got past the steps');
  const { endpoint } = place;
  const { body } = request as { readonly body: Uint8Array | undefined };
  const { passage } = options;
  if (!endpoint || !passage.isArmed()) return send(reply, answerOf(route, request, body));
  const { url, params } = request;
  const segments = params as Readonly<Record<string, string>>;
  const handle = (given: Uint8Array | undefined) => answerOf(route, request, given);
  return passage
    .through({ endpoint, url, segments, body, handle })
    .then((departure) => depart(reply, departure, options));
}

function depart(reply: FastifyReply, departure: Departure, { held }: AppOptions): void {
  if (departure.kind === 'answer') send(reply, departure.answer);
  else departOnWire(departure, reply, held);
}

function answerOf(route: Route, request: FastifyRequest, body: Uint8Array | undefined): Answer {
  const call = {
    segments: request.params as Readonly<Record<string, string>>,
    query: request.query as Readonly<Record<string, unknown>>,
    body,
  };
  if (route.access !== 'token') return route.answer({ ...call, caller: null });
  if (request.caller === null) throw new Error('a request without a token got past the steps');
  return route.answer({ ...call, caller: request.caller });
}

function send(reply: FastifyReply, answer: Answer): void {
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

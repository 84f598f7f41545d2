import type { Server } from 'node:http';
import { isAllowedHost, targetOf } from '../http/hosts.ts';
import { Refusal, refusal, type Answer } from '../http/answer.ts';
import { closeAfterUnreadBody, isClosing } from '../http/closing.ts';
import { enterWorld, exchangeOf, worldOf, type Exchange } from './request-context.ts';
import { askForBody, judgeBeforeBody } from '../http/expectation.ts';
import { Faulted, type Departure } from '../faults/departure.ts';
import type { Held } from '../faults/held.ts';
import { departOnWire } from './fault-wire.ts';
import type { HttpLimits } from '../options/http-limits.ts';
import { closeAfterLastRequest, limitedServer } from '../http/limited-server.ts';
import { portOf } from '../http/listener.ts';
import { malformedRequests } from '../http/malformed-request.ts';
import { placeFinder } from './route-match.ts';
import { readBody } from '../http/request-body.ts';
import { recordAtEnd } from './recorder.ts';
import type { Route } from '../routes/route.ts';
import { send } from './send.ts';
import { stepsBeforeBody, takesBody, type Step } from './guards.ts';
import { stoppingOf } from '../http/stopping.ts';
import { worldOfTokenRequest } from './tenant-of-request.ts';
import type { Worlds } from '../tenants/tenants.ts';

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

/** The HTTP side of the platform. */
export interface App {
  /** Does not listen yet. */
  readonly server: Server;
  /** Takes no more requests and resolves when those that are under way have ended. */
  close(): Promise<void>;
}

/** What every request goes through, and its answer on the way back. */
export function buildApp(options: AppOptions): App {
  const { worlds, held, http } = options;
  const server = limitedServer(http);
  const isOurs = (host: string | undefined): boolean =>
    isAllowedHost(host, { host: options.host, port: portOf(server) }, options.allowedHosts);
  const find = placeFinder(worlds.root.places.values());
  const passing = { ...options, steps: stepsBeforeBody({ ...options, isOurs }) };
  const malformed = malformedRequests();

  server.on('clientError', malformed.refuse);
  server.on('request', malformed.follow);
  const stopping = stoppingOf(server, http);
  judgeBeforeBody(server);
  server.on('request', (request, response) => {
    if (isClosing(request.socket)) return;
    const exchange = exchangeOf({ request, response, target: targetOf(request.url ?? '/', isOurs), find });
    void pass(exchange, passing);
  });
  closeAfterLastRequest(server, http);

  return {
    server,
    close: () =>
      new Promise((resolve) => {
        stopping.begin();
        // What a fault keeps waiting would keep the server from ending.
        held.release();
        server.close(() => resolve());
      }),
  };
}

interface PassOptions extends AppOptions {
  readonly steps: readonly Step[];
}

async function pass(exchange: Exchange, options: PassOptions): Promise<void> {
  const { request, response, method, place } = exchange;
  try {
    if (place?.access !== 'loopback') recordAtEnd(exchange, options);
    for (const step of options.steps) step(exchange);
    askForBody(request, response);
    if (takesBody(method))
      exchange.body = await readBody(request, place?.bodyLimitBytes ?? options.bodyLimitBytes);
    const departure = departureOf(exchange, options.worlds);
    // Without a fault before the next request on the connection is looked at.
    depart(exchange, departure instanceof Promise ? await departure : departure, options);
  } catch (error) {
    // Half an answer can no longer become another one.
    if (response.headersSent) return void request.socket.destroy();
    closeAfterUnreadBody(request, response);
    if (error instanceof Faulted) depart(exchange, error.departure, options);
    else send(exchange, answerOfError(error, options));
  }
}

/** The steps after the body; with a fault armed, through its phases. */
function departureOf(exchange: Exchange, worlds: Worlds): Departure | Promise<Departure> {
  const { place, method, target: url, segments, body } = exchange;
  if (place?.access === 'open') enterWorldOfKey(exchange, worlds);
  const { passage, places } = worldOf(exchange);
  const route = place && places.get(place.path)?.routeFor(method);
  if (!place || !route) throw new Error('a request without a route got past the steps');
  const { endpoint } = place;
  if (!endpoint || !passage.isArmed()) return { kind: 'answer', answer: answerOf(route, exchange, body) };
  const handle = (given: Uint8Array | undefined) => answerOf(route, exchange, given);
  return passage.through({ endpoint, url, segments, body, handle });
}

/** Whose token is asked for stands in the body, so what is at the door of that world comes only now. */
function enterWorldOfKey(exchange: Exchange, worlds: Worlds): void {
  if (!worlds.isolated) return;
  const world = worldOfTokenRequest(exchange.body, worlds) ?? worlds.root;
  enterWorld(exchange, world);
  world.passage.enter('token');
}

function depart(exchange: Exchange, departure: Departure, { held }: AppOptions): void {
  if (departure.kind === 'answer') send(exchange, departure.answer);
  else departOnWire(departure, exchange, held);
}

function answerOf(route: Route, exchange: Exchange, body: Uint8Array | undefined): Answer {
  const { segments, query, caller } = exchange;
  const call = { segments, query, body };
  if (route.access !== 'token') return route.answer({ ...call, caller: null });
  if (caller === undefined) throw new Error('a request without a token got past the steps');
  return route.answer({ ...call, caller });
}

function answerOfError(error: unknown, { onUnexpectedError }: AppOptions): Answer {
  if (error instanceof Refusal) return error.answer;
  onUnexpectedError(error);
  return refusal('error');
}

import type { IncomingMessage, ServerResponse } from 'node:http';
import { parse } from 'node:querystring';
import type { Answer } from '../http/answer.ts';
import type { FoundPlace, Place } from './route-match.ts';
import type { Call } from '../routes/route.ts';
import type { Caller } from '../auth/tokens.ts';
import type { World } from '../tenants/tenant.ts';

/** A request on its way to an answer, and what the steps have found out about it. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly method: string;
  /** What it is for: path and query. */
  readonly target: string;
  /** Undefined for a path that the server does not have. */
  readonly place: Place | undefined;
  readonly segments: Call['segments'];
  readonly query: Call['query'];
  /** Undefined until it is known, and where the request is refused before. */
  world: World | undefined;
  /** Undefined where no token is asked for. */
  caller: Caller | undefined;
  /** Undefined until it has come, and where none is read. */
  body: Uint8Array | undefined;
  /** Undefined until it is sent, and where the connection ends without one. */
  answer: Answer | undefined;
}

interface Arrived {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly target: string;
  readonly find: (path: string) => FoundPlace | undefined;
}

export function exchangeOf({ request, response, target, find }: Arrived): Exchange {
  const [path = '', query = ''] = parted(target);
  const found = find(path);
  return {
    request,
    response,
    method: request.method ?? '',
    target,
    place: found?.place,
    segments: found?.segments ?? {},
    query: parse(query),
    world: undefined,
    caller: undefined,
    body: undefined,
    answer: undefined,
  };
}

/** The path and the query of a target. */
function parted(target: string): readonly string[] {
  const mark = target.indexOf('?');
  return mark < 0 ? [target] : [target.slice(0, mark), target.slice(mark + 1)];
}

/** @throws Error when no step has found it */
export function worldOf({ world }: Exchange): World {
  if (world === undefined) throw new Error('a request without a world got past the steps');
  return world;
}

/** What a client may learn of faults: that there are some, never which. */
const FAULT_HEADER = 'x-dataimport-fault';

export function enterWorld(exchange: Exchange, world: World): void {
  exchange.world = world;
  if (world.passage.isArmed()) exchange.response.setHeader(FAULT_HEADER, 'armed');
}

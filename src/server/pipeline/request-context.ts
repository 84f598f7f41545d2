import type { IncomingMessage, ServerResponse } from 'node:http';
import { parse } from 'node:querystring';
import { DEFAULT_TOKEN_MUTATION } from '../../core/contract/token.ts';
import type { Caller } from '../auth/tokens.ts';
import type { Answer } from '../http/answer.ts';
import type { LoggedFault, RequestSubject } from '../http/logged-request.ts';
import type { Call } from '../routes/route.ts';
import type { LocalServer } from '../local-server/local-server.ts';
import { matchRoute, type RouteMatch } from './route-match.ts';

/** A request with everything that the pipeline has found out about it. */
export interface RequestContext {
  readonly server: LocalServer;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly path: string;
  /** Without the question mark. */
  readonly queryText: string;
  /** Undefined when the server does not have the path. */
  readonly match: RouteMatch | undefined;
  readonly query: Call['query'];
  /** Whether its Host header names this server. The answer to any other request says nothing about the server. */
  isOurs: boolean;
  /** Undefined on paths that need no token. */
  caller: Caller | undefined;
  /** Undefined until it is read, and for methods without a body. */
  body: Uint8Array | undefined;
  /** Undefined until a route has read it from the body. */
  subject: RequestSubject | undefined;
  /** The faults that have taken the request so far. */
  readonly faults: LoggedFault[];
  /** Undefined until it is sent, and when the connection ends without an answer. */
  answer: Answer | undefined;
}

export function requestContextOf(
  request: IncomingMessage,
  response: ServerResponse,
  target: string,
  server: LocalServer,
): RequestContext {
  const { tokenPath } = server.platform.behaviour;
  const mark = target.indexOf('?');
  const [path, queryText] = mark < 0 ? [target, ''] : [target.slice(0, mark), target.slice(mark + 1)];
  const method = request.method!;
  return {
    server,
    request,
    response,
    method,
    target,
    path,
    queryText,
    match: matchRoute(method, routedPath(path, tokenPath)),
    query: parse(queryText),
    isOurs: false,
    caller: undefined,
    body: undefined,
    subject: undefined,
    faults: [],
    answer: undefined,
  };
}

/** The path under which a route is known. The token mutation may be at another path than its route. */
export function routedPath(path: string, tokenPath: string): string {
  if (path === tokenPath) return DEFAULT_TOKEN_MUTATION.path;
  return path === DEFAULT_TOKEN_MUTATION.path ? '' : path;
}

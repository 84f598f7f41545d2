import type { IncomingMessage, ServerResponse } from 'node:http';
import { parse } from 'node:querystring';
import { DEFAULT_TOKEN_MUTATION } from '../../core/contract/token.ts';
import type { Caller } from '../auth/tokens.ts';
import type { Answer } from '../http/answer.ts';
import type { LoggedFault, RequestSubject } from '../http/logged-request.ts';
import type { Call, Route } from '../routes/route.ts';
import type { Tenant } from '../tenants/tenant.ts';
import { matchRoute, type RouteMatch } from './route-match.ts';

/** A request with everything that the pipeline has found out about it. */
export interface RequestContext {
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
  /** Path of the token mutation. */
  readonly tokenPath: string;
  /** Undefined until a guard has found it. A request that is refused earlier has none. */
  tenant: Tenant | undefined;
  /** Undefined on paths that need no token. */
  caller: Caller | undefined;
  /** Undefined until it is read, and for methods without a body. */
  body: Uint8Array | undefined;
  /** Undefined until a route has read it from the body. */
  subject: RequestSubject | undefined;
  /** The faults that have taken the request so far. */
  readonly faults: LoggedFault[];
  /** Path of a body that is a SQLite file. Undefined until it is read, and for other bodies. */
  file: string | undefined;
  /** Undefined until it is sent, and when the connection ends without an answer. */
  answer: Answer | undefined;
}

export function requestContextOf(
  request: IncomingMessage,
  response: ServerResponse,
  target: string,
  tokenPath: string,
): RequestContext {
  const mark = target.indexOf('?');
  const [path, queryText] = mark < 0 ? [target, ''] : [target.slice(0, mark), target.slice(mark + 1)];
  const method = request.method!;
  return {
    request,
    response,
    method,
    target,
    path,
    queryText,
    match: matchRoute(method, routedPath(path, tokenPath)),
    query: parse(queryText),
    tokenPath,
    tenant: undefined,
    caller: undefined,
    body: undefined,
    subject: undefined,
    faults: [],
    file: undefined,
    answer: undefined,
  };
}

/** The path under which a route is known. The token mutation may be at another path than its route. */
export function routedPath(path: string, tokenPath: string): string {
  if (path === tokenPath) return DEFAULT_TOKEN_MUTATION.path;
  return path === DEFAULT_TOKEN_MUTATION.path ? '' : path;
}

/** @throws Error when no guard has found the tenant */
export function tenantOf({ tenant }: RequestContext): Tenant {
  if (tenant === undefined) throw new Error('a request without a tenant passed the guards');
  return tenant;
}

/** @throws Error when no guard has found the route */
export function routeOf({ match }: RequestContext): Route {
  if (match?.route === undefined) throw new Error('a request without a route passed the guards');
  return match.route;
}

/** @throws Error when no guard has found the caller */
export function callerOf({ caller }: RequestContext): Caller {
  if (caller === undefined) throw new Error('a request without a token passed the guards');
  return caller;
}

/** Tells a client that faults are active, but not which. */
const FAULT_HEADER = 'x-dataimport-fault';

export function enterTenant(context: RequestContext, tenant: Tenant): void {
  context.response.once('close', tenant.beginRequest());
  context.tenant = tenant;
  if (tenant.faultPipeline.isActive()) context.response.setHeader(FAULT_HEADER, 'armed');
}

import { createSecureContext, getCACertificates } from 'node:tls';
import { Agent, EnvHttpProxyAgent, type Dispatcher, type Pool } from 'undici';
import { MAX_ANSWER_BYTES } from './exchange.ts';
import { openProxyConnections } from './proxy-connections.ts';

/** Addresses as HTTP_PROXY, HTTPS_PROXY and NO_PROXY have them; empty where there is none. */
export interface ProxyOptions {
  readonly httpProxy: string;
  readonly httpsProxy: string;
  readonly noProxy: string;
}

/** How connections are made and kept. */
export interface RouteOptions {
  /** Connections kept at the same time. */
  readonly connections: number;
  /** Longest time for one request, in milliseconds. */
  readonly timeoutMs: number;
  /** Longest time to a connection, TLS included, in milliseconds. */
  readonly connectMs?: number;
  /** How long an idle connection is kept, in milliseconds, whatever the server offers. */
  readonly keepAliveMs?: number;
  /** Proxies to go through, if any. */
  readonly proxy?: ProxyOptions;
  /** Certificates of authorities to trust beside those that Node trusts, in PEM. */
  readonly ca?: string;
}

/** Longest time to a connection, and how long an idle one is kept, in milliseconds (reliability.md, "Retry"). */
export const CONNECT_MS = 10_000;
export const KEEP_ALIVE_MS = 4_000;

/** What carries the requests. */
export interface Route {
  readonly dispatcher: Dispatcher;
  /** Address of the proxy that has opened a tunnel; undefined while none has. */
  proxy(): string | undefined;
}

/** Requests go one at a time on a connection, straight or through a proxy, and TLS is always verified. */
export function openRoute(options: RouteOptions): Route {
  const { connections, timeoutMs, proxy } = options;
  const { connectMs = CONNECT_MS, keepAliveMs = KEEP_ALIVE_MS } = options;
  const tls = tlsOptions(options.ca);
  const agent: Agent.Options = {
    connections,
    pipelining: 1,
    // One protocol, so that "cut", "reset" and "not sent" mean one thing.
    allowH2: false,
    connect: { ...tls, timeout: connectMs },
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    keepAliveTimeout: keepAliveMs,
    keepAliveMaxTimeout: keepAliveMs,
    maxResponseSize: MAX_ANSWER_BYTES,
  };
  if (!proxy) return { dispatcher: new Agent(agent), proxy: () => undefined };
  let opened: string | undefined;
  const dispatcher = new EnvHttpProxyAgent({
    ...agent,
    ...proxy,
    // `connect` is for connections without a proxy; these are for the platform behind one, and for the proxy itself.
    connectTimeout: connectMs,
    requestTls: tls,
    proxyTls: tls,
    clientFactory: (address, made: Pool.Options) =>
      openProxyConnections(address, { ...made, headersTimeout: connectMs }, () => (opened = address.origin)),
  });
  return { dispatcher, proxy: () => opened };
}

interface TlsOptions {
  /** Said, because the default of Node depends on a variable of the environment. */
  readonly rejectUnauthorized: true;
  readonly secureContext?: ReturnType<typeof createSecureContext>;
}

function tlsOptions(ca: string | undefined): TlsOptions {
  if (ca === undefined) return { rejectUnauthorized: true };
  // Made once: to read the certificates of all authorities again for each connection takes longer than the handshake.
  const secureContext = createSecureContext({ ca: [...getCACertificates('default'), ca] });
  return { rejectUnauthorized: true, secureContext };
}

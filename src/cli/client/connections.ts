import { createSecureContext, getCACertificates } from 'node:tls';
import { Agent, buildConnector, EnvHttpProxyAgent, Pool, type Dispatcher } from 'undici';
import { ProxyFailure } from './network-failure.ts';

/** Addresses in the form of HTTP_PROXY, HTTPS_PROXY and NO_PROXY; empty when there is none. */
export type ProxyOptions = Readonly<{ httpProxy: string; httpsProxy: string; noProxy: string }>;

/** How connections are opened and kept. */
export interface ConnectionOptions {
  /** Connections kept at the same time. */
  readonly connections: number;
  /** Longest time to open a connection, TLS included, in milliseconds. Default: 10 s. */
  readonly connectMs?: number;
  /** How long an idle connection is kept, in milliseconds, whatever the server offers. Default: 4 s. */
  readonly keepAliveMs?: number;
  readonly proxy?: ProxyOptions;
  /** Certificates of authorities to trust beside the authorities that Node trusts, in PEM. */
  readonly ca?: string;
}

const CONNECT_MS = 10_000;
const KEEP_ALIVE_MS = 4_000;

export interface Connections {
  readonly dispatcher: Dispatcher;
  /** Address of the proxy that has opened a tunnel; undefined while none has. */
  proxy(): string | undefined;
}

/** One request at a time on a connection, direct or through a proxy, with verified TLS. */
export function openConnections(options: ConnectionOptions): Connections {
  const { connections, proxy } = options;
  const { connectMs = CONNECT_MS, keepAliveMs = KEEP_ALIVE_MS } = options;
  const tls = tlsOptions(options.ca);
  const agent: Agent.Options = {
    connections,
    pipelining: 1,
    // One protocol, so that a cut or reset connection and an unsent request have one meaning.
    allowH2: false,
    connect: endingAtAlerts({ ...tls, allowH2: false, timeout: connectMs }),
    // The time of a request ends for all of its parts in requests.ts, which looks at the socket before.
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: keepAliveMs,
    keepAliveMaxTimeout: keepAliveMs,
  };
  if (!proxy) return { dispatcher: new Agent(agent), proxy: () => undefined };
  let opened: string | undefined;
  const dispatcher = new EnvHttpProxyAgent({
    ...agent,
    ...proxy,
    // `connect` is for direct connections; these options are for the platform behind a proxy, and for the proxy itself.
    connectTimeout: connectMs,
    requestTls: tls,
    proxyTls: tls,
    clientFactory: (address, made: Pool.Options) =>
      openProxyPool(address, { ...made, headersTimeout: connectMs }, () => (opened = address.origin)),
  });
  return { dispatcher, proxy: () => opened };
}

/** Ends a connection at an alert of TLS. undici would read on, and report that the connection was closed. */
function endingAtAlerts(options: buildConnector.BuildOptions): buildConnector.connector {
  const connect = buildConnector(options);
  return (to, called) =>
    connect(to, (...result) => {
      const [, socket] = result;
      socket?.once('error', () => socket.destroy());
      called(...result);
    });
}

/** Verification is stated, because Node's default depends on an environment variable. */
function tlsOptions(ca: string | undefined) {
  // Created once: reading the certificates of all authorities for each connection takes longer than the handshake.
  const trust = () => createSecureContext({ ca: [...getCACertificates('default'), ca!] });
  return { rejectUnauthorized: true, ...(ca !== undefined && { secureContext: trust() }) } as const;
}

/**
 * The connections to a proxy. undici distinguishes failures of a proxy from failures of the platform by words alone, and
 * retries some of them without end; here each becomes a `ProxyFailure`. `onTunnel` is called for each opened tunnel.
 */
function openProxyPool(address: URL, options: Pool.Options, onTunnel: () => void): Pool {
  const pool = new Pool(address.origin, options);
  const openTunnel = pool.connect.bind(pool);
  return Object.assign(pool, {
    connect: async (tunnel: Parameters<Pool['connect']>[0]) => {
      const answer = await openTunnel(tunnel).catch((error: unknown) => {
        throw new ProxyFailure(address.origin, null, error);
      });
      if (answer.statusCode === 200) {
        onTunnel();
        return answer;
      }
      // The rest of the answer may be a page of any length.
      answer.socket.on('error', () => undefined).destroy();
      throw new ProxyFailure(address.origin, answer.statusCode);
    },
  });
}

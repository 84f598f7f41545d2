import { Pool } from 'undici';

/** A proxy did not open a tunnel. Nothing of a request has left by then. */
export class ProxyFailure extends Error {
  override readonly name = 'ProxyFailure';
  /** Address of the proxy without user name and password. */
  readonly proxy: string;
  /** What it answered; null when there was no answer, and `cause` tells why. */
  readonly status: number | null;

  constructor(proxy: string, status: number | null, cause?: unknown) {
    super('the proxy did not open a tunnel', { cause });
    this.proxy = proxy;
    this.status = status;
  }
}

/**
 * The connections to a proxy. The HTTP library tells the failures of a proxy from those of the platform by words
 * alone, and for some of them tries again without end; here each becomes a `ProxyFailure`. `onTunnel` hears of each
 * tunnel that was opened.
 */
export function openProxyConnections(address: URL, options: Pool.Options, onTunnel: () => void): Pool {
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
      // What it says beside its status may be a page of any length.
      answer.socket.on('error', () => undefined).destroy();
      throw new ProxyFailure(address.origin, answer.statusCode);
    },
  });
}

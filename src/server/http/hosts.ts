import { isIP } from 'node:net';

const LOOPBACK_NAMES: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Whether a Host header names this server. A web page can point its own name at this machine (DNS rebinding), but its
 * requests still carry that name.
 */
export function isOwnHost(
  header: string | undefined,
  listening: { host: string; port: number | undefined },
): boolean {
  const match = /^(\[[0-9a-f:.]+\]|[^:]+)(?::(\d{1,5}))?$/i.exec(header ?? '');
  if (!match) return false;
  const [, name, port] = match;
  if (port !== undefined && listening.port !== undefined && port !== String(listening.port)) return false;
  return [bracketed(listening.host), ...LOOPBACK_NAMES].includes(name!.toLowerCase());
}

/**
 * The target of a request. A URL that names this server becomes its path (RFC 9112, 3.2.2). Any other URL stays as it is.
 * @param isOurs whether a host with its port names this server
 */
export function targetOf(url: string, isOurs: (host: string) => boolean): string {
  const [, host = '', rest = ''] = /^http:\/\/([^/?#]+)(.*)$/i.exec(url) ?? [];
  if (!isOurs(host)) return url;
  return rest.startsWith('/') ? rest : `/${rest}`;
}

/** Whether the other end of a connection is on this machine. */
export function isLoopback(address: string | undefined): boolean {
  return address !== undefined && (/^(::ffff:)?127\./.test(address) || address === '::1');
}

/** Whether only this machine can reach a server that listens on the host. */
export function isThisMachine(host: string): boolean {
  return LOOPBACK_NAMES.includes(bracketed(host).toLowerCase()) || isLoopback(host);
}

/** The host as it is written in a URL. */
export function bracketed(host: string): string {
  return isIP(host) === 6 ? `[${host}]` : host;
}

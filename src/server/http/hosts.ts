import { isIP } from 'node:net';

/** Names under which this machine reaches itself. */
export const LOOPBACK_NAMES: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Whether a Host header names this server. A page on the web can make its own name point at this machine (DNS
 * rebinding); its requests still carry that name.
 * @param names further names that are allowed, without a port
 */
export function isAllowedHost(
  header: string | undefined,
  listening: { readonly host: string; readonly port: number | undefined },
  names: readonly string[],
): boolean {
  const match = /^(\[[0-9a-f:.]+\]|[^:]+)(?::(\d{1,5}))?$/i.exec(header ?? '');
  if (!match) return false;
  const [, name, port] = match;
  if (port !== undefined && listening.port !== undefined && port !== String(listening.port)) return false;
  return [bracketed(listening.host), ...LOOPBACK_NAMES, ...names].includes(name!.toLowerCase());
}

/**
 * What a request is for: a URL that names this server means its path (RFC 9112, 3.2.2); any other is left as it is.
 * @param isOurs whether a host and port are of this server
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

/** The host as it stands in a URL. */
export function bracketed(host: string): string {
  return isIP(host) === 6 ? `[${host}]` : host;
}

import { AppError } from '../../core/app-error.ts';
import { certificateReason } from './certificate-reason.ts';
import { ProxyFailure } from './proxy-connections.ts';

/** Words for what goes wrong on the way; the code stands behind them in parentheses. */
const WORDS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was reset',
  EPIPE: 'the connection was closed',
  ENOTFOUND: 'the name of the host is not known',
  EAI_AGAIN: 'the name server did not answer',
  EHOSTUNREACH: 'there is no way to the host',
  ENETUNREACH: 'there is no way to the network',
  ETIMEDOUT: 'the connection timed out',
  EMFILE: 'too many files are open; `ulimit -n` shows how many may be',
  EADDRNOTAVAIL: 'this machine has no port left for another connection',
  UND_ERR_CONNECT_TIMEOUT: 'no connection within 10 s',
  UND_ERR_HEADERS_TIMEOUT: 'no answer in time',
  UND_ERR_BODY_TIMEOUT: 'the answer stopped coming',
  UND_ERR_SOCKET: 'the connection was closed',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'the answer is shorter than it says',
  UND_ERR_HEADERS_OVERFLOW: 'the headers of the answer are too long',
  ERR_SSL_WRONG_VERSION_NUMBER: 'the server does not speak TLS; does its address begin with http:?',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'the server does not speak TLS; does its address begin with http:?',
};

/**
 * What a network error says for people. Made from its code alone: messages of libraries can quote what was sent,
 * and that is a token or a customer's data.
 */
export function networkReason(error: unknown): string {
  if (error instanceof ProxyFailure) {
    const what =
      error.status === null ? `: ${networkReason(error.cause)}` : ` answered with status ${error.status}`;
    return `the proxy ${error.proxy}${what}`;
  }
  // The only error without a code that the HTTP library has: what came is no HTTP, or ends in the middle of it.
  if (error instanceof Error && error.name === 'HTTPParserError') return 'the answer is not whole HTTP';
  const code = codeOf(error);
  if (code === undefined) return 'the connection failed';
  return `${WORDS[code] ?? 'the connection failed'} (${code})`;
}

/**
 * What ended the way to a connection and will end it again: no wait makes a certificate or a password good. Undefined
 * for everything else.
 */
export function refusedConnection(error: unknown, origin: string): AppError | undefined {
  const proxy = error instanceof ProxyFailure ? error.proxy : undefined;
  if (error instanceof ProxyFailure && error.status === 407)
    return new AppError('credentials_proxy_refused', { proxy: error.proxy });
  const reason = certificateReason(codeOf(proxy === undefined ? error : (error as ProxyFailure).cause));
  return reason === undefined
    ? undefined
    : new AppError('certificate_refused', { host: new URL(proxy ?? origin).host, reason });
}

/** Whether the other side took too long, rather than failed. */
export function isTimeout(error: unknown): boolean {
  const code = codeOf(error instanceof ProxyFailure ? error.cause : error);
  return code === 'ETIMEDOUT' || /^UND_ERR_(CONNECT|HEADERS|BODY)_TIMEOUT$/.test(code ?? '');
}

/** The code of an error or of what it wraps: a failed connection to several addresses is an error of errors. */
function codeOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  const { code, errors, cause } = error as { code?: unknown; errors?: readonly unknown[]; cause?: unknown };
  if (typeof code === 'string' && /^[A-Z][A-Z0-9_]+$/.test(code)) return code;
  return codeOf(errors?.[0]) ?? codeOf(cause);
}

import { NotSentError } from '../../core/app-error.ts';

/** A proxy did not open a tunnel. Nothing of a request has left by then. */
export class ProxyFailure extends Error {
  override readonly name = 'ProxyFailure';
  /** Address of the proxy without user name and password. */
  readonly proxy: string;
  /** Status of its answer; null when there was no answer, and `cause` says why. */
  readonly status: number | null;

  constructor(proxy: string, status: number | null, cause?: unknown) {
    super('the proxy did not open a tunnel', { cause });
    this.proxy = proxy;
    this.status = status;
  }
}

/** Failures of the network in words; the code follows in parentheses. */
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
  ENFILE: 'too many files are open on this machine',
  EADDRNOTAVAIL: 'this machine has no port left for another connection',
  UND_ERR_CONNECT_TIMEOUT: 'no connection within 10 s',
  UND_ERR_HEADERS_TIMEOUT: 'no answer in time',
  UND_ERR_SOCKET: 'the connection was closed',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'the answer is shorter than it says',
  UND_ERR_HEADERS_OVERFLOW: 'the headers of the answer are too long',
  ERR_SSL_WRONG_VERSION_NUMBER: 'the server does not speak TLS; does its address begin with http:?',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'the server does not speak TLS; does its address begin with http:?',
};

/**
 * The message of undici for an answer that begins with `100 Continue`. It never asks for one, destroys the connection when
 * one comes, and has no option to skip it (RFC 9110, 15.2, asks clients to read it).
 */
const BAD_RESPONSE = 'bad response';

/** The codes of OpenSSL and Node for a certificate that is not accepted. */
const CERTIFICATE_REFUSED =
  /^(?:CERT_|CRL_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|HOSTNAME_MISMATCH|INVALID_(?:CA|PURPOSE)|PATH_LENGTH|ERR_TLS_CERT_ALTNAME)/;

/**
 * A network error in words for people. Made from its code alone, because messages of libraries can quote the request, and
 * that contains a token or a customer's data.
 */
export function networkReason(error: unknown): string {
  if (error instanceof ProxyFailure) {
    const what =
      error.status === null ? `: ${networkReason(error.cause)}` : ` answered with status ${error.status}`;
    return `the proxy ${error.proxy}${what}`;
  }
  // The only error of undici without a code: the answer is no HTTP, or ends in the middle of it.
  if (error instanceof Error && error.name === 'HTTPParserError') return 'the answer is not whole HTTP';
  const code = codeOf(error);
  if (code === 'UND_ERR_SOCKET' && error instanceof Error && error.message === BAD_RESPONSE)
    return `the server, or a proxy before it, sent 100 Continue without being asked, which cannot be read: have its operator turn that off (${code})`;
  if (code === undefined) return 'the connection failed';
  return `${WORDS[code] ?? alertWords(code) ?? 'the connection failed'} (${code})`;
}

/** An alert that ended the handshake, in the words of TLS, such as `protocol version`. */
function alertWords(code: string): string | undefined {
  const name = /^ERR_SSL_(?:SSLV3|TLSV1|TLSV13|SSL\/TLS)_(?:ALERT_)?(\w+)$/.exec(code)?.[1];
  return name && `the other side refused TLS with the alert “${name.toLowerCase().replaceAll('_', ' ')}”`;
}

/**
 * The error of a wrong certificate or password, which no wait repairs. Nothing has left by then. Undefined for every other error.
 */
export function refusedConnection(error: unknown, origin: string): NotSentError | undefined {
  const proxy = error instanceof ProxyFailure ? error : undefined;
  const code = codeOf(proxy ? proxy.cause : error) ?? '';
  if (proxy?.status === 407)
    return new NotSentError('credentials_gateway_refused', {
      reason: `the proxy ${proxy.proxy} wants another user name and password (407)`,
      todo: 'Set them in HTTPS_PROXY, as http://user:password@host:port, or name the platform in NO_PROXY if it can be reached directly.',
    });
  if (!CERTIFICATE_REFUSED.test(code)) return undefined;
  const { host } = new URL(proxy?.proxy ?? origin);
  return new NotSentError('certificate_refused', {
    host,
    reason: certificateReason(proxy ? proxy.cause : error, code),
  });
}

/** The words of OpenSSL, which quote nothing but the certificate. Times are compared with the clock of this machine. */
function certificateReason(error: unknown, code: string): string {
  const clock = /EXPIRED|NOT_YET_VALID/.test(code) ? ', or the clock of this machine is wrong' : '';
  // Node adds advice of its own, which is about other programs.
  const words = error instanceof Error ? error.message.split(';')[0]! : 'it is not accepted';
  return `${words}${clock} (${code})`;
}

/** Whether the other side took too long, rather than failed. */
export function isTimeout(error: unknown): boolean {
  const code = codeOf(error instanceof ProxyFailure ? error.cause : error) ?? '';
  return /^ETIMEDOUT$|^UND_ERR_(?:CONNECT|HEADERS)_TIMEOUT$/.test(code);
}

/** The code of an error or of an inner error: a failed connection to several addresses has one error for each. */
function codeOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  const { code, errors, cause } = error as { code?: unknown; errors?: readonly unknown[]; cause?: unknown };
  if (typeof code === 'string' && /^[A-Z][A-Z0-9_/]+$/.test(code)) return code;
  return codeOf(errors?.[0]) ?? codeOf(cause);
}

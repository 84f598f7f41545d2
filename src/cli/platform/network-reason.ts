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
  UND_ERR_CONNECT_TIMEOUT: 'no connection within 10 s',
  UND_ERR_HEADERS_TIMEOUT: 'no answer in time',
  UND_ERR_BODY_TIMEOUT: 'the answer stopped coming',
  UND_ERR_SOCKET: 'the connection was closed',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'the answer is shorter than it says',
  UND_ERR_HEADERS_OVERFLOW: 'the headers of the answer are too long',
  CERT_HAS_EXPIRED: 'the certificate of the platform has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'the certificate of the platform is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN:
    'the certificate of the platform is signed by an authority that is not trusted here',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'the certificate of the platform cannot be verified',
  ERR_SSL_WRONG_VERSION_NUMBER: 'the server does not speak TLS; does its address begin with http:?',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'the server does not speak TLS; does its address begin with http:?',
  ERR_TLS_CERT_ALTNAME_INVALID: 'the certificate belongs to another host',
};

/**
 * What a network error says for people. Made from its code alone: messages of libraries can quote what was sent,
 * and that is a token or a customer's data.
 */
export function networkReason(error: unknown): string {
  // The only error without a code that the HTTP library has: what came is no HTTP, or ends in the middle of it.
  if (error instanceof Error && error.name === 'HTTPParserError') return 'the answer is not whole HTTP';
  const code = codeOf(error);
  if (code === undefined) return 'the connection failed';
  return `${WORDS[code] ?? 'the connection failed'} (${code})`;
}

/** The code of an error or of what it wraps: a failed connection to several addresses is an error of errors. */
function codeOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  const { code, errors, cause } = error as { code?: unknown; errors?: readonly unknown[]; cause?: unknown };
  if (typeof code === 'string' && /^[A-Z][A-Z0-9_]+$/.test(code)) return code;
  return codeOf(errors?.[0]) ?? codeOf(cause);
}

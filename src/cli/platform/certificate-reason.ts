/** Why a certificate is not accepted, by the codes of OpenSSL and Node. */
const WORDS: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'it has expired, or the clock of this machine is wrong',
  CERT_NOT_YET_VALID: 'it is not valid yet, or the clock of this machine is wrong',
  ERR_TLS_CERT_ALTNAME_INVALID: 'it belongs to another host',
  HOSTNAME_MISMATCH: 'it belongs to another host',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'it is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'it comes from an authority that is not trusted here',
  UNABLE_TO_GET_ISSUER_CERT: 'it comes from an authority that is not known here',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'it comes from an authority that is not known here',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'it comes from an authority that is not known here',
  CERT_UNTRUSTED: 'it comes from an authority that is not trusted here',
  CERT_REJECTED: 'it comes from an authority that is not trusted here',
  CERT_REVOKED: 'it was revoked',
  CERT_SIGNATURE_FAILURE: 'its signature is wrong',
  CERT_CHAIN_TOO_LONG: 'there are too many certificates between it and its authority',
  INVALID_CA: 'it comes from something that is no authority',
  INVALID_PURPOSE: 'it is not made for servers',
  PATH_LENGTH_EXCEEDED: 'there are too many certificates between it and its authority',
};

/** Why the other side's certificate is not accepted; undefined when the error is about something else. */
export function certificateReason(code: string | undefined): string | undefined {
  const words = code === undefined ? undefined : WORDS[code];
  return words === undefined ? undefined : `${words} (${code})`;
}

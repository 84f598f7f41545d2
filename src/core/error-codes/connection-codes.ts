import type { ErrorCodeEntry } from './entry.ts';
import { row } from './row.ts';

/** What stands between the client and the platform: certificates and proxies. */
export const CONNECTION_CODES = {
  certificates_unchecked: row(
    'USAGE',
    'NODE_TLS_REJECT_UNAUTHORIZED=0 turns off the check of certificates, so anybody on the way could read keys and customer data',
    'Type `unset NODE_TLS_REJECT_UNAUTHORIZED`; if the platform has a certificate of your own authority, give that with --ca-file.',
  ),
  ca_file_invalid: row(
    'USAGE',
    '{file} is not a file of certificates: {reason}',
    'Give the certificates of your authority in PEM, each from `-----BEGIN CERTIFICATE-----` to `-----END CERTIFICATE-----`.',
  ),
  certificate_refused: row(
    'UNFINISHED',
    'the certificate of {host} is not accepted: {reason}',
    'If it comes from an authority of your own, give the certificate of that with --ca-file; otherwise ask the operator, because somebody may stand in between.',
  ),
  proxy_invalid: row(
    'USAGE',
    'the variable {variable} is wrong: {reason}',
    'Set it to an address such as http://proxy.example:3128, or unset it.',
  ),
  credentials_proxy_refused: row(
    'AUTH',
    'the proxy {proxy} does not let us through: it wants another user name and password (407)',
    'Set them in HTTPS_PROXY, as http://user:password@host:port, or name the platform in NO_PROXY if it can be reached directly.',
  ),
} as const satisfies Record<string, ErrorCodeEntry>;

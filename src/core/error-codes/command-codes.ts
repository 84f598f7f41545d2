import {
  authCode,
  temporaryCode,
  unfinishedCode,
  usageCode,
  type ErrorCodeEntry,
  platformCode,
  refusedCode,
} from './entry.ts';

/** A local platform does not start, or does not end as it should. */
export const SERVE_CODES = {
  address_unavailable: usageCode(
    '{what|cannot listen on port {port} of {host}: {reason}}',
    '{todo|{remedy}.}',
  ),
  database_unusable: usageCode(
    'the database {file} cannot be used: {reason}',
    '{todo|Give another file with --db; where only a right is missing, make this one and its folder writable.}',
  ),
} as const satisfies Record<string, ErrorCodeEntry>;

const NOT_THERE = { authority: 'chosen', status: 404 } as const;

/** A local platform that runs is operated wrongly. */
export const ADMIN_CODES = {
  // Answers of the admin API.
  supplier_not_found: platformCode(
    'no import supplier has this code',
    'Type `dataimport admin supplier` for a list.',
    NOT_THERE,
  ),
  account_not_staged: platformCode(
    'there is no such account, not even a staged one',
    'Type `dataimport admin accounts` for a list. The action `stage` adds an account.',
    NOT_THERE,
  ),
  snapshot_not_found: platformCode(
    'there is no snapshot of this name',
    'Type `dataimport admin snapshot` for a list.',
    NOT_THERE,
  ),

  // Seeds and faults; 400, because they can also come over the admin API.
  seed_invalid: platformCode(
    '{what|the seed is not valid}: {reason}',
    '{todo|Correct it: docs/serve-reference.md, "Seeds", shows what a seed contains, and `dataimport schema seed` prints its format for editors.}',
    { authority: 'chosen', exit: 'USAGE' },
  ),

  // Found by `dataimport admin` itself.
  admin_refused: refusedCode(
    'the local platform refused the request: {reason}',
    '`dataimport {command} --help` shows what it takes.',
  ),
} as const satisfies Record<string, ErrorCodeEntry>;

/** A command line, a setting, a credential or the connection to the platform is wrong. */
export const COMMAND_CODES = {
  // Command lines, settings and files.
  usage: usageCode('{reason}', '{todo|See `dataimport {command} --help`.}'),
  client_not_tried: usageCode(
    'the client cannot be tried: {reason}',
    'Run it by hand against `dataimport serve` with the same seed, until it ends with 0 and its records are stored.',
  ),
  setting_invalid: usageCode(
    'the setting {setting} {what|({source}) is wrong: {reason}}',
    '{todo|Accepted: {accepted}.}',
  ),
  config_untrusted: usageCode(
    'the configuration file {file} is not obeyed: {reason}',
    'Read the file. If you trust everybody who can write it, name it with --config or DATAIMPORT_CONFIG. Your own file needs a home folder that nobody else can write to. Else remove the file.',
  ),
  file_not_writable: usageCode(
    '{file} cannot be written: {reason}',
    'Make its folder and see that you may write there, or give another path.',
  ),

  // Questions about accounts.
  machine_exhausted: temporaryCode(
    'this machine has too little left: {reason}',
    'Close other programs, raise the limit (`ulimit -n`) or the memory of the container, or lower --concurrency. Then type the same command again.',
  ),

  // Credentials.
  base_url_insecure: usageCode(
    'the base URL is not https and not on this machine',
    'Use https: keys and customer data would travel in the clear.',
  ),
  secret_file_open: usageCode('{file} can be read by others', 'Type `chmod 600 {file}`.'),
  credentials_missing: authCode(
    '{reason|no API key and no token are set}',
    '{todo|Set DATAIMPORT_API_KEY or DATAIMPORT_API_KEY_COMMAND, or apiKeyFile in dataimport.config.yaml.}',
  ),
  credentials_refused: authCode(
    '{what|the platform refused the credentials}: {reason}',
    '{todo|Check the API key with the operator. `dataimport config` says where it comes from, such as DATAIMPORT_API_KEY.}',
  ),
  credentials_gateway_refused: authCode(
    '{what|something before the platform refused the request, and neither key nor token were looked at}: {reason}',
    '{todo|Check --base-url. If it is right, ask the operator for a way past this gateway, such as an entry for the address of this machine; dataimport has no user name or password for it.}',
  ),

  // The connection to the platform.
  connection_failed: temporaryCode(
    'no usable answer from the platform at {url}: {reason}',
    'Check --base-url and the network, or wait as long as the platform asks; `dataimport auth` tries the connection. Then type the same command again.',
  ),
  certificates_unchecked: usageCode(
    'NODE_TLS_REJECT_UNAUTHORIZED=0 turns off the check of certificates, so anybody on the way could read keys and customer data',
    'Type `unset NODE_TLS_REJECT_UNAUTHORIZED`; if the platform has a certificate of your own authority, give that with --ca-file.',
  ),
  certificate_refused: unfinishedCode(
    'the certificate of {host} is not accepted: {reason}',
    'If it comes from an authority of your own, give the certificate of that with --ca-file; otherwise ask the operator, because somebody may intercept the connection.',
  ),

  // Files that this program reads.
  document_invalid: usageCode(
    'the {kind} cannot be used: {reason}',
    '{todo|Correct the file. `dataimport schema` prints what a cohort or a contract may contain, `dataimport contract import` makes a contract anew, and `dataimport replay --update` writes all of an expectation but its steps.}',
  ),
} as const satisfies Record<string, ErrorCodeEntry>;

import {
  authCode,
  refusedCode,
  temporaryCode,
  unfinishedCode,
  usageCode,
  type ErrorCodeEntry,
} from './entry.ts';

/** A command line, a setting, a credential or the connection to the platform is wrong. */
export const COMMAND_CODES = {
  // Command lines, settings and files.
  usage: usageCode('{reason}', 'See `dataimport {command} --help`.'),
  unknown_name: usageCode('{reason|the command names what is not there}', '{todo|Correct the name.}'),
  setting_missing: usageCode(
    'the setting {setting} is missing',
    'Give {flag}, set {variable}, or write it to dataimport.config.yaml.',
  ),
  setting_invalid: usageCode('the setting {setting} ({source}) is wrong: {reason}', 'Accepted: {accepted}.'),
  config_untrusted: usageCode(
    'the configuration file {file} is not obeyed: {reason}',
    'Read the file. If you trust everybody who can write it, name it with --config or DATAIMPORT_CONFIG. Your own file needs a home folder that nobody else can write to. Else remove the file.',
  ),
  client_not_tried: usageCode(
    'the client cannot be tried: {reason}',
    'Run it by hand against `dataimport serve` with the same seed, until it ends with 0 and its records are stored.',
  ),
  file_not_ours: usageCode(
    '{file} is no file that this flag has written, so it is not replaced',
    'Give another name. If nobody needs {file}, remove it first.',
  ),
  file_named_twice: usageCode(
    '{file} is named twice: a file of its own is needed for each output, and no output replaces an input',
    'Give another name.',
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
  account_list_not_found: refusedCode(
    'the platform has no such list of accounts (404): no import supplier has this code, or the supplier has no accounts in the list',
    'Check --supplier. When the code is right, the platform has no such account of the supplier yet.',
  ),

  // Credentials.
  base_url_insecure: usageCode(
    'the base URL is not https and not on this machine',
    'Use https: keys and customer data would travel in the clear.',
  ),
  secret_file_open: usageCode('{file} can be read by others', 'Type `chmod 600 {file}`.'),
  secret_command_failed: authCode('apiKeyCommand failed: {reason}', 'Run the command by hand.'),
  credentials_missing: authCode(
    'no API key and no token are set',
    'Set DATAIMPORT_API_KEY or DATAIMPORT_API_KEY_COMMAND, or apiKeyFile in dataimport.config.yaml.',
  ),
  credentials_refused: authCode(
    'the platform refused the credentials: {reason}',
    'Check the API key with the operator.',
  ),
  token_mutation_unknown: authCode(
    'the platform does not know the mutation `{mutation}` with the input field `{field}`: {reason}',
    'Set tokenMutation (DATAIMPORT_TOKEN_MUTATION) and tokenInputField to the names that the operator uses. The API key was not looked at.',
  ),
  credentials_unobtainable: authCode(
    'no token can be obtained: {reason}',
    'Check --base-url first; then tokenPath and tokenMutation, or tokenUrl, with the operator.',
  ),
  credentials_new_tokens_refused: authCode(
    'the platform issues tokens for the API key and refuses every one of them at once (401)',
    'Ask the operator why: the API key is accepted, and its tokens are not. Some platforms want another word than `Token` before a token: authScheme is that setting.',
  ),
  credentials_gateway_refused: authCode(
    'something before the platform refused the request, and neither key nor token were looked at: {reason}',
    'Check --base-url. If it is right, ask the operator for a way past this gateway, such as an entry for the address of this machine; dataimport has no user name or password for it.',
  ),
  client_certificate_wanted: authCode(
    'the platform, or a gateway before it, wants a certificate of this client: {reason}',
    'dataimport has none to show. Ask the operator for an address without that, or start a proxy on this machine that shows the certificate (stunnel, nginx) and give its address as --base-url, such as http://127.0.0.1:8443. If none is wanted there, the two sides have no TLS cipher in common.',
  ),
  credentials_token_refused: authCode(
    'the platform refused the token of DATAIMPORT_TOKEN: it is unknown or has expired',
    'Set a new one, or unset DATAIMPORT_TOKEN: while it is set, no API key is looked at.',
  ),

  // The connection to the platform.
  connection_failed: temporaryCode(
    'no usable answer from the platform at {url}: {reason}',
    'Check the address and the network, then type the command again.',
  ),
  platform_asks_to_wait: temporaryCode(
    'the platform at {url} asks to wait {time}: {reason}',
    'Wait that long, then type the command again.',
  ),
  platform_never_answered: temporaryCode(
    'the platform at {url} has not answered once within {time}: {reason}',
    'Check --base-url and the network, and whether the platform is running; `dataimport auth` tries both. Then type the same command again.',
  ),
  wait_timed_out: temporaryCode(
    'the import is still {status} after {seconds} s',
    'Ask again later, or raise --wait.',
  ),
  certificates_unchecked: usageCode(
    'NODE_TLS_REJECT_UNAUTHORIZED=0 turns off the check of certificates, so anybody on the way could read keys and customer data',
    'Type `unset NODE_TLS_REJECT_UNAUTHORIZED`; if the platform has a certificate of your own authority, give that with --ca-file.',
  ),
  ca_file_invalid: usageCode(
    '{file} is not a file of certificates: {reason}',
    'Give the certificates of your authority in PEM, each from `-----BEGIN CERTIFICATE-----` to `-----END CERTIFICATE-----`.',
  ),
  certificate_refused: unfinishedCode(
    'the certificate of {host} is not accepted: {reason}',
    'If it comes from an authority of your own, give the certificate of that with --ca-file; otherwise ask the operator, because somebody may intercept the connection.',
  ),
  proxy_invalid: usageCode(
    'the variable {variable} is wrong: {reason}',
    'Set it to an address such as http://proxy.example:3128, or unset it.',
  ),
  credentials_proxy_refused: authCode(
    'the proxy {proxy} does not let us through: it wants another user name and password (407)',
    'Set them in HTTPS_PROXY, as http://user:password@host:port, or name the platform in NO_PROXY if it can be reached directly.',
  ),

  // Replays.
  replay_folder_unknown: usageCode(
    '{folder} contains no fixture: neither it nor a folder in it has an expected.yaml or a seed.yaml',
    'Check the path; `dataimport replay --help` describes such a folder.',
  ),
  expectation_invalid: usageCode(
    'the expectation is not valid: {reason}',
    'Correct the file; `dataimport replay --update` writes everything but the steps.',
  ),
  recording_invalid: usageCode(
    'is not a line of a recording: {reason}',
    'Give a file that `--record` of push, migrate, auth, accounts or status has written.',
  ),
  recording_not_continued: usageCode(
    '{file} takes no more exchanges: {reason}',
    'Give `--record` another file, or put the key of the recording beside it.',
  ),
} as const satisfies Record<string, ErrorCodeEntry>;

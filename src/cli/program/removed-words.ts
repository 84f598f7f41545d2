const SIGNED = 'sign the document of `dataimport verify --json` with `openssl pkeyutl` (docs/verify.md)';
const TRUSTED = 'put an apiKeyCommand into your own file, and name the file of another user with --config';

/** Flags of `serve` and `parity` that are keys of `--behaviour` now. */
const CHOSEN_BY_BEHAVIOUR = [
  'error-shape',
  'statements-status',
  'unknown-supplier-status',
  'paused-status',
  'empty-list-status',
  'require',
  'rule',
  'body-limit',
  'max-items',
  'token-ttl',
];

function asBehaviour(key: string): string {
  return `\`--behaviour ${key}=VALUE\` does this`;
}

/**
 * Each removed command, flag and variable, and the end of a sentence that says what does it now. A key is what was typed after `dataimport`: the
 * words of a command, a command with a flag, or a flag alone, which was a flag of several commands. The row of a flag answers for its
 * variable and for its key in a configuration file, too. A variable that had no flag is a key of its own.
 */
export const REMOVED_WORDS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(CHOSEN_BY_BEHAVIOUR.map((key) => [`--${key}`, asBehaviour(key)])),
  'parity --tx-400': asBehaviour('tx-400'),
  'serve --tx-400': asBehaviour('tx-400'),
  'parity --token-path': asBehaviour('token-path'),
  'serve --token-path': asBehaviour('token-path'),
  '--lenient': '`--behaviour lenient` does this',
  '--strict': '`--behaviour strict` does this',
  'accounts --all': 'all accounts are listed without a flag',
  'accounts --imported': '`--state imported` does this',
  'accounts --pending': '`--state pending` does this',
  'admin account list': '`dataimport admin accounts` lists them',
  'admin faults list': '`dataimport admin faults` lists them',
  'admin faults file': '`dataimport admin faults add RULE…` takes several rules',
  'admin rules': 'docs/parity.md has the rules of the local platform, and GET /_local/parity lists them',
  'admin state':
    '`dataimport admin snapshot save NAME` keeps what is stored, and a copy of the database of a stopped server is its state',
  'admin wait':
    '`dataimport serve` prints its address once it answers, and `dataimport admin clock` ends with 5 before',
  'auth check': '`dataimport auth` does this',
  'check --code-quality':
    '`--junit FILE` writes the causes of errors for CI, and `--json` lists the problems',
  'check --sarif':
    'with GITHUB_ACTIONS=true the problems are annotations, and `--json` lists them for other systems',
  'check --watch': 'type `dataimport check` again after a file is saved, or let entr or watchexec type it',
  'config show': '`dataimport config` does this',
  'config trust': TRUSTED,
  'contract diff --check': '`dataimport check RESOURCE FILE --contract NEW` names the refused rows',
  'contract schema': '`dataimport schema contract` prints it',
  DATAIMPORT_TRUST: TRUSTED,
  '--allow-network-disk': '`allowNetworkDisk` is a setting of the configuration file',
  '--connect-timeout':
    'a platform that has never answered is tried for 10 s, and one that has answered for `--retry-for`',
  map: '`dataimport init FILE` drafts a mapping, and `dataimport check` checks it',
  'map check':
    '`dataimport check RESOURCE FILE` checks a mapping with its file, and `dataimport check --map MAPPING` the mapping alone',
  'map init': '`dataimport init FILE` drafts a mapping',
  'map preview': '`dataimport check RESOURCE FILE --line N` shows one row as cells, record and request',
  'explain --search': '`dataimport explain` lists every code with its meaning, for grep',
  'map schema': '`dataimport schema mapping` prints it',
  'migrate schema': '`dataimport schema cohort` prints it',
  '--corrections': 'corrected rows are pushed as a file of their own: `dataimport push RESOURCE FILE`',
  '--earliest-date': '`earliestDate` is a setting of the configuration file',
  '--exact-duplicates': 'a query of the mapping (source.sql with GROUP BY) makes one of equal rows',
  '--keep-input': 'tee FILE keeps what a pipe passes on, and the file can be pushed',
  '--fast': 'the chains are computed anew before a figure is shown',
  '--left-out': '`--json` counts the rows that are left out by their causes',
  '--max-batch-bytes': 'a request has at most 1 MB, and `--batch-size` makes it smaller',
  '--max-gzip-ratio': 'unpack a file that is refused for its size with gunzip',
  '--metrics-file': 'the progress line says how far a command is, and `runs show RUN --json` has the counts',
  '--no-trailer': 'files without a control record get a mapping without one',
  '--on-ambiguous': 'a row that may have arrived is looked for before it is sent again',
  '--rate-limit-total': '`--rate-limit` is the rate of all shards together',
  '--profile': '`--config FILE` names the file of settings of each platform',
  '--profiles': '`--config FILE` names the file of settings of each platform',
  '--replaces': 'a renamed file needs no flag, because records are known by their identity',
  '--resend-refused': 'a refused instruction is sent again when its row has changed, or with `--again`',
  '--skip-records':
    'the rows that arrived before are not sent again, and a filter of the mapping leaves others out',
  '--threads': 'a second thread reads large files where there is a second core',
  'contract import --accept': 'the interface counts, and `contract show` lists what contradicts it',
  'parity --accept': '`--json` has an id for each difference, to compare with those that you know',
  'parity --html': '`--json` has every difference with its rule',
  'push --ask-platform':
    'no answer shows whether a platform stored nothing; `--max-records N` sends a few rows first, and `--dry-run` none',
  'push --report-html': '`dataimport verify --html FILE` writes the page of what was sent',
  'push --report-json': '`--json` prints the document, and `runs show RUN --json` prints it again',
  'push --report-junit': '`dataimport verify --junit FILE` writes what was sent as tests',
  'replay --jobs': 'folders are replayed one after the other',
  '--with-values': 'a recording has other values of the same form, and equal values stay equal',
  report: '`dataimport verify` says what has arrived, and `--html FILE` writes the page',
  'report --otlp': '`--log-file` has each request with its times',
  'report --pdf': 'print the page of `--html` from any browser',
  'report --rejects': '`push … --rejects FILE` copies the wrong rows, and the page says who has to act',
  'report schema': '`dataimport schema verify` prints it',
  'report --sign': SIGNED,
  'report --sign-passphrase-file': SIGNED,
  'resume --rejects':
    '`dataimport push RESOURCE FILE --rejects REJECTS` copies the refused rows of a file, also those of a cohort',
  'runs diff': '`dataimport verify RESOURCE FILE` compares the present files with what was sent',
  'runs fixture': '`dataimport replay FOLDER` plays a file, its mapping and a seed of your own',
  'runs merge':
    '`dataimport verify RESOURCE FILE` takes a `--run-dir` for each folder, and finds the rows in all of them',
  'runs trace': '`dataimport runs show RUN --line N`, or `--account A`, shows every step of a record',
  'serve --open': 'the printed address opens in any browser',
  'serve --allowed-host': 'with `--allow-network` clients may use any name',
  'serve --fail-on-unused-faults': '`serve` names each rule that was never hit when it ends',
  'serve --fault-file': '`--fault` takes one rule, and may be given several times',
  'serve --isolate': 'a test starts its own platform, with startServer() of dataimport/server',
  'serve --log-bodies': 'the log always keeps bodies, the newest in 64 MB of memory',
  'serve --log-limit': 'the log takes 64 MB of memory',
  'serve schema': '`dataimport schema seed` prints it',
  'verify --accounts': '`--json` lists the differences with their lines',
  'verify --run': 'each row is found in every journal of the folder, whatever command has sent it',
  'verify --public-key': SIGNED,
  'verify schema': '`dataimport schema verify` prints it',
  'verify --signed': SIGNED,
  'serve --fault-seed': 'a rule with p= at another place meets other requests by chance',
  'status --timeout': '`--wait 10m` says how long',
  'try --fault-seed': 'a longer `--budget` tries more pairs of faults',
  'try --junit':
    'the exit code is 1 when records would be lost, doubled or changed, and `--json` lists each finding',
  'try --replay':
    'each finding names its faults, and `dataimport serve --fault RULE` shows on its page what your client does',
};

const VERSION = '`dataimport --version` prints the version';

/** The answer to a word that comes after a command (empty: the program itself) and that the command does not know. `next`: the word after it. */
export function removedWord(command: string, word: string, next = ''): string | undefined {
  if (word === '-V') return `there is no flag -V; ${VERSION}`;
  if (command === '' && word === 'version') return `there is no command version; ${VERSION}`;
  if (word.startsWith('-')) return answerTo(word, [`${command} ${word}`, word]);
  const typed = `${command} ${word}`.trimStart();
  return answerTo(`${typed} ${next}`, [`${typed} ${next}`]) ?? answerTo(typed, [typed]);
}

/** The answer to a variable that no flag of a command and no setting reads. */
export function removedVariable(command: string, variable: string): string | undefined {
  const flag = `--${variable.replace('DATAIMPORT_', '').replaceAll('_', '-').toLowerCase()}`;
  return answerTo(variable, [`${command} ${flag}`, flag, variable]);
}

/** The answer to a key of a configuration file that is no setting. */
export function removedSetting(key: string): string | undefined {
  const flag = `--${key.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  return answerTo(key, [flag, `DATAIMPORT_${flag.slice(2).replaceAll('-', '_').toUpperCase()}`]);
}

function answerTo(word: string, keys: readonly string[]): string | undefined {
  const key = keys.find((each) => Object.hasOwn(REMOVED_WORDS, each));
  return key === undefined ? undefined : `there is no ${word} any more: ${REMOVED_WORDS[key]}`;
}

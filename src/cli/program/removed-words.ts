/** Flags of `serve` and `parity` that are keys of `--behaviour` now. */
const CHOSEN_BY_BEHAVIOUR =
  'error-shape statements-status unknown-supplier-status paused-status empty-list-status require rule body-limit max-items token-ttl'.split(
    ' ',
  );

/**
 * The commands and flags of 0.2 that are gone, and the end of a sentence that says what does it now. A key is what was typed after `dataimport`:
 * the words of a command, a command with a flag, or a flag alone, which was a flag of several commands. The row of a flag answers for its
 * variable, too.
 */
export const REMOVED_WORDS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    CHOSEN_BY_BEHAVIOUR.map((key) => [`--${key}`, `\`--behaviour ${key}=VALUE\` does this`]),
  ),
  'serve --tx-400': '`--behaviour tx-400=VALUE` does this',
  'serve --token-path': '`--behaviour token-path=VALUE` does this',
  '--lenient': '`--behaviour lenient` does this',
  '--strict': '`--behaviour strict` does this',
  'accounts --all': 'all accounts are listed without a flag',
  'accounts --imported': '`--state imported` does this',
  'accounts --pending': '`--state pending` does this',
  'admin account --open-from': 'a seed has the open statement of an account',
  'admin account --open-to': 'a seed has the open statement of an account',
  'admin state': '`dataimport admin snapshot save NAME` keeps what is stored',
  'admin wait': '`dataimport serve` prints its address once it answers',
  'auth check': '`dataimport auth` does this',
  'check --sarif': 'with GITHUB_ACTIONS=true the problems are annotations, and `--json` lists them',
  'check --watch': 'entr or watchexec type `dataimport check` again after a file is saved',
  'config show': '`dataimport config` does this',
  'config trust': 'put an apiKeyCommand into your own file, and name the file of another user with --config',
  'contract diff --check': '`dataimport check RESOURCE FILE --contract NEW` names the refused rows',
  'contract import --accept': 'edit contract.json where the document is wrong',
  'contract show --resource': 'each line begins with its resource',
  'contract import --rule-off': 'write "off": true into the rule in contract.json',
  '--allow-network-disk': '`allowNetworkDisk` is a setting of the configuration file',
  '--connect-timeout': 'a platform that has never answered is tried for 10 s',
  map: '`dataimport init FILE` drafts a mapping, and `dataimport check` checks it and shows a row with `--line N`',
  'explain --search': '`dataimport explain` lists every code with its meaning, for grep',
  '--ask-again': '`dataimport push … --again` sends each record again, and says how many were there already',
  '--others': 'a record that nobody here has sent is a difference, which `dataimport admin reset` removes',
  '--corrections': 'corrected rows are pushed as a file of their own: `dataimport push RESOURCE FILE`',
  '--earliest-date': '`earliestDate` is a setting of the configuration file',
  '--exact-duplicates': 'a query of the mapping (source.sql with GROUP BY) makes one of equal rows',
  '--keep-input': 'tee FILE keeps what a pipe passes on, and the file can be pushed',
  '--fast': 'the chains are computed anew before a figure is shown',
  '--left-out': '`--json` counts the rows that are left out by their causes',
  '--max-batch-bytes': 'a request has at most 1 MB, and `--batch-size` makes it smaller',
  '--max-gzip-ratio': 'unpack a file that is refused for its size with gunzip',
  '--metrics-file': '`runs show RUN --json` has the counts',
  '--no-color': 'the variable NO_COLOR turns colours off',
  '--no-input': 'nothing is ever asked, so leave it out',
  '--no-trailer': 'files without a control record get a mapping without one',
  '--on-ambiguous': 'a row that may have arrived is looked for before it is sent again',
  '--rate-limit-total': '`--rate-limit` is the rate of all shards together',
  '--profile': '`--config FILE` names the file of settings of each platform',
  '--replaces': 'a renamed file needs no flag, because records are known by their identity',
  '--resend-refused': 'a refused instruction is sent again when its row changes, or is confirmed as missing',
  '--skip-records': 'rows that arrived are not sent again, and a filter of the mapping leaves others out',
  '--threads': 'a second thread reads large files where there is a second core',
  'push --ask-platform': 'no answer shows whether a platform stored nothing, and `--dry-run` sends nothing',
  'push --report-html': '`dataimport verify --html FILE` writes the page of what was sent',
  'push --report-json': '`--json` prints the document, and `runs show RUN --json` prints it again',
  'push --report-junit': '`dataimport verify --junit FILE` writes what was sent as tests',
  'replay --jobs': 'folders are replayed one after the other',
  '--with-values': 'a recording has other values of the same form, and equal values stay equal',
  report:
    '`dataimport verify` says what has arrived, and `--html FILE` writes the page, which any browser prints',
  'resume --rejects': '`dataimport push RESOURCE FILE --rejects REJECTS` copies the refused rows of a file',
  'runs diff': '`dataimport verify RESOURCE FILE` compares the present files with what was sent',
  'runs fixture': '`dataimport replay FOLDER` plays a file, its mapping and a seed of your own',
  'runs merge': '`dataimport verify RESOURCE FILE` takes a `--run-dir` for each folder',
  'runs trace': '`dataimport runs show RUN --line N`, or `--account A`, shows every step of a record',
  'serve --open': 'the printed address opens in any browser',
  'serve --allowed-host': 'with `--allow-network` clients may use any name',
  'serve --fail-on-unused-faults': '`serve` names each rule that was never hit when it ends',
  'serve --fault-file': '`--fault` takes one rule, and may be given several times',
  'serve --fault-seed': 'a rule with p= at another place meets other requests by chance',
  'serve --isolate': 'a test starts its own platform, with startServer() of dataimport/server',
  'serve --like': '`dataimport parity RECORDING --seed FILE` names the keys of `--behaviour`',
  'serve --latency': "`--fault 'any after-commit delay=50'` makes every good answer 50 ms late",
  'serve --log-bodies': 'the log always keeps bodies, the newest in 64 MB of memory',
  'serve --log-limit': 'the log takes 64 MB of memory',
  'serve --ready-file': 'the first line of `--json` says that requests are accepted',
  'status --timeout': '`dataimport migrate --wait-for-accounts 10m` waits for accounts',
  'status --wait': '`dataimport migrate --wait-for-accounts 10m` waits for accounts',
  'verify --accounts': '`--json` lists the differences with their lines',
  'verify --run': 'each row is found in every journal of the folder, whatever command has sent it',
  'verify --signed': 'sign the document of `--json` with `openssl pkeyutl` (docs/verify.md)',
};

/** The answer to a word that comes after a command (empty: the program itself) and that the command does not know. `next`: the word after it. */
export function removedWord(command: string, word: string, next = ''): string | undefined {
  if (word.startsWith('-')) return answerTo(word, [`${command} ${word}`, word]);
  const typed = `${command} ${word}`.trimStart();
  return answerTo(`${typed} ${next}`, [`${typed} ${next}`]) ?? answerTo(typed, [typed]);
}

/** The answer to a variable that no flag of a command and no setting reads. */
export function removedVariable(command: string, variable: string): string | undefined {
  const flag = `--${variable.replace('DATAIMPORT_', '').replaceAll('_', '-').toLowerCase()}`;
  return answerTo(variable, [`${command} ${flag}`, flag]);
}

function answerTo(word: string, keys: readonly string[]): string | undefined {
  const key = keys.find((each) => Object.hasOwn(REMOVED_WORDS, each));
  return key === undefined ? undefined : `there is no ${word} any more: ${REMOVED_WORDS[key]}`;
}

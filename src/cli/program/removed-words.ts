const OF_SENDING: Readonly<Record<string, string>> = {
  '--continue': 'the same command goes on by itself',
  '--new': 'a changed file is sent by the same command; `--again` ignores what was sent before',
  '--only-new': 'only what has not arrived is sent, always',
  '--since': 'every run of the folder is known, so none has to be named',
};

const SIGNED = 'sign the document of `dataimport report --json` with `openssl pkeyutl` (docs/report.md)';

const METRICS = {
  '--metrics-file': 'the progress line says how far a command is, and `runs show RUN --json` has the counts',
};

/** By command (empty: the program itself): what does now what a removed command or flag did, as the end of a sentence. */
const REMOVED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  '': {
    retry: '`dataimport resume RUN` sends refused records again, and so does the command of the run',
    plan: '`dataimport push … --dry-run` and `dataimport migrate … --dry-run` say how long sending takes',
  },
  admin: {
    parity:
      '`dataimport admin rules` lists the rules of the local platform, and `dataimport parity FILE` compares it with a recording',
  },
  serve: { '--isolate': 'a test starts its own platform, with `startServer()` of `dataimport/server`' },
  check: {
    '--sarif':
      'with GITHUB_ACTIONS=true the problems are annotations, and `--json` lists them for other systems',
    '--code-quality': '`--junit FILE` writes the causes of errors for CI, and `--json` lists the problems',
  },
  push: { ...OF_SENDING, ...METRICS },
  migrate: { ...OF_SENDING, ...METRICS },
  resume: { ...OF_SENDING, ...METRICS },
  runs: {
    diff: '`dataimport verify RESOURCE FILE` compares the present files with what was sent',
    fixture: '`dataimport replay FOLDER` plays a folder with a file, its mapping and a seed, which you make',
  },
  report: {
    '--ctrf': 'a report has the forms --html, --junit and --json',
    '--otlp': '`--log-file` has each request with its times',
    '--pdf': 'print the page of `--html` from any browser',
    '--rejects': '`push … --rejects FILE` copies the wrong rows, and the page says who has to act',
    '--sign': SIGNED,
    '--sign-passphrase-file': SIGNED,
  },
  verify: {
    '--accounts': '`--json` lists the accounts that differ',
    '--signed': SIGNED,
    '--public-key': SIGNED,
  },
};

const VERSION = '`dataimport --version` prints the version';

/** A word of an earlier version or of other programs, and what does it here; undefined for any other word. */
export function removedWord(command: string, word: string): string | undefined {
  if (word === '-V') return `there is no flag -V; ${VERSION}`;
  if (command === '' && word === 'version') return `there is no command version; ${VERSION}`;
  const removed = REMOVED[command] ?? {};
  return Object.hasOwn(removed, word) ? `there is no ${word} any more: ${removed[word]}` : undefined;
}

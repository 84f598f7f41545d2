const OF_SENDING: Readonly<Record<string, string>> = {
  '--continue': 'the same command goes on by itself',
  '--new': 'a changed file is sent by the same command; `--again` ignores what was sent before',
  '--only-new': 'only what has not arrived is sent, always',
  '--since': 'every run of the folder is known, so none has to be named',
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
  push: OF_SENDING,
  migrate: OF_SENDING,
  resume: OF_SENDING,
  runs: {
    diff: '`dataimport verify RESOURCE FILE` compares the present files with what was sent',
    fixture: '`dataimport replay FOLDER` plays a folder with a file, its mapping and a seed, which you make',
  },
  report: { '--ctrf': 'a report has the forms --html, --junit, --otlp and --json' },
};

const VERSION = '`dataimport --version` prints the version';

/** A word of an earlier version or of other programs, and what does it here; undefined for any other word. */
export function removedWord(command: string, word: string): string | undefined {
  if (word === '-V') return `there is no flag -V; ${VERSION}`;
  if (command === '' && word === 'version') return `there is no command version; ${VERSION}`;
  const removed = REMOVED[command] ?? {};
  return Object.hasOwn(removed, word) ? `there is no ${word} any more: ${removed[word]}` : undefined;
}

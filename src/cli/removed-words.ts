/** What does now what a removed command or flag did, as the end of a sentence. */
const REMOVED: Readonly<Record<string, string>> = {
  retry: '`dataimport resume RUN` sends refused records again, and so does the command of the run',
  plan: '`dataimport push … --dry-run` and `dataimport migrate … --dry-run` say how long sending takes',
  '--continue': 'the same command goes on by itself',
  '--new': 'a changed file is sent by the same command; `--again` ignores what was sent before',
  '--only-new': 'only what has not arrived is sent, always',
  '--since': 'every run of the folder is known, so none has to be named',
};

/** The word that a person may know from an earlier version, and what does it now; undefined for any other word. */
export function removedWord(word: string): string | undefined {
  return Object.hasOwn(REMOVED, word) ? `there is no ${word} any more: ${REMOVED[word]}` : undefined;
}

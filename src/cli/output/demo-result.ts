import { relative } from 'node:path';
import { shownAs, type View } from './formats/result-formats.ts';
import { exitDocument } from './json.ts';
import { runDocumentOf, type RunResult } from './run/run-document.ts';
import { escapedLines } from './text/text.ts';

/** The pushes of a demo, and whether the platform has what was read. */
export interface DemoResult {
  readonly pushes: readonly RunResult[];
  /** Differences between the files and the ledger of the platform; empty when they are equal. */
  readonly differences: readonly string[];
  /** Paths of the sample data, the database of the platform and the folder of the runs. */
  readonly input: string;
  readonly database: string;
  readonly runs: string;
}

export const shownDemo = shownAs<DemoResult>({
  document: ({ pushes, differences, database, runs }, exit) => ({
    version: 1,
    exit: exitDocument(exit),
    pushes: pushes.map(runDocumentOf),
    differences,
    database,
    runs,
  }),
  // The pushes were shown when they ended.
  text: closingText,
});

function closingText({ differences, input, database, runs }: DemoResult, { exit, cwd }: View): string {
  const shown = (path: string): string => relative(cwd, path);
  const verdict =
    differences.length > 0
      ? ['The platform does not have what was read:', ...differences.map((line) => `  ${line}`)]
      : exit === 'OK'
        ? ['Counts and sums of all files and of the platform’s ledger are equal, to the penny.']
        : ['Not every row landed.'];
  return escapedLines([
    ...verdict,
    '',
    'Where things are:',
    `  input     ${shown(input)}`,
    `  platform  ${shown(database)}`,
    `  runs      ${shown(runs)}`,
    '',
    'Next: look at what arrived, with `dataimport serve --db ' + shown(database) + '`,',
    'or rehearse your own files as README.md shows.',
    '',
  ]);
}

import { join } from 'node:path';
import { commandLine } from '../../core/command-line.ts';
import { shownAs } from '../output/formats/result-formats.ts';
import { exitDocument } from '../output/json.ts';
import type { JUnitSuite } from '../output/formats/junit.ts';
import { REPLAY_OUTCOMES, type FolderOutcome } from '../output/output-events.ts';
import { EXPECTATION_FILE } from './expectation.ts';
import { counted, escapedLines } from '../output/text/text.ts';

/** All folders of a replay. Each was shown by a `replayed` event when it ended. */
export type ReplayResult = { readonly folders: readonly FolderOutcome[] };

export const shownReplay = shownAs<ReplayResult>({
  document: ({ folders }, exit) => ({ version: 1, exit: exitDocument(exit), folders }),
  text: ({ folders }) => closingText(folders),
  annotated: ({ folders }, { diffBlock }) => {
    const different = folders.filter(({ outcome }) => outcome === 'different');
    return {
      problems: different.map(({ folder }) => ({
        code: 'replay differs',
        severity: 'error',
        file: join(folder, EXPECTATION_FILE),
        line: 1,
        detail: 'the replay differs from this expectation; the summary of the step has the difference',
      })),
      summary: [
        `### replay: ${outcomesText(folders)}\n\n`,
        ...different.map(({ difference }) => `${diffBlock(difference ?? '')}\n`),
      ].join(''),
    };
  },
});

/** How many folders ended in which way, and what to type next. */
function closingText(folders: readonly FolderOutcome[]): string {
  const different = folders.filter(({ outcome }) => outcome === 'different').map(({ folder }) => folder);
  const next = `next: correct what changed, or accept it with \`${commandLine('replay --update', different)}\``;
  return escapedLines([outcomesText(folders), ...(different.length > 0 ? [next] : [])]);
}

/** As in "3 folders: 2 same, 1 different". */
function outcomesText(folders: readonly FolderOutcome[]): string {
  const kinds = REPLAY_OUTCOMES.map((kind) => ({
    kind,
    count: folders.filter(({ outcome }) => outcome === kind).length,
  })).filter(({ count }) => count > 0);
  return `${counted(folders.length, 'folder')}: ${kinds.map(({ kind, count }) => `${count} ${kind}`).join(', ')}`;
}

/** The folders as tests: a folder that differs fails with its difference. */
export const replaySuite = (folders: readonly FolderOutcome[]): JUnitSuite => ({
  name: 'replay',
  cases: folders.map(({ folder, outcome, difference }) => ({
    name: folder,
    failure:
      outcome === 'different'
        ? `differs from its expectation\n${difference ?? ''}`
        : outcome === 'interrupted'
          ? outcome
          : null,
  })),
  properties: { folders: folders.length },
  seconds: 0,
});

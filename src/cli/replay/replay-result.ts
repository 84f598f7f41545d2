import { commandLine } from '../../core/command-line.ts';
import { shownAs } from '../output/formats/result-formats.ts';
import { exitDocument } from '../output/json.ts';
import type { JUnitSuite } from '../output/formats/junit.ts';
import { REPLAY_OUTCOMES, type FolderOutcome } from '../output/output-events.ts';
import { counted, escapedLines } from '../output/text/text.ts';

/** All folders of a replay. Each was shown by a `replayed` event when it ended. */
export type ReplayResult = { readonly folders: readonly FolderOutcome[] };

export const shownReplay = shownAs<ReplayResult>({
  document: ({ folders }, exit) => ({ version: 1, exit: exitDocument(exit), folders }),
  text: ({ folders }) => closingText(folders),
});

/** How many folders ended in which way, and what to type next. */
function closingText(folders: readonly FolderOutcome[]): string {
  const kinds = REPLAY_OUTCOMES.map((outcome) => ({
    outcome,
    names: folders.filter((each) => each.outcome === outcome).map(({ folder }) => folder),
  })).filter(({ names }) => names.length > 0);
  const summary = kinds.map(({ outcome, names }) => `${names.length} ${outcome}`).join(', ');
  const different = kinds.find(({ outcome }) => outcome === 'different')?.names ?? [];
  const next = `next: correct what changed, or accept it with \`${commandLine('replay --update', different)}\``;
  return escapedLines([
    `${counted(folders.length, 'folder')}: ${summary}`,
    ...(different.length > 0 ? [next] : []),
  ]);
}

/** The folders as tests: a folder that differs fails with its difference. */
export function replaySuite(folders: readonly FolderOutcome[]): JUnitSuite {
  return {
    name: 'replay',
    cases: folders.map(({ folder, outcome, difference }) => ({
      name: folder,
      failure:
        outcome === 'different'
          ? `differs from its expectation\n${difference ?? ''}`
          : outcome === 'interrupted'
            ? 'interrupted'
            : null,
    })),
    properties: { folders: folders.length },
  };
}

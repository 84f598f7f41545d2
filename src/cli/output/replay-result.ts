import { shownAs } from './formats/result-formats.ts';
import { exitDocument } from './json.ts';
import type { ReportSuite } from './report/cases.ts';
import { counted, escapedLines } from './text.ts';

/** How the replay of one folder ended. */
const OUTCOMES = ['same', 'different', 'updated', 'interrupted'] as const;

export interface FolderOutcome {
  readonly folder: string;
  readonly outcome: (typeof OUTCOMES)[number];
  /** Number of command lines that were run. */
  readonly steps: number;
  /** A unified diff of expected.yaml and the replay; null when they are equal. */
  readonly difference: string | null;
}

/** All folders of a replay. Each was shown by a `replayed` event when it ended. */
export type ReplayResult = { readonly folders: readonly FolderOutcome[] };

export const shownReplay = shownAs<ReplayResult>({
  document: ({ folders }, exit) => ({ version: 1, exit: exitDocument(exit), folders }),
  text: ({ folders }) => closingText(folders),
});

/** How many folders ended in which way, and what to type next. */
function closingText(folders: readonly FolderOutcome[]): string {
  const kinds = OUTCOMES.map((outcome) => ({
    outcome,
    names: folders.filter((each) => each.outcome === outcome).map(({ folder }) => folder),
  })).filter(({ names }) => names.length > 0);
  const summary = kinds.map(({ outcome, names }) => `${names.length} ${outcome}`).join(', ');
  const different = kinds.find(({ outcome }) => outcome === 'different')?.names ?? [];
  const next = `next: correct what changed, or accept it with \`dataimport replay --update ${different.join(' ')}\``;
  return escapedLines([
    `${counted(folders.length, 'folder')}: ${summary}`,
    ...(different.length > 0 ? [next] : []),
  ]);
}

/** The folders as tests: a folder that differs fails with its difference. */
export function replaySuite(folders: readonly FolderOutcome[]): ReportSuite {
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

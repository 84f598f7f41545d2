import { join } from 'node:path';
import { commandLine } from '../../core/command-line.ts';
import type { Result } from '../output/result.ts';
import type { JUnitSuite } from '../output/formats/junit.ts';
import { EXPECTATION_FILE } from './expectation.ts';
import { counted } from '../output/text/text.ts';

const REPLAY_OUTCOMES = ['same', 'different', 'updated'] as const;

export interface FolderOutcome {
  readonly folder: string;
  readonly outcome: (typeof REPLAY_OUTCOMES)[number];
  /** Number of command lines that were run. */
  readonly steps: number;
  /** A unified diff of expected.yaml and the replay; null when they are equal. */
  readonly difference: string | null;
}

/** A folder and what differs from its expectation. Shown when it has ended. */
export function folderLines({ folder, outcome, steps, difference }: FolderOutcome): readonly string[] {
  const head = `${outcome.padEnd(11)}  ${folder}  (${counted(steps, 'step')})`;
  const lines = outcome === 'different' ? (difference ?? '').trimEnd().split('\n') : [];
  return [head, ...lines.map((line) => `  ${line}`)];
}

/** All folders of a replay, and what to type next. */
export const shownReplay = (folders: readonly FolderOutcome[]): Result => {
  const different = folders.filter(({ outcome }) => outcome === 'different').map(({ folder }) => folder);
  const accept = commandLine('replay --update', different);
  return {
    next: different.length === 0 ? null : `correct what changed, or accept it with \`${accept}\``,
    fields: { folders },
    text: () => [outcomesText(folders)],
    annotated: different.map((folder) => ({
      code: 'replay differs',
      severity: 'error',
      file: join(folder, EXPECTATION_FILE),
      line: 1,
      detail: 'the replay differs from this expectation; the log of the step has the difference',
    })),
  };
};

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
    failure: outcome === 'different' ? `differs from its expectation\n${difference ?? ''}` : null,
  })),
  properties: { folders: folders.length },
  seconds: 0,
});

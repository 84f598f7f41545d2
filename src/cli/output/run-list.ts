import type { ResultFormats } from './formats.ts';
import { exitDocument } from './json.ts';
import { rowsSentence } from './run-summary.ts';
import { columnsText } from './table.ts';
import { escapeControl } from './text.ts';
import type { RowCounts } from '../push/ports/report.ts';

const STATE_WORDS = {
  open: 'unfinished',
  done: 'finished',
  never_staged: 'nothing sent',
  forgotten: 'forgotten',
  in_use: 'running',
  damaged: 'damaged',
  inaccessible: 'cannot be opened',
} as const;

/** One run as `runs --json` lists it. */
export interface ListedRunDocument {
  readonly run: string;
  readonly state: keyof typeof STATE_WORDS;
  /** Null for a run that cannot be read now. */
  readonly resource: string | null;
  readonly target: string | null;
  readonly sources: readonly string[];
  readonly rows: RowCounts | null;
  /** The run that its records were taken over from; null for a run that was pushed. */
  readonly parent: string | null;
}

/** The runs of a folder, the newest first. */
export interface RunListResult {
  readonly kind: 'run_list';
  readonly folder: string;
  readonly runs: readonly ListedRunDocument[];
}

/** A run whose payloads were erased, or that was removed, and what that means. */
export interface ForgottenRunResult {
  readonly kind: 'forgotten_run';
  readonly run: string;
  readonly done: string;
}

export const runListFormats: ResultFormats<RunListResult> = {
  document: ({ runs }, exit) => ({ version: 1, exit: exitDocument(exit), runs }),
  text: ({ runs, folder }) => {
    if (runs.length === 0) return `no runs in ${escapeControl(folder)}\n`;
    const rows = runs.map(({ run, state, sources, rows: counts, parent }) =>
      [
        run,
        STATE_WORDS[state],
        sources.join(', '),
        counts ? rowsSentence({ rows: counts }) : '',
        parent === null ? '' : `retry of ${parent}`,
      ].map(escapeControl),
    );
    return columnsText(rows, ['left', 'left', 'left', 'left', 'left']);
  },
};

export const forgottenRunFormats: ResultFormats<ForgottenRunResult> = {
  document: ({ run }, exit) => ({ version: 1, exit: exitDocument(exit), run }),
  text: ({ run, done }) => `${escapeControl(run)}: ${done}\n`,
};

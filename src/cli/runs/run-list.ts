import { clockOfInstant } from '../../core/values/instant.ts';
import { shownAs } from '../output/formats/result-formats.ts';
import { exitDocument } from '../output/json.ts';
import { rowsSentence } from '../output/run/run-summary.ts';
import { columnsText } from '../output/text/table.ts';
import { counted, escapeControl, labelledLines } from '../output/text/text.ts';
import { arrivedRows, type RowCounts } from '../push/ports/report.ts';

const STATE_WORDS = {
  open: 'unfinished',
  done: 'finished',
  never_staged: 'nothing sent',
  forgotten: 'texts erased',
  in_use: 'running',
  damaged: 'damaged',
  inaccessible: 'cannot be opened',
} as const;

/** One run as `runs --json` lists it. */
export interface ListedRunDocument {
  readonly run: string;
  /** The cohort of the run; null for a run of its own. */
  readonly cohort: string | null;
  readonly state: keyof typeof STATE_WORDS;
  /** When the run began, in UTC; null for a run that cannot be read now, and so are the next two. */
  readonly created_at: string | null;
  readonly resource: string | null;
  readonly target: string | null;
  readonly sources: readonly string[];
  readonly rows: RowCounts | null;
  /** The run that is the run of a later version of its files; null for the newest version. */
  readonly replaced_by: string | null;
  /** Why the run cannot be opened, or is damaged; null for any other run. */
  readonly reason: string | null;
}

/** The runs of a folder, the newest first. */
export interface RunListResult {
  readonly folder: string;
  readonly runs: readonly ListedRunDocument[];
  /** The time of the list, in milliseconds since 1970. */
  readonly nowMs: number;
}

/** A run whose payloads were erased, or that was removed, and what that means. */
export type ForgottenRunResult = Readonly<{ run: string; done: string }>;

export const shownRunList = shownAs<RunListResult>({
  document: ({ runs }, exit) => ({ version: 1, exit: exitDocument(exit), runs }),
  text: ({ runs, folder, nowMs }) => {
    if (runs.length === 0) return `no runs in ${escapeControl(folder)}\n`;
    const rows = runs.map(({ run, state, rows: counts, created_at: begun, replaced_by: by }) => [
      escapeControl(run),
      stateWord(state, counts, by !== null),
      begun === null ? '' : ageText(nowMs - clockOfInstant(begun)),
    ]);
    const table = columnsText([['run', 'state', 'age'], ...rows], ['left', 'left', 'left']).split('\n');
    const [heading = '', ...lines] = table;
    return [`${heading}\n`, ...runs.map((run, index) => `${lines[index]}\n${aboutRun(run)}`)].join('');
  },
});

/** A run that was replaced has nothing left to do: the run of the later version sends its rows. */
function stateWord(state: ListedRunDocument['state'], rows: RowCounts | null, isReplaced: boolean): string {
  if (isReplaced && (state === 'open' || state === 'forgotten')) return 'replaced';
  const isIncomplete = state === 'done' && rows !== null && arrivedRows(rows) + rows.filtered < rows.read;
  return isIncomplete ? 'incomplete' : STATE_WORDS[state];
}

/** Longest line, in characters. A longer word, such as the path of a file, is not broken. */
const WIDTH = 80;

/** Where the files of a run go, and what became of their rows. */
function aboutRun({ cohort, sources, target, rows, replaced_by: by, reason }: ListedRunDocument): string {
  const parts = [
    cohort === null ? '' : `of the cohort ${cohort}`,
    target === null ? '' : `${sources.join(', ')} to ${target}`,
    rows ? rowsSentence({ rows }) : (reason ?? ''),
    by === null ? '' : `replaced by ${by}`,
  ];
  return parts
    .filter((part) => part !== '')
    .map((part) => labelledLines(INDENT, escapeControl(part), INDENT.length, WIDTH))
    .join('');
}

const INDENT = '      ';

const AGE_UNITS = [
  ['day', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1_000],
] as const;

/** `40 s`, `3 min`, `5 h`, `2 days`: the largest unit that fits. A clock that was set back gives `0 s`. */
export function ageText(ageMs: number): string {
  const [unit, unitMs] = AGE_UNITS.find(([, length]) => ageMs >= length) ?? AGE_UNITS[3];
  const count = Math.max(0, Math.floor(ageMs / unitMs));
  return unit === 'day' ? counted(count, unit) : `${count} ${unit}`;
}

export const shownForgottenRun = shownAs<ForgottenRunResult>({
  document: ({ run }, exit) => ({ version: 1, exit: exitDocument(exit), run }),
  text: ({ run, done }) => `${escapeControl(run)}: ${done}\n`,
});

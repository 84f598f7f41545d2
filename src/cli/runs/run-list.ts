import { clockOfInstant } from '../../core/values/instant.ts';
import { EXITS, isExitName } from '../output/exit-codes.ts';
import { shownAs } from '../output/formats/result-formats.ts';
import { exitDocument } from '../output/json.ts';
import { rowsSentence } from '../output/run/run-summary.ts';
import { columnsText } from '../output/text/table.ts';
import { counted, escapeControl, labelledLines } from '../output/text/text.ts';
import type { RunCondition } from '../journal/reading.ts';
import { sameCommand } from '../ending/next-commands.ts';
import { arrivedRows, type RowCounts } from '../push/ports/report.ts';
import type { CommandRun } from './command-runs.ts';

/** A reading of a command as `runs --json` lists it. */
export interface ListedReadingDocument {
  readonly reading: string;
  /** The name of its journal. */
  readonly journal: string;
  readonly resource: string;
  readonly cohort: string | null;
  readonly sources: readonly string[];
  readonly state: RunCondition | 'damaged';
  /** Null when they cannot be read. */
  readonly rows: RowCounts | null;
  /** Rows of `rows.invalid` whose record has arrived with other values, or on another account. */
  readonly changed: number | null;
  readonly reason: string | null;
}

type ListedRun = Omit<CommandRun, 'readings'> & {
  readonly readings: readonly ListedReadingDocument[];
};

/** The commands of a folder, the newest first. */
interface RunListResult {
  readonly folder: string;
  readonly runs: readonly ListedRun[];
  /** The journals that cannot be read now, and why. */
  readonly unread: readonly { readonly journal: string; readonly reason: string }[];
  /** The time of the list, in milliseconds since 1970. */
  readonly nowMs: number;
}

export const shownRunList = shownAs<RunListResult>({
  document: ({ runs, unread }, exit) => ({
    version: 1,
    exit: exitDocument(exit),
    runs: runs.map(({ id, words, user, begun, target, state, ended, replacedBy, readings }) => ({
      run: id,
      words,
      user,
      begun,
      state,
      ended: ended && { ...ended },
      target,
      open: openRows(readings),
      replaced_by: replacedBy,
      readings,
    })),
    unread,
  }),
  text: ({ runs, unread, folder, nowMs }) => {
    if (runs.length + unread.length === 0) return `no runs in ${escapeControl(folder)}\n`;
    const rows = runs.map((run) => [
      escapeControl(run.id),
      endWord(run),
      ageText(nowMs - clockOfInstant(run.begun)),
    ]);
    const table = columnsText([['run', 'end', 'age'], ...rows], ['left', 'left', 'left']).split('\n');
    const [heading = '', ...lines] = table;
    return [
      `${heading}\n`,
      ...runs.map((run, index) => `${lines[index]}\n${aboutRun(run)}`),
      ...unread.map(({ journal, reason }) => indented(`${journal} cannot be read now: ${reason}`, '  ')),
    ].join('');
  },
});

/** Rows that have not arrived; null when nobody knows. */
function openRows(readings: readonly ListedReadingDocument[]): number | null {
  if (readings.length === 0 || readings.some(({ rows }) => rows === null)) return null;
  return readings.reduce((sum, { rows }) => sum + rows!.read - arrivedRows(rows!) - rows!.filtered, 0);
}

/** How a command ended: the name of its exit, such as `partial`. */
function endWord({ state, ended }: ListedRun): string {
  if (!ended) return state === 'unlisted' ? 'not known' : state;
  const { exit, reason } = ended;
  const code = isExitName(exit) ? ` (${EXITS[exit].code})` : '';
  return escapeControl(
    `${exit.toLowerCase().replaceAll('_', ' ')}${code}${reason === null ? '' : `: ${reason}`}`,
  );
}

/** Longest line, in characters. A longer word, such as the path of a file, is not broken. */
const WIDTH = 80;

const indented = (text: string, indent: string): string =>
  labelledLines(indent, escapeControl(text), indent.length, WIDTH);

/** What was typed, and what became of the rows. */
function aboutRun({ words, user, target, replacedBy, readings }: ListedRun): string {
  const open = openRows(readings);
  const parts = [
    `${sameCommand(words, undefined)}${user === null ? '' : `, by ${user}`}${target === null ? '' : `, to ${target}`}`,
    ...(replacedBy === null
      ? readings.map(
          ({ resource, rows, changed, reason }) =>
            `${resource}: ${rows ? rowsSentence({ report: { rows, changed: changed! } }) : reason}`,
        )
      : [`replaced by ${replacedBy}`]),
    replacedBy === null && open !== null && open > 0 ? `open: ${counted(open, 'row')}` : '',
  ];
  return parts
    .filter((part) => part !== '')
    .map((part) => indented(part, '      '))
    .join('');
}

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

/** A command whose texts were erased. `isDone`: nothing of it was left to send. */
export const shownForgottenRun = shownAs<Readonly<{ run: string; isDone: boolean }>>({
  document: ({ run }, exit) => ({ version: 1, exit: exitDocument(exit), run }),
  text: ({ run, isDone }) =>
    `${escapeControl(run)}: texts erased${isDone ? '' : '; the files are read again before the rest is sent'}\n`,
});

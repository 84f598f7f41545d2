import { AppError } from '../../core/app-error.ts';
import { total } from '../../core/values/counts.ts';
import { sameCommand } from '../ending/next-commands.ts';
import { nameOf } from '../journal/journals-folder.ts';
import type { RunCondition } from '../journal/reading.ts';
import { EXITS, isExitName } from '../output/exit-codes.ts';
import { shownAs } from '../output/formats/result-formats.ts';
import { exitDocument } from '../output/json.ts';
import { rowsSentence } from '../output/run/run-summary.ts';
import { counted, escapeControl, labelledLines } from '../output/text/text.ts';
import { arrivedRows, type RowCounts } from '../push/ports/report.ts';
import type { FoundReading } from '../journal/found-readings.ts';
import type { CommandRun, FolderRuns } from './command-runs.ts';

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
  readonly changed: number;
  readonly reason: string | null;
}

type ListedRun = Omit<CommandRun, 'readings'> & { readonly readings: readonly ListedReadingDocument[] };

/** The commands of a folder, the newest first. */
interface RunListResult {
  readonly folder: string;
  readonly runs: readonly ListedRun[];
  /** The journals that cannot be read now, and why. */
  readonly unread: readonly { readonly journal: string; readonly reason: string }[];
}

export function listed({ folder, journals, runs, unread }: FolderRuns): RunListResult {
  const documentOf = (found: FoundReading): ListedReadingDocument => {
    const { header, choice, file } = found;
    const document = {
      reading: header.id,
      journal: nameOf(folder, file),
      resource: header.resource,
      cohort: choice.cohort?.name ?? null,
      sources: header.sources.map(({ name }) => name),
    };
    // A header that can be read does not prove that the rest can.
    try {
      const reading = journals.reading(found);
      const [rows, changed] = [reading.rows(), reading.changedRows()];
      return { ...document, state: reading.condition, rows, changed, reason: null };
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'run_damaged') throw error;
      return { ...document, state: 'damaged', rows: null, changed: 0, reason: reasonOf(error) };
    }
  };
  return {
    folder: folder.path,
    runs: runs.map((run) => ({ ...run, readings: run.readings.map(documentOf) })),
    unread: unread.map(({ file, error }) => ({ journal: nameOf(folder, file), reason: reasonOf(error) })),
  };
}

/** The reason alone, because the list names the journal. */
function reasonOf({ code, facts, message }: AppError): string {
  if (code === 'run_locked') return 'another process uses it';
  if (code === 'run_version_differs') return `version ${String(facts['tool'])} has written it`;
  return typeof facts['reason'] === 'string' ? facts['reason'] : message;
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
  text: ({ runs, unread, folder }) =>
    runs.length + unread.length === 0
      ? `no runs in ${escapeControl(folder)}\n`
      : [
          ...runs.map(runText),
          ...unread.map(({ journal, reason }) => indented(`${journal} cannot be read now: ${reason}`, '')),
        ].join(''),
});

/** Rows that have not arrived; null when nobody knows. */
function openRows(readings: readonly ListedReadingDocument[]): number | null {
  const rows = readings.flatMap((reading) => reading.rows ?? []);
  if (rows.length === 0 || rows.length < readings.length) return null;
  return total(rows, (each) => each.read - arrivedRows(each) - each.filtered);
}

/** The command: how it ended, what was typed, by whom, and how its rows ended. */
function runText(run: ListedRun): string {
  const { id, words, user, target, replacedBy, readings } = run;
  const typed = sameCommand(words, undefined);
  const open = openRows(readings) ?? 0;
  const rows =
    replacedBy === null
      ? readings.map(
          ({ resource, rows: counts, changed, reason }) =>
            `${resource}: ${counts ? rowsSentence({ report: { rows: counts, changed } }) : reason}`,
        )
      : [`replaced by ${replacedBy}`];
  return [
    `${escapeControl(`${id}  ${endWord(run)}`)}\n`,
    indented(`${typed}${user === null ? '' : `, by ${user}`}${target === null ? '' : `, to ${target}`}`),
    ...rows.map((each) => indented(each)),
    open > 0 && replacedBy === null ? indented(`open: ${counted(open, 'row')}`) : '',
  ].join('');
}

/** How a command ended: the name of its exit, such as `partial`. */
function endWord({ state, ended }: ListedRun): string {
  if (!ended) return state === 'unlisted' ? 'not known' : state;
  const { exit, reason } = ended;
  const code = isExitName(exit) ? ` (${EXITS[exit].code})` : '';
  return `${exit.toLowerCase().replaceAll('_', ' ')}${code}${reason === null ? '' : `: ${reason}`}`;
}

/** In lines of at most 80 characters. A longer word, such as the path of a file, is not broken. */
const indented = (text: string, indent = '    '): string =>
  labelledLines(indent, escapeControl(text), indent.length, 80);

import { AppError } from '../../core/app-error.ts';
import { total } from '../../core/values/counts.ts';
import type { CommandEnd } from '../command/command.ts';
import { openRows } from '../ending/ending.ts';
import { sameCommand } from '../ending/next-commands.ts';
import { nameOf } from '../journal/journals-folder.ts';
import { EXITS, isExitName } from '../output/exit-codes.ts';
import type { Part, Result } from '../output/result.ts';
import { rowsSentence } from '../output/run/run-summary.ts';
import { counted, escapeControl, labelledLines } from '../output/text/text.ts';
import type { FoundReading, OpenJournals } from '../journal/found-readings.ts';
import type { FolderRuns } from './command-runs.ts';

type RunListResult = ReturnType<typeof listed>;
type ListedRun = RunListResult['runs'][number];

/** The commands of a folder, the newest first, and why journals cannot be read now. */
export function listed({ folder, journals, runs, unread }: FolderRuns) {
  const hidden = new Map(unread.map(({ file, error }) => [file, error.message]));
  const newest = new Map<FoundReading, string>();
  const commands = runs.map(({ id, words, user, begun, state, ended, target, readings: named, found }) => {
    const later = found.map((reading) => {
      const last = reading.replacedBy ?? reading;
      return newest.get(last) ?? (last === reading ? null : last.header.id);
    });
    for (const reading of found) if (!newest.has(reading)) newest.set(reading, id);
    const readings = found.flatMap((reading) => {
      try {
        return listedReading(reading, journals);
      } catch (error) {
        // That the head of a journal can be read does not prove that the rest can.
        if (!(error instanceof AppError)) throw error;
        hidden.set(reading.file, error.message);
        return [];
      }
    });
    const isWhole = readings.length > 0 && readings.length === named.length;
    return {
      run: id,
      words,
      user,
      begun,
      state,
      ended,
      target,
      // Rows that have not arrived; null when nobody knows.
      open: isWhole ? total(readings, ({ rows }) => openRows(rows)) : null,
      // The later command, or reading, of the same files; null for the newest one.
      replaced_by: later.includes(null) ? null : (later[0] ?? null),
      readings,
    };
  });
  const reasons = [...hidden].map(([file, reason]) => ({ journal: nameOf(folder, file), reason }));
  return { folder: folder.path, runs: commands, unread: reasons };
}

function listedReading(found: FoundReading, journals: OpenJournals) {
  const { header, folder, file } = found;
  const reading = journals.reading(found);
  return {
    reading: header.id,
    journal: nameOf(folder, file),
    resource: header.resource,
    sources: header.sources.map(({ name }) => name),
    state: reading.condition,
    rows: reading.rows(),
    // Rows of `rows.invalid` whose record has arrived with other values, or on another account.
    changed: reading.changedRows(),
  };
}

export const shownRunList = ({ runs, unread, folder }: RunListResult): Result => ({
  fields: { runs, unread },
  text: () => [
    ...(runs.length + unread.length === 0 ? [`no runs in ${folder}`] : []),
    ...runs.flatMap(runParts),
    ...unread.map(({ journal, reason }) => indented(`${journal} cannot be read now: ${reason}`, '')),
  ],
});

/** A command that sent nothing, so that no reading says more about it than the list. */
export function endOfUnsent(list: FolderRuns): CommandEnd & { readonly result: Result } {
  const [command] = listed(list).runs as [ListedRun];
  const exit = command.ended?.exit ?? '';
  return {
    exit: isExitName(exit) ? exit : 'UNFINISHED',
    result: {
      fields: command,
      next: sameCommand(command.words),
      text: () => [...runParts(command), indented('It sent nothing.')],
    },
  };
}

/** The command: how it ended, what was typed, by whom, and how its rows ended. */
function runParts(command: ListedRun): readonly Part[] {
  const { run, words, user, target, readings, open, replaced_by: later } = command;
  const rows = readings.map(
    ({ resource, rows: counts, changed }) =>
      `${resource}: ${rowsSentence({ report: { rows: counts, changed } })}`,
  );
  const typed = sameCommand(words);
  return [
    `${run}  ${endWord(command)}`,
    indented(`${typed}${user === null ? '' : `, by ${user}`}${target === null ? '' : `, to ${target}`}`),
    ...(later === null ? rows : [`replaced by ${later}`]).map((each) => indented(each)),
    ...(open && later === null ? [indented(`open: ${counted(open, 'row')}`)] : []),
  ];
}

/** How a command ended: the name of its exit, such as `partial`. */
function endWord({ state, ended }: ListedRun): string {
  if (!ended) return state === 'unlisted' ? 'not known' : state;
  const { exit, reason } = ended;
  const code = isExitName(exit) ? ` (${EXITS[exit].code})` : '';
  return `${exit.toLowerCase().replaceAll('_', ' ')}${code}${reason === null ? '' : `: ${reason}`}`;
}

/** In lines of at most 80 characters. A longer word, such as the path of a file, is not broken. */
const indented = (text: string, indent = '    '): Part => ({
  lines: labelledLines(indent, escapeControl(text), indent.length, 80),
});

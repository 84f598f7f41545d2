import { AppError } from '../../core/app-error.ts';
import type { CommandContext } from '../command/command.ts';
import { nextCommands } from '../ending/next-commands.ts';
import { commandsIn, type AskingProcess, type ListedCommand } from '../journal/commands-log.ts';
import { readingsIn, type FoundReading, type KnownReadings } from '../journal/found-readings.ts';
import { JournalsFolder, nameOf } from '../journal/journals-folder.ts';
import type { Reading } from '../journal/reading.ts';
import type { Settings } from '../settings/settings.ts';
import { openJournals } from './run-folders.ts';

/** A command of the list with its readings; or a reading alone, whose command the list does not have (`unlisted`). */
export interface CommandRun extends Pick<
  ListedCommand,
  'id' | 'words' | 'user' | 'begun' | 'target' | 'ended' | 'readings'
> {
  readonly state: ListedCommand['state'] | 'unlisted';
  /** Those of `readings` whose journal can be read now. */
  readonly found: readonly FoundReading[];
}

/** The commands of a folder, the newest first, and its journals with their readings. */
export type FolderRuns = ReturnType<typeof runsIn>;

/** Reads the list of commands, and the journals with their readings, which are open until the command ends. */
export function runsIn(settings: Settings, context: CommandContext) {
  const folder = new JournalsFolder(settings.need('runDir'));
  const journals = openJournals(context);
  const known = readingsIn([folder], journals);
  const listed = commandsOf(known, context.io);
  const named = new Set(listed.flatMap(({ found }) => found));
  const unlisted = known.found.filter((reading) => !named.has(reading)).map(unlistedRun);
  const runs: readonly CommandRun[] = [...listed, ...unlisted];
  return { ...known, folder, journals, runs };
}

/** The commands of folders with their readings, the newest of each folder first. */
const commandsOf = ({ folders, found }: KnownReadings, asking: AskingProcess): readonly CommandRun[] =>
  folders.flatMap((folder) =>
    commandsIn(folder.path, asking).map((command) => {
      const foundOf = ({ journal, reading }: ListedCommand['readings'][number]) =>
        found.find(({ header, file }) => header.id === reading && file === folder.fileNamed(journal)) ?? [];
      return { ...command, found: command.readings.flatMap(foundOf) };
    }),
  );

function unlistedRun(reading: FoundReading): CommandRun {
  const { header, choice, folder, file } = reading;
  return {
    id: header.id,
    words: [...choice.words],
    user: choice.user ?? null,
    begun: header.createdAt,
    target: header.target,
    state: 'unlisted',
    ended: null,
    readings: [{ journal: nameOf(folder, file), reading: header.id }],
    found: [reading],
  };
}

/** A command that a person has chosen, with the newest readings of its files. */
export type ChosenRun = Awaited<ReturnType<typeof chosenRun>>;

/**
 * The command, or the reading, with an id; the newest command without one. The chains of its journals hold. `readings`: none of a command
 * that sent nothing. `earlier`: others that it has named. `newer`: the command that has read its files since. `commands`: what is typed
 * next about it. `list`: the command alone.
 * @throws AppError `run_none`, `run_not_found`, and why a journal of it cannot be read
 */
export async function chosenRun(id: string | undefined, context: CommandContext) {
  const settings = await context.settings();
  const known = runsIn(settings, context);
  const { folder, journals, runs, found, unread } = known;
  const all = [...runs, ...found.map(unlistedRun)];
  const run = id === undefined ? all[0] : all.find((each) => each.id === id);
  if (!run) {
    const missing =
      id === undefined
        ? new AppError('run_none', { folder: folder.path })
        : new AppError('run_not_found', {
            reason: `no run \`${id}\` in ${folder.path}`,
            folder: folder.path,
          });
    throw unread[0]?.error ?? missing;
  }
  const files = run.readings.map(({ journal }) => folder.fileNamed(journal));
  const hidden = unread.find(({ file }) => files.includes(file));
  if (hidden) throw hidden.error;
  if (run.found.length === 0 && run.state === 'running')
    throw new AppError('run_locked', { reason: `${run.id} is in use by another process` });
  if (run.found.length === 0 && files.length > 0)
    throw new AppError('run_not_found', {
      reason: `the journal of the run ${run.id} is not there any more: ${files.join(', ')}`,
      todo: 'Put it back with the files beside it.',
    });
  const opened = (readings: Iterable<FoundReading>): readonly Reading[] =>
    [...readings]
      .filter(({ isStaged }) => isStaged)
      .map(({ file, number }) => journals.provenAt(file).reading(number));
  const newest = new Set(run.found.map((reading) => reading.replacedBy ?? reading));
  const readings = opened(newest);
  const earlier = opened(new Set(run.found).difference(newest));
  const commands = nextCommands(settings, context.globals, context.io.cwd);
  const [first] = run.found;
  const replacedBy = run.found.every((reading) => reading.replacedBy) && first?.replacedBy;
  const newer = replacedBy && runs.find((each) => each.found.includes(replacedBy))!.id;
  return { id: run.id, newer, readings, earlier, journals, commands, list: { ...known, runs: [run] } };
}

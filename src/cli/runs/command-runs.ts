import { AppError } from '../../core/app-error.ts';
import type { CommandPorts } from '../command/command-ports.ts';
import { commandsIn, type ListedCommand } from '../journal/commands-log.ts';
import {
  readingsIn,
  type FoundReading,
  type KnownReadings,
  type OpenJournals,
} from '../journal/found-readings.ts';
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

/** The commands of a folder, the newest first, with its journals. */
export interface FolderRuns extends KnownReadings {
  readonly folder: JournalsFolder;
  readonly journals: OpenJournals;
  readonly runs: readonly CommandRun[];
}

/** Reads the list of commands, and the journals with their readings, which are open until the command ends. */
export function runsIn(settings: Settings, ports: Pick<CommandPorts, 'io' | 'onClose'>): FolderRuns {
  const folder = new JournalsFolder(settings.need('runDir'));
  const journals = openJournals(ports);
  const known = readingsIn([folder], journals);
  const listed = commandsIn(folder.path, ports.io).map((command) => ({
    ...command,
    found: readingsOfCommand(command, folder, known.found),
  }));
  const named = new Set(listed.flatMap(({ found }) => found));
  const unlisted = known.found.filter((reading) => !named.has(reading)).map(unlistedRun);
  return { ...known, folder, journals, runs: [...listed, ...unlisted] };
}

/** The readings that a command of a folder has named, as far as they are found. */
export const readingsOfCommand = (
  { readings }: Pick<ListedCommand, 'readings'>,
  folder: JournalsFolder,
  found: readonly FoundReading[],
): readonly FoundReading[] =>
  readings.flatMap(
    ({ journal, reading }) =>
      found.find(({ header, file }) => header.id === reading && file === folder.fileNamed(journal)) ?? [],
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

/** The newest readings of the files of a command. */
export interface ChosenRun {
  /** The id by which it was chosen. */
  readonly id: string;
  readonly readings: readonly Reading[];
  /** Those, and the earlier readings that the command has named. */
  readonly all: readonly Reading[];
}

/**
 * The command, or the reading, with an id; the newest command without one. The chains of its journals hold.
 * @throws AppError `run_none`, `run_not_found`, `run_never_staged`, and why a journal of it cannot be read
 */
export function chosenRun({ folder, journals, runs, found, unread }: FolderRuns, id?: string): ChosenRun {
  const alone = found.find(({ header }) => header.id === id);
  const run =
    id === undefined ? runs[0] : (runs.find((each) => each.id === id) ?? (alone && unlistedRun(alone)));
  if (!run) {
    const missing =
      id === undefined
        ? new AppError('run_none', { folder: folder.path })
        : new AppError('run_not_found', { run: id, folder: folder.path });
    throw unread[0]?.error ?? missing;
  }
  const files = run.readings.map(({ journal }) => folder.fileNamed(journal));
  const hidden = unread.find(({ file }) => files.includes(file));
  if (hidden) throw hidden.error;
  if (run.found.length === 0 && run.state === 'running') throw new AppError('run_locked', { run: run.id });
  const opened = (readings: Iterable<FoundReading>): readonly Reading[] =>
    [...readings]
      .filter(({ isStaged }) => isStaged)
      .map((reading) => {
        journals.assertProven(reading.file);
        return journals.reading(reading);
      });
  const newest = new Set(run.found.map((reading) => reading.replacedBy ?? reading));
  const readings = opened(newest);
  if (readings.length === 0) throw new AppError('run_never_staged', { run: run.id });
  return { id: run.id, readings, all: [...readings, ...opened(new Set(run.found).difference(newest))] };
}

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

/** A command with its readings. */
export interface CommandRun extends Pick<ListedCommand, 'id' | 'words' | 'user' | 'begun' | 'target'> {
  /** `unlisted`: of a reading whose command the list does not have. */
  readonly state: ListedCommand['state'] | 'unlisted';
  readonly ended: ListedCommand['ended'];
  readonly readings: readonly FoundReading[];
  /** The names of its journals, also of those that cannot be read now. */
  readonly journals: readonly string[];
  /** The later command, or reading, of the same files; null for the newest one. */
  readonly replacedBy: string | null;
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
  const { found } = known;
  const runs: CommandRun[] = [];
  for (const command of commandsIn(folder.path, ports.io)) {
    const readings = readingsOfCommand(command, folder, found);
    const names = command.readings.map(({ journal }) => journal);
    runs.push({ ...command, readings, journals: names, replacedBy: replacedBy(readings, runs) });
  }
  const listed = new Set(runs.flatMap(({ readings }) => readings));
  const unlisted = found
    .filter((reading) => !listed.has(reading))
    .map((reading) => unlistedRun(reading, runs));
  return { ...known, folder, journals, runs: [...runs, ...unlisted] };
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

/** The later command that has read the files of all readings, or the reading itself where no command is known. */
function replacedBy(readings: readonly FoundReading[], later: readonly CommandRun[]): string | null {
  const by = readings.map((reading) => {
    const isLater = (other: FoundReading): boolean => other === reading || other === reading.replacedBy;
    return later.find((run) => run.readings.some(isLater))?.id ?? reading.replacedBy?.header.id ?? null;
  });
  return by.includes(null) ? null : (by[0] ?? null);
}

function unlistedRun(reading: FoundReading, later: readonly CommandRun[]): CommandRun {
  const { header, choice, folder, file } = reading;
  return {
    id: header.id,
    words: choice.words,
    user: choice.user ?? null,
    begun: header.createdAt,
    target: header.target,
    state: 'unlisted',
    ended: null,
    readings: [reading],
    journals: [nameOf(folder, file)],
    replacedBy: replacedBy([reading], later),
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
  const run = id === undefined ? runs[0] : runs.find((each) => each.id === id);
  const named = run?.readings ?? found.filter(({ header }) => header.id === id).slice(0, 1);
  const hidden = unread.find(({ file }) => run?.journals.includes(nameOf(folder, file)));
  if (hidden) throw hidden.error;
  if (!run && named.length === 0) {
    const missing =
      id === undefined
        ? new AppError('run_none', { folder: folder.path })
        : new AppError('run_not_found', { run: id, folder: folder.path });
    throw unread[0]?.error ?? missing;
  }
  if (named.length === 0 && run?.state === 'running') throw new AppError('run_locked', { run: run.id });
  const newest = new Set(named.map((reading) => reading.replacedBy ?? reading));
  const opened = (reading: FoundReading): Reading => {
    journals.assertProven(reading.file);
    return journals.reading(reading);
  };
  const readings = [...newest].filter(({ isStaged }) => isStaged).map(opened);
  if (readings.length === 0) throw new AppError('run_never_staged', { run: run?.id ?? id! });
  const earlier = named.filter((reading) => !newest.has(reading) && reading.isStaged).map(opened);
  return { id: run?.id ?? id!, readings, all: [...readings, ...earlier] };
}

import { existsSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { AppError } from '../../core/app-error.ts';
import type { CommandContext } from '../command/command.ts';
import { readText } from '../command/typed-file.ts';
import { openSourceFile } from '../csv/source-file.ts';
import {
  isSamePlatform,
  readingsIn,
  type FoundReading,
  type KnownReadings,
  type OpenJournals,
} from '../journal/found-readings.ts';
import type { RunHeader } from '../journal/database/run-header.ts';
import { JournalsFolder } from '../journal/journals-folder.ts';
import { readCohort } from '../migrate/read-cohort.ts';
import { newestReadingsOf, sentTo } from '../verify/compared-runs.ts';
import { commandsOf } from '../runs/command-runs.ts';
import { assertReadable, pathsOf, runsFolders, type RunDirFlag } from '../runs/run-folders.ts';
import type { Settings } from '../settings/settings.ts';
import { placeOf } from '../sources/version.ts';

/** A run of files that a push has sent, and the words of that command. */
export type PushedFiles = Pick<RunHeader, 'id' | 'resource' | 'sources'> & {
  readonly words: readonly string[];
};

/** The readings that a report is about, and the files that are compared with them: of a cohort file, or of pushes. */
export interface NamedReport {
  readonly readings: readonly FoundReading[];
  /** What is not counted, and where else rows are counted, as sentences. */
  readonly notes: readonly string[];
  /** The name of the cohort that the report is about; undefined for other files. */
  readonly name: string | undefined;
  readonly cohort: string | undefined;
  /** One reading of each push; its shards are compared as one whole. */
  readonly pushed: readonly PushedFiles[];
}

type Named = Pick<NamedReport, 'readings'> & Partial<NamedReport>;

interface NamingPorts {
  readonly settings: Settings;
  readonly journals: OpenJournals;
  readonly context: CommandContext;
}

/**
 * Finds the readings of commands, of cohort files, of cohorts by their names, of files that were sent, and of folders of journals.
 * Without words the newest command is taken, with its cohort or its other shards. Figures are about the platform that is set.
 * @throws AppError `run_none`, `run_not_found`, `run_to_verify_missing`, `run_never_staged`, `shards_differ`; `source_changed` for a file that
 *   no command has read as it is; why a journal cannot be read
 */
export async function namedReadings(
  { run: words, runDir }: RunDirFlag & { readonly run: readonly string[] },
  ports: NamingPorts,
): Promise<NamedReport> {
  const { settings, journals, context } = ports;
  const known = readingsIn(runsFolders({ runDir }, settings, context.io.cwd), journals);
  const named =
    words.length === 0
      ? [newestIn(known, ports)]
      : await Promise.all(words.map((word) => namedBy(word, known, ports)));
  const all = distinct(named.flatMap(({ readings }) => readings));
  const staged = all.filter(({ isStaged }) => isStaged);
  const died = all.filter(({ isStaged }) => !isStaged).map(({ header }) => header.id);
  if (staged.length === 0 && died.length > 0) throw new AppError('run_never_staged', { run: died[0]! });
  const later = laterReadings(staged, known, journals);
  const only = named.length === 1 ? named[0] : undefined;
  return {
    readings: distinct([...staged, ...later.readings]),
    notes: [...died.map(neverStagedNote), ...named.flatMap(({ notes = [] }) => notes), ...later.notes],
    name: only?.name,
    cohort: only?.cohort,
    // Files of one push are compared once.
    pushed: [...new Map(named.flatMap(({ pushed = [] }) => pushed.map((each) => [each.id, each]))).values()],
  };
}

function newestIn(known: KnownReadings, { settings, context }: NamingPorts): Named {
  const here = sentHere('any files', known.found, { known, settings });
  const [newest] = stagedFirst(ofNewestCommand(here, known, context));
  if (!newest) throw new AppError('run_none', { folder: pathsOf(known.folders) });
  if (newest.header.cohort !== null) return cohortOf(newest, known, context.io.cwd);
  const readings = wholeOf(newest, known);
  assertReadable(known, readings);
  return { readings, ...filesOf(newest, context.io.cwd) };
}

async function namedBy(
  word: string,
  known: KnownReadings,
  { settings, journals, context }: NamingPorts,
): Promise<Named> {
  const { cwd } = context.io;
  const isFile = /\.ya?ml$/i.test(word);
  const name = isFile ? readCohort(word, readText(word, cwd)).name : word;
  const byId = known.found.find(({ header }) => header.id === word);
  if (byId) return { readings: [byId] };
  const command = commandsOf(known, context.io).find(({ id }) => id === word);
  if (command) {
    const readings = command.found.flatMap((reading) => wholeOf(reading.replacedBy ?? reading, known));
    if (readings.length === 0) throw new AppError('run_never_staged', { run: word });
    return { readings, name: word };
  }
  // A folder of files may have the name of a cohort. Another way to write its path, such as ./name, means the folder.
  const ofName = known.found.filter(({ header }) => header.cohort === name);
  const [ofCohort] = ofNewestCommand(sentHere(word, ofName, { known, settings }), known, context);
  if (ofCohort) return { ...cohortOf(ofCohort, known, cwd), ...(isFile && { cohort: word }) };
  const path = resolve(cwd, word);
  const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  if (isFolder) return currentIn(readingsIn([new JournalsFolder(path)], journals));
  const place = existsSync(path) && !isFile ? placeOf(word, cwd) : null;
  const ofFile = known.found.filter(({ header }) =>
    header.sources.some((source) => place !== null && source.place === place),
  );
  const [newest] = stagedFirst(sentHere(word, ofFile, { known, settings }));
  if (!newest) {
    assertReadable(known, []);
    throw new AppError('run_not_found', { run: word, folder: pathsOf(known.folders) });
  }
  await assertRead(word, newest, cwd);
  return { readings: wholeOf(newest, known), ...filesOf(newest, cwd) };
}

/** The readings of the newest command that has any of them, whatever the clocks said; all of them where no command is known. */
function ofNewestCommand(
  readings: readonly FoundReading[],
  known: KnownReadings,
  context: CommandContext,
): readonly FoundReading[] {
  const ofCommands = commandsOf(known, context.io).map((command) =>
    command.found.filter((reading) => readings.includes(reading)),
  );
  return ofCommands.find((found) => found.length > 0) ?? readings;
}

/**
 * The readings that went to the platform that is set.
 * @throws AppError `run_to_verify_missing` when all went to another one; why a journal that may have others cannot be read
 */
function sentHere(
  files: string,
  found: readonly FoundReading[],
  { known, settings }: Pick<NamingPorts, 'settings'> & { readonly known: KnownReadings },
): readonly FoundReading[] {
  const target = settings.get('baseUrl');
  const here = sentTo(target, found);
  if (here.length > 0 || found.length === 0) return here;
  assertReadable(known, []);
  const remedy = 'Name a run, or give the address that it went to with --base-url';
  const facts = { files, to: ` to ${target}`, folder: pathsOf(known.folders), remedy };
  throw new AppError('run_to_verify_missing', facts);
}

/** A reading that a process has left unfinished counts only without any other. */
const stagedFirst = (found: readonly FoundReading[]): readonly FoundReading[] => [
  ...found.filter(({ isStaged }) => isStaged),
  ...found.filter(({ isStaged }) => !isStaged),
];

/** The readings of a folder whose files were not read again since. @throws AppError why a journal cannot be read; `run_none` */
function currentIn({ folders, found, unread }: KnownReadings): Named {
  if (unread[0]) throw unread[0].error;
  if (found.length === 0) throw new AppError('run_none', { folder: pathsOf(folders) });
  const notes = found.flatMap(({ header, replacedBy }) =>
    replacedBy === undefined
      ? []
      : [
          `The run ${header.id} is not counted, because ${replacedBy.header.id} is the run of a later version of its files.`,
        ],
  );
  return { readings: found.filter(({ replacedBy }) => replacedBy === undefined), notes };
}

/** The newest reading of each resource of a cohort, on the platform of its newest one. */
function cohortOf(newest: FoundReading, known: KnownReadings, cwd: string): Named {
  const { cohort } = newest.header;
  const all = known.found.filter((each) => each.header.cohort === cohort && isSamePlatform(each, newest));
  const byResource = Map.groupBy(all, ({ header }) => header.resource);
  const readings = [...byResource.values()].flatMap((found) => {
    const [first] = stagedFirst(found);
    return wholeOf(first!.replacedBy ?? first!, known);
  });
  assertReadable(known, readings);
  return { readings, name: cohort!, ...filesOf(newest, cwd) };
}

/** A reading and, where it is a shard, the other shards in all folders. */
function wholeOf(reading: FoundReading, known: KnownReadings): readonly FoundReading[] {
  if (!reading.isStaged) return [reading];
  const { contentSha256, resource } = reading.header;
  const found = known.found.filter((other) => isSamePlatform(other, reading));
  const files = { contentSha256, resource, target: undefined, shard: undefined };
  const whole = newestReadingsOf(files, { ...known, found }, 'report');
  return whole.length === 0 ? [reading] : whole;
}

/** The readings that have taken rows of some readings over: the files of both have the records. */
function laterReadings(
  readings: readonly FoundReading[],
  { found }: KnownReadings,
  journals: OpenJournals,
): Pick<NamedReport, 'readings' | 'notes'> {
  const added: FoundReading[] = [];
  const notes: string[] = [];
  for (const reading of readings) {
    const { file, number, header } = reading;
    if (journals.reading(reading).isWhole()) continue;
    // A journal of another folder is named as a whole.
    const later = distinct([...found, ...readings]).filter(
      (other) => other.file === file && other.number > number && other.replacedBy === undefined,
    );
    added.push(...later.filter(({ isStaged }) => isStaged));
    const names = later.map((other) => other.header.id).join(', ');
    notes.push(
      `The rows of the run ${header.id} that later files have, too, are counted with these: ${names}.`,
    );
  }
  return { readings: added, notes };
}

/** Each reading once, although several words may lead to it. */
const distinct = (readings: readonly FoundReading[]): readonly FoundReading[] => [
  ...new Map(readings.map((reading) => [`${reading.number} ${reading.file}`, reading])).values(),
];

const neverStagedNote = (run: string): string =>
  `The run ${run} was stopped while it read its file. It has sent nothing and is not counted.`;

/** The cohort file that was typed for a reading, or its files if a push has sent them; nothing when they are gone. */
function filesOf({ header, choice }: FoundReading, cwd: string): Pick<Named, 'cohort' | 'pushed'> {
  const { id, resource, sources } = header;
  const { cohort, words } = choice;
  const isThere = (file: string): boolean => existsSync(resolve(cwd, file));
  if (cohort) return isThere(cohort.file) ? { cohort: cohort.file } : {};
  const areThere = sources.every(({ name, place }) => place !== null && isThere(name));
  return areThere && words.includes('push') ? { pushed: [{ id, resource, sources, words }] } : {};
}

/** @throws AppError `source_changed` for a file whose bytes a reading has not read */
async function assertRead(file: string, { header }: FoundReading, cwd: string): Promise<void> {
  const source = await openSourceFile(file, cwd);
  await source.close();
  if (!header.sources.some(({ sha256 }) => sha256 === source.fingerprint.sha256))
    throw new AppError('source_changed', { file });
}

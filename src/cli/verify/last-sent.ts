import { commandLine, type FlagWords } from '../../core/command-line.ts';
import { AppError } from '../../core/app-error.ts';
import type { Resource } from '../../core/contract/resources.ts';
import type { CommandContext } from '../command/command.ts';
import type { SourceFlags } from '../command/flags.ts';
import { readText } from '../command/typed-file.ts';
import { sameCommand } from '../ending/next-commands.ts';
import { commandsIn, type ListedCommand } from '../journal/commands-log.ts';
import { resourceFlags } from '../migrate/cohort-files.ts';
import { cohortSettings } from '../migrate/cohort-settings.ts';
import { readCohort } from '../migrate/read-cohort.ts';
import { shardText } from '../push/ports/run.ts';
import { pathsOf, runsFolders } from '../runs/run-folders.ts';
import { flagLayer, type SettingFlags } from '../settings/layer.ts';
import { typedFlags, withDocument, type Settings } from '../settings/settings.ts';
import { withFiles } from '../sources/sources.ts';
import type { ComparingFlags, Job } from './job.ts';

/** What is verified: the files of one resource, or of each resource of a cohort. */
export interface Jobs {
  /** The name of the cohort; null for files of their own. */
  readonly cohort: string | null;
  readonly jobs: readonly Job[];
}

/** The jobs of a cohort file, in the order in which its resources are sent. */
export function cohortJobs(
  file: string,
  flags: ComparingFlags,
  settings: Settings,
  { io, globals }: CommandContext,
): Jobs {
  const cohort = readCohort(file, readText(file, io.cwd));
  const ofCohort = cohortSettings(cohort, settings, io);
  const send = commandLine('migrate', [file], repeatedFlags(settings, globals));
  const jobs = resourceFlags(cohort, io.cwd).map((files) => ({
    options: { ...flags, ...files },
    settings: ofCohort,
    send,
  }));
  return { cohort: cohort.name, jobs };
}

/**
 * The files of the last command of the folder. All shards of a file are one whole.
 * @throws AppError `run_none`, `usage`; those of reading a cohort file
 */
export async function lastSent(
  flags: ComparingFlags,
  settings: Settings,
  context: CommandContext,
): Promise<Jobs> {
  const { io } = context;
  const folders = runsFolders(flags, settings, io.cwd);
  const last = folders
    .flatMap(({ path }) => commandsIn(path, io).slice(0, 1))
    .toSorted((a, b) => (a.begun < b.begun ? 1 : -1))[0];
  if (!last) throw new AppError('run_none', { folder: pathsOf(folders) });
  assertSame(last, io.cwd);
  const name = last.words.find((word) => word === 'push' || word === 'migrate')!;
  const typed = (await context.surface(last.words)).commands.find((command) => command.name() === name)!;
  const { operands } = typed.parseOptions(last.words.slice(last.words.indexOf(name) + 1));
  const options = typed.opts<SourceFlags & SettingFlags>();
  const ofCommand = withDocument(settings, flagLayer(options, io.cwd), io.homeDir);
  if (name === 'migrate') return cohortJobs(operands[0]!, flags, ofCommand, context);
  const [resource, ...file] = operands as [Resource, ...string[]];
  const { map, maxRecords } = options;
  const rows = {
    resource,
    file,
    ...(map !== undefined && { map }),
    ...(maxRecords !== undefined && { maxRecords }),
  };
  const named = await withFiles({ ...flags, ...rows }, io.cwd);
  return { cohort: null, jobs: [{ options: named, settings: ofCommand, send: sameCommand(last.words) }] };
}

/** @throws AppError `usage` for a command whose files are somewhere else, or cannot be read again */
function assertSame({ cwd, readsInput, words }: ListedCommand, here: string): void {
  const command = sameCommand(words);
  const refuse = (reason: string): AppError =>
    new AppError('usage', {
      reason: `the last command cannot be typed again here, because ${reason}: ${command}`,
      todo: 'Type `dataimport verify` with its files.',
    });
  if (readsInput) throw refuse('it read standard input');
  if (cwd !== here) throw refuse(`its files are in ${cwd}, where it was typed`);
}

/** The job of files that are typed. */
export async function typedJob(
  options: Job['options'],
  settings: Settings,
  { io, globals }: CommandContext,
): Promise<Jobs> {
  const named = await withFiles(options, io.cwd);
  const { resource, file, map, maxRecords, shard } = options;
  const send = commandLine(
    'push',
    [resource, ...file],
    [
      ['--map', map],
      ['--max-records', maxRecords?.toString()],
      ['--shard', typeof shard === 'object' ? shardText(shard) : shard],
      ...repeatedFlags(settings, globals),
    ],
  );
  return { cohort: null, jobs: [{ options: named, settings, send }] };
}

/** The flags that the command which sends has to repeat. */
const repeatedFlags = (settings: Settings, { config }: CommandContext['globals']): readonly FlagWords[] => [
  ...typedFlags(settings, ['supplier', 'contract', 'runDir', 'baseUrl']),
  ['--config', config],
];

import { dirname, relative } from 'node:path';
import { AppError } from '../../core/app-error.ts';
import { DESCRIPTORS } from '../../core/contract/resources.ts';
import type { Ending } from '../output/run-document.ts';
import { shellWord } from '../output/text.ts';
import type { RunFile } from '../run-file/run-file.ts';
import type { RunHeader } from '../run-file/run-header.ts';
import { shardText, type Shard } from '../push/ports/run.ts';
import type { ResolvedSetting, Settings } from '../settings/settings.ts';
import { STANDARD_INPUT } from './rejects.ts';

type NamedRun = Pick<RunHeader, 'id' | 'target'> & Partial<Pick<RunHeader, 'options' | 'parent'>>;

/** Commands about a run as they have to be typed here: with every flag that the next command line would not find by itself. */
export interface NextCommands {
  /** Continues a run of this command line. */
  resume(run: NamedRun): string;
  /** Continues any run, by its id. */
  resumeById(run: NamedRun): string;
  retry(run: NamedRun): string;
  show(run: Pick<RunHeader, 'id'>): string;
  forget(run: Pick<RunHeader, 'id'>): string;
}

/** Flags of the present command line that the next one has to repeat. */
export interface RepeatedFlags {
  readonly profile?: string;
  readonly config?: string;
}

/** `root`: the setting of the folder of all runs, where the settings name the folder of a cohort below it. */
export function nextCommands(
  settings: Pick<Settings, 'resolved'>,
  flags: RepeatedFlags,
  cwd: string,
  root?: ResolvedSetting<string>,
): NextCommands {
  const baseUrl = settings.resolved('baseUrl');
  const runDir = settings.resolved('runDir')!;
  const caFile = settings.resolved('caFile');
  const folder: Flag = [
    '--run-dir',
    runDir.source.kind === 'flag' ? relative(cwd, runDir.value) || '.' : undefined,
  ];
  const authorities: Flag = [
    '--ca-file',
    caFile?.source.kind === 'flag' ? relative(cwd, caFile.value) : undefined,
  ];
  const contract = settings.resolved('contract');
  const rules: Flag = [
    '--contract',
    contract?.source.kind === 'flag' ? relative(cwd, contract.value) : undefined,
  ];
  const configuration: readonly Flag[] = [
    ['--profile', flags.profile],
    ['--config', flags.config],
  ];
  const line = (command: string, runs: Flag, target: string): string => {
    // Without the setting the run's own target is used. A setting must not lead elsewhere.
    const needsTarget = baseUrl !== undefined && (baseUrl.source.kind === 'flag' || baseUrl.value !== target);
    const address: Flag = ['--base-url', needsTarget ? target : undefined];
    return withFlags(`dataimport ${command}`, [runs, authorities, rules, address, ...configuration]);
  };
  const sending = (command: string, { id, target }: NamedRun): string =>
    line(`${command} ${id}`, folder, target);
  // The command of a cohort takes the folder above that of its runs.
  const above = dirname(runDir.value);
  const isFound = root?.value === above && root.source.kind !== 'flag';
  const cohorts: Flag = ['--run-dir', isFound ? undefined : relative(cwd, above) || '.'];
  return {
    resume: (run) =>
      cohortNameOf(run) === undefined ? sending('resume', run) : line(cohortLine(run), cohorts, run.target),
    resumeById: (run) => sending('resume', run),
    retry: (run) => sending('retry', run),
    show: ({ id }) => withFlags(`dataimport runs show ${id}`, [folder, ...configuration]),
    forget: ({ id }) => withFlags(`dataimport runs forget ${id}`, [folder, ...configuration]),
  };
}

/** The cohort that a run belongs to. `migrate` alone continues such a run; a retry of it is a run of its own. */
export function cohortNameOf({
  options,
  parent,
}: Partial<Pick<RunHeader, 'options' | 'parent'>>): string | undefined {
  return parent === null ? options?.cohort : undefined;
}

/** The words that continue the cohort of a run, with its shard. A run of an earlier version does not know the cohort file. */
export function cohortLine({ options }: Pick<NamedRun, 'options'>): string {
  const { cohortFile = `file of the cohort ${options?.cohort}`, selection } = options ?? {};
  const shard = selection?.shard === undefined ? '' : ` --shard ${shardText(selection.shard)}`;
  return `migrate ${shellWord(cohortFile)} --continue${shard}`;
}

/**
 * Commands after a command line that can be typed again at any time: it continues its run itself. `shard`: the shard of this
 * process, because `--shard auto` means nothing in the shell of a person.
 */
export function repeating(words: readonly string[], commands: NextCommands, shard?: Shard): NextCommands {
  const line = ['dataimport', ...withShard(words, shard)].map(shellWord).join(' ');
  return { ...commands, resume: () => line };
}

function withShard(words: readonly string[], shard: Shard | undefined): readonly string[] {
  if (shard === undefined) return words;
  const at = words.findIndex((word) => word === '--shard' || word.startsWith('--shard='));
  // The shard came from a variable.
  if (at < 0) return [...words, '--shard', shardText(shard)];
  return words.toSpliced(at, words[at] === '--shard' ? 2 : 1, '--shard', shardText(shard));
}

/** A flag and its value; undefined where the next command line finds the value by itself. */
type Flag = readonly [flag: string, value: string | undefined];

function withFlags(command: string, flags: readonly Flag[]): string {
  const given = flags.flatMap(([flag, value]) => (value === undefined ? [] : [flag, shellWord(value)]));
  return [command, ...given].join(' ');
}

/** Commands for a run that has nothing left to do. */
export interface CommandsAfter {
  /** Sends its refused records again, or copies the rows that have to be corrected first; null when it has none any more. */
  readonly refused: string | null;
  /** Lists the rows to look at; null where they are being listed. */
  readonly show: string | null;
  /** What to do with listed rows that only a person can judge; null when the run has no payloads of them any more. */
  readonly judge: string | null;
}

export function commandsAfter({ header, retrying, state }: RunFile, commands: NextCommands): CommandsAfter {
  // Records without payloads, and records that another run has, cannot be sent again from here.
  const isWhole = state !== 'cleared' && retrying.takers().length === 0;
  const isFinal = DESCRIPTORS[header.resource].refusal.final !== null;
  const copy = isFinal ? copyOfRejects(header, commands) : null;
  if (!isWhole) return { refused: copy, show: commands.show(header), judge: null };
  const retry = commands.retry(header);
  const judge = `compare the rows with their accounts: \`${commands.forget(header)}\` when the accounts are right; otherwise have them corrected, then \`${retry}\``;
  return { refused: isFinal ? copy : `${retry} --only rejected`, show: commands.show(header), judge };
}

/** The command that copies refused rows to a file; null for standard input, which cannot be read again. */
export function copyOfRejects(header: RunHeader, commands: NextCommands): string | null {
  const isFile = header.sources.every(({ name }) => name !== STANDARD_INPUT);
  // `migrate` copies no rows.
  const resume = cohortNameOf(header) === undefined ? commands.resume(header) : commands.resumeById(header);
  // A cohort may have a file for each resource, and each shard has rows of its own.
  const resource = cohortNameOf(header) === undefined ? '' : `-${header.resource}`;
  const { shard } = header.options.selection ?? {};
  const part = shard ? `-${shard.index}of${shard.count}` : '';
  return isFile ? `${resume} --rejects rejects${resource}${part}.csv` : null;
}

/** An ending without the command that copies refused rows, once `isCopied`. */
export function endingWithRejects(ending: Ending, copy: string | null, isCopied: boolean): Ending {
  return isCopied && ending.next === copy ? { ...ending, next: null } : ending;
}

/** Names `command` in the failure of a disk, which knows no flags. @throws AppError `run_write_failed` */
export async function namingCommand<T>(command: string, act: () => Promise<T> | T): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'run_write_failed') throw error;
    throw new AppError(error.code, { ...error.facts, resume: command }, error);
  }
}

/** Another target would get the rest of the records. @throws AppError `run_other_target` */
export function assertSameTarget(
  command: 'resume' | 'retry',
  header: RunHeader,
  settings: Settings,
  commands: NextCommands,
): void {
  const given = settings.get('baseUrl');
  if (given === undefined || given === header.target) return;
  const facts = { run: header.id, expected: header.target, given, resume: commands[command](header) };
  throw new AppError('run_other_target', facts);
}

import type { CommandPorts } from '../command/command-ports.ts';
import { targetOf, type Target } from '../command/connection.ts';
import type { SendingFlags } from '../command/flags.ts';
import type { Progress } from '../output/progress/progress.ts';
import type { Resource } from '../../core/contract/resources.ts';
import type { Shard } from '../push/ports/run.ts';
import type { BegunCommand } from '../journal/commands-log.ts';
import { lockResource } from '../journal/database/resource-lock.ts';
import type { JournalScope, RunScope } from '../journal/database/run-header.ts';
import { JournalsFolder } from '../journal/journals-folder.ts';
import { appliedContract, type AppliedContract } from '../sources/applied-contract.ts';
import { realPath } from '../sources/version.ts';
import { reachPlatform, type ReachedPlatform } from './first-answer.ts';
import { listenForInterruption, type Interruption } from '../command/interruption.ts';
import { assertLocalDisk, assertOwnFolder } from './disk-of-runs.ts';
import type { NextCommands, RepeatedFlags } from '../ending/next-commands.ts';
import type { Settings } from '../settings/settings.ts';

/** What a command sends with, beside its flags. */
interface SendingChoice {
  readonly flags: SendingFlags & { readonly dryRun?: boolean };
  readonly settings: Settings;
  readonly commands: NextCommands;
  readonly shard: Shard | undefined;
  /** Default: that of the settings. */
  readonly target?: Target;
  /** The command in the list of its folder, which is told of its readings; undefined for one that is not listed. */
  readonly listed?: BegunCommand | undefined;
}

/** What a command goes by, beside its own flags. */
export interface CommandChoice {
  readonly settings: Settings;
  readonly globals: RepeatedFlags;
  /** The words of the command. */
  readonly words: readonly string[];
  readonly listed?: BegunCommand | undefined;
}

/** Everything that a command needs to send records. It is opened once, and closed when the command ends. */
export interface Sending extends Omit<SendingChoice, 'target'> {
  readonly ports: CommandPorts;
  readonly contract: AppliedContract | undefined;
  readonly folder: JournalsFolder;
  readonly interruption: Interruption;
  /** Base URL; empty when nothing is to be sent and none is set. */
  readonly baseUrl: string;
  /** Undefined when nothing is to be sent. */
  readonly reached: ReachedPlatform | undefined;
  /** When the command began, by the monotonic clock. */
  readonly startedMs: number;
  scopeOf(resource: Resource): RunScope;
}

/**
 * Opens everything that sending needs: the contract, the platform with its first answer, and the folder of the journals. A
 * dry run asks the platform nothing.
 */
export async function openSending(choice: SendingChoice, ports: CommandPorts): Promise<Sending> {
  const { flags, settings } = choice;
  const { io } = ports;
  const startedMs = io.timing.monotonicMs();
  const interruption = listenForInterruption(ports);
  const contract = await appliedContract(settings, io.cwd);
  const typed = new JournalsFolder(settings.need('runDir'));
  const target = flags.dryRun
    ? undefined
    : { ...(choice.target ?? targetOf(settings, io)), recording: flags };
  const baseUrl = target?.baseUrl ?? settings.get('baseUrl') ?? '';
  if (target) {
    assertLocalDisk(typed, settings.need('allowNetworkDisk'), ports);
    assertOwnFolder(typed, ports);
    // Nothing is sent beside an unfinished run of an older program.
    const older = typed.older();
    if (older) throw older.error;
  }
  // From here on by its real path: a link on the way may lead elsewhere later.
  const folder = new JournalsFolder(realPath(typed.path));
  // The database that a dry run would meet is the one that the last command met.
  const known = folder.databaseOf(baseUrl);
  // Before the files are read: a wrong address or key is reported at once and not after an hour.
  const reached =
    target &&
    (await reachPlatform(target, settings, ports, { ...interruption, namesDatabase: known !== null }));
  const database = reached ? reached.database : known;
  return {
    ...choice,
    baseUrl,
    ports,
    contract,
    folder,
    interruption,
    reached,
    startedMs,
    scopeOf: (resource) => ({ resource, target: baseUrl, database }),
  };
}

/** How long the command has taken so far, in milliseconds. */
export function elapsedMs({ ports, startedMs }: Pick<Sending, 'ports' | 'startedMs'>): number {
  return ports.io.timing.monotonicMs() - startedMs;
}

/** Keeps a resource of a supplier of the target for this process until the command ends. */
export function lock({ folder, shard, ports }: Sending, scope: JournalScope): void {
  ports.onClose(lockResource(folder.path, scope, shard));
}

/** Shows how far the command is. */
export async function openProgress({ ports }: Pick<Sending, 'ports'>): Promise<Progress> {
  const progress = await ports.output.progress();
  ports.onClose(progress.stop);
  return progress;
}

import type { CommandPorts } from '../command/command-ports.ts';
import { warnOfClock } from '../command/clock.ts';
import { targetOf, type Target } from '../command/connection.ts';
import type { SendingFlags } from '../command/flags.ts';
import type { Progress } from '../output/progress/progress.ts';
import type { PushEvent } from '../push/events.ts';
import type { Resource } from '../../core/contract/resources.ts';
import type { Shard } from '../push/ports/run.ts';
import { History } from '../run-file/history/history.ts';
import type { Instant } from '../../core/values/instant.ts';
import { lockResource } from '../run-file/database/resource-lock.ts';
import type { RunScope } from '../run-file/database/run-header.ts';
import { RunsFolder } from '../run-file/runs-folder.ts';
import { appliedContract, type AppliedContract } from '../sources/applied-contract.ts';
import { reachPlatform, type ReachedPlatform } from './first-answer.ts';
import { listenForInterruption, type Interruption } from '../ending/interruption.ts';
import { assertLocalDisk, assertOwnFolder } from './disk-of-runs.ts';
import type { NextCommands, RepeatedFlags } from '../ending/next-commands.ts';
import type { Settings } from '../settings/settings.ts';

/** What a command sends with, beside its flags. */
interface SendingChoice {
  readonly flags: SendingFlags & { readonly dryRun?: boolean; readonly askPlatform?: boolean };
  readonly settings: Settings;
  readonly commands: NextCommands;
  readonly shard: Shard | undefined;
  /** Default: that of the settings. */
  readonly target?: Target;
  /** The history, when it is open already. */
  readonly history?: History;
}

/** What a command goes by, beside its own flags. */
export interface CommandChoice {
  readonly settings: Settings;
  readonly globals: RepeatedFlags;
  /** The words of the command. */
  readonly words: readonly string[];
}

/** Everything that a command needs to send records. It is opened once, and closed when the command ends. */
export interface Sending extends Omit<SendingChoice, 'target' | 'history'> {
  readonly ports: CommandPorts;
  readonly contract: AppliedContract | undefined;
  readonly folder: RunsFolder;
  readonly interruption: Interruption;
  /** Base URL; empty when nothing is to be sent and none is set. */
  readonly baseUrl: string;
  /** Undefined when nothing is to be sent. */
  readonly reached: ReachedPlatform | undefined;
  /** Undefined when nothing is to be sent and the folder has no runs, and when the platform is only asked: then no run is kept. */
  readonly history: History | undefined;
  /** When the command began, by the monotonic clock. */
  readonly startedMs: number;
  scopeOf(resource: Resource): RunScope;
}

/**
 * Opens everything that sending needs: the contract, the platform with its first answer, the folder of the runs and what they know. A
 * dry run asks the platform nothing.
 * @throws AppError those of `reachPlatform`, `appliedContract`, `assertLocalDisk` and `History.open`
 */
export async function openSending(choice: SendingChoice, ports: CommandPorts): Promise<Sending> {
  const { flags, settings } = choice;
  const { io, onClose } = ports;
  const startedMs = io.timing.monotonicMs();
  const interruption = listenForInterruption(ports);
  const contract = await appliedContract(settings, io.cwd);
  const folder = new RunsFolder(settings.need('runDir'));
  const target = flags.dryRun
    ? undefined
    : { ...(choice.target ?? targetOf(settings, io)), recording: flags };
  const baseUrl = target?.baseUrl ?? settings.get('baseUrl') ?? '';
  const keepsRuns = target !== undefined && !flags.askPlatform;
  if (keepsRuns) {
    assertLocalDisk(folder, settings.need('allowNetworkDisk'), ports);
    assertOwnFolder(folder, ports);
  }
  let history = choice.history ?? (folder.isKnown && !flags.askPlatform ? History.open(folder) : undefined);
  onClose(() => history?.close());
  warnOfClock(ports, newestOf(history));
  for (const error of history?.unreadable.values() ?? []) {
    const { code, facts } = error;
    // Without what such a run has sent, records would be sent twice. A copy beside its run says nothing more than the run.
    const isCopy = code === 'run_misnamed' && folder.ids().includes(String(facts['run']));
    if (target && !isCopy) throw error;
    ports.output.emit({ kind: 'warning', code, facts });
  }
  // The database that a dry run would meet is the one that the last run met.
  const known = history?.runs().find((run) => run.target === baseUrl)?.database ?? null;
  // Before the files are read: a wrong address or key is reported at once and not after an hour.
  const reached =
    target &&
    (await reachPlatform(target, settings, ports, { ...interruption, namesDatabase: known !== null }));
  if (keepsRuns) history ??= History.open(folder);
  const database = reached ? reached.database : known;
  return {
    ...choice,
    baseUrl,
    ports,
    contract,
    folder,
    interruption,
    reached,
    history,
    startedMs,
    scopeOf: (resource) => ({ resource, target: baseUrl, database }),
  };
}

/** When the newest run was begun; undefined without a run. */
const newestOf = (history: History | undefined): Instant | undefined =>
  history
    ?.runs()
    .map(({ createdAt }) => createdAt)
    .toSorted()
    .at(-1);

/** Whether the runs of a command are kept: it may bring records to the platform. */
export function keepsRuns({ reached, history }: Pick<Sending, 'reached' | 'history'>): boolean {
  return reached !== undefined && history !== undefined;
}

/** How long the command has taken so far, in milliseconds. */
export function elapsedMs({ ports, startedMs }: Pick<Sending, 'ports' | 'startedMs'>): number {
  return ports.io.timing.monotonicMs() - startedMs;
}

/** Keeps a resource of the target for this process until the command ends. A command that brings nothing there needs no lock. */
export function lock(sending: Sending, resource: Resource): void {
  const { folder, shard, scopeOf, ports } = sending;
  if (keepsRuns(sending)) ports.onClose(lockResource(folder.path, scopeOf(resource), shard));
}

/** Shows how far the command is. `first`: the work that is left of an earlier command. */
export async function openProgress(
  { flags, ports }: Pick<Sending, 'flags' | 'ports'>,
  first?: Extract<PushEvent, { kind: 'planned' }>,
): Promise<Progress> {
  const progress = await ports.output.progress(first, flags.askPlatform);
  ports.onClose(progress.stop);
  return progress;
}

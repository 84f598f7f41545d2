import type { CommandPorts } from '../command/command-ports.ts';
import { targetOf, type Target, connect, type Connection } from '../command/connection.ts';
import type { SendingFlags, SourceFlags } from '../command/flags.ts';
import type { Resource } from '../../core/contract/resources.ts';
import type { BegunCommand } from '../journal/commands-log.ts';
import type { RunScope } from '../journal/database/run-header.ts';
import { JournalsFolder } from '../journal/journals-folder.ts';
import { appliedContract, authSchemeOf } from '../sources/applied-contract.ts';
import { realPath } from '../sources/version.ts';
import { listenForInterruption, type Interruption } from '../command/interruption.ts';
import { assertLocalDisk, assertOwnFolder } from './disk-of-runs.ts';
import { nextCommands, sameCommand, type RepeatedFlags } from '../ending/next-commands.ts';
import { shardOf } from '../sources/shard.ts';
import type { Settings } from '../settings/settings.ts';
import { durationText } from '../../core/values/duration-text.ts';
import { AppError } from '../../core/app-error.ts';
import { databaseNamedIn } from '../../core/contract/database-identity.ts';
import { retryOfStatus } from '../../core/contract/retry.ts';
import type { Platform } from '../push/ports/platform.ts';
import { awake, type Timing } from '../push/ports/timing.ts';
import { CONNECT_MS, LAST_TRIAL_MS, nextWaitMs, retryAfterMs } from '../push/waits.ts';

/** What a command goes by, beside its own flags. */
export interface CommandChoice {
  readonly settings: Settings;
  readonly globals: RepeatedFlags;
  /** The words of the command. */
  readonly words: readonly string[];
  /** What is sent. */
  readonly resources: readonly Resource[];
  /** The command in the list of its folder, which is told of its readings; undefined for one that is not listed. */
  readonly listed?: BegunCommand | undefined;
  /** Default: that of the settings. */
  readonly target?: Target;
}

type Flags = SendingFlags & Pick<SourceFlags, 'shard'> & { readonly dryRun?: boolean };

/** Everything that a command needs to send records. It is opened once, and closed when the command ends. */
export type Sending = Awaited<ReturnType<typeof openSending>>;

/**
 * Opens everything that sending needs: the contract, the platform with its first answer, and the folder of the journals. A
 * dry run asks the platform nothing.
 */
export async function openSending(
  flags: Flags,
  { settings, globals, words, resources, listed, target: given }: CommandChoice,
  ports: CommandPorts,
) {
  const { io } = ports;
  const shard = shardOf(flags.shard, io.env);
  const startedMs = io.timing.monotonicMs();
  const interruption = listenForInterruption(ports);
  const contract = await appliedContract(settings, io.cwd, ports.output, resources);
  const typed = new JournalsFolder(settings.need('runDir'));
  const authScheme = authSchemeOf(settings, contract);
  const target = flags.dryRun
    ? undefined
    : { ...(given ?? targetOf(settings, io)), authScheme, recording: flags };
  const baseUrl = target?.baseUrl ?? settings.get('baseUrl') ?? '';
  if (target) {
    assertLocalDisk(typed, settings.need('allowNetworkDisk'), ports);
    assertOwnFolder(typed, ports);
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
    flags,
    settings,
    words,
    listed,
    ports,
    shard,
    contract,
    folder,
    interruption,
    /** Base URL; empty when nothing is to be sent and none is set. */
    baseUrl,
    /** Undefined when nothing is to be sent. */
    reached,
    commands: nextCommands(settings, globals, io.cwd),
    /** The same command. */
    again: sameCommand(words, shard),
    scopeOf: (resource: Resource): RunScope => ({ resource, target: baseUrl, database }),
    /** How long the command has taken so far, in milliseconds. */
    elapsedMs: () => io.timing.monotonicMs() - startedMs,
  };
}

export interface ReachedPlatform {
  readonly platform: Platform;
  /** No request may begin before this time of the monotonic clock, because the platform asked to wait. */
  readonly pausedUntilMs: number;
  /** The database that its first answer names. Null when it names none, and when an interruption came before the answer. */
  readonly database: string | null;
}

/** The part of the first answer that is about the requests after it. */
type FirstAnswer = Omit<ReachedPlatform, 'platform'>;

/**
 * Tries connection and credentials before an hour of reading. Any answer of the platform but a refusal ends the trial, also
 * a 503: a platform that has answered is waited for later (`--retry-for`). A platform that has not answered is tried again
 * until `CONNECT_MS` are over. An interruption ends the trial, too. `namesDatabase`: whether earlier answers of the platform named its
 * database, so that one without a name is not from the platform.
 * @throws AppError `connection_failed`; `credentials_refused` and the other errors of
 * `Platform.send` when waiting does not help; those of `connect`
 */
export async function reachPlatform(
  target: Target,
  settings: Settings,
  ports: CommandPorts,
  { stopping, namesDatabase }: Pick<Interruption, 'stopping'> & { readonly namesDatabase: boolean },
): Promise<ReachedPlatform> {
  const connection = await connect(target, settings, ports);
  const { platform, baseUrl: url } = connection;
  const { io, output } = ports;
  const timing = awake(io.timing);
  const retryForMs = settings.need('retryFor');
  const startedMs = timing.monotonicMs();
  let limitMs = CONNECT_MS;
  let reason = 'the connection is open or opening, and no answer has come';
  for (let failures = 1; ; failures++) {
    const leftMs = (): number => Math.ceil(limitMs - (timing.monotonicMs() - startedMs));
    const timeout = AbortSignal.timeout(Math.max(leftMs(), LAST_TRIAL_MS));
    const stoodMs = io.timing.stoodStillMs?.();
    const trial = await tryOut(connection, { timing, retryForMs }, AbortSignal.any([timeout, stopping]));
    if ('database' in trial && (trial.database !== null || !namesDatabase)) return { platform, ...trial };
    if ('database' in trial) {
      // A gateway answers for a platform that is there, so the platform is waited for.
      limitMs = retryForMs;
      reason = 'the answer names no database, and the platform named one before';
    } else if (!timeout.aborted) ({ reason } = trial);
    if (stopping.aborted) return { platform, pausedUntilMs: -Infinity, database: null };
    const isOver = timeout.aborted && io.timing.stoodStillMs?.() === stoodMs;
    const waitMs = isOver ? undefined : nextWaitMs(failures, timing.random(), { leftMs: leftMs() });
    if (waitMs === undefined) {
      const last = `it has not answered once within ${durationText(limitMs)}: ${reason}`;
      throw new AppError('connection_failed', { url, reason: last });
    }
    output.waiting(`no answer from ${url}: ${reason}`, leftMs());
    await timing.sleep(waitMs, stopping);
  }
}

/** A key is tried by obtaining a token. A given token is tried with a query that needs one. */
async function tryOut(
  { platform, baseUrl, credentials }: Connection,
  { timing, retryForMs }: { timing: Timing; retryForMs: number },
  signal: AbortSignal,
): Promise<FirstAnswer | { readonly reason: string }> {
  const readFrom = (headers: Readonly<Record<string, string>>): FirstAnswer => {
    const askedMs = retryAfterMs(headers);
    // A longer wait than a run makes is left to the first request, which ends the run with the platform's words.
    const isWaited = askedMs > 0 && askedMs <= retryForMs;
    const pausedUntilMs = isWaited ? timing.monotonicMs() + askedMs : -Infinity;
    return { pausedUntilMs, database: databaseNamedIn(headers) };
  };
  if (credentials.kind === 'key') {
    const token = await platform.authenticate(signal);
    if (!('later' in token)) return { pausedUntilMs: -Infinity, database: token.database };
    const { later: reason, headers } = token;
    return headers === undefined ? { reason } : readFrom(headers);
  }
  const { queryWithToken, assertTokenTaken } = await import('../client/account-queries.ts');
  const answer = await queryWithToken(platform, signal);
  if (answer.kind !== 'answer') return { reason: answer.reason };
  // An overloaded or starting platform says nothing about the token.
  if (retryOfStatus(answer.status) !== 'wait') assertTokenTaken(answer, baseUrl);
  return readFrom(answer.headers);
}

import { durationText } from '../../core/values/duration-text.ts';
import { AppError } from '../../core/app-error.ts';
import { databaseNamedIn } from '../../core/contract/database-identity.ts';
import { retryOfStatus } from '../../core/contract/retry.ts';
import type { CommandPorts } from '../command/command-ports.ts';
import { connect, type Connection, type Target } from '../command/connection.ts';
import type { Platform } from '../push/ports/platform.ts';
import { awake, type Timing } from '../push/ports/timing.ts';
import { CONNECT_MS, LAST_TRIAL_MS, nextWaitMs, retryAfterMs } from '../push/waits.ts';
import type { Settings } from '../settings/settings.ts';
import type { Interruption } from '../command/interruption.ts';

export interface ReachedPlatform {
  readonly platform: Platform;
  /** No request may begin before this time of the monotonic clock, because the platform asked to wait. */
  readonly pausedUntilMs: number;
  /** The database that its first answer names. Null when it names none, and when an interruption came before the answer. */
  readonly database: string | null;
}

/** The part of the first answer that is about the requests after it. */
type FirstAnswer = Omit<ReachedPlatform, 'platform'>;

/** When the first answer is waited for no longer, and what it has to say. */
interface Trying extends Pick<Interruption, 'stopping'> {
  /** Whether earlier answers of the platform named its database, so that one without a name is not from the platform. */
  readonly namesDatabase: boolean;
}

/**
 * Tries connection and credentials before an hour of reading. Any answer of the platform but a refusal ends the trial, also
 * a 503: a platform that has answered is waited for later (`--retry-for`). A platform that has not answered is tried again
 * until `CONNECT_MS` are over. An interruption ends the trial, too.
 * @throws AppError `connection_failed`; `credentials_refused` and the other errors of
 * `Platform.send` when waiting does not help; those of `connect`
 */
export async function reachPlatform(
  target: Target,
  settings: Settings,
  ports: CommandPorts,
  { stopping, namesDatabase }: Trying,
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

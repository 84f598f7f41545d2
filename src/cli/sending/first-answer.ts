import { durationText } from '../../core/values/duration-text.ts';
import { AppError } from '../../core/app-error.ts';
import { databaseNamedIn } from '../../core/contract/database-identity.ts';
import { retryOfStatus } from '../../core/contract/retry.ts';
import type { CommandPorts } from '../command/command-ports.ts';
import { connect, type Connection, type Target } from '../command/connection.ts';
import type { Platform } from '../push/ports/platform.ts';
import { awake, type Timing } from '../push/ports/timing.ts';
import { decideRetry, isTooLongToWait, retryAfterMs } from '../push/retry.ts';
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

/** A try without an answer, and why. */
type Unanswered = { readonly reason: string };

/** When the first answer is waited for no longer, and what it has to say. */
export interface Trying extends Pick<Interruption, 'stopping'> {
  /** Whether earlier answers of the platform named its database, so that one without a name is not from the platform. Default: false. */
  readonly namesDatabase?: boolean;
}

/** Before the first trial has ended. */
const NO_TRIAL: Unanswered = { reason: 'the connection is open or opening, and no answer has come' };

function noAnswer({ baseUrl }: Connection, { reason }: Unanswered): string {
  return `no answer from ${baseUrl}: ${reason}`;
}

/** How long a platform that has never answered is tried, in milliseconds: long enough for a proxy that starts, and short for a wrong address. */
const CONNECT_MS = 10_000;

/** The last trial has at least this time, in milliseconds. */
const LAST_TRIAL_MS = 1_000;

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
  trying: Trying,
): Promise<ReachedPlatform> {
  const connection = await connect(target, settings, ports);
  return {
    platform: connection.platform,
    ...(await firstAnswer(connection, settings, { ...ports, ...trying })),
  };
}

async function firstAnswer(
  connection: Connection,
  settings: Settings,
  { io, output, stopping, namesDatabase = false }: Pick<CommandPorts, 'io' | 'output'> & Trying,
): Promise<FirstAnswer> {
  const timing = awake(io.timing);
  let limitMs: number = CONNECT_MS;
  const startedMs = timing.monotonicMs();
  let last = NO_TRIAL;
  for (let attempts = 1; ; attempts++) {
    const leftMs = Math.ceil(limitMs - (timing.monotonicMs() - startedMs));
    const timeout = AbortSignal.timeout(Math.max(leftMs, LAST_TRIAL_MS));
    const stoodMs = io.timing.stoodStillMs?.();
    const trial = await tryOut(connection, timing, AbortSignal.any([timeout, stopping]));
    if ('database' in trial && (trial.database !== null || !namesDatabase)) return trial;
    if ('database' in trial) {
      // A gateway answers for a platform that is there, so the platform is waited for.
      limitMs = settings.need('retryFor');
      last = { reason: 'the answer names no database, and the platform named one before' };
    } else if (!timeout.aborted) last = trial;
    const isOver = timeout.aborted && io.timing.stoodStillMs?.() === stoodMs;
    const elapsedMs = isOver ? limitMs : timing.monotonicMs() - startedMs;
    if (stopping.aborted) return { pausedUntilMs: -Infinity, database: null };
    const state = { attempts, elapsedMs, retryForMs: limitMs, retryAfterMs: 0, random: timing.random() };
    const decision = decideRetry(state);
    if (decision.kind !== 'wait') {
      const reason = `it has not answered once within ${durationText(limitMs)}: ${last.reason}`;
      throw new AppError('connection_failed', { url: connection.baseUrl, reason });
    }
    output.waiting(noAnswer(connection, last), startedMs + limitMs - timing.monotonicMs());
    await timing.sleep(decision.waitMs, stopping);
  }
}

/** A key is tried by obtaining a token. A given token is tried with a query that needs one. */
async function tryOut(
  { platform, baseUrl, credentials }: Connection,
  timing: Timing,
  signal: AbortSignal,
): Promise<FirstAnswer | Unanswered> {
  if (credentials.kind === 'key') {
    const token = await platform.authenticate(signal);
    if (!('later' in token)) return { pausedUntilMs: -Infinity, database: token.database };
    const { later: reason, headers } = token;
    return headers === undefined ? { reason } : readFrom(headers, timing);
  }
  const { queryWithToken, assertTokenTaken } = await import('../client/account-queries.ts');
  const answer = await queryWithToken(platform, signal);
  if (answer.kind !== 'answer') return { reason: answer.reason };
  // An overloaded or starting platform says nothing about the token.
  if (retryOfStatus(answer.status) !== 'wait') assertTokenTaken(answer, baseUrl);
  return readFrom(answer.headers, timing);
}

function readFrom(headers: Readonly<Record<string, string>>, timing: Timing): FirstAnswer {
  return { pausedUntilMs: pausedUntil(headers, timing), database: databaseNamedIn(headers) };
}

/** A longer wait than a run makes is left to the first request, which ends the run with the platform's words. */
function pausedUntil(headers: Readonly<Record<string, string>>, timing: Timing): number {
  const askedMs = retryAfterMs(headers);
  return askedMs === 0 || isTooLongToWait(askedMs) ? -Infinity : timing.monotonicMs() + askedMs;
}

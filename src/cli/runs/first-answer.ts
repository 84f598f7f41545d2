import { AppError } from '../../core/app-error.ts';
import { retryOfStatus } from '../../core/contract/retry.ts';
import type { CommandPorts } from '../command-ports.ts';
import { connect, type Connection, type Target } from '../connection.ts';
import { durationText } from '../output/text.ts';
import type { Platform } from '../push/ports/platform.ts';
import type { Timing } from '../push/ports/timing.ts';
import { decideRetry, isTooLongToWait, retryAfterMs } from '../push/retry.ts';
import type { Settings } from '../settings/settings.ts';
import type { Interruption } from './interruption.ts';

/** A platform that has answered. */
export interface ReachedPlatform {
  readonly platform: Platform;
  /** No request may begin before this time of the monotonic clock, because the platform asked to wait. */
  readonly pausedUntilMs: number;
}

/** One try. `reason`: why there was no answer. */
type Trial = { readonly headers: Readonly<Record<string, string>> } | { readonly reason: string };

/** The last trial has at least this time, in milliseconds, unless `--connect-timeout` is shorter. */
const LAST_TRIAL_MS = 1_000;

/**
 * Tries connection and credentials before an hour of reading. Any answer of the platform but a refusal ends the trial, also
 * a 503: a platform that has answered is waited for later (`--retry-for`). A platform that has not answered is tried again
 * until `--connect-timeout` is over. An interruption ends the trial, too.
 * @throws AppError `platform_never_answered`; `credentials_refused`, `credentials_token_refused` and the other errors of
 * `Platform.send` when waiting does not help; those of `connect`
 */
export async function reachPlatform(
  target: Target,
  settings: Settings,
  ports: CommandPorts,
  { stopping }: Pick<Interruption, 'stopping'>,
): Promise<ReachedPlatform> {
  const connection = await connect(target, settings, ports);
  const pausedUntilMs = await firstAnswer(connection, settings, { ...ports, stopping });
  return { platform: connection.platform, pausedUntilMs };
}

/** Returns the time of the monotonic clock before which no request may begin. */
async function firstAnswer(
  connection: Connection,
  settings: Settings,
  { io, output, stopping }: Pick<CommandPorts, 'io' | 'output'> & Pick<Interruption, 'stopping'>,
): Promise<number> {
  const { timing } = io;
  const limitMs = settings.need('connectTimeout');
  const startedMs = timing.monotonicMs();
  let reason = 'the connection is open or opening, and no answer has come';
  for (let attempts = 1; ; attempts++) {
    const leftMs = Math.ceil(limitMs - (timing.monotonicMs() - startedMs));
    const timeout = AbortSignal.timeout(Math.max(leftMs, Math.min(limitMs, LAST_TRIAL_MS)));
    const trial = await tryOut(connection, AbortSignal.any([timeout, stopping]));
    if ('headers' in trial) return pausedUntil(trial.headers, timing);
    if (!timeout.aborted) reason = trial.reason;
    const elapsedMs = timeout.aborted ? limitMs : timing.monotonicMs() - startedMs;
    if (stopping.aborted) return -Infinity;
    const state = { attempts, elapsedMs, retryForMs: limitMs, retryAfterMs: 0, random: timing.random() };
    const decision = decideRetry(state);
    if (decision.kind !== 'wait') {
      const facts = { url: connection.baseUrl, time: durationText(limitMs), reason };
      throw new AppError('platform_never_answered', facts);
    }
    if (attempts === 1) {
      const waitingFor = `no answer from ${connection.baseUrl}: ${reason}`;
      output.emit({ kind: 'waiting', state: waitingFor, leftMs: limitMs - elapsedMs });
    }
    await timing.sleep(decision.waitMs, stopping);
  }
}

/** A key is tried by obtaining a token. A given token is tried with a query that needs one. */
async function tryOut({ platform, baseUrl, credentials }: Connection, signal: AbortSignal): Promise<Trial> {
  if (credentials.kind === 'key') {
    const token = await platform.authenticate(signal);
    if (!('later' in token)) return { headers: {} };
    return token.headers === undefined ? { reason: token.later } : { headers: token.headers };
  }
  const { queryWithToken, assertTokenTaken } = await import('../client/account-queries.ts');
  const answer = await queryWithToken(platform, signal);
  if (answer.kind !== 'answer') return { reason: answer.reason };
  // An overloaded or starting platform says nothing about the token.
  if (retryOfStatus(answer.status) !== 'wait') assertTokenTaken(answer, baseUrl);
  return { headers: answer.headers };
}

/** A longer wait than a run makes is left to the first request, which ends the run with the platform's words. */
function pausedUntil(headers: Readonly<Record<string, string>>, timing: Timing): number {
  const askedMs = retryAfterMs(headers);
  return askedMs === 0 || isTooLongToWait(askedMs) ? -Infinity : timing.monotonicMs() + askedMs;
}

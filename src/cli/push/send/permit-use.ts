import type { BatchResult } from '../answer/classify.ts';
import type { PlatformAnswer } from '../ports/platform.ts';
import { retryAfterMs } from '../retry.ts';
import type { PermitUse } from './limiter.ts';

/** Statuses of an overloaded platform. A lone 500 does not prove overload. */
const OVERLOADED: ReadonlySet<number> = new Set([408, 429, 503, 504]);

/** How long the next token waits after one, and after two new tokens in a row were refused, in milliseconds. */
const NEXT_TOKEN_MS = [1_000, 9_000];

/** A time in which three tokens can be tried, with these waits between them, in milliseconds. */
export const THREE_TOKENS_MS = 15_000;

/** The use of a permit, as its answer proves it, whatever the results of the records. */
export function permitUseOf(answer: PlatformAnswer, result: BatchResult, tookMs: number): PermitUse {
  if (result.kind !== 'ambiguous' && result.kind !== 'not_applied') return { kind: 'succeeded', tookMs };
  const isLocal = answer.kind !== 'answer' && answer.isLocal === true;
  const overloaded =
    answer.kind === 'answer' ? OVERLOADED.has(answer.status) : answer.timedOut === true || isLocal;
  return {
    kind: 'failed',
    overloaded,
    isLocal,
    askedMs: retryAfterMs(answer.headers),
    probeInMs: answer.kind === 'answer' ? undefined : NEXT_TOKEN_MS[(answer.refusedTokens ?? 0) - 1],
    reason: result.reason,
  };
}

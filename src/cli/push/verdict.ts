import type { Verdict } from './gate.ts';
import type { PlatformAnswer } from './ports/platform.ts';
import type { Reading } from './reading.ts';
import { retryAfterMs } from './retry-after.ts';

/** Statuses that say that it was too much or took too long; a lone 500 says nothing of the kind (reliability.md, "Retry"). */
const OVERLOADED: ReadonlySet<number> = new Set([408, 429, 503, 504]);

/** What an answer tells of the platform, whatever it says of its records. */
export function verdictOf(answer: PlatformAnswer, reading: Reading): Verdict {
  if (reading.kind !== 'ambiguous' && reading.kind !== 'not_applied') return { kind: 'well' };
  const overloaded = answer.kind === 'answer' ? OVERLOADED.has(answer.status) : answer.timedOut === true;
  return { kind: 'failed', overloaded, askedMs: retryAfterMs(answer.headers ?? {}), reason: reading.reason };
}

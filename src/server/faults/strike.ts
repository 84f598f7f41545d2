import { refusal, type Answer } from '../http/answer.ts';
import type { ArmedFaults } from './armed.ts';
import type { Departure } from './departure.ts';
import type { Held } from './held.ts';
import { answerOfPlan } from './planned-answer.ts';
import type { Effect } from './rule.ts';

/** What the faults of a platform work with. */
export interface FaultContext {
  readonly faults: ArmedFaults;
  readonly held: Held;
  /** One transaction around `work`; see `Store.write`. */
  write<T>(work: () => T): T;
  /** Ends the process at once. */
  crash(): void;
  expireTokens(): void;
  readonly nowMs: () => number;
}

/**
 * What can happen in every phase; null when the request goes on.
 * @param answer what it was answered with, once it is committed
 */
export function strike(effect: Effect, answer: Answer | null, context: FaultContext): Departure | null {
  switch (effect.kind) {
    case 'answer':
      return answeredWith(answerOfPlan(effect.answer, context.nowMs()));
    case 'reset':
      if (effect.bytes === null) return { kind: 'reset' };
      return answer
        ? { kind: 'reset-answer', answer, bytes: effect.bytes }
        : { kind: 'reset-request', bytes: effect.bytes };
    case 'crash':
      context.crash();
      return { kind: 'stall' };
    case 'stall':
      return { kind: 'stall' };
    default:
      return null;
  }
}

/** The same with the body there: a request can also wait, and its token has been read already. */
export async function strikeLater(
  effect: Effect,
  answer: Answer | null,
  context: FaultContext,
): Promise<Departure | null> {
  switch (effect.kind) {
    case 'delay':
      await context.held.wait(effect.delayMs);
      return null;
    case 'expire-tokens':
      context.expireTokens();
      return answeredWith(refusal('authentication_failed', {}, { 'www-authenticate': 'Token' }));
    default:
      return strike(effect, answer, context);
  }
}

export function answeredWith(answer: Answer): Departure {
  return { kind: 'answer', answer };
}

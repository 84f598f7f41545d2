import { isRefusal, type Answer } from '../http/answer.ts';
import type { FaultyRequest } from './arrival-of.ts';
import type { Arrival } from './decide.ts';
import type { Departure } from './departure.ts';
import { answerOfPlan } from './planned-answer.ts';
import { withFirst, without } from './request-body.ts';
import { resultsIn, withResults } from './results.ts';
import type { Effect } from './rule.ts';
import { answeredWith, strikeLater, type FaultContext } from './strike.ts';

/** What came of a request up to its commit: an answer that goes on to the next phase, or its end. */
export type Committed = { readonly answer: Answer } | { readonly departure: Departure };

/**
 * Judges a request and stores it, as far as the fault before the commit lets it.
 * @throws Refusal
 */
export async function commit(
  request: FaultyRequest,
  arrival: Arrival,
  context: FaultContext,
): Promise<Committed> {
  const { endpoint, body } = request;
  if (!context.faults.hasRules('before-commit')) return { answer: request.handle(body) };
  const { answer, effect } = rehearse(request, arrival, context);
  switch (effect?.kind) {
    case undefined:
      return { answer };
    case 'prefix':
      request.handle(withFirst(body!, endpoint, effect.records));
      return { departure: answeredWith(answerOfPlan(effect.answer, context.nowMs())) };
    case 'items': {
      const rest = without(body!, endpoint, effect.position);
      if (rest) request.handle(rest);
      return { answer: withResults(answer, effect.change, effect.position) };
    }
    // It has crashed, within the transaction; whoever plays the crash plays on.
    case 'crash':
      return { departure: { kind: 'stall' } };
    default: {
      const departure = await strikeLater(effect!, null, context);
      return departure ? { departure } : { answer: request.handle(body) };
    }
  }
}

interface Rehearsal {
  readonly answer: Answer;
  /** Null when there was none, and what was judged is stored. */
  readonly effect: Effect | null;
}

/** Judges and stores, and undoes both when a fault happens before the commit. */
function rehearse(request: FaultyRequest, arrival: Arrival, context: FaultContext): Rehearsal {
  const { faults, write, crash } = context;
  try {
    const answer = write(() => {
      const judged = request.handle(request.body);
      if (isRefusal(judged)) return judged;
      const results = faults.hasEffect('items') ? resultsIn(judged) : 0;
      const effect = faults.decide({ ...arrival, stage: 'before-commit', results });
      if (effect === null) return judged;
      // Here, where the transaction is still open.
      if (effect.kind === 'crash') crash();
      throw new Undone(judged, effect);
    });
    return { answer, effect: null };
  } catch (error) {
    if (error instanceof Undone) return error;
    throw error;
  }
}

/** Takes back what a transaction has done so far. */
class Undone extends Error implements Rehearsal {
  readonly answer: Answer;
  readonly effect: Effect;

  constructor(answer: Answer, effect: Effect) {
    super('a fault before the commit');
    this.name = 'Undone';
    this.answer = answer;
    this.effect = effect;
  }
}

import type { Answer } from '../http/answer.ts';
import type { Arrival } from './decide.ts';
import type { Departure } from './departure.ts';
import { resultsIn, withResults } from './results.ts';
import type { FaultEndpoint } from './rule.ts';
import { answeredWith, strikeLater, type FaultContext } from './strike.ts';

/** How an answer leaves after its commit. */
export type AnswerPhase = (answer: Answer, arrival: Arrival) => Promise<Departure>;

/** The phase after the commit: the answer leaves, or what the fault makes of it. */
export function answerPhase(context: FaultContext): AnswerPhase {
  const { faults } = context;
  /** The last answer of each endpoint, for `swapped`. */
  const last = new Map<FaultEndpoint, { readonly payload: string; readonly answer: Answer }>();

  return async (answer, arrival) => {
    const { endpoint, payload } = arrival;
    const other = last.get(endpoint);
    const effect = faults.decide({
      ...arrival,
      stage: 'after-commit',
      results: faults.hasEffect('items') ? resultsIn(answer) : 0,
      hasOther: other !== undefined && other.payload !== payload,
    });
    if (faults.hasEffect('swapped')) last.set(endpoint, { payload, answer });
    switch (effect?.kind) {
      case undefined:
        return answeredWith(answer);
      case 'truncate':
        return { kind: 'truncate', answer, bytes: effect.bytes, close: effect.close };
      case 'items':
        return answeredWith(withResults(answer, effect.change, effect.position));
      case 'swapped':
        return answeredWith(other!.answer);
      default:
        return (await strikeLater(effect!, answer, context)) ?? answeredWith(answer);
    }
  };
}

import { isRefusal } from '../http/answer.ts';
import { answerPhase } from './answer-phase.ts';
import { arrivalAtHead, arrivalOf, type FaultyRequest } from './arrival-of.ts';
import { commit } from './commit-phase.ts';
import { Faulted, type Departure } from './departure.ts';
import type { FaultEndpoint } from './rule.ts';
import { answeredWith, strike, strikeLater, type FaultContext } from './strike.ts';

/** The way of a request past the faults of a platform. */
export interface Passage {
  isArmed(): boolean;
  /**
   * Before the body is read.
   * @throws Faulted
   */
  enter(endpoint: FaultEndpoint): void;
  /**
   * From the body to the answer.
   * A request that is refused comes to no further phase, whether its refusal is thrown or returned.
   * @throws Refusal the platform's own
   */
  through(request: FaultyRequest): Promise<Departure>;
}

export function passageOf(context: FaultContext): Passage {
  const { faults } = context;
  const leave = answerPhase(context);
  return {
    isArmed: () => faults.isArmed(),
    enter: (endpoint) => {
      const effect = faults.decide(arrivalAtHead(endpoint));
      if (effect?.kind === 'expire-tokens') context.expireTokens();
      const departure = effect && strike(effect, null, context);
      if (departure) throw new Faulted(departure);
    },
    through: async (request) => {
      const arrival = arrivalOf(request, (payload) => faults.attemptOf(payload));
      const effect = faults.decide(arrival);
      const departure = effect && (await strikeLater(effect, null, context));
      if (departure) return departure;
      const committed = await commit(request, arrival, context);
      if ('departure' in committed) return committed.departure;
      const { answer } = committed;
      return isRefusal(answer) ? answeredWith(answer) : leave(answer, arrival);
    },
  };
}

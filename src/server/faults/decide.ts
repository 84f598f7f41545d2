import { chanceOf } from './chance.ts';
import {
  stageOf,
  type Effect,
  type FaultEndpoint,
  type FaultPlan,
  type FaultRule,
  type FaultTarget,
  type Stage,
} from './rule.ts';

/** A request that has come to a stage, as far as rules look at it. */
export interface Arrival {
  readonly stage: Stage;
  readonly endpoint: FaultEndpoint;
  /** Null where it names none, and before the body is read. */
  readonly account: string | null;
  readonly supplier: string | null;
  /** Digest of what was sent; empty before the body is read. */
  readonly payload: string;
  /** How often that payload has come, with this time; 0 before the body is read. */
  readonly attempt: number;
  /** How many results the answer has; 0 where there is no list or no answer yet. */
  readonly results: number;
  /** Whether another payload was answered before on this endpoint. */
  readonly hasOther: boolean;
}

/** What a rule has seen and done. */
export interface Tally {
  /** Requests that matched and came as far as this rule. */
  readonly seen: number;
  readonly hits: number;
}

/** What is to happen, and the counts after it. */
export interface Decision {
  readonly effect: Effect | null;
  readonly tallies: readonly Tally[];
}

/**
 * Asks the rules in their order; the first that fires takes the request, and those behind it do not see it at this
 * stage.
 */
export function decide({ seed, rules }: FaultPlan, tallies: readonly Tally[], arrival: Arrival): Decision {
  const after = [...tallies];
  for (const [index, rule] of rules.entries()) {
    if (!meets(rule, arrival)) continue;
    const { seen: before, hits } = after[index]!;
    const seen = before + 1;
    const chance = () => chanceOf({ ...arrival, seed, rule: index });
    const isHit = fires(rule, { seen, hits }, chance);
    after[index] = { seen, hits: isHit ? hits + 1 : hits };
    if (isHit) return { effect: rule.effect, tallies: after };
  }
  return { effect: null, tallies: after };
}

/** Whether a rule can never fire again. */
export function isSpent({ which: { nth, times } }: FaultRule, { seen, hits }: Tally): boolean {
  return (nth !== undefined && seen >= nth) || (times !== undefined && hits >= times);
}

function meets(rule: FaultRule, arrival: Arrival): boolean {
  const { on, account, supplier, attempt } = rule.which;
  return (
    stageOf(rule) === arrival.stage &&
    isAbout(on, arrival.endpoint) &&
    (account === undefined || account === arrival.account) &&
    (supplier === undefined || supplier === arrival.supplier) &&
    (attempt === undefined || attempt === arrival.attempt) &&
    isPossible(rule.effect, arrival)
  );
}

function isAbout(on: FaultTarget, endpoint: FaultEndpoint): boolean {
  return on === 'any' || on === endpoint || (on === 'records' && takesRecords(endpoint));
}

function takesRecords(endpoint: FaultEndpoint): boolean {
  return ['notes', 'transactions', 'statements', 'payment-instructions'].includes(endpoint);
}

/** An effect that would change nothing is no hit: what is reported as hit has happened. */
function isPossible(effect: Effect, { endpoint, results, hasOther }: Arrival): boolean {
  if (effect.kind === 'swapped') return hasOther;
  if (effect.kind === 'prefix') return takesRecords(endpoint);
  if (effect.kind !== 'items') return true;
  if (effect.change === 'failing') return results > 0 && ['notes', 'transactions'].includes(endpoint);
  return results >= (effect.change === 'reordered' ? 2 : 1);
}

function fires(
  { which: { nth, every, times, p } }: FaultRule,
  { seen, hits }: Tally,
  chance: () => number,
): boolean {
  return (
    (nth === undefined || seen === nth) &&
    (every === undefined || seen % every === 0) &&
    (times === undefined || hits < times) &&
    (p === undefined || chance() < p)
  );
}

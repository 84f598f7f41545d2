import { createHash } from 'node:crypto';
import {
  isResource,
  limitsOf,
  NO_FAULTS,
  type Effect,
  type FaultPlan,
  type Stage,
  type FaultEndpoint,
  type FaultRule,
} from './fault-rule.ts';

/** A request at a stage, as far as rules look at it. Before the body is read only stage and endpoint are known. */
export interface Arrival {
  readonly stage: Stage;
  readonly endpoint: FaultEndpoint;
  readonly account?: string | undefined;
  readonly payload?: string;
  /** How often the payload has arrived, with this time. */
  readonly attempt?: number;
  /** Counts the results in the answer. Undefined before there is an answer. */
  readonly results?: () => number;
  /** Whether the previous request to the endpoint had another payload. */
  readonly hasOther?: boolean;
  readonly takenBy?: TakenBy | undefined;
}

/** Receives a rule as `--fault` takes it, and its effect. */
export type TakenBy = (fault: { rule: string; effect: Effect }) => void;

/** The faults of a running platform. */
export type ActiveFaults = ReturnType<typeof activeFaults>;

type Entry = { readonly rule: FaultRule; seen: number; hits: number };

const newEntry = (rule: FaultRule): Entry => ({ rule, seen: 0, hits: 0 });

export function activeFaults(plan: FaultPlan = NO_FAULTS) {
  let { seed } = plan;
  let entries = plan.rules.map(newEntry);
  let attempts = new Map<string, number>();
  let hits = 0;
  return {
    /** Replaces all rules. Counts start at 0. */
    replace: (next: FaultPlan) => {
      seed = next.seed;
      entries = next.rules.map(newEntry);
      attempts = new Map();
    },
    /** Adds rules after the present ones, whose counts go on. */
    add: (rules: FaultPlan['rules']) => {
      entries = [...entries, ...rules.map(newEntry)];
    },
    /** Whether a rule can still fire. */
    isActive: () => !entries.every(isSpent),
    /** Asks the rules in their order and counts. The first that fires takes the request; null when none does. */
    decide: (arrival: Arrival) => {
      for (const [index, entry] of entries.entries()) {
        if (!matches(entry.rule, arrival)) continue;
        entry.seen += 1;
        if (!fires(entry, () => chanceOf({ payload: '', attempt: 0, ...arrival, seed, rule: index })))
          continue;
        entry.hits += 1;
        hits += 1;
        arrival.takenBy?.({ rule: entry.rule.text, effect: entry.rule.effect });
        return entry.rule;
      }
      return null;
    },
    /** Counts the arrivals of a payload, with this one. */
    attemptOf: (payload: string) => {
      const attempt = (attempts.get(payload) ?? 0) + 1;
      attempts.set(payload, attempt);
      return attempt;
    },
    /** The present rules that tested nothing, as texts. */
    neverHit: () => entries.flatMap(({ rule, hits: own }) => (own === 0 ? [rule.text] : [])),
    /** Hits of all rules since the start, also of removed rules. */
    hits: () => hits,
    /** How often each rule was asked and hit. */
    report: () => ({
      seed,
      rules: entries.map((entry) => ({
        /** The rule as `--fault` takes it. */
        rule: entry.rule.text,
        /** Requests that matched and that no earlier rule took. */
        seen: entry.seen,
        hits: entry.hits,
        spent: isSpent(entry),
      })),
    }),
  };
}

function isSpent({ rule: { nth, times }, seen, hits }: Entry): boolean {
  return (nth !== undefined && seen >= nth) || (times !== undefined && hits >= times);
}

/** An effect that would change nothing does not match, so every reported hit has happened. */
function matches({ on, stage, effect, account, attempt }: FaultRule, arrival: Arrival): boolean {
  const { endpoint, results = () => 0, hasOther = false } = arrival;
  const { on: targets = [endpoint], results: least = 0 } = limitsOf(effect);
  return (
    stage === arrival.stage &&
    (on === 'any' || on === endpoint || (on === 'records' && isResource(endpoint))) &&
    (account === undefined || account === arrival.account) &&
    (attempt === undefined || attempt === arrival.attempt) &&
    targets.includes(endpoint) &&
    (least === 0 || results() >= least) &&
    (effect !== 'swapped' || hasOther)
  );
}

function fires({ rule: { nth, every, times, p }, seen, hits }: Entry, chance: () => number): boolean {
  return (
    (nth === undefined || seen === nth) &&
    (every === undefined || seen % every === 0) &&
    (times === undefined || hits < times) &&
    (p === undefined || chance() < p)
  );
}

/**
 * A number from 0 up to 1. It does not depend on the order in which requests arrive.
 * @param roll `rule` is the index of the rule in the plan, so that two rules of one probability meet different requests
 */
function chanceOf(roll: { seed: number; rule: number; payload: string; attempt: number }): number {
  const { seed, rule, payload, attempt } = roll;
  const digest = createHash('sha256').update(`${seed} ${rule} ${attempt} ${payload}`).digest();
  return digest.readUIntBE(0, 6) / 2 ** 48;
}

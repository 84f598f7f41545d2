import { decide, isSpent, type Arrival, type Tally } from './decide.ts';
import { NO_FAULTS } from './plan.ts';
import { stageOf, type Effect, type FaultPlan, type Stage } from './rule.ts';

/** What has become of one rule. */
export interface RuleReport extends Tally {
  readonly rule: string;
  /** It cannot fire any more. */
  readonly spent: boolean;
}

/** The faults of a running platform. */
export interface ArmedFaults {
  /** Takes the place of what was armed before; counts start at 0. */
  arm(plan: FaultPlan): void;
  /** Adds rules behind those that are armed, whose counts go on. */
  add(rules: FaultPlan['rules']): void;
  /** Whether a rule can still fire. */
  isArmed(): boolean;
  /** Whether any rule is asked at a stage. */
  hasRules(stage: Stage): boolean;
  /** Whether any rule has an effect of this kind. */
  hasEffect(kind: Effect['kind']): boolean;
  /** What happens to a request at a stage; null when nothing does. */
  decide(arrival: Arrival): Effect | null;
  /** Counts that a payload has come once more, and says how often it has. */
  attemptOf(payload: string): number;
  /**
   * What has tested nothing, as texts: rules that are armed and were not hit, and those of the start that went before they
   * were. Who took away a rule of the admin API has seen its count.
   */
  neverHit(): readonly string[];
  report(): { readonly seed: number; readonly rules: readonly RuleReport[] };
}

export function armedFaults(plan: FaultPlan = NO_FAULTS): ArmedFaults {
  let armed = withoutCounts(plan);
  let isOfStart = true;
  let goneUnhit: readonly string[] = [];
  const unhit = ({ plan: { rules }, tallies }: Armed): readonly string[] =>
    rules.flatMap(({ text }, index) => (tallies[index]!.hits === 0 ? [text] : []));
  return {
    arm: (next) => {
      if (isOfStart) goneUnhit = unhit(armed).filter((text) => plan.rules.some((rule) => rule.text === text));
      isOfStart = false;
      armed = withoutCounts(next);
    },
    add: (rules) => {
      const plan = { ...armed.plan, rules: [...armed.plan.rules, ...rules] };
      armed = { ...armed, plan, tallies: [...armed.tallies, ...rules.map(() => ({ seen: 0, hits: 0 }))] };
    },
    isArmed: () => armed.plan.rules.some((rule, index) => !isSpent(rule, armed.tallies[index]!)),
    hasRules: (stage) => armed.plan.rules.some((rule) => stageOf(rule) === stage),
    hasEffect: (kind) => armed.plan.rules.some(({ effect }) => effect.kind === kind),
    decide: (arrival) => {
      const { effect, tallies } = decide(armed.plan, armed.tallies, arrival);
      armed.tallies = tallies;
      return effect;
    },
    attemptOf: (payload) => {
      const attempt = (armed.attempts.get(payload) ?? 0) + 1;
      armed.attempts.set(payload, attempt);
      return attempt;
    },
    neverHit: () => {
      const now = new Set(armed.plan.rules.map(({ text }) => text));
      return [...goneUnhit.filter((text) => !now.has(text)), ...unhit(armed)];
    },
    report: () => ({
      seed: armed.plan.seed,
      rules: armed.plan.rules.map((rule, index) => {
        const tally = armed.tallies[index]!;
        return { rule: rule.text, ...tally, spent: isSpent(rule, tally) };
      }),
    }),
  };
}

interface Armed {
  readonly plan: FaultPlan;
  readonly attempts: Map<string, number>;
  tallies: readonly Tally[];
}

function withoutCounts(plan: FaultPlan): Armed {
  return { plan, attempts: new Map(), tallies: plan.rules.map(() => ({ seen: 0, hits: 0 })) };
}

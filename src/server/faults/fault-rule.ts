import { KIND_OF_PATH } from '../../core/contract/endpoints.ts';
import { DESCRIPTORS, RESOURCES, type Resource } from '../../core/contract/resources.ts';
import { DEFAULT_TOKEN_MUTATION } from '../../core/contract/token.ts';
import type { FaultEndpoint, FaultPhase, FaultRule, FaultTarget } from './rule-schema.ts';

/** Rules in the order in which they are asked. The first that fires takes the request. */
export interface FaultPlan {
  /** Seed of the chance. */
  readonly seed: number;
  readonly rules: readonly FaultRule[];
}

export const NO_FAULTS: FaultPlan = { seed: 0, rules: [] };

const ENDPOINT_OF_PATH = new Map<string, FaultEndpoint>([
  [DEFAULT_TOKEN_MUTATION.path, 'token'],
  ...KIND_OF_PATH,
]);

/** Undefined for the admin API, which has no faults, because it shows and ends them. */
export function endpointOfPath(path: string): FaultEndpoint | undefined {
  return ENDPOINT_OF_PATH.get(path);
}

/** Whether the endpoint takes records of a resource. */
export function isResource(endpoint: FaultEndpoint): endpoint is Resource {
  return (RESOURCES as readonly string[]).includes(endpoint);
}

/**
 * When a rule is asked. `head` is the phase `accept` before the body is read. A rule that needs the body to decide, or that
 * handles the request later or twice, is asked when the body is there.
 */
export type Stage = 'head' | FaultPhase;

export function stageOf(rule: FaultRule): Stage {
  return rule.when === 'accept' && !needsBody(rule) && !WHOLE.has(effectOf(rule)) ? 'head' : rule.when;
}

/** Effects on a request that has arrived as a whole. */
const WHOLE: ReadonlySet<Effect> = new Set(['delay', 'late', 'twice']);

export function needsBody({ account, supplier, attempt, p }: FaultRule): boolean {
  return [account, supplier, attempt, p].some((condition) => condition !== undefined);
}

interface EffectLimits {
  /** Keys that describe the effect. Default: none. */
  readonly keys?: readonly (keyof FaultRule)[];
  /** Default: every phase. */
  readonly when?: readonly FaultPhase[];
  /** Default: every request. */
  readonly on?: readonly FaultTarget[];
  /** How many results the answer has to have. Default: 0. */
  readonly results?: number;
}

const ANSWER: EffectLimits = {
  keys: ['status', 'html', 'empty', 'body', 'headers', 'retry-after', 'retry-after-date', 'location'],
};
const WITH_RESULTS = RESOURCES.filter((resource) => DESCRIPTORS[resource].list !== null);
const WITH_STATUSES = RESOURCES.filter((resource) => DESCRIPTORS[resource].answer.statuses !== null);
const RESULT: EffectLimits = {
  when: ['after-commit'],
  on: ['any', 'records', ...WITH_RESULTS, 'lists'],
  results: 1,
};

const RECORDS_AT_ACCEPT: EffectLimits = { when: ['accept'], on: ['any', 'records', ...RESOURCES] };

/** Every key that is an effect by itself. A rule without any of them answers with its `status`, `html` or `empty`. */
export const EFFECTS = {
  reset: { keys: ['bytes'] },
  stall: {},
  crash: {},
  delay: {},
  late: RECORDS_AT_ACCEPT,
  twice: RECORDS_AT_ACCEPT,
  truncate: { keys: ['close'], when: ['after-commit'] },
  missing: RESULT,
  doubled: RESULT,
  reordered: { ...RESULT, results: 2 },
  extra: RESULT,
  failing: { when: ['before-commit', 'after-commit'], on: ['any', 'records', ...WITH_STATUSES], results: 1 },
  swapped: { when: ['after-commit'] },
  'expire-tokens': { when: ['accept'] },
  prefix: { ...ANSWER, when: ['before-commit'], on: ['any', 'records', ...RESOURCES] },
} as const satisfies Partial<Record<keyof FaultRule, EffectLimits>>;
export type Effect = keyof typeof EFFECTS | 'answer';

export function effectOf(rule: FaultRule): Effect {
  const names = Object.keys(EFFECTS) as readonly (keyof typeof EFFECTS)[];
  return names.find((name) => rule[name] !== undefined) ?? 'answer';
}

export function limitsOf(effect: Effect): EffectLimits {
  return effect === 'answer' ? ANSWER : EFFECTS[effect];
}

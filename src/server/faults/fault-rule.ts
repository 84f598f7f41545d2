import { KIND_OF_PATH } from '../../core/contract/endpoints.ts';
import { DESCRIPTORS, RESOURCES, type Resource } from '../../core/contract/resources.ts';
import { DEFAULT_TOKEN_MUTATION } from '../../core/contract/token.ts';
import * as z from 'zod/mini';

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

export function stageOf(rule: RuleWords): Stage {
  return rule.when === 'accept' && !needsBody(rule) && !WHOLE.has(effectOf(rule)) ? 'head' : rule.when;
}

/** Effects on a request that has arrived as a whole. */
const WHOLE: ReadonlySet<Effect> = new Set(['delay', 'late', 'twice']);

export function needsBody({ account, attempt, p }: RuleWords): boolean {
  return [account, attempt, p].some((condition) => condition !== undefined);
}

interface EffectLimits {
  /** Keys that describe the effect. Default: none. */
  readonly keys?: readonly (keyof RuleWords)[];
  /** Default: every phase. */
  readonly when?: readonly FaultPhase[];
  /** Default: every request. */
  readonly on?: readonly FaultTarget[];
  /** How many results the answer has to have. Default: 0. */
  readonly results?: number;
}

const ANSWER: EffectLimits = {
  keys: ['status', 'html', 'empty', 'body', 'retry-after', 'retry-after-date', 'location'],
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
} as const satisfies Partial<Record<keyof RuleWords, EffectLimits>>;
export type Effect = keyof typeof EFFECTS | 'answer';

export function effectOf(rule: RuleWords): Effect {
  const names = Object.keys(EFFECTS) as readonly (keyof typeof EFFECTS)[];
  return names.find((name) => rule[name] !== undefined) ?? 'answer';
}

export function limitsOf(effect: Effect): EffectLimits {
  return effect === 'answer' ? ANSWER : EFFECTS[effect];
}

/** The requests of a rule: those to one endpoint of the interface, to the four POSTs (`records`), or all. */
export const FAULT_TARGETS = ['any', 'records', ...RESOURCES, 'token', 'status', 'lists'] as const;
export type FaultTarget = (typeof FAULT_TARGETS)[number];
export type FaultEndpoint = Exclude<FaultTarget, 'any' | 'records'>;

/**
 * How far a request is: it has arrived and nothing is judged; it is judged and nothing is stored; it is stored and no byte
 * of the answer has left.
 */
export const FAULT_PHASES = ['accept', 'before-commit', 'after-commit'] as const;
type FaultPhase = (typeof FAULT_PHASES)[number];

/** setTimeout overflows above 2^31 - 1 ms and fires at once. */
const LONGEST_WAIT_MS = 2_147_483_647;
const TEXT = 'must be text';
const PROBABILITY = 'must be a probability above 0, at most 1';
const POSITION = 'takes no value, or a position from 1';

const oneOf = <const Names extends readonly [string, ...string[]]>(names: Names) =>
  z.enum(names, `must be one of ${names.join(', ')}`);
const whole = (least: number, most: number, message: string) =>
  z.int(message).check(z.minimum(least, message), z.maximum(most, message));
const atLeast = (least: number, message = `must be a whole number of at least ${least}`) =>
  whole(least, Number.MAX_SAFE_INTEGER, message);
const text = () => z.string(TEXT).check(z.minLength(1, TEXT));
const wait = () => whole(1, LONGEST_WAIT_MS, `must be milliseconds, from 1 to ${LONGEST_WAIT_MS}`);
const flag = () => z.literal(true, 'is there or not; it takes no value');
const position = () => z.union([z.literal(true), atLeast(1, POSITION)], POSITION);

/**
 * A fault rule, as `--fault` has it in words (docs/serve-reference.md, "Faults"). read-rule.ts checks which keys go together.
 */
export const faultRule = z.strictObject({
  on: oneOf(FAULT_TARGETS),
  when: oneOf(FAULT_PHASES),
  account: z.optional(text()),
  attempt: z.optional(atLeast(1)),
  nth: z.optional(atLeast(1)),
  every: z.optional(atLeast(1)),
  times: z.optional(atLeast(1)),
  p: z.optional(z.number(PROBABILITY).check(z.gt(0, PROBABILITY), z.maximum(1, PROBABILITY))),

  status: z.optional(whole(200, 599, 'must be a status from 200 to 599')),
  html: z.optional(flag()),
  empty: z.optional(flag()),
  body: z.optional(z.string(TEXT)),
  'retry-after': z.optional(atLeast(0)),
  /** So many seconds after `Date`. */
  'retry-after-date': z.optional(atLeast(0)),
  location: z.optional(text()),

  reset: z.optional(flag()),
  /** For `reset`: after so many bytes of the request, or of the answer. */
  bytes: z.optional(atLeast(0)),
  stall: z.optional(flag()),
  delay: z.optional(wait()),
  late: z.optional(wait()),
  twice: z.optional(flag()),
  truncate: z.optional(atLeast(0)),
  /** For `truncate`: announces no length, so that the cut looks like the end. */
  close: z.optional(flag()),
  missing: z.optional(position()),
  doubled: z.optional(position()),
  reordered: z.optional(flag()),
  extra: z.optional(flag()),
  failing: z.optional(position()),
  swapped: z.optional(flag()),
  'expire-tokens': z.optional(flag()),
  prefix: z.optional(atLeast(1)),
  crash: z.optional(flag()),
});
type RuleWords = z.infer<typeof faultRule>;

/** A rule with its text, as it was given. */
export type FaultRule = RuleWords & { readonly text: string };

export const RULE_KEYS = Object.keys(faultRule.shape) as readonly (keyof RuleWords)[];

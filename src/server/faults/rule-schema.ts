import * as z from 'zod/mini';
import { RESOURCES } from '../../core/contract/resources.ts';

/** The requests of a rule: those to one endpoint of the interface, to the four POSTs (`records`), or all. */
export const FAULT_TARGETS = ['any', 'records', ...RESOURCES, 'token', 'status', 'lists'] as const;
export type FaultTarget = (typeof FAULT_TARGETS)[number];
export type FaultEndpoint = Exclude<FaultTarget, 'any' | 'records'>;

/**
 * How far a request is: it has arrived and nothing is judged; it is judged and nothing is stored; it is stored and no byte
 * of the answer has left.
 */
export const FAULT_PHASES = ['accept', 'before-commit', 'after-commit'] as const;
export type FaultPhase = (typeof FAULT_PHASES)[number];

/** setTimeout overflows above 2^31 - 1 ms and fires at once. */
const LONGEST_WAIT_MS = 2_147_483_647;
const TEXT = 'must be text';
const PROBABILITY = 'must be a probability above 0, at most 1';
const POSITION = 'takes no value, or a position from 1';
const HEADERS = 'must be names of letters, digits, - and _ with texts in ASCII';

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
  supplier: z.optional(text()),
  attempt: z.optional(atLeast(1)),
  nth: z.optional(atLeast(1)),
  every: z.optional(atLeast(1)),
  times: z.optional(atLeast(1)),
  p: z.optional(z.number(PROBABILITY).check(z.gt(0, PROBABILITY), z.maximum(1, PROBABILITY))),

  status: z.optional(whole(200, 599, 'must be a status from 200 to 599')),
  html: z.optional(flag()),
  empty: z.optional(flag()),
  body: z.optional(z.string(TEXT)),
  headers: z.optional(
    z.record(
      z.string().check(z.regex(/^[\w-]+$/)),
      z.string(HEADERS).check(z.regex(/^[\t\x20-\x7e]*$/, HEADERS)),
      HEADERS,
    ),
  ),
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
export type FaultRule = z.infer<typeof faultRule>;

export const RULE_KEYS = Object.keys(faultRule.shape) as readonly (keyof FaultRule)[];

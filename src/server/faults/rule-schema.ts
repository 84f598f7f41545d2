import * as z from 'zod/mini';
import { RESOURCES } from '../../core/contract/resources.ts';
import { described, optionalKey } from '../../core/schema.ts';

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
const TEXT = 'must be text; quote what YAML would read as a number';
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
const flag = () => z.literal(true, 'is there or not; it takes no value');
const position = () => z.union([z.literal(true), atLeast(1, POSITION)], POSITION);

/**
 * A fault rule. Objects in a fault plan have this form, texts of `--fault` are read into it, and the server works with it.
 * read-rule.ts checks which keys go together.
 */
export const faultRule = z.strictObject(
  {
    on: described(oneOf(FAULT_TARGETS), 'Which requests: an endpoint, the four POSTs (`records`), or `any`.'),
    when: described(oneOf(FAULT_PHASES), 'How far the request is when the fault happens.'),
    account: optionalKey(text(), 'Only requests about this external account number.'),
    supplier: optionalKey(text(), 'Only requests about this import supplier.'),
    attempt: optionalKey(atLeast(1), 'Only the n-th time that the same payload arrives.'),
    nth: optionalKey(atLeast(1), 'Only the n-th request that matches.'),
    every: optionalKey(atLeast(1), 'Every n-th request that matches.'),
    times: optionalKey(atLeast(1), 'At most so many hits.'),
    p: optionalKey(
      z.number(PROBABILITY).check(z.gt(0, PROBABILITY), z.maximum(1, PROBABILITY)),
      'Probability of a hit. It depends on seed, rule, payload and attempt only.',
    ),

    status: optionalKey(whole(200, 599, 'must be a status from 200 to 599'), 'Answers with this status.'),
    html: optionalKey(flag(), 'Answers with an HTML page, with status 200 unless `status` is given.'),
    empty: optionalKey(flag(), 'Answers without a body, with status 200 unless `status` is given.'),
    body: optionalKey(
      z.union(
        [z.string(), z.record(z.string(), z.unknown()), z.array(z.unknown())],
        'must be text, an object or a list',
      ),
      'The body of that answer. An object or a list is sent as JSON.',
    ),
    headers: optionalKey(
      z.record(
        z.string().check(z.regex(/^[\w-]+$/)),
        z.string(HEADERS).check(z.regex(/^[\t\x20-\x7e]*$/, HEADERS)),
        HEADERS,
      ),
      'Headers of that answer, by name.',
    ),
    'retry-after': optionalKey(atLeast(0), '`Retry-After` of that answer in seconds.'),
    'retry-after-date': optionalKey(atLeast(0), '`Retry-After` as a date, so many seconds after `Date`.'),
    location: optionalKey(text(), '`Location` of that answer.'),

    reset: optionalKey(flag(), 'Resets the connection (TCP RST).'),
    bytes: optionalKey(atLeast(0), 'For `reset`: after so many bytes of the request, or of the answer.'),
    stall: optionalKey(flag(), 'Never answers.'),
    delay: optionalKey(
      whole(1, LONGEST_WAIT_MS, `must be milliseconds, from 1 to ${LONGEST_WAIT_MS}`),
      'Waits so many milliseconds, then goes on, whether or not the client still listens.',
    ),
    late: optionalKey(
      whole(1, LONGEST_WAIT_MS, `must be milliseconds, from 1 to ${LONGEST_WAIT_MS}`),
      'Resets the connection, and stores the records so many milliseconds later.',
    ),
    twice: optionalKey(flag(), 'Delivers the request twice. The second answer is sent.'),
    truncate: optionalKey(atLeast(0), 'Ends the connection after so many bytes of the body of the answer.'),
    close: optionalKey(flag(), 'For `truncate`: announces no length, so that the cut looks like the end.'),
    missing: optionalKey(position(), 'Leaves a result out of the answer: the n-th, or the last.'),
    doubled: optionalKey(position(), 'Repeats a result of the answer: the n-th, or the last.'),
    reordered: optionalKey(flag(), 'Reverses the results of the answer.'),
    extra: optionalKey(flag(), 'Adds a result for a record that nobody sent.'),
    failing: optionalKey(position(), 'Reports in a 201 that a record failed.'),
    swapped: optionalKey(flag(), 'Answers as the request before, if that had another payload.'),
    'expire-tokens': optionalKey(
      flag(),
      'Invalidates every access token issued so far, but no refresh token.',
    ),
    prefix: optionalKey(atLeast(1), 'Stores only the first n records, then answers 500 or `status`.'),
    crash: optionalKey(flag(), 'Ends the process as `kill -9` does.'),
  },
  'it must be a text as `--fault` takes it, or an object with the same keys',
);
export type FaultRule = z.infer<typeof faultRule>;

export const RULE_KEYS = Object.keys(faultRule.shape) as readonly (keyof FaultRule)[];

import * as z from 'zod/mini';
import { described } from '../../core/schema.ts';
import { FAULT_PHASES, FAULT_TARGETS } from './rule.ts';

const COUNT = 'must be a whole number of at least 1';
const SIZE = 'must be a whole number of at least 0';
const TEXT = 'must be text; quote what YAML would read as a number';
/** Timers of Node overflow at 2^31 ms, and then do not wait at all. */
const LONGEST_WAIT_MS = 2_147_483_647;
const WAIT = `must be milliseconds, from 1 to ${LONGEST_WAIT_MS}`;
const FLAG = 'is there or not; it takes no value';
const PROBABILITY = 'must be a probability above 0, at most 1';
const STATUS = 'must be a status from 200 to 599';
const POSITION = 'takes no value, or a position from 1';
const HEADERS = 'must be names of letters, digits, - and _ with texts in ASCII';

const count = () => z.optional(z.int(COUNT).check(z.minimum(1, COUNT)));
const size = () => z.optional(z.int(SIZE).check(z.minimum(0, SIZE)));
const text = () => z.optional(z.string(TEXT).check(z.minLength(1, TEXT)));
const flag = () => z.optional(z.literal(true, FLAG));
const position = () =>
  z.optional(z.union([z.literal(true), z.int(POSITION).check(z.minimum(1, POSITION))], POSITION));
const oneOf = <const Names extends readonly [string, ...string[]]>(names: Names) =>
  z.enum(names, `must be one of ${names.join(', ')}`);

const keys = {
  on: described(oneOf(FAULT_TARGETS), 'Which requests: an endpoint, the four POSTs (`records`), or `any`.'),
  when: described(oneOf(FAULT_PHASES), 'How far the request has come when the fault happens.'),
  account: described(text(), 'Only requests about this external account number.'),
  supplier: described(text(), 'Only requests about this import supplier.'),
  attempt: described(count(), 'Only the n-th time that the same payload comes.'),
  nth: described(count(), 'Only the n-th request that matches.'),
  every: described(count(), 'Every n-th request that matches.'),
  times: described(count(), 'At most so many hits.'),
  p: described(
    z.optional(z.number(PROBABILITY).check(z.gt(0, PROBABILITY), z.maximum(1, PROBABILITY))),
    'Probability of a hit; depends on seed, rule, payload and attempt only.',
  ),

  status: described(
    z.optional(z.int(STATUS).check(z.minimum(200, STATUS), z.maximum(599, STATUS))),
    'Answers with this status.',
  ),
  html: described(flag(), 'Answers with an HTML page; with status 200 unless `status` says another.'),
  empty: described(flag(), 'Answers without a body; with status 200 unless `status` says another.'),
  body: described(
    z.optional(
      z.union(
        [z.string(), z.record(z.string(), z.unknown()), z.array(z.unknown())],
        'must be text, an object or a list',
      ),
    ),
    'The body of that answer; an object or a list is sent as JSON.',
  ),
  headers: described(
    z.optional(
      z.record(
        z.string().check(z.regex(/^[\w-]+$/)),
        z.string(HEADERS).check(z.regex(/^[\t\x20-\x7e]*$/, HEADERS)),
        HEADERS,
      ),
    ),
    'Headers of that answer, by name.',
  ),
  'retry-after': described(size(), '`Retry-After` of that answer in seconds.'),
  'retry-after-date': described(
    size(),
    'The same as a date, so many seconds after the `Date` of the answer.',
  ),
  location: described(text(), '`Location` of that answer.'),

  reset: described(flag(), 'Resets the connection (TCP RST).'),
  bytes: described(size(), 'Of `reset`: after so many bytes of the request, or of the body of the answer.'),
  stall: described(flag(), 'Never answers.'),
  delay: described(
    z.optional(z.int(WAIT).check(z.minimum(1, WAIT), z.maximum(LONGEST_WAIT_MS, WAIT))),
    'Waits so many milliseconds, then goes on, whether the client still listens or not.',
  ),
  truncate: described(size(), 'Ends the connection after so many bytes of the body of the answer.'),
  close: described(flag(), 'Of `truncate`: announces no length, so that the cut looks like the end.'),
  missing: described(position(), 'Leaves a result out of the answer: the n-th, or the last.'),
  doubled: described(position(), 'Gives a result twice.'),
  reordered: described(flag(), 'Gives the results in reverse order.'),
  extra: described(flag(), 'Adds a result that nobody sent a record for.'),
  failing: described(position(), 'Says in a 201 that a record failed.'),
  swapped: described(flag(), 'Gives the answer of the request before it, if that had another payload.'),
  'expire-tokens': described(flag(), 'Every token given out so far ends; refresh tokens stay.'),
  prefix: described(count(), 'Stores only the first n records, then answers 500 or what `status` says.'),
  crash: described(flag(), 'Ends the process as `kill -9` does.'),
};

/** A rule with the keys that a plan file and `--fault` share. */
export const writtenRule = z.strictObject(
  keys,
  'it must be a text as `--fault` takes it, or an object with the same keys',
);
export type WrittenRule = z.infer<typeof writtenRule>;

export const RULE_KEYS = Object.keys(writtenRule.shape) as readonly (keyof WrittenRule)[];

import { z } from 'zod';
import { nearestName } from '../../core/suggestion.ts';
import { FAULT_PHASES, FAULT_TARGETS } from './rule.ts';

const COUNT = 'must be a whole number of at least 1';
const SIZE = 'must be a whole number of at least 0';
const TEXT = 'must be text; quote what YAML would read as a number';
/** Timers of Node overflow at 2^31 ms, and then do not wait at all. */
const LONGEST_WAIT_MS = 2_147_483_647;
const WAIT = `must be milliseconds, from 1 to ${LONGEST_WAIT_MS}`;
const FLAG = 'is there or not; it takes no value';
const POSITION = 'takes no value, or a position from 1';

const count = () => z.int(COUNT).min(1, COUNT).optional();
const size = () => z.int(SIZE).min(0, SIZE).optional();
const text = () => z.string(TEXT).min(1, TEXT).optional();
const flag = () => z.literal(true, FLAG).optional();
const position = () => z.union([z.literal(true), z.int(POSITION).min(1, POSITION)], POSITION).optional();
const oneOf = <const Names extends readonly [string, ...string[]]>(names: Names) =>
  z.enum(names, `must be one of ${names.join(', ')}`);

/** A rule with the keys that a plan file and `--fault` share. */
export const writtenRule = z.strictObject({
  on: oneOf(FAULT_TARGETS).describe('Which requests: an endpoint, the four POSTs (`records`), or `any`.'),
  when: oneOf(FAULT_PHASES).describe('How far the request has come when the fault happens.'),
  account: text().describe('Only requests about this external account number.'),
  supplier: text().describe('Only requests about this import supplier.'),
  attempt: count().describe('Only the n-th time that the same payload comes.'),
  nth: count().describe('Only the n-th request that matches.'),
  every: count().describe('Every n-th request that matches.'),
  times: count().describe('At most so many hits.'),
  p: z
    .number('must be a probability above 0, at most 1')
    .gt(0, 'must be a probability above 0, at most 1')
    .max(1, 'must be a probability above 0, at most 1')
    .optional()
    .describe('Probability of a hit; depends on seed, rule, payload and attempt only.'),

  status: z
    .int('must be a status from 200 to 599')
    .min(200, 'must be a status from 200 to 599')
    .max(599, 'must be a status from 200 to 599')
    .optional()
    .describe('Answers with this status.'),
  html: flag().describe('Answers with an HTML page; with status 200 unless `status` says another.'),
  empty: flag().describe('Answers without a body; with status 200 unless `status` says another.'),
  body: z
    .union(
      [z.string(), z.record(z.string(), z.unknown()), z.array(z.unknown())],
      'must be text, an object or a list',
    )
    .optional()
    .describe('The body of that answer; an object or a list is sent as JSON.'),
  headers: z
    .record(
      z.string().regex(/^[\w-]+$/),
      z.string().regex(/^[\t\x20-\x7e]*$/),
      'must be names with texts in ASCII',
    )
    .optional()
    .describe('Headers of that answer, by name.'),
  'retry-after': size().describe('`Retry-After` of that answer in seconds.'),
  'retry-after-date': size().describe('The same as a date, so many seconds after the `Date` of the answer.'),
  location: text().describe('`Location` of that answer.'),

  reset: flag().describe('Resets the connection (TCP RST).'),
  bytes: size().describe('Of `reset`: after so many bytes of the request, or of the body of the answer.'),
  stall: flag().describe('Never answers.'),
  delay: z
    .int(WAIT)
    .min(1, WAIT)
    .max(LONGEST_WAIT_MS, WAIT)
    .optional()
    .describe('Waits so many milliseconds, then goes on, whether the client still listens or not.'),
  truncate: size().describe('Ends the connection after so many bytes of the body of the answer.'),
  close: flag().describe('Of `truncate`: announces no length, so that the cut looks like the end.'),
  missing: position().describe('Leaves a result out of the answer: the n-th, or the last.'),
  doubled: position().describe('Gives a result twice.'),
  reordered: flag().describe('Gives the results in reverse order.'),
  extra: flag().describe('Adds a result that nobody sent a record for.'),
  failing: position().describe('Says in a 201 that a record failed.'),
  swapped: flag().describe('Gives the answer of the request before it, if that had another payload.'),
  'expire-tokens': flag().describe('Every token given out so far ends; refresh tokens stay.'),
  prefix: count().describe('Stores only the first n records, then answers 500 or what `status` says.'),
  crash: flag().describe('Ends the process as `kill -9` does.'),
});
export type WrittenRule = z.infer<typeof writtenRule>;

export const RULE_KEYS = Object.keys(writtenRule.shape) as readonly (keyof WrittenRule)[];

/** What the schema has against a rule, in words; `path` is where in the rule. */
export function objectionOf(
  { code, path, message, ...issue }: z.core.$ZodIssue,
  known = RULE_KEYS as readonly string[],
): string {
  if (code === 'unrecognized_keys') {
    const [key] = (issue as unknown as z.core.$ZodIssueUnrecognizedKeys).keys;
    const near = nearestName(key!, known);
    return `there is no \`${key}\`${near === undefined ? '' : `; did you mean \`${near}\`?`}`;
  }
  const [key] = path;
  return key === undefined ? message : `\`${String(key)}\` ${message}`;
}

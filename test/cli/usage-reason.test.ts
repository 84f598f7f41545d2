import { expect, test } from 'vitest';
import { usageReason } from '../../src/cli/program.ts';

const WHERE = ': no flag takes a key or token; set DATAIMPORT_API_KEY or DATAIMPORT_TOKEN';

test.each([
  ["error: missing required argument 'file'", "missing required argument 'file'"],
  [
    "error: unknown option '--batchsize'\n(Did you mean --batch-size?)",
    "unknown option '--batchsize' (Did you mean --batch-size?)",
  ],
  ["error: unknown option '--colour=red'", "unknown option '--colour'"],
  ["error: unknown option '--api-key=sk_live'", `unknown option '--api-key'${WHERE}`],
  ["error: unknown option '--api-key=it's'", `unknown option '--api-key'${WHERE}`],
  ["error: unknown option '--token'", `unknown option '--token'${WHERE}`],
  [
    "error: too many arguments for 'check'. Expected 0 arguments but got 2: sk_live, x.",
    "too many arguments for 'check'. Expected 0 arguments but got 2",
  ],
  ["error: unknown option '-ksk_live'", "unknown option '-k'"],
  [
    "error: command-argument value 'transaction' is invalid for argument 'resource'. Allowed choices are notes, transactions.",
    "command-argument value 'transaction' is invalid for argument 'resource'. Allowed choices are notes, transactions. (Did you mean transactions?)",
  ],
  [
    "error: option '--only <outcome>' argument 'rejectd' is invalid. Allowed choices are rejected, verify.",
    "option '--only <outcome>' argument 'rejectd' is invalid. Allowed choices are rejected, verify. (Did you mean rejected?)",
  ],
  [
    "error: option '--only <outcome>' argument 'x' is invalid. Allowed choices are rejected, verify.",
    "option '--only <outcome>' argument 'x' is invalid. Allowed choices are rejected, verify.",
  ],
])('%s is told as: %s', (message, reason) => {
  expect(usageReason(message)).toBe(reason);
});

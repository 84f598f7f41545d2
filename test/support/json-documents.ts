import * as z from 'zod/mini';
import { behindDocument } from '../../src/cli/push/ports/look.ts';
import { LEFT_OUT_KINDS } from '../../src/cli/push/ports/report.ts';
import { SEVERITIES } from '../../src/core/problem.ts';
import { RESOURCES } from '../../src/core/contract/resources.ts';

// The JSON documents that scripts rely on, with every key.

const count = z.int().check(z.nonnegative());
const decimalText = z.string().check(z.regex(/^-?\d+(\.\d+)?$/));

/** One problem. */
const problemDocument = z.strictObject({
  code: z.string(),
  severity: z.enum(SEVERITIES),
  file: z.string(),
  line: z.nullable(count),
  column: z.nullable(count),
  header: z.nullable(z.string()),
  attr: z.nullable(z.string()),
  detail: z.string(),
  next: z.nullable(z.string()),
  http_status: z.nullable(count),
});

/** Problems of one code, one file and one column. */
const groupDocument = z.strictObject({
  code: z.string(),
  severity: z.enum(SEVERITIES),
  file: z.string(),
  header: z.nullable(z.string()),
  count,
  first_lines: z.array(count),
});

/** The requests that a push would send. */
const planDocument = z.strictObject({
  /** Base URL; null when none is set. */
  target: z.nullable(z.string()),
  requests: count,
  accounts: count,
  records: count,
});

const rows = z.strictObject({
  read: count,
  created: count,
  existing: count,
  uncompared: count,
  confirmed: count,
  sent_before: count,
  verify: count,
  rejected: count,
  unknown: count,
  not_sent: count,
  invalid: count,
  filtered: count,
});

const controlTotal = z.strictObject({
  type: z.nullable(z.string()),
  currency: z.null(),
  count,
  read: z.nullable(decimalText),
  accepted: z.nullable(decimalText),
});

const runExit = z.strictObject({ code: count, name: z.string(), resumable: z.boolean() });

/** The document of `push --json`, `resume --json` and `runs show --json`. */
export const runDocument = z.strictObject({
  version: z.literal(1),
  /** Null when nothing was kept: the rows were invalid, or nothing was to be sent. */
  run: z.nullable(z.string()),
  resource: z.enum(RESOURCES),
  exit: runExit,
  rows,
  /** Rows of `rows.invalid` whose record has arrived with other values, or on another account. */
  changed: count,
  /** Rows that arrived by this command; only after a command that sends. */
  arrived_now: z.optional(count),
  requests: z.strictObject({ total: count, retried: count, by_status: z.record(z.string(), count) }),
  accounts: z.strictObject({ total: count, done: count, stopped: count }),
  /** The head of the chain (docs/chain.md); only where there is a run. */
  chain: z.optional(
    z.strictObject({ head: z.string().check(z.regex(/^[\da-f]{64}$/)), links: count, proven: z.boolean() }),
  ),
  control_totals: z.array(controlTotal),
  /** The counts add up to `rows.filtered`. */
  left_out: z.array(z.strictObject({ reason: z.enum(LEFT_OUT_KINDS), place: z.nullable(z.string()), count })),
  /** All problems by cause, errors first. */
  groups: z.array(groupDocument),
  problems: z.array(problemDocument),
  /** Number of all problems, listed or not. */
  problems_total: count,
  /** Only of a command with one run. */
  duration_ms: z.optional(count),
  /** Only with --dry-run. */
  plan: z.optional(planDocument),
  /** The next command to type; null when there is nothing left to do. */
  next: z.nullable(z.string()),
});
export type RunDocument = z.infer<typeof runDocument>;

/** The document of `migrate --json`. */
export const cohortDocument = z.strictObject({
  version: z.literal(1),
  cohort: z.string(),
  exit: runExit,
  /** Of all resources together. */
  rows,
  changed: count,
  arrived_now: z.optional(count),
  requests: z.strictObject({ total: count, retried: count }),
  /** Null when nothing was to be sent. */
  accounts: z.nullable(z.strictObject({ total: count, done: count })),
  /** Rows of accounts that could not be sent, by resource and reason. */
  not_sent: z.array(
    z.strictObject({
      resource: z.enum(RESOURCES),
      reason: z.enum([
        'account_not_imported',
        'account_not_asked',
        'account_import_failed',
        'earlier_resource_failed',
        'earlier_record_unsettled',
      ]),
      accounts: count,
      rows: count,
      asked: z.optional(z.string()),
    }),
  ),
  /** Of the resources, which have them once more, and then between the files. */
  problems: z.array(problemDocument),
  problems_total: count,
  /** The run of each resource, in the order in which an account's records are sent. */
  resources: z.array(runDocument),
  duration_ms: count,
  next: z.nullable(z.string()),
});
export type CohortDocument = z.infer<typeof cohortDocument>;

/** The values of one field. */
const figure = z.strictObject({
  field: z.string(),
  type: z.nullable(z.string()),
  kind: z.enum(['amount', 'date', 'id', 'choice', 'text']),
  count,
  smallest: z.nullable(z.string()),
  largest: z.nullable(z.string()),
  sum: z.nullable(decimalText),
  counts: z.record(z.string(), z.record(z.string(), count)),
});

/** The document of `check --json`. Files that cannot be read to their end have no picture. */
export const checkDocument = z.extend(
  z.pick(runDocument, {
    version: true,
    resource: true,
    exit: true,
    rows: true,
    control_totals: true,
    left_out: true,
    groups: true,
    problems: true,
    problems_total: true,
    next: true,
  }),
  {
    picture: z.optional(z.strictObject({ records: count, accounts: count, figures: z.array(figure) })),
    stays_behind: z.optional(z.array(behindDocument)),
  },
);

const places = z.strictObject({ count, lines: z.array(z.int().check(z.minimum(1))) });
const certainty = z.enum(['proven', 'assumed', 'open']);

const encoding = z.strictObject({
  name: z.string(),
  certainty,
  because: z.string(),
  candidates: z.array(z.strictObject({ name: z.string(), words: z.array(z.string()) })),
});

const layout = z.strictObject({
  delimiter: z.nullable(z.string().check(z.length(1))),
  certainty,
  because: z.string(),
  quote: z.nullable(z.string().check(z.length(1))),
  escape: z.nullable(z.string().check(z.length(1))),
  candidates: z.array(z.string().check(z.length(1))),
  width: count,
  header: z.strictObject({
    line: z.int().check(z.minimum(1)),
    last_line: count,
    looks_like_header: z.boolean(),
  }),
  is_json_lines: z.boolean(),
  has_places: z.boolean(),
});

const table = z.strictObject({
  rows: count,
  columns_left_out: count,
  ragged: places,
  broken_lines: places,
  repeated_headers: places,
  empty_rows: places,
  other_lines: z.array(
    z.strictObject({
      word: z.nullable(z.string()),
      pattern: z.string(),
      count,
      lines: z.array(count),
    }),
  ),
  trailer: z.nullable(
    z.strictObject({
      line: count,
      because: z.string(),
      /** As in a mapping. */
      keys: z.strictObject({
        cell: count,
        equals: z.optional(z.string()),
        matches: z.optional(z.string()),
        count: z.optional(count),
        sums: z.optional(z.array(z.strictObject({ cell: count, column: z.string() }))),
      }),
      amounts: z.array(z.string()),
    }),
  ),
  stop: z.nullable(z.strictObject({ line: count, reason: z.string() })),
});

const column = z.strictObject({
  column: z.int().check(z.minimum(1)),
  name: z.string(),
  filled: count,
  empty: count,
  distinct: z.strictObject({ count, is_exact: z.boolean() }),
  kinds: z.array(z.strictObject({ kind: z.string(), count })),
  examples: z.nullable(z.array(z.string())),
});

/** The document of `inspect --json`. */
export const inspectionDocument = z.strictObject({
  version: z.literal(1),
  exit: z.strictObject({ code: z.literal(0), name: z.literal('OK') }),
  file: z.string(),
  bytes: count,
  sha256: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
  no_table: z.nullable(z.strictObject({ reason: z.string(), remedy: z.string() })),
  content: z.nullable(
    z.strictObject({
      encoding,
      has_end_mark: z.boolean(),
      layout,
      table,
      columns: z.array(column),
    }),
  ),
  problems: z.array(z.never()),
  next: z.string(),
});

import * as z from 'zod/mini';
import { RESOURCES } from '../../core/contract/resources.ts';
import { SEVERITIES } from '../../core/problem.ts';
import { described, type Immutable } from '../../core/schema.ts';
import { behindDocument } from '../push/ports/look.ts';
import { NO_ROWS, UNSENT_REASONS, type RowCounts } from '../push/ports/report.ts';
import { DIFFERENCE_CODES, ORIGINS } from './reconcile.ts';

/** Groups of problems that are listed for one part. All are counted. */
export const LISTED_GROUPS = 100;

const ACTORS = ['importer', 'supplier', 'platform'] as const;
export type Actor = (typeof ACTORS)[number];

export const ACTOR_WORDS: Readonly<Record<Actor, string>> = {
  importer: 'The person who runs the import',
  supplier: 'The supplier of the files',
  platform: 'The operator of the platform',
};

const count = z.int().check(z.nonnegative());
const amount = z.nullable(z.string().check(z.regex(/^-?\d+(\.\d+)?$/)));
const text = z.string();
const textOrNull = z.nullable(z.string());
const sha256 = z.string().check(z.regex(/^[0-9a-f]{64}$/));

/** The counts of `NO_ROWS`, which docs/exit-codes.md explains. */
const rows = z.record(z.enum(Object.keys(NO_ROWS) as (keyof RowCounts)[]), count);

const step = z.strictObject({
  who: described(z.enum(ACTORS), 'Who has to act.'),
  what: text,
  command: described(textOrNull, 'The command to type; null when none helps.'),
  rows: count,
});

const problemGroup = z.strictObject({
  code: text,
  severity: z.enum(SEVERITIES),
  file: text,
  header: textOrNull,
  count,
  first_lines: z.array(count),
  detail: text,
  next: textOrNull,
  http_status: described(z.nullable(count), 'Of the answer that named the problem; null when we found it.'),
  who: z.enum(ACTORS),
});

const unsentAccounts = z.strictObject({
  reason: z.enum(UNSENT_REASONS),
  accounts: count,
  rows: described(count, 'Records of these accounts that were not sent.'),
});

const readFile = z.strictObject({ name: text, bytes: count, sha256 });

const run = z.strictObject({
  run: described(text, 'The reading, as `dataimport runs show` takes it.'),
  shard: textOrNull,
  begun_at: text,
  run_by: described(textOrNull, 'Login name of the user who last sent it; null where unknown.'),
  tool_version: text,
});

const journal = z.strictObject({
  file: text,
  target: described(text, 'Address of the platform.'),
  is_local: described(z.boolean(), 'Whether a local platform got the records: a rehearsal.'),
  chain_head: described(text, 'The head of its chain, computed anew (docs/chain.md).'),
  chain_links: count,
});

const decision = z.strictObject({ at: textOrNull, by: textOrNull, what: text });

const difference = z.strictObject({
  code: described(z.enum(DIFFERENCE_CODES), 'See docs/codes.md.'),
  severity: z.enum(SEVERITIES),
  file: described(textOrNull, 'Null for a record that no row explains.'),
  line: z.nullable(count),
  detail: text,
  fields: described(z.array(text), 'Paths of the fields that differ, as far as they are known.'),
  ledger_line: described(z.nullable(count), 'From 1; null for a missing record.'),
});

/** A difference, listed for a person. */
export type ListedDifference = Immutable<z.infer<typeof difference>>;

const sideTotal = z.strictObject({
  count,
  sum: described(amount, 'Exact sum of the amounts; null when records have none.'),
});

const comparison = z.strictObject({
  name: described(text, 'The ledger, as it was named.'),
  types: z.array(z.strictObject({ type: textOrNull, source: sideTotal, found: sideTotal })),
  rows_proven: described(count, 'Rows that the ledger alone proves. They are settled.'),
  dates_moved: described(count, 'Dates that the platform moved into the open statement period.'),
  repeated_rows: described(count, 'Rows that the platform keeps as one record with an equal row.'),
  other_records: described(
    z.array(
      z.strictObject({
        kind: described(z.enum(ORIGINS), '`run`: ours. `platform`: added when it moved a date.'),
        run: textOrNull,
        type: textOrNull,
        count,
        sum: amount,
      }),
    ),
    'Records in the ledger that no row explains and whose origin is known. `found` of their type counts them, too.',
  ),
  by_code: z.record(z.string(), count),
  differences: z.array(difference),
  errors_total: count,
  warnings_total: count,
});

/** The rows of files beside what a platform has. */
export type ComparedSide = Immutable<z.infer<typeof comparison>>;

const part = z.strictObject({
  resource: z.enum(RESOURCES),
  files: z.array(readFile),
  inputs: described(z.array(readFile), 'Mapping files, and files that they include, look up or join.'),
  amount_unit: described(z.nullable(z.enum(['major', 'minor'])), 'Null when records have no amount.'),
  suppliers: described(z.array(text), 'Codes of the suppliers whose accounts have records.'),
  journals: described(z.array(journal), 'The journals that know what became of the rows. Their chains hold.'),
  runs: described(z.array(run), 'The readings that sent the records of the rows, or read them last.'),
  changed_since: described(
    z.nullable(z.strictObject({ at: text, rows: count, differing: count, new: count, gone: count })),
    'When they were last sent, and how many rows they had; null when they were last sent as they are.',
  ),
  vanished: described(
    z.strictObject({
      count,
      named: z.array(z.strictObject({ file: text, line: count })),
      sums: z.array(z.strictObject({ type: textOrNull, count, sum: amount })),
    }),
    'Records that earlier versions of the files brought to the platform, and that no row is any more.',
  ),
  decisions: described(z.array(decision), 'Decisions of people that the figures depend on.'),
  rows,
  changed: described(count, 'Rows of `rows.invalid` whose record is there otherwise, or elsewhere.'),
  refused_finally: described(count, 'Rows of `rows.rejected` that the same command does not send again.'),
  comparisons: described(z.array(comparison), 'Empty without `--ledger`.'),
  totals_equal: described(z.boolean(), 'Whether the accepted sum of each type is the sum that was read.'),
  control_totals: z.array(
    z.strictObject({ type: textOrNull, currency: z.null(), count, read: amount, accepted: amount }),
  ),
  accounts_total: described(count, 'Accounts with valid records.'),
  accounts_unfinished: described(count, 'Those of them with a record that did not arrive.'),
  unsent_accounts: described(z.array(unsentAccounts), 'Accounts that `migrate` had not sent at its end.'),
  stays_behind: described(
    z.array(behindDocument),
    'What was never to be sent, and fields that no record has.',
  ),
  groups: z.array(problemGroup),
  groups_total: count,
  problems_total: count,
});

/** What `verify` has found. Every form of it is made from this one value, and its keys are those of `verify --json`. */
export const verificationDocument = z.strictObject({
  version: z.literal(1),
  exit: z.strictObject({ code: count, name: text }),
  made_at: text,
  tool_version: text,
  cohort: textOrNull,
  answer: z.strictObject({
    everything_arrived: z.boolean(),
    sentence: text,
    records: described(count, 'Rows that were to be imported: all but those that were left out.'),
    arrived: count,
    to_do: z.array(step),
  }),
  rows,
  parts: described(z.array(part), 'One for each resource, in the order in which they are sent.'),
  problems: described(z.array(text), 'Empty: problems are in the groups of the parts.'),
  next: described(textOrNull, 'The next command; null when nothing is left to do.'),
});

export type Verification = Immutable<z.infer<typeof verificationDocument>>;
export type VerifiedPart = Verification['parts'][number];
export type VerifiedRun = VerifiedPart['runs'][number];
export type VerificationStep = Verification['answer']['to_do'][number];

/** The JSON Schema of the document of `verify --json`. */
export function verificationSchema(): object {
  return { title: 'Result of `dataimport verify --json`', ...z.toJSONSchema(verificationDocument) };
}

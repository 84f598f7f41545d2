import * as z from 'zod/mini';
import { RESOURCES } from '../../../core/contract/resources.ts';
import { SEVERITIES } from '../../../core/problem.ts';
import { described, type Immutable } from '../../../core/schema.ts';
import { LEFT_OUT_KINDS, UNSENT_REASONS } from '../../push/ports/report.ts';

/** Groups of problems that a report lists for one part. All are counted. */
export const LISTED_GROUPS = 100;

/** Who has to act. */
export const ACTORS = ['importer', 'supplier', 'platform'] as const;
export type Actor = (typeof ACTORS)[number];

export const ACTOR_WORDS: Readonly<Record<Actor, string>> = {
  importer: 'The person who runs the import',
  supplier: 'The supplier of the files',
  platform: 'The operator of the platform',
};

const count = z.int().check(z.nonnegative());
const decimal = z.string().check(z.regex(/^-?\d+(\.\d+)?$/));
const amount = z.nullable(decimal);
const text = z.string();
const textOrNull = z.nullable(z.string());
const sha256 = z.string().check(z.regex(/^[0-9a-f]{64}$/));

const rows = z.strictObject({
  read: count,
  created: count,
  existing: count,
  uncompared: described(count, 'On the platform before, by its refusal alone (--on-existing accept).'),
  confirmed: described(count, 'On the platform, confirmed by hand.'),
  sent_before: described(count, 'On the platform, because another run brought an equal record there.'),
  verify: count,
  rejected: count,
  unknown: count,
  not_sent: count,
  invalid: count,
  filtered: count,
});

const step = z.strictObject({
  who: described(z.enum(ACTORS), 'Who has to act.'),
  what: text,
  command: described(z.nullable(z.string()), 'The command to type; null when none helps.'),
  run: text,
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
  who: z.enum(ACTORS),
});

const unfinishedAccount = z.strictObject({
  file: described(z.string(), 'The file with the first record that did not arrive.'),
  line: count,
  import_supplier: described(z.nullable(z.string()), 'Only with --show-values.'),
  external_account_number: described(z.nullable(z.string()), 'Only with --show-values.'),
  records: count,
  arrived: count,
  rejected: count,
  verify: count,
  unknown: count,
  not_sent: count,
  code: described(z.nullable(z.string()), 'The code of the error of this record; null when it has none.'),
  why: described(z.string(), 'Why this record did not arrive.'),
});

const unsentAccounts = z.strictObject({
  reason: z.enum(UNSENT_REASONS),
  accounts: count,
  rows: described(count, 'Records of these accounts that were not sent.'),
});

const fileOfRun = z.strictObject({ name: text, bytes: count, sha256 });

const run = z.strictObject({
  run: text,
  shard: textOrNull,
  state: described(
    z.enum(['open', 'done', 'forgotten', 'not_kept']),
    '`not_kept`: nothing was sent, and no journal was left.',
  ),
  begun_at: text,
  target: described(z.string(), 'Address of the platform, without user, password and query.'),
  run_by: described(
    textOrNull,
    'Login name of the user whose command last sent it; null where it is not known.',
  ),
  platform_name: described(textOrNull, 'The configuration profile that named the platform.'),
  rejects_files: described(
    z.array(text),
    'Files of `push --rejects` that are there: rejected rows byte for byte.',
  ),
  tool_version: text,
  sources: z.array(fileOfRun),
  inputs: described(z.array(fileOfRun), 'Mapping files, and files that they include, look up or join.'),
  contract: z.nullable(z.strictObject({ name: text, sha256 })),
  options: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
  exit: z.strictObject({ code: count, name: text }),
  end_reason: described(
    z.nullable(z.strictObject({ code: text, detail: text })),
    'Why the last command that sent it ended early; null when it did not, or its problems say it.',
  ),
  chain_head: described(text, 'The head of the chain of the run (docs/chain.md).'),
  chain_links: count,
});

const decision = z.strictObject({ at: textOrNull, by: textOrNull, what: text });

const part = z.strictObject({
  resource: z.enum(RESOURCES),
  amount_unit: described(z.nullable(z.enum(['major', 'minor'])), 'Null when records have no amount.'),
  suppliers: described(z.array(text), 'Codes of the suppliers whose accounts have records.'),
  decisions: described(z.array(decision), 'Decisions of people that the figures depend on.'),
  runs: z.array(run),
  rows,
  compared: described(
    z.nullable(z.strictObject({ with: z.array(text), differences: z.nullable(count) })),
    'The files, compared once more. `differences` counts those that the outcomes of the rows do not explain; null when the files have changed since they were sent. Null when nothing was compared.',
  ),
  totals_equal: described(
    z.boolean(),
    'False when every record arrived and the accepted sum of a type is not the sum that was read.',
  ),
  control_totals: z.array(
    z.strictObject({ type: textOrNull, currency: z.null(), count, read: amount, accepted: amount }),
  ),
  accounts_total: described(count, 'Accounts with valid records.'),
  unfinished_accounts: z.array(unfinishedAccount),
  unfinished_accounts_total: count,
  unsent_accounts: described(
    z.array(unsentAccounts),
    'Accounts whose records `migrate` did not send although it came to its end, by the reason.',
  ),
  left_out: z.array(z.strictObject({ reason: z.enum(LEFT_OUT_KINDS), place: textOrNull, count })),
  groups: z.array(problemGroup),
  groups_total: count,
  problems_total: count,
});

const sending = z.strictObject({ first_request_at: text, last_answer_at: text });

/** The one value that every form of a report is made from. Its keys are those of `report --json`. */
export const migrationReport = z.strictObject({
  version: z.literal(1),
  exit: z.strictObject({ code: count, name: text, resumable: z.boolean() }),
  made_at: text,
  tool_version: text,
  answer: z.strictObject({
    everything_arrived: z.boolean(),
    sentence: text,
    records: described(count, 'Rows that were to be imported: all but those that were left out.'),
    arrived: described(count, 'Records that were created or already there.'),
    to_do: z.array(step),
  }),
  rows,
  parts: z.array(part),
  unsent_resources: described(
    z.array(z.enum(RESOURCES)),
    'Resources of the cohort file that have no run here, so that nothing of them was sent.',
  ),
  sending: described(z.nullable(sending), 'Null when nothing was sent.'),
  notes: z.array(text),
});

export type MigrationReport = Immutable<z.infer<typeof migrationReport>>;
export type ReportPart = MigrationReport['parts'][number];
export type ReportedRun = ReportPart['runs'][number];
export type ReportStep = MigrationReport['answer']['to_do'][number];

/** The JSON Schema of the document of `report --json`. */
export function migrationReportSchema(): object {
  return {
    title: 'Report of a migration, as `dataimport report --json` prints it',
    ...z.toJSONSchema(migrationReport),
  };
}

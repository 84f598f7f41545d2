import * as z from 'zod/mini';
import { RESOURCES } from '../../core/contract/resources.ts';
import { ORIGINS } from '../comparison/account-tally.ts';
import { DIFFERENCE_CODES } from '../comparison/reconcile.ts';
import { SEVERITIES } from '../../core/problem.ts';
import { described, type Immutable } from '../../core/schema.ts';

/** The other sides with which source files are compared. */
const COMPARED_WITH = ['run', 'ledger', 'asking'] as const;
export type ComparedWith = (typeof COMPARED_WITH)[number];

const count = z.int().check(z.nonnegative());
const text = z.string();
const textOrNull = z.nullable(z.string());
const countOrNull = z.nullable(count);

const exit = z.strictObject({ code: count, name: text });

const sideTotal = z.strictObject({
  count,
  sum: described(
    z.nullable(z.string().check(z.regex(/^-?\d+(\.\d+)?$/))),
    'Exact sum of the amounts; null when records have none.',
  ),
});

const typeTotal = z.strictObject({ type: textOrNull, source: sideTotal, found: sideTotal });

const difference = z.strictObject({
  code: described(z.enum(DIFFERENCE_CODES), 'See docs/codes.md.'),
  severity: z.enum(SEVERITIES),
  file: described(
    z.nullable(z.string()),
    'Null for a record that no row explains, unless its run names the row that it came from.',
  ),
  line: countOrNull,
  detail: text,
  fields: described(z.array(z.string()), 'Paths of the fields that differ, as far as they are known.'),
  run: described(z.nullable(z.string()), 'The run whose request had the record; null without a run.'),
  batch: countOrNull,
  http_status: countOrNull,
  ledger_line: described(z.nullable(count), 'From 1; null without a ledger.'),
});

/** A difference, listed for a person. */
export type ListedDifference = Immutable<z.infer<typeof difference>>;

const comparison = z.strictObject({
  with: described(z.enum(COMPARED_WITH), '`asking`: the platform was asked for each record again.'),
  names: described(z.array(z.string()), 'Ids of the runs, or the ledger as the command names it.'),
  equal: z.boolean(),
  proves: described(z.nullable(z.string()), 'A sentence; null when something differs.'),
  types: z.array(typeTotal),
  accounts: z.strictObject({ total: count, equal: count }),
  differing_accounts: z.array(z.strictObject({ import_supplier: text, external_account_number: text })),
  chains: z.array(
    z.strictObject({
      run: text,
      head: text,
      links: count,
      broken: described(
        z.nullable(z.string()),
        'What the chain of the journal contradicts; null when it holds.',
      ),
    }),
  ),
  rows_apart: described(
    z.strictObject({
      left: described(count, 'Not sent yet, or without an answer.'),
      refused: count,
      conflicting: described(count, 'There with other content or on another account.'),
      unproven: described(count, 'Compare them by hand.'),
      uncompared: described(count, 'There already (`--on-existing accept`), and compared by nobody.'),
      confirmed: described(count, 'Confirmed by people, or settled by a ledger.'),
    }),
    'Rows that no answer proves, so that they are not compared.',
  ),
  confirmed_by: described(z.array(text), 'Who has confirmed rows: people by their names, and ledgers.'),
  rows_proven: described(
    count,
    'Rows that no answer proves and that the ledger has with equal content. They are settled.',
  ),
  dates_moved: described(
    count,
    'Transactions whose dates the platform moved into the open statement period.',
  ),
  repeated_rows: described(count, 'Rows that the platform keeps as one record with an equal row.'),
  other_records: described(
    z.array(
      z.strictObject({
        kind: described(
          z.enum(ORIGINS),
          '`run`: a run of ours has sent them. `platform`: the platform has added them. `allowed`: `--others allowed`.',
        ),
        run: textOrNull,
        type: textOrNull,
        count,
        sum: textOrNull,
      }),
    ),
    'Records in the ledger that no row explains and whose origin is known. `found` of their type counts them, too.',
  ),
  by_code: z.record(z.string(), count),
  differences: z.array(difference),
  errors_total: count,
  warnings_total: count,
  notes: described(z.array(text), 'Further facts for a person, one sentence each.'),
});

/** The source files beside one other side. */
export type ComparedSide = Immutable<z.infer<typeof comparison>>;

/** The document of `verify <resource> <file…> --json`. */
export const verificationDocument = z.strictObject({
  version: z.literal(1),
  resource: z.enum(RESOURCES),
  exit,
  rows: z.strictObject({ read: count, valid: count, invalid: count, filtered: count }),
  invalid_rows: z.array(difference),
  comparisons: z.array(comparison),
  next: described(
    z.nullable(z.string()),
    'The next command; null when nothing differs and no row is missing.',
  ),
});

/** Source files, compared record by record with what was sent or stored. */
export type VerificationDocument = Immutable<z.infer<typeof verificationDocument>>;

/** The document of `verify cohort.yaml --json`. */
export const cohortVerificationDocument = z.strictObject({
  version: z.literal(1),
  cohort: text,
  exit,
  resources: described(z.array(verificationDocument), 'In the order in which they are sent.'),
  next: described(z.nullable(z.string()), 'The next command; null when nothing differs.'),
});

export type CohortVerificationDocument = Immutable<z.infer<typeof cohortVerificationDocument>>;

/** The JSON Schema of the documents of `verify --json`. */
export function verificationSchema(): object {
  return {
    title: 'Result of `dataimport verify --json`, of one resource or of a cohort',
    ...z.toJSONSchema(z.union([verificationDocument, cohortVerificationDocument])),
  };
}

import * as z from 'zod/mini';
import { RESOURCES, type Resource } from '../../core/contract/resources.ts';
import { SEVERITIES } from '../../core/problem.ts';
import { described, optionalKey } from '../../core/schema.ts';
import { ON_REJECT } from '../push/ports/run.ts';
import { count, duration, plainText, rate, type SettingParser } from '../settings/parsers.ts';

const COHORT_VERSION = '1';

/** The order in which an account's records are sent, unless the cohort says another one. */
export const USUAL_ORDER = ['notes', 'statements', 'transactions', 'payment-instructions'] as const;

/** Whether an account's later resources are sent although a record of an earlier one was refused. */
const AFTER_FAILURE = ['hold', 'continue'] as const;

/** A text that a parser of settings accepts. Every scalar of a cohort file is read as the text that it is written as. */
function parsedText<T>(parse: SettingParser<T>, shape: Readonly<Record<string, unknown>>) {
  return z
    .string()
    .check((context) => {
      const parsed = parse(context.value);
      if ('reason' in parsed)
        context.issues.push({ code: 'custom', input: context.value, message: parsed.reason });
    })
    .register(z.globalRegistry, shape);
}

const WHOLE_NUMBER = { type: ['integer', 'string'] };
/** A schema of its own for every key, because a description belongs to one key. */
const filledText = () => parsedText(plainText, { type: 'string', minLength: 1 });
const resource = z.enum(RESOURCES);
const yesOrNo = z
  .string()
  .check(z.refine((text) => text === 'true' || text === 'false', { error: 'it must be true or false' }))
  .register(z.globalRegistry, { type: 'boolean' });

const name = z
  .string()
  .check(
    z.refine((text) => /^[A-Za-z0-9][\w.-]{0,63}$/.test(text), {
      error: 'it must be up to 64 letters, digits, points, hyphens and underscores',
    }),
  )
  .register(z.globalRegistry, { pattern: '^[A-Za-z0-9][\\w.-]{0,63}$' });

const sources = z.strictObject({
  files: described(
    z.array(filledText()).check(z.minLength(1)),
    'Names or patterns such as `export/notes-*.csv`, from the folder of this file. All files of a resource are one run.',
  ),
  map: optionalKey(filledText(), 'Mapping of all these files; without it the mapping beside each file.'),
  documents: optionalKey(
    filledText(),
    'Listing of the file store; a document of a row that is not in it is an error.',
  ),
});

const transactionSources = z.strictObject({
  ...sources.shape,
  check_previously_added: optionalKey(yesOrNo, 'Whether the platform skips transactions that it has.'),
  force_add_to_current_statement: optionalKey(
    yesOrNo,
    'Whether the platform moves transactions into the open statement period.',
  ),
});

const resources = z
  .strictObject({
    notes: z.optional(sources),
    statements: z.optional(sources),
    transactions: z.optional(transactionSources),
    'payment-instructions': z.optional(sources),
  } satisfies Record<Resource, z.ZodMiniType>)
  .check(z.refine((given) => Object.keys(given).length > 0, { error: 'at least one resource is needed' }));

const severity = () =>
  optionalKey(z.enum(SEVERITIES), 'An error stops the cohort before the first request. Default: error.');

const expectedTotals = z.strictObject({
  file: described(
    filledText(),
    'CSV file with a header, cells separated by commas, and one row for each account.',
  ),
  account: described(filledText(), 'Its column with the account number.'),
  supplier: optionalKey(
    filledText(),
    'Its column with the code of the import supplier. Needed when two suppliers of the cohort have accounts of one number.',
  ),
  total: described(
    filledText(),
    'Its column with the total, in major units, with a decimal point and no other marks.',
  ),
});

const checks = z.strictObject({
  accounts: optionalKey(
    z.array(z.strictObject({ with: resource, need: resource, severity: severity() })),
    'Every account that has records of the one resource needs records of the other.',
  ),
  totals: optionalKey(
    z.array(
      z.strictObject({
        of: resource,
        types: optionalKey(
          z.array(filledText()).check(z.minLength(1)),
          'Only records of these types are added up.',
        ),
        equal: described(expectedTotals, 'A file that says the totals.'),
        severity: severity(),
      }),
    ),
    'The total of every account over all files equals another total, in major units.',
  ),
});

const limits = z.strictObject({
  batch_size: z.optional(parsedText(count({ max: 10_000 }), WHOLE_NUMBER)),
  concurrency: z.optional(parsedText(count({ max: 256 }), WHOLE_NUMBER)),
  rate_limit: z.optional(parsedText(rate, { type: 'string' })),
  retry_for: z.optional(parsedText(duration, { type: 'string' })),
});

/** A cohort file (docs/night.md): what is migrated together, and how. */
export const cohortFile = z.strictObject({
  version: z
    .string()
    .check(
      z.refine((version) => version === COHORT_VERSION, {
        error: `this program reads version ${COHORT_VERSION} of the format only`,
      }),
    )
    .register(z.globalRegistry, { type: ['integer', 'string'], enum: [1, '1'] }),
  name: optionalKey(
    name,
    'Name of the folder with the runs, below --run-dir. Default: the name of this file.',
  ),
  supplier: optionalKey(filledText(), 'Code of the import supplier; --supplier goes before it.'),
  contract: optionalKey(filledText(), 'Contract of the operator; --contract goes before it.'),
  resources: described(resources, 'The files of each resource.'),
  order: optionalKey(
    z.array(resource).check(z.minLength(1)),
    `Order of an account's resources. Default: ${USUAL_ORDER.join(', ')}.`,
  ),
  after_failure: optionalKey(
    z.enum(AFTER_FAILURE),
    'After a refused record of an account: `hold` keeps its later resources back until the platform has the record, `continue` sends them. Default: hold.',
  ),
  on_reject: optionalKey(
    z.enum(ON_REJECT),
    'Whether a refused record ends the command, or is set aside; --on-reject goes before it. Default: stop.',
  ),
  limits: optionalKey(limits, 'How fast, as the flags of push with the same names, which go before these.'),
  wait_for_accounts: optionalKey(
    parsedText(duration, { type: 'string' }),
    'How long accounts that are not imported yet are waited for, such as `4h`. Default: not at all.',
  ),
  checks: optionalKey(checks, 'Checks between files, before the first request.'),
});

export type CohortFile = z.infer<typeof cohortFile>;
export type CohortChecks = z.infer<typeof checks>;

/** The JSON Schema (draft 2020-12) of cohort files, for editors. */
export function cohortJsonSchema(): object {
  return {
    title: 'Cohort of dataimport migrate',
    ...z.toJSONSchema(cohortFile, { io: 'input', unrepresentable: 'any' }),
  };
}

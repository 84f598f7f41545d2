import * as z from 'zod/mini';
import { accountFields } from '../../core/contract/account.ts';
import { date, text } from '../../core/contract/field.ts';
import { SENDABLE, SENDABLE_IN_WORDS } from '../../core/sendable-secret.ts';
import { paymentInstruction } from '../../core/contract/resources/payment-instructions.ts';
import { TRANSACTION_TYPES, type TransactionType } from '../../core/contract/transaction.ts';
import { described, optionalKey } from '../../core/schema.ts';
import { IMPORT_STATES } from '../../core/rules/import-status.ts';
import { SUPPLIER_STATUSES } from '../../core/rules/supplier-status.ts';
import { reasonAgainst } from '../options/behaviour.ts';
import { jsonSchemasOf, type JsonSchema } from '../openapi/json-schema.ts';
import { isUnderWay } from '../platform/account-lifecycle.ts';
import { VENDOR_FAILURES, type EnumField } from '../store/setup.ts';

export const SEED_VERSION = 1;

/**
 * A rule between fields. It runs also when other fields are wrong, so that all problems are reported at once. So it has to cope
 * with any value.
 * @param seed the sentence for a seed
 * @param path of the field that the rule is about
 * @param failure code and facts for the admin API
 */
function rule<T extends object>(
  holds: (fields: Partial<T>) => boolean,
  seed: string,
  { path = [], failure = {} }: { path?: readonly string[]; failure?: object } = {},
) {
  return z.refine<T>(holds, {
    path: [...path],
    params: { seed, ...failure },
    when: ({ value }) => typeof value === 'object' && value !== null,
  });
}

/** The admin API uses this schema, too. */
export const openStatement = z.strictObject({ from: date(), to: date() }).check(
  rule(({ from = '', to = from }) => !(from > to), '`from` lies after `to`', {
    failure: { code: 'invalid', facts: { expected: 'a day and the same or a later one' } },
  }),
);

// `globalRegistry` gets the JSON Schema of each check that is code here.

const times = z
  .custom<number>((value) => Number.isSafeInteger(value) && (value as number) > 0, {
    params: { seed: 'is not a whole number of at least 1' },
  })
  .register(z.globalRegistry, { type: 'integer', minimum: 1 });

const values = z.array(text()).check(z.minLength(1));

const apiKey = z
  .string()
  .check(
    z.refine((key) => SENDABLE.test(key), {
      params: { seed: `is not a key that clients can send: it must be ${SENDABLE_IN_WORDS}` },
    }),
  )
  .register(z.globalRegistry, { pattern: SENDABLE.source });

const instruction = z
  .strictObject({
    reference: paymentInstruction.shape.reference,
    type: text(),
    fails: z.optional(z.enum(VENDOR_FAILURES)),
    times: z.optional(times),
  })
  .check(
    rule(
      ({ fails, times }) => fails !== 'intermittent' || times !== undefined,
      '`fails: intermittent` needs `times`, the number of failures before it succeeds for an account: for example `times: 2`',
    ),
    rule(
      ({ fails, times }) => times === undefined || fails === 'intermittent',
      'belongs to `fails: intermittent` only: add that, or remove `times`',
      { path: ['times'] },
    ),
  );

const autoImport = z
  .strictObject({
    in_progress_after_seconds: z.optional(times),
    after_seconds: times,
    ends: z._default(z.enum(['imported', 'failed']), 'imported'),
  })
  .check(
    rule(
      ({ in_progress_after_seconds: start = 0, after_seconds: end = Infinity }) => !(start >= end),
      '`in_progress_after_seconds` is not less than `after_seconds`',
    ),
  );

/** The values for every type of transaction, and further values for one type. A type without any values is open. */
const valuesByType = z.strictObject({
  every_type: z.optional(values),
  ...(Object.fromEntries(TRANSACTION_TYPES.map((type) => [type, z.optional(values)])) as Record<
    TransactionType,
    z.ZodMiniOptional<typeof values>
  >),
});

const enums = z.strictObject({
  reason: z.optional(valuesByType),
  payment_type: z.optional(valuesByType),
  rate_band: z.optional(values),
  tax_type: z.optional(values),
  unit_type: z.optional(values),
  instruction_type: z.optional(values),
} satisfies Record<EnumField, z.ZodMiniType>);

/** A seed file (docs/serve-reference.md): the setup of a platform before a migration. */
export const seedFile = z.strictObject({
  version: z.literal(SEED_VERSION),
  api_keys: described(
    z._default(
      z.array(
        z.strictObject({
          key: apiKey,
          suppliers: z.optional(z.array(accountFields.import_supplier).check(z.minLength(1))),
        }),
      ),
      [],
    ),
    'Keys that tokens are issued for. A key without `suppliers` may use all suppliers.',
  ),
  suppliers: described(
    z._default(
      z.array(
        z.strictObject({
          code: accountFields.import_supplier,
          name: text(),
          status: z.enum(SUPPLIER_STATUSES),
          document_root: z.optional(text()),
          documents: z.optional(values),
          auto_import: z.optional(autoImport),
        }),
      ),
      [],
    ),
    'Import suppliers with their status.',
  ),
  accounts: described(
    z._default(
      z.array(
        z
          .strictObject({
            ...accountFields,
            state: z.enum(IMPORT_STATES),
            open_statement: z.optional(openStatement),
            auto_import: z.optional(autoImport),
          })
          .check(
            rule(
              ({ state, auto_import: plan }) =>
                plan === undefined || !IMPORT_STATES.some((each) => each === state && !isUnderWay(each)),
              'belongs to accounts that are staged or in_progress: remove it, or change the state',
              { path: ['auto_import'] },
            ),
          ),
      ),
      [],
    ),
    'Accounts and the state of their import. Quote account numbers: they are texts.',
  ),
  vendors: described(
    z._default(
      z.array(z.strictObject({ code: text(), instructions: z._default(z.array(instruction), []) })),
      [],
    ),
    'Payment vendors with their instructions.',
  ),
  behaviour: optionalKey(
    z.array(
      z.string().check(({ value: text, issues }) => {
        const reason = reasonAgainst(text);
        if (reason !== undefined) issues.push({ code: 'custom', input: text, params: { seed: reason } });
      }),
    ),
    'Decisions where the interface leaves the answer open, as `--behaviour` takes them.',
  ),
  product_codes: optionalKey(z.array(text()).check(z.minLength(1)), 'Without this list every code exists.'),
  enums: optionalKey(
    enums,
    'Closes enums: values that are not listed are refused. Enums without a list are open.',
  ),
});
export type SeedFile = z.infer<typeof seedFile>;

/** The JSON Schema (draft 2020-12) of seed files, for editors and for programs that write seeds. */
export function seedJsonSchema(): JsonSchema {
  const { Seed } = jsonSchemasOf({ Seed: seedFile }, (name) => name);
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Seed of dataimport serve',
    ...Seed,
  };
}

import { z } from 'zod';
import { accountFields } from '../../core/contract/account.ts';
import { date, text } from '../../core/contract/field.ts';
import { paymentInstruction } from '../../core/contract/payment-instruction.ts';
import { TRANSACTION_TYPES, type TransactionType } from '../../core/contract/transaction.ts';
import { IMPORT_STATES } from '../../core/rules/import-status.ts';
import { SUPPLIER_STATUSES } from '../../core/rules/supplier-status.ts';
import { isUnderWay } from '../platform/account-lifecycle.ts';
import type { EnumField } from '../store/enum-values.ts';
import { VENDOR_FAILURES } from '../store/vendors.ts';

/** The version of the format that this program reads. */
const VERSION = 1;

/** Also for the admin API: what a seed says in `seed`, that says in `code` and `facts`. */
export const openStatement = z
  .strictObject({ from: date(), to: date() })
  .refine(({ from, to }) => from <= to, {
    params: {
      seed: '`from` lies after `to`',
      code: 'invalid',
      facts: { expected: 'a day and the same or a later one' },
    },
  });

// `meta` is what the published schema (seed-schema.ts) says of a check that stands here in code.

const times = z
  .custom<number>((value) => Number.isSafeInteger(value) && (value as number) > 0, {
    params: { seed: 'is not a whole number of at least 1' },
  })
  .meta({ type: 'integer', minimum: 1 });

const values = z
  .array(text())
  .min(1)
  .refine((texts) => new Set(texts).size === texts.length, { params: { seed: 'names a value twice' } })
  .meta({ uniqueItems: true });

const instruction = z
  .strictObject({
    reference: paymentInstruction.shape.reference,
    type: text(),
    fails: z.enum(VENDOR_FAILURES).optional(),
    times: times.optional(),
  })
  .refine(({ fails, times }) => (fails === 'intermittent') === (times !== undefined), {
    params: { seed: '`times` belongs to `fails: intermittent`, and only there' },
  })
  .meta({
    anyOf: [
      { properties: { fails: { const: 'intermittent' } }, required: ['fails', 'times'] },
      { properties: { fails: { const: 'persistent' }, times: false } },
    ],
  });

const autoImport = z
  .strictObject({
    in_progress_after_seconds: times.optional(),
    after_seconds: times,
    ends: z.enum(['imported', 'failed']).default('imported'),
  })
  .refine(({ in_progress_after_seconds: start = 0, after_seconds: end }) => start < end, {
    params: { seed: '`in_progress_after_seconds` is not less than `after_seconds`' },
  });

/** What every type of transaction takes, and what one type takes beside it; a type that is in neither is open. */
const valuesByType = z.strictObject({
  every_type: values.optional(),
  ...(Object.fromEntries(TRANSACTION_TYPES.map((type) => [type, values.optional()])) as Record<
    TransactionType,
    z.ZodOptional<typeof values>
  >),
});

const enums = z.strictObject({
  reason: valuesByType.optional(),
  payment_type: valuesByType.optional(),
  rate_band: values.optional(),
  tax_type: values.optional(),
  unit_type: values.optional(),
  instruction_type: values.optional(),
} satisfies Record<EnumField, z.ZodType>);

/** A seed file (docs/serve.md): what the operator of a platform sets up before a migration. */
export const seedFile = z.strictObject({
  version: z.literal(VERSION),
  api_keys: z
    .array(
      z.strictObject({ key: text(), suppliers: z.array(accountFields.import_supplier).min(1).optional() }),
    )
    .default([])
    .describe('Keys that tokens are given for; without `suppliers` a key may touch all of them.'),
  suppliers: z
    .array(
      z.strictObject({
        code: accountFields.import_supplier,
        name: text(),
        status: z.enum(SUPPLIER_STATUSES),
        document_root: text().optional(),
        documents: values.optional(),
        auto_import: autoImport.optional(),
      }),
    )
    .default([])
    .describe('Import suppliers with their status.'),
  accounts: z
    .array(
      z
        .strictObject({
          ...accountFields,
          state: z.enum(IMPORT_STATES),
          open_statement: openStatement.optional(),
          auto_import: autoImport.optional(),
        })
        .refine(({ state, auto_import: plan }) => plan === undefined || isUnderWay(state), {
          params: { seed: '`auto_import` belongs to accounts that are staged or in_progress' },
        })
        .meta({
          anyOf: [
            { properties: { auto_import: false } },
            { properties: { state: { enum: IMPORT_STATES.filter(isUnderWay) } } },
          ],
        }),
    )
    .default([])
    .describe('Accounts and how far their import has come. Quote numbers: they are texts.'),
  vendors: z
    .array(z.strictObject({ code: text(), instructions: z.array(instruction).default([]) }))
    .default([])
    .describe('Payment vendors with the instructions that they hold.'),
  product_codes: z.array(text()).min(1).optional().describe('Left out: every code exists.'),
  enums: enums
    .optional()
    .describe('Closes enums: a value that is not listed is refused. Left out: all are open.'),
});
export type SeedFile = z.infer<typeof seedFile>;

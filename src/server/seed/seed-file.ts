import { z } from 'zod';
import { accountFields } from '../../core/contract/account.ts';
import { date, text } from '../../core/contract/field.ts';
import { paymentInstruction } from '../../core/contract/payment-instruction.ts';
import { IMPORT_STATES } from '../../core/rules/import-status.ts';
import { SUPPLIER_STATUSES } from '../../core/rules/supplier-status.ts';
import { VENDOR_FAILURES } from '../store/vendors.ts';

/** The version of the format that this program reads. */
const VERSION = 1;

const openStatement = z
  .strictObject({ from: date(), to: date() })
  .refine(({ from, to }) => from <= to, { params: { seed: '`from` lies after `to`' } });

const times = z.custom<number>((value) => Number.isSafeInteger(value) && (value as number) > 0, {
  params: { seed: 'is not a whole number of at least 1' },
});

const instruction = z
  .strictObject({
    reference: paymentInstruction.shape.reference,
    type: text(),
    fails: z.enum(VENDOR_FAILURES).optional(),
    times: times.optional(),
  })
  .refine(({ fails, times }) => (fails === 'intermittent') === (times !== undefined), {
    params: { seed: '`times` belongs to `fails: intermittent`, and only there' },
  });

/** A seed file (docs/serve.md): what the operator of a platform sets up before a migration. */
export const seedFile = z.strictObject({
  version: z.literal(VERSION),
  api_keys: z
    .array(
      z.strictObject({ key: text(), suppliers: z.array(accountFields.import_supplier).min(1).optional() }),
    )
    .default([]),
  suppliers: z
    .array(
      z.strictObject({
        code: accountFields.import_supplier,
        name: text(),
        status: z.enum(SUPPLIER_STATUSES),
        document_root: text().optional(),
      }),
    )
    .default([]),
  accounts: z
    .array(
      z.strictObject({
        ...accountFields,
        state: z.enum(IMPORT_STATES),
        open_statement: openStatement.optional(),
      }),
    )
    .default([]),
  vendors: z
    .array(z.strictObject({ code: text(), instructions: z.array(instruction).default([]) }))
    .default([]),
  product_codes: z.array(text()).min(1).optional(),
});
export type SeedFile = z.infer<typeof seedFile>;

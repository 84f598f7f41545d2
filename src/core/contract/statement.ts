import * as z from 'zod/mini';
import { date, minorUnits, text } from './field.ts';

/** A historical PDF statement as it is sent (interface.md 2.5; required fields and bounds: deployments.md). */
export const statement = z.strictObject({
  bill_period_from_date: date(),
  bill_period_to_date: date(),
  statement_id: text(),
  issued_date: z.optional(z.nullable(date())),
  number: z.optional(text()),
  gross_amount: z.optional(z.nullable(minorUnits())),
  statement_path: z.optional(text()),
});
export type Statement = z.infer<typeof statement>;

/** Answer of POST historical-statements/create: the validated data (interface.md 4.4). */
export const statementsResponse = z.looseObject({
  statements: z.array(z.looseObject({ statement_id: z.string() })),
});

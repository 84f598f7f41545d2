import { z } from 'zod';
import { accountFields } from './account.ts';
import { date, minorUnits, text } from './field.ts';

/** A historical PDF statement as it is sent (interface.md 2.5; required fields and bounds: deployments.md). */
export const statement = z.strictObject({
  bill_period_from_date: date(),
  bill_period_to_date: date(),
  statement_id: text(),
  issued_date: date().nullable().optional(),
  number: text().optional(),
  gross_amount: minorUnits().nullable().optional(),
  statement_path: text().optional(),
});
export type Statement = z.infer<typeof statement>;

/** Body of POST historical-statements/create (interface.md 4.4). */
export const statementsRequest = z.strictObject({
  ...accountFields,
  statements: z.array(z.unknown()).min(1),
});

/** Answer of POST historical-statements/create: the validated data (interface.md 4.4). */
export const statementsResponse = z.looseObject({
  statements: z.array(z.looseObject({ statement_id: z.string() })),
});

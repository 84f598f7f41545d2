import * as z from 'zod/mini';
import { text } from './field.ts';

/** How every POST names its account (interface.md 2.1; bound: deployments.md). */
export const accountFields = { import_supplier: text(), external_account_number: text({ max: 128 }) };
export const account = z.strictObject(accountFields);

/** The names of these fields. A place in a request may be a number, too. */
export const ACCOUNT_FIELDS: ReadonlySet<string | number> = new Set(Object.keys(accountFields));

/** The pair that addresses an account for the client (interface.md 1). */
export type AccountKey = { readonly import_supplier: string; readonly external_account_number: string };

/**
 * The body of a POST around its records, which `checkRecord` checks (interface.md 4.2 to 4.5).
 * @param list the array of the records; null for one record beside the account
 * @param around the other fields of the body
 */
export function envelope(
  list: string | null,
  around: Readonly<Record<string, z.ZodMiniType>> = accountFields,
): z.ZodMiniType {
  return list === null
    ? z.catchall(z.object(around), z.unknown())
    : z.strictObject({ ...around, [list]: z.array(z.unknown()).check(z.minLength(1)) });
}

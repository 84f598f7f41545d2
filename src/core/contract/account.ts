import { text } from './field.ts';

/** How every POST names its account (interface.md 2.1; bound: deployments.md). */
export const accountFields = {
  import_supplier: text(),
  external_account_number: text({ max: 128 }),
};

/** The pair that addresses an account for the client (interface.md 1). */
export interface AccountKey {
  readonly import_supplier: string;
  readonly external_account_number: string;
}

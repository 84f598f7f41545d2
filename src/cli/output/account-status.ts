import { shownAs } from './formats/result-formats.ts';
import { exitDocument } from './json.ts';
import { escapedLines } from './text/text.ts';

/** How far the import of one account is. */
export interface AccountStatusResult {
  readonly supplier: string;
  readonly account: string;
  readonly status: string;
  /** The platform's own number; null while no account exists. */
  readonly platformAccount: string | null;
  /** The field for that number, when the answer does not have it; otherwise null. */
  readonly missingField: string | null;
}

export const shownAccountStatus = shownAs<AccountStatusResult>({
  document: ({ supplier, account, status, platformAccount }, exit) => ({
    version: 1,
    import_supplier: supplier,
    external_account_number: account,
    status,
    platform_account_number: platformAccount,
    exit: exitDocument(exit),
  }),
  text: ({ supplier, account, status, platformAccount, missingField }) =>
    escapedLines([
      `account   ${account} of supplier ${supplier}`,
      `status    ${status}`,
      missingField === null
        ? `platform  ${platformAccount ?? 'no account yet'}`
        : `platform  the answer has no ${missingField} (setting accountNumberField)`,
    ]),
});

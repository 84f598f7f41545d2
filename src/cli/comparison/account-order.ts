import type { AccountKey } from '../../core/contract/account.ts';

/** Compares two texts by their bytes in UTF-8, as SQLite does. The units of JavaScript would order some emoji otherwise. */
function compareTexts(a: string, b: string): number {
  return a === b ? 0 : Buffer.compare(Buffer.from(a), Buffer.from(b));
}

/** The order in which journals give their accounts. */
export function compareAccounts(a: AccountKey, b: AccountKey): number {
  return (
    compareTexts(a.import_supplier, b.import_supplier) ||
    compareTexts(a.external_account_number, b.external_account_number)
  );
}

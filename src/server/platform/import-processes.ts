import { createHash } from 'node:crypto';
import type { AccountKey } from '../../core/contract/account.ts';
import { DEFAULT_ACCOUNT_NUMBER_FIELD } from '../../core/contract/account-number.ts';
import type { AccountImportProcess, AccountTransferStatus } from '../../core/contract/account-import.ts';
import type { AccountAnswer } from '../../core/operator/contract.ts';
import { importStatusOf, isPending } from '../../core/rules/import-status.ts';
import type { StoredAccount } from '../store/accounts.ts';
import type { Platform } from './platform.ts';

/** `A-` and eight hex digits, the same in every run. Among tens of thousands of accounts two may share a number. */
export function platformAccountNumber({ import_supplier, external_account_number }: AccountKey): string {
  const digest = createHash('sha256')
    .update(JSON.stringify([import_supplier, external_account_number]))
    .digest('hex');
  return `A-${digest.slice(0, 8)}`;
}

/** An answer with the account number under the name that the contract of the operator has for it. */
export function withOwnName<T extends object>(
  answer: AccountAnswer,
  body: T,
  { contract }: Pick<Platform, 'contract'>,
): object {
  const name = contract?.account_number[answer]?.name;
  if (name === undefined) return body;
  return Object.fromEntries(
    Object.entries(body).map(([key, value]) => [key === DEFAULT_ACCOUNT_NUMBER_FIELD ? name : key, value]),
  );
}

/** The answer of interface.md 4.6. The number is empty while the platform has created no account. */
export function transferStatus(account: StoredAccount): AccountTransferStatus {
  return {
    status: importStatusOf(account.state),
    platform_account_number: isPending(account.state) ? '' : platformAccountNumber(account),
  };
}

/** An item of the lists of interface.md 4.7 to 4.9. */
export function importProcess(account: StoredAccount): AccountImportProcess {
  return {
    external_account_number: account.external_account_number,
    platform_account_number: isPending(account.state) ? null : platformAccountNumber(account),
    account_created_at: account.createdAt,
  };
}

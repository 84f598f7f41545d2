import { createHash } from 'node:crypto';
import type { AccountKey } from '../../core/contract/account.ts';
import type { AccountImportProcess, AccountTransferStatus } from '../../core/contract/account-import.ts';
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

/** The answer of interface.md 4.6. The number is empty while the platform has created no account. */
export function transferStatus(
  account: StoredAccount,
  { behaviour }: Pick<Platform, 'behaviour'>,
): AccountTransferStatus {
  return {
    status: isPending(account.state) ? importStatusOf(account.state) : behaviour.importedStatus,
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

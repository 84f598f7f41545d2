import type { AccountImportProcess, AccountTransferStatus } from '../../core/contract/account-import.ts';
import { importStatusOf, isPending } from '../../core/rules/import-status.ts';
import { rule } from '../../core/rules/rule.ts';
import type { StoredAccount } from '../store/accounts.ts';
import { platformAccountNumber } from './account-number.ts';

export const transferStatus = rule(
  {
    name: 'account-transfer-status',
    authority: 'documented',
    source: 'interface.md 4.6',
    says: 'An account with an import process is answered with its status, and with an empty number while no account was created.',
    tested: 'server/routes/import-processes › 4.6: 404 for the account $account of $importSupplier',
    codes: ['account_not_found'],
  },
  (account: StoredAccount): AccountTransferStatus => ({
    status: importStatusOf(account.state),
    platform_account_number: isPending(account.state) ? '' : platformAccountNumber(account),
  }),
);

export const importProcess = rule(
  {
    name: 'account-import-process',
    authority: 'documented',
    source: 'interface.md 4.7; imported list: emulator.md',
    says: 'An item of the three lists has the account numbers and the creation time; the last two are null while pending.',
    tested: 'server/routes/import-processes › 4.7: all accounts of a supplier, with nulls while pending',
  },
  (account: StoredAccount): AccountImportProcess => ({
    external_account_number: account.external_account_number,
    platform_account_number: isPending(account.state) ? null : platformAccountNumber(account),
    account_created_at: account.createdAt,
  }),
);

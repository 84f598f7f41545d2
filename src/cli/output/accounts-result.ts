import type { AccountImportProcess } from '../../core/contract/account-import.ts';
import { shownAs, type Shown, type View } from './formats/result-formats.ts';
import { exitDocument } from './json.ts';
import { columnsText } from './text/table.ts';
import { counted, escapeControl } from './text/text.ts';

/** An account of a list, and whether the platform has created it. */
type ListedAccount = AccountImportProcess & { readonly isImported: boolean };

/** The accounts of a supplier, as `dataimport accounts` found them. */
export interface AccountsResult {
  readonly supplier: string;
  readonly list: 'all' | 'pending' | 'imported';
  readonly accounts: readonly ListedAccount[];
}

type AccountCounts = { readonly total: number; readonly pending: number; readonly imported: number };

export const shownAccounts = shownAs<AccountsResult>({
  document: ({ supplier, list, accounts }, exit) => ({
    version: 1,
    import_supplier: supplier,
    list,
    counts: countsOf(accounts),
    accounts: accounts.map(documentedFields),
    exit: exitDocument(exit),
  }),
  text: ({ supplier, accounts }, view) => listText(supplier, accounts, view),
});

/**
 * Without fields that a deployment adds, and with null for a field that it leaves out: the documents of scripts change only
 * when we change them.
 */
function documentedFields(account: ListedAccount): AccountImportProcess {
  const { external_account_number, platform_account_number = null, account_created_at = null } = account;
  return { external_account_number, platform_account_number, account_created_at };
}

function countsOf(accounts: readonly ListedAccount[]): AccountCounts {
  const imported = accounts.filter(({ isImported }) => isImported).length;
  return { total: accounts.length, pending: accounts.length - imported, imported };
}

const HEADING = ['account', 'state', 'platform account', 'created at'];

/** A table for people. The next program in a pipe gets a line for each account, with tabs between its cells. */
function listText(supplier: string, accounts: readonly ListedAccount[], view: View): Shown {
  const rows = accounts.map((account) =>
    [
      account.external_account_number,
      account.isImported ? 'imported' : 'pending',
      account.platform_account_number ?? '',
      account.account_created_at ?? '',
    ].map(escapeControl),
  );
  const table = rows.length === 0 ? '' : columnsText([HEADING, ...rows], ['left', 'left', 'left', 'left']);
  const list = view.isTTY ? table : [HEADING, ...rows].map((row) => `${row.join('\t')}\n`).join('');
  const { total, imported, pending } = countsOf(accounts);
  const summary = `${counted(total, 'account')} of supplier ${supplier}: ${imported} imported, ${pending} pending`;
  // On standard error, so that standard output in a pipe has the heading and the accounts and nothing else.
  return [
    ['stdout', list],
    ['stderr', view.quiet ? '' : `${escapeControl(summary)}\n`],
  ];
}

import { Option } from 'commander';
import type { CommandContext, CommandDeclaration, CommandEnd } from '../command/command.ts';
import { accountNumberField, appliedContract } from '../sources/applied-contract.ts';
import { connect, targetOf } from '../command/connection.ts';
import { declareRecord, type RecordFlags } from '../command/flags.ts';
import type { AccountImportProcess } from '../../core/contract/account-import.ts';
import { shownAs, type Shown, type View } from '../output/formats/result-formats.ts';
import { exitDocument } from '../output/json.ts';
import { columnsText } from '../output/text/table.ts';
import { counted, escapeControl } from '../output/text/text.ts';

export type AccountsOptions = RecordFlags &
  Readonly<{ all?: boolean; pending?: boolean; imported?: boolean }>;

export const command: CommandDeclaration<AccountsOptions> = {
  examples: ['dataimport accounts --supplier LEGACY', 'dataimport accounts --pending --json'],
  settings: ['baseUrl', 'supplier', 'contract', 'caFile'],
  declare(command) {
    command
      .addOption(
        new Option('--all', 'pending and imported accounts (the default)').conflicts(['pending', 'imported']),
      )
      .addOption(
        new Option('--pending', 'accounts that are staged and not imported').conflicts(['all', 'imported']),
      )
      .addOption(new Option('--imported', 'accounts that are imported').conflicts(['all', 'pending']));
    declareRecord(command);
  },
  run,
};

async function run(options: AccountsOptions, context: CommandContext): Promise<CommandEnd> {
  const { pending, imported } = options;
  const settings = await context.settings();
  const supplier = settings.need('supplier');
  const asked = { ...targetOf(settings, context.io), recording: options };
  const { platform, baseUrl } = await connect(asked, settings, context);
  const target = {
    platform,
    baseUrl,
    accountNumberField: accountNumberField(
      'account-import-processes',
      settings,
      await appliedContract(settings, context.io.cwd),
    ),
  };
  const list = pending ? 'pending' : imported ? 'imported' : 'all';
  const { importProcesses } = await import('../client/account-queries.ts');
  const found = await importProcesses(target, supplier, list);
  return { exit: 'OK', result: shownAccounts({ supplier, list, accounts: found }) };
}

/** An account of a list, and whether the platform has created it. */
type ListedAccount = AccountImportProcess & { readonly isImported: boolean };

/** The accounts of a supplier, as `dataimport accounts` found them. */
interface AccountsResult {
  readonly supplier: string;
  readonly list: 'all' | 'pending' | 'imported';
  readonly accounts: readonly ListedAccount[];
}

type AccountCounts = { readonly total: number; readonly pending: number; readonly imported: number };

const shownAccounts = shownAs<AccountsResult>({
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

import { Option } from 'commander';
import type { AccountImportProcess } from '../../core/contract/account-import.ts';
import type { CommandContext, CommandDeclaration } from '../command.ts';
import type { ExitName } from '../exit-codes.ts';
import type { ProcessList } from '../client/account-queries.ts';
import { exitDocument, type JsonDocument } from '../render/json-output.ts';
import { counted, escapeControl } from '../render/text.ts';

export interface AccountsOptions {
  readonly all?: boolean;
  readonly pending?: boolean;
  readonly imported?: boolean;
}

export const accounts: CommandDeclaration<AccountsOptions> = {
  name: 'accounts',
  group: 'Look',
  summary: 'List the accounts of a supplier and whether they are imported',
  examples: ['dataimport accounts --supplier LEGACY', 'dataimport accounts --pending --json'],
  settings: ['baseUrl', 'supplier', 'caFile'],
  declare(command) {
    command
      .addOption(
        new Option('--all', 'pending and imported accounts (the default)').conflicts(['pending', 'imported']),
      )
      .addOption(
        new Option('--pending', 'accounts that are staged and not imported').conflicts(['all', 'imported']),
      )
      .addOption(new Option('--imported', 'accounts that are imported').conflicts(['all', 'pending']));
  },
  run,
};

interface AccountsDocument extends JsonDocument {
  readonly import_supplier: string;
  readonly list: ProcessList;
  readonly counts: AccountCounts;
  readonly accounts: readonly AccountImportProcess[];
}

interface AccountCounts {
  readonly total: number;
  readonly pending: number;
  readonly imported: number;
}

async function run(options: AccountsOptions, context: CommandContext): Promise<ExitName> {
  const settings = await context.settings();
  const supplier = settings.need('supplier');
  const { connect } = await import('../connection.ts');
  const { importProcesses } = await import('../client/account-queries.ts');
  const { platform, baseUrl } = await connect(context);
  const list = options.pending ? 'pending' : options.imported ? 'imported' : 'all';
  const target = { platform, baseUrl, accountNumberField: settings.need('accountNumberField') };
  const found = (await importProcesses(target, supplier, list)).map(documentedFields);
  const counts = countsOf(found);

  const { json, quiet } = context.globals;
  context.document({
    version: 1,
    import_supplier: supplier,
    list,
    counts,
    accounts: found,
    exit: exitDocument('OK'),
  } satisfies AccountsDocument);
  if (!json) await print(found, context);
  // In a pipe standard output has the heading and the accounts and nothing else.
  if (!json && !quiet) context.io.stderr.write(`${summary(supplier, counts)}\n`);
  return 'OK';
}

/** Without what a deployment adds: the documents of scripts change only when we change them. */
function documentedFields({
  external_account_number,
  platform_account_number,
  account_created_at,
}: AccountImportProcess): AccountImportProcess {
  return { external_account_number, platform_account_number, account_created_at };
}

/** Pending accounts are those without an account on the platform (interface.md 2.7). */
function stateOf({ platform_account_number }: AccountImportProcess): 'pending' | 'imported' {
  return platform_account_number === null ? 'pending' : 'imported';
}

function countsOf(found: readonly AccountImportProcess[]): AccountCounts {
  const pending = found.filter((account) => stateOf(account) === 'pending').length;
  return { total: found.length, pending, imported: found.length - pending };
}

function summary(supplier: string, { total, pending, imported }: AccountCounts): string {
  return escapeControl(
    `${counted(total, 'account')} of supplier ${supplier}: ${imported} imported, ${pending} pending`,
  );
}

const HEADING = ['account', 'state', 'platform account', 'created at'];

/** A table for people; for the next program in the pipe a line for each account, its cells parted by tabs. */
async function print(found: readonly AccountImportProcess[], { io }: CommandContext): Promise<void> {
  const rows = found.map((account) =>
    [
      account.external_account_number,
      stateOf(account),
      account.platform_account_number ?? '',
      account.account_created_at ?? '',
    ].map(escapeControl),
  );
  if (!io.stdout.isTTY) io.stdout.write([HEADING, ...rows].map((row) => `${row.join('\t')}\n`).join(''));
  else if (rows.length > 0) {
    const { tableText } = await import('../render/table.ts');
    io.stdout.write(tableText(HEADING, rows));
  }
}

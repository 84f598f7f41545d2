import { Option } from 'commander';
import type { CommandContext, CommandDeclaration, CommandEnd } from '../command/command.ts';
import { shownAccounts } from '../output/accounts-result.ts';
import { accountNumberField, appliedContract } from '../sources/applied-contract.ts';
import { connect, targetOf } from '../command/connection.ts';

export type AccountsOptions = Readonly<{ all?: boolean; pending?: boolean; imported?: boolean }>;

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
  },
  run,
};

async function run({ pending, imported }: AccountsOptions, context: CommandContext): Promise<CommandEnd> {
  const settings = await context.settings();
  const supplier = settings.need('supplier');
  const { platform, baseUrl } = await connect(targetOf(settings, context.io), settings, context);
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

import { allOf } from './difference.ts';
import type { CommandContext, CommandDeclaration, CommandEnd } from '../command/command.ts';
import { loadContract } from '../sources/contract-file.ts';
import { contractReport } from './contract-report.ts';

export const command: CommandDeclaration<object> = {
  description:
    "Shows what a contract demands beyond the interface, by resource: fields that it adds, what is narrower, rules with codes, and what is not enforced. Each line has the JSON pointer into the operator's document. Without the setting `contract` it shows contract.json.",
  examples: ['dataimport contract show', 'dataimport contract show --contract new-contract.json'],
  settings: ['contract'],
  declare: () => undefined,
  run,
};

async function run(_: object, context: CommandContext): Promise<CommandEnd> {
  const name = (await context.settings()).get('contract') ?? 'contract.json';
  const { contract } = loadContract(name, context.io.cwd);
  return { exit: 'OK', result: contractReport(name, contract, allOf(contract)) };
}

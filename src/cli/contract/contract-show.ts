import { demandsOf, statementsOf } from './difference.ts';
import type { CommandContext, CommandDeclaration, CommandEnd } from '../command/command.ts';
import { loadContract } from '../sources/contract-file.ts';
import { contractReport } from './contract-report.ts';
import { merged } from './finding.ts';

export interface ContractShowOptions {
  /** The setting `contract` when left out, or contract.json. */
  readonly file?: string;
}

export const command: CommandDeclaration<ContractShowOptions> = {
  description:
    "Shows what a contract demands beyond the interface, by resource: fields that it adds, what is narrower, rules with codes, and what is not enforced. Each line has the JSON pointer into the operator's document.",
  examples: ['dataimport contract show', 'dataimport contract show new-contract.json'],
  settings: ['contract'],
  declare: (command) =>
    void command.argument('[file]', 'contract (default: the setting `contract`, else contract.json)'),
  run,
};

async function run({ file }: ContractShowOptions, context: CommandContext): Promise<CommandEnd> {
  const name = file ?? (await context.settings()).get('contract') ?? 'contract.json';
  const { contract } = loadContract(name, context.io.cwd);
  const all = [...merged(demandsOf(contract)), ...statementsOf(contract)];
  return { exit: 'OK', result: contractReport(name, contract, all) };
}

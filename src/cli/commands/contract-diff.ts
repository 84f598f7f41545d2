import { differenceOf, isTighter } from '../../core/operator/difference.ts';
import type { CommandContext, CommandDeclaration, CommandEnd } from '../command.ts';
import { loadContract } from '../contract-file.ts';

export interface ContractDiffOptions {
  readonly old: string;
  readonly new: string;
}

export const command: CommandDeclaration<ContractDiffOptions> = {
  description:
    'Compares two contracts: what was added, removed, tightened and loosened. Ends with 6 when something became tighter, so that a scheduled job notices.',
  examples: ['dataimport contract diff contract.json new-contract.json'],
  settings: [],
  declare: (command) =>
    void command.argument('<old>', 'the contract until now').argument('<new>', 'the contract to come'),
  run,
};

async function run(options: ContractDiffOptions, { io }: CommandContext): Promise<CommandEnd> {
  const before = loadContract(options.old, io.cwd);
  const after = loadContract(options.new, io.cwd);
  const changes = differenceOf(before.contract, after.contract);
  return {
    exit: changes.some(isTighter) ? 'PARTIAL' : 'OK',
    result: {
      kind: 'contract_difference',
      old: { file: options.old, document: before.contract.document },
      new: { file: options.new, document: after.contract.document },
      changes,
    },
  };
}

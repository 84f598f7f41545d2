import { countsOf, lineOf, nameOf, sectionsOf } from './finding.ts';
import type { OperatorContract } from '../../core/operator/contract.ts';
import { CHANGE_KINDS, differenceOf, isTighter, type Change } from './difference.ts';
import type { CommandContext, CommandDeclaration, CommandEnd } from '../command/command.ts';
import type { Result } from '../output/result.ts';
import { loadContract } from '../sources/contract-file.ts';

export interface ContractDiffOptions {
  readonly old: string;
  readonly new: string;
}

export const command: CommandDeclaration<ContractDiffOptions> = {
  description:
    'Compares two contracts: what was added, removed, tightened and loosened. Ends with 6 when something became tighter, so that a scheduled job notices. `check --contract` of the new one says which rows it refuses.',
  examples: ['dataimport contract diff contract.json new-contract.json'],
  settings: [],
  declare: (command) =>
    void command.argument('<old>', 'the contract until now').argument('<new>', 'the contract to come'),
  run,
};

function run(options: ContractDiffOptions, { io: { cwd } }: CommandContext): Promise<CommandEnd> {
  const compared = (file: string): ComparedContract => ({ file, contract: loadContract(file, cwd).contract });
  const [before, after] = [compared(options.old), compared(options.new)];
  const changes = differenceOf(before.contract, after.contract);
  const exit = changes.some(isTighter) ? 'PARTIAL' : 'OK';
  return Promise.resolve({ exit, result: shownContractDifference({ old: before, new: after, changes }) });
}

type ComparedContract = { readonly file: string; readonly contract: OperatorContract };

interface ContractDifference {
  readonly old: ComparedContract;
  readonly new: ComparedContract;
  readonly changes: readonly Change[];
}

function shownContractDifference({ old: before, new: after, changes }: ContractDifference): Result {
  const compared = ({ file, contract }: ComparedContract) => ({ file, document: contract.document });
  const named = ({ file, contract: { document } }: ComparedContract): string =>
    `${file} (${document.title} ${document.version})`;
  return {
    fields: {
      old: compared(before),
      new: compared(after),
      counts: countsOf(CHANGE_KINDS, changes),
      changes: changes.map((change) => ({ name: nameOf(change), ...change })),
    },
    text: () => [
      `${named(before)} → ${named(after)}`,
      ...(changes.length === 0 ? ['', 'Both contracts demand the same.'] : []),
      ...sectionsOf(
        CHANGE_KINDS,
        changes,
        {},
        (change) => `  ${lineOf(change, change.from.new ?? change.from.old)}`,
      ),
    ],
  };
}

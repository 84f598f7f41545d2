import { sortedJson } from '../../core/values/plain-json.ts';
import type { CommandContext, CommandDeclaration, CommandEnd } from '../command/command.ts';
import { loadContract } from '../sources/contract-file.ts';
import { STATEMENT_KINDS } from '../../core/operator/contract.ts';
import { sections } from './contract-report.ts';
import { differenceOf, isTighter } from './difference.ts';
import { nameOf } from './finding.ts';

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

async function run(options: ContractDiffOptions, { io: { cwd } }: CommandContext): Promise<CommandEnd> {
  const [old, now] = [loadContract(options.old, cwd), loadContract(options.new, cwd)];
  const [before, after] = [old.contract, now.contract];
  const changes = differenceOf(before, after);
  // Fields are compared by the keywords of their schemas, and a whole record may have others.
  const isOtherwise = changes.length === 0 && sortedJson(before.schemas) !== sortedJson(after.schemas);
  const end = isOtherwise ? OTHERWISE : 'Both contracts demand the same.';
  return {
    exit: isOtherwise || changes.some(isTighter) ? 'PARTIAL' : 'OK',
    result: {
      fields: {
        old: { file: options.old, document: before.document },
        new: { file: options.new, document: after.document },
        changes: changes.map((change) => ({ name: nameOf(change), ...change })),
      },
      text: () => [
        `${options.old} (${old.name}) → ${options.new} (${now.name})`,
        ...(changes.length > 0 ? [] : ['', end]),
        ...sections(STATEMENT_KINDS.map((kind) => [kind, changes.filter((each) => each.kind === kind)])),
      ],
    },
  };
}

const OTHERWISE =
  'No difference is found in what is compared, but the schemas of the two differ otherwise: compare the files.';

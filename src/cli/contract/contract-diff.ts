import { sortedJson } from '../../core/values/plain-json.ts';
import { lineOf, nameOf } from './finding.ts';
import { CHANGE_KINDS, differenceOf, isTighter } from './difference.ts';
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
  const read = (file: string) => {
    const { contract } = loadContract(file, cwd);
    return { contract, shown: { file, document: contract.document } };
  };
  const [before, after] = [read(options.old), read(options.new)];
  const changes = differenceOf(before.contract, after.contract);
  // Fields are compared by some keywords of their schemas, and a schema has others.
  const isUnknown =
    changes.length === 0 && sortedJson(before.contract.schemas) !== sortedJson(after.contract.schemas);
  const [from, to] = [before, after].map(
    ({ shown: { file, document } }) => `${file} (${document.title} ${document.version})`,
  );
  const kinds = CHANGE_KINDS.map((kind) => [kind, changes.filter((change) => change.kind === kind)] as const);
  const result: Result = {
    fields: {
      old: before.shown,
      new: after.shown,
      counts: Object.fromEntries(kinds.map(([kind, found]) => [kind, found.length])),
      changes: changes.map((change) => ({ name: nameOf(change), ...change })),
    },
    text: () => [
      `${from} → ${to}`,
      ...(changes.length > 0 ? [] : ['', isUnknown ? OTHERWISE : 'Both contracts demand the same.']),
      ...kinds.flatMap(([kind, found]) =>
        found.length === 0
          ? []
          : [
              '',
              `${kind}: ${found.length}`,
              ...found.map((each) => `  ${lineOf(each, each.from.new ?? each.from.old)}`),
            ],
      ),
    ],
  };
  return Promise.resolve({ exit: isUnknown || changes.some(isTighter) ? 'PARTIAL' : 'OK', result });
}

const OTHERWISE =
  'No difference is found in what is compared, but the schemas of the two differ otherwise: compare the files.';

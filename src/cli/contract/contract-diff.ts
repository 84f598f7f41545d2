import { Option } from 'commander';
import { AppError } from '../../core/app-error.ts';
import { RESOURCES, type Resource } from '../../core/contract/resources.ts';
import { differenceOf, isTighter } from '../../core/operator/difference.ts';
import type { CommandContext, CommandDeclaration, CommandEnd } from '../command/command.ts';
import { mapOption } from '../command/flags.ts';
import { shownContractDifference } from './contract-difference.ts';
import { contractIn } from '../sources/applied-contract.ts';
import { checkUnderBoth } from './check-under-both.ts';

export interface ContractDiffOptions {
  readonly old: string;
  readonly new: string;
  /** The resource of the files. */
  readonly check?: Resource;
  /** Files that are checked under both contracts. */
  readonly file: readonly string[];
  /** Mapping of all the files. */
  readonly map?: string;
}

export const command: CommandDeclaration<ContractDiffOptions> = {
  description:
    'Compares two contracts: what was added, removed, tightened and loosened. With --check it also says which rows of your files the new one would refuse. Ends with 6 when something became tighter, so that a scheduled job notices.',
  examples: [
    'dataimport contract diff contract.json new-contract.json',
    'dataimport contract diff contract.json new-contract.json --check transactions bills.csv',
  ],
  settings: ['supplier', 'earliestDate'],
  declare: (command) =>
    void command
      .argument('<old>', 'the contract until now')
      .argument('<new>', 'the contract to come')
      .argument('[file...]', 'files for --check')
      .addOption(
        new Option('--check <resource>', 'check these files under both contracts').choices(RESOURCES),
      )
      .addOption(mapOption()),
  run,
};

async function run(options: ContractDiffOptions, context: CommandContext): Promise<CommandEnd> {
  const { cwd } = context.io;
  const { check: resource, file, map } = options;
  if ((resource === undefined) !== (file.length === 0)) {
    const reason =
      resource === undefined
        ? 'files are for --check, which names their resource'
        : '--check needs the files to check, such as `--check transactions bills.csv`';
    throw new AppError('usage', { reason, command: 'contract diff' });
  }
  if (file.includes('-')) {
    const reason = 'standard input (-) can be read once only, and a check under two contracts reads twice';
    throw new AppError('usage', { reason, command: 'contract diff' });
  }
  const [before, after] = [await contractIn(options.old, cwd), await contractIn(options.new, cwd)];
  const changes = differenceOf(before.contract, after.contract);
  const checked =
    resource === undefined
      ? null
      : await checkUnderBoth({ resource, file, ...(map !== undefined && { map }) }, [before, after], {
          settings: await context.settings(),
          ports: context,
        });
  const isWorse = changes.some(isTighter) || (checked !== null && checked.broken.length > 0);
  return {
    exit: checked?.exit ?? (isWorse ? 'PARTIAL' : 'OK'),
    result: shownContractDifference({
      old: { file: options.old, document: before.contract.document },
      new: { file: options.new, document: after.contract.document },
      changes,
      checked,
    }),
  };
}

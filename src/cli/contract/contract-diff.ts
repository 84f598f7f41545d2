import { Option } from 'commander';
import { AppError } from '../../core/app-error.ts';
import { RESOURCES, type Resource } from '../../core/contract/resources.ts';
import { differenceOf, isTighter } from '../../core/operator/difference.ts';
import type { CommandContext, CommandDeclaration, CommandEnd } from '../command/command.ts';
import { mapOption, type SourceFlags } from '../command/flags.ts';
import { shownContractDifference, type FilesUnderBoth } from './contract-difference.ts';
import { contractIn, type AppliedContract } from '../sources/applied-contract.ts';
import type { CommandPorts } from '../command/command-ports.ts';
import type { ExitName } from '../output/exit-codes.ts';
import { LISTED_PROBLEMS, type LocatedProblem } from '../push/ports/report.ts';
import type { KeptError } from '../journal/read/problems.ts';
import type { Reading } from '../journal/reading.ts';
import { listenForInterruption } from '../command/interruption.ts';
import { CountedRows } from '../journal/read/counted-rows.ts';
import type { Settings } from '../settings/settings.ts';
import { checkedFiles } from '../check/checked-files.ts';

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
  settings: ['supplier'],
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

/** How a check under two contracts ended. */
interface CheckUnderBoth extends FilesUnderBoth {
  /** How the command ends when it was interrupted. */
  readonly exit: ExitName | undefined;
}

/** Checks files under an old and a new contract. */
async function checkUnderBoth(
  flags: SourceFlags,
  [before, after]: readonly [AppliedContract, AppliedContract],
  { settings, ports }: { settings: Settings; ports: Pick<CommandPorts, 'io' | 'output' | 'onClose'> },
): Promise<CheckUnderBoth> {
  const interruption = listenForInterruption(ports, { sends: false });
  const checkedUnder = async (contract: AppliedContract): Promise<Reading> =>
    (await checkedFiles(flags, settings, { ports, interruption }, { contract, counted: new CountedRows() }))
      .run;
  const [old, now] = [await checkedUnder(before), await checkedUnder(after)];
  const broken: LocatedProblem[] = [];
  let brokenTotal = 0;
  for (const problem of newErrors(old.errors(), now.errors()))
    if (++brokenTotal <= LISTED_PROBLEMS) broken.push(problem);
  const { rows } = now.report();
  return {
    read: rows.read,
    invalid: { old: old.report().rows.invalid, new: rows.invalid },
    broken,
    brokenTotal,
    exit: interruption.stopping.aborted ? interruption.exit() : undefined,
  };
}

/** The errors of a line that the same line did not have before. Both are in the same order, so only one line is in memory. */
function* newErrors(before: Iterable<KeptError>, after: Iterable<KeptError>): Generator<LocatedProblem> {
  const earlier = before[Symbol.iterator]();
  let next = earlier.next();
  let known = new Set<string>();
  let reached: KeptError | undefined;
  for (const error of after) {
    if (!reached || orderOf(reached, error) !== 0) known = new Set();
    reached = error;
    for (; !next.done && orderOf(next.value, error) <= 0; next = earlier.next())
      if (orderOf(next.value, error) === 0) known.add(keyOf(next.value.problem));
    if (!known.has(keyOf(error.problem))) yield error.problem;
  }
}

/** Negative, zero or positive: whether the line of an error is before, at or behind that of another one. */
function orderOf(a: KeptError, b: KeptError): number {
  return a.source - b.source || (a.problem.line ?? 0) - (b.problem.line ?? 0);
}

function keyOf({ file, line, column, code, attr }: LocatedProblem): string {
  return JSON.stringify([file, line, column, code, attr]);
}

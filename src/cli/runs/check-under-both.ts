import type { CommandPorts } from '../command-ports.ts';
import type { ExitName } from '../exit-codes.ts';
import type { SourceFlags } from '../flags.ts';
import type { FilesUnderBoth } from '../output/contract-difference.ts';
import type { LocatedProblem, RunReport } from '../push/ports/report.ts';
import type { AppliedContract } from './applied-contract.ts';
import { listenForInterruption } from './interruption.ts';
import type { Settings } from '../settings/settings.ts';
import { checkedFiles } from './checked-files.ts';

/** How a check under two contracts ended. */
interface CheckUnderBoth extends FilesUnderBoth {
  /** How the command ends when it was interrupted. */
  readonly exit: ExitName | undefined;
}

/** Checks files under an old and a new contract. */
export async function checkUnderBoth(
  flags: SourceFlags,
  [before, after]: readonly [AppliedContract, AppliedContract],
  {
    settings,
    ports,
  }: {
    readonly settings: Settings;
    readonly ports: Pick<CommandPorts, 'io' | 'output' | 'onClose'>;
  },
): Promise<CheckUnderBoth> {
  const interruption = listenForInterruption(ports);
  const reportUnder = async (contract: AppliedContract): Promise<RunReport> => {
    const { run } = await checkedFiles(flags, settings, { ports, interruption }, contract);
    return run.report();
  };
  const [old, now] = [await reportUnder(before), await reportUnder(after)];
  const known = new Set(old.problems.map(keyOf));
  return {
    read: now.rows.read,
    invalid: { old: old.rows.invalid, new: now.rows.invalid },
    broken: now.problems.filter((problem) => problem.severity === 'error' && !known.has(keyOf(problem))),
    exit: interruption.stopping.aborted ? interruption.exit() : undefined,
  };
}

function keyOf({ file, line, column, code, attr }: LocatedProblem): string {
  return JSON.stringify([file, line, column, code, attr]);
}

import type { CommandPorts } from '../command/command-ports.ts';
import type { ExitName } from '../output/exit-codes.ts';
import type { SourceFlags } from '../command/flags.ts';
import type { FilesUnderBoth } from './contract-difference.ts';
import { LISTED_PROBLEMS, type LocatedProblem } from '../push/ports/report.ts';
import type { KeptError } from '../run-file/read/problems.ts';
import type { RunFile } from '../run-file/run-file.ts';
import type { AppliedContract } from '../sources/applied-contract.ts';
import { listenForInterruption } from '../ending/interruption.ts';
import type { Settings } from '../settings/settings.ts';
import { checkedFiles } from '../check/checked-files.ts';

/** How a check under two contracts ended. */
interface CheckUnderBoth extends FilesUnderBoth {
  /** How the command ends when it was interrupted. */
  readonly exit: ExitName | undefined;
}

/** Checks files under an old and a new contract. */
export async function checkUnderBoth(
  flags: SourceFlags,
  [before, after]: readonly [AppliedContract, AppliedContract],
  { settings, ports }: { settings: Settings; ports: Pick<CommandPorts, 'io' | 'output' | 'onClose'> },
): Promise<CheckUnderBoth> {
  const interruption = listenForInterruption(ports, { sends: false });
  const checkedUnder = async (contract: AppliedContract): Promise<RunFile> =>
    (await checkedFiles(flags, settings, { ports, interruption }, { contract, keeps: 'invalid' })).run;
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

import { failure } from '../../core/problem.ts';
import type { CommandPorts } from '../command/command-ports.ts';
import type { NextCommands } from '../ending/next-commands.ts';
import type { Reading } from '../journal/reading.ts';
import { locateOwnProblem } from '../push/own-problem.ts';
import { problemReport } from '../push/ports/listed-problems.ts';
import type { EndReason, ReportView, RunReport } from '../push/ports/report.ts';

/** The flags and ports that decide what a command shows. */
interface Viewing {
  readonly flags: { readonly showValues?: boolean };
  readonly commands: NextCommands;
  readonly ports: Pick<CommandPorts, 'output'>;
}

/** How the problems of a run are shown to its command. The person at a terminal has the files, so nothing is hidden there. */
export function viewOf({ header }: Pick<Reading, 'header'>, { flags, commands, ports }: Viewing): ReportView {
  return {
    showValues: flags.showValues ?? ports.output.isRead,
    command: `${commands.show(header)} --show-values`,
  };
}

/** The report with the reason for the early end as its first problem. `file`: the first source of the run. */
export function reportWithReason(
  report: RunReport,
  reason: EndReason | null,
  { file, resume }: { file: string; resume: string },
): RunReport {
  if (!reason) return report;
  // A report that is shown later names the resume command of the later command line.
  const problem = locateOwnProblem(failure(reason.code, [], { ...reason.facts, resume }), { file });
  const problems = [problem, ...report.problems];
  const { warningGroups } = report;
  const errorGroups = [{ count: 1, first: problem, lines: [] }, ...report.errorGroups];
  return { ...report, ...problemReport({ problems, errorGroups, warningGroups }) };
}

import type { CommandContext } from '../command.ts';
import type { DrainEnd } from '../push/drain.ts';
import type { RunReport } from '../push/ports/report.ts';
import { pushDocumentOf, type Ending } from '../render/push-document.ts';
import { problemsText, pushSummary } from '../render/push-summary.ts';
import { escapeControl } from '../render/text.ts';

/** Prints what a run has come to: problems to standard error, the result to standard output. */
export function showRun(
  report: RunReport,
  ending: Ending,
  context: CommandContext,
  run: string | null = report.run,
): void {
  const { io, globals } = context;
  context.document(pushDocumentOf(report, ending, run));
  io.stderr.write(problemsText(report));
  if (!globals.json) io.stdout.write(pushSummary(report, ending));
}

/** Why draining ended early, where the problems of the rows do not tell. */
export function tellEnd(end: DrainEnd, { io }: CommandContext): void {
  const reason =
    end.kind === 'unfinished'
      ? `the platform kept failing, last with: ${end.reason}`
      : end.kind === 'unauthenticated' && end.error
        ? end.error.message
        : undefined;
  if (reason !== undefined) io.stderr.write(`${escapeControl(reason)}\n`);
}

import type { CommandContext } from '../command.ts';
import type { RunReport } from '../push/ports/report.ts';
import { pushDocumentOf, type Ending } from '../render/push-document.ts';
import { problemsText } from '../render/problems-text.ts';
import { pushSummary } from '../render/push-summary.ts';

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

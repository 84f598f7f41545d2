import type { RunResult } from '../output/run/run-document.ts';
import type { LeftDoubts } from './doubts.ts';
import { endReasonOf, reportWithReason } from './end-reason.ts';
import { endingOf, stopOf } from '../ending/ending.ts';
import { endingCommands } from '../ending/next-commands.ts';
import { viewOf } from './report-view.ts';
import { elapsedMs, type Sending } from './sending.ts';

/** The result of a command that could not find out what became of requests of another version. It has sent nothing of its own. */
export function unsettledResult({ run, end }: LeftDoubts, sending: Sending, again: string): RunResult {
  const { commands, interruption } = sending;
  const counted = run.report(viewOf(run, sending));
  const reason = endReasonOf(end, counted.rows, again);
  const report = reportWithReason(counted, reason, { file: run.header.sources[0]!.name, resume: again });
  const stop = stopOf(end, interruption.exit()) ?? 'UNFINISHED';
  return {
    run: run.header.id,
    report,
    ending: {
      ...endingOf(report, stop, { commands: endingCommands(commands, run, again), isOpen: true }),
      next: again,
    },
    durationMs: elapsedMs(sending),
    notes: [
      `first: requests of ${run.header.id}, an earlier version, may have been applied; nothing else is sent before that is known`,
    ],
  };
}

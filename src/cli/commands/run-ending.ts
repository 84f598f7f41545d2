import { isExitName, type ExitName } from '../exit-codes.ts';
import type { RunReport } from '../push/ports/report.ts';
import type { RunEnd } from '../push/ports/run-end.ts';
import type { Ending } from '../render/push-document.ts';
import type { RunCondition } from '../run-file/run-file.ts';

/** What is known of the end of a run beside the time it took. */
export type RunEnding = Omit<Ending, 'durationMs'>;

/** How a run ends that has nothing left to do. */
export function finishedEnding({ rows }: RunReport): RunEnding {
  // What is unknown here was taken over by another run.
  const isWhole = rows.rejected + rows.verify + rows.unknown + rows.invalid === 0;
  return { exit: isWhole ? 'OK' : 'PARTIAL', resumable: false, next: null };
}

/** Refusals that are sure to come again, because what is refused is there. */
const THERE_ALREADY: ReadonlySet<string> = new Set([
  'historical_statement_already_exists',
  'payment_instruction_already_active',
]);

/** How a run ends that the platform refused a request of. */
export function refusedEnding({ problems }: RunReport, resume: string): RunEnding {
  const errors = problems.filter(({ severity }) => severity === 'error');
  const comesAgain = errors.length > 0 && errors.every(({ code }) => THERE_ALREADY.has(code));
  const next = comesAgain
    ? 'remove the rows that are there already and push the corrected file; resuming would meet the same refusal'
    : resume;
  return { exit: 'REFUSED', resumable: true, next };
}

/**
 * How a run ended, as its command told it; when that could not tell, as it would end now. `resume` is the command that
 * goes on with it.
 */
export function endingNow(
  condition: RunCondition,
  report: RunReport,
  { end, resume }: { readonly end: RunEnd | null; readonly resume: string },
): RunEnding {
  switch (condition) {
    case 'done':
      return finishedEnding(report);
    case 'open': {
      const exit = exitOf(end, report);
      // Without a reason of its own it ended at what the platform refused.
      return exit === 'REFUSED' && !end?.reason
        ? refusedEnding(report, resume)
        : { exit, resumable: true, next: resume };
    }
    case 'forgotten':
    case 'never_staged': {
      const next = 'push the file again: nothing more can be sent from this run';
      return { exit: exitOf(end, report), resumable: false, next };
    }
    default:
      return condition satisfies never;
  }
}

function exitOf(end: RunEnd | null, { accounts }: RunReport): ExitName {
  if (end && isExitName(end.exit)) return end.exit;
  return accounts.stopped > 0 ? 'REFUSED' : 'UNFINISHED';
}

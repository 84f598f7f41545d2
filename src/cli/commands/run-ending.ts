import { isExitName, type ExitName } from '../exit-codes.ts';
import type { RunEnd, RunReport } from '../push/ports/report.ts';
import type { Ending } from '../render/push-document.ts';
import type { RunCondition } from '../run-file/run-file.ts';

/** What is known of the end of a run beside the time it took. */
export type RunEnding = Omit<Ending, 'durationMs'>;

/** What there is to type about a run that has nothing left to do. */
export interface LinesAfter {
  /** The command that sends its refused records again; null when it has none any more. */
  readonly retry: string | null;
  /** The command that lists the rows to look at; null where they are being listed. */
  readonly show: string | null;
}

/** How a run ends that has nothing left to do. */
export function finishedEnding({ rows }: RunReport, { retry, show }: LinesAfter): RunEnding {
  // What is unknown here was taken over by another run.
  const isWhole = rows.rejected + rows.verify + rows.unknown + rows.invalid === 0;
  const look = rows.verify > 0 ? show : null;
  const next = rows.rejected > 0 ? (retry ?? look) : look;
  return { exit: isWhole ? 'OK' : 'PARTIAL', resumable: false, next };
}

/** Refusals that are sure to come again, because what is refused is there. */
const THERE_ALREADY: ReadonlySet<string> = new Set([
  'historical_statement_already_exists',
  'payment_instruction_already_active',
]);

/** How a run ends that the platform refused a request of. Resumed as it is, it would meet a refusal of what is there again. */
export function refusedEnding({ problems }: RunReport, resume: string): RunEnding {
  const errors = problems.filter(({ severity }) => severity === 'error');
  const comesAgain = errors.length > 0 && errors.every(({ code }) => THERE_ALREADY.has(code));
  const next = comesAgain ? `${resume} --on-reject skip` : resume;
  return { exit: 'REFUSED', resumable: true, next };
}

/**
 * How a run ended, as its command told it; when that could not tell, as it would end now. `resume` is the command that
 * goes on with it.
 */
export function endingNow(
  condition: RunCondition,
  report: RunReport,
  {
    end,
    resume,
    after,
  }: { readonly end: RunEnd | null; readonly resume: string; readonly after: LinesAfter },
): RunEnding {
  switch (condition) {
    case 'done':
      return finishedEnding(report, after);
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

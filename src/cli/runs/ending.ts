import { AppError } from '../../core/app-error.ts';
import { entryOf, type ErrorCode } from '../../core/error-codes/table.ts';
import { isExitName, type ExitName } from '../exit-codes.ts';
import type { Ending } from '../output/run-document.ts';
import { addsUp, unequalTotals, type RunEnd, type RunReport } from '../push/ports/report.ts';
import type { RunCondition } from '../run-file/run-file.ts';
import type { CommandsAfter } from './next-commands.ts';
import type { DrainEnd } from '../push/drain.ts';

/** Commands that an ending may name. */
interface EndingCommands {
  /** Continues the run. */
  readonly resume: string;
  readonly after: CommandsAfter;
}

/**
 * How a command ends after it sent a run. `isOpen`: whether something is left to send. `interrupted`: the exit after a signal.
 * @throws AppError `totals_unequal`
 */
export function endingAfter(
  end: DrainEnd,
  report: RunReport,
  {
    resume,
    after,
    isOpen,
    interrupted,
  }: EndingCommands & { readonly isOpen: boolean; readonly interrupted: ExitName },
): Ending {
  assertConserved(report);
  const open = { resumable: true, next: resume };
  switch (end.kind) {
    case 'finished':
      return finishedEnding(report, after);
    case 'refused':
      // A refused record that must not be sent again leaves nothing to resume when it was the last one.
      return isOpen ? refusedEnding(report, resume) : finishedEnding(report, after);
    case 'too_many_errors':
    // Not UNFINISHED: scripts resume an unfinished run at once, and here a person has to decide.
    case 'unresolved':
      return { exit: 'REFUSED', ...open };
    case 'unauthenticated':
      return { exit: end.error ? entryOf(end.error.code).exit : 'AUTH', ...open };
    case 'unrecorded':
      return { exit: 'RUN_FILE', ...open };
    case 'unfinished':
    case 'asked_to_wait':
    case 'unconnected':
    case 'time_over':
      return { exit: 'UNFINISHED', ...open };
    case 'interrupted':
      return { exit: interrupted, ...open };
    default:
      return end satisfies never;
  }
}

/** Every row has one outcome, and the totals are those that were read. @throws AppError `totals_unequal` */
export function assertConserved(report: RunReport): void {
  const [unequal] = unequalTotals(report);
  if (addsUp(report.rows) && !unequal) return;
  const detail = unequal
    ? `${unequal.type ?? 'all'}: read ${unequal.read}, accepted ${unequal.accepted}`
    : JSON.stringify(report.rows);
  throw new AppError('totals_unequal', { what: `the run ${report.run}`, detail });
}

/** Exits after which a person is needed before the work can go on. */
const NEEDS_PERSON: ReadonlySet<ExitName> = new Set(['REFUSED', 'AUTH', 'RUN_FILE']);

/** The ending furthest from done: one that needs a person, one that can go on, one with rows to look at. */
export function furthestFromDone(endings: readonly Ending[]): Ending {
  return (
    endings.find(({ exit }) => NEEDS_PERSON.has(exit)) ??
    endings.find(({ exit }) => exit !== 'OK' && exit !== 'PARTIAL') ??
    endings.find(({ exit }) => exit === 'PARTIAL') ??
    endings[0]!
  );
}

/** How a run ends that has nothing left to do. */
export function finishedEnding(report: RunReport, after: CommandsAfter): Ending {
  const { rejected, verify, unknown, invalid } = report.rows;
  // Another run took over the rows that are unknown here.
  const isWhole = rejected + unknown + invalid + (verify - report.judged) === 0;
  return { exit: isWhole ? 'OK' : 'PARTIAL', resumable: false, next: nextAfter(report, after) };
}

function nextAfter(report: RunReport, { refused, show, judge }: CommandsAfter): string | null {
  const { rejected, verify } = report.rows;
  const mayRetry = rejected > 0 && refused !== null;
  if (mayRetry && !isRetryInVain(report)) return refused;
  return mayRetry || verify > report.judged ? (show ?? judge) : null;
}

/** Whether the refused records would be refused again: the platform has them, or a retry that added nothing has shown it. */
function isRetryInVain({ parent, rows, errorGroups }: RunReport): boolean {
  if (parent !== null && rows.created + rows.existing === 0) return true;
  const refusals = errorGroups.map(({ first }) => first).filter(({ code }) => !OF_VERIFY.has(code));
  return refusals.length > 0 && refusals.every(({ code }) => THERE_ALREADY.has(code));
}

/** Problems of rows that are not refused. */
const OF_VERIFY: ReadonlySet<string> = new Set<ErrorCode>([
  'outcome_unproven',
  'answer_differs',
  'existing_differs',
]);

/** Refusals that every further attempt meets again, because the platform has the record. */
const THERE_ALREADY: ReadonlySet<string> = new Set<ErrorCode>([
  'historical_statement_already_exists',
  'payment_instruction_already_active',
]);

/** How a run ends after the platform refused a request. A refusal that comes again needs --on-reject skip. */
function refusedEnding({ problems }: RunReport, resume: string): Ending {
  const errors = problems.filter(({ severity }) => severity === 'error');
  const comesAgain = errors.length > 0 && errors.every(({ code }) => THERE_ALREADY.has(code));
  const next = comesAgain ? `${resume} --on-reject skip` : resume;
  return { exit: 'REFUSED', resumable: true, next };
}

/** How a run ended, as its last command recorded it. Without a record (`end` is null), how a command would end it now. */
export function recordedEnding(
  condition: RunCondition,
  report: RunReport,
  { end, resume, after }: EndingCommands & { readonly end: RunEnd | null },
): Ending {
  switch (condition) {
    case 'done':
      return finishedEnding(report, after);
    case 'open': {
      const exit = recordedExit(end, report);
      // Without a reason of its own the run ended at a refusal of the platform.
      return exit === 'REFUSED' && !end?.reason
        ? refusedEnding(report, resume)
        : { exit, resumable: true, next: resume };
    }
    case 'forgotten':
    case 'never_staged': {
      const next = 'push the file again: nothing more can be sent from this run';
      return { exit: recordedExit(end, report), resumable: false, next };
    }
    default:
      return condition satisfies never;
  }
}

function recordedExit(end: RunEnd | null, { accounts }: RunReport): ExitName {
  if (end && isExitName(end.exit)) return end.exit;
  return accounts.stopped > 0 ? 'REFUSED' : 'UNFINISHED';
}

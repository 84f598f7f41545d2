import type { RunResult } from '../output/run/run-document.ts';
import type { StageEnd } from '../push/stage/stage.ts';
import type { Ending, SendingPlan } from '../output/run/run-document.ts';
import type { Reading } from '../journal/reading.ts';
import { endingOf } from '../ending/ending.ts';
import type { Part } from './part.ts';
import { viewOf } from './report-view.ts';
import { elapsedMs, type Sending } from './sending.ts';

/** The result of a run of which everything arrived before. The platform is not asked for a single record. */
export function finishedResult({ run }: Pick<Part, 'run'>, sending: Sending, again: string): RunResult {
  const { commands } = sending;
  const report = run.report(viewOf(run, sending));
  return {
    run: run.header.id,
    report,
    ending: endingOf(report, null, { again, unresolved: commands.unresolved(run.header), isOpen: false }),
    durationMs: elapsedMs(sending),
    arrivedNow: 0,
    earlierRequests: report.requests.total,
  };
}

/** `again`: the same command. `run`: the run if it is kept. `records`: that would be sent. */
interface UnsentRun {
  readonly again: string;
  readonly run: Reading | null;
  readonly records: number;
}

/** How a command ends that has sent nothing. */
export function unsentEnding(
  { kind }: StageEnd,
  { interruption, commands }: Pick<Sending, 'interruption' | 'commands'>,
  { again, run, records }: UnsentRun,
): Ending {
  switch (kind) {
    case 'staged':
      return { exit: 'OK', resumable: false, next: records === 0 ? null : SENDS_THEM };
    case 'interrupted':
      return { exit: interruption.exit(), resumable: false, next: again };
    case 'invalid':
      return {
        exit: 'INPUT_INVALID',
        resumable: false,
        next: `correct the invalid rows in their file, then: ${again}`,
      };
    case 'conflicting':
      return {
        exit: 'INPUT_INVALID',
        resumable: run !== null,
        next: run === null ? LISTS_THEM : commands.unresolved(run.header),
      };
    default:
      return kind satisfies never;
  }
}

const SENDS_THEM = 'the same command without --dry-run sends these rows';
const LISTS_THEM =
  'the same command without --dry-run keeps a list of these rows for the operator of the platform';

/** What a push of a staged run would send. */
export function sendingPlan(run: Reading, { baseUrl }: Pick<Sending, 'baseUrl'>): SendingPlan {
  return { target: baseUrl === '' ? null : baseUrl, ...run.openWork() };
}

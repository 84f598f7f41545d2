import { DESCRIPTORS, THERE_ALREADY, type Resource } from '../../core/contract/resources.ts';
import { FIELD_CODES } from '../../core/error-codes/platform-codes.ts';
import { entryOf, type ErrorCode } from '../../core/error-codes/table.ts';
import { total } from '../../core/values/counts.ts';
import type { Reading } from '../journal/reading.ts';
import { isExitName, type ExitName } from '../output/exit-codes.ts';
import type { Ending } from '../output/run/run-document.ts';
import type { NextCommands } from './next-commands.ts';
import type { DrainEnd } from '../push/send/drain.ts';
import type { LocatedProblem, RowCounts, RunReport } from '../push/ports/report.ts';

/** Commands that an ending may name, and whether something is left to send or to find out. */
interface Left {
  /** Goes on with the work. It reads the files again, which a person may have corrected. */
  readonly again: string;
  /** Lists the rows that only a person can settle. */
  readonly unresolved: string;
  readonly isOpen: boolean;
}

/** The exit of a command that stopped early; null when it came to its end. `interrupted`: the exit after a signal. */
export function stopOf({ kind, reason }: DrainEnd, interrupted: ExitName): ExitName | null {
  if (kind === 'finished') return null;
  if (kind === 'interrupted') return interrupted;
  if (reason) return entryOf(reason.code).exit;
  return kind === 'unauthenticated' ? 'AUTH' : 'REFUSED';
}

/** Rows that are not on the platform, or of which nobody knows. */
export function openRows({ rejected, unknown, not_sent, verify, invalid }: RowCounts): number {
  return rejected + unknown + not_sent + verify + invalid;
}

/**
 * How a command about a run ends. The counts alone decide between success and anything else. `stop`: why it ended early; null when it came
 * to its end.
 */
export function endingOf(report: RunReport, stop: ExitName | null, left: Left): Ending {
  const { isOpen } = left;
  if (openRows(report.rows) === 0) return { exit: 'OK', resumable: false, next: null };
  // A refused record that must not be sent again leaves nothing to go on with when it was the last one.
  const isStopped = stop !== null && (isOpen || stop !== 'REFUSED');
  return { exit: isStopped ? stop : 'PARTIAL', resumable: isOpen, next: nextOf(report, stop, left) };
}

/** How a reading ended, as its last command recorded it. Without a record, how a command would end it now. */
export function recordedEnding(
  { header, choice, condition, end }: Pick<Reading, 'header' | 'choice' | 'condition' | 'end'>,
  report: RunReport,
  commands: NextCommands,
): Ending {
  const died = report.accounts.stopped > 0 ? 'REFUSED' : 'UNFINISHED';
  const recorded = end && isExitName(end.exit) ? end.exit : died;
  const isOpen = condition === 'open' || (condition === 'forgotten' && end !== null);
  const [again, unresolved] = [commands.again({ header, choice }), commands.unresolved(header)];
  const ending = endingOf(report, isOpen ? recorded : null, { again, unresolved, isOpen });
  return { ...ending, resumable: ending.resumable && condition === 'open' };
}

/** The next step: the command again where it leads on, and else what a person has to do first. */
function nextOf(
  { rows, changed, errorGroups, resource }: RunReport,
  stop: ExitName | null,
  { again, unresolved }: Left,
): string {
  const countOf = (fits: (problem: LocatedProblem) => boolean): number =>
    total(
      errorGroups.filter(({ first }) => fits(first)),
      ({ count }) => count,
    );
  const correctInvalid = `correct the invalid rows in their file, then: ${again}`;
  const correctRefused = `correct the refused rows in their file, then: ${again}`;
  if (errorGroups.length > 0 && errorGroups.every(({ first }) => isAboutSupplier(first)))
    return RIGHT_SUPPLIER;
  // Nothing was sent because of these rows, or because the platform has some records otherwise.
  if (stop === 'INPUT_INVALID') return rows.invalid > changed ? correctInvalid : unresolved;
  const there = countOf(({ code }) => THERE_ALREADY.includes(code));
  // The same refusal would stop the command again.
  if (stop === 'REFUSED' && there > 0 && there === rows.rejected) return unresolved;
  const inFile = countOf(isInFile);
  if (stop === 'REFUSED' && inFile > 0 && inFile === rows.rejected) return correctRefused;
  if (rows.unknown + rows.not_sent > 0) return again;
  const final = countOf((problem) => isFinal(resource, problem));
  if (rows.rejected > final + there) return inFile < rows.rejected - final - there ? again : correctRefused;
  if (rows.invalid > changed) return correctInvalid;
  if (rows.verify + changed > 0 || rows.rejected > final) return unresolved;
  return correctRefused;
}

const RIGHT_SUPPLIER =
  'correct --supplier, or the column or the mapping that names the supplier, then type the command again';

/** Whether a problem has one cause in the command or the mapping, however many rows have it. */
const isAboutSupplier = ({ attr, code }: LocatedProblem): boolean =>
  code === ('mixed_suppliers' satisfies ErrorCode) ||
  (attr === 'import_supplier' && code === ('invalid_choice' satisfies ErrorCode));

/** Whether a row would be refused again until a value of it is corrected. The account may be imported by now. */
const isInFile = ({ code, http_status, attr }: LocatedProblem): boolean =>
  http_status === 400 && Object.hasOwn(FIELD_CODES, code) && attr !== 'external_account_number';

/** Whether a refusal is final for the form of its record (interface.md 4.5). */
export function isFinal(resource: Resource, { code, http_status, attr }: LocatedProblem): boolean {
  if (THERE_ALREADY.includes(code)) return false;
  // The account may be imported by now.
  if (code === ('account_not_found' satisfies ErrorCode) || attr === 'external_account_number') return false;
  return (
    code === 'payment_instruction_refused' ||
    (http_status === 400 && DESCRIPTORS[resource].refusal.final !== null)
  );
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

import { DESCRIPTORS } from '../../../core/contract/resources.ts';
import type { ErrorCode } from '../../../core/error-codes/table.ts';
import type { BatchResult, Rejection } from './classify.ts';
import {
  isAboutAccount,
  locatePlatformError,
  isOfTheRun,
  type ErrorContext,
  type PlatformError,
} from './platform-errors.ts';
import type { AnsweredProblem, SettledOutcome } from '../ports/report.ts';
import type { Batch, RecordResult, Settlement } from '../ports/run.ts';

/** The results of records, with the status of the answer. */
type Results = { readonly records: readonly RecordResult[]; readonly status: number | null };

/** The settlement of an answer that accounts for every record. */
export function settlementOfSuccess(context: ErrorContext, batch: Batch, results: Results): Settlement {
  return { ...results, state: 'done', problems: verifiedAndMoved(context, batch, results), inDoubt: false };
}

/** The settlement of records that are not sent again, although no answer says whether the platform has them. */
export function settlementOfUnsent(context: ErrorContext, batch: Batch): Settlement {
  const records = batch.records.map(({ seq }): RecordResult => ({ seq, outcome: 'verify' }));
  return settlementOfSuccess(context, batch, { records, status: null });
}

/** The settlement of a refusal that ends the run. */
export function settlementOfRefusal(
  context: ErrorContext,
  batch: Batch,
  refusal: { result: Exclude<BatchResult, { kind: 'ok' } | { reason: string }>; status: number },
): Settlement {
  const { result, status } = refusal;
  const records = result.kind === 'rejected' ? result.records : [];
  return {
    status,
    records,
    state: isFinal(context, batch, refusal) ? 'done' : 'rejected',
    problems: [
      ...result.errors.map((error) => locatePlatformError(context, batch, error)),
      ...verifiedAndMoved(context, batch, { records, status }),
    ],
    inDoubt:
      result.kind === 'foreign' ||
      (DESCRIPTORS[context.resource].refusal.mayKeepPart &&
        result.kind === 'rejected' &&
        mayHaveKept(batch, result, status)),
  };
}

/** Whether a refused record must not be sent again in the same form (interface.md 4.5), so that it stays rejected. */
function isFinal(
  { resource }: ErrorContext,
  batch: Batch,
  { result, status }: Parameters<typeof settlementOfRefusal>[2],
): boolean {
  if (DESCRIPTORS[resource].refusal.final === null || result.kind !== 'rejected' || status !== 400)
    return false;
  return result.records.every(({ outcome }) => outcome !== null) && reachOf(batch, result, status) !== 'run';
}

/** A refusal names the first record that failed. The platform may have kept the records before it (interface.md 4.3). */
function mayHaveKept(batch: Batch, rejection: Rejection, status: number): boolean {
  return (status < 300 || status === 400) && reachOf(batch, rejection, status) !== 'account';
}

/** The settlement of a refusal whose records are set aside. The other records of the batch are sent again. */
export function settlementOfSetAside(
  context: ErrorContext,
  batch: Batch,
  refusal: { rejection: Rejection; reach: 'records' | 'account'; status: number },
): Settlement {
  const { rejection, reach, status } = refusal;
  const { records, errors } = reach === 'records' ? namedIn(batch, rejection, status) : rejection;
  const isWhole = records.every(({ outcome }) => outcome !== null);
  return {
    status,
    records,
    state: isWhole ? 'done' : 'again',
    problems: [
      ...errors.map((error) => locatePlatformError(context, batch, error)),
      ...verifiedAndMoved(context, batch, { records, status }),
    ],
    inDoubt: !isWhole && DESCRIPTORS[context.resource].refusal.mayKeepPart,
  };
}

/**
 * How far a refusal reaches. `records`: the records that it names, or the only record of the request. `account`: every
 * record of the account. `request`: some record of the request, and only smaller requests show which. `run`: every further
 * request, or nothing proves the contrary.
 */
export type RefusalReach = 'records' | 'account' | 'request' | 'run';

/** Statuses that judge the content. Other statuses are about the address, the key or the platform. */
const OF_CONTENT: ReadonlySet<number> = new Set([400, 413]);

/** How far a refusal reaches. A refusal without a readable reason reaches the run, and so does one of the only supplier. */
export function reachOf(
  batch: Batch,
  { errors }: Rejection,
  status: number,
  { severalSuppliers = false }: { readonly severalSuppliers?: boolean } = {},
): RefusalReach {
  if (errors.some(isOfTheRun)) return severalSuppliers && errors.every(isAboutAccount) ? 'account' : 'run';
  // A record that failed inside an answer of success.
  if (status < 300) return 'records';
  if (errors.every(({ problem }) => problem.code === 'refused_without_reason')) return 'run';
  // An account that is not imported takes nothing, so this also settles records whose answer was lost.
  if (errors.some(isAboutAccount)) return 'account';
  if (!OF_CONTENT.has(status)) return 'run';
  if (batch.records.length === 1 || errors.some(({ seq }) => seq !== null)) return 'records';
  return 'request';
}

/** The results of the records that a refusal names, and the errors about them. */
function namedIn(batch: Batch, rejection: Rejection, status: number): Omit<Rejection, 'kind'> {
  // An answer of success has a result for every record. A request of one record is about that record.
  if (status < 300 || batch.records.length === 1) return rejection;
  const errors = rejection.errors.filter(({ seq }) => seq !== null);
  const named = new Set(errors.map(({ seq }) => seq));
  const records = batch.records.map(({ seq }): RecordResult => ({
    seq,
    outcome: named.has(seq) ? 'rejected' : null,
  }));
  return { records, errors };
}

export function outcomeCounts({ records }: Settlement): Partial<Record<SettledOutcome, number>> {
  const counts: Partial<Record<SettledOutcome, number>> = {};
  for (const { outcome } of records) if (outcome) counts[outcome] = (counts[outcome] ?? 0) + 1;
  return counts;
}

/** An error for each record that has to be verified, and a warning for each that was sent again or has a date that the platform moved. */
function verifiedAndMoved(
  context: ErrorContext,
  batch: Batch,
  { records, status }: Results,
): AnsweredProblem[] {
  const at = (seq: number, code: ErrorCode, field: string | null): PlatformError => ({
    seq,
    attr: field,
    problem: { code, path: field === null ? [] : [field], detail: '' },
    status,
  });
  const { idField, answer } = DESCRIPTORS[context.resource];
  const unproven = records
    .filter(({ outcome, differs }) => outcome === 'verify' && differs === undefined)
    .map(({ seq }) => ({ ...at(seq, 'outcome_unproven', idField), attr: null }));
  const differing = records.flatMap(({ seq, differs = [] }) =>
    differs.map((values) => ({ ...at(seq, values.code, values.field), values })),
  );
  const { movableDate } = answer;
  const moved = records.flatMap(({ seq, dateMoved }): readonly PlatformError[] =>
    movableDate && dateMoved
      ? [{ ...at(seq, movableDate.code, movableDate.field), severity: 'warning' }]
      : [],
  );
  const again = records
    .filter(({ sentAgain }) => sentAgain)
    .map(({ seq }): PlatformError => ({ ...at(seq, 'sent_again', idField), severity: 'warning' }));
  return [...unproven, ...differing, ...moved, ...again].map((error) =>
    locatePlatformError(context, batch, error),
  );
}

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
import type { Batch, OnReject, RecordResult, Settlement } from '../ports/run.ts';

/** The results of records, with the status of the answer. */
type Results = { readonly records: readonly RecordResult[]; readonly status: number | null };

/**
 * The consequence of an answer. `goesOn`: whether further requests may be sent. `split`: only smaller requests show which record is refused;
 * `inDoubt` when the platform may have kept some of the records.
 */
export type Consequence =
  | Readonly<{ kind: 'settled'; settlement: Settlement; goesOn: boolean }>
  | Readonly<{ kind: 'split'; inDoubt: boolean }>;

/** The flags and facts that decide whether a run goes on after a refusal. */
export interface RefusalPolicy {
  readonly onReject: OnReject;
  /** Whether there are records of other suppliers, which go on when one is refused. Default: false. */
  readonly severalSuppliers?: boolean;
}

/** The consequence of an answer that settles a request. A refusal ends the run, unless it is set aside and reaches no further. */
export function consequenceOf(
  context: ErrorContext,
  batch: Batch,
  { result, status }: { readonly result: SettlingResult; readonly status: number },
  policy: RefusalPolicy,
): Consequence {
  const { mayKeepPart, final } = DESCRIPTORS[context.resource].refusal;
  if (result.kind === 'ok') {
    const settlement = settlementOfSuccess(context, batch, { records: result.records, status });
    return { kind: 'settled', settlement, goesOn: true };
  }
  const settled = (
    { records, errors }: Pick<Rejection, 'records' | 'errors'>,
    end: Pick<Settlement, 'state' | 'inDoubt'>,
  ): Settlement => {
    const located = errors.map((error) => locatePlatformError(context, batch, error));
    return {
      status,
      records,
      ...end,
      problems: [...located, ...problemsOf(context, batch, { records, status })],
    };
  };
  const reach = reachIfSetAside(batch, result, status, policy);
  if (reach === 'request') return { kind: 'split', inDoubt: mayKeepPart };
  if (result.kind === 'rejected' && reach !== 'run') {
    const named = reach === 'records' ? namedIn(batch, result, status) : result;
    const isWhole = isSettled(named);
    const inDoubt = !isWhole && mayKeepPart && result.errors.length > 0;
    const settlement = settled(named, { state: isWhole ? 'done' : 'again', inDoubt });
    return { kind: 'settled', settlement, goesOn: true };
  }
  const refused = result.kind === 'rejected' ? result : { records: [], errors: result.errors };
  const ownReach = result.kind === 'rejected' ? reachOf(batch, result, status) : 'run';
  // A record that must not be sent again in the same form stays rejected (interface.md 4.5).
  const isFinal = final !== null && status === 400 && isSettled(refused) && ownReach !== 'run';
  // A refusal names the first record that failed. The platform may have kept the records before it (interface.md 4.3).
  const mayHaveKept =
    mayKeepPart && result.kind === 'rejected' && (status < 300 || status === 400) && ownReach !== 'account';
  const inDoubt = result.kind === 'foreign' || mayHaveKept;
  const settlement = settled(refused, { state: isFinal ? 'done' : 'rejected', inDoubt });
  return { kind: 'settled', settlement, goesOn: false };
}

/** A result that settles a request. */
export type SettlingResult = Exclude<BatchResult, { reason: string }>;

/** How far a refusal reaches whose records are set aside. One without an error refuses none: some of its records exist. */
function reachIfSetAside(
  batch: Batch,
  result: Exclude<SettlingResult, { kind: 'ok' }>,
  status: number,
  { onReject, severalSuppliers = false }: RefusalPolicy,
): RefusalReach {
  if (result.kind !== 'rejected') return 'run';
  if (result.errors.length === 0) return 'records';
  return onReject === 'skip' ? reachOf(batch, result, status, severalSuppliers) : 'run';
}

const isSettled = ({ records }: Pick<Rejection, 'records'>): boolean =>
  records.every(({ outcome }) => outcome !== null);

/** The settlement of an answer that accounts for every record. */
function settlementOfSuccess(context: ErrorContext, batch: Batch, results: Results): Settlement {
  return { ...results, state: 'done', problems: problemsOf(context, batch, results), inDoubt: false };
}

/** The settlement of records that are not sent again, although no answer says whether the platform has them. */
export function settlementOfUnsent(context: ErrorContext, batch: Batch): Settlement {
  const records = batch.records.map(({ seq }): RecordResult => ({ seq, outcome: 'verify' }));
  return settlementOfSuccess(context, batch, { records, status: null });
}

/**
 * How far a refusal reaches. `records`: the records that it names, or the only record of the request. `account`: every
 * record of the account. `request`: some record of the request, and only smaller requests show which. `run`: every further
 * request, or nothing proves the contrary.
 */
type RefusalReach = 'records' | 'account' | 'request' | 'run';

/** Statuses that judge the content. Other statuses are about the address, the key or the platform. */
const OF_CONTENT: ReadonlySet<number> = new Set([400, 413]);

/** How far a refusal reaches. A refusal without a readable reason reaches the run, and so does one of the only supplier. */
function reachOf(
  batch: Batch,
  { errors }: Rejection,
  status: number,
  severalSuppliers = false,
): RefusalReach {
  if (errors.some(isOfTheRun)) return severalSuppliers && errors.every(isAboutAccount) ? 'account' : 'run';
  // A record that failed inside an answer of success.
  if (status < 300) return 'records';
  if (errors.every(({ problem }) => problem.code === 'answer_unproven')) return 'run';
  // An account that is not imported takes nothing, so this also settles records whose answer was lost.
  if (errors.some(isAboutAccount)) return 'account';
  if (!OF_CONTENT.has(status)) return 'run';
  if (batch.records.length === 1 || errors.some(({ seq }) => seq !== null)) return 'records';
  return 'request';
}

/** The results of the records that a refusal names, and the errors about them. */
function namedIn(batch: Batch, rejection: Rejection, status: number): Omit<Rejection, 'kind'> {
  // An answer of success has a result for every record, and so has a refusal without an error. A request of one record is about that record.
  if (status < 300 || batch.records.length === 1 || rejection.errors.length === 0) return rejection;
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

/** An error for each record that has to be verified, and what else the answer shows of the records. */
function problemsOf(context: ErrorContext, batch: Batch, { records, status }: Results): AnsweredProblem[] {
  const { idField } = DESCRIPTORS[context.resource];
  const problem = (code: ErrorCode, field: string | null): PlatformError['problem'] => {
    return { code, path: field === null ? [] : [field], detail: '' };
  };
  return records
    .flatMap(({ seq, outcome, found = [] }): readonly PlatformError[] => {
      const shown = found.map(({ code, field, ...rest }) => {
        return { seq, attr: field, problem: problem(code, field), status, ...rest };
      });
      const isUnproven = outcome === 'verify' && found.every(({ severity }) => severity === 'warning');
      const unproven = { seq, attr: null, problem: problem('outcome_unproven', idField), status };
      return isUnproven ? [unproven, ...shown] : shown;
    })
    .map((error) => locatePlatformError(context, batch, error));
}

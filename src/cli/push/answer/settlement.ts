import { DESCRIPTORS } from '../../../core/contract/resources.ts';
import type { ErrorCode } from '../../../core/error-codes/table.ts';
import { refusing, type BatchResult, type Rejection } from './classify.ts';
import {
  isAboutAccount,
  locatePlatformError,
  isOfTheRun,
  type ErrorContext,
  type PlatformError,
} from './platform-errors.ts';
import type { SettledOutcome } from '../ports/report.ts';
import type { Batch, OnReject, RecordResult, Settlement } from '../ports/run.ts';

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

export type SettlingResult = Exclude<BatchResult, { reason: string }>;

/** The consequence of an answer that settles a request. A refusal ends the run, unless it is set aside and reaches no further. */
export function consequenceOf(
  context: ErrorContext,
  batch: Batch,
  { result, status }: { readonly result: SettlingResult; readonly status: number },
  { onReject, severalSuppliers = false }: RefusalPolicy,
): Consequence {
  const { mayKeepPart, final } = DESCRIPTORS[context.resource].refusal;
  const settled = (given: Results, end: Pick<Settlement, 'state' | 'inDoubt'>, goesOn: boolean) => {
    const settlement = { ...settlementOf(context, batch, { ...given, status }), ...end };
    return { kind: 'settled', settlement, goesOn } as const;
  };
  if (result.kind === 'ok')
    return settled(result, { state: isSettled(result) ? 'done' : 'again', inDoubt: false }, true);
  // An answer that is not about the records settles none.
  const refused = result.kind === 'rejected' ? result : { ...result, records: [] };
  const reach = result.kind === 'rejected' ? reachOf(batch, result, status) : 'run';
  const isOfSuppliers = reach === 'run' && severalSuppliers && result.errors.every(isAboutAccount);
  const reachAside = isOfSuppliers && result.errors.some(isOfTheRun) ? 'account' : reach;
  if (result.kind === 'rejected' && onReject === 'skip' && reachAside !== 'run') {
    if (reachAside === 'request') return { kind: 'split', inDoubt: mayKeepPart };
    const named = reachAside === 'records' ? namedIn(batch, result, status) : result;
    const isWhole = isSettled(named);
    const inDoubt = !isWhole && mayKeepPart;
    return settled(named, { state: isWhole ? 'done' : 'again', inDoubt }, true);
  }
  // A record that must not be sent again in the same form stays rejected (interface.md 4.5).
  const isFinal = final !== null && status === 400 && isSettled(refused) && reach !== 'run';
  // A refusal names the first record that failed. The platform may have kept the records before it (interface.md 4.3).
  const mayHaveKept =
    mayKeepPart && result.kind === 'rejected' && (status < 300 || status === 400) && reach !== 'account';
  const inDoubt = result.kind === 'foreign' || mayHaveKept;
  return settled(refused, { state: isFinal ? 'done' : 'rejected', inDoubt }, false);
}

const isSettled = ({ records }: Results): boolean => records.every(({ outcome }) => outcome !== null);

interface Results {
  readonly records: readonly RecordResult[];
  readonly errors?: readonly PlatformError[];
}

/** What the journal records of an answer. Null when nothing was sent. */
function settlementOf(
  context: ErrorContext,
  batch: Batch,
  { records, errors = [], status }: Results & { readonly status: number | null },
): Settlement {
  const found = [...errors, ...errorsShown(context, records, status)];
  const problems = found.map((error) => locatePlatformError(context, batch, error));
  return { status, records, state: 'done', problems, inDoubt: false };
}

/** The settlement of records that are not sent again, although no answer says whether the platform has them. */
export function settlementOfUnsent(context: ErrorContext, batch: Batch): Settlement {
  const records = batch.records.map(({ seq }): RecordResult => ({ seq, outcome: 'verify' }));
  return settlementOf(context, batch, { records, status: null });
}

/**
 * How far a refusal reaches. `records`: the records that it names, or the only record of the request. `account`: every
 * record of the account. `request`: some record of the request, and only smaller requests show which. `run`: every further
 * request, or nothing proves the contrary.
 */
type RefusalReach = 'records' | 'account' | 'request' | 'run';

/** Statuses that judge the content. Other statuses are about the address, the key or the platform. */
const OF_CONTENT: ReadonlySet<number> = new Set([400, 413]);

/** A refusal without a readable reason reaches the run, and so does one of the supplier. */
function reachOf(batch: Batch, { errors }: Rejection, status: number): RefusalReach {
  if (errors.some(isOfTheRun)) return 'run';
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
function namedIn(batch: Batch, rejection: Rejection, status: number): Results {
  // An answer of success has a result for every record. A request of one record is about that record.
  if (status < 300 || batch.records.length === 1) return rejection;
  const errors = rejection.errors.filter(({ seq }) => seq !== null);
  return { records: refusing(batch, new Set(errors.map(({ seq }) => seq))), errors };
}

export function outcomeCounts({ records }: Settlement): Partial<Record<SettledOutcome, number>> {
  const counts: Partial<Record<SettledOutcome, number>> = {};
  for (const { outcome } of records) if (outcome) counts[outcome] = (counts[outcome] ?? 0) + 1;
  return counts;
}

/** An error for each record that has to be verified, and what else the answer shows of the records. */
function errorsShown(
  { resource }: ErrorContext,
  records: readonly RecordResult[],
  status: number | null,
): readonly PlatformError[] {
  const { idField } = DESCRIPTORS[resource];
  const problem = (code: ErrorCode, field: string | null): PlatformError['problem'] => {
    return { code, path: field === null ? [] : [field], detail: '' };
  };
  return records.flatMap(({ seq, outcome, found = [] }): readonly PlatformError[] => {
    const shown = found.map(({ code, field, ...rest }) => {
      return { seq, attr: field, problem: problem(code, field), status, ...rest };
    });
    const isUnproven = outcome === 'verify' && found.every(({ severity }) => severity === 'warning');
    const unproven = { seq, attr: null, problem: problem('outcome_unproven', idField), status };
    return isUnproven ? [unproven, ...shown] : shown;
  });
}

import { DEFAULT_ACCOUNT_NUMBER_FIELD, lacksAccountNumber } from '../../../core/contract/account-number.ts';
import { databaseNamedIn } from '../../../core/contract/database-identity.ts';
import { DESCRIPTORS, type Resource } from '../../../core/contract/resources.ts';
import { retryOfStatus } from '../../../core/contract/retry.ts';
import type { ErrorCode } from '../../../core/error-codes/table.ts';
import type { Facts } from '../../../core/problem.ts';
import { decodeError } from '../../../core/validation-error.ts';
import { exactJson } from '../../../core/values/exact-json.ts';
import { plainJson } from '../../../core/values/plain-json.ts';
import {
  isBesideRecords,
  mayBeAboutAnyRecord,
  platformError,
  platformErrorsOf,
  type PlatformError,
} from './platform-errors.ts';
import type { PlatformAnswer } from '../ports/platform.ts';
import type { SettledOutcome } from '../ports/report.ts';
import type { Batch, BatchRecord, RecordResult, RequestOptions } from '../ports/run.ts';
import { type Fields, isAboutAnotherAccount, recordResultsOf, reportsFailure } from './success-answer.ts';
import { hasNoValue } from './platform-words.ts';
import { reasonIn, seenAnswer, unprovenAnswer } from '../ports/seen-answer.ts';
import { refusalSourceOf } from './refusal-source.ts';

/**
 * The meaning of an answer for a batch.
 *
 *     ok               every record is accounted for with a known status, or those that exist when the platform refuses a
 *                      request because of them                                        → settled
 *     rejected         at least one record was refused, with a result for each        → settled
 *     unauthenticated  the token was rejected                                         → ends the run
 *     foreign          not from the platform, or from another database than the run goes to. A proxy may answer so before or
 *                      after it has forwarded the request, and a platform before or after its database was replaced, so the
 *                      answer proves nothing about the records                        → ends the run, records unknown
 *     too_large        surely not applied                                             → sent again in halves
 *     not_applied      surely not applied                                             → sent again after a wait
 *     ambiguous        may have been applied                                          → sent again after a wait, in doubt
 */
export type BatchResult =
  | { readonly kind: 'ok'; readonly records: readonly RecordResult[] }
  | Rejection
  | { readonly kind: 'unauthenticated' | 'foreign'; readonly errors: readonly PlatformError[] }
  | { readonly kind: 'too_large' | 'not_applied'; readonly reason: string }
  /** `isOfAnother`: the answer belongs to another request. Default: false. */
  | { readonly kind: 'ambiguous'; readonly reason: string; readonly isOfAnother?: true };

/** The platform refused the request, or a record of it. */
export interface Rejection {
  readonly kind: 'rejected';
  readonly records: readonly RecordResult[];
  readonly errors: readonly PlatformError[];
}

/** What decides about the meaning of answers, beside the request. */
export interface AnswerPolicy {
  readonly options: Partial<RequestOptions>;
  /** Name of the platform's account number in answers. */
  readonly accountNumberField: string;
  /** The database that the run goes to. An answer that names another one ends the run. Null when it is not known. */
  readonly database: string | null;
  /** Whether a record that the platform refuses because it has it counts as there (`--on-existing accept`). */
  readonly acceptsExisting: boolean;
}

/**
 * Classifies the answer to a batch, record by record. An answer that cannot be read is never success, and nothing is decided
 * by the words of a message.
 */
export function classify(
  resource: Resource,
  batch: Batch,
  answer: PlatformAnswer,
  policy: Partial<AnswerPolicy> = {},
): BatchResult {
  if (answer.kind === 'lost') return { kind: 'ambiguous', reason: answer.reason };
  if (answer.kind === 'not_sent') return { kind: 'not_applied', reason: answer.reason };
  const { status, headers, body, unreadable } = answer;
  const [database, acceptsExisting] = [databaseNamedIn(headers), policy.acceptsExisting === true];
  // An answer that names no database may come from the one that the request went to.
  if (database !== null && database !== (policy.database ?? database))
    return foreign(status, 'platform_database_changed');
  const { endpoint } = DESCRIPTORS[resource];
  // interface.md 4.4 asks clients to accept 200 where 201 is documented. The body decides, so the same holds for all endpoints.
  if (unreadable !== undefined && status < 300)
    return { kind: 'ambiguous', reason: `status ${status}, and its body cannot be read: ${unreadable}` };
  if (status === 200 || endpoint.success.includes(status))
    return classifySuccess(resource, batch, body, policy);
  if (status < 300) return { kind: 'ambiguous', reason: `status ${status}` };
  if (status < 400) return foreign(status, 'answer_unproven', { what: unprovenAnswer(status) });
  const retry = retryOfStatus(status);
  if (retry === 'wait')
    return { kind: status === 429 ? 'not_applied' : 'ambiguous', reason: `status ${status}` };
  if (status === 413) return tooLarge(batch);
  const error = decodeError(plainJson(body));
  const errors = platformErrorsOf(resource, batch, error, status);
  if (retry === 'token') return { kind: 'unauthenticated', errors };
  const source = refusalSourceOf(resource, batch, answer, error);
  const [lone] = isOpen(resource, batch) ? batch.records : [];
  if (source === 'elsewhere') {
    const isRefusal = JUDGING.has(status) && plainJson(body) !== undefined;
    return lone && isRefusal ? settledAs(lone, 'verify') : refusedElsewhere(batch, answer);
  }
  if (source === 'cut') return { kind: 'ambiguous', reason: 'the answer ends early' };
  if (source !== 'platform') return ofAnother(source);
  if (lone && !provesAbsence(resource, errors)) {
    const isThere =
      (lone.wasThere || acceptsExisting) && errors.every((each) => maySayExisting(resource, each));
    return settledAs(lone, isThere ? 'uncompared' : 'verify');
  }
  if (batch.records.length > 1 && errors.every((each) => isTooLong(resource, each)))
    return { kind: 'too_large', reason: `status ${status}, because it has too many records` };
  const refused = rejection(resource, batch, errors);
  return acceptsExisting ? withoutExisting(resource, batch, refused) : refused;
}

/** Statuses of a refusal that judges the records of a request, and not its address, its key or its form. */
const JUDGING: ReadonlySet<number> = new Set([400, 409, 422]);

/**
 * Whether an earlier answer about the only record of a request was lost, and no answer of success would say that the platform has it. Then
 * only a refusal at another field than the id proves that the record is missing, whatever the code or the form of the refusal.
 */
function isOpen(resource: Resource, { inDoubt, records }: Batch): boolean {
  return inDoubt && records.length === 1 && DESCRIPTORS[resource].lostAnswer.present !== null;
}

/** Whether a refusal is about the account or the request, or about a field of the record that is not its id. */
function provesAbsence(resource: Resource, errors: readonly PlatformError[]): boolean {
  const { idField, list } = DESCRIPTORS[resource];
  return errors.some((error) => {
    const [first] = error.problem.path;
    return isBesideRecords(error) || (first !== undefined && first !== idField && first !== list);
  });
}

/** Whether an error is about the number of records in the request. Nothing is stored then, because fields are checked first. */
function isTooLong(resource: Resource, { attr, problem: { code, detail } }: PlatformError): boolean {
  const saysSo = code === 'max_length' || (code === null && TOO_MANY.test(detail));
  return saysSo && attr === DESCRIPTORS[resource].list;
}

/** How the framework says so. Some shapes of a refusal have no code. */
const TOO_MANY = /^Ensure this field has no more than \d+ elements\.$/;

/** Whether an error says that the record exists. The documented refusal of an instruction has no code. */
function maySayExisting(resource: Resource, { problem: { code } }: PlatformError): boolean {
  const { list, lostAnswer } = DESCRIPTORS[resource];
  return code === lostAnswer.present?.code || (list === null && code === null);
}

const settledAs = ({ seq }: BatchRecord, outcome: SettledOutcome): BatchResult => ({
  kind: 'ok',
  records: [{ seq, outcome }],
});

/** A refusal without the records that it refuses only because they exist. They count as there, and nobody has compared them. */
function withoutExisting(resource: Resource, batch: Batch, { records, errors }: Rejection): BatchResult {
  const code = DESCRIPTORS[resource].lostAnswer.present?.code;
  const only = batch.records.length === 1 ? batch.records[0]!.seq : null;
  const seqOf = ({ seq }: PlatformError): number | null => seq ?? only;
  const existing = new Set(
    errors.flatMap((error) => (error.problem.code === code ? (seqOf(error) ?? []) : [])),
  );
  if (existing.size === 0) return { kind: 'rejected', records, errors };
  const left = errors.filter((error) => !existing.has(seqOf(error) ?? -1));
  const refused = new Set(left.map(seqOf));
  const settled = refusing(batch, refused).map((result): RecordResult =>
    existing.has(result.seq) ? { ...result, outcome: 'uncompared' } : result,
  );
  return left.length === 0
    ? { kind: 'ok', records: settled }
    : { kind: 'rejected', records: settled, errors: left };
}

/** An answer in the platform's form that settles nothing of this request, because it belongs to another one. */
function ofAnother(source: 'another_account' | 'another_record'): BatchResult {
  const named = source === 'another_account' ? 'another account' : 'a record that was not sent';
  return { kind: 'ambiguous', reason: `the answer names ${named}`, isOfAnother: true };
}

/** The mark of an answer that has stored nothing, at any depth. The same words in a text have escaped quotes. */
const DRY_RUN = /"dry_run"\s*:\s*(?:true|"true"|1\b)/i;

function classifySuccess(
  resource: Resource,
  batch: Batch,
  body: string,
  { options = {}, accountNumberField = DEFAULT_ACCOUNT_NUMBER_FIELD }: Partial<AnswerPolicy>,
): BatchResult {
  const json = exactJson(body);
  const parsed = DESCRIPTORS[resource].endpoint.response.safeParse(json);
  if (!parsed.success) return { kind: 'ambiguous', reason: 'the answer is not what the interface describes' };
  if (isAboutAnotherAccount(resource, batch.account, parsed.data)) return ofAnother('another_account');
  if (DRY_RUN.test(body))
    return { kind: 'ambiguous', reason: 'the answer says that it was a dry run, which stores nothing' };
  const { namesAccount }: { readonly namesAccount?: true } = DESCRIPTORS[resource].answer;
  if (namesAccount && lacksAccountNumber(parsed.data as Fields, accountNumberField))
    return { kind: 'ambiguous', reason: 'the answer names no account of the platform' };
  const results = recordResultsOf(resource, batch, parsed.data, options);
  if (!results) return { kind: 'ambiguous', reason: 'the answer does not account for every record' };
  const { query } = DESCRIPTORS[resource].endpoint;
  // A check that is off is on again once the batch is in doubt (request.ts), so a record that exists may be one that we added.
  const mayBeOurs =
    batch.inDoubt && options.checkPreviouslyAdded === false && query?.check_previously_added !== undefined;
  const records = results.map((result): RecordResult =>
    mayBeOurs && result.outcome === 'existing' ? { ...result, outcome: 'verify' } : result,
  );
  const refused = records.filter(({ outcome }) => outcome === 'rejected');
  if (refused.length < records.length && reportsFailure(resource, json))
    return { kind: 'ambiguous', reason: 'the answer reports success and an error' };
  if (refused.length === 0) return { kind: 'ok', records };
  return {
    kind: 'rejected',
    records,
    errors: refused.map((result) => refusedInside(resource, batch, result)),
  };
}

/** The error of a record that is refused inside an answer of success, with the reason that the answer gives. */
function refusedInside(resource: Resource, batch: Batch, { seq, reason = '' }: RecordResult): PlatformError {
  const transactionId = batch.records.find((record) => record.seq === seq)!.id!;
  const problem = { code: 'transaction_import_error', path: [], detail: reason, transactionId };
  return platformErrorsOf(resource, batch, { problems: [problem] }, 201)[0]!;
}

function foreign(status: number, code: ErrorCode, facts: Facts = {}): BatchResult {
  return { kind: 'foreign', errors: [platformError(code, { seq: null, status, facts })] };
}

/** A refusal that nothing proves to be from the platform, with its own words, or with what it looks like. */
function refusedElsewhere(batch: Batch, answer: Extract<PlatformAnswer, { kind: 'answer' }>): BatchResult {
  const { status } = answer;
  const detail = reasonIn(answer);
  const seen = seenAnswer(answer, (words) => hasNoValue(batch, words));
  const about = {
    seq: null,
    status,
    ...(detail === '' ? { seen } : { detail, facts: { what: unprovenAnswer(status) } }),
  };
  return { kind: 'foreign', errors: [platformError('answer_unproven', about)] };
}

const LONE_RECORD = {
  what: 'this one record is larger than the platform takes in a request',
  todo: 'Shorten it, or set it aside: remove the row and push the corrected file.',
};

/** Several records may be sent in parts. A person has to shorten a single one. */
function tooLarge({ records }: Batch): BatchResult {
  if (records.length > 1) return { kind: 'too_large', reason: 'status 413' };
  const { seq } = records[0]!;
  return {
    kind: 'rejected',
    records: [{ seq, outcome: 'rejected' }],
    errors: [platformError('payload_too_large', { seq, status: 413, facts: LONE_RECORD })],
  };
}

/** An error about the request as a whole refuses every record, unless it may be about one record that it does not name. */
function rejection(resource: Resource, batch: Batch, errors: readonly PlatformError[]): Rejection {
  const named = new Set(errors.map(({ seq }) => seq));
  const { mayKeepPart } = DESCRIPTORS[resource].refusal;
  const refusesAll = named.has(null) && !(mayKeepPart && mayBeAboutAnyRecord(batch, errors));
  return { kind: 'rejected', errors, records: refusing(batch, refusesAll ? undefined : named) };
}

/** The results of a refusal of these records; of all records without them. */
export function refusing({ records }: Batch, refused?: ReadonlySet<number | null>): readonly RecordResult[] {
  return records.map(({ seq }) => ({ seq, outcome: refused?.has(seq) === false ? null : 'rejected' }));
}

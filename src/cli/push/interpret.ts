import { RESOURCE_WIRE, type Resource } from '../../core/contract/resources.ts';
import { ENDPOINTS, type Endpoint } from '../../core/contract/endpoints.ts';
import type { ErrorCode } from '../../core/error-codes/table.ts';
import { decodeError, type DecodedError } from '../../core/validation-error.ts';
import { plainJson } from '../../core/values/plain-json.ts';
import type { Batch } from './ports/batch.ts';
import { complaintsOf, isOfOneUnnamed } from './complaints.ts';
import { differingIn } from './existing-differs.ts';
import { isOfPlatform } from './platform-words.ts';
import type { PlatformAnswer } from './ports/platform.ts';
import type { Reading } from './reading.ts';
import type { RecordReading } from './ports/run.ts';
import { movedIn, outcomesIn } from './success-body.ts';

/**
 * Reads the answer to a batch, record by record. What cannot be read is never success, and nothing is decided by the
 * words of a message. `checked` tells whether the request asked the platform to look for earlier records only because
 * an attempt may have been applied: then `existing` cannot be told from our own.
 */
export function interpret(
  resource: Resource,
  batch: Batch,
  answer: PlatformAnswer,
  checkedByUs = false,
): Reading {
  if (answer.kind === 'lost') return { kind: 'ambiguous', reason: answer.reason };
  if (answer.kind === 'not_sent') return { kind: 'not_applied', reason: answer.reason };
  const { status, body } = answer;
  const endpoint: Endpoint = ENDPOINTS[RESOURCE_WIRE[resource].endpoint];
  // interface.md 4.4 has a client accept 200 where 201 is documented; the body decides, so that holds everywhere.
  if (status === 200 || endpoint.success.includes(status))
    return readSuccess(resource, batch, body, checkedByUs);
  if (status === 429) return { kind: 'not_applied', reason: 'status 429' };
  if (status === 408 || status >= 500 || status < 300)
    return { kind: 'ambiguous', reason: `status ${status}` };
  if (status < 400) return foreign(status, 'redirect_refused');
  if (status === 413) return readTooLarge(batch);
  const error = decodeError(plainJson(body));
  if (status === 401)
    return { kind: 'unauthenticated', complaints: complaintsOf(resource, batch, error, status) };
  if (!isOfPlatform(resource, error)) return foreign(status, 'refused_without_reason');
  if (namesAnother(batch, error))
    return { kind: 'ambiguous', reason: 'the answer names a record that was not sent' };
  return readRefusal(resource, batch, error, status);
}

function readSuccess(resource: Resource, batch: Batch, body: string, checkedByUs: boolean): Reading {
  const parsed = ENDPOINTS[RESOURCE_WIRE[resource].endpoint].response.safeParse(plainJson(body));
  if (!parsed.success) return { kind: 'ambiguous', reason: 'the answer is not what the interface describes' };
  const outcomes = outcomesIn(resource, batch.records, parsed.data);
  if (!outcomes) return { kind: 'ambiguous', reason: 'the answer does not account for every record' };
  const moved = movedIn(resource, batch.records, parsed.data);
  const existing = batch.records.filter((_, index) => outcomes[index] === 'existing');
  const differing = differingIn(resource, existing, body);
  const records = batch.records.map((record, index): RecordReading => {
    const outcome = outcomes[index]!;
    const differsIn = differing.get(record);
    if (differsIn) return { seq: record.seq, outcome: 'verify', differsIn };
    const reading: RecordReading = {
      seq: record.seq,
      outcome: outcome === 'existing' && checkedByUs ? 'verify' : outcome,
    };
    return outcome !== 'rejected' && moved.has(record) ? { ...reading, dateMoved: true } : reading;
  });
  if (!records.some((record) => record.outcome === 'rejected')) return { kind: 'ok', records };
  const problem = {
    code: 'transaction_import_error',
    path: [],
    detail: 'refused inside an answer of success',
  };
  const refused = records.filter((record) => record.outcome === 'rejected');
  return {
    kind: 'rejected',
    records,
    complaints: refused.map(({ seq }) => ({ seq, attr: null, problem, status: 201 })),
  };
}

/** A proxy answers so before it has asked the platform, or after. */
function foreign(status: number, code: ErrorCode): Reading {
  const problem = { code, path: [], detail: '' };
  return { kind: 'foreign', complaints: [{ seq: null, attr: null, problem, status }] };
}

/** Whether a refusal is that of another request: it names the transaction that failed, and that was not sent. */
function namesAnother({ records }: Batch, { problems }: DecodedError): boolean {
  return problems.some(
    ({ transactionId }) => transactionId !== undefined && !records.some(({ id }) => id === transactionId),
  );
}

/** More than one record may go in parts; a single one has to be shortened by a person. */
function readTooLarge(batch: Batch): Reading {
  if (batch.records.length > 1) return { kind: 'too_large', reason: 'status 413' };
  const { seq } = batch.records[0]!;
  const problem = { code: 'single_record_too_large', path: [], detail: '' };
  return {
    kind: 'rejected',
    complaints: [{ seq, attr: null, problem, status: 413 }],
    records: [{ seq, outcome: 'rejected' }],
  };
}

function readRefusal(resource: Resource, batch: Batch, error: DecodedError, status: number): Reading {
  if (batch.unsure && batch.records.length === 1 && tellsOfPresence(resource, batch, { ...error, status })) {
    return { kind: 'ok', records: [{ seq: batch.records[0]!.seq, outcome: 'verify' }] };
  }
  const complaints = complaintsOf(resource, batch, error, status);
  const named = new Set(complaints.map((complaint) => complaint.seq));
  // A complaint about the request as a whole refuses every record of it, unless it may be about one that it cannot name.
  const isOfAll = named.has(null) && !(resource === 'transactions' && isOfOneUnnamed(batch, complaints));
  const refused = (seq: number): boolean => named.has(seq) || isOfAll;
  return {
    kind: 'rejected',
    complaints,
    records: batch.records.map(({ seq }) => ({ seq, outcome: refused(seq) ? 'rejected' : null })),
  };
}

/**
 * Whether a refusal after a lost answer may only say that the lost one was applied (reliability.md, "After an ambiguous
 * answer"). What is known to have another reason is a refusal.
 */
function tellsOfPresence(
  resource: Resource,
  batch: Batch,
  { shape, problems, status }: DecodedError & { readonly status: number },
): boolean {
  if (resource === 'payment-instructions') {
    const sent = batch.records[0]!.id;
    return (
      status === 400 &&
      shape === 'payment_instruction' &&
      problems.every(({ code, reference = sent }) => reference === sent && mayBeActive(code))
    );
  }
  return (
    resource === 'statements' &&
    problems.length > 0 &&
    problems.every((problem) => problem.code === 'historical_statement_already_exists')
  );
}

/** The documented body has no code, so that one without may have any reason (deployments.md, "Responses"). */
function mayBeActive(code: string | null): boolean {
  return code === null || code === ('payment_instruction_already_active' satisfies ErrorCode);
}

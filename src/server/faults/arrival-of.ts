import { createHash } from 'node:crypto';
import type { Answer } from '../http/answer.ts';
import type { Arrival } from './decide.ts';
import { accountIn } from './request-body.ts';
import type { FaultEndpoint } from './rule.ts';

/** A request whose body is there. */
export interface FaultyRequest {
  readonly endpoint: FaultEndpoint;
  /** With its query. */
  readonly url: string;
  readonly segments: Readonly<Record<string, string>>;
  readonly body: Uint8Array | undefined;
  /**
   * Judges a body and stores what it carries.
   * @throws Refusal
   */
  handle(body: Uint8Array | undefined): Answer;
}

/** What rules know of a request before its body is read. */
export function arrivalAtHead(endpoint: FaultEndpoint): Arrival {
  return {
    stage: 'head',
    endpoint,
    account: null,
    supplier: null,
    payload: '',
    attempt: 0,
    results: 0,
    hasOther: false,
  };
}

/** What they know with the body. `attemptOf` counts that a payload has come. */
export function arrivalOf(request: FaultyRequest, attemptOf: (payload: string) => number): Arrival {
  const { endpoint, segments, body } = request;
  const { importSupplier, externalAccountNumber } = segments;
  const named = body ? accountIn(body) : {};
  const payload = payloadOf(request);
  return {
    ...arrivalAtHead(endpoint),
    stage: 'accept',
    account: named.external_account_number ?? externalAccountNumber ?? null,
    supplier: named.import_supplier ?? importSupplier ?? null,
    payload,
    attempt: attemptOf(payload),
  };
}

/** Digest of what was sent and where to; the query of a POST is no part of it: a retry with the check on is a retry. */
function payloadOf({ url, body }: FaultyRequest): string {
  const place = body === undefined ? url : url.split('?')[0]!;
  return createHash('sha256')
    .update(`${place}\n`)
    .update(body ?? '')
    .digest('hex');
}

import type { Resource } from '../../core/contract/resources.ts';
import type { PlannedRequest } from './ports/batch.ts';
import { requestOf } from './request.ts';

/** What a drain of a staged run would send. */
export interface RequestTotals {
  readonly requests: number;
  readonly accounts: number;
  readonly records: number;
  /** Of the bodies of all requests. */
  readonly bytes: number;
  readonly largest: { readonly records: number; readonly bytes: number };
}

/** Adds the requests up; those of an account follow one another. */
export function totalsOfRequests(resource: Resource, planned: Iterable<PlannedRequest>): RequestTotals {
  const totals = { requests: 0, accounts: 0, records: 0, bytes: 0, largest: { records: 0, bytes: 0 } };
  let lastAccount = '';
  for (const request of planned) {
    const bytes = bodyBytes(resource, request);
    const account = JSON.stringify(request.account);
    if (account !== lastAccount) totals.accounts++;
    lastAccount = account;
    totals.requests++;
    totals.records += request.records;
    totals.bytes += bytes;
    if (bytes > totals.largest.bytes) totals.largest = { records: request.records, bytes };
  }
  return totals;
}

/** The records, the commas between them, and what a request has around an empty one. */
function bodyBytes(resource: Resource, { account, records, payloadBytes }: PlannedRequest): number {
  const empty = { seq: 1, source: 1, line: 1, parts: [], id: null, payload: '{}' };
  const batch = { id: 1, account, records: [empty], attempt: 1, unsure: false };
  const options = { checkPreviouslyAdded: true, forceAddToCurrentStatement: true };
  const around = Buffer.byteLength(requestOf(resource, batch, options).body ?? '') - empty.payload.length;
  return around + payloadBytes + records - 1;
}

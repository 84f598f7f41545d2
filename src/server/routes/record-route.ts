import { ENDPOINTS } from '../../core/contract/endpoints.ts';
import { RESOURCE_WIRE, type Resource } from '../../core/contract/resources.ts';
import { under, type Path, type Problem } from '../../core/problem.ts';
import { checkRecord, type RecordOf } from '../../core/rules/record.ts';
import type { CalendarDate } from '../../core/values/calendar-date.ts';
import { hasFailure } from '../../core/problem.ts';
import { admit } from '../admission.ts';
import { Refusal, refusal, validationFailure, type Answer } from '../answer.ts';
import { readEnvelope, type Envelope } from '../envelope.ts';
import { readJson } from '../json-body.ts';
import type { Platform } from '../platform/platform.ts';
import { readFlags } from '../query-flags.ts';
import type { StoredAccount } from '../store/accounts.ts';
import type { Route } from './route.ts';

/** What the routes of the interface work with. */
export interface RouteContext {
  readonly platform: Platform;
  readonly limits: { readonly maxItems: number };
}

/** A POST whose account takes data; its records are not yet checked. */
export interface Post<Flags> extends Envelope {
  readonly account: StoredAccount;
  readonly flags: Flags;
  readonly today: CalendarDate;
}

interface RecordRouteParts<Defaults> {
  /** Boolean query parameters with their defaults. */
  readonly query: Defaults;
  /** The answer when there is no imported account. */
  readonly missingAccount?: Answer;
  /** Runs inside the transaction of the request. */
  readonly answer: (post: Post<{ readonly [Name in keyof Defaults]: boolean }>) => Answer;
}

/** The steps that the four POSTs share. Their order is that of the platform (deployments.md, "Framework behaviour"). */
export function recordRoute<const Defaults extends Readonly<Record<string, boolean>>>(
  resource: Resource,
  { platform, limits }: RouteContext,
  { query: defaults, missingAccount = refusal('account_not_found'), answer }: RecordRouteParts<Defaults>,
): Route {
  const { method, path } = ENDPOINTS[RESOURCE_WIRE[resource].endpoint];
  return {
    method,
    path,
    access: 'token',
    answer: ({ caller, query, body }) => {
      const json = readJson(body);
      const flags = readFlags(query, defaults);
      const envelope = readEnvelope(resource, json, limits);
      return platform.store.write(() => {
        const account = admit(envelope, caller, platform.store, missingAccount);
        return answer({ ...envelope, account, flags, today: platform.today() });
      });
    },
  };
}

/**
 * Checks all records of a request.
 * @param prefix where the records stand in the payload
 * @throws Refusal 400 with the problems of all of them
 */
export function checkedRecords<K extends Resource>(
  resource: K,
  { candidates, today }: Post<unknown>,
  prefix: (index: number) => Path,
): readonly RecordOf[K][] {
  const problems: Problem[] = [];
  const records = candidates.flatMap((candidate, index) => {
    const checked = checkRecord(resource, candidate, { today });
    for (const problem of checked.problems) problems.push(under(prefix(index), problem));
    return checked.record === undefined ? [] : [checked.record];
  });
  refuseAny(problems);
  return records;
}

/** @throws Refusal 400 when one of the problems is an error */
export function refuseAny(problems: readonly Problem[]): void {
  if (hasFailure(problems)) throw new Refusal(validationFailure(problems));
}

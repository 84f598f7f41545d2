import { DESCRIPTORS, type RecordOf, type Resource } from '../../core/contract/resources.ts';
import { hasFailure, under, type Path, type Problem } from '../../core/problem.ts';
import { Refusal, refusal, validationFailure, type Answer } from '../http/answer.ts';
import { readJson } from '../http/body.ts';
import { takeDueSteps } from '../platform/account-lifecycle.ts';
import { checkAsPlatform, recordCheck, type RecordCheck } from '../platform/checked-record.ts';
import type { Platform } from '../platform/platform.ts';
import { countIgnored } from '../platform/unlisted-fields.ts';
import type { StoredAccount } from '../store/accounts.ts';
import { admit } from './admission.ts';
import { readEnvelope, type Envelope } from './envelope.ts';
import { inErrorShape } from './error-shape.ts';
import { readFlags } from './query-flags.ts';
import type { Route } from './route.ts';

/** A POST to an account that takes data. Its records are not checked yet. */
export interface Post<Flags> extends Omit<Envelope, 'ignored'> {
  readonly platform: Platform;
  readonly account: StoredAccount;
  readonly flags: Flags;
  readonly check: RecordCheck;
}

interface RecordRouteParts<Defaults> {
  /** Boolean query parameters with their defaults. */
  readonly query: Defaults;
  /** The answer when there is no imported account. Default: 404 `account_not_found`. */
  readonly missingAccount?: () => Answer;
  /** Runs in the transaction of the request. */
  readonly answer: (post: Post<{ readonly [Name in keyof Defaults]: boolean }>) => Answer;
}

/** The steps that the four POSTs share, in the order of the platform (deployments.md, "Framework behaviour"). */
export function recordRoute<const Defaults extends Readonly<Record<string, boolean>>>(
  resource: Resource,
  {
    query: defaults,
    missingAccount = () => refusal('account_not_found'),
    answer,
  }: RecordRouteParts<Defaults>,
): Route {
  const { method, path } = DESCRIPTORS[resource].endpoint;
  return {
    method,
    path,
    access: 'token',
    answer: ({ tenant: { platform, server }, caller, query, body }) =>
      inErrorShape(platform.behaviour.errorShape, () => {
        const json = readJson(body);
        const flags = readFlags(query, defaults);
        const { ignored, ...envelope } = readEnvelope(resource, json, {
          platform,
          maxItems: server.maxItems,
        });
        return platform.store.write(() => {
          takeDueSteps(platform);
          const account = admit(envelope, { caller, platform, missing: missingAccount });
          countIgnored(resource, ignored, platform);
          return answer({ ...envelope, platform, account, flags, check: recordCheck(platform) });
        });
      }),
  };
}

/**
 * Checks all records of a request.
 * @param prefix path of a record in the payload
 * @throws Refusal 400 with the problems of all records
 */
export function checkedRecords<K extends Resource>(
  resource: K,
  { candidates, check }: Post<unknown>,
  prefix: (index: number) => Path,
): readonly RecordOf[K][] {
  const problems: Problem[] = [];
  const records = candidates.flatMap((candidate, index) => {
    const checked = checkAsPlatform(resource, candidate, check);
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

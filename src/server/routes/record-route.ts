import { DESCRIPTORS, type EndpointOf, type RecordOf, type Resource } from '../../core/contract/resources.ts';
import { hasFailure, under, type Problem } from '../../core/problem.ts';
import { isRefusal, Refusal, refusal, validationFailure, type Answer } from '../http/answer.ts';
import { readJson } from '../http/body.ts';
import { takeDueSteps } from '../platform/account-lifecycle.ts';
import { checkAsPlatform, recordCheck, type RecordCheck } from '../platform/checked-record.ts';
import type { Platform } from '../platform/platform.ts';
import { countIgnored } from '../platform/unlisted-fields.ts';
import type { StoredAccount } from '../store/accounts.ts';
import { admit, supplierNotListed } from './admission.ts';
import { readEnvelope, type Envelope, type Fields } from './envelope.ts';
import { inErrorShape } from './error-shape.ts';
import { readFlags } from './query-flags.ts';
import type { Route } from './route.ts';

type FlagsOf<K extends Resource> =
  EndpointOf<K> extends { readonly query: infer Query }
    ? { readonly [Name in keyof Query]: boolean }
    : unknown;

/** A POST to an account that takes data. Its records are not checked yet. */
export interface Post<K extends Resource> extends Omit<Envelope, 'ignored'> {
  readonly resource: K;
  readonly platform: Platform;
  readonly account: StoredAccount;
  /** The query parameters (interface.md 4.3). */
  readonly flags: FlagsOf<K>;
  readonly check: RecordCheck;
}

interface RecordRouteParts<K extends Resource> {
  /** Problems of a body as it was sent, by rules of the operator. */
  readonly bodyProblems?: (body: Fields, platform: Platform) => readonly Problem[];
  /** The answer when there is no such supplier. Default: 400 `invalid_choice`. */
  readonly unknownSupplier?: (platform: Platform) => Answer;
  /** The answer when there is no imported account. Default: 404 `account_not_found`. */
  readonly missingAccount?: () => Answer;
  /** Runs in the transaction of the request. */
  readonly answer: (post: Post<K>) => Answer;
}

/** The steps that all POSTs of records share, in the order of the platform (deployments.md, "Framework behaviour"). */
export function recordRoute<K extends Resource>(
  resource: K,
  {
    bodyProblems,
    unknownSupplier = supplierNotListed,
    missingAccount = () => refusal('account_not_found'),
    answer,
  }: RecordRouteParts<K>,
): Route {
  const { method, path, query: defaults = {} } = DESCRIPTORS[resource].endpoint;
  return {
    method,
    path,
    access: 'token',
    answer: ({ tenant: { platform, server }, caller, query, body, about }) =>
      inErrorShape(platform.behaviour.errorShape, () => {
        const json = readJson(body);
        const flags = readFlags(query, defaults) as FlagsOf<K>;
        const { ignored, ...envelope } = readEnvelope(resource, json, {
          platform,
          maxItems: server.maxItems,
          bodyProblems,
        });
        const { import_supplier, external_account_number, candidates } = envelope;
        about({ import_supplier, external_account_number, records: candidates.length });
        return platform.store.write(() => {
          takeDueSteps(platform);
          const account = admit(envelope, { caller, platform, unknownSupplier, missing: missingAccount });
          countIgnored(resource, ignored, platform);
          const check = recordCheck(platform);
          const given = answer({ ...envelope, resource, platform, account, flags, check });
          const isTolerant = !isRefusal(given) && Object.keys(check.tolerated).length > 0;
          const answered = isTolerant ? { ...given, tolerated: check.tolerated } : given;
          // A refusal undoes the transaction, so nothing is stored.
          if (envelope.isDryRun) throw new Refusal(answered);
          return answered;
        });
      }),
  };
}

/** Checks all records of a request. @throws Refusal 400 with the problems of all records */
export function checkedRecords<K extends Resource>(post: Post<K>): readonly RecordOf[K][] {
  const { resource, candidates, check } = post;
  const { list } = DESCRIPTORS[resource];
  const problems: Problem[] = [];
  const records = candidates.flatMap((candidate, index) => {
    const checked = checkAsPlatform(resource, candidate, check);
    const path = list === null ? [] : [list, index];
    for (const problem of checked.problems) problems.push(under(path, problem));
    return checked.record === undefined ? [] : [checked.record];
  });
  refuseAny(problems);
  return records;
}

/** @throws Refusal 400 when one of the problems is an error */
export function refuseAny(problems: readonly Problem[]): void {
  if (hasFailure(problems)) throw new Refusal(validationFailure(problems));
}

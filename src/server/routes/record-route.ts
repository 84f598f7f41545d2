import { DESCRIPTORS, type EndpointOf, type RecordOf, type Resource } from '../../core/contract/resources.ts';
import {
  hasFailure,
  under,
  type Facts,
  type Problem,
  attrOfPath,
  NON_FIELD,
  platformPathOf,
  withoutNonField,
  failure,
} from '../../core/problem.ts';
import { isRefusal, Refusal, refusal, validationFailure, type Answer } from '../http/answer.ts';
import { readJson } from '../http/body.ts';
import { takeDueSteps } from '../platform/account-lifecycle.ts';
import { checkAsPlatform, recordCheck, type RecordCheck } from '../platform/checked-record.ts';
import type { Platform } from '../platform/platform.ts';
import { countIgnored } from '../platform/unlisted-fields.ts';
import type { StoredAccount } from '../store/accounts.ts';
import { admit, supplierNotListed } from './admission.ts';
import { readEnvelope, type Envelope, type Fields } from './envelope.ts';
import type { Route } from './route.ts';
import { sentenceOf } from '../../core/error-codes/sentence.ts';
import type { Behaviour } from '../options/behaviour.ts';

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
  readonly unknownSupplier?: (facts: Facts, platform: Platform) => Answer;
  /** The answer when there is no imported account. Default: 404 `account_not_found`. */
  readonly missingAccount?: (facts: Facts) => Answer;
  /** Runs in the transaction of the request. */
  readonly answer: (post: Post<K>) => Answer;
}

/** The steps that all POSTs of records share, in the order of the platform (deployments.md, "Framework behaviour"). */
export function recordRoute<K extends Resource>(
  resource: K,
  {
    bodyProblems,
    unknownSupplier = supplierNotListed,
    missingAccount = (facts) => refusal('account_not_found', facts),
    answer,
  }: RecordRouteParts<K>,
): Route {
  const { method, path } = DESCRIPTORS[resource].endpoint;
  return {
    method,
    path,
    access: 'token',
    answer: ({ server: { platform }, caller, query, body, about }) =>
      inErrorShape(platform.behaviour.errorShape, () => {
        const json = readJson(body);
        const { query: defaults = {} } = platform.descriptors[resource].endpoint;
        const flags = readFlags(query, defaults) as FlagsOf<K>;
        const { ignored, ...envelope } = readEnvelope(resource, json, platform, bodyProblems);
        const { import_supplier, external_account_number, candidates } = envelope;
        about({ import_supplier, external_account_number, records: candidates.length });
        return platform.store.write(() => {
          takeDueSteps(platform);
          const account = admit(envelope, {
            caller,
            platform,
            unknown: unknownSupplier,
            missing: missingAccount,
          });
          countIgnored(resource, ignored, platform);
          const check = recordCheck(platform);
          const given = answer({ ...envelope, resource, platform, account, flags, check });
          // A refusal undoes the transaction, so nothing is stored.
          if (envelope.isDryRun) throw new Refusal(given);
          const created = candidates.length - (given.repetitions?.existing ?? 0);
          return isRefusal(given) ? given : { ...given, created, tolerated: check.tolerated };
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

/** Encodes a 400 in the shape that `--behaviour error-shape` asks for, whether it is returned or thrown. */
export function inErrorShape(shape: Behaviour['errorShape'], work: () => Answer): Answer {
  if (shape === 'documented') return work();
  try {
    return reshaped(work(), shape);
  } catch (error) {
    throw error instanceof Refusal ? new Refusal(reshaped(error.answer, shape)) : error;
  }
}

function reshaped(answer: Answer, shape: 'nested' | 'non_field'): Answer {
  if (answer.status !== 400 || answer.problems === undefined) return answer;
  const problems = answer.problems.filter(({ severity }) => severity === 'error');
  return { ...answer, body: shape === 'nested' ? mirrorOf(problems) : listOf(problems) };
}

function listOf(problems: readonly Problem[]): object {
  return {
    [NON_FIELD]: problems.map((problem) =>
      [attrOfPath(withoutNonField(platformPathOf(problem))), sentenceOf(problem.code, problem.facts)]
        .filter((part) => part !== '')
        .join(': '),
    ),
  };
}

/** A mirror of the request with texts in place of its values. A request chooses the names, so no object has a prototype. */
type Mirror = { [name: string]: Mirror | string[] };

function mirrorOf(problems: readonly Problem[]): Mirror {
  const mirror = emptyMirror();
  for (const problem of problems) {
    const path = platformPathOf(problem);
    const names = path.length === 0 ? [NON_FIELD] : path.map(String);
    add(mirror, names, sentenceOf(problem.code, problem.facts));
  }
  return mirror;
}

function add(mirror: Mirror, [name = NON_FIELD, ...below]: readonly string[], text: string): void {
  const present = mirror[name];
  if (below.length > 0) {
    const inner = Array.isArray(present) ? Object.assign(emptyMirror(), { [NON_FIELD]: present }) : present;
    add((mirror[name] = inner ?? emptyMirror()), below, text);
  } else if (present === undefined) mirror[name] = [text];
  else if (Array.isArray(present)) present.push(text);
  else add(present, [NON_FIELD], text);
}

const emptyMirror = (): Mirror => Object.create(null) as Mirror;

/**
 * Reads boolean query parameters (interface.md 4.3): `true` or `false` in any case, once. Everything else is refused, also an
 * unknown name, because a misspelt `check_previously_added=false` would do the opposite of what was meant.
 * @throws Refusal 400 with the name of the parameter as `attr`
 */
function readFlags<const Defaults extends Readonly<Record<string, boolean>>>(
  query: Readonly<Record<string, unknown>>,
  defaults: Defaults,
): { readonly [Name in keyof Defaults]: boolean } {
  const problems: Problem[] = [];
  const flags: Record<string, boolean> = { ...defaults };
  for (const [name, given] of Object.entries(query)) {
    const value = typeof given === 'string' ? given.toLowerCase() : '';
    if (!Object.hasOwn(defaults, name)) problems.push(failure('unexpected_field', [name]));
    else if (value === 'true' || value === 'false') flags[name] = value === 'true';
    else problems.push(failure('invalid', [name], { expected: 'true or false' }));
  }
  if (problems.length > 0) throw new Refusal(validationFailure(problems));
  return flags as { [Name in keyof Defaults]: boolean };
}

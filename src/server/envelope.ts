import type { AccountKey } from '../core/contract/account.ts';
import { DESCRIPTORS, type Resource } from '../core/contract/resources.ts';
import { failure, NON_FIELD, type Path, type Problem } from '../core/problem.ts';
import { rule } from '../core/rules/rule.ts';
import { problemsOfIssues } from '../core/rules/schema-problems.ts';
import { Refusal, validationFailure } from './answer.ts';
import type { ExtraRule } from './platform/behaviour.ts';
import type { Platform } from './platform/platform.ts';
import { listedPartOf } from './platform/unlisted-fields.ts';

/** What a POST carries: the account, and the records as they were sent, not yet checked. */
export interface Envelope extends AccountKey {
  readonly candidates: readonly unknown[];
  /** Fields beside them that are not listed and were left out. */
  readonly ignored: readonly Path[];
}

/**
 * Reads the fields around the records.
 * @throws Refusal 400 in the format of interface.md 7.1
 */
export function readEnvelope(
  resource: Resource,
  body: unknown,
  { limits, platform }: { readonly limits: { readonly maxItems: number }; readonly platform: Platform },
): Envelope {
  if (!isObject(body)) {
    throw new Refusal(validationFailure([failure('invalid', [NON_FIELD], { expected: 'an object' })]));
  }
  const { endpoint, list } = DESCRIPTORS[resource];
  const problemsIn = (value: unknown): readonly Problem[] => {
    const parsed = endpoint.request.safeParse(value);
    return parsed.success ? [] : problemsOfIssues(parsed.error.issues, value);
  };
  if (resource === 'payment-instructions' && platform.behaviour.rules.includes(ONE_ACCOUNT))
    refuse(accountNamedOnce(body));
  const strictly = problemsIn(body);
  const listed = listedPartOf(body, strictly, platform);
  refuse(listed ? problemsIn(listed.value) : strictly);
  // The schema has just said so.
  const { import_supplier, external_account_number, ...rest } = (listed?.value ?? body) as Fields &
    AccountKey;
  const candidates = list === null ? [rest] : (rest[list] as readonly unknown[]);
  if (candidates.length > limits.maxItems) {
    const limit = `${limits.maxItems} items`;
    refuse([failure('max_length', list === null ? [] : [list], { limit })]);
  }
  return { import_supplier, external_account_number, candidates, ignored: listed?.ignored ?? [] };
}

const ONE_ACCOUNT = 'mutually_exclusive_field_required' satisfies ExtraRule;

export const accountNamedOnce = rule(
  {
    name: 'account-named-in-one-way',
    authority: 'observed',
    source: 'deployments.md, "Rules named by deployments"; which fields: docs/serve.md',
    says: 'With --rule mutually_exclusive_field_required a payment instruction names its account by exactly one of external_account_number and platform_account_number; the second alone is no listed field.',
    tested: 'server/extra-rules › mutually_exclusive_field_required: an instruction with %s',
    codes: ['mutually_exclusive_field_required'],
  },
  (body: Fields): readonly Problem[] =>
    Object.hasOwn(body, 'external_account_number') === Object.hasOwn(body, 'platform_account_number')
      ? [failure(ONE_ACCOUNT, ['external_account_number'])]
      : [],
);

function refuse(problems: readonly Problem[]): void {
  if (problems.length > 0) throw new Refusal(validationFailure(problems));
}

type Fields = Readonly<Record<string, unknown>>;

/** A JSON object; a parsed number is an instance of a class, and an array is not meant. */
function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

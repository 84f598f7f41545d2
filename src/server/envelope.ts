import type { AccountKey } from '../core/contract/account.ts';
import { ENDPOINTS } from '../core/contract/endpoints.ts';
import { RESOURCE_WIRE, type Resource } from '../core/contract/resources.ts';
import { failure } from '../core/problem.ts';
import { problemsOfIssues } from '../core/rules/schema-problems.ts';
import { Refusal, validationFailure } from './answer.ts';

/** What a POST carries: the account, and the records as they were sent, not yet checked. */
export interface Envelope extends AccountKey {
  readonly candidates: readonly unknown[];
}

/**
 * Reads the fields around the records.
 * @throws Refusal 400 in the format of interface.md 7.1
 */
export function readEnvelope(
  resource: Resource,
  body: unknown,
  limits: { readonly maxItems: number },
): Envelope {
  if (!isObject(body)) {
    throw new Refusal(
      validationFailure([failure('invalid', ['non_field_errors'], { expected: 'an object' })]),
    );
  }
  const { endpoint, list } = RESOURCE_WIRE[resource];
  const parsed = ENDPOINTS[endpoint].request!.safeParse(body);
  if (!parsed.success) throw new Refusal(validationFailure(problemsOfIssues(parsed.error.issues, body)));
  // The schema has just said so.
  const { import_supplier, external_account_number, ...rest } = body as Readonly<Record<string, unknown>> &
    AccountKey;
  const candidates = list === null ? [rest] : (rest[list] as readonly unknown[]);
  if (candidates.length > limits.maxItems) {
    const limit = `${limits.maxItems} items`;
    throw new Refusal(validationFailure([failure('max_length', list === null ? [] : [list], { limit })]));
  }
  return { import_supplier, external_account_number, candidates };
}

/** A JSON object; a parsed number is an instance of a class, and an array is not meant. */
function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

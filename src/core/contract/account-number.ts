/** The name of the account number of the platform in answers (interface.md 2.7). Operators may have another one. */
export const DEFAULT_ACCOUNT_NUMBER_FIELD = 'platform_account_number';

/** The account number in a part of an answer, under the name that the operator has for it. Undefined when it names none. */
export function accountNumberIn(part: Readonly<Record<string, unknown>>, field: string): string | undefined {
  const number = Object.hasOwn(part, field) ? part[field] : undefined;
  return typeof number === 'string' && number !== '' ? number : undefined;
}

/** The name of the account number of the platform in answers (interface.md 2.7). Operators may have another one. */
export const DEFAULT_ACCOUNT_NUMBER_FIELD = 'platform_account_number';

/** The names in a part of an answer that may be the account number of the platform. */
export const accountNumberNames = (part: Readonly<Record<string, unknown>>): readonly string[] =>
  Object.keys(part).filter((name) => name.endsWith('account_number') && name !== 'external_account_number');

/**
 * Whether a part of an answer has a place for the account number, and no number there, so that it proves no account. Without the name of
 * the operator any such name counts.
 */
export function lacksAccountNumber(part: Readonly<Record<string, unknown>>, field: string): boolean {
  const names = Object.hasOwn(part, field) ? [field] : accountNumberNames(part);
  const isNumber = (number: unknown): boolean => typeof number === 'string' && number.trim() !== '';
  return names.length > 0 && !names.some((name) => isNumber(part[name]));
}

/** The name of the account number of the platform in answers (interface.md 2.7). Operators may have another one. */
export const DEFAULT_ACCOUNT_NUMBER_FIELD = 'platform_account_number';

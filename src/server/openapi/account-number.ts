import { DEFAULT_ACCOUNT_NUMBER_FIELD } from '../../core/contract/account-number.ts';
import type { AccountAnswer, OperatorContract } from '../../core/operator/contract.ts';

/** An answer with the account number under the name that the contract of the operator has for it. */
export function withOwnName<T extends object>(
  answer: AccountAnswer,
  body: T,
  { contract }: { contract: OperatorContract | undefined },
): object {
  const name = contract?.account_number[answer];
  if (name === undefined) return body;
  return Object.fromEntries(
    Object.entries(body).map(([key, value]) => [key === DEFAULT_ACCOUNT_NUMBER_FIELD ? name : key, value]),
  );
}

import type { Descriptors } from '../../core/contract/resources.ts';
import type { OperatorContract } from '../../core/operator/contract.ts';
import { isSwitchable } from '../../core/operator/rules-by-code.ts';
import { EXTRA_RULES, type ExtraRule } from './behaviour.ts';

/** The contract of an operator, and the descriptors that it narrows. */
export type ServedContract = { readonly contract: OperatorContract; readonly descriptors: Descriptors };

/**
 * The rules of the platform that a contract turns on by their codes. A rule about single records is a part of their checks, and the
 * option of the same name means other fields.
 */
export function rulesOf({ rules }: OperatorContract): readonly ExtraRule[] {
  return EXTRA_RULES.filter(
    (rule) => !isSwitchable(rule) && rules.some(({ code, off }) => code === rule && !off),
  );
}

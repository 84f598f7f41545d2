import { DESCRIPTORS, RESOURCES } from '../contract/resources.ts';
import { FIELD_CODES } from '../error-codes/platform-codes.ts';
import { entryOf, isErrorCode } from '../error-codes/table.ts';
import type { CodeRule } from './contract.ts';
import { isSwitchable } from './rules-by-code.ts';

/** Where a rule that the document of an operator names by its code is enforced. */
export type Enforcement = 'check_and_serve' | 'serve' | 'nowhere';

/** Whether a contract turns a rule on, so that it can turn it off, too. Other rules hold for every operator. */
export function isTurnedOnByContract(code: string): boolean {
  return isSwitchable(code) || (isErrorCode(code) && entryOf(code).decidedBy === 'some platforms');
}

/** Whether `check` has the rule of a code, for every operator or where a contract turns it on. */
export function isCheckable(code: string): boolean {
  const isOfFile = RESOURCES.some((resource) => DESCRIPTORS[resource].repetition.code === code);
  return isOfFile || enforcementOf({ code }) === 'check_and_serve';
}

/** Where a rule of a contract is enforced. */
export function enforcementOf({ code, off }: Pick<CodeRule, 'code' | 'off'>): Enforcement {
  if (off && isTurnedOnByContract(code)) return 'nowhere';
  const decides = isErrorCode(code) ? entryOf(code).decidedBy : undefined;
  if (Object.hasOwn(FIELD_CODES, code) || isSwitchable(code) || decides === 'record')
    return 'check_and_serve';
  return decides === undefined ? 'nowhere' : 'serve';
}

/** Where a rule is enforced, as every page and report says it. */
export function enforcementPhrase(rule: CodeRule): string {
  const enforcement = enforcementOf(rule);
  if (enforcement === 'check_and_serve') {
    // The interface narrows this rule, which no contract loosens.
    const narrowed = rule.code === 'mutually_exclusive_field_required';
    return `enforced by check and serve${narrowed ? ', and the interface requires reference: an instruction with instruction_reference alone cannot be sent' : ''}`;
  }
  if (enforcement === 'serve')
    return 'enforced by serve alone, because it depends on the data of the platform';
  return `NOT ENFORCED by check and serve${rule.off ? ', because the contract turns it off' : ': only the platform finds it'}`;
}

import type { Descriptors } from '../../core/contract/resources.ts';
import type { OperatorContract } from '../../core/operator/contract.ts';
import { EXTRA_RULES, type ExtraRule } from './behaviour.ts';

/** The contract of an operator, and the descriptors that it narrows. */
export type ServedContract = { readonly contract: OperatorContract; readonly descriptors: Descriptors };

/** Rules that a contract switches on as a part of checks of records. The option of the same name means other fields. */
const OF_RECORDS: readonly ExtraRule[] = [
  'conflicting_rate_band_specification',
  'mutually_exclusive_field_required',
];

/** The rules of the platform, beside those of single records, that a contract switches on by their codes. */
export function rulesOf({ rules }: OperatorContract): readonly ExtraRule[] {
  return EXTRA_RULES.filter((rule) => !OF_RECORDS.includes(rule) && rules.some(({ code }) => code === rule));
}

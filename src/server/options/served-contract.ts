import { readContract } from '../../core/operator/contract-file.ts';
import { narrowedDescriptors } from '../../core/operator/narrow.ts';
import { readTextFile } from '../../files/text-file.ts';
import type { Descriptors } from '../../core/contract/resources.ts';
import type { OperatorContract } from '../../core/operator/contract.ts';
import { isSwitchable } from '../../core/operator/rules-by-code.ts';
import { EXTRA_RULES, type ExtraRule } from './behaviour.ts';

/** The contract of an operator, the descriptors that it narrows, and the rules that it turns on. */
export interface ServedContract {
  readonly contract: OperatorContract;
  readonly descriptors: Descriptors;
  readonly rules: readonly ExtraRule[];
}

/** Reads the contract that a platform answers by. @throws AppError `file_not_readable`, `file_not_utf8`, `contract_invalid` */
export function readServedContract(file: string): ServedContract {
  const contract = readContract(file, readTextFile(file));
  return { contract, descriptors: narrowedDescriptors(contract, 'wire'), rules: rulesOf(contract) };
}

/**
 * The rules of the platform that a contract turns on by their codes. A rule about single records is a part of their checks, and the
 * option of the same name means other fields.
 */
function rulesOf({ rules }: OperatorContract): readonly ExtraRule[] {
  return EXTRA_RULES.filter(
    (rule) => !isSwitchable(rule) && rules.some(({ code, off }) => code === rule && !off),
  );
}

import { readContract } from '../../core/operator/contract-file.ts';
import { narrowedDescriptors } from '../../core/operator/narrow.ts';
import { readTextFile } from '../../files/text-file.ts';
import type { ServedContract } from './served-contract.ts';

/** Reads the contract that a platform answers by. @throws AppError `file_not_readable`, `contract_invalid` */
export function readServedContract(file: string): ServedContract {
  const contract = readContract(file, readTextFile(file));
  return { contract, descriptors: narrowedDescriptors(contract, 'wire') };
}

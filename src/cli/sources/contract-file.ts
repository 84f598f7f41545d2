import { hash } from 'node:crypto';
import { meaningOf, readContract } from '../../core/operator/contract-file.ts';
import type { OperatorContract } from '../../core/operator/contract.ts';
import { readText } from '../command/typed-file.ts';

/** A contract, and what a run remembers of it. */
export interface LoadedContract {
  readonly contract: OperatorContract;
  /** Title and version of the operator's document. */
  readonly name: string;
  /** Of everything that requests depend on. The same for a contract that was written differently. */
  readonly sha256: string;
  /** Of the bytes of the file. */
  readonly fileSha256: string;
}

export function loadContract(file: string, cwd: string): LoadedContract {
  const text = readText(file, cwd);
  const contract = readContract(file, text);
  return {
    contract,
    name: `${contract.document.title} ${contract.document.version}`,
    sha256: hash('sha256', meaningOf(contract)),
    fileSha256: hash('sha256', text),
  };
}

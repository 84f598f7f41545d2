import { hash } from 'node:crypto';
import { readContract } from '../../core/operator/contract-file.ts';
import type { OperatorContract } from '../../core/operator/contract.ts';
import { readText } from '../command/typed-file.ts';

/** Reads a contract, and what a run remembers of it. */
export function loadContract(file: string, cwd: string) {
  const text = readText(file, cwd);
  const contract = readContract(file, text);
  return {
    contract,
    /** Title and version of the operator's document. */
    name: `${contract.document.title} ${contract.document.version}`,
    /** Of everything that requests depend on. The same for a contract that was written differently. */
    sha256: hash('sha256', meaningOf(contract)),
    /** Of the bytes of the file. */
    fileSha256: hash('sha256', text),
  };
}

/** Everything in a contract that requests depend on, as one text. The names and dates of the document are not in it. */
export function meaningOf(contract: OperatorContract): string {
  return JSON.stringify({ ...contract, document: undefined, statements: undefined });
}

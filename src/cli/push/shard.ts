import { createHash } from 'node:crypto';

/** One of several processes that share the accounts of a file without talking to each other (`--shard 2/4`). */
export interface Shard {
  /** From 1 to `count`. */
  readonly index: number;
  readonly count: number;
}

/** Whether an account belongs to a shard; each account belongs to exactly one, on every machine. */
export function belongsTo(shard: Shard | undefined, accountNumber: string): boolean {
  if (!shard) return true;
  return (
    (createHash('sha256').update(accountNumber).digest().readUInt32BE() % shard.count) + 1 === shard.index
  );
}

import { createHash } from 'node:crypto';
import type { LedgerRecord } from '../push/ports/platform.ts';

/** Digests of the records of a ledger, while they pass. */
export interface LedgerContent {
  noting<R extends LedgerRecord>(records: AsyncIterable<R>): AsyncGenerator<R>;
  /** Stands for all records of a kind and type that have passed, in whatever order they were stored. */
  of(kind: string, type: string): string;
}

/** Digits of a digest: enough to tell a difference, short enough to be read. */
const DIGITS = 16;

export function ledgerContent(): LedgerContent {
  const hashes = new Map<string, string[]>();
  return {
    async *noting(records) {
      for await (const record of records) {
        const { type } = record.data;
        const key = keyOf(record.kind, typeof type === 'string' ? type : '');
        const known = hashes.get(key);
        const hash = hashOf(JSON.stringify(sorted({ ...record, seq: undefined })));
        if (known) known.push(hash);
        else hashes.set(key, [hash]);
        yield record;
      }
    },
    of: (kind, type) => hashOf((hashes.get(keyOf(kind, type)) ?? []).toSorted().join()).slice(0, DIGITS),
  };
}

function keyOf(kind: string, type: string): string {
  return `${kind} ${type}`;
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** The same with the keys of every object in one order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, part]) => [name, sorted(part)] as const);
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

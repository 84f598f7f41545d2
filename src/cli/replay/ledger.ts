import { createHash } from 'node:crypto';
import { descriptorOfKind } from '../../core/contract/resources.ts';
import { totalsOfLedger } from '../push/ledger-totals.ts';
import type { LedgerLine } from './expectation.ts';
import type { LedgerRecord } from '../push/ports/platform.ts';

/** The lines of an expectation for the ledger of a platform, in the order of kind and type. */
export async function ledgerLines(records: AsyncIterable<LedgerRecord>): Promise<readonly LedgerLine[]> {
  const content = ledgerContent();
  const totals = await totalsOfLedger(content.noting(records));
  return [...totals]
    .map(([key, { count, amount }]) => {
      const [kind, type] = key.split(' ') as [LedgerLine['kind'], string];
      return {
        kind,
        ...(type !== '' && { type }),
        count,
        ...(descriptorOfKind(kind).amount && { sum: amount.text }),
        content: content.of(kind, type),
      };
    })
    .toSorted((a, b) => (`${a.kind} ${a.type}` < `${b.kind} ${b.type}` ? -1 : 1));
}

/** Digests of the records of a ledger, taken while they pass. */
export interface LedgerContent {
  noting<R extends LedgerRecord>(records: AsyncIterable<R>): AsyncGenerator<R>;
  /** The digest of all records of a kind and type so far, whatever the order in which they were stored. */
  of(kind: string, type: string): string;
}

/** Digits of a digest: enough to show a difference, few enough to be read. */
const DIGITS = 16;

export function ledgerContent(): LedgerContent {
  const hashes = new Map<string, string[]>();
  return {
    async *noting(records) {
      for await (const record of records) {
        const { typeField } = descriptorOfKind(record.kind);
        const key = keyOf(record.kind, typeField === null ? '' : String(record.data[typeField]));
        const known = hashes.get(key);
        // Locations follow from the paths of the record and from the seed.
        const content = { ...record, seq: undefined, documents: undefined };
        const hash = hashOf(JSON.stringify(sorted(content)));
        if (known) known.push(hash);
        else hashes.set(key, [hash]);
        yield record;
      }
    },
    of: (kind, type) => hashOf((hashes.get(keyOf(kind, type)) ?? []).toSorted().join()).slice(0, DIGITS),
  };
}

const keyOf = (kind: string, type: string): string => `${kind} ${type}`;

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');

/** The same value with the keys of every object in alphabetical order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, part]) => [name, sorted(part)] as const);
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

import { countBetween, type ByteCensus } from './byte-census.ts';
import { unicodeEvidence } from './encoding-evidence.ts';
import type { BinaryKind } from './inspection.ts';

const MAGIC: readonly (readonly [BinaryKind, string])[] = [
  ['zip', 'PK\x03\x04'],
  ['zip', 'PK\x05\x06'],
  ['ole', '\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1'],
  ['gzip', '\x1F\x8B'],
  ['pdf', '%PDF-'],
];

/** Null for what may be text. */
export function binaryKind(census: ByteCensus): BinaryKind | null {
  if (census.bytes === 0) return 'empty';
  const head = census.head.toString('latin1');
  const magic = MAGIC.find(([, bytes]) => head.startsWith(bytes));
  if (magic) return magic[0];
  if (census.mark !== null || unicodeEvidence(census)?.name?.startsWith('utf-16')) return null;
  // Tab, line ends and 0x1A occur in texts; of all others together not even one byte in a hundred.
  const controls =
    countBetween(census.counts, 0, 8) +
    countBetween(census.counts, 14, 25) +
    countBetween(census.counts, 27, 31);
  return controls * 100 > census.bytes ? 'binary' : null;
}

import type { ComparedRecord, SourceRecord } from './ports.ts';
import type { RecordGroup } from './record-groups.ts';

/**
 * How the records of a group belong together. `repeat`: a row without a record of its own, because the platform keeps one
 * of several equal records. `extra` with `of`: a record that is there more often than in the source.
 */
export type Pair =
  | { readonly kind: 'pair' | 'repeat'; readonly source: SourceRecord; readonly found: ComparedRecord }
  | { readonly kind: 'missing'; readonly source: SourceRecord }
  | { readonly kind: 'extra'; readonly found: ComparedRecord; readonly of: SourceRecord | undefined };

export type Pairing = (group: RecordGroup) => Iterable<Pair>;

/** Pairs records that a platform keeps under their key, whatever their content. The first stored record is the one that counts. */
export function* byKey({ source, found }: RecordGroup): Generator<Pair> {
  for (const [index, record] of source.entries()) {
    const stored = found[index];
    if (stored) yield { kind: 'pair', source: record, found: stored };
    else yield { kind: 'missing', source: record };
  }
  for (const record of found.slice(source.length)) yield { kind: 'extra', found: record, of: source[0] };
}

/**
 * Pairs records of which a platform keeps one where several are equal. A record without a variant equals every record of its
 * key (interface.md 4.2, rule 3).
 */
export function* byVariant({ source, found }: RecordGroup): Generator<Pair> {
  const claimed = new Set<ComparedRecord>();
  // A record without a variant fits every stored record, so it takes what the others leave.
  for (const record of [...source.filter(hasVariant), ...source.filter((each) => !hasVariant(each))]) {
    const equal = found.filter(({ variant }) => !hasVariant(record) || variant === record.variant);
    const stored = equal.find((each) => !claimed.has(each)) ?? equal[0];
    if (!stored) yield { kind: 'missing', source: record };
    else {
      yield { kind: claimed.has(stored) ? 'repeat' : 'pair', source: record, found: stored };
      claimed.add(stored);
    }
  }
  const variants = new Set<string>();
  for (const record of found) {
    const isDoubled = variants.has(record.variant);
    variants.add(record.variant);
    if (!claimed.has(record)) yield { kind: 'extra', found: record, of: isDoubled ? source[0] : undefined };
  }
}

const hasVariant = ({ variant }: SourceRecord): boolean => variant !== '';

import type { SentRecord, UnpairedStore } from './ports.ts';
import { LISTED } from './reconcile.ts';
import { groupsOf } from './record-groups.ts';

/** The fate of a record from one version of a file to the next. */
export const VERSION_KINDS = ['changed', 'moved', 'new', 'vanished'] as const;
export type VersionKind = (typeof VERSION_KINDS)[number];

/** One difference: a record of the earlier run, a record of the later run, or both. */
export interface VersionDifference {
  readonly kind: VersionKind;
  readonly earlier: SentRecord | null;
  readonly later: SentRecord | null;
  /** `type`, `amount` and `content`, where they differ. */
  readonly fields: readonly string[];
}

/** Two versions of a file beside each other. */
export interface VersionComparison {
  /** Records by what became of them; `earlier` and `later` count all records of a side. */
  readonly records: Readonly<Record<'earlier' | 'later' | 'unchanged' | VersionKind, number>>;
  /** The first `LISTED` differences. */
  readonly differences: readonly VersionDifference[];
}

/** Two runs of one resource, each in the order of account, key and variant. */
interface Versions {
  readonly earlier: Iterable<SentRecord>;
  readonly later: Iterable<SentRecord>;
  readonly unpaired: UnpairedStore<SentRecord>;
  /** Whether records have ids of their own. Two accounts may have equal records without ids, so such a record never moves. */
  readonly haveIds: boolean;
}

/** Compares two versions record by record. Memory does not grow with the number of records. */
export function compareVersions({ earlier, later, unpaired, haveIds }: Versions): VersionComparison {
  const records = { earlier: 0, later: 0, unchanged: 0, changed: 0, moved: 0, new: 0, vanished: 0 };
  const differences: VersionDifference[] = [];
  const add = (difference: VersionDifference): void => {
    records[difference.kind]++;
    if (differences.length < LISTED) differences.push(difference);
  };
  for (const { source, found } of groupsOf<SentRecord, SentRecord>(earlier, later)) {
    records.earlier += source.length;
    records.later += found.length;
    const { unchanged, changed, gone, added } = pairsOf(source, found);
    records.unchanged += unchanged;
    for (const [before, after] of changed)
      add({ kind: 'changed', earlier: before, later: after, fields: changedFields(before, after) });
    for (const record of gone)
      if (haveIds) unpaired.addMissing(record);
      else add({ kind: 'vanished', earlier: record, later: null, fields: [] });
    for (const record of added)
      if (haveIds) unpaired.addExtra(record);
      else add({ kind: 'new', earlier: null, later: record, fields: [] });
  }
  for (const pair of unpaired.pairs()) {
    // Both sides are records of runs.
    const [before, after] = [pair.source as SentRecord | null, pair.found];
    const kind = before === null ? 'new' : after === null ? 'vanished' : 'moved';
    add({ kind, earlier: before, later: after, fields: [] });
  }
  return { records, differences };
}

interface GroupPairs {
  readonly unchanged: number;
  readonly changed: readonly (readonly [earlier: SentRecord, later: SentRecord])[];
  readonly gone: readonly SentRecord[];
  readonly added: readonly SentRecord[];
}

/** Pairs the records with one account and key: equal records first, then records with the same variant. */
function pairsOf(earlier: readonly SentRecord[], later: readonly SentRecord[]): GroupPairs {
  const equal = paired(earlier, later, (a, b) => a.variant === b.variant && a.content.equals(b.content));
  const { pairs: changed, ...rest } = paired(equal.gone, equal.added, (a, b) => a.variant === b.variant);
  return { unchanged: equal.pairs.length, changed, ...rest };
}

function paired(
  earlier: readonly SentRecord[],
  later: readonly SentRecord[],
  belong: (a: SentRecord, b: SentRecord) => boolean,
) {
  const added = [...later];
  const gone: SentRecord[] = [];
  const pairs: (readonly [SentRecord, SentRecord])[] = [];
  for (const before of earlier) {
    const at = added.findIndex((after) => belong(before, after));
    if (at < 0) gone.push(before);
    else pairs.push([before, added.splice(at, 1)[0]!]);
  }
  return { pairs, gone, added };
}

function changedFields(before: SentRecord, after: SentRecord): readonly string[] {
  const named = (['type', 'amount'] as const).filter((field) => before[field] !== after[field]);
  return [...named, 'content'];
}

import { descriptorOfKind } from '../../core/contract/resources.ts';
import type { ClientRun, LedgerRecord } from './client-run.ts';

/** The records of undisturbed runs, with which all others are compared. */
export type Reference = ReturnType<typeof referenceOf>;

/** How the records of a run differ from those of an undisturbed run, on one account and of one kind. */
export interface Difference {
  readonly kind: LedgerRecord['kind'];
  readonly account: string;
  /** Names of records, or how many of them where they have none. */
  readonly missing: readonly string[];
  readonly twice: readonly string[];
  readonly changed: readonly string[];
  readonly isOutOfOrder: boolean;
}

/** Records by kind and account. Their order matters only there. */
const groupsOf = (records: readonly LedgerRecord[]): ReadonlyMap<string, readonly LedgerRecord[]> =>
  Map.groupBy(records, ({ kind, import_supplier: supplier, external_account_number: account }) =>
    JSON.stringify([kind, supplier, account]),
  );

/** @param runs undisturbed runs; what differs between them is random */
export function referenceOf(runs: readonly ClientRun[]) {
  const ledgers = runs.map(({ records }) => records);
  const random = randomFields(ledgers);
  /** The content of a record without what is random, and without the fields that are left out. */
  const contentOf = (
    kind: string,
    data: Readonly<Record<string, unknown>>,
    leftOut: readonly (string | null)[] = [],
  ): string =>
    JSON.stringify(
      Object.entries(data)
        .filter(([field]) => !leftOut.includes(field) && !random.has(`${kind}.${field}`))
        .toSorted(([one], [other]) => (one < other ? -1 : 1)),
    );
  const full = ({ kind, data }: LedgerRecord): string => contentOf(kind, data);
  const isInOrder = (expected: readonly LedgerRecord[], actual: readonly LedgerRecord[]): boolean => {
    const [wanted, there] = [new Set(expected.map(full)), new Set(actual.map(full))];
    const [one, other] = [[wanted, there] as const, [there, wanted] as const].map(([from, both]) =>
      [...from].filter((content) => both.has(content)),
    );
    return one!.join() === other!.join();
  };
  const groups = groupsOf(ledgers[0]!);
  const isOrdered = ledgers.every((records) =>
    [...groupsOf(records)].every(([key, own]) => groups.has(key) && isInOrder(groups.get(key)!, own)),
  );
  const differenceIn = (key: string, records: readonly LedgerRecord[]): Difference => {
    const expected = groups.get(key) ?? [];
    const { kind, external_account_number: account } = (expected[0] ?? records[0])!;
    const { idField, filled = [] } = descriptorOfKind(kind);
    const nameOf = ({ data }: LedgerRecord): string => {
      const id = idField === null || random.has(`${kind}.${idField}`) ? undefined : data[idField];
      return typeof id === 'string' ? id : kind.replace('_', ' ');
    };
    // A note has no id, and is another one to the platform with another time.
    const bare = ({ data }: LedgerRecord): string => contentOf(kind, data, [idField, ...filled]);
    const left = [...without(expected, records, full)];
    const twice: string[] = [];
    const changed: string[] = [];
    for (const record of without(records, expected, full)) {
      const isSame = (wanted: LedgerRecord): boolean => bare(wanted) === bare(record);
      const renamed = left.findIndex(isSame);
      if (expected.some((wanted) => full(wanted) === full(record))) twice.push(nameOf(record));
      else if (renamed >= 0) changed.push(nameOf(left.splice(renamed, 1)[0]!));
      else if (expected.some(isSame)) twice.push(nameOf(record));
      else changed.push(nameOf(left.shift() ?? record));
    }
    const isOutOfOrder = isOrdered && !isInOrder(expected, records);
    return { kind, account, missing: left.map(nameOf), twice, changed, isOutOfOrder };
  };
  return {
    records: ledgers[0]!.length,
    /** Names of random fields, with their kind of record. */
    random: [...random],
    /** Whether undisturbed runs store the records of each account in the same order. */
    isOrdered,
    contentOf,
    /** The groups of records in which a run differs. */
    differences: (records: readonly LedgerRecord[]): readonly Difference[] => {
      const actual = groupsOf(records);
      return [...new Set([...groups.keys(), ...actual.keys()])]
        .map((key) => differenceIn(key, actual.get(key) ?? []))
        .filter((each) => each.isOutOfOrder || [...each.missing, ...each.twice, ...each.changed].length > 0);
    },
  };
}

/** The records that the others lack, each counted. */
function without(
  records: readonly LedgerRecord[],
  others: readonly LedgerRecord[],
  content: (record: LedgerRecord) => string,
): readonly LedgerRecord[] {
  const counts = new Map([...Map.groupBy(others, content)].map(([each, own]) => [each, own.length]));
  return records.filter((record) => {
    const count = counts.get(content(record)) ?? 0;
    counts.set(content(record), count - 1);
    return count <= 0;
  });
}

/** A field is random when its values, all taken together, differ between two runs. */
function randomFields(ledgers: readonly (readonly LedgerRecord[])[]): ReadonlySet<string> {
  const values = ledgers.map((records) => {
    const all = records.flatMap(({ kind, data }) =>
      Object.entries(data).map(([field, value]) => ({
        name: `${kind}.${field}`,
        text: JSON.stringify(value),
      })),
    );
    return Map.groupBy(all, ({ name }) => name);
  });
  const isRandom = (name: string): boolean =>
    new Set(
      values.map((fields) =>
        fields
          .get(name)
          ?.map(({ text }) => text)
          .toSorted()
          .join(),
      ),
    ).size > 1;
  return new Set(values.flatMap((fields) => [...fields.keys()]).filter(isRandom));
}

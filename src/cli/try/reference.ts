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

type Group = {
  readonly kind: LedgerRecord['kind'];
  readonly account: string;
  readonly records: readonly LedgerRecord[];
};

/** Groups records by kind and account. Their order matters only there. */
function groupsOf(records: readonly LedgerRecord[]): ReadonlyMap<string, Group> {
  const grouped = Map.groupBy(records, (record) =>
    JSON.stringify([record.kind, record.import_supplier, record.external_account_number]),
  );
  return new Map(
    [...grouped].map(([key, own]) => [
      key,
      { kind: own[0]!.kind, account: own[0]!.external_account_number, records: own },
    ]),
  );
}

/** @param runs undisturbed runs; what differs between them is random */
export function referenceOf(runs: readonly ClientRun[]) {
  const [first] = runs as readonly [ClientRun, ...ClientRun[]];
  const random = new Set(randomFields(runs.map(({ records }) => records)));
  const isRandom = (kind: string, field: string): boolean => random.has(`${kind}.${field}`);
  /** The content of a record without what is random, and without the fields that are left out. */
  const contentOf = (
    kind: string,
    data: Readonly<Record<string, unknown>>,
    leftOut: readonly (string | null)[] = [],
  ): string =>
    JSON.stringify(
      Object.entries(data)
        .filter(([field]) => !leftOut.includes(field) && !isRandom(kind, field))
        .toSorted(([one], [other]) => (one < other ? -1 : 1)),
    );
  const groups = groupsOf(first.records);
  const sequenceOf = ({ kind, records }: Group): readonly string[] =>
    records.map(({ data }) => contentOf(kind, data));
  const isOrdered = runs.every(({ records }) =>
    [...groupsOf(records)].every(([key, group]) => {
      const own = groups.get(key);
      return own !== undefined && isInOrder(sequenceOf(own), sequenceOf(group));
    }),
  );
  const differenceIn = (key: string, records: readonly LedgerRecord[]): Difference => {
    const expected = groups.get(key)?.records ?? [];
    const { kind, external_account_number: account } = (expected[0] ?? records[0])!;
    const { idField, filled = [] } = descriptorOfKind(kind);
    const nameOf = (record: LedgerRecord): string => {
      const id = idField === null || isRandom(kind, idField) ? undefined : record.data[idField];
      return typeof id === 'string' ? id : kind.replace('_', ' ');
    };
    const full = (record: LedgerRecord): string => contentOf(kind, record.data);
    // A note has no id, and is another one to the platform with another time.
    const bare = (record: LedgerRecord): string => contentOf(kind, record.data, [idField, ...filled]);
    const missing = without(expected, records, full);
    const left = [...missing];
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
    return {
      kind,
      account,
      missing: left.map(nameOf),
      twice,
      changed,
      isOutOfOrder: isOrdered && !isInOrder(expected.map(full), records.map(full)),
    };
  };
  return {
    records: first.records.length,
    /** Names of random fields, with their kind of record. */
    random: [...random],
    /** Whether undisturbed runs store the records of each account in the same order. */
    isOrdered,
    contentOf,
    /** The groups of records in which a run differs. */
    differences: (records: readonly LedgerRecord[]): readonly Difference[] => {
      const actual = groupsOf(records);
      return [...new Set([...groups.keys(), ...actual.keys()])]
        .map((key) => differenceIn(key, actual.get(key)?.records ?? []))
        .filter(
          ({ missing, twice, changed, isOutOfOrder }) =>
            missing.length + twice.length + changed.length > 0 || isOutOfOrder,
        );
    },
  };
}

/** The records that the others lack, each counted. */
function without(
  records: readonly LedgerRecord[],
  others: readonly LedgerRecord[],
  content: (record: LedgerRecord) => string,
): readonly LedgerRecord[] {
  const counts = new Map<string, number>();
  for (const other of others) counts.set(content(other), (counts.get(content(other)) ?? 0) + 1);
  return records.filter((record) => {
    const count = counts.get(content(record)) ?? 0;
    counts.set(content(record), count - 1);
    return count <= 0;
  });
}

/** Whether the contents that both have come in the same order. */
function isInOrder(expected: readonly string[], actual: readonly string[]): boolean {
  const [wanted, there] = [new Set(expected), new Set(actual)];
  const common = [...wanted].filter((content) => there.has(content));
  return [...there]
    .filter((content) => wanted.has(content))
    .every((content, index) => content === common[index]);
}

/** A field is random when its values, all taken together, differ between two runs. */
function randomFields(ledgers: readonly (readonly LedgerRecord[])[]): readonly string[] {
  const values = ledgers.map((records) => {
    const fields = new Map<string, string[]>();
    for (const { kind, data } of records)
      for (const [field, value] of Object.entries(data)) {
        const key = `${kind}.${field}`;
        const own = fields.get(key);
        if (own) own.push(JSON.stringify(value));
        else fields.set(key, [JSON.stringify(value)]);
      }
    return new Map([...fields].map(([key, own]) => [key, own.toSorted().join()]));
  });
  const names = new Set(values.flatMap((fields) => [...fields.keys()]));
  return [...names].filter((name) => new Set(values.map((fields) => fields.get(name))).size > 1);
}

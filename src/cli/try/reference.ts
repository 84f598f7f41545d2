import { descriptorOfKind } from '../../core/contract/resources.ts';
import type { JsonObject } from '../../core/values/plain-json.ts';
import type { ClientRun, LedgerRecord } from './client-run.ts';

/** The records of undisturbed runs, with which all others are compared. */
export type Reference = ReturnType<typeof referenceOf>;

/** One way in which a run has stored something else than undisturbed runs. */
export interface Difference {
  readonly kind: 'lost' | 'twice' | 'different' | 'order';
  readonly account: string;
  /** The id of a record, or its kind where it has no id that stays the same. */
  readonly name: string;
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
  const contentOf = (kind: string, data: JsonObject, leftOut: readonly (string | null)[] = []): string =>
    JSON.stringify(
      Object.entries(data)
        .filter(([field]) => !leftOut.includes(field) && !random.has(`${kind}.${field}`))
        .toSorted(([one], [other]) => (one < other ? -1 : 1)),
    );
  const full = ({ kind, data }: LedgerRecord): string => contentOf(kind, data);
  const isInOrder = (expected: readonly LedgerRecord[], actual: readonly LedgerRecord[]): boolean => {
    const [wanted, there] = [new Set(expected.map(full)), new Set(actual.map(full))];
    const kept = [...wanted].filter((content) => there.has(content));
    return kept.join() === [...there].filter((content) => wanted.has(content)).join();
  };
  const groups = groupsOf(ledgers[0]!);
  const isOrdered = ledgers.every((records) =>
    [...groupsOf(records)].every(([key, own]) => groups.has(key) && isInOrder(groups.get(key)!, own)),
  );
  /** Kinds of which an account gets several records that only differ in what is random. */
  const withTwins = new Set<string>(
    [...groups.values()].flatMap((own) => (new Set(own.map(full)).size < own.length ? [own[0]!.kind] : [])),
  );
  const differencesIn = (key: string, records: readonly LedgerRecord[]): readonly Difference[] => {
    const expected = groups.get(key) ?? [];
    const { kind, external_account_number: account } = (expected[0] ?? records[0])!;
    const { idField, filled = [] } = descriptorOfKind(kind);
    const words = kind.replace('_', ' ');
    const found: Difference[] = [];
    const add = (difference: Difference['kind'], { data }: LedgerRecord): void => {
      const id = idField === null || random.has(`${kind}.${idField}`) ? undefined : data[idField];
      found.push({ kind: difference, account, name: typeof id === 'string' ? id : words });
    };
    // A note has no id, and is another one to the platform with another time.
    const bare = ({ data }: LedgerRecord): string => contentOf(kind, data, [idField, ...filled]);
    const left = [...without(expected, records, full)];
    for (const record of without(records, expected, full)) {
      const isSame = (wanted: LedgerRecord): boolean => bare(wanted) === bare(record);
      const renamed = left.findIndex(isSame);
      if (expected.some((wanted) => full(wanted) === full(record))) add('twice', record);
      else if (renamed >= 0) add('different', left.splice(renamed, 1)[0]!);
      else if (expected.some(isSame)) add('twice', record);
      else add('different', left.shift() ?? record);
    }
    for (const record of left) add('lost', record);
    if (isOrdered && !isInOrder(expected, records)) found.push({ kind: 'order', account, name: `${words}s` });
    return found;
  };
  return {
    records: ledgers[0]!.length,
    /** Names of random fields, with their kind of record. */
    random: [...random],
    /** Whether undisturbed runs store the records of each account in the same order. */
    isOrdered,
    /** The content that a record has in each request that carries it, also when the client gives it another id each time. */
    contentOf: (kind: string, data: JsonObject): string =>
      withTwins.has(kind) ? JSON.stringify(data) : contentOf(kind, data),
    /** Whether undisturbed clients send to the path more than once. */
    isRepeated: (path: string): boolean => runs[0]!.requests.filter((each) => each.path === path).length > 1,
    differences: (records: readonly LedgerRecord[]): readonly Difference[] => {
      const actual = groupsOf(records);
      const keys = new Set([...groups.keys(), ...actual.keys()]);
      return [...keys].flatMap((key) => differencesIn(key, actual.get(key) ?? []));
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
  const runs = ledgers.map((records) => {
    const values = records.flatMap(({ kind, data }) =>
      Object.entries(data).map(([field, value]) => [`${kind}.${field}`, JSON.stringify(value)] as const),
    );
    return Map.groupBy(
      values.toSorted((one, other) => (String(one) < String(other) ? -1 : 1)),
      ([name]) => name,
    );
  });
  const names = new Set(runs.flatMap((values) => [...values.keys()]));
  return new Set([...names].filter((name) => new Set(runs.map((run) => String(run.get(name)))).size > 1));
}

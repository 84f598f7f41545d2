import fc from 'fast-check';
import { cpSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { History } from '../../../src/cli/run-file/history/history.ts';
import type { StoredIdentity } from '../../../src/cli/run-file/history/history-index.ts';
import { RunsFolder } from '../../../src/cli/run-file/runs-folder.ts';
import { RefusingPlatform } from '../../support/refusing-platform.ts';
import { csvOf, row } from '../../support/push-staged-run.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { Versions } from '../../support/versions.ts';

/** Different texts of the same few amounts. */
const AMOUNTS = [
  ['1', '1.0', '1.00'],
  ['2', '2.00'],
] as const;

const ACCOUNTS = ['A', 'B', 'C'] as const;
const IDS = ['1', '2', '3', '4'] as const;

interface Row {
  readonly account: string;
  readonly id: string;
  /** Index of its amount. */
  readonly value: number;
  readonly form: number;
}

/** One command of a life. */
interface Step {
  readonly rows: readonly Row[];
  readonly place: string;
  readonly keepsAll: boolean;
  /** Ids that the platform refuses for now. */
  readonly refused: readonly string[];
  /** Whether the file of an earlier step is sent instead; counted from the last one. */
  readonly repeats: number | undefined;
}

const anyRow = fc.record({
  account: fc.constantFrom(...ACCOUNTS),
  id: fc.constantFrom(...IDS),
  value: fc.nat(AMOUNTS.length - 1),
  form: fc.nat(2),
});

const step: fc.Arbitrary<Step> = fc.record({
  rows: fc.uniqueArray(anyRow, {
    selector: ({ account, id }) => `${account}:${id}`,
    minLength: 1,
    maxLength: 7,
  }),
  place: fc.constantFrom('/in/a.csv', '/in/b.csv'),
  keepsAll: fc.boolean(),
  refused: fc.subarray([...IDS], { maxLength: 2 }),
  repeats: fc.option(fc.nat(3), { nil: undefined, freq: 2 }),
});

function csvOfRows(rows: readonly Row[]): string {
  return csvOf(
    rows.map(({ account, id, value, form }) => {
      const forms = AMOUNTS[value]!;
      return { ...row.transactions(account, id), amount: forms[form % forms.length]! };
    }),
  );
}

const keyOf = ({ account, id }: Pick<Row, 'account' | 'id'>): string => `${account}:${id}`;

/** What a person would expect of a life, from the files and the ledger alone. */
class Oracle {
  /** The amount of each record on the platform. */
  readonly ledger = new Map<string, number>();
  /** The versions that brought each record there. */
  private readonly broughtBy = new Map<string, string>();
  /** All names that the file of a version had. */
  private readonly placesOf = new Map<string, Set<string>>();
  /** How the rows of each version ended. */
  private readonly versions = new Map<string, ReadonlyMap<string, string>>();
  /** Versions of which nothing that was sent since can have changed what the history says, with their vanished records. */
  private readonly compared = new Map<string, number>();

  /** The ends of the rows of a command, and the records of its file that are gone. */
  expected(csv: string, { rows, place, refused }: Step) {
    const present = new Set(rows.map(keyOf));
    const before = this.versions.get(csv);
    const places = this.placesOf.get(csv) ?? new Set();
    if (!places.has(place)) this.compared.delete(csv);
    this.placesOf.set(csv, places.add(place));
    const isMove = (each: Row): string | undefined => {
      // An account that refused the id does not have it.
      const [source, second] = ACCOUNTS.map((account) => keyOf({ account, id: each.id })).filter((key) =>
        this.ledger.has(key),
      );
      if (source === undefined || second !== undefined || present.has(source)) return undefined;
      return this.ledger.get(source) === each.value ? source : undefined;
    };
    const isNew = (each: Row): boolean => {
      const end = before?.get(keyOf(each));
      return !this.ledger.has(keyOf(each)) && end !== 'created';
    };
    const sources = rows.filter(isNew).flatMap((each) => isMove(each) ?? []);
    const movedFrom = new Set(
      sources.filter((source) => sources.indexOf(source) === sources.lastIndexOf(source)),
    );
    const ends = rows.map((each): string => {
      const earlier = before?.get(keyOf(each));
      if (earlier === 'created' || earlier === 'sent_before') return earlier;
      if (earlier?.startsWith('record_') && this.compared.has(csv)) return earlier;
      const there = this.ledger.get(keyOf(each));
      if (there !== undefined) return there === each.value ? 'sent_before' : 'record_changed';
      const source = isMove(each);
      if (source !== undefined && movedFrom.has(source)) return 'record_moved';
      return refused.includes(each.id) ? 'rejected' : 'created';
    });
    const gone = [...this.broughtBy].filter(
      ([key, by]) =>
        !present.has(key) && !movedFrom.has(key) && !places.isDisjointFrom(this.placesOf.get(by)!),
    );
    const vanished = this.compared.get(csv) ?? gone.length;
    rows.forEach((each, index) => {
      const end = ends[index]!;
      if (end === 'created' && !this.ledger.has(keyOf(each))) {
        this.ledger.set(keyOf(each), each.value);
        this.broughtBy.set(keyOf(each), csv);
      }
    });
    const isUnchanged =
      before !== undefined && rows.every((each, index) => before.get(keyOf(each)) === ends[index]);
    if (!isUnchanged || ends.includes('rejected')) this.compared.clear();
    this.compared.set(csv, vanished);
    this.versions.set(csv, new Map(rows.map((each, index) => [keyOf(each), ends[index]!])));
    return { ends, vanished };
  }
}

/** What the history says of every record that a file may have. */
function answersOf(history: History): readonly unknown[] {
  const scope = { resource: 'transactions', target: 'https://platform.example', database: null } as const;
  return ACCOUNTS.flatMap((external_account_number) =>
    IDS.map((id) => {
      const view = history.viewOf(scope, { resendsRefused: false });
      const account = { import_supplier: 'ACME', external_account_number };
      const identity: StoredIdentity = { key: id, variant: '' };
      const known = view?.lookUp({ account, identity });
      const place = known && view!.placeOf(known);
      return known && { known: known.known, content: known.content, place, seq: known.seq };
    }),
  );
}

test('random lives: every row ends as files and ledger say, and an index that is built again says the same', async () => {
  let ends: string[] = [];
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 6 }), async (life) => {
      const platform = new RefusingPlatform('transactions', []);
      const versions = new Versions('transactions', platform, new RunsFolder(temporaryFolder()));
      const oracle = new Oracle();
      const sent: Step[] = [];
      for (const made of life) {
        const rows = (made.repeats === undefined ? undefined : sent.at(-1 - made.repeats)?.rows) ?? made.rows;
        const csv = csvOfRows(rows);
        const each = { ...made, rows };
        const { place, keepsAll } = each;
        sent.push(each);
        platform.refused.clear();
        for (const id of each.refused) platform.refused.add(id);
        const result = await versions.send(csv, { place, keepsAll });
        const expected = oracle.expected(csv, each);
        expect(result.ends).toEqual(expected.ends);
        const gone = result.report.problems.filter(({ code }) => code === 'record_vanished');
        expect(gone).toHaveLength(expected.vanished);
        ends = [...ends, ...result.ends];
        const stored = Object.entries(platform.contents()).flatMap(([account, ids]) =>
          ids.map((id) => keyOf({ account, id })),
        );
        expect(stored.toSorted()).toEqual([...oracle.ledger.keys()].toSorted());
        expectSameWithoutIndex(versions);
      }
    }),
    { numRuns: 8 },
  );
  // Every judgement occurs, so the lives are not too tame.
  expect(new Set(ends)).toEqual(
    new Set(['created', 'sent_before', 'rejected', 'record_changed', 'record_moved']),
  );
});

/** The index is a cache: without it everything is known as before. */
function expectSameWithoutIndex(versions: Versions): void {
  const copy = temporaryFolder();
  cpSync(versions.folder.path, copy, { recursive: true });
  for (const name of readdirSync(copy)) if (name.startsWith('history.')) rmSync(join(copy, name));
  const [known, built] = [
    versions,
    new Versions('transactions', undefined as never, new RunsFolder(copy)),
  ].map((each) => each.history()) as [History, History];
  try {
    expect(answersOf(built)).toEqual(answersOf(known));
  } finally {
    for (const history of [known, built]) history.close();
  }
}

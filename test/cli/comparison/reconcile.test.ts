import { describe, expect, test } from 'vitest';
import { byKey } from '../../../src/cli/comparison/pairing.ts';
import type { SentRecord, SourceRecord, Unpaired, UnpairedStore } from '../../../src/cli/comparison/ports.ts';
import { reconcile, LISTED, type Verdict } from '../../../src/cli/comparison/reconcile.ts';
import { groupsOf } from '../../../src/cli/comparison/record-groups.ts';
import { sentRecord, sourceRecord } from '../../support/compared-record.ts';

/** Keeps records in memory, and ties those of one key on two accounts. */
function unpairedStore(): UnpairedStore<SentRecord> {
  const [missing, extra]: [SourceRecord[], SentRecord[]] = [[], []];
  return {
    addMissing: (record) => void missing.push(record),
    addExtra: (record) => void extra.push(record),
    *pairs(): Generator<Unpaired<SentRecord>> {
      const left = [...extra];
      for (const source of missing) {
        const at = left.findIndex(({ key }) => key === source.key);
        yield { source, found: at < 0 ? null : left.splice(at, 1)[0]! };
      }
      for (const found of left) yield { source: null, found };
    },
  };
}

const equal: Verdict = { code: null, fields: [] };
const judge = (row: SourceRecord, record: SentRecord): Verdict =>
  row.content.equals(record.content) ? equal : { code: 'record_differs', fields: ['content'] };

type Options = Partial<Parameters<typeof reconcile<SentRecord>>[0]>;
const reconciled = (source: readonly SourceRecord[], found: readonly SentRecord[], options: Options = {}) =>
  reconcile<SentRecord>({
    groups: groupsOf(source, found),
    pairing: byKey,
    judge,
    unpaired: unpairedStore(),
    ...options,
  });
const codes = ({ differences }: ReturnType<typeof reconciled>) =>
  differences.map(({ code, severity, source, found }) => [
    code,
    severity,
    source?.line ?? null,
    found?.seq ?? null,
  ]);

describe('two sides', () => {
  const [a, b] = [sourceRecord({ key: 'a' }), sourceRecord({ key: 'b', seq: 2, amount: '2.20' })];
  const [storedA, storedB] = [
    sentRecord({ key: 'a', seq: 11 }),
    sentRecord({ key: 'b', seq: 12, amount: '2.20' }),
  ];

  test('with equal records have equal sums, and no difference', () => {
    const result = reconciled([a, b], [storedA, storedB]);
    expect(result).toMatchObject({
      accounts: { total: 1, equal: 1 },
      differing_accounts: [],
      differences: [],
      errors_total: 0,
      warnings_total: 0,
      by_code: {},
      repeated_rows: 0,
      other_records: [],
    });
    expect(result.types).toMatchObject([
      {
        type: 'CREDIT',
        source: { count: 2, sum: '3.30' },
        found: { count: 2, sum: '3.30' },
      },
    ]);
  });

  test('name a record that is missing, and its money', () => {
    const result = reconciled([a, b], [storedA]);
    expect(codes(result)).toEqual([['record_missing', 'error', 3, null]]);
    expect(result).toMatchObject({
      errors_total: 1,
      by_code: { record_missing: 1 },
      accounts: { total: 1, equal: 0 },
    });
    expect(result.types).toMatchObject([{ source: { sum: '3.30' }, found: { count: 1, sum: '1.10' } }]);
  });

  test('name a record that differs, and one that is there twice', () => {
    const changed = sentRecord({ key: 'a', seq: 11, content: Buffer.from('x') });
    expect(codes(reconciled([a], [changed]))).toEqual([['record_differs', 'error', 2, 11]]);
    const result = reconciled([a], [storedA, sentRecord({ key: 'a', seq: 13 })]);
    expect(codes(result)).toEqual([['record_doubled', 'error', 2, 13]]);
    expect(result.types).toMatchObject([{ source: { count: 1 }, found: { count: 2, sum: '2.20' } }]);
  });

  test('name a record on another account', () => {
    const moved = sentRecord({ key: 'a', seq: 11, external_account_number: '2' });
    const result = reconciled([a], [moved]);
    expect(codes(result)).toEqual([['record_on_other_account', 'error', 2, 11]]);
    expect(result.accounts).toEqual({ total: 2, equal: 0 });
    expect(result.differing_accounts.map(({ external_account_number: number }) => number)).toEqual([
      '1',
      '2',
    ]);
  });

  test('count a record whose origin is known apart, and one that nobody has sent as a difference', () => {
    const other = sentRecord({ key: 'z', seq: 14, amount: '9' });
    expect(codes(reconciled([a], [storedA, other]))).toEqual([['record_without_row', 'error', null, 14]]);
    const known = reconciled([a], [storedA, other], { originOf: () => ({ kind: 'run', run: 'r1' }) });
    expect(known).toMatchObject({ errors_total: 0, differences: [], accounts: { total: 1, equal: 1 } });
    expect(known.other_records).toEqual([{ kind: 'run', run: 'r1', type: 'CREDIT', count: 1, sum: '9' }]);
    expect(known.types).toMatchObject([{ found: { count: 2, sum: '10.10' } }]);
  });

  test('only warn about an account that no row has', () => {
    const other = sentRecord({ key: 'z', seq: 14, external_account_number: '9' });
    const originOf = () => ({ kind: 'account_without_rows', run: null }) as const;
    const result = reconciled([a], [storedA, other], { originOf });
    expect(codes(result)).toEqual([['record_without_row', 'warning', null, 14]]);
    expect(result).toMatchObject({ errors_total: 0, warnings_total: 1, accounts: { total: 1, equal: 1 } });
  });

  test('miss no row that no run has reported as arrived', () => {
    const result = reconciled([a, b], [storedA], { mayMiss: ({ key }) => key === 'b' });
    expect(result).toMatchObject({ errors_total: 0, accounts: { total: 1, equal: 1 } });
    expect(result.types).toMatchObject([{ source: { count: 1 }, found: { count: 1 } }]);
  });

  test('take a record that is an earlier version of a row for one of another run', () => {
    const earlier = sentRecord({ key: 'a', seq: 11, content: Buffer.from('x') });
    const options: Options = {
      mayMiss: () => true,
      isEarlier: () => true,
      originOf: () => ({ kind: 'run', run: 'r0' }),
    };
    const result = reconciled([a], [earlier], options);
    expect(result).toMatchObject({ errors_total: 0, other_records: [{ run: 'r0', count: 1 }] });
    expect(reconciled([a], [earlier], { ...options, isEarlier: () => false }).errors_total).toBe(1);
    expect(reconciled([a], [earlier], { ...options, mayMiss: () => false }).errors_total).toBe(1);
  });

  test('do not count a record that has not arrived as there', () => {
    const result = reconciled([a], [storedA], { judge: () => ({ code: 'record_not_arrived', fields: [] }) });
    expect(codes(result)).toEqual([['record_not_arrived', 'error', 2, 11]]);
    expect(result.types).toMatchObject([{ source: { count: 1 }, found: { count: 0, sum: null } }]);
  });

  test('count a row that repeats another, and judge it, too', () => {
    const pairing: NonNullable<Options['pairing']> = ({ source, found }) =>
      source.map(
        (row, at) => ({ kind: at === 0 ? 'pair' : 'repeat', source: row, found: found[0]! }) as const,
      );
    const same = sourceRecord({ key: 'a', seq: 2 });
    expect(reconciled([a, same], [storedA], { pairing })).toMatchObject({
      repeated_rows: 1,
      errors_total: 0,
    });
    const other = sourceRecord({ key: 'a', seq: 2, content: Buffer.from('x') });
    expect(codes(reconciled([a, other], [storedA], { pairing }))).toEqual([
      ['record_differs', 'error', 3, 11],
    ]);
  });

  test('list as many differences and accounts as they say, and count all', () => {
    const rows = Array.from({ length: LISTED + 5 }, (_, at) =>
      sourceRecord({ external_account_number: String(10_000 + at), seq: at }),
    );
    const result = reconciled(rows, []);
    expect(result.differences).toHaveLength(LISTED);
    expect(result.differing_accounts).toHaveLength(LISTED);
    expect(result.errors_total).toBe(LISTED + 5);
  });
});

test('an account whose types are equal in part is a differing one', () => {
  const rows = [sourceRecord({ key: 'a' }), sourceRecord({ key: 'b', seq: 2, type: 'PAYMENT' })];
  const result = reconciled(rows, [sentRecord({ key: 'a', seq: 11 })]);
  expect(result.differing_accounts).toHaveLength(1);
  expect(result.accounts).toEqual({ total: 1, equal: 0 });
});

test('types come in their order, those without one first, and equal records of two suppliers are on two accounts', () => {
  const rows = ['PAYMENT', null, 'CREDIT'].map((type, seq) => sourceRecord({ key: `k${seq}`, seq, type }));
  const result = reconciled(rows, []);
  expect(result.types.map(({ type, source }) => [type, source.count])).toEqual([
    [null, 1],
    ['CREDIT', 1],
    ['PAYMENT', 1],
  ]);
  const both = reconciled(
    [sourceRecord(), sourceRecord({ import_supplier: 'ZEUS', seq: 2 })],
    [sentRecord(), sentRecord({ import_supplier: 'ZEUS', seq: 2 })],
  );
  expect(both).toMatchObject({ accounts: { total: 2, equal: 2 }, differing_accounts: [] });
});

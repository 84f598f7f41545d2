import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  AccountTally,
  type AccountTotal,
  isEqual,
  PartsHash,
  thereOf,
  type SideTotal,
} from '../../../src/cli/comparison/account-tally.ts';
import type { ComparedRecord } from '../../../src/cli/comparison/ports.ts';
import { anyCharacter } from '../../support/any-character.ts';

const record = (account: string, key: string, type: string, amount: string): ComparedRecord => ({
  import_supplier: 'ACME',
  external_account_number: account,
  key,
  variant: '',
  seq: 1,
  type,
  amount,
  content: Buffer.from(key),
});

test('the next account begins without the types, counts, sums and hashes of the account before', () => {
  const tally = new AccountTally(10);
  for (const account of ['1', '2', '3']) {
    tally.add('source', record(account, 'a', 'CREDIT', '1.10'));
    if (account !== '2') tally.add('found', record(account, 'a', 'CREDIT', '1.10'));
    if (account !== '2') tally.add('source', record(account, 'b', 'PAYMENT', '5'));
  }
  const types = tally.finish();
  const [first, second, third] = tally.differing.map((account) => account.types) as [
    AccountTotal['types'],
    AccountTotal['types'],
    AccountTotal['types'],
  ];
  expect(first.map(({ type, source }) => [type, source.count, source.sum])).toEqual([
    ['CREDIT', 1, '1.10'],
    ['PAYMENT', 1, '5'],
  ]);
  expect(third).toEqual(first);
  expect(second).toHaveLength(1);
  expect(second[0]).toEqual({ ...third[0], found: { count: 0, sum: null, sha256: sha256([]) } });
  expect(types.map(({ type, source, found }) => [type, source.count, source.sum, found.sum])).toEqual([
    ['CREDIT', 3, '3.30', '2.20'],
    ['PAYMENT', 2, '10', null],
  ]);
  expect([tally.accounts, tally.equal]).toEqual([3, 0]);
});

/** Few, many and large parts. */
const parts = fc.array(
  fc.oneof(
    fc.string({ unit: anyCharacter, maxLength: 3_000 }),
    fc.constantFrom('ü'.repeat(2_048), '€'.repeat(1_366), 'x'.repeat(4_096), 'x'.repeat(9_000)),
    fc.uint8Array({ maxLength: 5_000 }).map((bytes) => Buffer.from(bytes)),
  ),
  { maxLength: 12 },
);

test('the hash over parts is that over all their bytes, and the next hash begins anew', () => {
  const content = new PartsHash();
  fc.assert(
    fc.property(parts, (all) => {
      for (const part of all) content.add(part);
      expect(content.take()).toBe(sha256(all));
    }),
  );
});

function sha256(all: readonly (string | Buffer)[]): string {
  const hash = createHash('sha256');
  for (const part of all) hash.update(part);
  return hash.digest('hex');
}

describe('the totals of two sides', () => {
  const side = (given: Partial<SideTotal> = {}): SideTotal => ({
    count: 1,
    sum: '1.10',
    sha256: 'x',
    ...given,
  });
  const total = (found: Partial<SideTotal>) => ({
    type: 'CREDIT',
    source: side(),
    found: side(found),
    other: side({ count: 0, sum: null }),
  });

  test('are equal with equal counts, money and content, and with nothing less', () => {
    expect(isEqual(total({}))).toBe(true);
    expect(isEqual(total({ sum: '1.1' }))).toBe(true);
    for (const found of [{ count: 2 }, { sum: '1.11' }, { sum: null }, { sha256: 'y' }])
      expect(isEqual(total(found)), JSON.stringify(found)).toBe(false);
  });

  test('have what is there of the files and of others together', () => {
    const { source, found } = total({});
    const other = side({ count: 2, sum: '-3' });
    expect(thereOf({ type: null, source, found, other })).toEqual({ count: 3, sum: '-1.90' });
    const none = side({ count: 0, sum: null });
    expect(thereOf({ type: null, source, found, other: none })).toEqual({ count: 1, sum: '1.10' });
    expect(thereOf({ type: null, source, found: none, other: none })).toEqual({ count: 0, sum: null });
  });
});

test('types come in their order, those without one first, and an account of others alone is not compared', () => {
  const tally = new AccountTally(0);
  for (const type of ['PAYMENT', null, 'CREDIT']) tally.add('source', { ...record('1', 'a', '', '1'), type });
  tally.add('other', record('2', 'b', 'CREDIT', '5'));
  expect(tally.finish().map(({ type, source, other }) => [type, source.count, other.count])).toEqual([
    [null, 1, 0],
    ['CREDIT', 1, 1],
    ['PAYMENT', 1, 0],
  ]);
  expect([tally.accounts, tally.equal]).toEqual([1, 0]);
});

test('equal records of two accounts, and of two suppliers, do not make their totals one', () => {
  const tally = new AccountTally(10);
  const first = record('1', 'a', 'CREDIT', '1');
  for (const each of [first, { ...first, import_supplier: 'ZEUS' }, record('2', 'a', 'CREDIT', '1')]) {
    tally.add('source', each);
    tally.add('found', each);
  }
  tally.finish();
  expect([tally.differing, tally.accounts, tally.equal]).toEqual([[], 3, 3]);
});

test('content that moves from one account to another changes the total of all', () => {
  const hashOf = (...records: readonly ComparedRecord[]): string => {
    const tally = new AccountTally(0);
    for (const each of records) tally.add('source', each);
    return tally.finish()[0]!.source.sha256;
  };
  const [a, b] = [record('1', 'a', 'CREDIT', '1'), record('1', 'b', 'CREDIT', '1')];
  const hashes = [
    hashOf(a, b),
    hashOf(a, { ...b, external_account_number: '2' }),
    hashOf({ ...a, external_account_number: '2' }, { ...b, external_account_number: '2' }),
    hashOf({ ...a, import_supplier: 'ZEUS' }, { ...b, import_supplier: 'ZEUS' }),
    hashOf(record('1', 'ab', 'CREDIT', '1')),
  ];
  expect(new Set(hashes).size).toBe(hashes.length);
});

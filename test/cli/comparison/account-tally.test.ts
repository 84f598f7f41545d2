import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { AccountTally, type AccountTotal, PartsHash } from '../../../src/cli/comparison/account-tally.ts';
import type { ComparedRecord } from '../../../src/cli/comparison/ports.ts';

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
  const accounts: AccountTotal[] = [];
  const tally = new AccountTally((total) => accounts.push(total));
  for (const account of ['1', '2', '3']) {
    tally.add('source', record(account, 'a', 'CREDIT', '1.10'));
    if (account !== '2') tally.add('found', record(account, 'a', 'CREDIT', '1.10'));
    if (account === '1') tally.add('source', record(account, 'b', 'PAYMENT', '5'));
  }
  const types = tally.finish();
  const [first, second, third] = accounts.map((account) => account.types) as [
    AccountTotal['types'],
    AccountTotal['types'],
    AccountTotal['types'],
  ];
  expect(first.map(({ type, source }) => [type, source.count, source.sum])).toEqual([
    ['CREDIT', 1, '1.10'],
    ['PAYMENT', 1, '5'],
  ]);
  expect(third).toEqual(first.slice(0, 1));
  expect(second[0]).toEqual({ ...third[0], found: { count: 0, sum: null, sha256: sha256([]) } });
  expect(types.map(({ type, source, found }) => [type, source.count, source.sum, found.sum])).toEqual([
    ['CREDIT', 3, '3.30', '2.20'],
    ['PAYMENT', 1, '5', null],
  ]);
  expect([tally.accounts, tally.equal]).toEqual([3, 1]);
});

/** Few, many and large parts. */
const parts = fc.array(
  fc.oneof(
    fc.string({ unit: 'binary', maxLength: 3_000 }),
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

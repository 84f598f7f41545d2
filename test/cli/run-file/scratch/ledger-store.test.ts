import { expect, onTestFinished, test } from 'vitest';
import { openLedgerStore } from '../../../../src/cli/run-file/scratch/ledger-store.ts';

const account = (number: string, supplier = 'ACME') => ({
  import_supplier: supplier,
  external_account_number: number,
});

test('the records of a ledger come in the order of account, key and variant, with their texts', () => {
  const store = openLedgerStore();
  onTestFinished(store.close);
  const record = (seq: number, number: string, key: string, variant = '') => ({
    ...account(number),
    seq,
    key,
    variant,
    type: 'CHARGE',
    amount: '1.00',
    content: Buffer.from([seq]),
    data: `{"line":${seq}}`,
  });
  for (const each of [
    record(1, 'B', 'a'),
    record(2, 'A', 'b', '2'),
    record(3, 'A', 'b', '1'),
    record(4, 'A', 'a'),
    record(5, 'A', 'a'),
    { ...record(6, 'A', 'z'), import_supplier: 'AAA' },
  ])
    store.add(each);
  const [first, ...others] = [...store.records()];
  const { data, ...listed } = { ...record(6, 'A', 'z'), import_supplier: 'AAA' };
  expect(first).toEqual({ ...listed, origin: 0 });
  expect(others.map(({ seq }) => seq)).toEqual([4, 5, 3, 2, 1]);
  expect(store.dataOf(6)).toBe(data);
});

test('a move is of one record from one day to another, or from any day', () => {
  const store = openLedgerStore();
  onTestFinished(store.close);
  const move = { ...account('A'), id: 't-1', from: '2025-01-01', to: '2025-01-03' };
  store.addMove(move);
  store.addMove(move);
  expect([...store.records()]).toEqual([]);
  expect(store.hasMove(move)).toBe(true);
  expect(store.hasMove({ ...move, from: null })).toBe(true);
  for (const change of [
    { import_supplier: 'OTHER' },
    { external_account_number: 'B' },
    { id: 't-2' },
    { from: '2025-01-02' },
    { to: '2025-01-02' },
    { from: null, to: '2025-01-02' },
  ])
    expect([change, store.hasMove({ ...move, ...change })]).toEqual([change, false]);
});

test('a ledger is gone once it is closed', () => {
  const store = openLedgerStore();
  store.close();
  expect(() => store.dataOf(1)).toThrow('not open');
});

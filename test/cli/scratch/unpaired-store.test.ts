import { expect, onTestFinished, test } from 'vitest';
import { openUnpairedStore } from '../../../src/cli/scratch/unpaired-store.ts';
import { comparedRecord } from '../../support/compared-record.ts';

/** The sides of each pair, by the numbers of their records. */
function pairsOf(store: ReturnType<typeof openUnpairedStore>) {
  return [...store.pairs()].map(({ source, found }) => [source && source.seq, found && found.seq]);
}

function opened() {
  const store = openUnpairedStore();
  onTestFinished(store.close);
  return store;
}

test('the n-th missing record belongs to the n-th extra record with the same content', () => {
  const store = opened();
  for (const seq of [1, 2, 3]) store.addMissing(comparedRecord({ seq, key: 'a' }));
  for (const seq of [11, 12]) store.addExtra(comparedRecord({ seq, key: 'a' }));
  store.addExtra(comparedRecord({ seq: 13, key: 'b' }));
  expect(pairsOf(store)).toEqual([
    [1, 11],
    [2, 12],
    [3, null],
    [null, 13],
  ]);
});

test.each([
  ['content', { content: Buffer.from('other') }],
  ['key', { key: 'b', content: Buffer.from('a') }],
  ['supplier', { import_supplier: 'OTHER' }],
])('records with another %s belong to nobody', (_, change) => {
  const store = opened();
  store.addMissing(comparedRecord({ seq: 1 }));
  store.addExtra(comparedRecord({ seq: 11, ...change }));
  expect(pairsOf(store)).toEqual([
    [1, null],
    [null, 11],
  ]);
});

test('a record comes back as it was, without its content', () => {
  const store = opened();
  const [missing, extra] = [
    comparedRecord({ seq: 1 }),
    comparedRecord({ seq: 2, external_account_number: '2' }),
  ];
  store.addMissing(missing);
  store.addExtra(extra);
  const texts = { content: Buffer.alloc(0) };
  expect([...store.pairs()]).toEqual([{ source: { ...missing, ...texts }, found: { ...extra, ...texts } }]);
});

test('nothing is paired once the store is closed', () => {
  const store = openUnpairedStore();
  store.close();
  expect(() => [...store.pairs()]).toThrow('not open');
});

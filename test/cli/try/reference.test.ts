import { describe, expect, test } from 'vitest';
import type { LedgerRecord } from '../../../src/cli/try/client-run.ts';
import { referenceOf } from '../../../src/cli/try/reference.ts';
import { clientRun, stored } from '../../support/client-runs.ts';

const [a1, a2, a3] = [stored('a1'), stored('a2'), stored('a3')];

/** The differences of a ledger from those of two undisturbed runs. */
function compared(actual: readonly LedgerRecord[], first: readonly LedgerRecord[], second = first) {
  const reference = referenceOf([clientRun({ records: first }), clientRun({ records: second })]);
  return reference
    .differences(actual)
    .map(({ missing, twice, changed, isOutOfOrder }) => ({ missing, twice, changed, isOutOfOrder }));
}

const NONE = { missing: [], twice: [], changed: [], isOutOfOrder: false };

describe('compared with undisturbed runs', () => {
  test.each<[string, readonly LedgerRecord[], object]>([
    ['a missing record', [a1, a3], { missing: ['a2'] }],
    ['a repeated record', [a1, a2, a2, a3], { twice: ['a2'] }],
    ['a repeated record under another id', [a1, a2, stored('x2'), a3], { twice: ['x2'] }],
    ['another id', [a1, stored('x2'), a3], { changed: ['a2'] }],
    ['another amount', [a1, stored('a2', { amount: '9' }), a3], { changed: ['a2'] }],
    ['a record that nobody sent', [a1, a2, a3, stored('x9')], { changed: ['x9'] }],
    ['another order', [a2, a1, a3], { isOutOfOrder: true }],
  ])('%s is named', (_, actual, difference) => {
    expect(compared(actual, [a1, a2, a3])).toEqual([{ ...NONE, ...difference }]);
  });

  test('the same records are no difference', () => {
    expect(compared([a1, a2, a3], [a1, a2, a3])).toEqual([]);
  });

  test('the order of different accounts does not matter', () => {
    const b1 = stored('b1', {}, '8');
    expect(compared([b1, a1], [a1, b1])).toEqual([]);
  });
});

describe('a value that differs between two undisturbed runs', () => {
  const [first, second] = [
    [stored('r1'), stored('r2')],
    [stored('s1', { amount: '1' }), stored('s2', { amount: '2' })],
  ];

  test('is not compared', () => {
    expect(compared([stored('t1', { amount: '1' }), stored('t2', { amount: '2' })], first, second)).toEqual(
      [],
    );
  });

  test('hides no record that is there twice', () => {
    const actual = [
      stored('t1', { amount: '1' }),
      stored('t2', { amount: '1' }),
      stored('t3', { amount: '2' }),
    ];
    expect(compared(actual, first, second)).toEqual([{ ...NONE, twice: ['transaction'] }]);
  });

  test('leaves other values compared', () => {
    const actual = [stored('t1', { amount: '1' }), stored('t2', { amount: '7' })];
    expect(compared(actual, first, second)).toEqual([{ ...NONE, changed: ['transaction'] }]);
  });
});

describe('a note that is there once more', () => {
  const note = (body: string, at: string): LedgerRecord => ({
    ...stored('n'),
    kind: 'note',
    data: { body, created_at: `2026-01-0${at}T09:00:00Z`, is_pinned: false },
  });
  const [moved, called] = [note('Moved in.', '1'), note('Called.', '2')];

  test.each([
    ['with another time is there twice', [moved, called, note('Called.', '3')], { twice: ['note'] }],
    ['instead of itself is another one', [moved, note('Called.', '3')], { changed: ['note'] }],
    [
      'beside one that is missing is there twice',
      [moved, note('Moved in.', '3')],
      { twice: ['note'], missing: ['note'] },
    ],
    ['with another text is another one', [moved, called, note('Left.', '2')], { changed: ['note'] }],
  ])('%s', (_, actual, difference) => {
    expect(compared(actual, [moved, called])).toEqual([{ ...NONE, ...difference }]);
  });
});

test('an order that differs between two undisturbed runs is not compared', () => {
  const reference = referenceOf([clientRun({ records: [a1, a2] }), clientRun({ records: [a2, a1] })]);
  expect([reference.isOrdered, reference.random, reference.differences([a2, a1])]).toEqual([false, [], []]);
});

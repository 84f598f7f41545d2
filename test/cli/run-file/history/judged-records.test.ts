import { describe, expect, test, vi } from 'vitest';
import type { Known, KnownRecord } from '../../../../src/cli/run-file/history/history-index.ts';
import { HistoryView, type OtherRecords } from '../../../../src/cli/run-file/history/history-view.ts';

const ACCOUNTS = ['A', 'B'].map((number) => ({ import_supplier: 'ACME', external_account_number: number }));
const [A, B] = ACCOUNTS as [(typeof ACCOUNTS)[number], (typeof ACCOUNTS)[number]];

/** The hash of a record, as a text of Latin-1: 32 bytes, of which the index keeps 16. */
const hashOf = (seq: number): string => `${String(seq).padStart(15, '0')}\xff`.repeat(2);

const number = (value: number): string =>
  String.fromCharCode(value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255);

/** A run of which these records have arrived, each on the account A, except for every record of B. */
function viewOf(arrived: readonly number[], ofB: readonly number[] = [], isReadable = true) {
  const find = vi.fn((_account: unknown, { key }: { key: string }): KnownRecord | undefined => {
    const seq = Number(key);
    if (!arrived.includes(seq)) return undefined;
    return { run: 3, seq, known: 'arrived', content: hashOf(seq).slice(0, 16) };
  });
  const records = {
    find,
    allOf: () => [],
    arrived: (run: number, block: number): string =>
      run === 3
        ? arrived
            .filter((seq) => Math.floor(seq / 1_024) === block)
            .map((seq) => number(seq) + number(ofB.includes(seq) ? 2 : 1) + hashOf(seq).slice(0, 16))
            .join('')
        : '',
  };
  const accountOf = vi.fn((account: number) => ACCOUNTS[account - 1]!);
  const other = { id: 'run-3', accountOf } as unknown as OtherRecords;
  const view = new HistoryView(
    records as unknown as HistoryView['records'],
    () => (isReadable ? other : undefined),
    {
      resource: 'notes',
      resendsRefused: false,
    },
  );
  const judge = (seq: number, account = ofB.includes(seq) ? B : A, content = hashOf(seq)): string => {
    const judgement = view.judge({ account, id: null, content }, () => ({ key: String(seq), variant: '' }));
    return judgement.kind === 'new'
      ? 'new'
      : `${judgement.kind} ${judgement.there.run}:${judgement.there.seq}`;
  };
  const asked = (): readonly number[] => find.mock.calls.map(([, { key }]) => Number(key));
  return { view, judge, asked, accountOf };
}

const sent = (...seqs: readonly number[]) => seqs.map((seq) => `sent_before 3:${seq}`);
const range = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index);

describe('records that follow each other as in another run', () => {
  test('are found without their identities from the third one on, across blocks', () => {
    const all = range(1_000, 1_040);
    const { judge, asked } = viewOf(all);
    expect(all.map((seq) => judge(seq))).toEqual(sent(...all));
    expect(asked()).toEqual([1_000, 1_001]);
  });

  test('are looked for anew behind a row that is not there', () => {
    const { judge, asked } = viewOf(range(1, 10));
    expect([1, 2, 3, 99, 4, 5].map((seq) => judge(seq))).toEqual([...sent(1, 2, 3), 'new', ...sent(4, 5)]);
    expect(asked()).toEqual([1, 2, 99]);
  });

  test('are looked for anew when rows are gone, changed or sorted otherwise', () => {
    const { judge, asked } = viewOf(range(1, 20));
    expect([1, 2, 3, 6, 7, 8, 5, 4].map((seq) => judge(seq))).toEqual(sent(1, 2, 3, 6, 7, 8, 5, 4));
    expect(asked()).toEqual([1, 2, 6, 7, 5, 4]);
    expect(judge(9, A, hashOf(77))).toBe('changed 3:9');
  });

  test('go on behind records that have not arrived', () => {
    const { judge, asked } = viewOf([1, 2, 5, 2_000, 2_001]);
    expect([1, 2, 5].map((seq) => judge(seq))).toEqual(sent(1, 2, 5));
    expect(asked()).toEqual([1, 2]);
    // There is no block of the records between.
    expect([2_000, 2_001].map((seq) => judge(seq))).toEqual(sent(2_000, 2_001));
  });

  test('are of the same account, whose number is asked for once', () => {
    const { judge, asked, accountOf } = viewOf(range(1, 8), [5, 6]);
    expect(range(1, 6).map((seq) => judge(seq))).toEqual(sent(1, 2, 3, 4, 5, 6));
    expect(asked()).toEqual([1, 2]);
    expect(accountOf.mock.calls).toEqual([[1], [2]]);
    // Content and place are right, and the account is another one.
    judge(7, B);
    judge(7, { ...A, import_supplier: 'OTHER' });
    expect(asked()).toEqual([1, 2, 7, 7]);
  });

  test('are found by their identities when the other run cannot be read, or was closed', () => {
    const unread = viewOf(range(1, 5), [], false);
    expect(range(1, 5).map((seq) => unread.judge(seq))).toEqual(sent(1, 2, 3, 4, 5));
    expect(unread.asked()).toEqual([1, 2, 3, 4, 5]);
    const closed = viewOf(range(1, 6));
    range(1, 3).forEach((seq) => closed.judge(seq));
    closed.view.close();
    expect(range(4, 6).map((seq) => closed.judge(seq))).toEqual(sent(4, 5, 6));
    expect(closed.asked()).toEqual([1, 2, 4, 5]);
  });
});

test('a record is seen once a row of this version was it, wherever it is in its run', () => {
  const { view } = viewOf([]);
  for (const seq of [0, 7, 8, 8_191, 8_192, 100_000]) view.see({ run: 3, seq });
  view.see({ run: 4, seq: 9 });
  const seenIn = (run: number) =>
    [0, 1, 6, 7, 8, 9, 8_190, 8_191, 8_192, 8_193, 99_999, 100_000, 900_000].filter((seq) =>
      view.hasSeen({ run, seq }),
    );
  expect(seenIn(3)).toEqual([0, 7, 8, 8_191, 8_192, 100_000]);
  expect(seenIn(4)).toEqual([9]);
  expect(seenIn(5)).toEqual([]);
});

describe('a record that is new to its account', () => {
  const CONTENT = hashOf(1);
  const judged = (
    others: readonly { readonly known: Known; readonly seq?: number }[],
    id: string | null = 't-1',
  ) => {
    const records = {
      find: () => undefined,
      allOf: () => others.map(({ known, seq = 1 }) => ({ run: 3, seq, known, content: '' })),
    };
    const other = { contentOf: (seq: number) => Buffer.from(hashOf(seq), 'latin1') };
    const read = (run: number): OtherRecords | undefined =>
      run === 3 ? (other as unknown as OtherRecords) : undefined;
    const choice = { resource: 'transactions', resendsRefused: false } as const;
    const view = new HistoryView(records as unknown as HistoryView['records'], read, choice);
    const judgement = view.judge({ account: A, id, content: CONTENT }, () => ({ key: 't-1', variant: '' }));
    return judgement.kind === 'new' ? 'new' : [judgement.kind, judgement.there];
  };
  const moved = ['moved', expect.objectContaining({ run: 3, seq: 1 })];

  test.each<readonly [readonly { readonly known: Known; readonly seq?: number }[], unknown]>([
    [[], 'new'],
    [[{ known: 'arrived' }], moved],
    [[{ known: 'verify' }], moved],
    [[{ known: 'confirmed' }], moved],
    [[{ known: 'open' }], 'new'],
    [[{ known: 'final' }], 'new'],
    [[{ known: 'arrived', seq: 2 }], 'new'],
    [[{ known: 'arrived' }, { known: 'open' }], moved],
    [[{ known: 'arrived' }, { known: 'arrived' }], 'new'],
    [[{ known: 'verify' }, { known: 'arrived' }], 'new'],
    [[{ known: 'arrived', seq: 2 }, { known: 'confirmed' }], moved],
    [[{ known: 'confirmed' }, { known: 'confirmed' }], 'new'],
  ])('beside %j', (others, judgement) => {
    expect(judged(others)).toEqual(judgement);
  });

  test('has not moved without an id, nor from a run that cannot be read', () => {
    expect(judged([{ known: 'arrived' }], null)).toBe('new');
    const unread = viewOf([], [], false).view;
    expect([unread.placeOf({ run: 3, seq: 1 }), unread.factsOf({ run: 3, seq: 1 })]).toEqual([
      undefined,
      undefined,
    ]);
    const there = { run: 3, seq: 1, known: 'arrived', content: '' } as const;
    expect(unread.hasMoved({ account: A, identity: { key: 'a', variant: '' }, id: null }, there)).toBe(false);
  });
});

describe('a record that its account has', () => {
  const CONTENT = hashOf(1);
  const judged = (
    known: Known,
    {
      isEqual = true,
      resource = 'transactions',
      resendsRefused = false,
    }: {
      isEqual?: boolean;
      resource?: 'transactions' | 'payment-instructions';
      resendsRefused?: boolean;
    } = {},
  ) => {
    const found: KnownRecord = {
      run: 3,
      seq: 4,
      known,
      content: isEqual ? CONTENT.slice(0, 16) : hashOf(2).slice(0, 16),
    };
    const records = { find: () => found, allOf: () => [{ ...found, known: 'arrived', run: 9 }] };
    const choice = { resource, resendsRefused };
    const view = new HistoryView(records as unknown as HistoryView['records'], () => undefined, choice);
    const { kind } = view.judge({ account: A, id: 't-1', content: CONTENT }, () => ({
      key: 't-1',
      variant: '',
    }));
    expect(view.hasSeen(found)).toBe(true);
    return kind;
  };
  const payment = { resource: 'payment-instructions' } as const;

  test.each<readonly [Known, Parameters<typeof judged>[1], string]>([
    ['arrived', {}, 'sent_before'],
    ['arrived', { isEqual: false }, 'changed'],
    ['confirmed', {}, 'sent_before'],
    ['confirmed', { isEqual: false }, 'changed'],
    ['verify', {}, 'verify'],
    ['verify', { isEqual: false }, 'verify'],
    ['open', {}, 'new'],
    ['open', payment, 'new'],
    ['final', {}, 'new'],
    ['final', payment, 'refused'],
    ['final', { ...payment, isEqual: false }, 'new'],
    ['final', { ...payment, resendsRefused: true }, 'new'],
  ])('and of which is known that it is %s, with %j, is %s', (known, given, kind) => {
    expect(judged(known, given)).toBe(kind);
  });

  test('is found by its file and line there', () => {
    const place = { file: 'a.csv', line: 7, wasCompared: true };
    const other = { id: 'run-3', placeOf: () => place, factsOf: () => ({ type: 'T', amount: '1' }) };
    const view = new HistoryView({} as HistoryView['records'], () => other as unknown as OtherRecords, {
      resource: 'notes',
      resendsRefused: false,
    });
    expect(view.placeOf({ run: 3, seq: 4 })).toEqual({ ...place, run: 'run-3' });
    expect(view.factsOf({ run: 3, seq: 4 })).toEqual({ type: 'T', amount: '1' });
  });

  test('has moved when one of several records says so, found by its reference where that is no key', () => {
    const there = { run: 3, seq: 1, known: 'arrived', content: 'c' } as const;
    const allOf = vi.fn((): readonly KnownRecord[] => [there, { ...there, run: 4, known: 'confirmed' }]);
    const hasMoved = (resource: 'transactions' | 'payment-instructions'): boolean =>
      new HistoryView({ allOf } as unknown as HistoryView['records'], () => undefined, {
        resource,
        resendsRefused: false,
      }).hasMoved({ account: A, identity: { key: 'k', variant: '' }, id: 'pi-1' }, there);
    expect([hasMoved('transactions'), hasMoved('payment-instructions')]).toEqual([true, true]);
    expect(allOf.mock.calls).toEqual([
      [A, 'k'],
      [A, 'id pi-1'],
    ]);
  });
});

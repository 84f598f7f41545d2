import { hash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { Corrections, MOST_CORRECTIONS } from '../../../../src/cli/push/stage/corrections.ts';
import { drained } from '../../../support/push-drained.ts';
import { FakePlatform } from '../../../support/fake-platform.ts';
import {
  csvFrom,
  csvOf,
  row,
  stagedRun,
  type StagedRunOptions,
  type TestCorrections,
} from '../../../support/push-staged-run.ts';

interface Row {
  readonly account: string;
  /** Empty for a row without a readable identity. */
  readonly id: string;
  readonly amount: string;
}

function textOf(rows: readonly Row[]): string {
  return csvOf(rows.map(({ account, id, amount }) => ({ ...row.transactions(account, id), amount })));
}

/** Rows as `A:1=10.10`. */
function rowsOf(text: string): readonly Row[] {
  return text.split(' ').map((word) => {
    const [account, id, amount] = word.split(/[:=]/) as [string, string, string];
    return { account, id, amount };
  });
}

/** What is sent of files, as `id=amount` by account, and the report. */
async function sent(rows: readonly Row[], options: StagedRunOptions = {}) {
  const { run } = await stagedRun('transactions', textOf(rows), { skipInvalid: true, ...options });
  const platform = new FakePlatform('transactions');
  const { report } = await drained(run, platform, { concurrency: 1 });
  const records: Record<string, string[]> = {};
  for (const { account, body } of platform.received) {
    const { transactions } = JSON.parse(body) as {
      readonly transactions: readonly { readonly transaction_id: string; readonly amount: number }[];
    };
    for (const { transaction_id: id, amount } of transactions)
      (records[account] ??= []).push(`${id}=${amount}`);
  }
  const corrected = report.leftOut.filter(({ kind }) => kind === 'corrected');
  return { records, report, corrected: corrected.reduce((all, { count }) => all + count, 0), run };
}

const correcting = (...files: readonly string[]) => ({
  corrections: files.map((rows) => ({ csv: textOf(rowsOf(rows)) })),
});

const sha256 = (rows: readonly Row[]): string => hash('sha256', textOf(rows));

describe('a corrected row', () => {
  test('takes the place of the row with its identity, so the order of the account stays', async () => {
    const base = rowsOf('A:1=1 A:2=x B:4=2 A:3=3');
    const { records, report, corrected } = await sent(base, correcting('A:2=22'));
    expect(records).toEqual({ A: ['1=1', '2=22', '3=3'], B: ['4=2'] });
    expect(report.rows).toMatchObject({ read: 5, created: 4, filtered: 1, invalid: 0 });
    expect(corrected).toBe(1);
    expect(report.leftOut).toEqual([{ kind: 'corrected', place: 'fixed-1.csv', count: 1 }]);
    expect(report.problemsTotal).toBe(0);
  });

  test('that is wrong again is named at its own line', async () => {
    const { report } = await sent(rowsOf('A:1=1 A:2=x'), correcting('A:2=y'));
    expect(report.rows).toMatchObject({ read: 3, created: 1, invalid: 1, filtered: 1 });
    expect(report.problems).toMatchObject([{ file: 'fixed-1.csv', line: 2, header: 'amount' }]);
  });

  test('that no row of the files has is an error', async () => {
    const { report, records } = await sent(rowsOf('A:1=1'), correcting('A:1=11 A:9=9 B:1=1'));
    expect(records).toEqual({ A: ['1=11'] });
    expect(report.rows).toMatchObject({ read: 4, created: 1, invalid: 2, filtered: 1 });
    expect(report.problems).toMatchObject([
      { code: 'correction_replaces_nothing', file: 'fixed-1.csv', line: 3 },
      { code: 'correction_replaces_nothing', file: 'fixed-1.csv', line: 4 },
    ]);
  });

  test('may be corrected by a later file', async () => {
    const { records, report, corrected } = await sent(
      rowsOf('A:1=1 A:2=2'),
      correcting('A:1=11 A:2=x', 'A:2=22'),
    );
    expect(records).toEqual({ A: ['1=11', '2=22'] });
    expect(corrected).toBe(3);
    expect(report.leftOut).toMatchObject([
      { place: 'fixed-2.csv', count: 2 },
      { place: 'fixed-1.csv', count: 1 },
    ]);
  });

  test('takes the place of rows of several files', async () => {
    const { run } = await stagedRun(
      'transactions',
      [csvFrom('transactions', 'A:1 A:2'), csvFrom('transactions', 'B:1 B:2')],
      correcting('B:2=5 A:1=6'),
    );
    expect(run.report().rows).toMatchObject({ read: 6, filtered: 2, not_sent: 4 });
  });

  test('that two rows have is sent once', async () => {
    const { records, report, corrected } = await sent(rowsOf('A:1=1 A:1=2 A:3=3'), correcting('A:1=11'));
    expect(records).toEqual({ A: ['1=11', '3=3'] });
    expect(corrected).toBe(2);
    expect(report.rows).toMatchObject({ read: 4, created: 2, filtered: 2, invalid: 0 });
  });

  test('that two rows outside of a window have is left out once', async () => {
    const { records, report } = await sent(rowsOf('A:3=3 A:1=1 A:1=2'), {
      ...correcting('A:1=11'),
      maxRecords: 1,
    });
    expect(records).toEqual({ A: ['3=3'] });
    expect(report.rows).toMatchObject({ read: 4, created: 1, filtered: 3, invalid: 0 });
  });

  test('needs an id that can be read, and may have a warning about it', async () => {
    const spaced = await sent([{ account: 'A', id: ' 1', amount: '1' }], {
      corrections: [{ csv: textOf([{ account: 'A', id: ' 1', amount: '2' }]) }],
    });
    expect(spaced.report.rows).toMatchObject({ read: 2, invalid: 2, filtered: 0 });
    const damaged = { account: 'A', id: 'T\ufffd', amount: '1' };
    const warned = await sent([damaged], { corrections: [{ csv: textOf([{ ...damaged, amount: '2' }]) }] });
    expect(warned.records).toEqual({ A: ['T\ufffd=2'] });
  });

  test('twice in a file repeats its id', async () => {
    const { report } = await sent(rowsOf('A:1=1 A:2=2'), correcting('A:1=11 A:1=12'));
    expect(report.rows).toMatchObject({ read: 4, created: 1, invalid: 2, filtered: 1 });
  });
});

test('more corrections than fit into memory are refused as a whole', async () => {
  // Each counts as a thousand.
  const { keep } = Corrections.prototype;
  const spy = vi.spyOn(Corrections.prototype, 'keep').mockImplementation(function (
    this: Corrections,
    ...row
  ) {
    this.count += 999;
    keep.apply(this, row);
  });
  onTestFinished(() => spy.mockRestore());
  const fit = MOST_CORRECTIONS / 1_000;
  const many = Array.from({ length: fit + 1 }, (_, index) => `A:${index}=1`).join(' ');
  const { run, end } = await stagedRun('transactions', textOf(rowsOf('A:1=1')), correcting(many));
  expect(end).toEqual({ kind: 'invalid', unusable: true });
  // Of those that were read before it nobody says that they replace nothing.
  expect(run.report().problems).toMatchObject([
    { code: 'corrections_too_many', file: 'fixed-1.csv', line: fit + 2 },
  ]);
});

describe('a file of corrections with a reasons file beside it', () => {
  const base = rowsOf('A:1=1 A:=2 A:3=3');
  const tied = (
    fixed: readonly Row[],
    lines: readonly (readonly [number, number])[],
    sha = sha256(base),
  ) => ({
    corrections: [
      { csv: textOf(fixed), corrects: new Map(lines.map(([own, line]) => [own, { sha256: sha, line }])) },
    ],
  });

  test('corrects rows that have no readable identity', async () => {
    const { records, report } = await sent(base, tied(rowsOf('A:2=22'), [[2, 3]]));
    expect(records).toEqual({ A: ['1=1', '2=22', '3=3'] });
    expect(report.rows).toMatchObject({ created: 3, filtered: 1, invalid: 0 });
  });

  test('may change the identity of a row', async () => {
    const { records } = await sent(
      base,
      tied(rowsOf('A:9=9 B:2=2'), [
        [2, 2],
        [3, 3],
      ]),
    );
    expect(records).toEqual({ A: ['9=9', '3=3'], B: ['2=2'] });
  });

  test('corrects by identity when it does not name a row for each of its rows', async () => {
    const { records, report } = await sent(base, tied(rowsOf('A:3=33 A:1=11'), [[2, 2]]));
    expect(records).toEqual({ A: ['1=11', '3=33'] });
    expect(report.rows).toMatchObject({ invalid: 1, filtered: 2 });
  });

  test.each<readonly [string, readonly (readonly [number, number])[]]>([
    [
      'names another row, too',
      [
        [2, 3],
        [3, 4],
      ],
    ],
    ['names a row that it does not have', [[9, 3]]],
  ])('corrects by identity when it %s', async (_, lines) => {
    const { records, report } = await sent(base, tied(rowsOf('A:3=33'), lines));
    expect(records).toEqual({ A: ['1=1', '3=33'] });
    expect(report.rows).toMatchObject({ created: 2, invalid: 1, filtered: 1 });
  });

  test('says which file names other rows, when one of its rows replaces nothing', async () => {
    const { report } = await sent(base, tied(rowsOf('A:2=22'), [[2, 3]], 'f'.repeat(64)));
    const details = report.problems.map(({ detail }) => detail).join();
    expect(details).toContain('; fixed-1.csv.reasons.csv names other rows');
    const plain = await sent(base, correcting('A:9=9'));
    expect(plain.report.problems.map(({ detail }) => detail).join()).not.toContain('reasons.csv');
  });

  test('corrects its own rows by a later file with a reasons file', async () => {
    const first = rowsOf('A:1=11 A:3=x');
    const { records, corrected } = await sent(base, {
      corrections: [
        { csv: textOf(first) },
        { csv: textOf(rowsOf('A:3=33')), corrects: new Map([[2, { sha256: sha256(first), line: 3 }]]) },
      ],
    });
    expect(records).toEqual({ A: ['1=11', '3=33'] });
    expect(corrected).toBe(3);
  });

  test('replaces nothing when the file has changed since', async () => {
    const { report } = await sent(base, tied(rowsOf('A:2=22'), [[2, 3]], 'f'.repeat(64)));
    expect(report.rows).toMatchObject({ created: 2, invalid: 2, filtered: 0 });
    expect(report.problems.map(({ code }) => code)).toContain('correction_replaces_nothing');
  });
});

describe('rows that are left out', () => {
  test('by a window take the corrections with them that a reasons file ties to their lines', async () => {
    const base = rowsOf('A:2=2 A:1=1');
    const corrects = new Map([[2, { sha256: sha256(base), line: 3 }]]);
    const { records, report } = await sent(base, {
      corrections: [{ csv: textOf(rowsOf('A:9=9')), corrects }],
      maxRecords: 1,
    });
    expect(records).toEqual({ A: ['2=2'] });
    expect(report.rows).toMatchObject({ read: 3, created: 1, filtered: 2, invalid: 0 });
  });

  test('because they cannot be cut into cells take them with them, too', async () => {
    const text = textOf(rowsOf('A:1=1')) + 'ragged\n';
    const corrects = new Map([[2, { sha256: hash('sha256', text), line: 3 }]]);
    const corrections = [{ csv: textOf(rowsOf('A:9=9')), corrects }];
    const rows = async (maxRecords: number) =>
      (await stagedRun('transactions', text, { corrections, maxRecords, skipInvalid: true })).run;
    expect((await rows(1)).report().rows).toMatchObject({ read: 3, not_sent: 1, filtered: 2, invalid: 0 });
    const { leftOut } = (await rows(1)).report();
    expect(leftOut).toEqual([{ kind: 'window', place: '', count: 2 }]);
    // Inside the window the corrected row is sent in its place.
    expect((await rows(2)).report().rows).toMatchObject({ read: 3, not_sent: 2, filtered: 1, invalid: 0 });
    expect((await rows(2)).report().leftOut).toEqual([{ kind: 'corrected', place: 'fixed-1.csv', count: 1 }]);
  });

  test('by a window take their corrections with them', async () => {
    const { records, report } = await sent(rowsOf('A:2=2 A:1=1 A:3=3'), {
      ...correcting('A:1=11 A:2=22'),
      maxRecords: 1,
    });
    expect(records).toEqual({ A: ['2=22'] });
    expect(report.rows).toMatchObject({ read: 5, created: 1, filtered: 4, invalid: 0 });
    expect(report.leftOut.find(({ kind }) => kind === 'window')).toMatchObject({ count: 3 });
  });

  test('because they are of another shard leave nothing to say about their corrections', async () => {
    const files = correcting('A:1=11 B:2=22 B:9=9');
    const [a, b] = await Promise.all(
      ['A', 'B'].map((own) =>
        sent(rowsOf('A:1=1 B:2=2'), { ...files, inShard: (account) => account === own }),
      ),
    );
    expect([a!.records, b!.records]).toEqual([{ A: ['1=11'] }, { B: ['2=22'] }]);
    expect([a!.report.rows.invalid, b!.report.rows.invalid]).toEqual([0, 1]);
    expect(b!.report.problems).toMatchObject([{ code: 'correction_replaces_nothing', line: 4 }]);
  });
});

/** A correction. `at`: the slot that it is for; undefined when no row has its identity. */
interface Chosen {
  readonly at: number | undefined;
  readonly row: Row;
}

/** A row in the place of which corrections may come. */
interface Slot {
  readonly row: Row;
  /** Where the row is. */
  readonly sha: string;
  readonly line: number;
}

const amount = fc.constantFrom('1', '2.5', '30', 'x');
const pick = fc.record({ slot: fc.nat(7), amount, isUnknown: fc.boolean() });
const correction = fc.record({
  isTied: fc.boolean(),
  picks: fc.uniqueArray(pick, { selector: ({ slot }) => slot, minLength: 1, maxLength: 4 }),
});

test('files and their corrections are sent as the files with every row replaced', async () => {
  const base = fc.array(fc.record({ account: fc.constantFrom('A', 'B'), amount, hasId: fc.boolean() }), {
    minLength: 1,
    maxLength: 8,
  });
  let replaced = 0;
  await fc.assert(
    fc.asyncProperty(
      base,
      fc.array(correction, { minLength: 1, maxLength: 3 }),
      async (made, corrections) => {
        const rows = made.map(({ account, amount: value, hasId }, index) => ({
          account,
          id: hasId ? `i${index}` : '',
          amount: value,
        }));
        let slots = rows.map((each, index): Slot => ({ row: each, sha: sha256(rows), line: index + 2 }));
        const files: TestCorrections[] = [];
        let unknown = 0;
        let superseded = 0;
        for (const [number, { isTied, picks }] of corrections.entries()) {
          const chosen = picks.flatMap(({ slot, amount: value, isUnknown }): readonly Chosen[] => {
            const at = slot % slots.length;
            const { row: before } = slots[at]!;
            if (isUnknown && !isTied)
              return [{ at: undefined, row: { account: 'A', id: `none-${number}-${slot}`, amount: value } }];
            // Only a reasons file leads to a row without a readable identity.
            if (before.id === '' && !isTied) return [];
            // A file is unlike all others, so that its lines are its own.
            const fixed = { ...before, id: before.id === '' ? `f${number}-${at}` : before.id, amount: value };
            return [{ at, row: fixed }];
          });
          const once = chosen.filter(
            ({ at }, index) => at === undefined || chosen.findIndex((other) => other.at === at) === index,
          );
          if (once.length === 0) continue;
          const fixed = once.map((each) => each.row);
          const corrects = new Map(
            once.map(({ at }, index) => [
              index + 2,
              { sha256: slots[at ?? 0]!.sha, line: slots[at ?? 0]!.line },
            ]),
          );
          files.push({ csv: textOf(fixed), ...(isTied && { corrects }) });
          const sha = sha256(fixed);
          slots = slots.map((slot, at) => {
            const index = once.findIndex((each) => each.at === at);
            return index < 0 ? slot : { row: once[index]!.row, sha, line: index + 2 };
          });
          superseded += once.filter(({ at }) => at !== undefined).length;
          unknown += once.filter(({ at }) => at === undefined).length;
        }
        // Files with the same content are one file for a reasons file.
        fc.pre(new Set([textOf(rows), ...files.map(({ csv }) => csv)]).size === files.length + 1);
        const plain = await sent(slots.map((slot) => slot.row));
        const result = await sent(rows, { corrections: files });
        expect(result.records).toEqual(plain.records);
        expect(result.report.rows).toMatchObject({
          read: rows.length + superseded + unknown,
          created: plain.report.rows.created,
          invalid: plain.report.rows.invalid + unknown,
          filtered: superseded,
        });
        const nothing = result.report.problems.filter(({ code }) => code === 'correction_replaces_nothing');
        expect(nothing).toHaveLength(unknown);
        expect(result.report.controlTotals).toEqual(plain.report.controlTotals);
        replaced += superseded;
      },
    ),
    { numRuns: 25 },
  );
  expect(replaced).toBeGreaterThan(60);
});

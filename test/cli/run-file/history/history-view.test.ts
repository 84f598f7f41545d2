import { describe, expect, test } from 'vitest';
import type { RunFile } from '../../../../src/cli/run-file/run-file.ts';
import { HistoryView } from '../../../../src/cli/run-file/history/history-view.ts';
import { FakePlatform } from '../../../support/fake-platform.ts';
import { csvOf, row, stagedRun, takenUp } from '../../../support/push-staged-run.ts';
import { RefusingPlatform } from '../../../support/refusing-platform.ts';
import { Versions } from '../../../support/versions.ts';

const SCOPE = { resource: 'transactions', target: 'https://platform.example', database: null } as const;

describe('records that follow each other as in the version before', () => {
  /** More rows than a block of the index has, of three accounts in turn. */
  const rows = Array.from({ length: 2_500 }, (_, index) => row.transactions(`A${index % 3}`, `t-${index}`));

  test('are found across blocks, wherever rows are new, gone, changed or in another place', async () => {
    const platform = new FakePlatform('transactions');
    const versions = new Versions('transactions', platform);
    const limits = { records: 1_000, bytes: 10_000_000 };
    await versions.send(csvOf(rows), { limits });
    const changed = [
      ...rows.slice(10, 1_023),
      row.transactions('A0', 'new-1'),
      ...rows.slice(1_023, 1_500),
      { ...rows[1_500]!, amount: '99.99' },
      ...rows.slice(1_501, 2_048),
      ...rows.slice(2_100),
      ...rows.slice(2_048, 2_060).toReversed(),
    ];
    const { report } = await versions.send(csvOf(changed), { limits });
    expect(report.rows).toMatchObject({ created: 1, invalid: 1, sent_before: changed.length - 2 });
    const gone = report.problems.filter(({ code }) => code === 'record_vanished');
    expect(gone).toHaveLength(10 + 40);
    expect(report.problemsTotal).toBe(10 + 40 + 1);
  });

  test('are not taken for the records of another account with equal content', async () => {
    const platform = new FakePlatform('notes');
    const versions = new Versions('notes', platform);
    await versions.send('A:1 A:2 A:3 A:4');
    // The same texts, in the same order, from the third row on for another account.
    const { ends } = await versions.send('A:1 A:2 B:3 B:4');
    expect(ends).toEqual(['sent_before', 'sent_before', 'created', 'created']);
    expect(platform.contents()['B']).toHaveLength(2);
  });
});

describe('a payment instruction that was refused with 400', () => {
  const sent = async () => {
    const platform = new RefusingPlatform('payment-instructions', ['2']);
    const versions = new Versions('payment-instructions', platform);
    expect((await versions.send('A:1 B:2')).ends).toEqual(['created', 'rejected']);
    platform.refused.clear();
    return { platform, versions };
  };

  test('stays refused in another version, which says why and sends the rest', async () => {
    const { platform, versions } = await sent();
    const { ends, report } = await versions.send('A:1 B:2 C:3');
    expect(ends).toEqual(['sent_before', 'rejected', 'created']);
    expect(report.problems).toMatchObject([{ code: 'refused_before', line: 3, severity: 'error' }]);
    expect(platform.requestsOf('B')).toBe(1);
    // And in the version after it.
    expect((await versions.send('A:1 B:2 C:3 D:4')).ends[1]).toBe('rejected');
    expect(platform.requestsOf('B')).toBe(1);
  });

  test('is sent when its row has changed', async () => {
    const { versions } = await sent();
    expect((await versions.send('A:1 B:22')).ends).toEqual(['sent_before', 'created']);
  });

  test('is sent when --resend-refused says that the cause is gone', async () => {
    const { versions } = await sent();
    const { ends, report } = await versions.send('A:1 B:2 C:3', { resendsRefused: true });
    expect(ends).toEqual(['sent_before', 'created', 'created']);
    expect(report.problemsTotal).toBe(0);
  });

  test('of a version that goes on is sent by --resend-refused, too', async () => {
    const { versions } = await sent();
    expect((await versions.send('A:1 B:2')).ends).toEqual(['created', 'rejected']);
    expect((await versions.send('A:1 B:2', { resendsRefused: true })).ends).toEqual(['created', 'created']);
  });
});

describe('a record of which nothing is proven', () => {
  test('stays to verify in every version until a person says more', async () => {
    const platform = new FakePlatform('statements', { 'A#1': { kind: 'lost', applied: true } });
    const versions = new Versions('statements', platform);
    const first = await versions.send('A:S-1 B:S-2');
    expect(first.ends).toEqual(['verify', 'created']);
    const before = platform.requestsOf('A');
    const second = await versions.send('A:S-1 B:S-2 C:S-3');
    expect(second.ends).toEqual(['verify', 'sent_before', 'created']);
    expect(second.report.problems).toMatchObject([{ code: 'outcome_unproven', line: 2 }]);
    expect(platform.requestsOf('A')).toBe(before);
    const run = versions.folder.open(second.id);
    expect([...run.confirming.unresolved()]).toMatchObject([{ id: 'S-1', origin: first.id }]);
    run.close();
  });
});

describe('runs of another scope', () => {
  test.each([
    ['another base URL', { target: 'https://other.example' }],
    ['another database', { database: 'db-2' }],
    ['another resource', { resource: 'statements' }],
  ] as const)('say nothing: %s', async (_, change) => {
    const versions = new Versions('transactions', new FakePlatform('transactions'));
    await versions.send('A:1');
    const history = versions.history();
    expect(history.viewOf(SCOPE, { resendsRefused: false })).toBeDefined();
    expect(history.viewOf({ ...SCOPE, ...change }, { resendsRefused: false })).toBeUndefined();
    expect(history.runs({ ...SCOPE, ...change })).toEqual([]);
  });
});

describe('rows that are kept although they were sent before', () => {
  test('have the outcome and the sums of rows that are not', async () => {
    const reports = await Promise.all(
      [true, false].map(async (keepsAll) => {
        const versions = new Versions('transactions', new FakePlatform('transactions'));
        await versions.send('A:1 A:2 B:3');
        const { report, ends, id } = await versions.send('A:1 B:3 A:2 C:4', { keepsAll });
        const run = versions.folder.open(id);
        expect(run.proving.chain()).toMatchObject({ broken: null });
        run.close();
        const { rows, controlTotals, problems, withdrawn } = report;
        return { rows, controlTotals, problems, withdrawn, ends };
      }),
    );
    expect(reports[0]).toEqual(reports[1]);
  });
});

test('the comparison is sealed in the chain, and a row that is taken for sent before breaks it', async () => {
  const versions = new Versions('transactions', new FakePlatform('transactions'));
  await versions.send('A:1 A:2');
  const { id } = await versions.send('A:1 A:2 A:3');
  const brokenBy = (sql: string): string | null => {
    const run = versions.folder.open(id);
    const { db } = run as unknown as { readonly db: { exec(text: string): void } };
    db.exec(`SAVEPOINT changed; ${sql}`);
    const { broken } = run.proving.chain();
    db.exec('ROLLBACK TO changed; RELEASE changed');
    run.close();
    return broken;
  };
  expect(brokenBy('SELECT 1')).toBeNull();
  for (const sql of [
    'UPDATE sent_before SET last_seq = last_seq + 1',
    'UPDATE sent_before SET there_seq = there_seq + 1',
    'DELETE FROM sent_before',
    'UPDATE sent_before_total SET count = count + 1',
    "UPDATE sent_before_total SET read = '1.00'",
    "UPDATE other_run SET run = 'another'",
    "UPDATE event SET at = '2026-11-22T00:00:00Z'",
  ])
    expect([sql, brokenBy(sql)]).toEqual([sql, expect.any(String)]);
});

test('a run without a history is staged and taken up as ever', async () => {
  const { run } = await stagedRun('notes', csvOf([row.notes('A', '1')]));
  const facts = (of: RunFile) => of.history.facts();
  expect(facts(run)).toMatchObject({ isStaged: true, isOpen: true, hasDoubts: false, links: 0 });
  expect(facts(takenUp(run))).toMatchObject({ isOpen: true, links: 0, turn: 2 });
});

test.each([
  ['amount', { amount: '99.99' }, 'another amount'],
  ['type', { type: 'CREDIT' }, 'another type'],
  ['type and amount', { type: 'CREDIT', amount: '99.99' }, 'another type and another amount'],
])('a changed record says that its %s differs', async (_, changes, what) => {
  const versions = new Versions('transactions', new FakePlatform('transactions'));
  const rows = ['t-1', 't-2'].map((id) => row.transactions('A', id));
  await versions.send(csvOf(rows));
  const { report } = await versions.send(csvOf([rows[0]!, { ...rows[1]!, ...changes }]));
  expect(report.problems.map(({ code, detail }) => [code, detail])).toEqual([
    ['record_changed', expect.stringContaining(` with ${what},`)],
  ]);
});

test('a record has moved when a person has confirmed the same content elsewhere in a later run', () => {
  const there = { run: 3, seq: 1, known: 'arrived', content: 'c' } as const;
  const hasMoved = (other: object): boolean => {
    const records = { allOf: () => [{ ...there, ...other }] };
    const choice = { resource: 'transactions', resendsRefused: false } as const;
    const view = new HistoryView(records as unknown as HistoryView['records'], () => undefined, choice);
    const account = { import_supplier: 'ACME', external_account_number: '1001' };
    return view.hasMoved({ account, identity: { key: 't-1', variant: '' }, id: 't-1' }, there);
  };
  expect(hasMoved({ run: 4, known: 'confirmed' })).toBe(true);
  expect(hasMoved({ run: 3, known: 'confirmed' })).toBe(false);
  expect(hasMoved({ run: 4 })).toBe(false);
  expect(hasMoved({ run: 4, known: 'confirmed', content: 'd' })).toBe(false);
});

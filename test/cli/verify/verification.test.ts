import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { noteOfMove } from '../../../src/core/contract/period-move.ts';
import { copied, keptSite, ledgerFlags, writeLines, type KeptSite } from '../../support/kept-site.ts';
import { journalOf } from '../../support/journals.ts';
import { HEADER, IMPORTED, SEED } from '../../support/refused-account.ts';
import { verified } from '../../support/verified.ts';

const row = (account: string, id: string, amount: string, type = 'PAYMENT', note = '') =>
  `ACME,${account},${id},2026-02-01,${type},${amount},${note}`;
const COLUMNS = `${HEADER},note`;
const B = [
  row('1003', 't-1', '10.10'),
  row('1001', 't-2', '20.20'),
  row('1001', 't-3', '30.30', 'CREDIT'),
] as const;
const A = [row('1003', 't-4', '40.40'), row('1001', 't-5', '50.50', 'PAYMENT', 'rang')] as const;
const NOTES = 'import_supplier,external_account_number,body,created_at';

const byText = (a: unknown, b: unknown): number => (String(a) < String(b) ? -1 : 1);

/** What is found of the files of one resource, in short. */
async function found(site: Pick<KeptSite, 'cli'>, ...words: readonly string[]) {
  const { exitCode, stderr, found: document } = await verified(site, ...words);
  expect({ exitCode, stderr }).toEqual({ exitCode: document.exit.code, stderr: '' });
  const [part] = document.parts;
  const [side] = part!.comparisons;
  return {
    ...part!,
    exit: exitCode,
    next: document.next,
    side,
    ends: Object.fromEntries(Object.entries(part!.rows).filter(([, count]) => count > 0)),
    problems: part!.groups.map(({ code, file, first_lines: lines }) => `${file}:${lines.join()} ${code}`),
    differences: side?.differences.map(({ file, line, detail, ledger_line: at }) =>
      [`${file ?? '-'}:${line ?? '-'}`, detail, `(${at})`].join(' '),
    ),
    others: side?.other_records
      .map(({ kind, run, type, count, sum }) => [kind, run, type, count, sum])
      .toSorted(byText),
  };
}

/** Two files that were pushed together, and other files. */
const twoFiles = keptSite(IMPORTED, async ({ push, csv }) => {
  csv('b.csv', COLUMNS, ...B);
  csv('a.csv', COLUMNS, ...A);
  const run = await push('transactions', 'b.csv', 'a.csv');
  csv('gone.csv', COLUMNS, row('1001', 't-8', '8.00', 'CREDIT'), row('1001', 't-9', '9.00', 'CREDIT'));
  csv('rest.csv', COLUMNS, row('1001', 't-10', '1.00', 'CREDIT'));
  const other = await push('transactions', 'gone.csv', 'rest.csv');
  csv('n.csv', NOTES, 'ACME,1001,rang,', 'ACME,1001,rang,', 'ACME,1003,wrote,2026-02-01T10:00:00Z');
  await push('notes', 'n.csv');
  return { run, other };
});

/** A file of which a row was refused, one with an invalid row, too, and one with a row that changed after it arrived. */
const refusing = keptSite(SEED, async ({ push, csv }) => {
  const send = (file: string, ...rows: readonly string[]) => {
    csv(file, COLUMNS, ...rows);
    return push('transactions', file, '--on-reject', 'skip', '--skip-invalid');
  };
  await send('t.csv', row('1001', 't-1', '1.10'), row('1003', 't-2', '2.20'));
  await send('both.csv', row('1001', 't-11', '1.10'), row('1003', 't-12', '2.20'), row('1001', 't-13', 'x'));
  await send('changed.csv', row('1001', 't-3', '3.30'), row('1001', 't-4', '4.40'));
  await send('changed.csv', row('1001', 't-3', '3.31'), row('1001', 't-4', '4.40'));
  await send('grown.csv', row('1001', 't-5', '5.50'));
  await send('grown.csv', row('1001', 't-5', '5.50'), row('1001', 't-6', '6.60'));
  await send('shared.csv', row('1001', 't-20', '2.00'), row('1001', 't-21', '2.10'));
  await send('later.csv', row('1001', 't-21', '2.10'), row('1001', 't-22', '2.20'));
  return {};
});

const STATEMENTS = `${HEADER.split(',').slice(0, 2).join()},statement_id,bill_period_from_date,bill_period_to_date,gross_amount`;
const statement = (account: string, id: string) => `ACME,${account},${id},2025-01-01,2025-03-31,100`;

/** Two statements whose answers were lost, and one that was there before. */
const inDoubt = keptSite(IMPORTED, async ({ push, csv, site }) => {
  await site.faults(
    ...['1001', '1003'].map((account) => `statements after-commit reset nth=1 account=${account}`),
  );
  csv('s.csv', STATEMENTS, statement('1001', 's-1'), statement('1003', 's-3'));
  const run = await push('statements', 's.csv');
  await site.faults();
  csv('u.csv', STATEMENTS, statement('1001', 's-5'));
  await push('statements', 'u.csv', '--run-dir', 'elsewhere');
  await push('statements', 'u.csv', '--on-existing', 'accept');
  return { run };
});

const TWO = ['transactions', 'b.csv', 'a.csv'] as const;
const unexplained = 'no row of the files explains the record';
const differs = 'the record there differs from the row';

describe('a ledger', () => {
  const moved = (account: string, id: string, from = '2026-02-01') =>
    JSON.stringify({
      kind: 'note',
      import_supplier: 'ACME',
      external_account_number: account,
      data: {
        body: noteOfMove(id, from, '2026-03-01', { from: '2026-03-01', to: '2026-12-31' }),
      },
    });
  const more = (account: string) =>
    JSON.stringify({
      kind: 'transaction',
      import_supplier: 'ACME',
      external_account_number: account,
      data: { transaction_id: 't-77', transaction_date: '2026-02-01', type: 'CREDIT', amount: '7.70' },
    });
  const later = (lines: readonly string[]) =>
    lines.map((line) => line.replace(/("t-3","transaction_date":"2026-)02/, '$103'));
  /** The lines of the ledger begin with t-1, t-4, t-2, t-3 and t-5. What both sides have of each type without a change: */
  const types = (credit: object = {}, payment: object = {}) => ({
    types: [
      { type: 'CREDIT', source: { count: 1, sum: '30.30' }, found: { count: 4, sum: '48.30', ...credit } },
      {
        type: 'PAYMENT',
        source: { count: 4, sum: '121.20' },
        found: { count: 4, sum: '121.20', ...payment },
      },
    ],
  });

  type Change = (lines: readonly string[]) => readonly string[];
  test.each(
    Object.entries<readonly [Change, number, readonly string[], object]>({
      'as the platform had it, where another run has sent the rest': [
        (lines) => lines,
        0,
        [],
        {
          ...types(),
          dates_moved: 0,
          rows_proven: 0,
        },
      ],
      'without a record': [
        (lines) => lines.slice(1),
        11,
        ['b.csv:2 the row has no record there (null)'],
        types({}, { count: 3, sum: '111.10' }),
      ],
      'with a record twice': [
        (lines) => [...lines, lines[0]!],
        11,
        ['b.csv:2 the record is there more than once (11)'],
        types({}, { count: 5, sum: '131.30' }),
      ],
      'with a record on another account': [
        ([first, ...lines]) => [first!.replace('1003', '1001'), ...lines],
        11,
        ['b.csv:2 the record there differs from the row: external_account_number (1)'],
        { by_code: { record_differs: 1 } },
      ],
      'with a record that has lost its form': [
        ([first, ...lines]) => [first!.replace('10.10', 'much'), ...lines],
        11,
        [`b.csv:2 ${differs}: content (1)`],
        { types: [{ type: null }, { type: 'CREDIT' }, { type: 'PAYMENT' }] },
      ],
      'with other amounts and another text, listed along the files': [
        (lines) =>
          lines.map((line) => line.replace(/"(10|30|40)\.([0-9])0"/, '"$1.$21"').replace('rang', 'rung')),
        11,
        [
          `b.csv:2 ${differs}: amount (1)`,
          `b.csv:4 ${differs}: amount (4)`,
          `a.csv:2 ${differs}: amount (2)`,
          `a.csv:3 ${differs}: note (5)`,
        ],
        types({ sum: '48.31' }, { sum: '121.22' }),
      ],
      'with another date': [later, 11, [`b.csv:4 ${differs}: transaction_date (4)`], { dates_moved: 0 }],
      'that says that it has moved the date': [
        (lines) => [...later(lines), moved('1001', 't-3')],
        0,
        [],
        { dates_moved: 1 },
      ],
      'that has moved another date': [
        (lines) => [
          ...later(lines),
          moved('1001', 't-3', '2026-01-01'),
          moved('1003', 't-3'),
          moved('1001', 't-2'),
        ],
        11,
        [`b.csv:4 ${differs}: transaction_date (4)`],
        { dates_moved: 0 },
      ],
      'with a record of somebody else': [
        (lines) => [...lines, more('1001')],
        11,
        [`-:- ${unexplained} (11)`],
        types({ count: 5, sum: '56.00' }),
      ],
      'with a record of somebody else on an account without rows': [
        (lines) => [...lines, more('1002')],
        0,
        [`-:- ${unexplained} (11)`],
        { errors_total: 0, warnings_total: 1 },
      ],
      'with an error behind a warning': [
        (lines) => [...lines.slice(1), more('1002')],
        11,
        [`-:- ${unexplained} (10)`, 'b.csv:2 the row has no record there (null)'],
        { by_code: { record_missing: 1, record_without_row: 1 } },
      ],
    }),
  )('%s', async (_, [change, exit, differences, side]) => {
    const made = await twoFiles();
    const result = await found(made, ...TWO, ...ledgerFlags(made, change));
    expect([result.exit, result.differences]).toEqual([exit, differences]);
    expect(result.side).toMatchObject(side);
    // The journal knows nothing of it.
    expect(result).toMatchObject({
      ends: { read: 5, created: 5 },
      totals_equal: true,
      others: [['run', made.other, 'CREDIT', 3, '18.00']],
      journals: [{ chain_head: expect.stringMatching(/^[\da-f]{64}$/) as unknown, chain_links: 5 }],
    });
    const error = result.side!.differences.find(({ severity }) => severity === 'error');
    expect(result.next).toBe(error ? `dataimport explain ${error.code}` : null);
  });

  test('has records of rows that are gone from the same file, and of another file', async () => {
    const made = await twoFiles();
    const ofRuns = [
      ['run', made.run, 'CREDIT', 1, '30.30'],
      ['run', made.run, 'PAYMENT', 4, '121.20'],
      ['run', made.other, 'CREDIT', 2, '9.00'],
    ].toSorted(byText);
    const vanished = { count: 1, named: [{ file: 'gone.csv', line: 2 }] };
    for (const [file, exit, gone] of [
      ['gone.csv', 5, vanished],
      ['part.csv', 0, { count: 0, named: [] }],
    ] as const) {
      writeLines(made.cwd, file, [COLUMNS, row('1001', 't-9', '9.00', 'CREDIT')]);
      expect(await found(made, 'transactions', file, ...ledgerFlags(made))).toMatchObject({
        exit,
        ends: { read: 1, created: 1 },
        vanished: gone,
        others: ofRuns,
        differences: [],
      });
    }
  });
});

test('a file that has changed is judged row by row, and its ledger has only records of ours', async () => {
  const made = await twoFiles();
  writeLines(made.cwd, 'b.csv', [
    COLUMNS,
    row('1001', 't-1', '10.10'),
    row('1001', 't-3', '30.30', 'CHARGE'),
  ]);
  writeLines(made.cwd, 'a.csv', [COLUMNS, A[0], row('1001', 't-7', '7.00')]);
  const result = await found(made, ...TWO, ...ledgerFlags(made));
  writeLines(made.cwd, 'b.csv', [COLUMNS, ...B]);
  writeLines(made.cwd, 'a.csv', [COLUMNS, ...A]);
  expect(result).toMatchObject({
    exit: 5,
    ends: { read: 4, created: 1, not_sent: 1, invalid: 2 },
    changed: 2,
    changed_since: { differing: 2, new: 1 },
    problems: ['b.csv:3 record_changed', 'b.csv:2 record_moved'],
    next: 'dataimport push transactions b.csv a.csv -j 1 --json',
    differences: [],
  });
  expect(result.vanished.named.map(({ file, line }) => `${file}:${line}`)).toEqual(['b.csv:3', 'a.csv:3']);
  expect(result.control_totals.map(({ type, read, accepted }) => [type, read, accepted])).toEqual([
    ['CHARGE', '30.30', '0.00'],
    ['PAYMENT', '57.50', '40.40'],
  ]);
});

test('other bytes with the same records have arrived', async () => {
  const made = await twoFiles();
  const others = B.map((each) => each.replace('PAYMENT', '"PAYMENT"').replace('10.10', '10.1'));
  writeLines(made.cwd, 'b4.csv', [COLUMNS, ...others]);
  const result = await found(made, 'transactions', 'b4.csv', 'a.csv', ...ledgerFlags(made));
  expect(result).toMatchObject({ exit: 0, ends: { read: 5, created: 5 }, changed_since: null });
  expect(result.differences).toEqual([]);
});

describe('rows that have not arrived', () => {
  const again = (file: string) =>
    `dataimport push transactions ${file} --on-reject skip --skip-invalid -j 1 --json`;
  const unresolved = expect.stringMatching(/^dataimport runs show \S+ --unresolved --csv /) as unknown;

  test.each([
    ['were refused', 't.csv', 6, { created: 1, rejected: 1 }, ['t.csv:3 account_not_found'], again('t.csv')],
    [
      'were refused and are invalid',
      'both.csv',
      6,
      { created: 1, rejected: 1, invalid: 1 },
      ['both.csv:3 account_not_found', 'both.csv:4 invalid'],
      again('both.csv'),
    ],
    [
      'have changed since',
      'changed.csv',
      6,
      { created: 1, invalid: 1 },
      ['changed.csv:2 record_changed'],
      unresolved,
    ],
    ['are none where an earlier version has brought them', 'grown.csv', 0, { created: 2 }, [], null],
    ['are none where a later file has them, too', 'shared.csv', 0, { created: 2 }, [], null],
  ] as const)('%s', async (_, file, exit, ends, problems, next) => {
    const made = await refusing();
    const read = Object.values(ends).reduce((all, count) => all + count, 0);
    for (const flags of [[], ledgerFlags(made)]) {
      const result = await found(made, 'transactions', file, ...flags);
      expect(result).toMatchObject({ exit, ends: { read, ...ends }, problems, next });
      expect(result.differences ?? []).toEqual([]);
    }
  });

  test('differ where a ledger has another record than the one that was sent', async () => {
    const made = await refusing();
    const ledger = ledgerFlags(made, (lines) => lines.map((line) => line.replace('"3.30"', '"3.32"')));
    const result = await found(made, 'transactions', 'changed.csv', ...ledger);
    expect([result.exit, result.differences]).toEqual([11, [expect.stringContaining('changed.csv:2')]]);
  });
});

describe('a row that no answer proves', () => {
  const without = (id: string) => (lines: readonly string[]) => lines.filter((line) => !line.includes(id));
  const other = (lines: readonly string[]) => lines.map((line) => line.replace('"100"', '"101"'));
  const same = (lines: readonly string[]) => lines;

  test.each([
    ['is settled by a ledger', 's.csv', { verify: 2 }, 6, same, 0, 2, { existing: 2 }, 0],
    ['is not settled by other content', 's.csv', { verify: 2 }, 6, other, 11, 0, { verify: 2 }, 6],
    [
      'is not settled without a record',
      's.csv',
      { verify: 2 },
      6,
      without('s-1'),
      6,
      1,
      { existing: 1, verify: 1 },
      6,
    ],
    [
      'is settled when it was accepted as there',
      'u.csv',
      { uncompared: 1 },
      0,
      same,
      0,
      1,
      { existing: 1 },
      0,
    ],
  ] as const)('%s', async (_, file, before, exit, change, beside, proven, after, then) => {
    const made = copied(await inDoubt());
    const ended = async (...flags: readonly string[]) => {
      const { exit: code, ends, side, decisions } = await found(made, 'statements', file, ...flags);
      const { read: _read, ...rows } = ends;
      return [code, rows, side?.rows_proven, decisions.filter(({ by }) => by !== null)];
    };
    expect(await ended()).toEqual([exit, before, undefined, []]);
    expect((await ended(...ledgerFlags(made, change))).slice(0, 3)).toEqual([beside, after, proven]);
    const what = expect.stringMatching(/^\d rows? settled, because the ledger ledger.ndjson has/) as unknown;
    const decisions = proven === 0 ? [] : [expect.objectContaining({ by: 'dataimport verify', what })];
    expect(await ended()).toEqual([then, after, undefined, decisions]);
  });

  test('stays as it is in a journal that differs from its chain', async () => {
    const made = copied(await inDoubt());
    const change = (time: string) => {
      const db = new Database(journalOf(made.cwd, made.run));
      db.exec(`UPDATE attempt SET ended_at = ${time} WHERE id = 1`);
      db.close();
    };
    change("'1' || ended_at");
    const damaged = await made.cli('verify', 'statements', 's.csv', ...ledgerFlags(made));
    expect([damaged.exitCode, damaged.stdout]).toEqual([8, '']);
    expect(damaged.stderr).toContain('run_damaged');
    change('substr(ended_at, 2)');
    expect(await found(made, 'statements', 's.csv')).toMatchObject({ exit: 6, ends: { verify: 2 } });
  });

  test('of other content than the row is not settled by a ledger that has the row', async () => {
    const made = copied(await inDoubt());
    const edited = (line: string): string => (line.includes('s-1') ? line.replace('"100"', '"101"') : line);
    const rows = [statement('1001', 's-1').replace(/100$/, '101'), statement('1003', 's-3')];
    writeLines(made.cwd, 's.csv', [STATEMENTS, ...rows]);
    const ledger = ledgerFlags(made, (lines) => lines.map(edited));
    expect(await found(made, 'statements', 's.csv', ...ledger)).toMatchObject({
      exit: 6,
      ends: { read: 2, existing: 1, verify: 1 },
      side: { rows_proven: 1, differences: [] },
    });
  });
});

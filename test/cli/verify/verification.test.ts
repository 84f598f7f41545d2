import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { verificationDocument } from '../../../src/cli/verify/verification-schema.ts';
import { noteOfMove } from '../../../src/core/contract/period-move.ts';
import { fakeIo, runCli } from '../../support/cli-io.ts';
import { copied, keptSite, ledgerFlags, writeLines, type KeptSite } from '../../support/kept-site.ts';
import { journalOf } from '../../support/journals.ts';
import { imported } from '../../support/operator-document.ts';
import { HEADER, IMPORTED, SEED } from '../../support/refused-account.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const row = (account: string, id: string, amount: string, type = 'PAYMENT', note = '') =>
  `ACME,${account},${id},2026-02-01,${type},${amount},${note}`;
const COLUMNS = `${HEADER},note`;
const B = [
  row('1003', 't-1', '10.10'),
  row('1001', 't-2', '20.20'),
  row('1001', 't-3', '30.30', 'CREDIT'),
] as const;
const A = [row('1003', 't-4', '40.40'), row('1001', 't-5', '50.50', 'PAYMENT', 'rang')] as const;

const byText = (a: unknown, b: unknown): number => (String(a) < String(b) ? -1 : 1);

/** What a comparison says, in short. */
async function verified({ cli }: Pick<KeptSite, 'cli'>, ...argv: readonly string[]) {
  const { exitCode, json, stderr } = await cli('verify', ...argv, '--json');
  const { exit, comparisons, invalid_rows: invalid, ...document } = verificationDocument.parse(json());
  expect({ exitCode, stderr }).toEqual({ exitCode: exit.code, stderr: '' });
  const place = (file: string | null, line: number | null) => `${file ?? '-'}:${line ?? '-'}`;
  return {
    ...document,
    exit: exitCode,
    invalid: invalid.map(({ file, line, code }) => `${place(file, line)} ${code}`),
    sides: comparisons.map((side) => ({
      ...side,
      found: side.differences.map(
        ({ file, line, detail, run, batch, http_status, ledger_line }) =>
          [`${place(file, line)} ${detail}`, run, batch, http_status, ledger_line] as const,
      ),
      apart: Object.entries(side.rows_apart).filter(([, count]) => count > 0),
      others: side.other_records
        .map(({ kind, run, type, count, sum }) => [kind, run, type, count, sum])
        .toSorted(byText),
    })),
  };
}

const NOTES = 'import_supplier,external_account_number,body,created_at';

/** Two files that were pushed as one run, and other files with runs of their own. */
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

/** A file of which a row was refused, a file with a row that changed after it arrived, and a file that has grown. */
const refusing = keptSite(SEED, async ({ push, csv }) => {
  csv('t.csv', COLUMNS, row('1001', 't-1', '1.10'), row('1003', 't-2', '2.20'));
  await push('transactions', 't.csv', '--on-reject', 'skip');
  csv(
    'both.csv',
    COLUMNS,
    row('1001', 't-11', '1.10'),
    row('1003', 't-12', '2.20'),
    row('1001', 't-13', 'x'),
  );
  await push('transactions', 'both.csv', '--on-reject', 'skip', '--skip-invalid');
  csv('changed.csv', COLUMNS, row('1001', 't-3', '3.30'), row('1001', 't-4', '4.40'));
  await push('transactions', 'changed.csv');
  csv('changed.csv', COLUMNS, row('1001', 't-3', '3.31'), row('1001', 't-4', '4.40'));
  await push('transactions', 'changed.csv', '--skip-invalid');
  csv('grown.csv', COLUMNS, row('1001', 't-5', '5.50'));
  await push('transactions', 'grown.csv');
  csv('grown.csv', COLUMNS, row('1001', 't-5', '5.50'), row('1001', 't-6', '6.60'));
  const grown = await push('transactions', 'grown.csv');
  csv('shared.csv', COLUMNS, row('1001', 't-20', '2.00'), row('1001', 't-21', '2.10'));
  csv('later.csv', COLUMNS, row('1001', 't-21', '2.10'), row('1001', 't-22', '2.20'));
  for (const file of ['shared.csv', 'later.csv']) await push('transactions', file);
  return { grown };
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

test('files are equal to their run and to the ledger, where another run has sent the rest', async () => {
  const made = await twoFiles();
  expect(await verified(made, ...TWO, ...ledgerFlags(made))).toMatchObject({
    exit: 0,
    next: null,
    rows: { read: 5, valid: 5, invalid: 0, filtered: 0 },
    invalid: [],
    sides: [
      {
        with: 'run',
        names: [made.run],
        equal: true,
        found: [],
        apart: [],
        others: [],
        accounts: { total: 2, equal: 2 },
        chains: [{ run: made.run, links: 5, broken: null }],
        confirmed_by: [],
      },
      {
        with: 'ledger',
        names: ['ledger.ndjson'],
        equal: true,
        found: [],
        apart: [],
        others: [['run', made.other, 'CREDIT', 3, '18.00']],
        chains: [],
        dates_moved: 0,
        confirmed_by: [],
      },
    ],
  });
});

test('differences are listed along the files, with the request or with the line of the ledger', async () => {
  const made = await twoFiles();
  writeLines(made.cwd, 'b2.csv', [
    COLUMNS,
    row('1003', 't-1', '10.11'),
    B[1],
    row('1001', 't-3', '30.31', 'CREDIT'),
  ]);
  writeLines(made.cwd, 'a2.csv', [
    COLUMNS,
    row('1003', 't-4', '40.41'),
    A[1].replace('rang', 'rung'),
    row('1001', 't-6', 'x'),
  ]);
  const found = await verified(
    made,
    'transactions',
    'b2.csv',
    'a2.csv',
    '--run',
    made.run,
    ...ledgerFlags(made),
  );
  expect([found.exit, found.next, found.invalid]).toEqual([
    11,
    'dataimport explain record_differs',
    ['a2.csv:4 row_not_valid'],
  ]);
  expect(found.sides[0]!.found).toEqual([
    [`b2.csv:2 ${differs}: amount, content`, made.run, 1, 201, null],
    [`b2.csv:4 ${differs}: amount, content`, made.run, 2, 201, null],
    [`a2.csv:2 ${differs}: amount, content`, made.run, 1, 201, null],
    [`a2.csv:3 ${differs}: content`, made.run, 2, 201, null],
  ]);
  expect(found.sides[1]!.found).toEqual([
    [`b2.csv:2 ${differs}: amount`, null, null, null, 1],
    [`b2.csv:4 ${differs}: amount`, null, null, null, 4],
    [`a2.csv:2 ${differs}: amount`, null, null, null, 2],
    [`a2.csv:3 ${differs}: note`, null, null, null, 5],
  ]);
});

test('a record without a row names the row that it came from', async () => {
  const made = await twoFiles();
  writeLines(made.cwd, 'b3.csv', [
    COLUMNS,
    row('1001', 't-1', '10.10'),
    row('1001', 't-3', '30.30', 'CHARGE'),
  ]);
  writeLines(made.cwd, 'a3.csv', [COLUMNS, A[0], row('1001', 't-7', '7.00')]);
  const { sides } = await verified(made, 'transactions', 'b3.csv', 'a3.csv', '--run', made.run);
  expect(sides[0]!.found).toEqual([
    ['b3.csv:2 the record is on another account', made.run, 1, 201, null],
    [`b3.csv:3 ${differs}: type, content`, made.run, 2, 201, null],
    [`b.csv:3 ${unexplained}`, made.run, 2, 201, null],
    [`a.csv:3 ${unexplained}`, made.run, 2, 201, null],
    ['a3.csv:3 the row has no record there', null, null, null, null],
  ]);
});

describe('a ledger', () => {
  const moved = (account: string, id: string, from = '2026-02-01') =>
    JSON.stringify({
      kind: 'note',
      import_supplier: 'ACME',
      external_account_number: account,
      data: {
        body: noteOfMove({ id, from, to: '2026-03-01', period: { from: '2026-03-01', to: '2026-12-31' } }),
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

  test.each<
    readonly [string, (lines: readonly string[]) => readonly string[], number, readonly string[], object]
  >([
    ['without a record', (lines) => lines.slice(1), 11, ['b.csv:2 the row has no record there'], {}],
    [
      'with a record twice',
      (lines) => [...lines, lines[0]!],
      11,
      ['b.csv:2 the record is there more than once'],
      {},
    ],
    [
      'with a record on another account',
      ([first, ...lines]) => [first!.replace('1003', '1001'), ...lines],
      11,
      ['b.csv:2 the record is on another account'],
      {},
    ],
    [
      'with a record that has lost its form',
      ([first, ...lines]) => [first!.replace('10.10', 'much'), ...lines],
      11,
      [`b.csv:2 ${differs}: content`],
      {},
    ],
    ['with another date', later, 11, [`b.csv:4 ${differs}: transaction_date`], { dates_moved: 0 }],
    [
      'that says that it has moved the date',
      (lines) => [...later(lines), moved('1001', 't-3')],
      0,
      [],
      { dates_moved: 1 },
    ],
    [
      'that has moved another date',
      (lines) => [
        ...later(lines),
        moved('1001', 't-3', '2026-01-01'),
        moved('1003', 't-3'),
        moved('1001', 't-2'),
      ],
      11,
      [`b.csv:4 ${differs}: transaction_date`],
      { dates_moved: 0 },
    ],
    ['with a record of somebody else', (lines) => [...lines, more('1001')], 11, [`-:- ${unexplained}`], {}],
    [
      'with a record of somebody else on an account without rows',
      (lines) => [...lines, more('1002')],
      0,
      [`-:- ${unexplained}`],
      {},
    ],
  ])('%s', async (_, change, exit, found, side) => {
    const made = await twoFiles();
    const result = await verified(made, ...TWO, ...ledgerFlags(made, change));
    expect([result.exit, result.sides[1]!.found.map(([said]) => said)]).toEqual([exit, found]);
    expect(result.sides[1]).toMatchObject(side);
    expect(result.sides[0]).toMatchObject({ equal: true });
  });

  test('has an error that is explained next, also behind a warning', async () => {
    const made = await twoFiles();
    const flags = ledgerFlags(made, (lines) => [...lines.slice(1), more('1002')]);
    const { exit, next, sides } = await verified(made, ...TWO, ...flags);
    expect([exit, next, sides[1]!.by_code]).toEqual([
      11,
      'dataimport explain record_missing',
      { record_missing: 1, record_without_row: 1 },
    ]);
  });

  test('may have records that were there before', async () => {
    const made = await twoFiles();
    const flags = [
      ...ledgerFlags(made, (lines) => [...lines, more('1001'), more('1002')]),
      '--others',
      'allowed',
    ];
    const { exit, sides } = await verified(made, ...TWO, ...flags);
    expect([exit, sides[1]!.found, sides[1]!.others]).toEqual([
      0,
      // Its account has no row.
      [[`-:- ${unexplained}`, null, null, null, 12]],
      [
        ['allowed', null, 'CREDIT', 1, '7.70'],
        ['run', made.other, 'CREDIT', 3, '18.00'],
      ],
    ]);
  });

  test('has records of rows that are gone from the same file, and of another file', async () => {
    const made = await twoFiles();
    for (const file of ['gone.csv', 'part.csv'])
      writeLines(made.cwd, file, [COLUMNS, row('1001', 't-9', '9.00', 'CREDIT')]);
    const said = async (file: string) => {
      const { exit, sides } = await verified(made, 'transactions', file, ...ledgerFlags(made));
      return [exit, sides.map(({ found, others }) => [found.map(([each]) => each), others])];
    };
    const ofRun = [
      ['run', made.run, 'CREDIT', 1, '30.30'],
      ['run', made.run, 'PAYMENT', 4, '121.20'],
    ];
    expect(await said('gone.csv')).toEqual([11, [[Array(2).fill(`-:- ${unexplained}`), ofRun]]]);
    const others = [...ofRun, ['run', made.other, 'CREDIT', 2, '9.00']].toSorted(byText);
    expect(await said('part.csv')).toEqual([0, [[[], others]]]);
  });

  test('has notes of the platform, and one of two equal notes', async () => {
    const made = await twoFiles();
    const { exit, sides } = await verified(
      made,
      'notes',
      'n.csv',
      ...ledgerFlags(made, (lines) => [...lines, moved('1001', 't-3')]),
    );
    expect([exit, sides.map(({ repeated_rows, others, found }) => [repeated_rows, others, found])]).toEqual([
      0,
      [
        [0, [], []],
        [1, [['platform', null, null, 1, null]], []],
      ],
    ]);
  });
});

test('other bytes with the same records are compared by them, which the text says', async () => {
  const made = await twoFiles();
  writeLines(made.cwd, 'b4.csv', [COLUMNS, ...B.map((each) => each.replace('PAYMENT', '"PAYMENT"'))]);
  const { stdout } = await made.cli('verify', 'transactions', 'b4.csv', 'a.csv', '--run', made.run);
  const note = `the run ${made.run} read other bytes than these files have: the records are compared by their ids and contents\n`;
  expect(stdout).toContain(note);
  expect((await made.cli('verify', ...TWO)).stdout).not.toContain('other bytes');
});

test('rows that a later file has, too, are equal to the records of its reading', async () => {
  const made = await refusing();
  const { exit, sides } = await verified(made, 'transactions', 'shared.csv');
  expect([exit, sides[0]!.equal, sides[0]!.apart]).toEqual([0, true, []]);
});

describe('blanks that the operator removes', () => {
  const contract = JSON.stringify({ ...imported({}).contract, trims: true });
  const line = (body: string, document = 'a.pdf') =>
    JSON.stringify({
      kind: 'note',
      import_supplier: 'ACME',
      external_account_number: '1001',
      data: { body, created_at: '2026-02-01T10:00:00Z', document_paths: [{ document_path: document }] },
    });

  test.each<readonly [string, readonly string[], readonly string[]]>([
    ['without them', [line('rang'), line('wrote')], []],
    ['with them', [line('rang'), line(' wrote')], []],
    ['with those of its own', [line('rang '), line('wrote')], [`n.csv:2 ${differs}: body`]],
    [
      'with another document',
      [line('rang'), line('wrote', 'b.pdf')],
      [`n.csv:3 ${differs}: document_paths.0.document_path`],
    ],
    [
      'with another text',
      [line('rang'), line('write')],
      ['n.csv:3 the row has no record there', `-:- ${unexplained}`],
    ],
  ])('may be in a file, beside a ledger that has the record %s', async (_, ledger, expected) => {
    const cwd = temporaryFolder();
    writeLines(cwd, 'contract.json', [contract]);
    writeLines(cwd, 'ledger.ndjson', ledger);
    const rowOf = (body: string) => `ACME,1001,"${body}",2026-02-01T10:00:00Z,a.pdf`;
    writeLines(cwd, 'n.csv', [`${NOTES},document_paths.0.document_path`, rowOf('rang'), rowOf(' wrote')]);
    const cli = (...argv: readonly string[]) => runCli(argv, fakeIo({ cwd }));
    const flags = ['--ledger', 'ledger.ndjson', '--contract', 'contract.json'];
    const { exit, sides } = await verified({ cli }, 'notes', 'n.csv', ...flags);
    expect(sides.map(({ found }) => found.map(([said]) => said).toSorted(byText))).toEqual([
      expected.toSorted(byText),
    ]);
    expect(exit).toBe(expected.length > 0 ? 11 : 0);
  });
});

describe('rows that have not arrived', () => {
  test('are apart when they were refused', async () => {
    const made = await refusing();
    const { exit, next, sides } = await verified(made, 'transactions', 't.csv', ...ledgerFlags(made));
    expect([exit, next]).toEqual([6, 'dataimport push transactions t.csv --on-reject skip -j 1 --json']);
    expect(sides.map(({ apart, found }) => [apart, found])).toEqual(Array(2).fill([[['refused', 1]], []]));
  });

  test('are as many as the invalid ones, and nothing has arrived whole', async () => {
    const made = await refusing();
    const { exit, next, invalid, sides } = await verified(made, 'transactions', 'both.csv');
    expect([exit, invalid, sides[0]!.apart]).toEqual([6, ['both.csv:4 row_not_valid'], [['refused', 1]]]);
    expect(next).toMatch(/^dataimport push transactions both\.csv /);
  });

  test('are apart when they have changed since', async () => {
    const made = await refusing();
    const { exit, next, sides } = await verified(made, 'transactions', 'changed.csv', ...ledgerFlags(made));
    expect([exit, next]).toEqual([6, expect.stringMatching(/^dataimport runs show \S+ --unresolved --csv /)]);
    expect(sides.map(({ apart, found }) => [apart, found])).toEqual(
      Array(2).fill([[['conflicting', 1]], []]),
    );
    expect(sides[1]!.others.map(([, , , count, sum]) => [count, sum])).toContainEqual([1, '3.30']);
    const ledger = ledgerFlags(made, (lines) => lines.map((line) => line.replace('"3.30"', '"3.32"')));
    expect((await verified(made, 'transactions', 'changed.csv', ...ledger)).sides[1]!.found).toEqual([
      [`changed.csv:2 ${differs}: amount`, null, null, null, expect.any(Number)],
    ]);
  });

  test('are none where an earlier version has brought them', async () => {
    const made = await refusing();
    const { exit, sides } = await verified(made, 'transactions', 'grown.csv');
    expect([exit, sides.map(({ names, equal, apart }) => [names, equal, apart])]).toEqual([
      0,
      [[[made.grown], true, []]],
    ]);
  });
});

describe('a row that no answer proves', () => {
  test('is settled by a ledger, and confirmed since', async () => {
    const made = copied(await inDoubt());
    const flags = ['statements', 's.csv', ...ledgerFlags(made)];
    const told = async (...argv: string[]) => {
      const { exit, next, sides } = await verified(made, ...argv);
      return [
        exit,
        next,
        sides.map(({ rows_proven, apart, confirmed_by, found }) => [
          rows_proven,
          apart,
          confirmed_by,
          found.length,
        ]),
      ];
    };
    const unresolved = expect.stringMatching(/^dataimport runs show \S+ --unresolved --csv /) as string;
    const before = [0, [['unproven', 2]], [], 0];
    expect(await told('statements', 's.csv')).toEqual([6, unresolved, [before]]);
    expect(await told(...flags)).toEqual([
      0,
      null,
      [
        [0, [['confirmed', 2]], ['the ledger ledger.ndjson'], 0],
        [2, [], [], 0],
      ],
    ]);
    expect(await told('statements', 's.csv')).toEqual([
      0,
      null,
      [[0, [['confirmed', 2]], ['the ledger ledger.ndjson'], 0]],
    ]);
    const cohort = ['version: 1', 'supplier: ACME', 'resources: { statements: { files: [s.csv] } }'];
    writeLines(made.cwd, 'night.yaml', cohort);
    expect((await made.cli('verify', 'night.yaml')).stdout).toContain(
      '\ncohort night: nothing differs, 2 rows were confirmed by the ledger ledger.ndjson, and are not compared\n',
    );
  });

  test.each([
    [
      'other content',
      (lines: readonly string[]) => lines.map((line) => line.replace('"100"', '"101"')),
      11,
      [['unproven', 2]],
    ],
    [
      'no record',
      (lines: readonly string[]) => lines.filter((line) => !line.includes('s-1')),
      6,
      [
        ['unproven', 1],
        ['confirmed', 1],
      ],
    ],
  ])('is not settled by a ledger with %s', async (_, change, exit, apart) => {
    const made = copied(await inDoubt());
    expect(await verified(made, 'statements', 's.csv', ...ledgerFlags(made, change))).toMatchObject({ exit });
    expect(await verified(made, 'statements', 's.csv')).toMatchObject({ exit: 6, sides: [{ apart }] });
  });

  test('is settled when it was accepted without having been compared', async () => {
    const made = copied(await inDoubt());
    const apart = async (...flags: string[]) =>
      (await verified(made, 'statements', 'u.csv', ...flags)).sides.map((side) => side.apart);
    expect(await apart()).toEqual([[['uncompared', 1]]]);
    expect(await apart(...ledgerFlags(made))).toEqual([[['confirmed', 1]], []]);
    expect(await apart()).toEqual([[['confirmed', 1]]]);
  });

  test('stays as it is in a journal that differs from its chain', async () => {
    const made = copied(await inDoubt());
    const db = new Database(journalOf(made.cwd, made.run));
    db.exec(`UPDATE attempt SET ended_at = '2026-01-01T00:00:00Z' WHERE id = 1`);
    db.close();
    const { exit, next, sides } = await verified(made, 'statements', 's.csv', ...ledgerFlags(made));
    expect([exit, next]).toEqual([8, 'dataimport explain chain_broken']);
    expect(sides[0]!.proves).toBeNull();
    expect(await verified(made, 'statements', 's.csv')).toMatchObject({
      exit: 8,
      sides: [{ apart: [['unproven', 2]] }],
    });
  });
});

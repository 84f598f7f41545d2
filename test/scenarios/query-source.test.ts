import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { openSourceFile } from '../../src/cli/csv/source-file.ts';
import { mappedSources } from '../../src/cli/sources/mapped-source.ts';
import { rowsOfQuery } from '../../src/cli/sources/query/query-process.ts';
import { openQueryStore } from '../../src/cli/scratch/query-store.ts';
import { queryFolders } from '../../src/files/private-folder.ts';
import { fakeIo, runCli } from '../support/cli-io.ts';
import { checkFiles } from '../support/checked-files.ts';
import { folderWith, problemsOf, type Files } from '../support/mapping-files.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const BILLS = `doc,revision,account_id,gross,tax,day
D1,1,a1,12.50,1.20,2026-01-05
D1,2,a1,13.50,1.20,2026-01-05
D2,1,a2,7.00,0.70,2026-01-06
D3,1,a3,9.00,0.90,2026-01-07
TOTAL,4
`;
const ACCOUNTS = `{"id":"a1","number":"001"}
{"id":"a2","number":"002"}
{"id":"a3","number":"003"}
`;
const JOIN = 'FROM bills b JOIN accounts a ON a.id = b.account_id';
const NEWEST = `SELECT b._row, b.*, dec_sub(b.gross, b.tax) AS net, a._row AS account_row, a.number AS account ${JOIN}
    WHERE b.revision = (SELECT max(revision) FROM bills x WHERE x.doc = b.doc)`;
/** A query whose records are valid, with something behind it. */
const plain = (select = '', rest = ''): string =>
  `SELECT b._row, b.*, b.gross AS net${select}, a._row AS account_row, a.number AS account ${JOIN} WHERE b._row > 2 ${rest}`;

function mapping(sql: string, more = ''): string {
  return `version: 1
resource: transactions
source:
  tables:
    bills: { file: x.csv, trailer: { cell: 1, equals: TOTAL, count: 2 }${more} }
    accounts: { file: accounts.jsonl }
  sql: |
    ${sql}
fields:
  external_account_number: account
  transaction_id: doc
  transaction_date: day
  type: { constant: CHARGE }
  amount: net
ignore: all
`;
}

const filesWith = (sql: string, files: Files = {}): Files => ({
  'x.csv': BILLS,
  'accounts.jsonl': ACCOUNTS,
  'x.csv.map.yaml': mapping(sql),
  ...files,
});
const check = (sql: string, files: Files = {}) => checkFiles(filesWith(sql, files));

/** What `map check` says of a query, without its place. */
async function refusal(sql: string): Promise<string> {
  const argv = ['map', 'check', 'x.csv.map.yaml', '--json'];
  const { json } = await runCli(argv, fakeIo({ cwd: folderWith(filesWith(sql)) }));
  const problems = json()['problems'] as readonly { line: number; code: string; detail: string }[];
  return problems.map(({ line, code, detail }) => `${line} ${code}: ${detail}`).join('\n');
}

describe('a query as a source', () => {
  test('has columns that nothing uses, and `map check` names them as `check` does', async () => {
    const sql = plain(", 'x' AS other");
    const files = filesWith(sql, { 'x.csv.map.yaml': mapping(sql).replace('ignore: all\n', '') });
    const { document } = await checkFiles(files);
    const argv = ['map', 'check', 'x.csv.map.yaml', '--json'];
    const { exitCode, json } = await runCli(argv, fakeIo({ cwd: folderWith(files) }));
    const named = (of: Record<string, unknown>): readonly string[] =>
      (of['problems'] as readonly { code: string; header: string | null }[]).map(
        ({ code, header }) => `${code} ${header}`,
      );
    expect(named(json())).toContain('column_unused other');
    expect([exitCode, named(json())]).toEqual([0, named(document)]);
  });

  test('sends the newest revision, counts the others and calculates exactly, and is removed when the command has ended', async () => {
    // Other tests have queries at the same time.
    const temporary = temporaryFolder();
    vi.stubEnv('TMPDIR', temporary);
    onTestFinished(() => void vi.unstubAllEnvs());
    const { exitCode, rows, document, problems } = await check(NEWEST);
    expect({ exitCode, problems }).toEqual({ exitCode: 0, problems: [] });
    expect(rows).toMatchObject({ read: 4, not_sent: 3, filtered: 1 });
    expect(document['left_out']).toEqual([{ reason: 'query', place: 'x.csv.map.yaml:7:8', count: 1 }]);
    expect(document['control_totals']).toMatchObject([{ count: 3, read: '26.70' }]);
    await check('SELECT 1');
    // The folder of the files that were checked is there.
    expect(readdirSync(temporary)).not.toEqual([]);
    expect(queryFolders(temporary)).toEqual([]);
  });

  test('needs no file on the command line, and takes a given one for the first table', async () => {
    const cwd = folderWith({
      ...filesWith(NEWEST),
      'other.csv': 'doc,revision,account_id,gross,tax,day\nD9,1,a1,1,0,2026-01-05\nTOTAL,1\n',
    });
    const at = (...file: string[]) =>
      runCli(
        ['check', 'transactions', ...file, '--map', 'x.csv.map.yaml', '--supplier', 'ACME', '--json'],
        fakeIo({ cwd }),
      );
    expect((await at()).json()['rows']).toMatchObject({ read: 4 });
    expect((await at('other.csv')).json()['rows']).toMatchObject({ read: 1 });
    // Nothing was sent yet, and the file of the query is found all the same.
    const sent = await runCli(
      ['verify', 'transactions', '--map', 'x.csv.map.yaml', '--supplier', 'ACME'],
      fakeIo({ cwd }),
    );
    expect(sent.stderr).toContain('run_to_verify_missing');
    const none = await runCli(['check', 'transactions'], fakeIo({ cwd }));
    expect(none.stderr).toContain('query_file_missing');
  });

  test('keeps the order of the first table, unless it has its own', async () => {
    const { stdout } = await preview(plain());
    expect(stdout).toContain('x.csv:3\n');
    const own = await preview(plain('', 'ORDER BY b.doc DESC'));
    expect(own.stdout).toContain('x.csv:5\n');
    const given = await preview(plain('', 'ORDER BY b.doc DESC'), ['--line', '4']);
    expect(given.stdout).toContain('x.csv:4\n');
  });

  const preview = (sql: string, argv: readonly string[] = []) =>
    runCli(
      ['map', 'preview', 'transactions', '--map', 'x.csv.map.yaml', '--supplier', 'ACME', ...argv],
      fakeIo({ cwd: folderWith(filesWith(sql)) }),
    );

  test('copies rejected and left out rows of any order byte for byte, each once', async () => {
    const wrong = BILLS.replace('D2,1,a2,7.00,0.70,2026-01-06', 'D2,1,a2,7.00,0.70,06.01.2026').replace(
      'D3,1,a3,9.00,0.90,2026-01-07',
      'D3,1,a3,9.00,0.90,07.01.2026',
    );
    const sql = `SELECT b._row, b.*, b.gross AS net, a.number AS account ${JOIN} JOIN accounts c ON b.doc <> 'D1' OR c.id = 'a1' ORDER BY b.doc DESC`;
    const { exitCode, folder } = await checkFiles(filesWith(sql, { 'x.csv': wrong }), ['--rejects', 'r.csv']);
    expect(exitCode).toBe(3);
    const copied = readFileSync(join(folder, 'r.csv'), 'utf8');
    expect(copied).toBe(wrong.replace(/TOTAL.*\n/, ''));
  });
});

describe('the cell of a problem', () => {
  test('is that of the table whose row was selected', async () => {
    const accounts = ACCOUNTS.replace('"002"', '" 002"');
    const bills = BILLS.replace('2026-01-06', '06.01.2026');
    const { problems } = await check(NEWEST, { 'accounts.jsonl': accounts, 'x.csv': bills });
    expect(problems.toSorted()).toEqual([
      '4:6 error date_unreadable',
      'accounts.jsonl:2: error identifier_has_spaces',
    ]);
  });

  test('has the row and the expression of a column that is calculated', async () => {
    const sql = NEWEST.replace('dec_sub(b.gross, b.tax) AS net', "b.gross || '!' AS net");
    const { document } = await check(sql);
    expect((document['problems'] as unknown[])[0]).toMatchObject({
      file: 'x.csv',
      line: 3,
      column: null,
      header: "net: b.gross || '!'",
      code: 'number_unreadable',
    });
  });

  test('has the row, and no cell, for a text of another row of the same table', async () => {
    const sql = `SELECT b._row, b.doc, x.day, b.gross AS net, a.number AS account ${JOIN} JOIN bills x ON x.doc = 'D2' WHERE b._row > 2`;
    const { document } = await check(sql, { 'x.csv': BILLS.replace('2026-01-06', '06.01.2026') });
    const cells = (document['problems'] as { line: number; column: number | null; code: string }[])
      .filter(({ code }) => code === 'date_unreadable')
      .map(({ line, column }) => [line, column]);
    expect(cells).toEqual([
      [3, null],
      [4, 6],
      [5, null],
    ]);
  });

  test('is the one that an exact function could not read, also where no cell of the result shows it', async () => {
    const bills = BILLS.replace('9.00', 'x');
    const shown = await check(NEWEST, { 'x.csv': bills });
    expect(shown.problems).toEqual(['5:4 error query_value_unread']);
    expect(shown.rows).toMatchObject({ read: 4, invalid: 1 });
    const hidden = await check(plain('', "AND dec_cmp(b.gross, '8') > 0"), { 'x.csv': bills });
    expect({ exit: hidden.exitCode, problems: hidden.problems[0] }).toEqual({
      exit: 3,
      problems: '5:4 error query_value_unread',
    });
  });
});

describe('the tables', () => {
  test.each([
    ['a row that is cut', { 'x.csv': BILLS.replace(',2026-01-07', '') }, '5: error row_too_short'],
    [
      'a wrong control record',
      { 'x.csv': BILLS.replace('TOTAL,4', 'TOTAL,5') },
      '6:2 error trailer_count_differs',
    ],
    ['no control record', { 'x.csv': BILLS.replace('TOTAL,4\n', '') }, '5: error trailer_missing'],
    [
      'a line that is no object',
      { 'accounts.jsonl': `${ACCOUNTS}[]\n` },
      'accounts.jsonl:4: error file_is_no_table',
    ],
    [
      'bytes of another encoding',
      { 'x.csv': Buffer.from(BILLS.replace('D3', 'Dä'), 'latin1') },
      '5: error encoding_invalid',
    ],
  ])('are checked before the query: %s', async (_, files, expected) => {
    const { exitCode, problems } = await check(NEWEST, files);
    expect(exitCode).toBe(3);
    expect(problems).toContain(expected);
    expect(problems).toContain('x.csv.map.yaml:7: error query_tables_wrong');
  });

  test('are counted when their rows are selected', async () => {
    const accounts = `${ACCOUNTS}{"id":"a4","number":"004"}\n`;
    expect((await check(NEWEST, { 'accounts.jsonl': accounts })).details).toEqual([
      'accounts.jsonl:1: warning query_table_left: rows of `accounts` that are in no row of the result: 1 of 4',
    ]);
    const looked = await check(NEWEST.replace('a._row AS account_row, ', ''));
    expect(looked.problems).toEqual(['accounts.jsonl:1: warning query_table_not_counted']);
  });

  test('may give a row to several records only with `rows: many`', async () => {
    const sql =
      "SELECT b._row, b.doc || a.id AS doc, b.day, b.gross AS net, a._row AS r, a.number AS account FROM bills b JOIN accounts a ON a.id IN ('a1', b.account_id) WHERE b._row > 3";
    const accounts = ACCOUNTS;
    expect((await check(sql, { 'accounts.jsonl': accounts })).problems).toEqual([
      '4: warning query_row_repeated',
    ]);
    const many = mapping(sql).replace('  sql: |', '  rows: many\n  sql: |');
    expect((await check(sql, { 'x.csv.map.yaml': many })).problems).toEqual([]);
  });

  test('are part of the version, with the query', async () => {
    const cwd = folderWith(filesWith(NEWEST));
    const version = async (): Promise<unknown> => {
      const source = await openSourceFile('x.csv', cwd);
      const choice = { resource: 'transactions', supplier: 'ACME' } as const;
      const steps = [() => source.close()];
      const onClose = (step: () => void | Promise<void>): void => void steps.push(async () => step());
      const [mapped] = await mappedSources([source], choice, { cwd, onClose });
      for (const step of steps) await step();
      return mapped!.usedFiles;
    };
    const before = await version();
    expect(before).toMatchObject([{ name: 'x.csv.map.yaml' }, { name: 'accounts.jsonl' }]);
    writeFileSync(join(cwd, 'accounts.jsonl'), `${ACCOUNTS}{}\n`);
    expect(await version()).not.toEqual(before);
  });

  test('are not replaced by an output', async () => {
    const cwd = folderWith(filesWith(NEWEST));
    const { stderr } = await runCli(
      ['check', 'transactions', 'x.csv', '--supplier', 'ACME', '--junit', 'accounts.jsonl'],
      fakeIo({ cwd }),
    );
    expect(stderr).toMatch(/file_named_twice|file_not_ours/);
    expect(readFileSync(join(cwd, 'accounts.jsonl'), 'utf8')).toBe(ACCOUNTS);
  });

  test('are read one file at a time', async () => {
    const cwd = folderWith({ ...filesWith(NEWEST), 'y.csv': BILLS });
    const line = ['check', 'transactions', 'x.csv', '--map', 'x.csv.map.yaml', '--supplier', 'ACME'];
    const two = await runCli([...line, 'y.csv'], fakeIo({ cwd }));
    expect(two.stderr).toContain('query_reads_one_file');
  });
});

// Each refusal, beside the honest query that passes, or the column or condition of one.
type Honest = string | { column: string } | { condition: string };

describe('a query is refused', () => {
  const GROUPED = `SELECT group_concat(b._row) AS _row, doc, max(day) AS day, dec_sum(gross) AS net, a.number AS account ${JOIN} GROUP BY doc, a.number`;
  const REVISIONS = BILLS.replace('D1,1,', 'D1,9,').replace('D1,2,', 'D1,10,');
  const refused: readonly (readonly [string, RegExp, string, Honest])[] = [
    [
      'for arithmetic on texts',
      /query_arithmetic: `-`/,
      plain(', b.gross - b.tax AS x'),
      { column: 'dec_sub(b.gross, b.tax)' },
    ],
    [
      'for a sign before a text',
      /query_arithmetic: `-`/,
      plain(', -b.tax AS x'),
      { column: "dec_sub('0', b.tax)" },
    ],
    [
      'for arithmetic behind ||',
      /query_arithmetic: `\+`/,
      plain(', b.tax || 1 + 1 AS x'),
      { column: 'b._row + 1' },
    ],
    [
      'for arithmetic on one branch',
      /query_arithmetic: `\*`/,
      plain(', iif(b._row > 1, b.tax, 1) * 2 AS x'),
      { column: 'CAST(b.revision AS INTEGER) * 2' },
    ],
    [
      'for hidden arithmetic',
      /query_arithmetic: `\/`/,
      plain('', 'AND (b.gross / 2) IS NOT NULL'),
      { condition: 'b.gross IS NOT NULL' },
    ],
    [
      'for a float',
      /query_makes_float/,
      plain(', dec_mul(b.tax, 1.5) AS x'),
      { column: "dec_mul(b.tax, '1.5')" },
    ],
    [
      'for a cast to a float',
      /query_makes_float/,
      plain(', CAST(b.tax AS REAL) AS x'),
      { column: 'CAST(b.tax AS TEXT)' },
    ],
    ['for sum', /query_function_refused: `sum`/, GROUPED.replace('dec_sum', 'sum'), GROUPED],
    ['for avg', /query_function_refused: `avg`/, GROUPED.replace('dec_sum', 'avg'), GROUPED],
    ['for total', /query_function_refused: `total`/, GROUPED.replace('dec_sum', 'total'), GROUPED],
    [
      'for round',
      /query_function_refused: `round`/,
      plain(', round(b.tax, 1) AS x'),
      { column: 'dec_round(b.tax, 1)' },
    ],
    [
      'for a quoted round',
      /query_function_refused: `round`/,
      plain(', "round"(b.tax, 1) AS x'),
      { column: '"dec_round"(b.tax, 1)' },
    ],
    [
      'for printf',
      /query_function_refused: `printf`/,
      plain(", printf('%d', b.tax) AS x"),
      { column: 'b.tax || 1' },
    ],
    [
      'for format',
      /query_function_refused: `format`/,
      plain(", format('%d', b.tax) AS x"),
      { column: 'upper(b.tax)' },
    ],
    ['for chance', /query_function_refused: `random`/, plain(', random() AS x'), { column: 'length(b.tax)' }],
    [
      'for the clock',
      /query_function_refused: `current_timestamp`/,
      plain(', current_timestamp AS x'),
      { column: "date_of(b.day, 'yyyy-MM-dd')" },
    ],
    ['for ATTACH', /query_invalid: .*begin with SELECT/, "ATTACH 'y' AS y", plain()],
    ['for PRAGMA', /query_invalid: .*begin with SELECT/, 'PRAGMA table_info(bills)', plain()],
    [
      'for a function of PRAGMA',
      /query_invalid: .*pragma_table_info/,
      "SELECT * FROM pragma_table_info('bills')",
      plain(),
    ],
    [
      'for writing',
      /query_invalid: it is no SELECT|query_invalid: .*no SELECT/,
      'WITH x AS (SELECT 1) INSERT INTO bills (doc) VALUES (1) RETURNING *',
      plain(),
    ],
    [
      'for two statements',
      /query_invalid: .*more than one statement/,
      `${plain()}; SELECT 1`,
      `${plain('', 'ORDER BY b.doc LIMIT 1')}; -- one`,
    ],
    ['for UNION', /query_invalid: .*UNION/, `${plain()} UNION ALL ${plain()}`, plain()],
    [
      'for a list of objects',
      /query_invalid: .*no table/,
      plain('', 'AND EXISTS (SELECT 1 FROM json_each(b.doc))'),
      { condition: 'EXISTS (SELECT 1 FROM accounts)' },
    ],
    [
      'for LIMIT without an order',
      /query_invalid: .*LIMIT/,
      plain('', 'LIMIT 1'),
      `${plain('', 'ORDER BY b.doc LIMIT 1')}; -- one`,
    ],
    [
      'for an unknown column',
      /query_invalid: .*no such column: b\.nett/,
      plain(', b.nett'),
      plain(', b.tax'),
    ],
    [
      'without _row',
      /query_row_missing/,
      plain().replace('b._row, b.*', 'b.doc, b.day'),
      plain().replace('b._row, b.*', 'b._row, b.doc, b.day'),
    ],
    [
      'for the row of a group',
      /query_group_unclear: `_row`/,
      GROUPED.replace('group_concat(b._row) AS _row', 'b._row'),
      GROUPED,
    ],
    [
      'for a column beside groups',
      /query_group_unclear: `day`/,
      GROUPED.replace('max(day) AS day', 'b.day'),
      GROUPED,
    ],
    [
      'for all columns beside groups',
      /query_group_unclear: `\*`/,
      GROUPED.replace('doc,', 'b.*, doc,'),
      GROUPED,
    ],
  ];

  test.each(refused)('%s', async (_, expected, sql) => {
    expect(await refusal(sql)).toMatch(expected);
  });

  test('and the honest ones are not, and run, with all columns and conditions in one', async () => {
    const parts = refused.map(([, , , honest]) => honest);
    const columns = parts.flatMap((part) =>
      typeof part === 'object' && 'column' in part ? part.column : [],
    );
    const conditions = parts.flatMap((part) =>
      typeof part === 'object' && 'condition' in part ? `AND ${part.condition}` : [],
    );
    const select = columns.map((column, index) => `, ${column} AS x${index}`).join('');
    // Those that are a part of the one with all columns are not run alone.
    const plainer = [plain(), plain(', b.tax'), plain().replace('b._row, b.*', 'b._row, b.doc, b.day')];
    const whole = new Set(parts.filter((part) => typeof part === 'string' && !plainer.includes(part)));
    expect([columns.length, conditions.length, whole.size]).toEqual([12, 2, 2]);
    for (const sql of [plain(select, conditions.join(' ')), ...(whole as ReadonlySet<string>)]) {
      expect(await refusal(sql)).toBe('');
      const { exitCode, problems } = await check(sql);
      expect({ exitCode, errors: problems.filter((each) => each.includes('error')) }).toEqual({
        exitCode: 0,
        errors: [],
      });
    }
  });

  test.each([
    ['max of 9 and 10', NEWEST, REVISIONS],
    ['the order of 9 and 10', plain('', 'ORDER BY b.revision'), REVISIONS],
    ['an amount and a number', plain('', 'AND b.gross > 8'), BILLS],
    [
      'an alias of a number',
      plain('', "AND (SELECT max(r) FROM (SELECT revision AS r FROM bills)) <> '0'"),
      REVISIONS,
    ],
  ])('for comparing numbers as texts: %s', async (_, sql, bills) => {
    expect(await checkText(sql, { 'x.csv': bills })).toContain('compares them as texts');
  });

  test('not for comparing numbers as numbers, nor texts or dates as texts', async () => {
    const newest = 'SELECT max(CAST(x.revision AS INTEGER)) FROM bills x WHERE x.doc = b.doc';
    const honest = [
      `CAST(b.revision AS INTEGER) = (${newest})`,
      "dec_cmp(b.gross, '8') > 0",
      "(SELECT max(r) FROM (SELECT doc AS r FROM bills)) <> '0'",
      "b.day > '2026-01-01' ORDER BY CAST(b.revision AS INTEGER)",
    ];
    const { exitCode, rows } = await check(plain('', `AND ${honest.join(' AND ')}`), { 'x.csv': REVISIONS });
    expect({ exitCode, rows }).toMatchObject({ exitCode: 0, rows: { not_sent: 2 } });
  });

  const checkText = async (sql: string, files: Files): Promise<string> => {
    const argv = ['check', 'transactions', 'x.csv', '--supplier', 'ACME'];
    return (await runCli(argv, fakeIo({ cwd: folderWith(filesWith(sql, files)) }))).stderr;
  };

  test('for a `_row` that is none of the first table', async () => {
    const sql = `SELECT group_concat(a._row + 100) AS _row, doc, max(day) AS day, max(gross) AS net, a.number AS account ${JOIN} GROUP BY doc, a.number`;
    expect(await checkText(sql.replace('max(gross)', 'dec_sum(gross)'), {})).toContain('query_row_unknown');
  });

  test('not for bytes, which are an error of their row', async () => {
    const { problems } = await check(plain().replace('b.gross AS net', 'CAST(b.gross AS BLOB) AS net'));
    expect(problems.filter((each) => each.includes('query_value_kind'))).toHaveLength(3);
  });

  test.each([
    ['a query without tables', /^  tables:\n(?:    .*\n){2}/m, '4:8 mapping_needs source.sql'],
    ['tables without a query', /^  sql: \|\n    .*\n/m, '5:5 mapping_needs source.tables'],
  ])('by the mapping: %s', async (_, part, expected) => {
    expect(await problemsOf({ 'm.yaml': mapping('SELECT 1').replace(part, '') })).toContain(expected);
  });

  test('by the mapping: keys that belong to a table', async () => {
    const text = mapping('SELECT 1').replace('  sql: |', "  delimiter: ';'\n  sql: |");
    expect(await problemsOf({ 'm.yaml': text })).toEqual(['7:14 mapping_keys_conflict source.delimiter']);
  });
});

describe('the process of a query', () => {
  test('is ended when it has no row for a while', async () => {
    const store = openQueryStore();
    try {
      const table = store.createTable('t', ['a']);
      for (let line = 2; line < 2_000; line++) table.add(line, [`${line}`]);
      store.flush();
      const sql = "SELECT a._row FROM t a, t b, t c, t d, t e WHERE a.a || b.a || c.a || d.a || e.a = 'x'";
      const rows = rowsOfQuery({ path: store.path, sql }, 400);
      const ended = (async () => {
        for await (const lines of rows) expect(lines).toEqual([]);
      })();
      await expect(ended).rejects.toMatchObject({ code: 'query_takes_too_long' });
    } finally {
      store.close();
    }
    expect(readdirSync(tmpdir()).filter((name) => join(tmpdir(), name) === join(store.path, '..'))).toEqual(
      [],
    );
  });

  test('waits for a reader that is slower than the query', async () => {
    const store = openQueryStore();
    try {
      const table = store.createTable('t', ['a']);
      for (let line = 1; line <= 8_000; line++) table.add(line, [`text ${line}`.padEnd(60)]);
      store.flush();
      let rows = 0;
      for await (const lines of rowsOfQuery({ path: store.path, sql: 'SELECT a, _row FROM t ORDER BY 2' })) {
        rows += lines.filter((line) => Array.isArray(line)).length;
        // More than a pipe has room for is waiting.
        await pause(20);
      }
      expect(rows).toBe(8_000);
    } finally {
      store.close();
    }
  });
});

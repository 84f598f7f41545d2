import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openSourceFile } from '../../src/cli/csv/source-file.ts';
import { mappedSources } from '../../src/cli/sources/mapped-source.ts';
import { fakeIo, runCli } from '../support/cli-io.ts';
import { checkFiles } from '../support/checked-files.ts';
import { folderWith, problemsOf, type Files } from '../support/mapping-files.ts';

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
const TYPES = 'types: { revision: integer, gross: decimal, tax: decimal, day: date }';
const JOIN = 'FROM bills b JOIN accounts a ON a.id = b.account_id';
const NEWEST = `SELECT b.*, b.gross - b.tax AS net, a.number AS account ${JOIN}
    WHERE b.revision = (SELECT max(revision) FROM bills x WHERE x.doc = b.doc)`;
/** A query whose records are valid, with something behind it. */
const plain = (select = '', rest = ''): string =>
  `SELECT b.*, b.gross AS net${select}, a.number AS account ${JOIN} WHERE b._row > 2 ${rest}`;

function mapping(sql: string, more = TYPES): string {
  return `version: 1
resource: transactions
source:
  tables:
    bills: { file: x.csv, trailer: { cell: 1, equals: TOTAL, count: 2 }, ${more} }
    accounts: accounts.jsonl
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

describe('a query as a source', () => {
  test('sends the newest revision, counts the others and calculates exactly', async () => {
    const { exitCode, rows, document, problems } = await check(NEWEST);
    expect({ exitCode, problems }).toEqual({ exitCode: 0, problems: [] });
    expect(rows).toMatchObject({ read: 4, not_sent: 3, filtered: 1 });
    expect(document['left_out']).toEqual([{ reason: 'query', place: 'x.csv.map.yaml:7:8', count: 1 }]);
    expect(document['control_totals']).toMatchObject([{ count: 3, read: '26.7' }]);
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
    expect(none.stderr).toContain('usage');
  });

  test('shows the row of a line, in whatever order its rows are', async () => {
    for (const sql of [plain(), plain('', 'ORDER BY b.gross DESC')])
      expect((await preview(sql, ['--line', '4'])).stdout).toContain('x.csv:4\n');
  });

  const preview = (sql: string, argv: readonly string[] = []) =>
    runCli(
      ['check', 'transactions', '--map', 'x.csv.map.yaml', '--supplier', 'ACME', ...argv],
      fakeIo({ cwd: folderWith(filesWith(sql)) }),
    );

  test('copies rejected and left out rows of any order byte for byte, each once', async () => {
    const wrong = BILLS.replace('D2,1,a2,7.00,0.70,2026-01-06', 'D2,1,a2,7.00,0.70,06.01.2026').replace(
      'D3,1,a3,9.00,0.90,2026-01-07',
      'D3,1,a3,9.00,0.90,07.01.2026',
    );
    const sql = `SELECT b.*, b.gross AS net, a.number AS account ${JOIN} ORDER BY b.doc DESC`;
    const files = filesWith(sql, {
      'x.csv': wrong,
      'x.csv.map.yaml': mapping(sql, 'types: { gross: decimal, doc: text }'),
    });
    const { exitCode, folder } = await checkFiles(files, ['--rejects', 'r.csv']);
    expect(exitCode).toBe(3);
    const copied = readFileSync(join(folder, 'r.csv'), 'utf8');
    expect(copied).toBe(wrong.replace(/TOTAL.*\n/, ''));
  });
});

describe('the cell of a problem', () => {
  test('is the row of the first table, and the column of the result', async () => {
    const { document } = await check(NEWEST, { 'accounts.jsonl': ACCOUNTS.replace('"002"', '" 002"') });
    expect(document['problems']).toMatchObject([
      { code: 'identifier_has_spaces', file: 'x.csv', line: 4, column: null, header: 'account' },
    ]);
  });

  test('is the cell of the file that is not what its column is declared as', async () => {
    const bills = BILLS.replace('9.00', 'x').replace('2026-01-06', '06.01.2026').replace('D2,1,', 'D2,1.5,');
    const { exitCode, problems } = await check(NEWEST, { 'x.csv': bills });
    expect(exitCode).toBe(3);
    expect(problems).toEqual([
      'x.csv.map.yaml:7:8 error query_invalid',
      '4:6 error date_unreadable',
      '4:2 error number_unreadable',
      '5:4 error number_unreadable',
    ]);
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
    ['no control record', { 'x.csv': BILLS.replace('TOTAL,4\n', '') }, '5: error trailer_unreadable'],
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
    expect(problems).toContain('x.csv.map.yaml:7:8 error query_invalid');
  });

  test('may give a row to several records only with `rows: many`', async () => {
    const sql =
      "SELECT b.doc || a.id AS doc, b.day, b.gross AS net, a.number AS account FROM bills b JOIN accounts a ON a.id IN ('a1', b.account_id) WHERE b._row > 3";
    expect((await check(sql)).details.join()).toContain('more than once');
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
    expect(stderr).toMatch(/file_exists|file_exists/);
    expect(readFileSync(join(cwd, 'accounts.jsonl'), 'utf8')).toBe(ACCOUNTS);
  });

  test('are read one file at a time', async () => {
    const cwd = folderWith({ ...filesWith(NEWEST), 'y.csv': BILLS });
    const line = ['check', 'transactions', 'x.csv', '--map', 'x.csv.map.yaml', '--supplier', 'ACME'];
    const two = await runCli([...line, 'y.csv'], fakeIo({ cwd }));
    expect(two.stderr).toContain('query_invalid');
  });
});

/** Queries that people write who know SQL: what is selected, how many records come out, and their sum. */
const ORDINARY: readonly (readonly [name: string, sql: string, count: number, sum: string])[] = [
  ['a join', `SELECT b.*, gross AS net, number AS account ${JOIN} WHERE revision <> 1`, 1, '13.5'],
  [
    'the newest revision by QUALIFY',
    `SELECT b.*, gross AS net, a.number AS account ${JOIN} QUALIFY row_number() OVER (PARTITION BY doc ORDER BY revision DESC) = 1`,
    3,
    '29.5',
  ],
  [
    'the newest revision by the alias of a window',
    `SELECT b.*, gross AS net, a.number AS account, row_number() OVER (PARTITION BY doc ORDER BY revision DESC) AS place ${JOIN} QUALIFY place = 1`,
    3,
    '29.5',
  ],
  [
    'the alias of a sum in HAVING',
    `SELECT doc, max(day) AS day, sum(gross) AS total, total AS net, any_value(a.number) AS account ${JOIN} GROUP BY doc HAVING total > 8`,
    2,
    '35',
  ],
  [
    'the last row of a day',
    `SELECT b.*, gross AS net, a.number AS account ${JOIN} QUALIFY row_number() OVER (PARTITION BY doc ORDER BY day DESC, b._row DESC) = 1`,
    3,
    '29.5',
  ],
  [
    'the newest revision by a window in a WITH',
    `WITH r AS (SELECT *, rank() OVER (PARTITION BY doc ORDER BY revision DESC) AS place FROM bills) SELECT r.*, r.gross AS net, a.number AS account FROM r JOIN accounts a ON a.id = r.account_id WHERE place = 1`,
    3,
    '29.5',
  ],
  [
    'the newest revision by NOT EXISTS',
    `SELECT b.*, gross AS net, a.number AS account ${JOIN} WHERE NOT EXISTS (SELECT 1 FROM bills x WHERE x.doc = b.doc AND x.revision > b.revision)`,
    3,
    '29.5',
  ],
  [
    'the newest revision by a group',
    `SELECT b.*, gross AS net, a.number AS account ${JOIN} JOIN (SELECT doc, max(revision) AS revision FROM bills GROUP BY doc) m ON m.doc = b.doc AND m.revision = b.revision`,
    3,
    '29.5',
  ],
  [
    'groups',
    `SELECT doc, max(day) AS day, sum(gross - tax) AS net, a.number AS account ${JOIN} GROUP BY doc, a.number`,
    3,
    '38.0',
  ],
  [
    'groups of all',
    `SELECT account_id AS doc, number AS account, min(day) AS day, sum(gross) AS net ${JOIN} GROUP BY ALL ORDER BY net DESC`,
    3,
    '42',
  ],
  [
    'groups with HAVING and a list of rows',
    `SELECT list(b._row) AS _row, doc, any_value(number) AS account, min(day) AS day, sum(gross) AS net ${JOIN} GROUP BY doc HAVING count(*) > 1`,
    1,
    '26',
  ],
  [
    'groups in a subquery',
    `SELECT doc, net, '001' AS account, day FROM (SELECT doc, sum(gross) AS net, max(day) AS day FROM bills GROUP BY doc) x`,
    3,
    '42',
  ],
  [
    'newer rows of the same table',
    `SELECT b.*, b.gross AS net, '001' AS account FROM bills b LEFT JOIN bills x ON x.doc = b.doc AND x.revision > b.revision WHERE x.doc IS NULL`,
    3,
    '29.5',
  ],
  [
    'an anti-join of the first table',
    `SELECT b.doc, b.day, b.gross AS net, a.number AS account ${JOIN} LEFT JOIN bills n ON n.doc = b.doc AND n.revision > b.revision WHERE n.doc IS NULL`,
    3,
    '29.5',
  ],
  [
    'the newer row of two of the first table',
    `SELECT n.*, n.gross AS net, '001' AS account FROM bills b JOIN bills n ON n.doc = b.doc AND n.revision > b.revision`,
    1,
    '13.5',
  ],
  [
    'one group',
    `SELECT 'all' AS doc, '001' AS account, max(day) AS day, sum(gross) AS net FROM bills`,
    1,
    '42',
  ],
  [
    'a subquery without a name',
    `SELECT doc, day, net, number AS account FROM (SELECT doc, account_id, sum(gross) AS net, max(day) AS day FROM bills GROUP BY ALL) JOIN accounts ON id = account_id`,
    3,
    '42',
  ],
  [
    'a sum of products with a lookup',
    `SELECT doc, max(day) AS day, sum(gross * v.f) AS net, '001' AS account FROM bills JOIN (VALUES ('a1', 2), ('a2', 3), ('a3', 4)) v(id, f) ON v.id = account_id GROUP BY doc`,
    3,
    '109',
  ],
  [
    'a list of rows in a subquery',
    `SELECT b.*, list_sum(ARRAY(SELECT x.gross FROM bills x WHERE x.doc = b.doc)) AS net, a.number AS account ${JOIN} WHERE b._row > 2`,
    3,
    '42',
  ],
  [
    'DISTINCT ON in the order of other databases',
    `SELECT DISTINCT ON (doc) b.*, gross AS net, a.number AS account ${JOIN} ORDER BY doc, revision DESC`,
    3,
    '29.5',
  ],
  [
    'an order of the result',
    `SELECT b.*, gross AS net, a.number AS account ${JOIN} WHERE b._row > 2 AND 1 = 1 ORDER BY account, doc`,
    3,
    '29.5',
  ],
  [
    'UNION ALL of bills and credit notes',
    `SELECT doc, day, gross AS net, '001' AS account FROM bills WHERE doc <> 'D1' UNION ALL SELECT doc, day, -gross, '001' FROM bills WHERE revision = 2`,
    3,
    '2.5',
  ],
  [
    'a sum over a WITH that joins',
    `WITH x AS (SELECT b.*, a.number FROM bills b JOIN accounts a ON a.id = b.account_id) SELECT account_id AS doc, max(day) AS day, sum(gross - tax) AS net, any_value(number) AS account FROM x GROUP BY account_id`,
    3,
    '38.0',
  ],
  [
    'a WITH that has the name of its table',
    `WITH bills AS (SELECT * FROM bills WHERE revision = 1) SELECT doc, max(day) AS day, sum(gross) AS net, '001' AS account FROM bills GROUP BY doc`,
    3,
    '28.5',
  ],
  [
    'the newest value, which is empty',
    `SELECT doc, max(day) AS day, coalesce(max_by(CASE WHEN revision = 1 THEN gross END, revision), 1) AS net, '001' AS account FROM bills GROUP BY doc`,
    3,
    '17',
  ],
  [
    'another column named _row',
    `SELECT b.*, row_number() OVER () + 2 AS _row, gross AS net, a.number AS account ${JOIN} WHERE b._row > 2`,
    3,
    '29.5',
  ],
  [
    'USING',
    `SELECT b.*, gross AS net, number AS account FROM bills b JOIN (SELECT id AS account_id, number FROM accounts) a USING (account_id) WHERE revision = 2`,
    1,
    '13.5',
  ],
  [
    'a scalar subquery',
    `SELECT *, gross AS net, (SELECT number FROM accounts a WHERE a.id = bills.account_id) AS account FROM bills WHERE _row IN (3, 4, 5)`,
    3,
    '29.5',
  ],
  [
    'an outer join and coalesce',
    `SELECT b.*, gross AS net, coalesce(a.number, '009') AS account FROM bills b LEFT JOIN accounts a ON a.id = b.account_id AND a.id <> 'a3' WHERE b.revision = 1 AND b._row > 2`,
    2,
    '16',
  ],
  [
    'CASE',
    `SELECT b.*, CASE WHEN gross > 8 THEN gross ELSE -gross END AS net, a.number AS account ${JOIN} WHERE b._row > 2`,
    3,
    '15.5',
  ],
  [
    'the one that an order or a condition tells apart',
    `SELECT b.*, (SELECT arg_max(DISTINCT gross, day) + arg_min(gross, (day, _row)) + arg_min(1, day) + first(tax ORDER BY day, _row) + list(tax ORDER BY gross)[1] FROM bills) + (SELECT gross FROM bills ORDER BY 1 DESC LIMIT 1) + (SELECT x.gross FROM (SELECT gross, row_number() OVER (ORDER BY _row) AS n FROM bills ORDER BY n LIMIT 1) x) - x.tax AS net, a.number AS account ${JOIN} ASOF JOIN (SELECT doc, day, tax FROM bills WHERE _row > 2) x ON b.doc = x.doc AND b.day >= x.day WHERE b._row = 3`,
    1,
    '49.2',
  ],
  [
    'CASE with a value',
    `SELECT b.*, CASE doc WHEN 'D1' THEN gross ELSE tax END AS net, a.number AS account ${JOIN} WHERE b._row > 2`,
    3,
    '15.1',
  ],
  [
    'minor units',
    `SELECT b.*, CAST(gross * 100 AS INTEGER) * 0.01 AS net, a.number AS account ${JOIN} WHERE b._row > 2`,
    3,
    '29.5',
  ],
  [
    'rounded tax',
    `SELECT b.*, round(gross * 0.077, 2) AS net, a.number AS account ${JOIN} WHERE b._row > 2`,
    3,
    '2.27',
  ],
  [
    'a quotient',
    `SELECT b.*, CAST(gross / 3 AS DECIMAL(18, 2)) AS net, a.number AS account ${JOIN} WHERE b._row > 2`,
    3,
    '9.83',
  ],
  [
    'the day before and the last day of a month',
    `SELECT b.* REPLACE (last_day(day - 1) AS day), gross AS net, a.number AS account ${JOIN} WHERE b._row > 2 AND day - INTERVAL 1 DAY BETWEEN DATE '2026-01-01' AND '2026-12-31'`,
    3,
    '29.5',
  ],
  [
    'a month later',
    `SELECT b.doc, day + INTERVAL 1 MONTH AS day, gross AS net, a.number AS account ${JOIN} WHERE b._row > 2 AND extract(year FROM day) = 2026 AND strftime(day, '%m') = '01'`,
    3,
    '29.5',
  ],
  [
    'texts',
    `SELECT 'B-' || lpad(replace(doc, 'D', ''), 4, '0') AS doc, day, gross AS net, trim(a.number) AS account ${JOIN} WHERE upper(doc) LIKE 'D%' AND length(doc) = 2 AND b._row > 2 AND regexp_matches(doc, '^D[0-9]$')`,
    3,
    '29.5',
  ],
  [
    'a part of a text',
    `SELECT b.*, gross AS net, a.number AS account ${JOIN} WHERE substr(doc, 2, 1) IN ('2', '3') AND nullif(doc, '') IS NOT NULL AND gross * 2 > 1`,
    2,
    '16',
  ],
  [
    'the line as an id',
    `SELECT 'R' || b._row AS doc, day, gross AS net, a.number AS account ${JOIN}`,
    4,
    '42.0',
  ],
  [
    'a number of the row as an id',
    `SELECT 'R' || row_number() OVER (ORDER BY b._row) AS doc, day, gross AS net, a.number AS account ${JOIN}`,
    4,
    '42.0',
  ],
  [
    'a running sum and the row before',
    `SELECT b.doc || revision AS doc, day, gross - lag(gross, 1, 0) OVER (PARTITION BY doc ORDER BY revision) AS net, a.number AS account ${JOIN}`,
    4,
    '29.5',
  ],
  [
    'UNION ALL of lookups',
    `SELECT b.*, gross AS net, a.number AS account FROM bills b JOIN (SELECT id, number FROM accounts WHERE id <> 'a1' UNION ALL SELECT 'a1', '001') a ON a.id = b.account_id WHERE b._row > 2`,
    3,
    '29.5',
  ],
  [
    'a list of values',
    `SELECT b.*, gross AS net, v.account FROM bills b JOIN (VALUES ('a1', '001'), ('a2', '002'), ('a3', '003')) AS v(id, account) ON v.id = b.account_id WHERE b._row > 2`,
    3,
    '29.5',
  ],
  [
    'rows that are equal',
    `SELECT doc, account_id, max(gross) AS net, max(day) AS day, any_value(a.number) AS account ${JOIN} GROUP BY doc, account_id`,
    3,
    '29.5',
  ],
  [
    'the first rows of an order',
    `SELECT b.*, gross AS net, a.number AS account ${JOIN} WHERE revision <> 2 ORDER BY gross DESC LIMIT 2`,
    2,
    '21.5',
  ],
  [
    'DISTINCT ON',
    `SELECT DISTINCT ON (doc) b.*, gross AS net, a.number AS account ${JOIN} ORDER BY b._row * 0, revision DESC`,
    3,
    '29.5',
  ],
];

test.each(ORDINARY)('an ordinary query passes: %s', async (_, sql, count, sum) => {
  const { exitCode, problems, document } = await check(sql, { 'accounts.jsonl': ACCOUNTS });
  const errors = problems.filter((each) => each.includes('error'));
  expect({ exitCode, errors, totals: document['control_totals'] }).toMatchObject({
    exitCode: 0,
    errors: [],
    totals: [{ count, read: sum }],
  });
});

/** Ways to a wrong result without a word, with the tables untyped where that is the way. */
const REVISIONS = BILLS.replace('D1,1,', 'D1,9,').replace('D1,2,', 'D1,10,');
const TEXT_REVISION = 'types: { gross: decimal, tax: decimal, day: date }';
type WrongQuery = [name: string, sql: string, expected: RegExp, types?: string];
const WRONG: WrongQuery[] = [
  ['max of a text', NEWEST, /is text/, TEXT_REVISION],
  [
    'max around a function',
    NEWEST.replace('max(revision)', "max(nullif(revision, ''))"),
    /is text/,
    TEXT_REVISION,
  ],
  ['ORDER BY of a text', plain('', 'ORDER BY revision LIMIT 2'), /is text/, TEXT_REVISION],
  [
    'ORDER BY of a name for a text',
    plain(', revision AS r', 'ORDER BY r DESC LIMIT 2'),
    /is text/,
    TEXT_REVISION,
  ],
  [
    'a window over a text',
    plain('', 'QUALIFY row_number() OVER (PARTITION BY doc ORDER BY revision DESC) = 1'),
    /is text/,
    TEXT_REVISION,
  ],
  [
    'a text of a WITH',
    `WITH r AS (SELECT *, revision AS v FROM bills) ${NEWEST.replace('max(revision) FROM bills', 'max(v) FROM r')}`,
    /is text/,
    TEXT_REVISION,
  ],
  [
    '< between texts',
    plain('', 'AND EXISTS (SELECT 1 FROM bills x WHERE x.revision < b.revision)'),
    /is text/,
    TEXT_REVISION,
  ],
  ['BETWEEN of texts', plain('', "AND revision BETWEEN '1' AND '2'"), /is text/, TEXT_REVISION],
  ['greatest of texts', plain(', greatest(doc, account_id) AS g'), /is text/],
  [
    'arg_max by a text',
    plain(', (SELECT arg_max(gross, revision) FROM bills) AS g'),
    /is text/,
    TEXT_REVISION,
  ],
  ['a list that is sorted', plain(', (SELECT list_sort(list(doc))[1] FROM bills) AS g'), /is text/],
  ['the last of a list', plain(', (SELECT list_max(list(doc)) FROM bills) AS g'), /is text/],
  ['a text beside a number', plain('', 'AND revision = 2'), /is text/, TEXT_REVISION],
  ['a text in a list of numbers', plain('', 'AND revision IN (1, 2)'), /is text/, TEXT_REVISION],
  [
    'a join of a text and a number',
    `SELECT b.*, gross AS net, a.number AS account FROM bills b JOIN accounts a ON a.number = b.revision`,
    /is text/,
  ],
  ['a CAST of a text', plain('', "AND CAST(replace(account_id, 'a', '') AS INTEGER) > 0"), /is text/],
  ['a CAST of a text to a date', plain(', doc::DATE AS d'), /is text/],
  ['TRY_CAST', plain(', TRY_CAST(doc AS INTEGER) AS d'), /has TRY/],
  [
    'a sum of texts',
    `SELECT doc, sum(gross) AS net, max(number) AS account FROM bills JOIN accounts ON true GROUP BY doc`,
    /types/,
    'types: { revision: integer }',
  ],
  ['a float', plain(', gross / 3 AS d'), /is a float/],
  ['an average', plain(', (SELECT avg(gross) FROM bills) AS d'), /is a float/],
  ['a float in JSON', plain(', to_json([gross / 3]) AS d'), /is a float/],
  ['NATURAL JOIN', 'SELECT *, gross AS net FROM bills NATURAL JOIN accounts', /write ON/],
  ['USING (_row)', 'SELECT *, gross AS net FROM bills JOIN accounts USING (_row)', /by `_row`/],
  [
    'a join on the line',
    `SELECT b.*, gross AS net, a.number AS account FROM bills b JOIN accounts a ON b._row = b.revision`,
    /compares `_row`/,
  ],
  [
    'a lookup with two hits',
    plain(", (SELECT number FROM accounts WHERE id <> 'a1') AS d"),
    /More than one row/,
  ],
  [
    'a lookup that takes the first',
    plain(", (SELECT number FROM accounts WHERE id <> 'a1' LIMIT 1) AS d"),
    /LIMIT.* without ORDER BY/,
  ],
  [
    'any value of several',
    `SELECT doc, max(day) AS day, any_value(gross) AS net, a.number AS account ${JOIN} GROUP BY doc, a.number`,
    /several values/,
  ],
  ['any of a FILTER', plain(', (SELECT first(tax) FILTER (true) FROM bills) AS d'), /several values/],
  [
    'a window in any order',
    plain('', 'QUALIFY row_number() OVER (PARTITION BY doc) = 1'),
    /a window.* without ORDER BY/,
  ],
  [
    'a window over rows that a join repeats',
    `SELECT b.*, gross AS net, a.number AS account FROM bills b JOIN accounts a ON a.id <> '' QUALIFY row_number() OVER (PARTITION BY doc ORDER BY revision DESC) = 1`,
    /equal in its ORDER BY/,
  ],
  ...[
    'arg_min(gross, day)',
    'min_by(gross, revision) FILTER (revision < 3)',
    'first(gross ORDER BY day)',
    'last(gross ORDER BY day DESC)',
    'list(gross ORDER BY day)[1]',
  ].map((taken): WrongQuery => [taken, plain(`, (SELECT ${taken} FROM bills)`), /equal in its ORDER BY/]),
  [
    'the first of two of a day',
    plain(', (SELECT gross FROM bills x WHERE x.account_id = b.account_id ORDER BY day LIMIT 1)').replace(
      '> 2',
      '> 0',
    ),
    /equal in its ORDER BY/,
  ],
  ...['arg_min(gross, day) OVER ()', 'sum(gross) OVER (ORDER BY day ROWS UNBOUNDED PRECEDING)'].map(
    (taken): WrongQuery => [taken, plain(`, ${taken}`).replace('> 2', '> 0'), /equal in its ORDER BY/],
  ),
  [
    'ASOF JOIN with two of a day',
    `SELECT b.*, gross AS net, a.number AS account ${JOIN} ASOF JOIN (SELECT doc, day FROM bills) x ON b.doc = x.doc AND b.day >= x.day WHERE b._row > 2`,
    /its ASOF JOIN takes any of rows/,
  ],
  [
    'a window over two revisions of a day',
    plain(', lag(gross) OVER (PARTITION BY b.account_id ORDER BY day) AS d').replace('> 2', '> 0'),
    /equal in its ORDER BY/,
  ],
  [
    'DISTINCT ON rows that a join repeats',
    `SELECT DISTINCT ON (doc) b.*, gross AS net, a.number AS account FROM bills b JOIN accounts a ON a.id <> '' ORDER BY doc, revision DESC`,
    /equal in its ORDER BY/,
  ],
  [
    'a row that a join repeats',
    `SELECT b.*, gross AS net, a.number AS account FROM bills b JOIN accounts a ON a.id <> ''`,
    /more than once/,
  ],
  [
    'a row that is added up twice',
    `SELECT doc, max(day) AS day, sum(b.gross) AS net, '001' AS account FROM bills b JOIN accounts a ON a.id <> '' GROUP BY doc`,
    /more than once/,
  ],
  [
    'a row of a subquery that is added up twice',
    `SELECT *, gross AS net, '001' AS account FROM bills WHERE 50 < (SELECT sum(b.gross) FROM (FROM bills) b JOIN accounts a ON true)`,
    /more than once/,
  ],
  [
    'two copies of the first table',
    `SELECT b.doc, b.day, x.gross AS net, '001' AS account FROM bills b JOIN bills x ON x.doc = b.doc AND x.revision > b.revision`,
    /cannot be traced/,
  ],
  ['a UNION', `${plain()} UNION ${plain()}`, /UNION/],
  ['a UNION ALL of the same rows', `${plain()} UNION ALL ${plain()}`, /more than once/],
  [
    'a number of more decimals beside one of fewer',
    plain(', coalesce(sum(b.gross) OVER (PARTITION BY b.doc), b.gross * 1.0005) AS d'),
    /brings a number to 2 decimals/,
  ],
  ['a default of more decimals', plain(', lag(tax, 1, 0.255) OVER (ORDER BY b._row) AS d'), /decimals/],
  [
    'a value that a WITH looks up, added up',
    `WITH s AS (SELECT account_id, sum(tax) AS all_tax FROM bills GROUP BY account_id), x AS (SELECT b.*, s.all_tax FROM bills b JOIN s ON s.account_id = b.account_id) SELECT account_id AS doc, max(day) AS day, sum(gross - all_tax) AS net, '001' AS account FROM x GROUP BY account_id`,
    /more than once/,
  ],
  [
    'a subquery of each row, added up',
    `WITH x AS (SELECT b.*, (SELECT sum(tax) FROM bills y WHERE y.account_id = b.account_id) AS t FROM bills b) SELECT account_id AS doc, max(day) AS day, sum(t) AS net, '001' AS account FROM x GROUP BY account_id`,
    /more than once/,
  ],
  [
    'a sum of all rows, added up',
    `SELECT account_id AS doc, max(day) AS day, sum(t) AS net, '001' AS account FROM (SELECT *, sum(gross) OVER (PARTITION BY account_id) AS t FROM bills) GROUP BY account_id`,
    /more than once/,
  ],
  [
    'rows that a WITH of a WITH repeats',
    `WITH x AS (SELECT doc, sum(gross) AS g FROM bills GROUP BY doc), y AS (SELECT x.doc, x.g FROM x JOIN accounts a ON true), s AS (SELECT doc, sum(g) AS g FROM y GROUP BY doc) SELECT b.*, s.g AS net, '001' AS account FROM bills b JOIN s USING (doc) WHERE revision = 2`,
    /more than once/,
  ],
  ['a column beside itself', plain('', 'AND EXISTS (SELECT 1 FROM accounts WHERE id = id)'), /with itself/],
  ['a FLOAT', plain(', gross::FLOAT::DECIMAL(18, 2) AS d'), /FLOAT/],
  [
    'PIVOT without a sum',
    plain(
      '',
      'AND EXISTS (FROM (PIVOT bills ON revision IN (1) USING first(gross) GROUP BY doc) p WHERE p.doc = b.doc)',
    ),
    /without PIVOT/,
  ],
  [
    'a row that a WITH repeats',
    `WITH x AS (SELECT b.* FROM bills b JOIN accounts a ON a.id <> '') SELECT doc, max(day) AS day, sum(gross) AS net, '001' AS account FROM x GROUP BY doc`,
    /more than once/,
  ],
  [
    'a row that a window adds up twice',
    `SELECT DISTINCT ON (b.doc) b.*, sum(b.gross) OVER (PARTITION BY b.doc) AS net, '001' AS account FROM bills b JOIN accounts a ON a.id <> '' ORDER BY b._row`,
    /more than once/,
  ],
  [
    'a row of the second table that is added up twice',
    `SELECT list(b._row) AS _row, a.number AS account, a.id AS doc, '2026-01-05' AS day, sum(b.gross) AS net FROM bills b JOIN accounts a ON a.id = b.account_id JOIN bills y ON y.doc <> b.doc GROUP BY ALL`,
    /more than once/,
  ],
  [
    'a group in a sum',
    plain(', (SELECT sum(n) FROM (SELECT count(*) AS n FROM bills) s, accounts) AS d'),
    /more than once/,
  ],
  [
    'DISTINCT',
    plain(', (SELECT sum(t) FROM (SELECT DISTINCT tax t FROM bills), accounts) AS d'),
    /than once/,
  ],
  [
    'a value that REPLACE takes from a join',
    plain(
      ', (SELECT sum(tax) FROM (SELECT b.* REPLACE (s.t AS tax) FROM bills b, (SELECT sum(tax) AS t FROM bills) s)) AS d',
    ),
    /more than once/,
  ],
  [
    'another sum',
    plain(', (SELECT fsum(b.tax) FROM bills b, accounts)::DECIMAL(9, 2) AS d'),
    /more than once/,
  ],
  ['a float that is compared', plain('', 'AND gross / tax <> 5'), /is a float/],
  ['a count of texts', plain(", (SELECT count(replace(doc, 'D1', '')) FROM bills) AS d"), /an empty cell/],
  ['LIMIT of the whole', plain('', 'LIMIT 2'), /LIMIT.* without ORDER BY/],
  ['a sample', plain('', 'USING SAMPLE 2 ROWS'), /has a sample/],
  [
    'a text against all',
    plain('', 'AND revision >= ALL (SELECT revision FROM bills)'),
    /is text/,
    TEXT_REVISION,
  ],
  ['a float as text', plain(', (gross / 3)::VARCHAR AS d'), /is a float/],
  ['the time of the machine', plain(', localtimestamp::DATE AS d'), /not the same each time/],
  ['the age of a date', plain(', age(day) AS d'), /not the same each time/],
  ['NULL for an empty cell', plain('', "AND replace(doc, 'D1', '') IS NOT NULL"), /an empty cell/],
  ['coalesce of an empty text', plain(", coalesce(replace(b.doc, 'D2', ''), 'x') AS d"), /an empty cell/],
  ['no row', plain('', "AND b.doc = 'none'"), /its result has no row/],
  ['a random number', plain(', random() AS d'), /not the same each time/],
  ['a file', plain('', "AND EXISTS (FROM read_text('/etc/hosts'))"), /operations are disabled/],
  ['a file as a table', plain('', "AND EXISTS (FROM '/etc/hostname')"), /does not exist/],
  ['a query in a text', plain('', "AND EXISTS (FROM query('SELECT 1'))"), /a query in a text/],
  [
    'a lookup with two hits inside of a sum',
    `SELECT b.doc, b.day, sum(b.gross * t.f) AS net, '001' AS account FROM bills b JOIN (VALUES ('a1', 1.5)) v(id, x) ON true JOIN (SELECT id, 1.5 AS f FROM accounts) t ON true WHERE b._row > 2 GROUP BY ALL`,
    /more than once/,
  ],
  [
    'a part of a sum that a join repeats',
    plain(', (SELECT sum(b.gross + y.tax) FROM bills b JOIN bills y ON y.account_id = b.account_id) AS d'),
    /more than once/,
  ],
  [
    'a list of rows that a join repeats',
    plain(', ARRAY(SELECT x.gross FROM bills x JOIN accounts y ON true) AS d'),
    /more than once/,
  ],
  ['a sum without equal amounts', plain(', (SELECT sum(DISTINCT tax) FROM bills) AS d'), /equal amounts/],
  ['any element of a list', plain(', (SELECT list(tax)[1] FROM bills) AS d'), /a list without ORDER BY/],
  [
    'the order of a constant',
    plain('', 'QUALIFY row_number() OVER (PARTITION BY doc ORDER BY 1) = 1'),
    /a window/,
  ],
  ['the most frequent value', plain(', (SELECT mode(tax) FROM bills) AS d'), /has mode/],
  [
    'the last of a list by its other name',
    plain(", (SELECT list_aggregate(list(doc), 'max') FROM bills) AS g"),
    /is text/,
  ],
  ['the order of bytes', plain('', "AND encode(doc) > encode('D1')"), /is text/],
  [
    'a DECIMAL without digits',
    plain(', round((gross * 1.0005)::numeric, 2) AS d'),
    /brings a number to 3 decimals/,
  ],
  ['a description', 'DESCRIBE bills', /is not one SELECT/],
  ['a comment', '-- later', /is not one SELECT/],
  ['a text that is no date', plain('', "AND strptime(doc, '%d.%m.%Y') > day"), /Could not parse string …/],
  ['two statements', `${plain()}; SELECT 1`, /is not one SELECT/],
  ['no SELECT', 'DELETE FROM bills', /Only SELECT/],
  ['an unknown column', plain(', b.nett'), /nett/],
];

test.each(WRONG)('a query is refused: %s', async (_, sql, expected, types = TYPES) => {
  const files = { ...filesWith(sql), 'x.csv': REVISIONS, 'x.csv.map.yaml': mapping(sql, types) };
  const argv = ['check', 'transactions', 'x.csv', '--supplier', 'ACME'];
  const { exitCode, stdout, stderr } = await runCli(argv, fakeIo({ cwd: folderWith(files) }));
  expect(`${stdout}${stderr}`).toMatch(expected);
  expect(exitCode).toBeGreaterThan(1);
});

test('a text may be ordered as text where the mapping declares it', async () => {
  const sql = plain('', "AND doc > 'D1' ORDER BY doc DESC");
  const declared = mapping(sql, TYPES.replace('types: {', 'types: { doc: text,'));
  expect((await check(sql, { 'x.csv.map.yaml': declared })).rows).toMatchObject({ read: 4, not_sent: 2 });
});

test('a text that is a number has to say its marks', async () => {
  const sql = plain().replace('b.gross AS net', 'b.tax AS net');
  const marks = mapping(sql, 'types: { gross: decimal }').replace(
    '  tables:',
    "  thousands_mark: '.'\n  tables:",
  );
  expect((await check(sql, { 'x.csv.map.yaml': marks })).problems.join()).toContain('query_invalid');
});

test.each([
  ['Europe/Zurich', '2026-01-31T23:30:00Z', '2026-02-01'],
  ['UTC', '2026-02-01T00:30:00+01:00', '2026-01-31'],
])(
  'a moment has its day in the time zone of the mapping, %s, and stays the same moment',
  async (zone, moment, day) => {
    const sql = `SELECT doc || revision AS doc, moved::DATE AS day, gross AS net, '001' AS account, moved FROM bills WHERE day(moved) = ${day.slice(-2)}`;
    const bills = BILLS.replace('tax,day', 'tax,moved').replaceAll(/2026-01-\d\d/g, moment);
    const text = mapping(sql, 'types: { gross: decimal, revision: integer, moved: datetime }')
      .replace('  tables:', `  time_zone: ${zone}\n  tables:`)
      .replace('ignore:', '  note: moved\nignore:');
    const files = filesWith(sql, { 'x.csv': bills, 'x.csv.map.yaml': text });
    expect((await checkFiles(files)).rows).toMatchObject({ read: 4, not_sent: 4 });
    const argv = ['check', 'transactions', '--map', 'x.csv.map.yaml', '--supplier', 'ACME', '--json'];
    const { json } = await runCli([...argv, '--line', '2'], fakeIo({ cwd: folderWith(files) }));
    expect(json()).toMatchObject({ record: { transaction_date: day, note: '2026-01-31T23:30:00Z' } });
  },
);

test('values keep their digits, and do not depend on other rows', async () => {
  const bills = BILLS.replace('13.50', '1234567.12').replace('9.00', '0.000001');
  const sums = async (rest: string) =>
    (await check(plain('', rest), { 'x.csv': bills })).document['control_totals'];
  expect(await sums("AND doc = 'D1'")).toMatchObject([{ read: '1234567.12' }]);
  expect(await sums("AND doc = 'D2'")).toMatchObject([{ read: '7' }]);
});

test('a number is read as its file writes it, and a calculated one as the interface does', async () => {
  const german = BILLS.replaceAll(/(\d+)\.(\d\d)/g, '"$1,$2"');
  const sql = plain(', b.tax AS raw').replace('b.gross AS net', 'b.gross - 0.5 AS net');
  const text = mapping(sql, 'types: { gross: decimal }').replace(
    '  tables:',
    "  decimal_mark: ','\n  tables:",
  );
  const { document } = await check(sql, { 'x.csv': german, 'x.csv.map.yaml': text });
  expect(document['control_totals']).toMatchObject([{ read: '28.0' }]);
});

describe('a query is refused', () => {
  test.each([
    ['a query without tables', /^  tables:\n(?:    .*\n){2}/m, '4:8 mapping_value_invalid source.sql'],
    ['tables without a query', /^  sql: \|\n    .*\n/m, '5:5 mapping_value_invalid source.tables'],
  ])('by the mapping: %s', async (_, part, expected) => {
    expect(await problemsOf({ 'm.yaml': mapping('SELECT 1').replace(part, '') })).toContain(expected);
  });

  test('by the mapping: keys that belong to a table', async () => {
    const text = mapping('SELECT 1').replace('  sql: |', "  delimiter: ';'\n  sql: |");
    expect(await problemsOf({ 'm.yaml': text })).toEqual(['7:14 mapping_value_invalid source.delimiter']);
  });

  test('for a type of a column that the file does not have', async () => {
    const text = mapping(NEWEST, 'types: { grosss: decimal }');
    const { problems } = await check(NEWEST, { 'x.csv.map.yaml': text });
    expect(problems.join()).toContain('mapped_column_missing');
  });
});

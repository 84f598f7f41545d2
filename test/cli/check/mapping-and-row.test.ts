import { describe, expect, test } from 'vitest';
import { fakeIo, runCli } from '../../support/cli-io.ts';
import { folderWith, type Files } from '../../support/mapping-files.ts';

const MAPPING = `version: 1
resource: transactions
source: { delimiter: ';', decimal_mark: ',' }
fields:
  import_supplier: { constant: ACME }
  external_account_number: K
  transaction_id: B
  transaction_date: { constant: '2026-01-05' }
  amount: Betrag
  type: { constant: CHARGE }
filter: [{ column: Betrag, is: zero }]
`;
const CSV = 'K;B;Betrag;X\n1;T1;5,10;\u001b[31mx\n1;T2;x;\n1;T3;0;\n\n1;"T\n4";7;\n';
const FILES: Files = { 'x.csv': CSV, 'x.csv.map.yaml': MAPPING };

async function run(argv: readonly string[], files: Files = FILES) {
  return runCli(argv, fakeIo({ cwd: folderWith(files) }));
}

/** A text as an editor writes it that is not set to UTF-8. */
const latin1 = (text: string) => Buffer.from(text, 'latin1');

describe('a mapping alone', () => {
  const alone = (files: Files, ...argv: readonly string[]) =>
    run(['check', '--map', 'm.yaml', ...argv], files);

  test('is valid, whether or not it names the supplier', async () => {
    const valid = { exitCode: 0, stdout: 'm.yaml is a valid mapping\n' };
    expect(await alone({ 'm.yaml': MAPPING })).toMatchObject(valid);
    expect(await alone({ 'm.yaml': MAPPING.replace(/.*import_supplier.*\n/, '') })).toMatchObject(valid);
  });

  test('has every problem shown at its place, and ends with 2', async () => {
    const bad = MAPPING.replace('delimiter', 'delimitr').replace('type: {', 'tpye: {');
    const { exitCode, stdout } = await alone({ 'm.yaml': bad });
    expect(exitCode).toBe(2);
    expect(stdout.split('\n')).toEqual([
      'm.yaml:3:11 error mapping_value_invalid source.delimitr: there is no key `delimitr` here; did you mean delimiter?',
      'm.yaml:10:3 error mapping_value_invalid fields.tpye: there is no key `tpye` here; did you mean type?',
      '2 problems',
      'next: Correct the mapping file. `dataimport schema mapping` prints its allowed content.',
      '',
    ]);
    const { json } = await alone({ 'm.yaml': bad }, '--json');
    expect(json()).toMatchObject({
      version: 1,
      exit: { code: 2 },
      mapping: 'm.yaml',
      resource: null,
      problems: [{ code: 'mapping_value_invalid', line: 3, column: 11 }, { line: 10 }],
    });
  });

  test('has to be saved as UTF-8, because mappings have no other encoding', async () => {
    const { exitCode, stderr } = await alone({ 'm.yaml': latin1(`# Gebühr\n${MAPPING}`) });
    expect(exitCode).toBe(2);
    expect(stderr).toContain('error file_not_readable m.yaml cannot be read: it is not UTF-8');
    expect(stderr).toContain('next: Save it as UTF-8');
  });

  test('has no rows, so flags that look at rows are refused', async () => {
    const { exitCode, stderr } = await alone({ 'm.yaml': MAPPING }, '--line', '3');
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('a mapping alone has no rows')]);
  });

  test('with a query names its rows, which are checked, too', async () => {
    const query = MAPPING.replace(
      "source: { delimiter: ';', decimal_mark: ',' }",
      "source: { tables: { t: { file: x.csv, delimiter: ';', decimal_mark: ',' } }, sql: 'SELECT t._row, t.* FROM t' }",
    );
    const { exitCode, stdout } = await alone({ 'm.yaml': query, 'x.csv': CSV });
    expect([exitCode, stdout]).toEqual([3, expect.stringContaining('error number_unreadable Betrag')]);
  });
});

test.each([
  [['check'], 'the resource is missing (notes, transactions, statements, payment-instructions)'],
  [['check', '--map', 'no.yaml'], 'no.yaml cannot be read'],
  [['check', 'transactions', 'no.csv'], 'no.csv cannot be read'],
])('%j ends with 2', async (argv, words) => {
  const { exitCode, stderr } = await run(argv);
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining(words)]);
});

test('a mapping with a file is checked with its header: columns that are missing', async () => {
  const { exitCode, json } = await run(['check', 'transactions', 'x.csv', '--json'], {
    ...FILES,
    'x.csv': 'K;B;Betrga\n1;T1;5\n',
  });
  expect(exitCode).toBe(3);
  expect(json()).toMatchObject({
    problems: [
      {
        code: 'mapped_column_missing',
        file: 'x.csv',
        line: 1,
        detail: expect.stringContaining('did you mean Betrga?') as string,
      },
    ],
  });
});

test('a CSV file that is not UTF-8 needs its encoding in the mapping', async () => {
  const files = { ...FILES, 'x.csv': latin1(CSV.replace('X', 'Gebühr')) };
  const { exitCode, stdout } = await run(['check', 'transactions', 'x.csv'], files);
  expect(exitCode).toBe(3);
  expect(stdout).toContain('error encoding_invalid');
  expect(stdout).toContain('which shows how encodings read it, and set `source.encoding` in a mapping file');
});

describe('the record on a line', () => {
  const lineOf = (line: string, ...argv: readonly string[]) =>
    run(['check', 'transactions', 'x.csv', '--line', line, ...argv]);

  test('is shown as cells, record and request', async () => {
    const { exitCode, stdout } = await lineOf('2');
    expect(exitCode).toBe(0);
    expect(stdout).toContain('x.csv:2\n');
    expect(stdout).toMatch(/3 {2}Betrag +5,10/);
    expect(stdout).toContain('"amount": 5.10');
    expect(stdout).toContain('POST /v1/data-import/transactions/create/\n');
    expect(stdout).not.toContain('\u001b');
  });

  test('has the body byte for byte in the document', async () => {
    const body =
      '{"import_supplier":"ACME","external_account_number":"1","transactions":[{"transaction_id":"T1","transaction_date":"2026-01-05","amount":5.10,"type":"CHARGE"}]}';
    expect((await lineOf('2', '--json')).json()).toMatchObject({
      problems: [],
      request: { method: 'POST', body_text: body },
    });
  });

  test('has its problems and no request, if it is not valid', async () => {
    const { exitCode, json } = await lineOf('3', '--json');
    expect(exitCode).toBe(3);
    expect(json()).toMatchObject({
      problems: [{ code: 'number_unreadable', line: 3, column: 3, header: 'Betrag' }],
      request: null,
    });
  });

  test.each(['1', '5', '99'])('is none on line %s', async (line) => {
    const { exitCode, stderr } = await lineOf(line);
    expect([exitCode, stderr]).toEqual([3, expect.stringContaining(`line ${line} belongs to no record`)]);
  });

  test.each([
    [['notes', 'x.csv', '--line', '2'], 'usage'],
    [['transactions', 'x.csv', '--line', '2', '--map', 'no.yaml'], 'file_not_readable'],
    [['transactions', 'x.csv', '--line', '0'], 'usage'],
    [['transactions', 'x.csv', 'y.csv', '--line', '2'], 'a record of one file'],
    [['transactions', 'x.csv', '--line', '2', '--rejects', 'r.csv'], 'a record of one file'],
  ])('%j ends with 2', async (argv, words) => {
    const { exitCode, stderr } = await run(['check', ...argv]);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining(words)]);
  });

  test('of a file without a mapping is read by its headers', async () => {
    const csv = 'import_supplier,external_account_number,body\nACME,1,hello\n';
    const { exitCode, stdout } = await run(['check', 'notes', 'n.csv', '--line', '2'], { 'n.csv': csv });
    expect([exitCode, stdout]).toEqual([0, expect.stringContaining('"body": "hello"')]);
  });

  test('has the problems of rows of a second file at their places there, and its own at its line', async () => {
    const mapping = `version: 1
resource: notes
fields:
  import_supplier: { constant: ACME }
  external_account_number: K
  created_at: D
  document_paths: { join: { file: docs.csv, key: { K: Konto }, item: { document_path: P } } }
`;
    const docs = 'Konto,P\n2,/b.pdf\n1,a.pdf\n1,/abs.pdf\n';
    const files = { 'm.yaml': mapping, 'n.csv': 'K,D\n1,yesterday\n', 'docs.csv': docs };
    const shown = await run(['check', 'notes', 'n.csv', '--map', 'm.yaml', '--line', '2', '--json'], files);
    const places = shown.json()['problems'] as { file: string; line: number; code: string }[];
    expect(places.map(({ file, line, code }) => `${file}:${line} ${code}`)).toEqual([
      'n.csv:2 date_unreadable',
      'docs.csv:4 document_path_not_relative',
    ]);
  });

  test('has no request when the filter leaves it out, or its row has too few cells', async () => {
    const left = await lineOf('4');
    expect([left.exitCode, left.stdout]).toEqual([
      0,
      expect.stringContaining('no request: the filter of the mapping leaves this record out'),
    ]);
    const short = { ...FILES, 'x.csv': 'K;B;Betrag;X\n1;T1;5,10\n' };
    const { exitCode, json } = await run(['check', 'transactions', 'x.csv', '--line', '2', '--json'], short);
    expect([exitCode, json()]).toMatchObject([
      3,
      { problems: [{ code: 'row_too_short', line: 2 }], request: null },
    ]);
  });

  test('is shown before a quote that nothing closes, which is the problem of any line behind it', async () => {
    const files = { ...FILES, 'x.csv': 'K;B;Betrag;X\n1;T1;5,10;\n1;"T2;6;\n' };
    const at = (line: string) => run(['check', 'transactions', 'x.csv', '--line', line], files);
    expect((await at('2')).exitCode).toBe(0);
    expect((await at('3')).stderr).toContain('x.csv:3 error quote_not_closed');
  });
});

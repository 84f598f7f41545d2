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
  const io = fakeIo({ cwd: folderWith(files), env: { DATAIMPORT_BASE_URL: 'https://platform.example' } });
  return runCli(argv, io);
}

/** A text as an editor writes it that is not set to UTF-8. */
const latin1 = (text: string) => Buffer.from(text, 'latin1');

describe('a file that is not UTF-8', () => {
  const argv = ['map', 'check', 'x.csv.map.yaml'];

  test('has to be saved as UTF-8 when it is a mapping, because mappings have no other encoding', async () => {
    const { exitCode, stderr } = await run(argv, { 'x.csv.map.yaml': latin1(`# Gebühr\n${MAPPING}`) });
    expect(exitCode).toBe(2);
    expect(stderr).toContain('error file_not_utf8 x.csv.map.yaml is not UTF-8');
    expect(stderr).toContain('next: Save it as UTF-8');
    expect(stderr).not.toContain('Check the path');
  });

  test('needs its encoding in a mapping when it is a CSV file', async () => {
    const files = { ...FILES, 'x.csv': latin1(CSV.replace('X', 'Gebühr')) };
    const { exitCode, stdout } = await run([...argv, 'x.csv'], files);
    expect(exitCode).toBe(3);
    expect(stdout).toContain('error encoding_invalid');
    expect(stdout).toContain(
      'next: Type `dataimport inspect` and the file, which shows how encodings read it, and set `source.encoding`',
    );
  });
});

describe('map check', () => {
  test('says that a mapping is valid, and that it fits a file', async () => {
    expect(await run(['map', 'check', 'x.csv.map.yaml'])).toMatchObject({
      exitCode: 0,
      stdout: 'x.csv.map.yaml is a valid mapping\n',
    });
    const fits = await run(['map', 'check', 'x.csv.map.yaml', 'x.csv']);
    expect(fits.exitCode).toBe(0);
    expect(fits.stdout).toBe(
      [
        'x.csv:1:4 warning column_unused X the column is not used by the mapping',
        'x.csv.map.yaml fits the header of x.csv',
        'next: Map it, or list it under `ignore` in the mapping file.',
        '',
      ].join('\n'),
    );
  });

  test('accepts a mapping without a supplier, because the command may name the supplier', async () => {
    const files = { ...FILES, 'x.csv.map.yaml': MAPPING.replace(/.*import_supplier.*\n/, '') };
    const { exitCode, stdout } = await run(['map', 'check', 'x.csv.map.yaml', 'x.csv'], files);
    expect(exitCode).toBe(0);
    expect(stdout).toContain('warning mapping_supplier_missing');
    expect((await run(['check', 'transactions', 'x.csv'], files)).stdout).toContain(
      'error mapping_supplier_missing',
    );
  });

  test('prints every problem of a mapping at its location, and ends with 2', async () => {
    const bad = MAPPING.replace('delimiter', 'delimitr').replace('type: {', 'tpye: {');
    const { exitCode, stdout } = await run(['map', 'check', 'm.yaml'], { 'm.yaml': bad });
    expect(exitCode).toBe(2);
    expect(stdout.split('\n').slice(0, 3)).toEqual([
      'm.yaml:3:11 error mapping_key_unknown source.delimitr there is no key `delimitr` here; did you mean delimiter?',
      'm.yaml:10:3 error mapping_key_unknown fields.tpye there is no key `tpye` here; did you mean type?',
      '2 problems',
    ]);
  });

  test('ends with 3 when the mapping names columns that the file lacks', async () => {
    const { exitCode, json } = await run(['map', 'check', 'x.csv.map.yaml', 'x.csv', '--json'], {
      ...FILES,
      'x.csv': 'K;B;Betrga\n',
    });
    expect(exitCode).toBe(3);
    expect(json()).toMatchObject({
      version: 1,
      exit: { code: 3 },
      resource: 'transactions',
      problems: [
        {
          code: 'mapped_column_missing',
          file: 'x.csv',
          line: 1,
          detail: expect.stringContaining('did you mean Betrga?') as string,
        },
        { code: 'column_unused', header: 'Betrga', column: 3 },
      ],
    });
  });

  test('ends with 2 for a missing file', async () => {
    expect((await run(['map', 'check', 'no.yaml'])).exitCode).toBe(2);
    expect((await run(['map', 'check', 'x.csv.map.yaml', 'no.csv'])).exitCode).toBe(2);
  });
});

describe('map preview of a file that breaks off', () => {
  const files: Files = { 'x.csv': 'K;B;Betrag;X\n1;T1;5,10;\n1;"T2;6;\n', 'x.csv.map.yaml': MAPPING };
  const preview = (line: string) => run(['map', 'preview', 'transactions', 'x.csv', '--line', line], files);

  test('shows a record before the break', async () => {
    expect((await preview('2')).exitCode).toBe(0);
  });

  test('names the line of the break for a record behind it', async () => {
    expect((await preview('3')).stderr).toContain('x.csv:3 error quote_not_closed');
  });
});

describe('schema mapping', () => {
  test('prints a JSON Schema and nothing else', async () => {
    const { stdout, exitCode } = await run(['schema', 'mapping']);
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ $schema: 'https://json-schema.org/draft/2020-12/schema' });
    const { json } = await run(['schema', 'mapping', '--json']);
    expect(json()).toMatchObject({ version: 1, exit: { code: 0 }, schema: JSON.parse(stdout) as object });
  });
});

describe('map preview', () => {
  test('shows the cells, the record and the request of a line', async () => {
    const { exitCode, stdout } = await run(['map', 'preview', 'transactions', 'x.csv', '--line', '2']);
    expect(exitCode).toBe(0);
    expect(stdout).toContain('x.csv:2\n');
    expect(stdout).toMatch(/3 {2}Betrag +5,10/);
    expect(stdout).toContain('"amount": 5.10');
    expect(stdout).toContain('curl -X POST https://platform.example/v1/data-import/transactions/create/');
    expect(stdout).toContain('$DATAIMPORT_TOKEN');
    expect(stdout).not.toContain('\u001b');
  });

  test('shows the body byte for byte in the document', async () => {
    const { json } = await run(['map', 'preview', 'transactions', 'x.csv', '--line', '2', '--json']);
    const body =
      '{"import_supplier":"ACME","external_account_number":"1","transactions":[{"transaction_id":"T1","transaction_date":"2026-01-05","amount":5.10,"type":"CHARGE"}]}';
    expect(json()).toMatchObject({
      problems: [],
      request: { method: 'POST', body_text: body, base_url: 'https://platform.example' },
    });
  });

  test('names the variable where no base URL is set', async () => {
    const { stdout } = await runCli(
      ['map', 'preview', 'transactions', 'x.csv', '--line', '2'],
      fakeIo({ cwd: folderWith(FILES) }),
    );
    expect(stdout).toContain('"$DATAIMPORT_BASE_URL"/v1/');
  });

  test('shows the problems of a record, and no request', async () => {
    const { exitCode, json } = await run([
      'map',
      'preview',
      'transactions',
      'x.csv',
      '--line',
      '3',
      '--json',
    ]);
    expect(exitCode).toBe(3);
    expect(json()).toMatchObject({
      problems: [{ code: 'number_unreadable', line: 3, column: 3, header: 'Betrag' }],
      request: null,
    });
  });

  test('shows that the filter leaves a record out', async () => {
    const { exitCode, stdout } = await run(['map', 'preview', 'transactions', 'x.csv', '--line', '4']);
    expect([exitCode, stdout.trimEnd().split('\n').at(-1)]).toEqual([
      0,
      'no request: the filter of the mapping leaves this record out',
    ]);
  });

  test('takes any line of a record', async () => {
    const { json } = await run(['map', 'preview', 'transactions', 'x.csv', '--line', '7', '--json']);
    expect(json()).toMatchObject({ rows: [{ line: 6 }], record: { transaction_id: 'T\n4' } });
  });

  test.each([
    ['1', 'line 1 belongs to no record; the nearest is on line 2'],
    ['5', 'line 5 belongs to no record; the nearest are on line 4 and line 6'],
    ['99', 'line 99 belongs to no record; the nearest is on line 7'],
  ])('says which lines are near when line %s has no record', async (line, words) => {
    const { exitCode, stderr } = await run(['map', 'preview', 'transactions', 'x.csv', '--line', line]);
    expect([exitCode, stderr]).toEqual([3, expect.stringContaining(words)]);
  });

  test.each([
    [['notes', 'x.csv', '--line', '2'], 'mapping_resource_differs'],
    [['transactions', 'x.csv', '--line', '2', '--map', 'no.yaml'], 'file_not_readable'],
    [['transactions', 'x.csv', '--line', '0'], 'usage'],
  ])('%j ends with 2', async (argv, code) => {
    const { exitCode, stderr } = await run(['map', 'preview', ...argv]);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining(code)]);
  });

  test('reads a file without a mapping by its headers', async () => {
    const csv = 'import_supplier,external_account_number,body\nACME,1,hello\n';
    const { exitCode, stdout } = await run(['map', 'preview', 'notes', 'n.csv', '--line', '2'], {
      'n.csv': csv,
    });
    expect([exitCode, stdout]).toEqual([0, expect.stringContaining('"body": "hello"')]);
  });
});

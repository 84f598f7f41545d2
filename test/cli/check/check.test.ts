import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checkDocument, runDocument } from '../../support/json-documents.ts';
import { fakeIo, runCli } from '../../support/cli-io.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const NOW_MS = Date.UTC(2026, 10, 21);
const HEADER = 'import_supplier,external_account_number,transaction_id,transaction_date,type,amount';

/** A file of rows. `amount` gives the amount of each by its number. */
function fileOf(rows: number, amount: (index: number) => string): string {
  const cwd = temporaryFolder();
  const lines = Array.from(
    { length: rows },
    (_, index) => `ACME,1001,t-${index},2026-02-01,CREDIT,${amount(index)}`,
  );
  writeFileSync(join(cwd, 't.csv'), `${[HEADER, ...lines].join('\n')}\n`);
  return cwd;
}

const check = (cwd: string, env: Readonly<Record<string, string>>, ...argv: readonly string[]) =>
  runCli(['check', 'transactions', 't.csv', ...argv], fakeIo({ cwd, env, nowMs: NOW_MS }));

test('a check prints a table of causes, every problem, the next steps and the counts', async () => {
  const cwd = fileOf(3, (index) => (index === 1 ? '1.00' : 'x'));
  const { exitCode, stdout, stderr } = await check(cwd, {});
  expect({ exitCode, stderr, stdout }).toEqual({
    exitCode: 3,
    stderr: '',
    stdout: [
      '  severity  code     header  count  first lines',
      '  error     invalid  amount      2  2, 4',
      't.csv:2:6 error invalid amount is not a plain decimal such as -1234.50',
      't.csv:4:6 error invalid amount is not a plain decimal such as -1234.50',
      'help: invalid: Correct the cell in the source file.',
      'transactions: 3 rows read: 1 valid, 2 invalid',
      'what is valid: 1 record of 1 account',
      '  amount  count   sum  smallest  largest',
      '  CREDIT      1  1.00      1.00     1.00',
      '  transaction_date  2026-02-01',
      '    2026 ·█··········, days █······························',
      '  external_account_number  9999 ×1',
      '  transaction_id           a-9 ×1',
      '  no record has reason, display_note, note, reference, payment_type,',
      '                product_code, line_items, tax_items',
      'next: correct the problems, then type the same command again',
      '',
    ].join('\n'),
  });
});

test.each([
  [[], 'a column `import_supplier` of t.csv'],
  [['--map', 'm.yaml'], '`import_supplier` in `fields` of m.yaml'],
])(
  'files that name no supplier are no wrong rows: the command needs --supplier, %j',
  async (flags, place) => {
    const cwd = temporaryFolder();
    const fields = HEADER.split(',').slice(1);
    writeFileSync(join(cwd, 't.csv'), `${fields.join(',')}\n1001,t-1,2026-02-01,CREDIT,1.00\n`);
    const mapping = fields.map((name) => `  ${name}: ${name}\n`).join('');
    writeFileSync(join(cwd, 'm.yaml'), `version: 1\nresource: transactions\nfields:\n${mapping}`);
    for (const words of [['check'], ['push', '--dry-run'], ['verify']]) {
      const command = [...words, 'transactions', 't.csv', ...flags];
      const { exitCode, stderr } = await runCli(command, fakeIo({ cwd, nowMs: NOW_MS }));
      expect([exitCode, stderr]).toEqual([2, expect.stringContaining(`Give --supplier or ${place}, set `)]);
    }
    expect((await check(cwd, {}, '--supplier', 'ACME', ...flags)).exitCode).toBe(0);
  },
);

test('a file of another resource is one error and no error of each row', async () => {
  const cwd = fileOf(3, () => '1.00');
  const io = fakeIo({ cwd, nowMs: NOW_MS });
  const { exitCode, stdout, stderr } = await runCli(['check', 'notes', 't.csv'], io);
  expect({ exitCode, stdout, stderr }).toEqual({
    exitCode: 2,
    stdout: '',
    stderr: [
      'dataimport: error usage t.csv has the columns of transactions, and the command names notes',
      'next: Type transactions in place of notes. If the rows are notes, say in a mapping file which column is which: `dataimport init` drafts one.',
      '',
    ].join('\n'),
  });
});

test('the document has all causes, and at most a thousand problems', async () => {
  const cwd = fileOf(1_300, (index) => (index % 2 === 0 ? 'x' : '1.0001'));
  const document = checkDocument.parse((await check(cwd, {}, '--json')).json());
  expect(document.groups).toEqual([
    {
      code: 'invalid',
      severity: 'error',
      file: 't.csv',
      header: 'amount',
      count: 650,
      first_lines: [2, 4, 6, 8, 10],
    },
    {
      code: 'max_decimal_places',
      severity: 'error',
      file: 't.csv',
      header: 'amount',
      count: 650,
      first_lines: [3, 5, 7, 9, 11],
    },
  ]);
  expect([document.problems.length, document.problems_total]).toEqual([1_000, 1_300]);
});

test('dates before the first plausible day are errors', async () => {
  const cwd = fileOf(1, () => '1.00');
  const { exitCode, stdout } = await check(cwd, { DATAIMPORT_EARLIEST_DATE: '2026-02-02' });
  expect(exitCode).toBe(3);
  expect(stdout).toContain('date_implausible transaction_date lies before 2026-02-02');
  expect((await check(cwd, { DATAIMPORT_EARLIEST_DATE: '2026-02-30' })).exitCode).toBe(2);
});

test('an interrupted check says that it is incomplete, and after how many rows, and writes no part of the rejects', async () => {
  const cwd = fileOf(30_000, (row) => (row < 5 ? 'x' : '1.00'));
  const io = fakeIo({ cwd, nowMs: NOW_MS });
  let rows = 0;
  // Reading asks the clock, so the signal comes in the middle of it.
  const timing = {
    ...io.timing,
    monotonicMs: () => {
      if (++rows === 10) io.raise('SIGINT');
      return 0;
    },
  };
  const argv = ['check', 'transactions', 't.csv', '--rejects', 'r.csv'];
  const { exitCode, stdout, stderr } = await runCli(argv, { ...io, timing });
  expect(exitCode).toBe(130);
  expect(stdout).toContain('rejects: none written, because reading stopped\n');
  expect(readdirSync(cwd)).not.toContain('r.csv');
  // A check sends nothing, so no request is in flight.
  expect(stderr).toContain('\nStopping.\n');
  expect(stderr).not.toContain('in flight');
  expect(stdout).toMatch(/^incomplete: reading stopped after \d+000 rows; the rest was not checked$/m);
  expect(stdout).toContain('next: the check is incomplete: type the same command again\n');
});

test('a dry run of a push shows the requests that it would send, and their target', async () => {
  const cwd = fileOf(5, () => '1.00');
  const argv = ['push', 'transactions', 't.csv', '--dry-run', '--batch-size', '2', '--json'];
  const io = fakeIo({ cwd, nowMs: NOW_MS, env: { DATAIMPORT_BASE_URL: 'https://platform.example' } });
  const { plan } = runDocument.parse((await runCli(argv, io)).json());
  expect(plan).toEqual({
    target: 'https://platform.example',
    requests: 3,
    accounts: 1,
    records: 5,
  });
});

const ACTIONS = { GITHUB_ACTIONS: 'true' };

test('in a step of GitHub Actions the first ten problems are annotations', async () => {
  const cwd = fileOf(12, () => 'x');
  const { stdout, stderr } = await check(cwd, ACTIONS);
  const annotations = stdout.split('\n').filter((line) => line.startsWith('::'));
  expect(annotations).toHaveLength(10);
  expect(annotations[0]).toBe(
    '::error file=t.csv,line=2,title=invalid::amount is not a plain decimal such as -1234.50',
  );
  expect(stderr).toBe('');
});

test('a mapping that cannot be used is annotated at its line', async () => {
  const cwd = fileOf(1, () => '1.00');
  writeFileSync(
    join(cwd, 't.csv.map.yaml'),
    'version: 1\nresource: transactions\nfields: { amount: No such header }\n',
  );
  const { exitCode, stdout } = await check(cwd, ACTIONS);
  expect([exitCode, stdout]).toEqual([
    2,
    expect.stringMatching(/^::error file=t\.csv\.map\.yaml,line=3,title=\w+::/m),
  ]);
});

test.each([
  ['text', `${HEADER}\n`, ''],
  ['a ZIP file', 'PK\u0003\u0004rest', ': it is a workbook of a spreadsheet, or another packed file'],
  ['a PDF', '%PDF-1.7', ': it is a PDF'],
])('a file whose name ends in .gz is said to be no gzip file when it is %s', async (_, content, found) => {
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, 't.csv.gz'), content);
  const { exitCode, stderr } = await runCli(['check', 'transactions', 't.csv.gz'], fakeIo({ cwd }));
  expect(exitCode).toBe(3);
  expect(stderr).toBe(
    `t.csv.gz error file_is_no_table the file cannot be unpacked: its name ends in .gz, and it is no gzip file${found}\n` +
      'next: Compare its size with the original and fetch it again, or take `.gz` off the name of plain text. `gzip -t` says whether it is whole.\n',
  );
});

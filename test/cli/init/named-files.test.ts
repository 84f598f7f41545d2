import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { fakeIo, runCli } from '../../support/cli-io.ts';
import { RESOURCES } from '../../../src/core/contract/resources.ts';
import { projectRoot } from '../../support/source-tree.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const CONTENT =
  'Account;Txn Id;Date;Amount;Colour;Text;Text\n1;T1;31.12.2024;1,50;x;a;b\n2;T2;30.12.2024;2,50;y;c;d\n';
const HALMERE = join(projectRoot, 'fixtures/contracts/halmere/contract.json');

/** Drafts the mapping of one file. The file is named, so nothing else is written. */
async function init(content: string, argv: readonly string[] = [], file = 'export.csv') {
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, file), content);
  const { exitCode, stdout, stderr, json } = await runCli(['init', file, ...argv], fakeIo({ cwd }));
  const path = join(cwd, `${file}.map.yaml`);
  const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
  return { cwd, exitCode, stdout, stderr, json, text };
}

test('the mapping is written beside the file, and nothing else is', async () => {
  const { cwd, exitCode, stdout, text } = await init(CONTENT);
  expect(exitCode).toBe(0);
  expect(readdirSync(cwd)).toEqual(['export.csv', 'export.csv.map.yaml']);
  expect(parse(text)).toMatchObject({
    version: 1,
    resource: 'transactions',
    source: { delimiter: ';', decimal_mark: ',' },
    fields: { external_account_number: 'Account', amount: 'Amount' },
  });
  expect(text).toContain('  # columns: [ Account, Txn Id, Date, Amount, Colour, Text, Text (7) ]\n');
  expect(stdout).toMatch(/export\.csv +transactions +export\.csv\.map\.yaml +1 question\n/);
  expect(stdout).toContain('next: dataimport check transactions export.csv\n');
});

test('a person says what the bytes and the headers do not', async () => {
  const flags = ['--resource', 'notes', '--delimiter', ',', '--encoding', 'windows-1250'];
  const { text } = await init(CONTENT, flags);
  expect(parse(text)).toMatchObject({
    resource: 'notes',
    source: { delimiter: ',', encoding: 'windows-1250' },
  });
  const unknown = await init('a,b\n1,2\n');
  expect(unknown.exitCode).toBe(2);
  expect(unknown.stderr).toContain('export.csv error usage nothing says what it is\n');
  const looked = await runCli(['inspect', 'export.csv'], fakeIo({ cwd: unknown.cwd }));
  for (const resource of RESOURCES) {
    const command = `init export.csv --resource ${resource}`;
    expect(looked.stdout).toContain(`\`dataimport ${command}\``);
    expect(unknown.stderr).toContain(`\`dataimport ${command}\``);
    expect((await runCli(command.split(' '), fakeIo({ cwd: unknown.cwd }))).exitCode).toBe(0);
  }
});

test('headers of the interface need no mapping, unless a person says what the rows are', async () => {
  const csv = 'external_account_number,created_at,body\n1,2026-01-02T10:00:00Z,a\n';
  expect(await init(csv)).toMatchObject({ exitCode: 0, text: '' });
  expect((await init(csv, ['--resource', 'notes'])).text).toContain('resource: notes');
});

test.each([
  ['', 'export.csv error file_is_no_table the file is no table: it is empty'],
  ['<html></html>', 'export.csv error file_is_no_table the file is no table: it is a web page or XML'],
])('a file that was named and is no table is an error: %j', async (content, says) => {
  expect(await init(content)).toMatchObject({ exitCode: 3, stderr: expect.stringContaining(says) as string });
});

test('a resource that nobody has is a usage error, and so is a file that is not there', async () => {
  expect((await init(CONTENT, ['--resource', 'invoices'])).exitCode).toBe(2);
  expect((await init(CONTENT, ['no.csv'])).exitCode).toBe(2);
  expect((await init(CONTENT, ['-'])).stderr).toContain('save the rows of standard input in one');
});

test('a draft is refused by `check` until its questions are answered, and then reads the file', async () => {
  const { cwd, text } = await init(`${CONTENT}TOTAL;2;;4,00;;;\n`);
  const check = ['check', 'transactions', 'export.csv', '--supplier', 'ACME', '--json'];
  expect((await runCli(check, fakeIo({ cwd }))).exitCode).toBe(2);
  const answered = text
    .replace(/^( *)type:\n( *# .*\n)*/m, '$1type: { constant: CHARGE }\n')
    .replace(/(?<=^ {2}trailer:\n)(?: {4}# .*\n)+/m, (answer) => answer.replaceAll('# ', ''));
  writeFileSync(join(cwd, 'export.csv.map.yaml'), answered);
  const { exitCode, json } = await runCli(check, fakeIo({ cwd }));
  expect(exitCode).toBe(0);
  expect(json()).toMatchObject({
    rows: { read: 2 },
    control_totals: [{ type: 'CHARGE', count: 2, read: '4.00' }],
  });
});

test('under a contract the draft looks for the fields of the operator, and asks for those that it requires', async () => {
  const csv =
    'Account;Txn Id;Date;Amount;Billing document identifier;Colour\n1;T1;31.12.2024;1,50;B-1;x\n2;T2;30.12.2024;2,50;B-2;y\n';
  const under = await init(csv, ['--contract', HALMERE]);
  expect(under.text).toContain('\n  billing_document_identifier: Billing document identifier\n');
  expect(under.stdout.replaceAll(/\s+/g, ' ')).toContain(
    `next: dataimport check transactions export.csv --contract ${HALMERE} `,
  );
  expect((await init(csv)).text).not.toContain('billing_document_identifier:');

  const ostrelle = join(projectRoot, 'fixtures/contracts/ostrelle/contract.json');
  const statements = 'Account;Statement;From;To\n1;S1;2025-01-01;2025-01-31\n';
  expect((await init(statements, ['--resource', 'statements', '--contract', ostrelle])).text).toMatch(
    /QUESTION \d: where does the statement_path come from\?/,
  );
});

test('values of a column that needs a table are in the mapping only with --show-values', async () => {
  const rows = Array.from(
    { length: 30 },
    (_, at) => `${at % 7};T${at};31.12.2024;1,50;${at % 2 === 0 ? 'Soll' : 'Haben'}`,
  );
  const csv = ['Account;Txn Id;Date;Amount;Type', ...rows, ''].join('\n');
  const { text } = await init(csv, ['--delimiter', ';']);
  expect(text).not.toContain('Soll');
  expect(text).toContain('"Type" (see line 2, 3) mean?');
  expect(text).toContain(
    "\n#   dataimport init export.csv --resource transactions --delimiter ';' --show-values\n",
  );
  expect((await init(csv, ['--show-values'])).text).toContain('"Type" (Soll, Haben) mean?');
});

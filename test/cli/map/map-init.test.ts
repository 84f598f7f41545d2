import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { fakeIo, runCli } from '../../support/cli-io.ts';
import { imported } from '../../support/operator-document.ts';
import { projectRoot } from '../../support/source-tree.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const CONTENT = 'Account;Txn Id;Date;Amount;Colour\n1;T1;31.12.2024;1,50;x\n2;T2;30.12.2024;2,50;y\n';

function folderWith(content: string): string {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'export.csv'), content);
  return folder;
}

test('a mapping is written beside the file, and decisions, questions and next commands are shown', async () => {
  const cwd = folderWith(CONTENT);
  const { exitCode, stdout } = await runCli(['map', 'init', 'transactions', 'export.csv'], fakeIo({ cwd }));
  expect(exitCode).toBe(0);
  expect(parse(readFileSync(join(cwd, 'export.csv.map.yaml'), 'utf8'))).toMatchObject({
    version: 1,
    resource: 'transactions',
    source: { delimiter: ';', decimal_mark: ',' },
    fields: { external_account_number: 'Account', amount: 'Amount' },
  });
  expect(stdout).toContain('written    export.csv.map.yaml\n');
  expect(stdout).toContain(
    'decided    4 fields: external_account_number, transaction_id, transaction_date, amount\n',
  );
  expect(stdout).toContain(
    'open       1 question, marked QUESTION in the file:\n           1. where does the type come from?',
  );
  expect(stdout).toContain('unused     1 column: Colour\n');
  expect(stdout).toContain('next:      dataimport check transactions export.csv\n');
});

test('the next command has no supplier where the file names it, and none is asked for', async () => {
  const cwd = folderWith(
    'Supplier;Account;Txn Id;Date;Amount;Type\nS;1;T1;31.12.2024;1,50;CHARGE\nS;2;T2;30.12.2024;2,50;CHARGE\n',
  );
  const { stdout } = await runCli(['map', 'init', 'transactions', 'export.csv'], fakeIo({ cwd }));
  expect(stdout).toContain('dataimport check transactions export.csv\n');
});

test('a person overrules what the bytes suggest', async () => {
  const cwd = folderWith(CONTENT);
  const flags = ['--out', '-', '--delimiter', ',', '--encoding', 'windows-1250'];
  const { stdout } = await runCli(['map', 'init', 'notes', 'export.csv', ...flags], fakeIo({ cwd }));
  expect(parse(stdout)).toMatchObject({ source: { delimiter: ',', encoding: 'windows-1250' } });
});

test('an existing mapping is not overwritten without --force', async () => {
  const cwd = folderWith(CONTENT);
  const path = join(cwd, 'export.csv.map.yaml');
  writeFileSync(path, 'mine\n');
  const { exitCode, stderr } = await runCli(['map', 'init', 'transactions', 'export.csv'], fakeIo({ cwd }));
  expect(exitCode).toBe(2);
  expect(stderr).toContain('export.csv.map.yaml exists already');
  expect(readFileSync(path, 'utf8')).toBe('mine\n');
  const forced = await runCli(['map', 'init', 'transactions', 'export.csv', '--force'], fakeIo({ cwd }));
  expect(forced.exitCode).toBe(0);
  expect(readFileSync(path, 'utf8')).toContain('version: 1');
});

test('with --out - only the mapping is printed, and with --json the document contains it', async () => {
  const cwd = folderWith(CONTENT);
  const plain = await runCli(['map', 'init', 'notes', 'export.csv', '--out', '-'], fakeIo({ cwd }));
  expect(parse(plain.stdout)).toMatchObject({ resource: 'notes' });
  const json = await runCli(['map', 'init', 'notes', 'export.csv', '--out', '-', '--json'], fakeIo({ cwd }));
  expect(json.json()).toMatchObject({ version: 1, exit: { code: 0 }, mapping: '-', text: plain.stdout });
});

test('with --json the document has the written file, the decisions and the questions', async () => {
  const cwd = folderWith(CONTENT);
  const { json } = await runCli(
    ['map', 'init', 'transactions', 'export.csv', '--json', '--out', 'm.yaml'],
    fakeIo({ cwd }),
  );
  expect(json()).toMatchObject({
    mapping: 'm.yaml',
    text: null,
    questions: [expect.stringContaining('type')],
    unused: ['Colour'],
  });
});

test('a missing folder is reported with the name of the file', async () => {
  const cwd = folderWith(CONTENT);
  const { exitCode, stderr } = await runCli(
    ['map', 'init', 'notes', 'export.csv', '--out', 'no/m.yaml'],
    fakeIo({ cwd }),
  );
  expect(exitCode).toBe(2);
  expect(stderr).toContain('no/m.yaml cannot be written');
});

test.each([
  ['', 'export.csv error file_is_no_table the file is no table: its content is empty'],
  ['<html></html>', 'export.csv error file_is_no_table the file is no table: it begins like html'],
])('what is no table gets no mapping', async (content, says) => {
  const { exitCode, stderr } = await runCli(
    ['map', 'init', 'notes', 'export.csv'],
    fakeIo({ cwd: folderWith(content) }),
  );
  expect(exitCode).toBe(3);
  expect(stderr).toContain(says);
});

test('an unknown resource is a usage error', async () => {
  const { exitCode } = await runCli(
    ['map', 'init', 'invoices', 'export.csv'],
    fakeIo({ cwd: folderWith(CONTENT) }),
  );
  expect(exitCode).toBe(2);
});

test('a draft is refused by `check` until its questions are answered, and then reads the file', async () => {
  const cwd = folderWith(`${CONTENT}TOTAL;2;;4,00;\n`);
  await runCli(['map', 'init', 'transactions', 'export.csv'], fakeIo({ cwd }));
  const check = ['check', 'transactions', 'export.csv', '--supplier', 'ACME', '--json'];
  expect((await runCli(check, fakeIo({ cwd }))).exitCode).toBe(2);

  const path = join(cwd, 'export.csv.map.yaml');
  // Removing the marks of the answers is all that it takes.
  const answered = readFileSync(path, 'utf8').replaceAll(
    /^( *)# (cell: .*|equals: .*|count: .*|sums: .*|\{ constant: CHARGE \})$/gm,
    '$1$2',
  );
  writeFileSync(path, answered);
  const { exitCode, json } = await runCli(check, fakeIo({ cwd }));
  expect(exitCode).toBe(0);
  expect(json()).toMatchObject({
    rows: { read: 2 },
    control_totals: [{ type: 'CHARGE', count: 2, read: '4.00' }],
  });
});

test('under a contract the draft looks for the fields of the operator, and asks for those that it requires', async () => {
  const cwd = folderWith(
    'Account;Txn Id;Date;Amount;Billing document identifier;Colour\n1;T1;31.12.2024;1,50;B-1;x\n2;T2;30.12.2024;2,50;B-2;y\n',
  );
  const contract = join(projectRoot, 'fixtures/contracts/halmere/contract.json');
  const command = ['map', 'init', 'transactions', 'export.csv', '--out', '-'];
  const { stdout } = await runCli([...command, '--contract', contract], fakeIo({ cwd }));
  expect(stdout).toContain('\n  billing_document_identifier: Billing document identifier\n');
  expect((await runCli(command, fakeIo({ cwd }))).stdout).not.toContain('billing_document_identifier:');

  const cwdOfStatements = folderWith('Account;Statement;From;To\n1;S1;2025-01-01;2025-01-31\n');
  const ostrelle = join(projectRoot, 'fixtures/contracts/ostrelle/contract.json');
  const statements = await runCli(
    ['map', 'init', 'statements', 'export.csv', '--out', '-', '--contract', ostrelle],
    fakeIo({ cwd: cwdOfStatements }),
  );
  expect(statements.stdout).toMatch(/QUESTION \d: where does the statement_path come from\?/);
});

test('a field of any JSON keeps the texts of JSON Lines, although others lose blanks and words for nothing', async () => {
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, 'any.json'), JSON.stringify(imported({ note: { anything: {} } }).contract));
  const lines = ['" x "', '"null"', '12'].map(
    (json, at) => `{"account_number":"${at}","body":" b${at}","anything":${json}}\n`,
  );
  writeFileSync(join(cwd, 'n.jsonl'), lines.join(''));
  const command = ['map', 'init', 'notes', 'n.jsonl', '--out', '-', '--contract', 'any.json'];
  const { stdout } = await runCli(command, fakeIo({ cwd }));
  expect(stdout).toContain("anything: { column: anything, trim: false, null_tokens: [ '' ] }");
  expect(stdout).toContain('# all 3 values are JSON, and stay as they are');
});

test('under a contract the draft knows the values of the operator, and the next commands repeat the contract', async () => {
  const cwd = folderWith(
    'Account;Txn Id;Date;Amount;Reason\n1;T1;31.12.2024;1,50;a\n2;T2;30.12.2024;2,50;b\n',
  );
  const contract = join(projectRoot, 'fixtures/contracts/halmere/contract.json');
  const command = ['map', 'init', 'transactions', 'export.csv'];
  const { stdout } = await runCli([...command, '--contract', contract], fakeIo({ cwd }));
  const printed = stdout.replaceAll(/\s+/g, ' ');
  expect(printed).toContain(`dataimport check transactions export.csv --contract ${contract}`);
  expect(readFileSync(join(cwd, 'export.csv.map.yaml'), 'utf8').replaceAll(/\n\s*# /g, ' ')).toMatch(
    /The contract has IMPORTED_CHARGE, METER_FEE, /,
  );

  const set = fakeIo({ cwd, env: { DATAIMPORT_CONTRACT: contract } });
  expect((await runCli([...command, '--force'], set)).stdout).not.toContain('--contract');
});

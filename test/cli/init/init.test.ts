import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { startServer } from '../../../src/server/start.ts';
import { fakeIo, runCli, type FakeIoOptions } from '../../support/cli-io.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const LEDGER =
  'Kundennr;Datum;Betrag in Cent;Text\n1001;01.02.2026;1200;A\n1002;03.02.2026;1500;B\n1001;05.03.2026;1200;C\n';
const NOTES =
  'import_supplier,external_account_number,created_at,body\nACME,1001,2026-01-02T10:00:00Z,rang\nACME,1002,2026-01-03T10:00:00Z,wrote\n';
const FILES = { 'ledger.csv': LEDGER, 'notes.csv': NOTES, 'odd.csv': 'a,b\n1,2\n' };

function folderOf(files: Readonly<Record<string, string>> = FILES): string {
  const cwd = temporaryFolder();
  for (const [name, text] of Object.entries(files)) writeFileSync(join(cwd, name), text);
  return cwd;
}

async function init(world: FakeIoOptions & { readonly cwd: string }, ...flags: readonly string[]) {
  const io = fakeIo(world);
  const { exitCode, stdout } = await runCli(['init', ...flags], io);
  const document = (name: string): unknown => parse(readFileSync(join(world.cwd, name), 'utf8'));
  return { exitCode, stdout, document };
}

test('the mappings have the questions, and the next commands lead on', async () => {
  const cwd = folderOf();
  const { exitCode, stdout, document } = await init({ cwd }, '--supplier', 'ACME');
  expect(exitCode).toBe(0);
  expect(document('cohort.yaml')).toEqual({
    version: 1,
    resources: { notes: { files: ['notes.csv'] }, transactions: { files: ['ledger.csv'] } },
  });
  expect(document('dataimport.config.yaml')).toEqual({ supplier: 'ACME' });
  expect(readFileSync(join(cwd, 'ledger.csv.map.yaml'), 'utf8')).toContain('# QUESTION 3:');
  expect(existsSync(join(cwd, 'notes.csv.map.yaml'))).toBe(false);
  expect(stdout).toMatch(/ledger\.csv +transactions +ledger\.csv\.map\.yaml +3 questions\n/);
  expect(stdout).toMatch(/odd\.csv +not sure +nothing says what it is\n/);
  expect(stdout).toContain('cohort.yaml lacks odd.csv: nothing says what it is.\n');
  expect(stdout).toContain(
    [
      'next: dataimport check transactions ledger.csv',
      'next: dataimport inspect odd.csv',
      'next: dataimport migrate cohort.yaml --dry-run',
      '',
    ].join('\n'),
  );
});

test('a platform that starts with the seed has the accounts of every file, and takes their records', async () => {
  const cwd = folderOf();
  await init({ cwd }, '--supplier', 'ACME');
  const path = join(cwd, 'ledger.csv.map.yaml');
  const answered = readFileSync(path, 'utf8')
    .replace('  transaction_id:', '  transaction_id: Text')
    .replace('  amount:', '  amount: { column: Betrag in Cent, unit: minor }')
    .replace('  type:', '  type: { constant: CHARGE }');
  writeFileSync(path, answered);
  const server = await startServer({
    database: ':memory:',
    seeds: [join(cwd, 'seed.yaml')],
    version: '1.0.0',
    nowMs: () => Date.UTC(2026, 11, 1),
  });
  onTestFinished(() => server.close());
  expect(server.counts).toMatchObject({ suppliers: 1, accounts: 2 });
  const env = { DATAIMPORT_BASE_URL: server.url, DATAIMPORT_API_KEY: server.apiKeys[0]!.key };
  const sent = await runCli(['migrate', 'cohort.yaml'], fakeIo({ cwd, env }));
  expect(sent).toMatchObject({
    exitCode: 0,
    stdout: expect.stringContaining('5 rows read: 5 arrived') as string,
  });
});

test('the seed lacks the accounts that no header names, until the mapping names them', async () => {
  const orders = 'Kd-Ref;Vendor;Reference;Type\n1003;V;R1;CARD\n1003;V;R2;CARD\n1004;V;R3;CARD\n';
  const cwd = folderOf({ 'ledger.csv': LEDGER, 'orders.csv': orders });
  const path = join(cwd, 'orders.csv.map.yaml');
  const accountsOf = (seed: unknown) =>
    (seed as { accounts: { external_account_number: string }[] }).accounts.map(
      (account) => account.external_account_number,
    );
  const { document, stdout } = await init({ cwd }, '--supplier', 'ACME');
  expect(accountsOf(document('seed.yaml'))).toEqual(['1001', '1002']);
  expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
    'No seed.yaml has the accounts of orders.csv yet. Once each mapping is complete, remove seed.yaml and type `dataimport init`.',
  );
  // A seed that is there may have been completed by hand.
  expect((await init({ cwd }, '--supplier', 'ACME')).stdout).not.toContain('has the accounts of orders.csv');
  const answer = "external_account_number: { column: Kd-Ref, pad: { length: 6, with: '0' } }";
  writeFileSync(path, readFileSync(path, 'utf8').replace('external_account_number:', answer));
  rmSync(join(cwd, 'seed.yaml'));
  const again = await init({ cwd });
  expect(accountsOf(again.document('seed.yaml'))).toEqual(['1001', '1002', '001003', '001004']);
  expect(again.stdout).not.toContain('has the accounts of orders.csv');
});

test.each([
  ['Kundennr;Datum;Betrag\n1001;01.02.2026;1,20\ndataimport-rejects', 'it has rejects of another file'],
  [
    'import_supplier,account,id,type,date,amount,file,line,outcome\nACME,1001,T1,,,1.20,ledger.csv,2,verify\n',
    'it has a list for `runs confirm',
  ],
])('a file that a command has written is no export: %j', async (text, reason) => {
  const cwd = folderOf({ 'ledger.csv': LEDGER });
  await init({ cwd });
  writeFileSync(join(cwd, 'rejects.csv'), text);
  const { stdout } = await init({ cwd });
  expect(stdout).toContain(`cohort.yaml lacks rejects.csv: ${reason}`);
  expect(existsSync(join(cwd, 'rejects.csv.map.yaml'))).toBe(false);
  expect((await init({ cwd }, 'rejects.csv')).exitCode).toBe(2);
  writeFileSync(join(cwd, 'more.csv'), LEDGER);
  expect((await init({ cwd })).stdout).toContain('Add more.csv to transactions in cohort.yaml if its rows');
});

test('the seed has the accounts of each supplier, also when their numbers are the same', async () => {
  const row = (supplier: string, number: string) => `${supplier},${number},2026-01-02T10:00:00Z,rang\n`;
  const [header] = NOTES.split('\n');
  const cwd = folderOf({
    'a.csv': `${header}\n${row('ACME', '1001')}${row('BETA', '1001')}${row('ACME', '1002')}`,
    'b.csv': `${header}\n${row('BETA', '1001')}${row('GAMMA', '1001')}`,
  });
  const { document } = await init({ cwd });
  const { accounts } = document('seed.yaml') as Record<string, Record<string, string>[]>;
  const keys = accounts!.map((each) => `${each['import_supplier']} ${each['external_account_number']}`);
  const sorted = keys.toSorted((a, b) => a.localeCompare(b)).join();
  expect(sorted).toBe('ACME 1001,ACME 1002,BETA 1001,GAMMA 1001');
});

test.each([
  ['semicolons', (text: string) => text.replaceAll(',', ';')],
  ['a line for a spreadsheet', (text: string) => `sep=,\n${text}`],
  ['an end mark of DOS', (text: string) => `${text}\u001A`],
])('a file with the headers of the interface and %s gets a mapping that check takes', async (_, written) => {
  const row = 'external_account_number,transaction_id,transaction_date,amount,type\n';
  const cwd = folderOf({
    'x.csv': written(`${row}1,a,2026-01-01,1.00,CREDIT\n1,b,2026-01-02,1.00,CREDIT\n`),
  });
  await runCli(['init', 'x.csv'], fakeIo({ cwd }));
  const { exitCode } = await runCli(
    ['check', 'transactions', 'x.csv', '--supplier', 'ACME'],
    fakeIo({ cwd }),
  );
  expect([existsSync(join(cwd, 'x.csv.map.yaml')), exitCode]).toEqual([true, 0]);
});

test('without a supplier there is no seed, and one that is there is kept', async () => {
  const cwd = folderOf({ 'ledger.csv': LEDGER });
  expect((await init({ cwd })).stdout).not.toContain('No seed.yaml');
  expect(existsSync(join(cwd, 'seed.yaml'))).toBe(false);
  writeFileSync(join(cwd, 'seed.yaml'), 'mine\n');
  expect((await init({ cwd }, '--supplier', 'ACME')).stdout).toContain('seed.yaml (there');
  expect(readFileSync(join(cwd, 'seed.yaml'), 'utf8')).toBe('mine\n');
});

test('what is there is kept, and its open questions are still named', async () => {
  const cwd = folderOf({ 'ledger.csv': LEDGER });
  await init({ cwd });
  writeFileSync(join(cwd, 'cohort.yaml'), 'mine\n');
  const { stdout } = await init({ cwd });
  expect(readFileSync(join(cwd, 'cohort.yaml'), 'utf8')).toBe('mine\n');
  expect(stdout).toContain('written  nothing\n');
  expect(stdout).toContain(
    'kept     ledger.csv.map.yaml, dataimport.config.yaml, cohort.yaml (there before, and not changed)\n',
  );
  expect(stdout).toContain('next: dataimport check transactions ledger.csv\n');
  const path = join(cwd, 'ledger.csv.map.yaml');
  const draft = readFileSync(path, 'utf8');
  writeFileSync(path, draft.replaceAll(/^( +(?:transaction_id|amount|type)):/gm, '$1: Text'));
  expect((await init({ cwd })).stdout).not.toContain('QUESTION');
  writeFileSync(path, 'version: 1\n');
  expect((await init({ cwd })).stdout).toContain('next: dataimport check --map ledger.csv.map.yaml\n');
});

test('a folder without data files is refused, and so is one whose files nobody knows a cohort', async () => {
  expect(await init({ cwd: folderOf({}) })).toMatchObject({ exitCode: 2 });
  const cwd = folderOf({ 'odd.csv': 'a,b\n1,2\n' });
  const { stdout } = await init({ cwd });
  expect(stdout).toContain('written  nothing\nnext: dataimport inspect odd.csv\n');
  expect(existsSync(join(cwd, 'cohort.yaml'))).toBe(false);
});

test('a condition whose values only a person knows is refused without them', async () => {
  const rows = Array.from(
    { length: 30 },
    (_, at) => `${at % 7};T${at};31.12.2024;1,50;CHARGE;${at % 10 === 5 ? '1' : '0'}`,
  );
  const files = { 'ledger.csv': ['Account;Txn Id;Date;Amount;Type;deleted', ...rows, ''].join('\n') };
  const cwd = folderOf(files);
  await init({ cwd });
  const text = readFileSync(join(cwd, 'ledger.csv.map.yaml'), 'utf8');
  writeFileSync(
    join(cwd, 'ledger.csv.map.yaml'),
    text.replace('# - { column: deleted', '- { column: deleted'),
  );
  const check = await runCli(['check', '--map', 'ledger.csv.map.yaml'], fakeIo({ cwd }));
  expect([check.exitCode, check.stdout]).toEqual([
    2,
    expect.stringContaining('must be a list that is not empty'),
  ]);
});

test('an export of any name is read once it has a mapping', async () => {
  const cwd = folderOf({ 'ledger.txt': LEDGER });
  await runCli(['init', 'ledger.txt', '--resource', 'transactions'], fakeIo({ cwd }));
  const { stdout } = await init({ cwd });
  expect([stdout.includes('not read'), stdout.includes('ledger.txt.map.yaml')]).toEqual([false, true]);
});

test('other exports of the folder are named', async () => {
  const { stdout } = await init({
    cwd: folderOf({ ...FILES, 'book.xlsx': '', 'list.txt': '', 'x.yaml': '' }),
  });
  expect(stdout).toContain('not read book.xlsx, list.txt (`dataimport inspect FILE` looks into one)\n');
});

test('an open encoding is a question in the mapping, though the columns are those of the interface', async () => {
  const cwd = folderOf({});
  writeFileSync(join(cwd, 'notes.csv'), Buffer.from(NOTES.replace('rang', 'Grüße'), 'latin1'));
  const { stdout, document } = await init({ cwd });
  expect(stdout).toMatch(/notes\.csv +notes +notes\.csv\.map\.yaml +1 question\n/);
  expect(document('notes.csv.map.yaml')).toMatchObject({ source: { encoding: null } });
});

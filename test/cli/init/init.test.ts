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
  const { exitCode, stdout, stderr } = await runCli(['init', ...flags], io);
  const document = (name: string): unknown => parse(readFileSync(join(world.cwd, name), 'utf8'));
  return { exitCode, stdout, stderr, document };
}

test('without a terminal the mappings have the questions, and the next commands lead on', async () => {
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
  expect(stdout).toContain(
    [
      'next: dataimport check transactions ledger.csv',
      'next: dataimport inspect odd.csv',
      'next: dataimport migrate cohort.yaml --dry-run',
      '',
    ].join('\n'),
  );
});

test('at a terminal the answers of the person are in the mapping, and the dry run reads every row', async () => {
  const cwd = folderOf();
  const typed = ['Text', '9', '1', '1', '5'];
  const { stderr, stdout, document } = await init({ cwd, typed, isTTY: true }, '--supplier', 'ACME');
  expect(stderr).toContain('  1  amount: { column: Betrag in Cent, unit: minor }\n');
  expect(stderr).toContain('That is not a number from 1 to 2.\n');
  expect(document('ledger.csv.map.yaml')).toMatchObject({
    fields: {
      transaction_id: 'Text',
      amount: { column: 'Betrag in Cent', unit: 'minor' },
      type: { constant: 'CHARGE' },
    },
  });
  expect(document('dataimport.config.yaml')).toEqual({ supplier: 'ACME' });
  expect(stdout).toMatch(/odd\.csv +not sure +not part of the migration\n/);
  const dryRun = await runCli(['migrate', 'cohort.yaml', '--dry-run'], fakeIo({ cwd }));
  expect(dryRun.stdout).toContain('cohort cohort: 5 rows read: 5 waiting\n');
});

test('a platform that starts with the seed has the accounts of every file, and takes their records', async () => {
  const cwd = folderOf();
  await init({ cwd, typed: ['Text', '1', '1', '5'], isTTY: true }, '--supplier', 'ACME');
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

test('without a supplier there is no seed, and one that is there is kept', async () => {
  const cwd = folderOf({ 'ledger.csv': LEDGER });
  await init({ cwd });
  expect(existsSync(join(cwd, 'seed.yaml'))).toBe(false);
  writeFileSync(join(cwd, 'seed.yaml'), 'mine\n');
  expect((await init({ cwd }, '--supplier', 'ACME')).stdout).toContain('seed.yaml (there before)');
  expect(readFileSync(join(cwd, 'seed.yaml'), 'utf8')).toBe('mine\n');
});

test('a question that is left open stays one, and the end of the input leaves all of them open', async () => {
  const { stdout, document } = await init({ cwd: folderOf(), typed: ['', '1'], isTTY: true });
  expect(stdout).toMatch(/ledger\.csv\.map\.yaml +2 questions\n/);
  expect(document('ledger.csv.map.yaml')).toMatchObject({
    fields: { amount: { column: 'Betrag in Cent', unit: 'minor' } },
  });
  expect(document('dataimport.config.yaml')).toBeNull();
});

test('nobody is asked with --no-input, with --json and in CI', async () => {
  for (const [flags, env] of [
    [['--no-input'], {}],
    [['--json'], {}],
    [[], { CI: 'true' }],
  ] as const) {
    const { stderr } = await init({ cwd: folderOf(), typed: ['Text'], isTTY: true, env }, ...flags);
    expect(stderr).not.toContain('Type ');
  }
});

test('what is there is kept, and its open questions are still named', async () => {
  const cwd = folderOf({ 'ledger.csv': LEDGER });
  await init({ cwd });
  writeFileSync(join(cwd, 'cohort.yaml'), 'mine\n');
  const { stdout } = await init({ cwd });
  expect(readFileSync(join(cwd, 'cohort.yaml'), 'utf8')).toBe('mine\n');
  expect(stdout).toContain('written  nothing\n');
  expect(stdout).toContain(
    'kept     ledger.csv.map.yaml, dataimport.config.yaml, cohort.yaml (there before)\n',
  );
  expect(stdout).toContain('next: dataimport check transactions ledger.csv\n');
});

test('a folder without data files is refused, and so is one whose files nobody knows a cohort', async () => {
  expect(await init({ cwd: folderOf({}) })).toMatchObject({ exitCode: 2 });
  const cwd = folderOf({ 'odd.csv': 'a,b\n1,2\n' });
  const { stdout } = await init({ cwd });
  expect(stdout).toContain('written  nothing\nnext: dataimport inspect odd.csv\n');
  expect(existsSync(join(cwd, 'cohort.yaml'))).toBe(false);
});

const rowsOf = (last: (at: number) => string): readonly string[] =>
  Array.from({ length: 30 }, (_, at) => `${at % 7};T${at};31.12.2024;1,50;${last(at)}`);

test('rows that may be no records are asked about, each kind by itself', async () => {
  const rows = rowsOf((at) => (at === 5 ? 'CHARGE;VOID' : 'CHARGE;OK'));
  const lines = ['Account;Txn Id;Date;Amount;Type;Status', ...rows, ';;;;;'];
  const { stderr, document } = await init({
    cwd: folderOf({ 'ledger.csv': [...lines, rows[1], ''].join('\n') }),
    typed: ['2', '1'],
    isTTY: true,
  });
  expect(stderr).toContain('filter, 1 of 2: 1 row has delimiters only (first on line 32)\n');
  expect(document('ledger.csv.map.yaml')).toMatchObject({ filter: [{ column: 'Status', in: ['VOID'] }] });
});

test('the values of a column of states are asked for one after the other, and none is made up', async () => {
  const rows = rowsOf((at) => (at % 10 === 5 ? 'CHARGE;1' : 'CHARGE;0'));
  const files = { 'ledger.csv': ['Account;Txn Id;Date;Amount;Type;deleted', ...rows, ''].join('\n') };
  const { stderr, document } = await init({ cwd: folderOf(files), typed: ['2', '1'], isTTY: true });
  expect(stderr).toContain("rows with '1'\n");
  expect(document('ledger.csv.map.yaml')).toMatchObject({ filter: [{ column: 'deleted', in: ['1'] }] });
  const open = folderOf(files);
  await init({ cwd: open }, '--no-input');
  const text = readFileSync(join(open, 'ledger.csv.map.yaml'), 'utf8');
  writeFileSync(
    join(open, 'ledger.csv.map.yaml'),
    text.replace('# - { column: deleted', '- { column: deleted'),
  );
  const check = await runCli(['check', '--map', 'ledger.csv.map.yaml'], fakeIo({ cwd: open }));
  expect([check.exitCode, check.stdout]).toEqual([
    2,
    expect.stringContaining('must be a list that is not empty'),
  ]);
});

test('other exports of the folder are named', async () => {
  const { stdout } = await init({
    cwd: folderOf({ ...FILES, 'book.xlsx': '', 'list.txt': '', 'x.yaml': '' }),
  });
  expect(stdout).toContain('not read book.xlsx, list.txt (`dataimport inspect FILE` looks into one)\n');
});

test('an encoding is asked before anything else, and the file is read in the one that is chosen', async () => {
  const cwd = folderOf({});
  const notes = NOTES.replace('rang', 'Grüße').replace('wrote', 'Zähler');
  writeFileSync(join(cwd, 'notes.csv'), Buffer.from(notes, 'latin1'));
  writeFileSync(join(cwd, 'other-notes.csv'), Buffer.from(notes, 'latin1'));
  const { stderr, stdout, document } = await init({ cwd, typed: ['1', '4'], isTTY: true });
  expect(stderr).toMatch(/Which encoding is notes\.csv in \(byte \d+ on line 2 is no UTF-8\)\?/);
  expect(stderr).toContain('  1  windows-1252: Grüße | Zähler\n');
  expect(stderr).toContain(
    '  4  none of these: convert the file, `iconv -f CP850 -t UTF-8 notes.csv > notes.utf8.csv`',
  );
  expect(document('notes.csv.map.yaml')).toMatchObject({ source: { encoding: 'windows-1252' } });
  expect(stdout).toMatch(/other-notes\.csv +not sure +to be converted with iconv\n/);
});

test('an encoding that is left open is a question in the mapping, though the columns are those of the interface', async () => {
  const cwd = folderOf({});
  writeFileSync(join(cwd, 'notes.csv'), Buffer.from(NOTES.replace('rang', 'Grüße'), 'latin1'));
  for (const world of [{ cwd }, { cwd, typed: [''], isTTY: true }]) {
    rmSync(join(cwd, 'notes.csv.map.yaml'), { force: true });
    const { stdout, document } = await init(world);
    expect(stdout).toMatch(/notes\.csv +notes +notes\.csv\.map\.yaml +1 question\n/);
    expect(document('notes.csv.map.yaml')).toMatchObject({ source: { encoding: null } });
  }
});

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checkFiles } from '../support/checked-files.ts';
import { fakeIo, runCli } from '../support/cli-io.ts';
import { drafted } from '../support/drafted.ts';

const NOTE = 'external_account_number,body,created_at\n';
const BOOKING = 'external_account_number,transaction_id,transaction_date,amount,type\n';
const rows = (count: number, row: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => `${row(at)}\n`).join('');
const notes = (bodies: readonly string[]): string =>
  NOTE + rows(bodies.length, (at) => `A${at},${bodies[at]},2026-01-05T10:00:${10 + at}Z`);
const bookings = (count: number, rest: (at: number) => string): string =>
  BOOKING + rows(count, (at) => `A${at},T${at},2026-01-05,${rest(at)}`);
const warningsOf = async (csv: string, resource = 'transactions') =>
  (await checkFiles({ 'x.csv': csv }, [], { resource })).details.map((each) =>
    each.replace(/^.*? (?:warning|error) /, ''),
  );
const checkedText = async (csv: string): Promise<string> => {
  const io = fakeIo();
  writeFileSync(join(io.cwd, 'x.csv'), csv);
  return (await runCli(['check', 'transactions', 'x.csv', '--supplier', 'A'], io)).stdout;
};

test('each text of a warning is shown, and not that of the first row alone', async () => {
  const io = fakeIo();
  const bodies = [
    'a \uFFFD b',
    'c \uFFFD d',
    ...Array.from({ length: 4 }, (_, at) => `Fish &amp; chips ${at}`),
  ];
  writeFileSync(join(io.cwd, 'x.csv'), notes(bodies));
  const { stdout } = await runCli(['check', 'notes', 'x.csv', '--supplier', 'A'], io);
  expect(stdout).toContain('x.csv:2:2 warning text_damaged body has the replacement character');
  expect(stdout).toContain('(and 1 more row)');
  expect(stdout).toContain('text_damaged body was escaped once too often');
});

test('many equal errors of a column are one line, and a few have a line each', async () => {
  const many = await checkedText(bookings(180, () => '1.234,CHARGE'));
  expect(many.match(/^x\.csv:\d+:4 error max_decimal_places/gm)).toHaveLength(1);
  expect(many).toContain(' (and 179 more rows: 3, 4, 5, 6, 7 …)\n');
  const few = await checkedText(bookings(3, () => '1.234,CHARGE'));
  expect(few.match(/^x\.csv:\d+:4 error max_decimal_places/gm)).toHaveLength(3);
});

test('text that was converted twice is taken back, because its encoding is right', async () => {
  const { document } = await checkFiles({ 'x.csv': notes(['pÃ¼nktlich']) }, [], { resource: 'notes' });
  expect(JSON.stringify(document)).toContain('type `iconv -f UTF-8 -t Windows-1252 FILE > NEW`');
});

test('negative credits beside positive charges are noticed in a small file, and a reversal is not', async () => {
  const small = bookings(6, (at) => (at < 3 ? '5.00,CHARGE' : '-5.00,CREDIT'));
  expect(await warningsOf(small)).toEqual([expect.stringContaining('all 3 amounts of CREDIT are negative')]);
  expect(await warningsOf(bookings(6, (at) => (at < 5 ? '5.00,CHARGE' : '-5.00,CREDIT')))).toEqual([]);
});

test('a text that the end of the file may have cut is not to be added to the lookup table', async () => {
  const map =
    'version: 1\nresource: transactions\nfields:\n  external_account_number: external_account_number\n  transaction_id: transaction_id\n  transaction_date: transaction_date\n  amount: amount\n  type: { column: type, lookup: { Payment: PAYMENT } }\n';
  const told = async (csv: string) =>
    JSON.stringify((await checkFiles({ 'x.csv': csv, 'x.csv.map.yaml': map })).document);
  const csv = bookings(3, (at) => `5.00,${at < 2 ? 'Payment' : 'Paym'}`);
  expect(await told(csv.trimEnd())).toContain('The file may be cut off: compare its size with the original.');
  expect(await told(csv)).not.toContain('cut off');
});

test('a constant column, or one of towns, is no account or id without a question', async () => {
  const file = (account: string): string =>
    `Account,City,Ref,Doc No,Date,Amount\n${rows(4, (at) => `${account},${['Leeds', 'Leeds', 'York', 'Hull'][at]},R${at},D9,1${at + 5}/01/2026,5.5${at}`)}`;
  const constant = await drafted('transactions', file('4000'));
  expect(constant.questions).toContainEqual(
    expect.stringContaining('is "Account" the external_account_number? All 4 rows have the same value'),
  );
  expect(constant.text).not.toMatch(/# Doc No\n/);
  const towns = await drafted('transactions', file('4000').replaceAll(/^4000,(\w+)/gm, '$1,$1'));
  expect(towns.questions).toContainEqual(expect.stringContaining('None of its values has a digit'));
  const plain = await drafted('transactions', file('4000').replaceAll(/^4000,\w+,R(\d)/gm, '400$1,x,R$1'));
  expect(plain.questions.join()).not.toContain('is "Account"');
});

test('usual headers are known, and the kWh of zones may be items of a supply charge', async () => {
  const known = await drafted(
    'transactions',
    `Cust No,Trans Ref,Trans Date,TransType,Amount\n${rows(3, (at) => `100${at},R${at},1${at + 5}/01/2026,CHARGE,5.5${at}`)}`,
  );
  expect(known.questions).toEqual([]);
  const zones = await drafted(
    'transactions',
    `Account,Invoice No,Date,kWh Day,kWh Night,Amount\n${rows(3, (at) => `100${at},R${at},1${at + 5}/01/2026,10${at},5${at},5.5${at}`)}`,
  );
  expect(zones.text).toContain('# { constant: SUPPLY_CHARGE }\n');
  expect(zones.questions).toContainEqual(expect.stringContaining('which values does line_items have?'));
});

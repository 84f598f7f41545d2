import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fakeIo, runCli } from '../support/cli-io.ts';
import { documentBlocks } from '../support/document-blocks.ts';
import { projectRoot } from '../support/source-tree.ts';
import { folderWith } from '../support/mapping-files.ts';

const RECIPE = documentBlocks('docs/mapping-recipes.md', 'yaml').find(
  ({ title }) => title === 'debit-credit',
)!.text;

test.each([
  ['a debit beside an empty cell', '5,00', '', 'CHARGE', 5],
  ['a debit beside a zero', '5,00', '0,00', 'CHARGE', 5],
  ['a credit beside an empty cell', '', '5,00', 'PAYMENT', 5],
  ['a credit beside a zero', '0,00', '5,00', 'PAYMENT', 5],
])('the recipe for two columns reads %s', async (_, debit, credit, type, amount) => {
  const csv = `Konto;Beleg;Datum;Soll;Haben;Status\n1;T1;05.01.2026;${debit};${credit};\n`;
  const cwd = folderWith({ 'x.csv': csv, 'x.csv.map.yaml': RECIPE });
  const argv = ['check', 'transactions', 'x.csv', '--line', '2', '--json'];
  const { exitCode, json } = await runCli(argv, fakeIo({ cwd }));
  expect({ exitCode, record: json()['record'] }).toMatchObject({ exitCode: 0, record: { type, amount } });
});

test.each([
  ['yen with decimals', 'unit: major, minor_digits: 0', '1,5', 'max_decimal_places'],
  ['pence with decimals', 'unit: minor', '1,5', 'max_decimal_places'],
])('an amount of %s is refused', async (_, keys, cell, code) => {
  const map = RECIPE.replace(/ {2}type:[^]*(?=filter)/, '').replace(
    'fields:',
    `fields:\n  type: { constant: CHARGE }\n  amount: { column: Soll, ${keys} }`,
  );
  const csv = `Konto;Beleg;Datum;Soll;Haben;Status\n1;T1;05.01.2026;${cell};;\n`;
  const cwd = folderWith({ 'x.csv': csv, 'x.csv.map.yaml': map });
  const { json } = await runCli(['check', 'transactions', 'x.csv', '--json'], fakeIo({ cwd }));
  const codes = (json()['problems'] as { code: string; severity: string }[]).filter(
    ({ severity }) => severity === 'error',
  );
  expect(codes.map((problem) => problem.code)).toEqual([code]);
});

test('the example of an object that an operator adds reads a file under that contract', async () => {
  const [example] = documentBlocks('docs/mapping-reference.md', 'yaml');
  const csv = 'Account,Bill,Net,Serial\n1001,B1,12.50,M-77\n';
  const cwd = folderWith({ 'x.csv': csv, 'x.csv.map.yaml': example!.text });
  const contract = join(projectRoot, 'fixtures/contracts/ostrelle/contract.json');
  const io = () => fakeIo({ cwd, env: { DATAIMPORT_CONTRACT: contract } });
  const argv = ['check', 'transactions', 'x.csv', '--line', '2', '--json'];
  const { exitCode, json } = await runCli(argv, io());
  expect({ exitCode, record: json()['record'] }).toMatchObject({
    exitCode: 0,
    record: { line_items: [{ params: { charge_target_type: 'REGISTER', register_serial_number: 'M-77' } }] },
  });
});

test('the recipe for a query reads its files, by the command that it names', async () => {
  const blocks = documentBlocks('docs/mapping-recipes.md', 'yaml');
  const cwd = folderWith({
    'bills.map.yaml': blocks.find(({ title }) => title === 'query')!.text,
    'register.csv':
      'doc,revision,account_id,gross,tax,day\nD1,1,a1,9.00,1.20,2026-01-05\nD1,2,a1,13.50,1.20,2026-01-05\nTOTAL,2\n',
    'accounts.jsonl': '{"id":"a1","number":"001"}\n',
  });
  const page = readFileSync(join(projectRoot, 'docs/mapping-recipes.md'), 'utf8');
  const command = /`dataimport (check transactions --map bills[^`]*)`/.exec(page)![1]!;
  const { exitCode, stdout } = await runCli(command.split(' '), fakeIo({ cwd }));
  expect({ exitCode, stdout }).toMatchObject({
    exitCode: 0,
    stdout: expect.stringContaining('2 rows read: 1 valid, 1 left out'),
  });
  expect(stdout).toContain('12.3');
});

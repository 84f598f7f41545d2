import { describe, expect, test } from 'vitest';
import { checkFiles } from '../support/checked-files.ts';
import { folderWith } from '../support/mapping-files.ts';
import { fakeIo, runCli } from '../support/cli-io.ts';

const MAP = `version: 1
resource: transactions
fields:
  external_account_number: { column: K, lookup: { file: accounts.csv, key: Old, value: New } }
  transaction_id: B
  transaction_date: { constant: '2026-01-05' }
  amount: A
  type: { constant: CHARGE }
ignore: all
`;
const ROWS = 'K,B,A\na,T1,5\nb,T2,6\nc,T3,7\nc,T4,7\nd,T5,7\n';

describe('texts that a lookup table does not have', () => {
  const accounts = 'Old,New\na,1\nb,2\n';

  test('are not told to be kept', async () => {
    const files = { 'x.csv': ROWS, 'x.csv.map.yaml': MAP, 'accounts.csv': accounts };
    const { stdout } = await runCli(
      ['check', 'transactions', 'x.csv', '--supplier', 'ACME'],
      fakeIo({ cwd: folderWith(files) }),
    );
    expect(stdout).toContain('help: lookup_missing');
    expect(stdout).not.toContain('keep');
  });
});

describe('a lookup table', () => {
  test('has its first conflict reported, with both lines', async () => {
    const files = { 'm.yaml': MAP, 'accounts.csv': 'Old,New\na,1\nb,2\nb,2\na,3\n' };
    const { stdout } = await runCli(['check', '--map', 'm.yaml'], fakeIo({ cwd: folderWith(files) }));
    expect(stdout).toContain('line 5: `Old` has the text of line 2, and another `New`');
  });
});

test('a column without a name stays behind only once a row has something in it', async () => {
  const files = (last: string) => ({
    'x.csv': `K,B,A,,\n1,T1,5,,\n1,T2,5,,${last}\n`,
    'x.csv.map.yaml': MAP.replace(/\{ column: K.*\}/, 'K').replace('ignore: all\n', ''),
  });
  expect((await checkFiles(files(''))).behind).toEqual([]);
  expect((await checkFiles(files('x'))).behind).toEqual(['column texts 1']);
});

test('a date that two formats read differently names only these', async () => {
  const map = MAP.replace(/\{ column: K.*\}/, 'K').replace(
    "{ constant: '2026-01-05' }",
    '{ column: D, format: [yyyy-MM-dd, dd/MM/yyyy, MM/dd/yyyy] }',
  );
  const { details } = await checkFiles({ 'x.csv': 'K,B,A,D\n1,T1,5,01/02/2026\n', 'x.csv.map.yaml': map });
  expect(details).toEqual([
    '2:4 error date_ambiguous: fits the formats `dd/MM/yyyy` or `MM/dd/yyyy`, which make different dates of it',
  ]);
});

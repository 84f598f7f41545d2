import { expect, test } from 'vitest';
import { checkFiles } from '../support/checked-files.ts';
import { fakeIo, runCli } from '../support/cli-io.ts';
import { folderWith } from '../support/mapping-files.ts';

const MAP = `version: 1
resource: transactions
source: { skip: until header }
fields:
  external_account_number: K
  transaction_id: B
  transaction_date: { constant: '2026-01-05' }
  amount: A
  type: { constant: CHARGE }
ignore: all
filter:
  - { column: S, in: [X] }
  - { column: A, is: zero }
`;
const CSV = 'Export\nK,B,A,S\n1,T1,5,X\n1,T2,6,"a\nb"\n\n1,T3,7,X\n1,T4,0,B\n1,T5,5,B\n';
const FILES = { 'x.csv': CSV, 'x.csv.map.yaml': MAP };

test('a check says how many rows each entry of the filter leaves out, and the counts add up', async () => {
  const { rows, document } = await checkFiles(FILES);
  expect(rows).toMatchObject({ read: 5, not_sent: 2, filtered: 3 });
  expect(document['left_out']).toEqual([
    { reason: 'filter', place: 'x.csv.map.yaml:12:5', count: 2 },
    { reason: 'filter', place: 'x.csv.map.yaml:13:5', count: 1 },
  ]);
  const { stdout } = await runCli(
    ['check', 'transactions', 'x.csv', '--supplier', 'ACME'],
    fakeIo({ cwd: folderWith(FILES) }),
  );
  expect(stdout).toContain(
    '  what stays behind                          has  count  sum\n' +
      '  rows by the filter at x.csv.map.yaml:12:5           2   12\n' +
      '  rows by the filter at x.csv.map.yaml:13:5           1    0\n',
  );
});

test('rows beyond --max-records have a cause of their own', async () => {
  const { document } = await checkFiles(FILES, ['--max-records', '3']);
  expect(document['left_out']).toEqual([
    { reason: 'filter', place: 'x.csv.map.yaml:12:5', count: 2 },
    { reason: 'filter', place: 'x.csv.map.yaml:13:5', count: 1 },
    { reason: 'window', place: null, count: 1 },
  ]);
});

test('rows of other shards have a cause of their own', async () => {
  const shards = await Promise.all(['1/2', '2/2'].map((shard) => checkFiles(FILES, ['--shard', shard])));
  const counts = shards.map(({ document }) =>
    (document['left_out'] as readonly { reason: string; count: number }[]).flatMap(({ reason, count }) =>
      reason === 'shard' ? count : [],
    ),
  );
  expect(counts.flat()).toEqual([2]);
});

import { expect, test } from 'vitest';
import { checkFiles } from '../support/checked-files.ts';

const FIELDS = `fields:
  external_account_number: K
  transaction_id: B
  transaction_date: D
  amount: A
  type: { constant: CHARGE }
ignore: all
`;
const mapping = (source: string): string =>
  `version: 1\nresource: transactions\nsource: { ${source} }\n${FIELDS}`;
const NAMED = 'header: false, columns: [K, B, D, A]';
const ROWS = '1,T1,2026-01-05,5\n1,T2,2026-01-06,6\n';
const check = (source: string, csv: string) =>
  checkFiles({ 'x.csv': csv, 'x.csv.map.yaml': mapping(source) });

test('a preamble that is one line shorter than the mapping says eats no booking', async () => {
  const { exitCode, problems } = await check(`${NAMED}, skip_lines: 2`, `Export\n${ROWS}`);
  expect({ exitCode, problems }).toEqual({ exitCode: 3, problems: ['2: error skipped_lines_wrong'] });
});

test('a booking whose record breaks a rule is not eaten either', async () => {
  const source = `${NAMED}, skip_lines: 1`;
  const csv = '1,T1,2027-12-31,5\n1,T2,2026-01-06,6\n';
  expect((await check(source, csv)).problems).toEqual(['1: error skipped_lines_wrong']);
});

test.each(['', 'Export\n', 'Export\n\n"x\n'])(
  'lines are passed over until the header: %j',
  async (preamble) => {
    const { exitCode, problems, rows } = await check(
      'skip: until header',
      `${preamble}K,B,X,D,A\n1,T1,x,2026-01-05,5\n`,
    );
    expect({ exitCode, problems, read: rows['read'] }).toEqual({ exitCode: 0, problems: [], read: 1 });
  },
);

test('rows before the header are not passed over', async () => {
  const csv = `Export\n${ROWS}K,B,D,A\n1,T3,2026-01-05,5\n`;
  expect((await check('skip: until header', csv)).problems).toEqual(['2: error skipped_lines_wrong']);
});

test('a header that lacks a column is found, and the column is reported', async () => {
  const { problems } = await check('skip: until header', 'Export\nK,B,D,Amount\n1,T1,2026-01-05,5\n');
  expect(problems).toEqual(['2: error mapped_column_missing']);
});

test('a row of a second file that is passed over is not lost in silence', async () => {
  const map =
    'version: 1\nresource: notes\nfields:\n  external_account_number: K\n  body: T\n  document_paths:\n' +
    '    join: { file: d.csv, source: { header: false, columns: [C, P], skip_lines: 1 }, key: { N: C }, item: { document_path: P } }\n';
  const read = async (joined: string) =>
    (
      await checkFiles({ 'x.csv': 'K,T,N\n1,a,7\n', 'x.csv.map.yaml': map, 'd.csv': joined }, [], {
        resource: 'notes',
      })
    ).problems;
  expect(await read('Export,\n7,p\n')).toEqual([]);
  expect(await read('7,o\n7,p\n')).toEqual(['d.csv:1: error skipped_lines_wrong']);
});

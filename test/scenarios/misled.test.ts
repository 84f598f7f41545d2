import { expect, test } from 'vitest';
import { checkFiles } from '../support/checked-files.ts';

const HEAD = 'external_account_number,transaction_id,transaction_date,type,amount,note';
const rows = (from: number, to: number, end: string): string =>
  Array.from({ length: to - from }, (_, at) => `1,T${from + at},2026-01-05,CHARGE,1.00${end}\n`).join('');
const MAP =
  'version: 1\nresource: transactions\nfields: { external_account_number: K, transaction_id: B, transaction_date: D, type: { constant: CHARGE }, amount: A }\n';
const mapped = (key: string, name: string): string =>
  MAP.replace(`${key}:`, `${key}: ${name} #`).replaceAll(/#[^,}]*/g, '');

test.each([
  [
    'blocks of a spreadsheet',
    `${HEAD}\n${rows(0, 16, ',x')}${rows(16, 32, '')}${rows(32, 40, ',x')}${rows(40, 41, ',')}`,
    16,
  ],
  ['a last block', `${HEAD}\n${rows(0, 15, ',x')}${rows(15, 18, '')}`, 3],
  ['a delimiter behind every row', `${HEAD}\n${rows(0, 3, ',x,')}`, 3],
  ['no end at all', `${HEAD}\n${rows(0, 3, ',')}`, 0],
])('rows with empty ends are read and counted once: %s', async (_, text, count) => {
  const { details, rows: read } = await checkFiles({ 'x.csv': text });
  expect(read['invalid']).toBe(0);
  expect(details.map((each) => each.replace(/^.*?: .*: /, ''))).toEqual(count === 0 ? [] : [`${count}`]);
});

test.each([
  [
    'a single short row',
    `${HEAD}\n${rows(0, 16, ',x')}${rows(16, 17, '')}${rows(17, 20, ',x')}`,
    'row_too_short',
    1,
  ],
  ['a single short row at the end', `${HEAD}\n${rows(0, 15, ',x')}${rows(15, 16, '')}`, 'row_too_short', 1],
  [
    'a part of a block',
    `${HEAD}\n${rows(0, 15, ',x')}${rows(15, 30, '')}${rows(30, 33, ',x')}`,
    'row_too_short',
    15,
  ],
  ['every row', `${HEAD}\n${rows(0, 40, '')}`, 'row_too_short', 40],
  ['a comma in a text of one row', `${HEAD}\n${rows(0, 1, 'x, y,')}${rows(1, 3, ',x')}`, 'row_too_short', 2],
  [
    'a comma in every amount',
    `${HEAD}\n${rows(0, 3, '').replaceAll('1.00', '1,00,')}`.replaceAll('1,00,', '1,00,,'),
    'row_too_long',
    3,
  ],
])('rows that lack or have one more for another reason are errors: %s', async (_, text, code, count) => {
  const { problems } = await checkFiles({ 'x.csv': text });
  expect(problems.filter((problem) => problem.endsWith(`error ${code}`))).toHaveLength(count);
});

test.each([
  ['F\u00E4llig', 'Fa\u0308llig', []],
  [
    'Note',
    'No\u00ADte',
    [
      'mapped_column_missing: the mapping names the column `Note`, which the file does not have; did you mean No\u00ADte (with U+00AD)?',
    ],
  ],
])('the column %s has the name %s in the file', async (name, written, expected) => {
  const files = {
    'x.csv': `K,B,${written},A\n1,T1,2026-01-05,1.00\n`,
    'x.csv.map.yaml': mapped('transaction_date', name),
  };
  const { details } = await checkFiles(files);
  expect(
    details.filter((each) => each.includes(' error ')).map((each) => each.replace(/^.* error /, '')),
  ).toEqual(expected);
});

test('a number with an exponent is read when the mapping says so, unless a spreadsheet has shortened it', async () => {
  const text =
    'K,B,D,A\n1,T1,2026-01-05,8.0E7\n1,T2,2026-01-05,1.25E2\n1,T3,2026-01-05,8.01E+07\n1,T4,2026-01-05,"1,25"\n';
  const plain = await checkFiles({ 'x.csv': text, 'x.csv.map.yaml': MAP });
  const named = plain.details.filter((each) => each.includes('it has an exponent, as Java and JSON write'));
  expect(named.map((each) => each.slice(0, 3))).toEqual(['2:4', '3:4']);
  const map = MAP.replace('amount: A', 'amount: { column: A, exponent: true }');
  const { problems, document } = await checkFiles({ 'x.csv': text, 'x.csv.map.yaml': map });
  expect(problems).toEqual(['4:4 error number_unreadable', '5:4 error number_unreadable']);
  expect(JSON.stringify(document)).toContain('80000125');
});

test('rows of a record that lie apart, and amounts that are off by a hundred, are named', async () => {
  const items =
    'line_items: { rows: { item: { start_date: D, end_date: D, number_of_units: N, net_amount: V } } }';
  const map = `${MAP.replace('CHARGE', 'SUPPLY_CHARGE').replace('amount: A', `amount: A, product_code: { constant: P }, ${items}`)}continuation: { key: [B] }\n`;
  const text =
    'K,B,D,A,N,V\n1,T1,2026-01-05,3.00,1,1.00\n1,T2,2026-01-05,2.00,1,2.00\n1,T1,2026-01-05,3.00,1,2.00\n1,T3,2026-01-05,200,1,2.00\n';
  const { details } = await checkFiles({ 'x.csv': text, 'x.csv.map.yaml': map });
  expect(details.map((each) => each.replace(/^.*?: .*?(?=; it is|the row|$)/, ''))).toEqual([
    '',
    'the row continues the record of line 2, and other records are between them',
    '; it is 100 times that',
  ]);
});

test('a price in pence may be finer than a penny, and an amount may not', async () => {
  const item =
    '{ start_date: D, end_date: D, number_of_units: N, net_amount: V, price_per_unit: { column: P, unit: minor } }';
  const map = MAP.replace('CHARGE', 'SUPPLY_CHARGE').replace(
    'amount: A',
    `amount: A, product_code: { constant: X }, line_items: { items: [${item}] }`,
  );
  const files = { 'x.csv': 'K,B,D,A,N,V,P\n1,T1,2026-01-05,5.82,20,5.82,29.10\n', 'x.csv.map.yaml': map };
  expect((await checkFiles(files)).problems).toEqual([]);
  const pence = {
    ...files,
    'x.csv.map.yaml': map.replace('amount: A,', 'amount: { column: A, unit: minor },'),
  };
  expect((await checkFiles(pence)).problems).toContainEqual(expect.stringContaining('max_decimal_places'));
});

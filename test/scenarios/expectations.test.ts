import { describe, expect, test } from 'vitest';
import { checkFiles } from '../support/checked-files.ts';
import { problemsOf } from '../support/mapping-files.ts';

const MAP = `version: 1
resource: transactions
source: { delimiter: ';', decimal_mark: ',', thousands_mark: '.' }
fields:
  external_account_number: K
  transaction_id: B
  transaction_date: { column: D, format: dd.MM.yyyy }
  amount: A
  type: { constant: CHARGE }
ignore: [S, W, A2, D2]
filter: [{ column: S, in: [X] }]
`;
const CSV = [
  'K;B;D;A;S;W;A2;D2',
  '1;T1;05.01.2026;1.000,50;S;EUR;1000,5;05.01.2026',
  '1;T2;06.01.2026;7,00;H;EUR;7;06.01.2026',
  '1;T3;06.01.2026;9,00;X;CHF;1;',
  '2;T4;06.01.2026;-2,00;H;EUR;-2,00;06.01.2026',
  '',
].join('\n');
const check = async (expected: string, csv = CSV, argv: readonly string[] = []) => {
  const { exitCode, details, rows } = await checkFiles(
    { 'x.csv': csv, 'x.csv.map.yaml': `${MAP}expect:\n  - ${expected}\n` },
    argv,
  );
  return { exitCode, details, rows };
};

describe('cells are as the mapping expects them', () => {
  test.each([
    ['{ column: W, in: EUR }'],
    ['{ column: W, in: [EUR, USD] }'],
    ['{ column: W, not_in: [CHF] }'],
    ["{ column: W, not_in: [CHF, ''] }"],
    ["{ column: D2, in: ['', 05.01.2026, 06.01.2026] }"],
    ["{ column: K, matches: '^[12]$' }"],
    ['{ column: W, is: present }'],
    ['{ column: A2, equals_column: A }'],
    ['{ column: A2, equals_field: amount }'],
    ['{ column: D2, equals_field: transaction_date }'],
    ['{ column: B, unique: true }'],
    ['{ column: A, sum: 1005.50 }'],
    ['{ column: A, sum: 5, when: { column: S, in: [H] } }'],
    ['{ column: S, in: [H], when: { column: A, is: negative } }'],
  ])('%s', async (expected) => {
    expect(await check(expected)).toMatchObject({ exitCode: 0, details: [], rows: { filtered: 1 } });
  });
});

describe('a cell that is not as expected is an error at its place', () => {
  test.each([
    ['{ column: W, in: EUR }', '3:6', '`EUR`'],
    ['{ column: W, in: [EUR, USD] }', '3:6', 'one of `EUR`, `USD`'],
    ['{ column: W, not_in: [CHF] }', '3:6', 'none of `CHF`'],
    ["{ column: W, matches: '^E' }", '3:6', 'a text like ^E'],
    ['{ column: A2, is: negative, when: { column: B, in: [T2, T4] } }', '3:7', 'negative'],
    ['{ column: A2, equals_column: A }', '3:7', 'the value of the column `A`'],
    ['{ column: A2, equals_field: amount }', '3:7', 'the value of the field `amount`'],
    ['{ column: W, unique: true, when: { column: S, in: [H] } }', '', ''],
    ['{ column: S, unique: true }', '5:5', 'a value that occurs once, and line 3 has it, too'],
  ])('%s', async (expected, cell, words) => {
    // A second currency in a column that nothing uses would be a warning beside the error.
    const csv = CSV.replace('H;EUR;7;', expected.includes('column: W') ? 'H;CHF;8;' : 'H;EUR;8;');
    const { exitCode, details, rows } = await check(expected, csv);
    if (cell === '') return expect(details).toEqual([]);
    expect(details).toEqual([
      `${cell} error expectation_missed: is not what the mapping expects: ${words} (x.csv.map.yaml:13:5)`,
    ]);
    expect({ exitCode, rows }).toMatchObject({ exitCode: 3, rows: { invalid: 1, filtered: 1 } });
  });

  test('two different texts of which neither is a number are not equal', async () => {
    const { details } = await check('{ column: S, equals_column: W }');
    expect(details).toEqual(
      ['2:5', '3:5', '5:5'].map(
        (cell) =>
          `${cell} error expectation_missed: is not what the mapping expects: the value of the column \`W\` (x.csv.map.yaml:13:5)`,
      ),
    );
  });

  test("the empty cell is named by ''", async () => {
    const csv = CSV.replace('EUR;7;06.01.2026', 'EUR;7;');
    expect((await check("{ column: D2, in: ['', 05.01.2026, 06.01.2026] }", csv)).exitCode).toBe(0);
    expect((await check("{ column: D2, not_in: [''] }", csv)).details).toEqual([
      '3:8 error expectation_missed: is not what the mapping expects: none of the empty cell (x.csv.map.yaml:13:5)',
    ]);
    expect((await check("{ column: W, in: [CHF, ''] }")).details[0]).toContain(
      'one of `CHF`, the empty cell',
    );
  });

  test('a currency that the source names is no part of a number', async () => {
    const map = MAP.replace("thousands_mark: '.'", "thousands_mark: '.', currency_signs: [€]");
    const csv = CSV.replaceAll(/;(-?[\d.]+,\d+);/g, ';$1 €;');
    const expected =
      'expect:\n  - { column: A2, equals_column: A }\n  - { column: A, sum: 1005.50 }\n  - { column: S, in: [H], when: { column: A, is: negative } }\n';
    expect((await checkFiles({ 'x.csv': csv, 'x.csv.map.yaml': `${map}${expected}` })).details).toEqual([]);
  });

  test('a column contains others of its row, in a text of several, too', async () => {
    const map = MAP.replace('ignore: [S', 'ignore: [P, S');
    const checked = async (contains: string, paths: readonly string[]) => {
      const csv = CSV.trimEnd()
        .split('\n')
        .map((line, at) => `${line};${['P', ...paths][at]!}`)
        .join('\n');
      const files = {
        'x.csv': `${csv}\n`,
        'x.csv.map.yaml': `${map}expect:\n  - { column: P, contains: '${contains}' }\n`,
      };
      return (await checkFiles(files)).details;
    };
    const paths = ['a/1-T1.pdf', 'a/1-T2.pdf', '', 'a/2-T4.pdf'];
    expect(await checked('{K}-{B}', paths)).toEqual([]);
    expect(await checked('{K}-{B}', paths.toSorted())).toHaveLength(2);
    expect(await checked('{D2}', paths)).toHaveLength(3);
    expect(await checked('/{K}', ['a/1', 'a/2', '', ''])).toEqual([
      '3:9 error expectation_missed: is not what the mapping expects: a text that contains `/{K}` (x.csv.map.yaml:13:5)',
      '5:9 error expectation_missed: is not what the mapping expects: a text that contains `/{K}` (x.csv.map.yaml:13:5)',
    ]);
  });

  test('a sum says both numbers, and how many rows the filter has left out', async () => {
    const { exitCode, details } = await check('{ column: A, sum: 1014.50 }');
    expect(exitCode).toBe(3);
    expect(details).toEqual([
      'x.csv.map.yaml:13:5 error expected_sum_differs: the sum of `A` is expected to be 1014.50, and is 1005.50 in the rows; the filter has left out 1',
    ]);
  });

  test('the column need not be ignored, and has to exist', async () => {
    const files = (column: string) => ({
      'x.csv': CSV,
      'x.csv.map.yaml': `${MAP.replace(', W', '')}expect:\n  - { column: ${column}, in: EUR }\n`,
    });
    expect((await checkFiles(files('W'))).problems).toEqual([]);
    expect((await checkFiles(files('Währung'))).problems).toContain('1: error mapped_column_missing');
  });

  test('each row of a record is looked at', async () => {
    const map = `${MAP.replace('amount: A', 'amount: { column: A, sum: true }')}continuation: { key: [B] }\n`;
    const files = {
      'x.csv': 'K;B;D;A;S;W;A2;D2\n1;T1;05.01.2026;1;;EUR;;\n;T1;;2;;CHF;;\n',
      'x.csv.map.yaml': `${map.replace(/filter.*\n/, '')}expect:\n  - { column: W, in: EUR }\n`,
    };
    expect((await checkFiles(files)).problems).toEqual(['3:6 error expectation_missed']);
  });
});

test.each([
  ['{ column: W }', '13:5 mapping_needs expect.0'],
  ['{ column: W, sum: 1,5 }', '13:5 mapping_value_invalid'],
  ['{ column: W, contains: x }', '13:28 mapping_value_invalid'],
  ['{ column: W, equals_field: amuont }', '13:32 mapping_value_invalid expect.0.equals_field'],
])('%s is refused with its place', async (expected, problem) => {
  const [first] = await problemsOf({ 'm.yaml': `${MAP}expect:\n  - ${expected}\n` });
  expect(first).toMatch(new RegExp(problem.replace(/^13:5 mapping_value_invalid$/, '^13:\\d+ mapping_')));
});

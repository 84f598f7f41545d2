import { describe, expect, test } from 'vitest';
import { SeenTexts } from '../../../../src/cli/mapping/compile/expectations.ts';
import { mapped } from '../../../support/mapping-files.ts';

const ROWS = ['1;T1;05.01.2026;1.000,50;S;1000,5;05.01.2026', '1;T2;06.01.2026;7,00;H;7;06.01.2026'];

/** The cells that are not as expected, each with what was expected; and the sums that differ. */
async function missed(expected: string, rows: readonly string[] = ROWS, { amount = 'A', rest = '' } = {}) {
  const { candidates, plan } = await mapped(
    {
      'm.yaml': `version: 1
resource: transactions
source: { delimiter: ';', decimal_mark: ',', thousands_mark: '.' }
fields:
  external_account_number: K
  transaction_id: B
  transaction_date: { column: D, format: dd.MM.yyyy }
  amount: ${amount}
  type: { constant: CHARGE }
ignore: all
expect:
  - ${expected}
${rest}`,
      'x.csv': `K;B;D;A;S;A2;D2\n${rows.join('\n')}\n`,
    },
    'ACME',
  );
  const cells = candidates.flatMap(({ problems }) =>
    problems
      .filter(({ problem: { code } }) => code === 'expectation_missed')
      .map(({ problem: { path, facts }, cell }) => {
        expect([path, facts['place']]).toEqual([[], 'm.yaml:12:5']);
        return `${cell!.line ?? ''}:${cell!.column} ${String(facts['expected'])}`;
      }),
  );
  const sums = [...plan.leftOver()].flatMap(({ problem: { code, path, facts }, cell }) =>
    code === 'expected_sum_differs' || code === 'trailer_sum_unreadable'
      ? [{ code, at: `${cell!.file}:${cell!.line}:${cell!.column} ${cell!.header}`, path, ...facts }]
      : [],
  );
  return { cells, sums };
}

const cellsOf = async (...args: Parameters<typeof missed>) => (await missed(...args)).cells;
const row = (cells: Readonly<Record<number, string>>) =>
  ROWS[0]!
    .split(';')
    .map((cell, at) => cells[at] ?? cell)
    .join(';');

describe('a cell', () => {
  test.each([
    ['{ column: S, in: S }', ['1:5 `S`']],
    ["{ column: S, in: '' }", ['0:5 the empty cell', '1:5 the empty cell']],
    ['{ column: S, in: [X, S] }', ['1:5 one of `X`, `S`']],
    ["{ column: S, in: ['', S] }", ['1:5 one of the empty cell, `S`']],
    ['{ column: S, not_in: [H, X] }', ['1:5 none of `H`, `X`']],
    ['{ column: S, is: empty }', ['0:5 empty', '1:5 empty']],
    ['{ column: A2, is: negative }', ['0:6 negative', '1:6 negative']],
    ["{ column: S, matches: '^[A-M]$' }", ['0:5 a text like ^[A-M]$']],
    ['{ column: S, in: S, when: { column: B, in: [T1] } }', []],
    ['{ column: S, in: S, when: { column: B, in: [T2] } }', ['1:5 `S`']],
    ['{ column: K, unique: true }', ['1:1 a value that occurs once, and line 2 has it, too']],
    ['{ column: B, unique: true }', []],
    ['{ column: A2, equals_column: A }', []],
    ['{ column: D2, equals_column: D }', []],
    [
      '{ column: S, equals_column: B }',
      ['0:5 the value of the column `B`', '1:5 the value of the column `B`'],
    ],
    ['{ column: A2, equals_field: amount }', []],
    ['{ column: D2, equals_field: transaction_date }', []],
    ['{ column: B, equals_field: transaction_id }', []],
    [
      '{ column: D2, equals_field: transaction_id }',
      ['0:7 the value of the field `transaction_id`', '1:7 the value of the field `transaction_id`'],
    ],
    ["{ column: B, contains: 'T{K}' }", ['1:2 a text that contains `T{K}`']],
  ])('is as %s expects, or is named: %j', async (expected, found) => {
    expect(await cellsOf(expected)).toEqual(found.map((each) => each.replace(/^[01](?=:)/, '')));
  });

  test.each([
    ['1.000,50', '1000,5', true],
    ['7', '7,00', true],
    ['7', '8', false],
    ['x', 'x', true],
    ['x', '7', false],
    ['7', 'x', false],
    ['', '', true],
    ['', '7', false],
    ['7', '', false],
    ['05.01', '05.01', true],
  ])('%j equals the column with %j: %s', async (own, other, isSame) => {
    const found = await cellsOf('{ column: A2, equals_column: S }', [row({ 5: own, 4: other })]);
    expect(found).toEqual(isSame ? [] : [':6 the value of the column `S`']);
  });

  test('equals a field as the column would be read by it, and is reported once where it cannot be read', async () => {
    const minor = { amount: '{ column: A, unit: minor, negate: true, replace: [{ pattern: x, with: "" }] }' };
    // The unit is how values are written; the sign and the replacements change them.
    expect(
      await cellsOf('{ column: A2, equals_field: amount }', [row({ 3: '700', 5: '700' })], minor),
    ).toEqual([':6 the value of the field `amount`']);
    expect(
      await cellsOf('{ column: A2, equals_field: amount }', [row({ 3: '700', 5: '-700' })], minor),
    ).toEqual([]);
    expect(await cellsOf('{ column: A2, equals_field: amount }', [row({ 5: 'x' })])).toEqual([]);
    expect(await cellsOf('{ column: A2, equals_field: amount }', [row({ 5: '' })])).toEqual([
      ':6 the value of the field `amount`',
    ]);
  });

  test('need not contain a text with an empty column', async () => {
    const contains = "{ column: B, contains: '{S}{K}' }";
    expect(
      await cellsOf(contains, [row({ 1: 'xS1y' }), row({ 1: 'T', 4: '' }), row({ 1: '' }), row({ 1: 'S' })]),
    ).toEqual([':2 a text that contains `{S}{K}`', ':2 a text that contains `{S}{K}`']);
  });

  test('that is empty is no value that occurs twice', async () => {
    expect(await cellsOf('{ column: S, unique: true }', [row({ 4: '' }), row({ 4: '' })])).toEqual([]);
  });

  test('of each row of a record is looked at, at its own line', async () => {
    const options = { amount: '{ column: A, sum: true }', rest: 'continuation: { key: [B] }\n' };
    expect(await cellsOf('{ column: S, in: S }', [row({}), row({ 4: 'H' })], options)).toEqual(['3:5 `S`']);
    expect(await cellsOf('{ column: K, unique: true }', [row({}), row({})], options)).toEqual([
      '3:1 a value that occurs once, and line 2 has it, too',
    ]);
  });
});

describe('a sum', () => {
  const differs = (stated: string, found: string, filtered = 0) => [
    { code: 'expected_sum_differs', at: 'm.yaml:12:5 A', path: [], column: 'A', stated, found, filtered },
  ];
  const OUT = { rest: 'filter: [{ column: B, in: [T2] }]\n' };

  test.each([
    ['1007.50', '', {}, []],
    ['1007.5', '', {}, []],
    ['1007', '', {}, differs('1007', '1007.50')],
    ['7', ', when: { column: S, in: [H] }', {}, []],
    ['1007.50', '', OUT, differs('1007.50', '1000.50', 1)],
    ['1000.50', '', OUT, []],
  ])('of %s%s %j', async (sum, when, options, expected) => {
    expect((await missed(`{ column: A, sum: ${sum}${when} }`, ROWS, options)).sums).toEqual(expected);
  });

  test('has no empty cells, and proves nothing where a cell is no number', async () => {
    expect((await missed('{ column: A2, sum: 7 }', [row({ 5: '' }), ROWS[1]!])).sums).toEqual([]);
    expect(
      (await missed('{ column: A2, sum: 7 }', [ROWS[1]!, row({ 5: 'x' }), row({ 5: 'y' })])).sums,
    ).toEqual([
      {
        code: 'trailer_sum_unreadable',
        at: 'm.yaml:12:5 A2',
        path: [],
        column: 'A2',
        count: 2,
        first_line: 3,
      },
    ]);
  });
});

test('five thousand texts are known with their lines', () => {
  const seen = new SeenTexts();
  const lines = Array.from({ length: 5_000 }, (_, at) => at + 2);
  expect(lines.filter((line) => seen.see(`text ${line}`, line) !== undefined)).toEqual([]);
  expect(lines.filter((line) => seen.see(`text ${line}`, 99_999) !== line)).toEqual([]);
});

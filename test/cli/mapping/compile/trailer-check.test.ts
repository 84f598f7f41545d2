import { describe, expect, test } from 'vitest';
import { openSourceFile } from '../../../../src/cli/csv/source-file.ts';
import { planByMapping } from '../../../../src/cli/mapping/compile/plan-by-mapping.ts';
import { needMapping } from '../../../../src/cli/mapping/file/load-mapping.ts';
import { attrOfPath } from '../../../../src/core/problem.ts';
import { folderWith } from '../../../support/mapping-files.ts';

const NAMES = ['K', 'B', 'A', 'S'];

/** A mapping whose source has these control records. A row that begins with `*` is the first of them. */
async function planWith(totals: string, { amount = 'A', filter = '' } = {}) {
  const text = `version: 1
resource: transactions
source: { delimiter: ';', decimal_mark: ',', thousands_mark: '.', ${totals} }
fields:
  external_account_number: K
  transaction_id: B
  transaction_date: { constant: '2026-01-05' }
  amount: ${amount}
  type: { constant: CHARGE }
ignore: all
${filter === '' ? '' : `filter: [${filter}]\n`}`;
  const folder = folderWith({ 'm.yaml': text });
  const mapping = await needMapping('m.yaml', (name) => openSourceFile(name, folder));
  return planByMapping(mapping, NAMES, { supplier: 'ACME', joins: new Map() }).plan;
}

/** The problems of the control records. */
async function problemsOf(
  totals: string,
  lines: readonly string[],
  options: { amount?: string; filter?: string } = {},
) {
  const { trailer, filteredBy } = await planWith(totals, options);
  const found = lines.flatMap((line, at) => {
    const row = { firstLine: at + 2, lastLine: at + 2, byteStart: 0, byteEnd: 0, cells: line.split(';') };
    if (line.startsWith('*')) return trailer!.verdict(0, row);
    trailer!.see(row, filteredBy(row) !== undefined);
    return [];
  });
  return found.map(({ problem: { code, path, severity, facts }, cell }) => ({
    at: `${cell!.file ?? ''}${cell!.line}:${cell!.column ?? ''}${cell!.header ?? ''}${attrOfPath(path)}`,
    code: severity === 'error' ? code : severity,
    ...facts,
  }));
}

const TRAILER = (rest: string): string => `trailer: { cell: 1, equals: '*', ${rest} }`;
const ROWS = ['1;T1;1.000,10;S', '1;T2;-0,10;H', '2;T3;5;S'];
const FILTER = '{ column: B, in: [T3] }';

test('a mapping without totals checks none', async () => {
  expect((await planWith('trim: true')).trailer).toBeNull();
});

test.each([
  [TRAILER('count: 2'), 1],
  [`trailer: [{ cell: 1, equals: '*', count: 2 }, { cell: 1, equals: '**', count: 2 }]`, 2],
])('%s has %s control records', async (totals, expected) => {
  expect((await planWith(totals)).trailer!.trailers).toBe(expected);
});

const UNREADABLE = 'the control record has no readable number here';

describe('the number of rows', () => {
  const differs = (stated: string, found: number, rest: object = {}) => [
    { at: '5:2', code: 'trailer_count_differs', stated, found, left_out: '', ...rest },
  ];
  const LEFT = { left_out: '; the filter leaves out 1' };

  test.each([
    ['3', '', {}, []],
    ['003', '', {}, []],
    [' 3 ', '', {}, []],
    ['3,00', '', {}, []],
    ['2', '', {}, differs('2', 3)],
    ['3,5', '', {}, differs('3.5', 3)],
    ['30', '', {}, differs('30', 3)],
    // The rows that the filter leaves out are counted, too.
    ['3', '', { filter: FILTER }, []],
    ['2', '', { filter: FILTER }, differs('2', 3, LEFT)],
    ['Zeilen: 3.', '', {}, []],
    ['1.003 rows selected', '', {}, differs('1003', 3)],
    ['rows of batch 7: 3', '', {}, [{ at: '5:2', code: 'trailer_unreadable', reason: UNREADABLE }]],
    ['', '', {}, [{ at: '5:2', code: 'trailer_unreadable', reason: UNREADABLE }]],
    ['x', '', {}, [{ at: '5:2', code: 'trailer_unreadable', reason: UNREADABLE }]],
  ])('%j with count: 2%s %j', async (stated, rest, options, expected) => {
    expect(await problemsOf(TRAILER(`count: 2${rest}`), [...ROWS, `*;${stated}`], options)).toEqual(expected);
  });
});

describe('the sum of a column', () => {
  const differs = (stated: string, found: string, rest: object = {}) => [
    { at: '5:3', code: 'trailer_sum_differs', column: 'A', stated, found, sign: '', left_out: '', ...rest },
  ];
  const SIGN = {
    sign: '; only the sign differs: `negative` or `negative_suffixes` of the sum says how it is written',
  };

  test.each([
    ['1.005,00', '', {}, []],
    ['1005', '', {}, []],
    ['1.005,01', '', {}, differs('1005.01', '1005.00')],
    ['-1.005,00', '', {}, differs('-1005.00', '1005.00', SIGN)],
    [
      '1.000,00',
      '',
      { filter: FILTER },
      differs('1000.00', '1005.00', { left_out: '; the filter leaves out 1' }),
    ],
    ['1,005.00', ", decimal_mark: '.', thousands_mark: ','", {}, []],
    ['1.005,00-', ', negative: [trailing]', {}, differs('-1005.00', '1005.00', SIGN)],
    // The unit of the cell and that of the column.
    ['100500', ', unit: minor', {}, []],
    ['1005000', ', unit: minor, minor_digits: 3', {}, []],
    ['100501', ', unit: minor', {}, differs('1005.01', '1005.00')],
    ['1.005,00', ', unit: major', {}, []],
    ['1.005,00', '', { amount: '{ column: A, unit: minor }' }, []],
    ['1.005,00', ', unit: minor', { amount: '{ column: A, unit: minor }' }, []],
    ['10,05', ', unit: major', { amount: '{ column: A, unit: minor }' }, []],
    ['10,06', ', unit: major', { amount: '{ column: A, unit: minor }' }, differs('10.06', '10.0500')],
    ['x', '', {}, [{ at: '5:3', code: 'trailer_unreadable', reason: UNREADABLE }]],
  ])('%j with a sum%s %j', async (stated, rest, options, expected) => {
    const totals = TRAILER(`sums: [{ cell: 3, column: A${rest} }]`);
    expect(await problemsOf(totals, [...ROWS, `*;;${stated}`], options)).toEqual(expected);
  });

  test('reads the cells as the field does that has the column', async () => {
    const totals = TRAILER('sums: [{ cell: 3, column: A }, { cell: 4, column: S }]');
    const lines = ['1;T1;R$ 5;1', '1;T2;-;2', '1;T3;NULL;', '1;T4;6,5;3', '*;;11,5;6'];
    const steps = "replace: [{ pattern: '^R\\$ |^-$', with: '' }], null_tokens: ['', NULL]";
    expect(await problemsOf(totals, lines, { amount: `{ column: A, ${steps} }` })).toEqual([]);
    expect(await problemsOf(totals, lines, { amount: `{ debit: A, credit: S, ${steps} }` })).toEqual([]);
    expect(await problemsOf(totals, lines)).toEqual([
      {
        at: '6:3',
        code: 'trailer_unreadable',
        reason: 'the sum of `A` is not known: cells of it that are no numbers: 3, the first on line 2',
      },
    ]);
  });
});

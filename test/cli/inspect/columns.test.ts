import { describe, expect, test } from 'vitest';
import { inspectedColumn } from '../../support/inspected.ts';

describe('numbers', () => {
  test.each([
    ['with a decimal comma', ['1,50', '2,25'], ',', undefined],
    ['[C083] with a comma and points', ['1.234,56', '2,25', '1.234.567,00'], ',', '.'],
    ['[C084] with a point and commas', ['1,234.56', '2.25'], '.', ','],
    ['[C097] with no-break spaces', ['5\u00A0000,00', '1,00'], ',', 'space'],
    ['of India', ['1,95,552.20', '50,617.58', '2.25'], '.', 'indian'],
    ['of Switzerland', ["1'234.50", '2.25'], '.', "'"],
  ])('%s: the marks are those that read all numbers', async (_, cells, mark, thousands) => {
    const { numbers, kinds } = await inspectedColumn(...cells);
    expect(kinds).toEqual([{ kind: 'decimal', count: cells.length }]);
    expect(numbers!.marks[0]).toEqual({
      marks: { decimal_mark: mark, thousands_mark: thousands },
      fits: cells.length,
    });
    expect(numbers!.deciding).toBe(cells.length);
  });

  test('with a plus get the replacement that takes it away', async () => {
    const replace = async (...cells: readonly string[]) => (await inspectedColumn(...cells)).numbers!.replace;
    expect(await replace('+1,50', '-2,25')).toEqual([{ pattern: String.raw`^\+`, with: '' }]);
    expect(await replace('\u22121,50', '- 2,25', '2,25 \u2013')).toEqual([]);
  });

  test('both decimal marks in one column: the mark that most numbers have is reported', async () => {
    const { numbers } = await inspectedColumn('1,50', '2,25', '3,75', '4.50');
    expect(numbers!.marks).toEqual([{ marks: { decimal_mark: ',' }, fits: 3 }]);
  });

  test.each([
    ['leading', '-5.00'],
    ['[C095] trailing', '5.00-', 'trailing'],
    ['[C085] parentheses', '(12.00)', 'parentheses'],
    ['[C093] plus', '+5.00', 'plus'],
    ['[C096] leading, with the minus sign', '\u22125.00', 'leading'],
    ['suffix', '5.00 CR', 'suffix'],
  ])('carry their sign: %s', async (name, cell, sign = name) => {
    const { numbers } = await inspectedColumn(cell, '1.00');
    expect(numbers!.signs).toEqual([{ name: sign, count: 1, lines: [2] }]);
    expect(numbers!.count).toBe(2);
  });

  test.each(['1.2.3', '(5.00', '5.00)', '-5.00-', '12,34,56', '0x10', '1_000', '1 2', 'CR'])(
    'are not %j',
    async (cell) => {
      const { kinds } = await inspectedColumn(cell, cell);
      expect(kinds.map(({ kind }) => kind)).toEqual(['text']);
    },
  );
});

describe('dates', () => {
  test.each([
    ['2024-12-31', 'yyyy-MM-dd', 'date'],
    ['31.12.2024', 'dd.MM.yyyy', 'date'],
    ['31/12/2024', 'dd/MM/yyyy', 'date'],
    ['12/31/2024', 'MM/dd/yyyy', 'date'],
    ['5.1.2024', 'd.M.yyyy', 'date'],
    ['31-Dec-2024', 'dd-MMM-yyyy', 'date'],
    ['2024/12/31', 'yyyy/MM/dd', 'date'],
    ['2024年12月31日', "yyyy'年'MM'月'dd'日'", 'date'],
    ['31.12.24', 'dd.MM.yy', 'date'],
    ['31.12.2024 23:59', 'dd.MM.yyyy HH:mm', 'datetime'],
    ['2024-12-31T23:59:59+01:00', 'iso', 'datetime'],
    ['12/31/2024, 9:05\u202FPM', 'MM/dd/yyyy, h:mm a', 'datetime'],
  ])('%s is read by %s', async (cell, format, kind) => {
    const { dates, kinds } = await inspectedColumn(cell, cell, cell);
    expect(dates!.formats[0]).toMatchObject({ format, fits: 3, firstException: undefined });
    expect(kinds).toEqual([{ kind, count: 3 }]);
  });

  test('[C111] days of 12 or less do not decide the order', async () => {
    const { dates } = await inspectedColumn('01/02/2024', '03/04/2024', '05/06/2024');
    expect(dates!.decidingOrder).toBe(0);
    const complete = dates!.formats.filter(({ fits }) => fits === 3).map(({ order }) => order);
    expect(new Set(complete)).toEqual(new Set(['day_first', 'month_first']));
  });

  test('[C112] days above 12 decide the order, and are counted', async () => {
    const { dates } = await inspectedColumn('01/02/2024', '13/04/2024', '25/06/2024');
    expect(dates!.decidingOrder).toBe(2);
    expect(dates!.formats[0]).toMatchObject({ format: 'dd/MM/yyyy', fits: 3 });
  });
});

test.each([
  ['[C066] exponents', '1.23457E+12', 'lost'],
  ['####', '########', 'lost'],
  ['[C070] error values', '#REF!', 'lost'],
  ['formulas with text', '="00123"', 'formula'],
])('spreadsheet damage: %s', async (_, cell, kind) => {
  const { damage, kinds } = await inspectedColumn('1', cell);
  expect(damage).toEqual([{ name: kind, count: 1, lines: [3] }]);
  expect(kinds).toContainEqual({ kind: 'damaged', count: 1 });
});

test('words for nothing are counted apart and are no values', async () => {
  const { nullTokens, numbers } = await inspectedColumn('1.50', 'NULL', 'N/A', '-', 'NULL');
  expect(nullTokens).toMatchObject([
    { name: 'NULL', count: 2 },
    { name: 'N/A', count: 1 },
    { name: '-', count: 1 },
  ]);
  expect(numbers!.count).toBe(1);
});

test.each(['12,50 zł', 'R$ 12,50', '12,50 Kč', '-5 000,00 PLN', 'SEK 3,50', '3,50 kr.'])(
  'an amount with its currency is a number: %s',
  async (cell) => {
    const { numbers } = await inspectedColumn(cell, cell);
    expect(numbers).toMatchObject({ count: 2, currencies: [{ count: 2 }] });
  },
);

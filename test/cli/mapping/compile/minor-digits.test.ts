import { describe, expect, test } from 'vitest';
import { mapped } from '../../../support/mapping-files.ts';

/** The warnings about digits after 20 statements, whose amounts and currencies are those that are given, then the last ones. */
async function warningsOf(
  gross: string,
  amounts: readonly string[],
  currencies: readonly string[] = [''],
  header = 'Ccy',
) {
  const rows = Array.from(
    { length: 20 },
    (_, at) =>
      `1;S${at};2026-01-01;${amounts[Math.min(at, amounts.length - 1)]};${currencies[Math.min(at, currencies.length - 1)]}\n`,
  );
  const { plan } = await mapped(
    {
      'm.yaml': `version: 1
resource: statements
source: { delimiter: ';', decimal_mark: ',' }
fields:
  external_account_number: K
  statement_id: S
  bill_period_from_date: D
  bill_period_to_date: D
  gross_amount: ${gross}
ignore: all
`,
      'x.csv': `K;S;D;A;${header}\n${rows.join('')}`,
    },
    'ACME',
  );
  return [...plan.leftOver()].flatMap(({ problem: { code, severity, path, facts }, cell }) => {
    if (!code.startsWith('minor_digits')) return [];
    expect([severity, path]).toEqual(['warning', []]);
    return [
      { at: `${cell!.file ?? ''}:${cell!.line}:${cell!.column} ${cell!.header ?? ''}`, code, ...facts },
    ];
  });
}

describe('digits that no amount uses', () => {
  const unused = (digits: number, most: number, column = 57) => [
    { at: `m.yaml:9:${column} `, code: 'minor_digits_unused', digits, column: 'A', most },
  ];

  test.each([
    ['{ column: A, unit: major, minor_digits: 3 }', ['1,23'], unused(3, 2)],
    ['{ column: A, unit: major, minor_digits: 3 }', ['1,234'], []],
    ['{ column: A, unit: major }', ['1,5'], unused(2, 1, 36)],
    ['{ column: A, unit: major }', ['1,23'], []],
    ['{ column: A, unit: major, minor_digits: 3 }', ['123'], []],
    ['{ column: A, unit: minor }', ['123'], []],
    ['A', ['123'], []],
  ])('%s with %j: %j', async (gross, amounts, expected) => {
    expect(await warningsOf(gross, amounts)).toEqual(expected);
  });
});

describe('digits that the currency of the rows does not have', () => {
  const wrong = (
    currency: string,
    digits: number,
    right: number,
    count: number,
    line = 2,
    header = 'Ccy',
  ) => [{ at: `:${line}:5 ${header}`, code: 'minor_digits_of_currency', digits, currency, right, count }];
  const THREE = '{ column: A, unit: major, minor_digits: 3 }';

  test.each([
    ['{ column: A, unit: major }', ['JPY'], wrong('JPY', 2, 0, 20)],
    ['{ column: A, unit: major, minor_digits: 0 }', ['JPY'], []],
    [THREE, ['KWD'], []],
    [THREE, ['KWD', 'KWD', ' EUR ', 'KWD'], wrong('EUR', 3, 2, 1, 4)],
    [THREE, ['', '', 'EUR'], wrong('EUR', 3, 2, 18, 4)],
    ['{ column: A, unit: major }', ['EUR'], []],
    // Something else, or a sign that several currencies have.
    ['{ column: A, unit: major }', ['JPY', 'x', 'JPY'], []],
    [THREE, ['$'], []],
    // The amounts are not changed.
    ['{ column: A, unit: minor }', ['JPY'], []],
    ['A', ['JPY'], []],
  ])('%s with %j: %j', async (gross, currencies, expected) => {
    expect(await warningsOf(gross, ['1,234'], currencies)).toEqual(expected);
  });

  test('are not known, where alternatives have other digits', async () => {
    const two =
      '[{ column: A, unit: major, minor_digits: 0, when: { column: Ccy, in: [JPY] } }, { column: A, unit: major }]';
    expect(await warningsOf(two, ['1'], ['JPY'])).toEqual([]);
    const same = '[{ column: A, unit: major, when: { column: Ccy, in: [JPY] } }, { column: A, unit: major }]';
    expect(await warningsOf(same, ['1'], ['JPY'])).toEqual(wrong('JPY', 2, 0, 20));
  });

  test('are codes in capital letters, where the header does not name a currency', async () => {
    const gross = '{ column: A, unit: major }';
    expect(await warningsOf(gross, ['1'], ['jpy'])).toEqual(wrong('JPY', 2, 0, 20));
    expect(await warningsOf(gross, ['1'], ['jpy'], 'Code')).toEqual([]);
    expect(await warningsOf(gross, ['1'], ['JPY'], 'Code')).toEqual(wrong('JPY', 2, 0, 20, 2, 'Code'));
  });
});

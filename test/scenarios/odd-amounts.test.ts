import { describe, expect, test } from 'vitest';
import { checkFiles } from '../support/checked-files.ts';

const HEADER = 'external_account_number,transaction_id,transaction_date,type,amount';

/** 60 amounts: those that are given, then amounts with two decimals. */
const rowsWith = (amounts: readonly string[], other = (at: number) => `${at + 10}.${(at % 9) + 1}0`) =>
  Array.from({ length: 60 }, (_, at) => amounts[at] ?? other(at));

async function byHeader(amounts: readonly string[]) {
  const rows = amounts.map((amount, at) => `1,T${at},2026-01-05,CHARGE,${amount}`);
  return (await checkFiles({ 'x.csv': `${HEADER}\n${rows.join('\n')}\n` })).details;
}

const mapped = (amount: string, source = '', rest = 'ignore: all\n') => `version: 1
resource: transactions
source: { delimiter: ';', decimal_mark: ','${source} }
fields:
  external_account_number: K
  transaction_id: B
  transaction_date: D
  amount: ${amount}
  type: { constant: CHARGE }
${rest}`;

async function byMapping(amounts: readonly string[], map: string, currency = 'EUR') {
  const rows = amounts.map((amount, at) => `1;T${at};2026-01-05;${amount};${currency}`);
  const files = { 'x.csv': `K;B;D;A;Ccy\n${rows.join('\n')}\n`, 'x.csv.map.yaml': map };
  return (await checkFiles(files)).details;
}

describe('amounts that are not written as nearly all others', () => {
  test('are a warning with their number and the first line', async () => {
    expect(await byHeader(rowsWith(['11.50', '129641', '1296.4']))).toEqual([
      '3:5 warning amount_decimals_lost: amounts with another number of decimals (0 and 1) than most others, which have 2 decimals: 2 of 60',
    ]);
  });

  test('are found in the cells of a mapped file, before any step', async () => {
    const amounts = rowsWith(['129641', '1 296,4'], (at) => `1 0${at + 10},${(at % 9) + 1}0`);
    expect(await byMapping(amounts, mapped('A', ', thousands_mark: space'))).toEqual([
      '2:4 warning amount_decimals_lost: amounts with another number of decimals (0 and 1) than most others, which have 2 decimals: 2 of 60',
    ]);
    const signed = rowsWith(['1296-'], (at) => `${at + 10},${(at % 9) + 1}0-`);
    expect(await byMapping(signed, mapped('A', ', negative: [trailing]'))).toContainEqual(
      expect.stringContaining('decimals (0) than most others, which have 2 decimals: 1 of 60'),
    );
  });

  test('are a warning where they have no decimals and most others have two, however many they are', async () => {
    expect(await byHeader(rowsWith(Array.from({ length: 18 }, () => '12')))).toEqual([
      '2:5 warning amount_decimals_lost: amounts with another number of decimals (0) than most others, which have 2 decimals: 18 of 60',
    ]);
  });

  test('are an error where they are ten times as large, and zeros are written', async () => {
    const lost = Array.from({ length: 18 }, (_, at) => `${at + 10}45`);
    expect(await byHeader(rowsWith([...lost, '11.00']))).toEqual([
      '2:5 error amount_decimals_lost: amounts without decimals that are ten times as large as the others on average, which have 2 decimals: 18 of 60',
    ]);
    // A program that drops `.00` writes large round amounts so.
    expect((await byHeader(rowsWith(['5000', '4000'])))[0]).toContain('warning amount_decimals_lost');
  });

  test('are none where zeros at the end are dropped', async () => {
    const dropped = (at: number) => `${at + 10}.2${(at % 9) + 1}`;
    expect(await byHeader(rowsWith(['12.5', '13'], dropped))).toEqual([]);
    // Whole amounts that are much larger have lost their mark.
    expect(await byHeader(rowsWith(['12.5', '1345'], dropped))).toEqual([
      '3:5 warning amount_decimals_lost: amounts with another number of decimals (0) than most others, which have 2 decimals: 1 of 60',
    ]);
  });

  test('are none where most amounts are whole, in a small file, or as a zero', async () => {
    expect(await byHeader(rowsWith(['12']).slice(0, 19))).toEqual([]);
    expect(await byHeader(rowsWith(['50.00', '12.50'], (at) => `${at + 1}`))).toEqual([]);
    const [zero, ...others] = await byHeader(rowsWith(['0']));
    expect(zero).toContain('warning zero_amount');
    expect(others).toEqual([]);
  });

  test('are none in units, rates and prices', async () => {
    const header = `${HEADER},line_items.0.net_amount,line_items.0.number_of_units,line_items.0.start_date,line_items.0.end_date,product_code`;
    const rows = rowsWith([]).map(
      (amount, at) =>
        `1,T${at},2026-01-05,SUPPLY_CHARGE,${amount},${amount},${at === 3 ? '12' : '12.50'},2026-01-01,2026-01-04,P`,
    );
    const { details } = await checkFiles({ 'x.csv': `${header}\n${rows.join('\n')}\n` });
    expect(details).toEqual([]);
  });
});

describe('amounts that are all whole', () => {
  const whole = rowsWith([], (at) => `${at * 7 + 1045}`);

  test('are a warning unless the mapping says their unit', async () => {
    expect(await byMapping(whole, mapped('A'))).toEqual([
      '2:4 warning gross_amounts_look_like_major_units: amounts that are whole, and the mapping does not say their unit: 60',
    ]);
    expect(await byMapping(whole, mapped('{ column: A, unit: minor }'))).toEqual([]);
    expect(await byMapping(whole, mapped('{ column: A, unit: major }'))).toEqual([]);
  });

  test('are none in a few rows, beside one amount with decimals, and in a file without a mapping', async () => {
    expect(await byMapping(whole.slice(0, 19), mapped('A'))).toEqual([]);
    expect(await byMapping([...whole, '12,50'], mapped('A'))).toEqual([]);
    expect(await byHeader(whole)).toEqual([]);
  });
});

describe('digits of the minor unit', () => {
  const statements = (amount: string) => `version: 1
resource: statements
source: { delimiter: ';', decimal_mark: ',' }
fields:
  external_account_number: K
  statement_id: B
  bill_period_from_date: D
  bill_period_to_date: D
  gross_amount: ${amount}
ignore: all
`;
  async function check(amounts: readonly string[], amount: string, currency: string | null = 'EUR') {
    const rows = amounts.map((each, at) => `1;S${at};2026-01-05;${each};${currency ?? ''}`);
    const files = { 'x.csv': `K;B;D;A;Ccy\n${rows.join('\n')}\n`, 'x.csv.map.yaml': statements(amount) };
    return (await checkFiles(files, [], { resource: 'statements' })).details;
  }
  const EURO = rowsWith([], (at) => `${at + 10},${(at % 9) + 1}3`);

  test('are a warning when a column says a currency with others', async () => {
    const warnings = await check(EURO, '{ column: A, unit: major, minor_digits: 3 }');
    expect(warnings).toContain(
      '2:5 warning gross_amounts_look_like_major_units: amounts that are changed with 3 digits of the minor unit, and EUR has 2: 60',
    );
    const yen = rowsWith([], (at) => `${at + 1234}`);
    expect(await check(yen, '{ column: A, unit: major }', 'JPY')).toContain(
      '2:5 warning gross_amounts_look_like_major_units: amounts that are changed with 2 digits of the minor unit, and JPY has 0: 60',
    );
  });

  test('are none when the currency has them, or nothing is known', async () => {
    expect(await check(EURO, '{ column: A, unit: major }')).toEqual([]);
    expect(await check(EURO, '{ column: A, unit: major }', 'R')).toEqual([]);
    const dinars = rowsWith([], (at) => `${at + 10},00${(at % 9) + 1}`);
    expect(await check(dinars, '{ column: A, unit: major, minor_digits: 3 }', 'KWD')).toEqual([]);
    const yen = rowsWith([], (at) => `${at + 1234}`);
    expect(await check(yen, '{ column: A, unit: major, minor_digits: 0 }', 'JPY')).toEqual([]);
    const ofDinars = '{ column: A, unit: major, minor_digits: 3, when: { column: Ccy, in: [KWD] } }';
    expect(await check(EURO, `[${ofDinars}, { column: A, unit: major }]`)).not.toContainEqual(
      expect.stringContaining('of the minor unit'),
    );
  });
});

test('an amount with decimals where minor units are expected has `unit: major` as the next step', async () => {
  const csv =
    'import_supplier,external_account_number,statement_id,bill_period_from_date,bill_period_to_date,gross_amount\n' +
    'ACME,1001,S1,2025-01-01,2025-01-31,12.50\nACME,1001,S2,2025-01-01,2025-01-31,x\n';
  const { document } = await checkFiles({ 'x.csv': csv }, [], { resource: 'statements' });
  expect(document['problems']).toMatchObject([
    { line: 2, code: 'invalid', next: expect.stringContaining('`unit: major`') as unknown },
    { line: 3, code: 'invalid', next: 'Correct the cell in the source file.' },
  ]);
});

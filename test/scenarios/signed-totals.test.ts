import { describe, expect, test } from 'vitest';
import { checkFiles } from '../support/checked-files.ts';

const mapping = (sum: string, source = '') => `version: 1
resource: transactions
source:
  delimiter: ';'
  decimal_mark: ','
  thousands_mark: '.'
${source}  trailer: { cell: 1, equals: Z, sums: [${sum}] }
fields:
  external_account_number: K
  transaction_id: B
  transaction_date: D
  amount: A
  type: { constant: CHARGE }
ignore: all
`;

const ROWS = ['1;B1;2026-01-05;+;10,00', '1;B2;2026-01-05;+;5,00', '1;B3;2026-01-05;-;-1.020,00'];

async function check(footer: string, sum: string) {
  const csv = `K;B;D;V;A\n${ROWS.join('\n')}\n${footer}\n`;
  return (await checkFiles({ 'x.csv': csv, 'x.csv.map.yaml': mapping(sum) })).details;
}

describe('the sum of a control record', () => {
  test.each([
    ['parentheses', 'Z;;;;(1.005,00)', '{ cell: 5, column: A, negative: [parentheses] }'],
    ['a minus behind it', 'Z;;;;1.005,00-', '{ cell: 5, column: A, negative: [trailing] }'],
    [
      'letters behind it',
      'Z;;;;1.005,00 CR',
      '{ cell: 5, column: A, negative_suffixes: [CR], positive_suffixes: [DR] }',
    ],
  ])('may have its sign as %s', async (_, footer, sum) => {
    expect(await check(footer, sum)).toEqual([]);
    expect((await check(footer.replace('005', '006'), sum)).join()).toContain('trailer_sum_differs');
  });

  test('that differs only in its sign says so, and names the keys', async () => {
    const [problem] = await check('Z;;;;1.005,00', '{ cell: 5, column: A }');
    expect(problem).toContain(
      'the sum of `A` is 1005.00 in the control record and -1005.00 in the rows; only the sign differs: `negative` or `negative_suffixes` of the sum says how it is written',
    );
  });

  test('that differs in its amount names no sign', async () => {
    const [problem] = await check('Z;;;;1.006,00', '{ cell: 5, column: A }');
    expect(problem).toContain('is 1006.00 in the control record and -1005.00 in the rows');
    expect(problem).not.toContain('sign');
  });
});

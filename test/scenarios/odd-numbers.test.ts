import { describe, expect, test } from 'vitest';
import { checkFiles } from '../support/checked-files.ts';
import type { Files } from '../support/mapping-files.ts';

const HEADER =
  'external_account_number,statement_id,number,bill_period_from_date,bill_period_to_date,gross_amount,statement_path';

interface Statement {
  readonly id?: string;
  readonly number?: string;
  readonly path?: string;
}

/** 120 statements with numbers of ten digits; some are given in another way. */
async function check(odd: (at: number) => Statement | undefined, more: Files = {}) {
  const rows = Array.from({ length: 120 }, (_, at) => {
    const digits = String((at * 7_919_777_777) % 9_999_999_967).padStart(10, '0');
    const {
      id = `V2022/PHA/${String(at + 1).padStart(4, '0')}`,
      number = digits,
      path = `${digits}.pdf`,
    } = odd(at) ?? {};
    return `${2_000 + at},${id},"${number}",2026-01-01,2026-01-31,501${at},"${path}"`;
  });
  const { details } = await checkFiles({ 'x.csv': `${HEADER}\n${rows.join('\n')}\n`, ...more }, [], {
    resource: 'statements',
  });
  return details;
}

describe('numbers and references', () => {
  test('are not reported, when all of them are as the source system has them', async () => {
    expect(await check(() => undefined)).toEqual([]);
  });

  test.each(['4,8E+08', '4.81862E+08', '3.1E+11'])(
    'that a spreadsheet has shortened are a warning: %s',
    async (number) => {
      expect(await check((at) => (at === 4 ? { number } : undefined))).toEqual([
        '6:3 warning spreadsheet_damage: is a number with an exponent, as a spreadsheet or a program writes it; its last digits may be lost',
      ]);
    },
  );

  test('that are shortened in a path are a warning, also behind a template', async () => {
    const found = await check((at) => (at === 4 ? { path: 'docs/4,8E+08.pdf' } : undefined));
    expect(found).toEqual([expect.stringContaining('6:7 warning spreadsheet_damage')]);
    const map = `version: 1
resource: statements
fields:
  external_account_number: external_account_number
  statement_id: statement_id
  bill_period_from_date: bill_period_from_date
  bill_period_to_date: bill_period_to_date
  gross_amount: gross_amount
  statement_path: { template: 'docs/{number}.pdf' }
ignore: all
`;
    const made = await check((at) => (at === 4 ? { number: '4E+08' } : undefined), { 'x.csv.map.yaml': map });
    expect(made).toEqual([expect.stringContaining('6:3 warning spreadsheet_damage')]);
  });

  test('that are a date among digits are a warning', async () => {
    expect(await check((at) => (at === 4 ? { number: '14.10.2022' } : undefined))).toEqual([
      '6:3 warning identifier_shape_differs: 1 of 120 have another shape (`9.9.9`) than all others (`9`); 9 stands for digits, A for letters',
    ]);
  });

  test('of which some have lost their zeros are a warning', async () => {
    expect(await check((at) => (at === 4 ? { number: '481862419' } : undefined))).toEqual([
      expect.stringMatching(/^6:3 warning leading_zeros_lost: .*\(119 of 10 digits, 1 of 9 digits\)/u),
    ]);
  });

  test('of which all have lost their zeros are a warning', async () => {
    const number = (at: number): string => String(((at * 7_919_777_777) % 9_999_999_967) + 1_000_000);
    expect(await check((at) => ({ number: number(at) }))).toEqual([
      expect.stringContaining(':3 warning leading_zeros_lost'),
    ]);
  });

  test.each([
    ['count up', (at: number) => `${at + 1}`],
    ['count up to the next digit', (at: number) => `${999_985 + at}`],
    ['are words', (at: number) => (at === 4 ? 'R-1' : 'paid')],
    ['have an E without a sign', (at: number) => `${at + 10}E34`],
  ])('are not reported, when they %s', async (_, numberOf) => {
    expect(await check((at) => ({ number: numberOf(at) }))).toEqual([]);
  });
});

describe('ids that end in digits', () => {
  test.each([
    ['V2022/PHA/1', undefined],
    ['S-1', (at: number) => `S-${String(at + 1).padStart(5, '0')}`],
    ['7-1-x', (at: number) => `7-${String(at + 1).padStart(3, '0')}-x`],
  ])('are a warning, when few have lost the zeros before them: %s', async (id, idOf) => {
    expect(await check((at) => (at === 0 ? { id } : idOf && { id: idOf(at) }))).toEqual([
      expect.stringMatching(/^2:2 warning leading_zeros_lost/u),
    ]);
  });

  test.each([
    ['have no zeros', (at: number) => `S-${at + 1}`],
    ['are filled up and grow by a digit', (at: number) => `S-${String(at + 950).padStart(4, '0')}`],
    ['grow by a digit behind zeros', (at: number) => `S-${String(at + 1).padStart(2, '0')}`],
    ['are hexadecimal', (at: number) => (at * 7_919_777_777).toString(16).padStart(12, '0')],
  ])('are not reported, when they %s', async (_, idOf) => {
    expect(await check((at) => ({ id: idOf(at) }))).toEqual([]);
  });
});

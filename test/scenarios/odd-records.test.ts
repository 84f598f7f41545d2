import { describe, expect, test } from 'vitest';
import { checkFiles } from '../support/checked-files.ts';
import type { Files } from '../support/mapping-files.ts';

async function check(resource: string, header: string, rows: readonly string[], more: Files = {}) {
  const { details } = await checkFiles({ 'x.csv': `${header}\n${rows.join('\n')}\n`, ...more }, [], {
    resource,
  });
  return details;
}

const many = (count: number, row: (at: number) => string): string[] =>
  Array.from({ length: count }, (_, at) => row(at));

describe('a text that means no value', () => {
  const NOTES = 'external_account_number,body,document_paths.0.document_path';
  const STATEMENTS =
    'external_account_number,statement_id,number,bill_period_from_date,bill_period_to_date,gross_amount,statement_path';

  test.each(['#N/A', '#REF!', '########', 'NULL', 'n/a', '#BEZUG!'])(
    'is a warning as a note, and an error as a path, a number or a reference: %s',
    async (text) => {
      expect((await check('notes', NOTES, [`1,${text},a.pdf`])).join()).toMatch(
        /^2:2 warning cell_is_no_value: [^,]*,[^,]*$/u,
      );
      expect((await check('notes', NOTES, [`1,a,${text}`])).join()).toContain('2:3 error cell_is_no_value');
      const [number, path] = [
        `1,S1,${text},2026-01-01,2026-01-31,1234,a.pdf`,
        `1,S1,7,2026-01-01,2026-01-31,1234,${text}`,
      ];
      expect((await check('statements', STATEMENTS, [number])).join()).toContain(
        '2:3 error cell_is_no_value',
      );
      expect((await check('statements', STATEMENTS, [path])).join()).toContain('2:7 error cell_is_no_value');
      const header = 'external_account_number,transaction_id,transaction_date,amount,type,reference';
      const [problem] = await check('transactions', header, [`1,T1,2026-01-05,5,CHARGE,${text}`]);
      expect(problem).toContain('2:6 error cell_is_no_value');
    },
  );

  test.each(['docs/########.pdf', 'docs/#N/A.pdf', '#REF!/1.pdf', 'docs/NULL', String.raw`docs\null.pdf`])(
    'is an error as a part of a path: %s',
    async (path) => {
      expect((await check('notes', NOTES, [`1,a,${path}`])).join()).toContain('2:3 error cell_is_no_value');
    },
  );

  test('is found behind the steps of a mapping', async () => {
    const map =
      'version: 1\nresource: statements\nfields:\n  external_account_number: K\n  statement_id: S\n  bill_period_from_date: F\n  bill_period_to_date: T\n  statement_path: { template: "pdf/{P}-{S}.pdf" }\n';
    const details = await check('statements', 'K,S,F,T,P', ['1,S1,2026-01-01,2026-01-31,#N/A'], {
      'x.csv.map.yaml': map,
    });
    expect(details).toEqual([expect.stringContaining('2:5 error cell_is_no_value')]);
  });

  test.each(['Number #12!', 'none of these', '#1', 'Null Komma nichts', 'naN-u', '-'])(
    'is not found in ordinary words: %s',
    async (text) => {
      expect(await check('notes', NOTES, [`1,${text},docs/none/${text.replaceAll('/', '')}-1.pdf`])).toEqual(
        [],
      );
    },
  );
});

describe('an identifier of another shape than all others', () => {
  const HEADER = 'external_account_number,transaction_id,transaction_date,amount,type';
  const row = (account: string, id: string) => `${account},${id},2026-01-05,5.00,CHARGE`;
  const shapes = (details: readonly string[]) =>
    details.filter((each) => each.includes('identifier_shape_differs'));

  test('is a warning with both shapes, for ids and for account numbers', async () => {
    const rows = many(120, (at) => row(`77${at}`, `INV-${at + 1}`));
    rows.splice(30, 1, row('CUST', 'INV-31'));
    rows.splice(40, 1, row('9', '2026-01-05'));
    expect(shapes(await check('transactions', HEADER, rows))).toEqual([
      '32:1 warning identifier_shape_differs: 1 of 120 have another shape (`A`) than all others (`9`); 9 stands for digits, A for letters',
      '42:2 warning identifier_shape_differs: 1 of 120 have another shape (`9-9-9`) than all others (`A-9`); 9 stands for digits, A for letters',
    ]);
  });

  test.each([
    ['grows by a digit', (at: number) => `INV-${at + 950}`],
    ['has three shapes', (at: number) => (at % 3 === 0 ? `${at}` : at % 3 === 1 ? `R${at}` : `R-${at}`)],
    ['is of digits and letters at random', (at: number) => (at * 7_919_777_777).toString(16)],
    ['has a prefix', (at: number) => `${'NOP'[at % 3]!}${at}`],
  ])('is none where the id %s', async (_, idOf) => {
    const rows = many(120, (at) => row(`77${at}`, idOf(at)));
    expect(shapes(await check('transactions', HEADER, rows))).toEqual([]);
  });
});

describe('dates unlike the others', () => {
  const HEADER = 'external_account_number,transaction_id,transaction_date,amount,type';
  const booked = (count: number, dayOf: (at: number) => string | undefined) =>
    check(
      'transactions',
      HEADER,
      many(count, (at) => `1,T${at},${dayOf(at) ?? '2026-01-05'},5,CHARGE`),
    );

  test('are a warning, when a program writes such a day for none', async () => {
    expect(await booked(3, (at) => (at === 1 ? '1970-01-01' : undefined))).toEqual([
      '3:3 warning date_implausible: is a day that programs write when they have none (1970-01-01): 1',
    ]);
  });
});

describe('amounts that repeat the record before', () => {
  const HEADER = 'external_account_number,transaction_id,transaction_date,amount,type';
  /** The amounts of records, each of an account of its own, or of the accounts that are given. */
  const checkAmounts = (amounts: readonly string[], account = (at: number): number => at) =>
    check(
      'transactions',
      HEADER,
      amounts.map((amount, at) => `A${account(at) + 100},T${at + 100},2026-01-05,${amount},CHARGE`),
    );
  const different = Array.from({ length: 60 }, (_, at) => `${10 + at * 7}.${10 + at}`);
  /** Every third amount is the one before. */
  const filled = different.map((amount, at) => (at % 3 === 1 ? different[at - 1]! : amount));

  test('of another account are counted, as where empty cells were filled down', async () => {
    expect(await checkAmounts(filled)).toEqual([
      '3:4 warning amounts_filled_down: the amount of the record before, which is of another account, in 20 of 60 records',
    ]);
    expect(await checkAmounts(different)).toEqual([]);
  });

  test('of the same account, a fee of all accounts and a few prices in any order are none', async () => {
    expect(await checkAmounts(filled, (at) => Math.floor(at / 3))).toEqual([]);
    expect(await checkAmounts([...different, ...different.map(() => '9.99')])).toEqual([]);
    const prices = Array.from({ length: 600 }, (_, at) => `${((at * 7919 + (at ** 3 % 89)) % 101) % 12}.90`);
    expect(await checkAmounts(prices)).toEqual([]);
  });
});

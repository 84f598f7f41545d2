import { describe, expect, test } from 'vitest';
import { checkFiles } from '../support/checked-files.ts';

const mapping = (rest: string, amount = 'A'): string => `version: 1
resource: transactions
fields:
  external_account_number: K
  transaction_id: B
  transaction_date: D
  amount: ${amount}
  type: { constant: CHARGE }
${rest}`;

/** 30 rows, whose states are those that are given, then `posted`. */
async function check(states: readonly string[], rest: string, { argv = [] as readonly string[] } = {}) {
  const rows = Array.from(
    { length: 30 },
    (_, at) => `1,T${at},2026-01-05,5.10,${states[at] ?? 'posted'},${at % 2}`,
  );
  const csv = `K,B,D,A,S,P\n${rows.join('\n')}\n`;
  const { details } = await checkFiles({ 'x.csv': csv, 'x.csv.map.yaml': mapping(rest) }, argv);
  return details;
}

const IGNORED = 'ignore: [P, S]\n';
const filter = (list: string, key = 'in'): string =>
  `filter:\n  - { column: S, ${key}: ${list} }\n${IGNORED}`;

describe('a text that a condition lists', () => {
  test.each([' Void', 'VOID', 'vöid', 'void '])(
    'and that a row has as %j is a warning at the cell',
    async (odd) => {
      expect(await check(['void', 'posted', odd], filter('[void]'))).toEqual([
        '4:5 warning lookup_missing: values that differ only in case, accents, spaces or punctuation from `void`, which a condition lists, so that it does not hold: 1',
      ]);
    },
  );

  test.each(['void.', '(void)', '"void"', 'vo-id', 'Vo id', 'vo\u2011id'])(
    'is a warning where a cell differs from a listed text in punctuation or spaces alone: %s',
    async (odd) => {
      const cell = odd.startsWith('"') ? `"${odd.replaceAll('"', '""')}"` : odd;
      const [problem] = await check(['void', 'posted', cell], filter('[void]'));
      expect(problem).toContain('4:5 warning lookup_missing');
    },
  );

  test.each(['void-', '-void', 'void+', 'v0id', 'voids'])('may have another text: %s', async (text) => {
    expect(await check(['void', text], filter('[void]'))).toEqual([]);
  });
});

describe('a column of currencies that nothing uses', () => {
  async function held(header: string, values: readonly string[], rest = 'ignore: all\n') {
    const rows = values.map((value, at) => `1,T${at},2026-01-05,5,${value}`);
    const csv = `K,B,D,A,${header}\n${rows.join('\n')}\n`;
    return (await checkFiles({ 'x.csv': csv, 'x.csv.map.yaml': mapping(rest) })).behind;
  }

  test.each([
    ['Code', ['EUR', 'EUR', 'USD']],
    ['Valuta', ['EUR', '', 'EUR', 'usd']],
    ['Währung', ['€', '€', '$']],
    ['amount currency', ['EUR', 'EUR', 'USD']],
    ['PARA BİRİMİ', ['TL', 'TL', 'EUR']],
    ['Měna', ['Kč', 'CZK', '€']],
    ['waluta', ['zł', 'zł', 'EUR']],
    ['Pénznem', ['Ft', 'Ft', '€']],
    ['Monedă', ['lei', 'RON', 'EUR']],
    ['Валюта', ['руб.', 'р.', '$']],
    ['Valuta', ['kr', 'kr', '£']],
    ['νόμισμα', ['€', 'EUR', 'лв.']],
  ])('stays behind whatever `ignore: all` says: %s', async (header, values) => {
    const count = values.filter((value) => value !== '').length;
    expect(await held(header, values)).toEqual([`${header} currencies ${count}`]);
    expect(await held(header, values, `ignore: [${header}]\n`)).toEqual([`${header} currencies ${count} *`]);
  });
});

describe('a problem is said once, and says what is meant', () => {
  test('for a cell that feeds several fields', async () => {
    const table = 'lookup: { posted: IMPORTED_CHARGE }';
    const rest = `  reason: { column: S, ${table} }\n  display_note: { column: S, ${table} }\nignore: [P]\n`;
    const details = await check(['darft'], rest);
    expect(details.filter((each) => each.includes('lookup_missing'))).toEqual([
      '2:5 error lookup_missing: is not in the lookup table',
    ]);
  });

  const fixed = (trailer: string): string =>
    mapping('').replace(
      'fields:',
      `source:\n  fixed: [{ name: K, width: 2 }, { name: B, width: 3 }, { name: D, width: 10 }, { name: A, width: 4 }]\n  trailer: ${trailer}\nfields:`,
    );
  const report = async (trailer: string, last: string) => {
    const csv = `1 T1 2026-01-055.00\n1 T2 2026-01-066.00\n${last}\n`;
    return (await checkFiles({ 'x.csv': csv, 'x.csv.map.yaml': fixed(trailer) })).details;
  };

  test('for a control record that is shorter than its widths', async () => {
    const trailer = '{ cell: 1, equals: END, fixed: [{ width: 4 }, { width: 9 }], count: 2 }';
    expect(await report(trailer, 'END 00002')).toEqual([
      '3:2 error trailer_unreadable: the control record has no readable number here, because the line ends before the widths of `fixed` do',
    ]);
  });
});

test('a pattern that other engines would try for years ends on a long cell', async () => {
  const cells = ['posted', 'posted', 'x'.repeat(100_000)];
  expect(await check(cells, filter("'^(x+)+y|posted'", 'matches'))).toEqual([]);
});

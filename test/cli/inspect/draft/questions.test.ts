import { describe, expect, test } from 'vitest';
import type { Resource } from '../../../../src/core/contract/resources.ts';
import { drafted } from '../../../support/drafted.ts';

/** A file with these columns, whose cells are made of the number of the row, counted from 0. */
function fileOf(columns: Readonly<Record<string, (row: number) => string>>, rows = 24): string {
  const lines = Array.from({ length: rows }, (_, row) => Object.values(columns).map((cell) => cell(row)));
  return `${[Object.keys(columns), ...lines].map((cells) => cells.join(';')).join('\n')}\n`;
}

const two = (number: number): string => String(number).padStart(2, '0');
const day = (row: number): string => `2026-01-${two(row + 1)}`;

const BOOKINGS = {
  Account: (row: number) => `7${row % 5}`,
  'Txn Id': (row: number) => `T${row}`,
  Date: day,
  Amount: (row: number) => `${row}.50`,
  Type: () => 'CHARGE',
};
const { Amount: _, ...UNPRICED } = BOOKINGS;
const NOTES = { Account: (row: number) => `7${row % 5}`, Text: (row: number) => `note ${row}` };

/** Bookings with a control record in the last row. */
const totalled = (total: string): Case['columns'] =>
  Object.fromEntries(
    Object.entries(BOOKINGS).map(([name, cell]) => {
      const last = { Account: 'Total', Amount: total }[name] ?? '';
      return [name, (row: number) => (row === 23 ? last : cell(row))];
    }),
  );

interface Case {
  readonly resource?: Resource;
  readonly columns: Readonly<Record<string, (row: number) => string>>;
}

const questionsOf = async ({ resource = 'transactions', columns }: Case): Promise<readonly string[]> =>
  (await drafted(resource, fileOf(columns))).questions;

describe('a draft asks where a wrong decision would be silent, and not about ordinary columns', () => {
  test.each<[string, Case, RegExp, Case]>([
    [
      'a time that a date has no place for',
      { columns: { ...BOOKINGS, Date: (row) => `${day(row)} ${two(row % 20)}:30` } },
      /the times of 24 values are lost/,
      { columns: { ...BOOKINGS, Date: (row) => `${day(row)} 00:00` } },
    ],
    [
      'a date-time of notes that feeds nothing',
      { resource: 'notes', columns: { ...NOTES, Written: (row) => `${day(row)}T10:00:00Z` } },
      /where does the created_at come from\? No header says so\. By their values/,
      { resource: 'notes', columns: { ...NOTES, Birthday: day } },
    ],
    [
      'several time zones',
      {
        resource: 'notes',
        columns: {
          ...NOTES,
          Created: (row) => `${day(row)} 10:00`,
          Zone: (row) => (row % 2 ? 'CET' : 'CEST'),
        },
      },
      /"Zone" has several values: one zone may be wrong for some rows/,
      {
        resource: 'notes',
        columns: {
          ...NOTES,
          Created: (row) => `${day(row)}T10:00:00Z`,
          Zone: (row) => (row % 2 ? 'CET' : 'CEST'),
        },
      },
    ],
    [
      'several currencies',
      { columns: { ...BOOKINGS, Currency: (row) => (row % 2 ? 'EUR' : 'CHF') } },
      /"Currency" has 2 currencies, and all amounts would count as one of them: rows in CHF; rows in EUR/,
      { columns: { ...BOOKINGS, Currency: () => 'EUR' } },
    ],
    [
      'a date of deletion in a few rows',
      { columns: { ...BOOKINGS, deleted_at: (row) => (row === 7 ? '2026-02-01' : '') } },
      /"deleted_at" is filled in 1 of 24 rows/,
      { columns: { ...BOOKINGS, due_at: day } },
    ],
    [
      'a status with several values',
      { columns: { ...BOOKINGS, Status: (row) => (row === 7 ? 'CANCELLED' : 'POSTED') } },
      /"Status" has 2 different values, among them CANCELLED/,
      { columns: { ...BOOKINGS, Status: () => 'POSTED' } },
    ],
    [
      'a status that some rows lack',
      { columns: { ...BOOKINGS, Status: (row) => (row % 5 ? 'OPEN' : '') } },
      /"Status" has 2 different values/,
      { columns: { ...BOOKINGS, Status: () => '' } },
    ],
    [
      'a state in which rows are void',
      { columns: { ...BOOKINGS, State: (row) => (row % 9 ? 'posted' : 'void') } },
      /"State" has 2 different values, among them void/,
      { columns: { ...BOOKINGS, State: (row) => (row % 2 ? 'NSW' : 'VIC') } },
    ],
    [
      'rows of balances',
      { columns: { ...BOOKINGS, Text: (row) => (row % 8 ? 'Electricity' : 'Opening balance 2026') } },
      /3 rows begin with Opening balance in "Text" \(first on line 2\)/,
      { columns: { ...BOOKINGS, Text: (row) => (row % 8 ? 'Electricity' : 'Payment of the balance') } },
    ],
    [
      'debits that are negative',
      {
        columns: {
          ...UNPRICED,
          Debit: (row) => (row % 2 ? `-${row}.50` : ''),
          Credit: (row) => (row % 2 ? '' : `${row}.50`),
        },
      },
      /"Debit" has negative numbers: is the amount debit less credit, or credit less debit\?/,
      { columns: BOOKINGS },
    ],
    [
      'debits and credits with different marks',
      {
        columns: {
          ...UNPRICED,
          Debit: (row) => (row % 2 ? `1.${row + 100},50` : ''),
          Credit: (row) => (row % 2 ? '' : `1,${row + 100}.50`),
        },
      },
      /how are the numbers written\? "Debit" and "Credit" have different marks/,
      { columns: BOOKINGS },
    ],
    [
      'a control total that is wrong',
      { columns: totalled('999.00') },
      /cell 4 has 999\.00, but the rows of "Amount" add up to 264\.50/,
      { columns: totalled('264.50') },
    ],
    [
      'a state in another language',
      { columns: { ...BOOKINGS, УДАЛЁН: (row) => (row % 2 ? 'да' : 'нет') } },
      /"УДАЛЁН" has 2 different values/,
      { columns: { ...BOOKINGS, УДАЛЁН: () => 'нет' } },
    ],
    [
      'a code that few rows have',
      { columns: { ...BOOKINGS, Kz: (row) => (row === 7 ? 'L' : 'N') } },
      /"Kz" has 2 different values/,
      { columns: { ...BOOKINGS, Kz: (row) => (row % 2 ? 'L' : 'N') } },
    ],
    [
      'a word for a row that does not count, below any header',
      { columns: { ...BOOKINGS, F7: (row) => (row % 2 ? 'Storniert' : 'Gebucht') } },
      /"F7" has 2 different values, among them Storniert/,
      { columns: { ...BOOKINGS, F7: (row) => (row % 2 ? 'Strom' : 'Gas') } },
    ],
    [
      'amounts below a header in another script',
      { columns: { ...BOOKINGS, Сумма: (row) => `${row}.75` } },
      /which column is the amount\? "Amount" or "Сумма"/,
      { columns: { ...BOOKINGS, Balance: (row) => `${row}.75` } },
    ],
  ])('%s', async (_, asked, question, ordinary) => {
    const found = await questionsOf(asked);
    expect(found.join(' ')).toMatch(question);
    expect((await questionsOf(ordinary)).join(' ')).not.toMatch(question);
  });
});

test.each<[string, Case['columns'], readonly string[]]>([
  [
    'whole numbers beside decimals',
    { ...UNPRICED, Сумма: (row) => `${row + 10}00`, НДС: (row) => `${row}.18` },
    ['# НДС', '# { column: Сумма, unit: major }'],
  ],
])('a draft offers %s', async (_, columns, answers) => {
  const { text } = await drafted('transactions', fileOf(columns));
  for (const answer of answers) expect(text).toContain(answer);
});

test('a total has the mark of its thousands, although no row has one', async () => {
  const rows = 'Konto;Betrag\n1;700,50\n2;702,50\n3;1,00\n';
  expect((await drafted('transactions', `${rows}SUMME;1.404,00\n`)).text).toContain("thousands_mark: '.'");
  expect((await drafted('transactions', `${rows}SUMME;1404,00\n`)).text).not.toContain('thousands_mark');
});

test('names of columns in another encoding need another draft, and other files do not', async () => {
  const korean = Buffer.from('B0EDB0B4', 'hex').toString('latin1');
  const file = (header: string) => Buffer.from(`${header};Text\n1;${korean}\n2;x\n`, 'latin1');
  const again = '`dataimport init export.csv --resource notes --encoding gbk`';
  expect((await drafted('notes', file(korean))).text).toContain(`: delete this file, and type ${again}`);
  expect((await drafted('notes', file('Account'))).text).toContain('    # gbk # ');
});

import { describe, expect, test } from 'vitest';
import { openSourceFile } from '../../../../src/cli/csv/source-file.ts';
import { columnsOf } from '../../../../src/cli/mapping/compile/columns.ts';
import { doubtfulDateOrders, mixedDateOrders } from '../../../../src/cli/mapping/compile/date-orders.ts';
import { needMapping } from '../../../../src/cli/mapping/file/load-mapping.ts';
import { folderWith } from '../../../support/mapping-files.ts';

/** A mapping of statements with these dates: the first and the last day of the bill, and the issue date. */
async function mappingOf(from: string, to: string, { rest = '', source = '' } = {}) {
  const text = `version: 1
resource: statements
source: { date_format: dd.MM.yyyy${source} }
fields:
  external_account_number: K
  statement_id: S
  bill_period_from_date: ${from}
  bill_period_to_date: ${to}
${rest}`;
  const folder = folderWith({ 'm.yaml': text });
  return needMapping('m.yaml', (name) => openSourceFile(name, folder));
}

const dated = (column: string, format: string): string =>
  `{ column: ${column}, format: ${format}, century: 2000 }`;

describe('two columns with day and month in opposite orders', () => {
  async function warningsOf(...args: Parameters<typeof mappingOf>) {
    return [...mixedDateOrders(await mappingOf(...args))].map(({ problem: { code, path, facts }, cell }) => {
      expect([code, cell!.file]).toEqual(['date_orders_differ', 'm.yaml']);
      const { format, other, other_format: otherFormat } = facts;
      return `${cell!.line}:${cell!.column} ${cell!.header} ${path.join('.')} ${String(format)} ${String(other)} ${String(otherFormat)}`;
    });
  }

  test('are a warning at the second of them', async () => {
    expect(await warningsOf(dated('F', 'd.M.yyyy'), dated('T', 'MM.dd.yy'))).toEqual([
      '8:24 T fields.bill_period_to_date MM.dd.yy F d.M.yyyy',
    ]);
  });

  test('are a warning at the one that differs from most', async () => {
    const rest = '  issued_date: { column: I, format: d.M.yyyy }\n';
    expect(await warningsOf(dated('F', 'M.d.yyyy'), dated('T', 'd.M.yyyy'), { rest })).toEqual([
      '7:26 F fields.bill_period_from_date M.d.yyyy T d.M.yyyy',
    ]);
  });

  test('may have the format of the source', async () => {
    expect(await warningsOf('F', dated('T', 'MM.dd.yyyy'))).toEqual([
      '8:24 T fields.bill_period_to_date MM.dd.yyyy F dd.MM.yyyy',
    ]);
  });

  test.each([
    ['in one order', 'dd.MM.yyyy', 'd.M.yy'],
    ['with other separators', 'dd.MM.yyyy', 'MM/dd/yyyy'],
    ['with the year at another place', 'dd.MM.yyyy', 'yyyy.MM.dd'],
    ['with the name of a month', 'dd.MM.yyyy', 'MMM.dd.yyyy'],
    ['one of them in a format of its own', 'dd.MM.yyyy', 'iso'],
    ['one of them as a number', 'dd.MM.yyyy', 'excel_serial'],
  ])('are none %s: %s and %s', async (_, from, to) => {
    expect(await warningsOf(dated('F', from), dated('T', to))).toEqual([]);
  });

  test('are none where one column is read in both orders', async () => {
    const both = '{ column: F, format: [d.M.yyyy, M.d.yyyy] }';
    expect(await warningsOf(both, both)).toEqual([]);
  });

  test('are told apart by the text around their numbers', async () => {
    expect(await warningsOf(dated('F', `"d'.'M.yyyy"`), dated('T', 'M.d.yyyy'))).toEqual([]);
    expect(await warningsOf(dated('F', `"d.M.yyyy HH:mm"`), dated('T', `"M.d.yyyy 'h'"`))).toEqual([
      `8:24 T fields.bill_period_to_date M.d.yyyy 'h' F d.M.yyyy HH:mm`,
    ]);
  });
});

describe('dates that can all be read in both orders', () => {
  const NAMES = ['K', 'S', 'F', 'T', 'Due', 'More'];

  /** The warnings after rows with these dates in `F`, in `Due` and in `More`. */
  async function warningsOf(
    rows: readonly (readonly [string, string?, string?])[],
    { from = dated('F', 'M.d.yyyy'), used = ['K', 'S', 'F', 'T'] } = {},
  ) {
    const mapping = await mappingOf(from, dated('T', 'iso'));
    const columns = columnsOf(NAMES);
    for (const name of used) columns.bind(name, 'record');
    const dates = doubtfulDateOrders(mapping, columns);
    for (const [at, [date, due = '', more = '']] of rows.entries())
      dates.see([
        {
          firstLine: at + 2,
          lastLine: at + 2,
          byteStart: 0,
          byteEnd: 0,
          cells: ['1', 'S', date, '', due, more],
        },
      ]);
    return [...dates.warnings()].map(({ problem: { code, path, facts }, cell }) => {
      expect([code, path, cell!.file]).toEqual(['date_order_doubtful', [], null]);
      const { format, other, other_format: otherFormat } = facts;
      return `${cell!.line}:${cell!.column} ${cell!.header} ${String(format)} ${String(other)} ${String(otherFormat)}`;
    });
  }

  const times = (count: number, date: string, due = '', more = '') =>
    Array.from({ length: count }, () => [date, due, more] as const);
  const PROOF = ['3.3.2025', '14.3.2025'] as const;
  const SAID = ['3:3 F M.d.yyyy Due d.M.yyyy'];

  test('are a warning, when an unused column has only the other order', async () => {
    expect(await warningsOf([PROOF, ...times(20, '3.4.2025')])).toEqual(SAID);
    expect(await warningsOf([PROOF, ...times(19, '3.4.2025')])).toEqual([]);
    expect(await warningsOf([...times(20, '3.4.2025', '', '14.3.2025')])).toEqual([
      '2:3 F M.d.yyyy More d.M.yyyy',
    ]);
    expect(
      await warningsOf([...times(20, '03/04/25', '12/13/25')], {
        from: '{ column: F, format: dd/MM/yy, century: 2000 }',
      }),
    ).toEqual(['2:3 F dd/MM/yy Due MM/dd/yy']);
  });

  test.each([
    ['the column itself has the order of the mapping', '3.14.2025', '14.3.2025'],
    ['the column itself has another text', 'x', '14.3.2025'],
    ['the column itself has a longer number', '3.4.20251', '14.3.2025'],
    ['the unused column has the order of the mapping', '3.4.2025', '3.14.2025'],
    ['the unused column has another text', '3.4.2025', 'paid'],
    ['the unused column has other separators', '3.4.2025', '14/3/2025'],
    ['the unused column has a longer number', '3.4.2025', '14.3.20251'],
    ['the unused column has three digits', '3.4.2025', '114.3.2025'],
  ])('are none, when %s', async (_, date, due) => {
    expect(await warningsOf([PROOF, ...times(20, '3.4.2025'), [date, due]])).toEqual([]);
  });

  test.each([
    ['an empty cell', '', ''],
    ['a day that is its month', '4.4.2025', '4.4.2025'],
    ['a date of both orders', '5.6.2025', '7.8.2025'],
    ['spaces and a time', ' 5.6.2025 10:00 ', ' 15.8.25 '],
    ['zeros before the digits', '05.06.2025', '15.08.2025'],
  ])('are still one beside %s', async (_, date, due) => {
    expect(await warningsOf([PROOF, ...times(20, '3.4.2025'), [date, due]])).toEqual(SAID);
  });

  test('are none where the mapping uses the other column, has two formats or a condition', async () => {
    const rows = [PROOF, ...times(20, '3.4.2025')];
    expect(await warningsOf(rows, { used: ['K', 'S', 'F', 'T', 'Due'] })).toEqual([]);
    expect(await warningsOf(rows, { from: '{ column: F, format: [M.d.yyyy, iso] }' })).toEqual([]);
    const when =
      '[{ column: F, format: M.d.yyyy, when: { column: S, is: present } }, { constant: 2025-01-01 }]';
    expect(await warningsOf(rows, { from: when })).toEqual([]);
    expect(
      await warningsOf([['03042025', '14032025'], ...times(20, '03042025')], {
        from: dated('F', 'MMddyyyy'),
      }),
    ).toEqual([]);
    expect(await warningsOf(rows, { from: dated('Nowhere', 'M.d.yyyy') })).toEqual([]);
  });
});

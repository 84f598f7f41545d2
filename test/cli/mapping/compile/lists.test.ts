import { describe, expect, test } from 'vitest';
import { cellOf } from '../../../../src/cli/mapping/column-map.ts';
import { pathOfAttr } from '../../../../src/core/problem.ts';
import { mapped } from '../../../support/mapping-files.ts';

const HEAD = `
version: 1
resource: transactions
source: { null_tokens: ['', '-'] }
ignore: all
fields:
  import_supplier: { constant: ACME }
  external_account_number: K
  transaction_id: B
  transaction_date: { constant: '2026-01-05' }
  amount: { constant: '10.00' }
  type: { constant: CHARGE }
`;

/** The list in the record. */
async function listsOf(mapping: string, csv: string, more: Readonly<Record<string, string>> = {}) {
  const result = await mapped({ 'm.yaml': HEAD + mapping, 'x.csv': csv, ...more });
  const lists = result.candidates.map(({ record }) => {
    const { line_items: lineItems, tax_items: taxItems } = record as Record<string, unknown>;
    return JSON.stringify({ lineItems, taxItems });
  });
  return { ...result, lists };
}

const ITEM = `start_date: 'S{n}', end_date: 'S{n}', number_of_units: 'U{n}', net_amount: 'N{n}'`;

describe('a list of numbered columns', () => {
  const mapping = `  line_items: { repeat: { from: 1, to: 3 }, item: { ${ITEM}, units: { items: ['A{n}', 'E{n}'] } } }\n`;
  const header = ['K', 'B', ...[1, 2, 3].flatMap((n) => [`S${n}`, `U${n}`, `N${n}`, `A${n}`, `E${n}`])].join(
    ',',
  );

  test('has an item for each number whose columns have a value', async () => {
    const { lists } = await listsOf(
      mapping,
      `${header}\n1,T1,2026-01-01,5,1.00,100,105,,,,,,2026-01-03,7,3.00,,9\n`,
    );
    expect(lists).toEqual([
      '{"lineItems":[' +
        '{"start_date":"2026-01-01","end_date":"2026-01-01","number_of_units":5,"net_amount":1.00,"units":[100,105]},' +
        '{"start_date":"2026-01-03","end_date":"2026-01-03","number_of_units":7,"net_amount":3.00,"units":[9]}]}',
    ]);
  });

  test('leads back to the columns of an item that closed up', async () => {
    const { plan, candidates } = await listsOf(mapping, `${header}\n1,T1,,,,,,,,,,,2026-01-03,7,3.00,,9\n`);
    const place = (attr: string) => cellOf(plan.columns, pathOfAttr(attr), candidates[0]!.parts).header;
    expect([place('line_items.0.net_amount'), place('line_items.0.units.0')]).toEqual(['N3', 'E3']);
    // Without the parts the column map alone leads to the first item.
    expect(cellOf(plan.columns, pathOfAttr('line_items.0.net_amount')).header).toBe('N1');
  });

  test('reports a wrong cell of an item that closed up', async () => {
    const { problems } = await listsOf(mapping, `${header}\n1,T1,,,,,,,,,,,2026-01-03,x,3.00,,9\n`);
    expect(problems).toEqual(['number_unreadable line_items.0.number_of_units ::14']);
  });

  test('may be written item by item; constants alone make no item', async () => {
    const { lists } = await listsOf(
      `  tax_items: { items: [
        { amount: T1, tax_type: { constant: VAT }, value_taxed: V1, rate: R, unit_type: { constant: PROPORTION } },
        { amount: T2, tax_type: { constant: VAT }, value_taxed: V2, rate: { constant: '0.05' }, unit_type: { constant: PROPORTION } } ] }\n`,
      'K,B,T1,V1,R,T2,V2\n1,X,2.00,10.00,0.2,,\n',
    );
    expect(lists).toEqual([
      '{"taxItems":[{"amount":2.00,"tax_type":"VAT","value_taxed":10.00,"rate":0.2,"unit_type":"PROPORTION"}]}',
    ]);
  });
});

describe('a list of continued rows', () => {
  const mapping = `  line_items: { rows: { when: { column: Art, in: [P] }, item: { ${ITEM.replaceAll('{n}', '')} } } }
continuation: { key: [B] }\n`;

  test('has an item for each row for which the condition holds', async () => {
    const { lists, candidates } = await listsOf(
      mapping,
      'K,B,Art,S,U,N\n1,T1,H,,,\n1,T1,P,2026-01-01,1,1.00\n,,P,2026-01-02,2,2.00\n1,T2,H,,,\n',
    );
    expect(lists).toEqual([
      '{"lineItems":[{"start_date":"2026-01-01","end_date":"2026-01-01","number_of_units":1,"net_amount":1.00},' +
        '{"start_date":"2026-01-02","end_date":"2026-01-02","number_of_units":2,"net_amount":2.00}]}',
      '{}',
    ]);
    expect(candidates[0]!.parts).toEqual([
      { attr: 'line_items.0', file: null, line: 3 },
      { attr: 'line_items.1', file: null, line: 4 },
    ]);
  });

  test('reports a wrong cell at its own line', async () => {
    const { problems } = await listsOf(
      mapping,
      'K,B,Art,S,U,N\n1,T1,H,,,\n1,T1,P,2026-01-01,1,1.00\n,,P,2026-01-02,x,2.00\n',
    );
    expect(problems).toEqual(['number_unreadable line_items.1.number_of_units :4:5']);
  });

  test('needs equal cells of the record, where they are not empty', async () => {
    const csv = (account: string) => `K,B,Art,S,U,N\n1,T1,H,,,\n${account},T1,P,2026-01-01,1,1.00\n`;
    expect((await listsOf(mapping, csv('2'))).problems).toEqual([
      'rows_not_joined external_account_number :3:1',
    ]);
    expect((await listsOf(mapping, csv('1'))).problems).toEqual([]);
    expect((await listsOf(mapping, csv('-'))).problems).toEqual([]);
  });

  test('recognizes a row that can only go on with another', async () => {
    const { plan } = await listsOf(mapping, 'K,B,Art,S,U,N\n1,T1,H,,,\n');
    const row = (cells: string[]) => ({
      firstLine: 1,
      lastLine: 1,
      byteStart: 0,
      byteEnd: 0,
      endsAtEof: false,
      cells,
    });
    expect(plan.continues(row(['', '', 'P', '', '', '']), undefined)).toBe(true);
    expect(plan.continues(row(['1', 'T1', 'P', '', '', '']), undefined)).toBe(false);
    expect(plan.continues(row(['1', 'T2', 'P', '', '', '']), row(['1', 'T1', 'H', '', '', '']))).toBe(false);
  });

  test('of two keys goes on with a row that has neither, and not with one that lacks one of them', async () => {
    const { lists } = await listsOf(
      mapping.replace('key: [B]', 'key: [K, B]'),
      'K,B,Art,S,U,N\n1,T1,H,,,\n,,P,2026-01-01,1,1.00\n-,T2,P,2026-01-02,2,2.00\n',
    );
    expect(lists.map((list) => (JSON.parse(list) as { lineItems?: unknown[] }).lineItems?.length)).toEqual([
      1, 1,
    ]);
  });
});

describe('a list of a second file', () => {
  const mapping = `  line_items:
    join:
      file: pos.csv
      source: { delimiter: ';', decimal_mark: ',' }
      key: { B: Beleg }
      when: { column: Typ, not_in: [T] }
      item: { start_date: S, end_date: S, number_of_units: U, net_amount: N }
`;
  const pos =
    'Beleg;Typ;S;U;N\nT2;P;2026-01-01;1,5;2,00\nT1;P;2026-01-02;1;1,00\nT1;T;2026-01-02;1;1,00\nT2;P;2026-01-03;3;4,00\n';

  test('has the rows with the key of the record, in their order', async () => {
    const { lists, candidates, leftOver } = await listsOf(mapping, 'K,B\n1,T1\n1,T2\n1,T3\n', {
      'pos.csv': pos,
    });
    expect(lists).toEqual([
      '{"lineItems":[{"start_date":"2026-01-02","end_date":"2026-01-02","number_of_units":1,"net_amount":1.00}]}',
      '{"lineItems":[{"start_date":"2026-01-01","end_date":"2026-01-01","number_of_units":1.5,"net_amount":2.00},' +
        '{"start_date":"2026-01-03","end_date":"2026-01-03","number_of_units":3,"net_amount":4.00}]}',
      '{}',
    ]);
    expect(candidates[1]!.parts).toEqual([
      { attr: 'line_items.0', file: 'pos.csv', line: 2 },
      { attr: 'line_items.1', file: 'pos.csv', line: 5 },
    ]);
    expect(leftOver).toEqual([]);
  });

  test('reports a wrong cell in the second file, and leads back to it', async () => {
    const { problems, plan, candidates } = await listsOf(mapping, 'K,B\n1,T1\n1,T2\n', {
      'pos.csv': pos.replace('4,00', '4.00'),
    });
    expect(problems).toEqual(['number_unreadable line_items.1.net_amount pos.csv:5:5']);
    expect(cellOf(plan.columns, ['line_items', 1, 'net_amount'], candidates[1]!.parts)).toEqual({
      file: 'pos.csv',
      line: 5,
      column: 5,
      header: 'N',
    });
  });

  test('reports rows whose key no record has, and rows that cannot be read', async () => {
    const { leftOver } = await listsOf(mapping, 'K,B\n1,T2\n', {
      'pos.csv': `${pos}T2;P\n;P;2026-01-03;3;4,00\n`,
    });
    expect(leftOver).toEqual([
      'row_too_short  pos.csv:6:',
      'rows_not_joined  pos.csv:3:',
      'rows_not_joined  pos.csv:4:',
      'rows_not_joined  pos.csv:7:',
    ]);
  });
});

describe('an amount that is the sum of the rows of its record', () => {
  const base = HEAD.replace("  amount: { constant: '10.00' }\n", '').replace(
    'source: {',
    "source: { decimal_mark: ',',",
  );
  const sums = async (amount: string, csv: string, more = '') =>
    mapped({ 'm.yaml': `${base}  amount: ${amount}\n${more}continuation: { key: [B] }\n`, 'x.csv': csv });
  const amounts = async (amount: string, csv: string) =>
    (await sums(amount, csv)).candidates.map(({ record }) =>
      JSON.stringify((record as { amount?: unknown }).amount),
    );

  test('is exact, and rows without a value count as nothing', async () => {
    const csv = 'K,B,N\n1,T1,"0,10"\n1,T1,"0,20"\n1,T1,-\n1,T2,5\n1,T3,-\n1,T3,\n';
    expect(await amounts('{ column: N, sum: true }', csv)).toEqual(['0.30', '5', undefined]);
  });

  test('has its sign turned and its unit changed as a whole', async () => {
    const csv = 'K,B,N\n1,T1,150\n1,T1,-50\n1,T1,1\n';
    expect(await amounts('{ column: N, sum: true, negate: true, unit: minor }', csv)).toEqual(['-1.01']);
  });

  test('reports wrong cells at their own lines, and makes no sum of the others', async () => {
    const csv = 'K,B,S,H\n1,T1,x,\n1,T1,5,\n1,T1,1,2\n1,T1,,y\n';
    const debits = await sums('{ column: S, sum: true }', csv);
    expect([debits.problems, debits.records[0]]).toEqual([
      ['number_unreadable amount ::3'],
      '{"transaction_id":"T1","transaction_date":"2026-01-05","type":"CHARGE"}',
    ]);
    expect((await sums('{ debit: S, credit: H, sum: true }', csv)).problems).toEqual([
      'number_unreadable amount ::3',
      'number_unreadable amount :4:4',
      'number_unreadable amount :5:4',
    ]);
  });

  test('adds up a column that differs from row to row; without `sum` the rows would have to agree', async () => {
    const csv = 'K,B,N\n1,T1,1\n1,T1,2\n';
    expect((await sums('{ column: N, sum: true }', csv)).problems).toEqual([]);
    expect((await sums('N', csv)).problems).toEqual(['rows_not_joined amount :3:3']);
  });

  test('may be in an item, which is made when any of the rows has a value', async () => {
    const items =
      '  tax_items: { items: [{ amount: { column: V, sum: true }, tax_type: { constant: VAT }, value_taxed: { column: N, sum: true }, rate: { constant: 0.2 }, unit_type: { constant: PROPORTION } }] }\n';
    const csv = 'K,B,N,V\n1,T1,,\n1,T1,5,1\n1,T1,10,2\n1,T2,,\n';
    const { records } = await sums('{ column: N, sum: true }', csv, items);
    expect(records[0]).toContain('"tax_items":[{"amount":3,');
    expect(records[0]).toContain('"value_taxed":15');
    expect(records[1]).not.toContain('tax_items');
  });
});

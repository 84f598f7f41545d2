import { describe, expect, test } from 'vitest';
import { mapped } from '../../../support/mapping-files.ts';

const FIELDS = `
fields:
  external_account_number: K
  transaction_id: B
  transaction_date: { constant: '2026-01-05' }
  amount: Betrag
  type: { constant: CHARGE }
`;
const mapping = (rest = ''): string => `version: 1\nresource: transactions\n${rest}${FIELDS}`;

describe('the header of a mapped file', () => {
  test('lacks columns that the mapping names: each is reported, with the nearest name', async () => {
    const { header } = await mapped({ 'm.yaml': mapping(), 'x.csv': 'K,C,Betrga\n1,T1,5\n' }, 'ACME');
    expect(header).toEqual([
      'error mapped_column_missing B',
      'error mapped_column_missing Betrag',
      'warning column_unused C',
      'warning column_unused Betrga',
    ]);
  });

  test('is no header when it has no column of the mapping, so its cells are not repeated', async () => {
    const { header } = await mapped(
      { 'm.yaml': mapping(), 'x.csv': '10010023417,T1,5.00\n1,T2,6.00\n' },
      'ACME',
    );
    expect(header).toEqual([
      'error mapped_column_missing K',
      'error mapped_column_missing B',
      'error mapped_column_missing Betrag',
    ]);
  });

  test('lacks the column of an open question of a draft, which is reported as a question', async () => {
    const text = mapping().replace('amount: Betrag', "amount: 'QUESTION 3'");
    const files = { 'm.yaml': text, 'x.csv': 'K,B\n1,T1\n' };
    expect((await mapped(files, 'ACME')).header).toEqual(['error mapping_question_open QUESTION 3']);
    const filled = { ...files, 'x.csv': 'K,B,QUESTION 3\n1,T1,5\n' };
    expect((await mapped(filled, 'ACME')).header).toEqual([]);
  });

  test.each([
    ['', ['warning column_unused X']],
    ['ignore: [X]\n', []],
    ["ignore: [X, '']\n", []],
    ['ignore: all\n', []],
  ])('has columns that nothing uses, and %j turns off the warning', async (ignore, expected) => {
    const { header } = await mapped(
      { 'm.yaml': mapping(ignore), 'x.csv': 'K,B,Betrag,X,\n1,T1,5,,\n' },
      'ACME',
    );
    expect(header).toEqual(expected);
  });

  test('may repeat a column only if nothing reads it', async () => {
    const read = async (csv: string) =>
      (await mapped({ 'm.yaml': mapping('ignore: all\n'), 'x.csv': csv }, 'ACME')).header;
    expect(await read('K,B,Betrag,F,F\n')).toEqual([]);
    expect(await read('K,B,Betrag,B\n')).toEqual(['error mapped_column_repeated B']);
  });

  test('needs a supplier from a column, a constant or --supplier', async () => {
    const { header } = await mapped({ 'm.yaml': mapping(), 'x.csv': 'K,B,Betrag\n' });
    expect(header).toEqual(['error mapping_supplier_missing']);
  });
});

describe('the supplier', () => {
  const withSupplier = `${mapping()}  import_supplier: S\n`;
  test.each([
    ['of the column', 'ACME', undefined, 'ACME', []],
    ['of the command line, where the cell is empty', '', 'ACME', 'ACME', []],
    ['of both, when they agree', 'ACME', 'ACME', 'ACME', []],
    ['of both, when they differ', 'OTHER', 'ACME', 'OTHER', ['mixed_suppliers import_supplier ::4']],
  ])('%s', async (_, cell, given, supplier, problems) => {
    const result = await mapped({ 'm.yaml': withSupplier, 'x.csv': `K,B,Betrag,S\n1,T1,5,${cell}\n` }, given);
    expect(result.candidates[0]!.account.import_supplier).toBe(supplier);
    expect(result.problems).toEqual(problems);
  });
});

test('a record has its fields in the order of the interface, whatever the order of the mapping', async () => {
  const { records } = await mapped(
    { 'm.yaml': `${mapping()}  note: N\n`, 'x.csv': 'N,Betrag,B,K\nn,5.00,T1,1\n' },
    'ACME',
  );
  expect(records).toEqual([
    '{"transaction_id":"T1","transaction_date":"2026-01-05","amount":5.00,"type":"CHARGE","note":"n"}',
  ]);
});

describe('the filter', () => {
  const csv = 'K,B,Betrag,S\n1,T1,5,STORNO\n1,T2,0.00,\n1,T3,5,\n1,T4,-5,X\n1,T5,x,\n';

  test.each([
    ['[{ column: S, in: [STORNO] }]', ['T2', 'T3', 'T4', 'T5']],
    ['[{ column: S, in: [STORNO] }, { column: Betrag, is: zero }]', ['T3', 'T4', 'T5']],
    ['[[{ column: S, is: present }, { column: Betrag, is: negative }]]', ['T1', 'T2', 'T3', 'T5']],
    ['[{ column: Betrag, is: nonzero }]', ['T2', 'T5']],
    ['[{ field: amount, is: negative }]', ['T1', 'T2', 'T3', 'T5']],
    ["[{ column: B, matches: '[1-4]$' }]", ['T5']],
    ["[{ column: S, in: [''] }]", ['T1', 'T4']],
    ["[{ column: S, not_in: ['', X] }]", ['T2', 'T3', 'T4', 'T5']],
  ])('%s leaves %j', async (filter, left) => {
    const { candidates, filtered } = await mapped(
      { 'm.yaml': mapping(`ignore: all\nfilter: ${filter}\n`), 'x.csv': csv },
      'ACME',
    );
    expect(candidates.map(({ record }) => (record as { transaction_id: string }).transaction_id)).toEqual(
      left,
    );
    expect(filtered).toBe(5 - left.length);
  });

  test('reports a cell that it cannot read, and does not pass the row in silence', async () => {
    const { problems } = await mapped(
      {
        'm.yaml': mapping('ignore: all\nfilter: [{ column: S, is: zero }]\n'),
        'x.csv': 'K,B,Betrag,S\n1,T1,5,0-\n',
      },
      'ACME',
    );
    expect(problems).toEqual(['number_unreadable  ::4']);
  });
});

describe('[C059] the control record', () => {
  const source = (trailer: string): string =>
    `source: { delimiter: ';', decimal_mark: ',', thousands_mark: '.', trailer: { cell: 1, equals: TOTAL, ${trailer} } }\n`;
  const rows = 'K;B;Betrag\n1;T1;1.000,10\n1;T2;-0,10\n';
  const verdict = async (trailer: string, last: string, csv = rows) =>
    (await mapped({ 'm.yaml': mapping(source(trailer)), 'x.csv': `${csv}${last}\n` }, 'ACME')).trailer;

  test.each([
    ['count: 2', 'TOTAL;2', []],
    ['count: 2', 'TOTAL;00002', []],
    ['count: 2', 'TOTAL;3', ['trailer_count_differs  :4:2']],
    ['count: 2', 'TOTAL;x', ['trailer_cell_unreadable  :4:2']],
    ['count: 5', 'TOTAL;2', ['trailer_cell_unreadable  :4:5']],
    ['sums: [{ cell: 3, column: Betrag }]', 'TOTAL;;1.000,00', []],
    ['sums: [{ cell: 3, column: Betrag }]', 'TOTAL;;1000', []],
    ['sums: [{ cell: 3, column: Betrag }]', 'TOTAL;;1.000,01', ['trailer_sum_differs  :4:3']],
    ["sums: [{ cell: 3, column: Betrag, decimal_mark: '.', thousands_mark: ',' }]", 'TOTAL;;1,000.00', []],
    ['sums: [{ cell: 3, column: Betrag, unit: minor }]', 'TOTAL;;100000', []],
    [
      'count: 2, sums: [{ cell: 3, column: Betrag }]',
      'TOTAL;1;2',
      ['trailer_count_differs  :4:2', 'trailer_sum_differs  :4:3'],
    ],
  ])('%s with %s: %j', async (trailer, last, expected) => {
    expect(await verdict(trailer, last)).toEqual(expected);
  });

  test('does not agree when cells of the column are no numbers', async () => {
    expect(
      await verdict('sums: [{ cell: 3, column: Betrag }]', 'TOTAL;;5', 'K;B;Betrag\n1;T1;x\n1;T2;5\n'),
    ).toEqual(['trailer_sum_unreadable  :4:3']);
  });

  test('[C105] the sum of many small amounts is exact', async () => {
    const many = Array.from({ length: 2_500 }, (_, index) => `1;T${index};0,10\n`).join('');
    expect(
      await verdict('sums: [{ cell: 3, column: Betrag }]', 'TOTAL;;250,00', `K;B;Betrag\n${many}`),
    ).toEqual([]);
  });

  test.each([
    ['R$ 1.000,00', "replace: [{ pattern: '^R\\$ ', with: '' }], ", []],
    ['R$ 1.000,01', "replace: [{ pattern: '^R\\$ ', with: '' }], ", ['trailer_sum_differs  :4:2']],
    ['R$ 1.000,00', '', ['trailer_cell_unreadable  :4:2']],
  ])('of %j with %j: %j', async (cell, replace, expected) => {
    expect(await verdict(`${replace}sums: [{ cell: 2, column: Betrag }]`, `TOTAL;${cell}`)).toEqual(expected);
  });

  test.each([
    ['2 lignes sélectionnées.', []],
    ['3 lignes sélectionnées.', ['trailer_count_differs  :4:1']],
  ])('may be a sentence: %s', async (last, expected) => {
    const trailer =
      "{ cell: 1, matches: '^\\d+ lignes', replace: [{ pattern: ' lignes.*', with: '' }], count: 1 }";
    const result = await mapped(
      {
        'm.yaml': mapping(`source: { delimiter: ';', trailer: ${trailer} }\n`),
        'x.csv': `K;B;Betrag\n1;T1;5\n1;T2;5\n${last}\n`,
      },
      'ACME',
    );
    expect(result.trailer).toEqual(expected);
  });

  test.each([
    ['', 'unit: minor, ', '11', []],
    ['', '', '11', []],
    [', unit: minor', 'unit: minor, ', '11', []],
    [', unit: minor', 'unit: minor, ', '0,11', ['trailer_sum_differs  :4:3']],
    [', unit: minor', 'unit: major, ', '0,11', []],
  ])('of a column with%j and a sum with %j says %s: %j', async (field, sum, stated, expected) => {
    const trailer = `trailer: { cell: 1, equals: TOTAL, sums: [{ ${sum}cell: 3, column: Betrag }] }`;
    const rows = field === '' && sum !== '' ? ['0,05', '0,06'] : ['5', '6'];
    const text = mapping(`source: { delimiter: ';', decimal_mark: ',', ${trailer} }\n`).replace(
      'amount: Betrag',
      `amount: { column: Betrag${field} }`,
    );
    const csv = `K;B;Betrag\n1;T1;${rows[0]}\n1;T2;${rows[1]}\nTOTAL;;${stated}\n`;
    expect((await mapped({ 'm.yaml': text, 'x.csv': csv }, 'ACME')).trailer).toEqual(expected);
  });

  test('adds up cells as their field reads them, after its replacements', async () => {
    const trailer = 'trailer: { cell: 1, equals: TOTAL, sums: [{ cell: 3, column: Betrag }] }';
    const text = mapping(`source: { delimiter: ';', ${trailer} }\n`).replace(
      'amount: Betrag',
      () => "amount: { column: Betrag, replace: [{ pattern: '^R\\$ |^-$', with: '' }] }",
    );
    const csv = 'K;B;Betrag\n1;T1;R$ 5\n1;T2;-\n1;T3;6\nTOTAL;;11\n';
    expect((await mapped({ 'm.yaml': text, 'x.csv': csv }, 'ACME')).trailer).toEqual([]);
  });

  test('can count records instead of rows', async () => {
    const trailer = source('count: 2, count_of: records');
    const text = mapping(`${trailer}continuation: { key: [B] }\n`);
    const result = await mapped(
      { 'm.yaml': text, 'x.csv': 'K;B;Betrag\n1;T1;5\n;T1;\n1;T2;6\nTOTAL;2\n' },
      'ACME',
    );
    expect(result.trailer).toEqual([]);
  });
});

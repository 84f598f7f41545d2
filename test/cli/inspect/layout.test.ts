import { describe, expect, test } from 'vitest';
import { inspected, inspectedText } from '../../support/inspected.ts';

describe('the delimiter', () => {
  test.each([
    [',', 'id,name\n1,a\n2,b\n'],
    [';', 'Konto;Betrag\n1;1,50\n2;2,75\n'],
    ['\t', 'id\tname\n1\ta, b\n2\tc, d\n'],
    ['|', 'id|name|x\n1|a;b|1\n2|c;d|2\n'],
    ['||', 'id||name||x\n1||a|b||1\n2||c||\n3||||\n'],
    [';', 'id;name;\n1;a\n2;b\n'],
    [';', 'id;name\n1;a;\n2;b;\n'],
  ])(
    '%j is the character that cuts all rows into equally many cells, under a header',
    async (delimiter, content) => {
      const { layout } = await inspectedText(content);
      expect(layout).toMatchObject({ delimiter, certainty: 'assumed', header: { looksLikeHeader: true } });
    },
  );

  test('is the character that a person names', async () => {
    const { content } = await inspected('a;b,c\n1;2,3\n', { delimiter: ',' });
    expect(content?.layout).toMatchObject({ delimiter: ',', certainty: 'proven', width: 2 });
  });

  test('[C048] stays open when another character is as good', async () => {
    const { layout } = await inspectedText('a;b,c;d\ne;f,g;h\ni;j,k;l\n');
    expect(layout).toMatchObject({ certainty: 'open', delimiter: ';' });
    expect(layout.because).toBe('3 of 3 rows have 3 cells with it, and 3 of 3 rows have 2 cells with ","');
  });

  test('[C049] is the character that a line for Excel names', async () => {
    const { layout } = await inspectedText('sep=;\na;b,c\n1;2,3\n4;5,6\n');
    expect(layout).toMatchObject({ delimiter: ';', header: { line: 2 } });
  });
});

describe('quotation marks', () => {
  test('[C036] follow a backslash where no quotation mark is doubled', async () => {
    const { layout, columns } = await inspectedText('a,b\n"say \\"yes\\" now",1\n"x",2\n');
    expect(layout).toMatchObject({ quote: '"', escape: '\\' });
    expect(columns[0]!.lengths.longest).toBe('say "yes" now'.length);
  });

  test('[C033] are part of the values where they mean inches', async () => {
    const { layout, table } = await inspectedText('pipe;size\nA;12"\nB;14" wide\nC;15"\n');
    expect(layout.quote).toBeNull();
    expect(table.rows).toBe(3);
  });

  test('[C015] that are opened and never closed end the reading, as they end a push', async () => {
    const rows = '"x",1\n'.repeat(50);
    const { layout, table } = await inspectedText(`a,b\n${rows}"open,1\nlast,2\n`);
    expect(layout.quote).toBe('"');
    expect(table).toMatchObject({ rows: 50, stop: { line: 52 } });
  });
});

describe('the header', () => {
  test('[C050] is found below a preamble, padded by a spreadsheet or not', async () => {
    const plain = await inspectedText(
      'Export\nvom 01.02.2025\n\nKonto;Datum;Betrag\n1;01.02.2025;5\n2;02.02.2025;6\n',
    );
    expect(plain.layout.header).toMatchObject({ line: 4, looksLikeHeader: true });
    const padded = await inspectedText('Export;;\nStand;01.02.2025;\nKonto;Datum;Betrag\n1;01.02.2025;5\n');
    expect(padded.layout.header).toMatchObject({ line: 3, looksLikeHeader: true });
  });

  test('[C058] is noticed when it is repeated', async () => {
    const { table } = await inspectedText('a,b\n1,2\na,b\n3,4\n');
    expect(table).toMatchObject({ rows: 2, repeatedHeaders: { count: 1, lines: [3] } });
  });
});

describe('rows', () => {
  test('[C060] rows of another width are counted with their lines', async () => {
    const { table } = await inspectedText('a,b\n1,2\n3\n4,5\n6,7,8\n9,10\n');
    expect(table).toMatchObject({ rows: 5, ragged: { count: 2, lines: [3, 5] } });
  });

  test('[C062] do not include blank lines, [C063] and rows of delimiters only are empty', async () => {
    const { table } = await inspectedText('a,b\n1,2\n\n,\n"x\n\ny",4\n');
    expect(table).toMatchObject({ rows: 3, emptyRows: { count: 1, lines: [4] } });
  });
});

describe('a control record at the end', () => {
  const ROWS = 'Konto;Betrag;Text\n1;1.000,50;a\n2;2,25;b\n';

  test.each([
    [
      '[C059] known by its word, the count and the sum',
      `${ROWS}SUMME;1.002,75;2\n`,
      { cell: 1, equals: 'SUMME', count: 3, sums: [{ cell: 2, column: 'Betrag' }] },
    ],
    [
      'in Japanese',
      `${ROWS}合計;1002,75;\n`,
      { cell: 1, equals: '合計', sums: [{ cell: 2, column: 'Betrag' }] },
    ],
    ['of another width', `${ROWS}T;2\n`, { cell: 1, equals: 'T', count: 2 }],
    ['with zeros before its number of rows', `${ROWS}T;00002\n`, { cell: 1, equals: 'T', count: 2 }],
    [
      'without a word, by its empty cells and the sum',
      `${ROWS};1.002,75;\n`,
      { cell: 1, equals: 'WORD', sums: [{ cell: 2, column: 'Betrag' }] },
    ],
  ])('is %s', async (_, content, keys) => {
    const { table } = await inspectedText(content);
    expect(table.trailer).toMatchObject({ line: 4, keys });
    expect(table.rows).toBe(2);
  });

  test.each(['2,25 CR', '2.25'])('proposes no sum of a column with %s', async (cell) => {
    // The last cell is the sum of the numbers that are read.
    const { table } = await inspectedText(`${ROWS.replace('2,25', cell)}3;3,00;c\nSUMME;1.003,50;\n`);
    expect(table.trailer).toMatchObject({ line: 5, keys: { cell: 1, equals: 'SUMME' } });
    expect(table.trailer!.keys).not.toHaveProperty('sums');
  });

  test('is found behind totals of groups that have its word, by the sum of all rows alone', async () => {
    const groups = 'Konto;Betrag;Text\n1;1.000,50;a\nSumme;1.000,50;\n2;2,25;b\nSumme;2,25;\n';
    expect((await inspectedText(groups)).table).toMatchObject({ rows: 2, trailer: null });
    const { table } = await inspectedText(`${groups}Summe;1.002,75;\n`);
    const keys = { cell: 1, equals: 'Summe', sums: [{ cell: 2, column: 'Betrag' }] };
    expect(table).toMatchObject({ rows: 2, trailer: { line: 6, keys } });
  });

  test.each([
    ['whose sum is one cent off and which has no word', `${ROWS}3;1.002,76;c\n`],
    ['that happens to have the number of rows', `${ROWS}3;2;c\n`],
  ])('is not a row %s', async (_, content) => {
    const { table } = await inspectedText(content);
    expect(table).toMatchObject({ rows: 3, trailer: null });
  });
});

test('rows of totals between the rows are not confused with names that begin like them', async () => {
  const { table } = await inspectedText(
    'Konto;Name;Art;Betrag\n1;a;x;5,00\nSumme 1;;;5,00\n2;b;x;6,00\nSumme 2;;;6,00\nTotal Energies;c;x;7,00\nSummerfield;;;8,00\n3;d;x;9,00\n',
  );
  expect(table.otherLines).toMatchObject([{ word: 'Summe', count: 2, lines: [3, 5] }]);
});

test('[C017] the end mark of DOS is neither a row nor part of the last cell', async () => {
  for (const size of [1, 65_536]) {
    const own = await inspectedText('a,b\n1,2\n\u001A', size);
    expect(own.table).toMatchObject({ rows: 1, trailer: null, ragged: { count: 0 } });
    const last = await inspectedText('a,b\n1,2\n1,2\u001A\u001A', size);
    expect(last.columns[1]).toMatchObject({ filled: 2, numbers: { integers: 2 } });
  }
});

test.each([
  [
    'all lines are 16 bytes long, but not as many characters: repair it first (docs/mapping-recipes.md)',
    '4711   100.50 Ä\n4712    20.00 BC\n4713  3000.25 Ö\n',
  ],
  ['all lines are 15 characters long', '4711   100.50 A\n4712    20.00 B\n4713  3000.25 C\n'],
  ['line 2 draws dashes under the columns', 'ACCOUNT    AMT\n------- ------\n97659831 21.16\n9765 1\n'],
])('columns may be at fixed places where %s', async (because, content) => {
  const { layout } = await inspectedText(content);
  expect(layout).toMatchObject({ delimiter: null, certainty: 'open', because, hasPlaces: true });
});

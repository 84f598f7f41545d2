import { describe, expect, test } from 'vitest';
import type { FixedColumn } from '../../../src/cli/csv/source-format.ts';
import { readAll } from '../../support/push-rows.ts';

const FIXED: readonly FixedColumn[] = [
  { name: 'id', width: 4 },
  { name: null, width: 2 },
  { name: 'name', width: 5 },
  { name: 'sum', width: 3 },
];

async function cellsOf(
  content: string | Uint8Array,
  rightTrimmed = true,
): Promise<readonly (readonly string[])[]> {
  const { rows } = await readAll(content, { format: { fixed: FIXED, rightTrimmed } });
  return rows.map(({ cells }) => cells);
}

test('the names are the header, and every line is a row', async () => {
  const { header, rows } = await readAll('A001--Smith 10\r\nA002--Jones 20\r\n', {
    format: { fixed: FIXED },
  });
  expect(header).toEqual({ kind: 'header', names: ['id', 'name', 'sum'], line: 1 });
  expect(rows).toMatchObject([
    { cells: ['A001', 'Smith', '10'], firstLine: 1, byteStart: 0, byteEnd: 16 },
    { cells: ['A002', 'Jones', '20'], firstLine: 2, byteStart: 16, byteEnd: 32 },
  ]);
});

describe('a line is cut by characters', () => {
  test.each([
    ['with spaces at both ends of cells, which go', ' A1 --  B  1  \n', ['A1', 'B', '1']],
    [
      'with other white space, which stays',
      'A\u00A0\t ..\u00A0Bc  12\t\n',
      ['A\u00A0\t', '\u00A0Bc', '12\t'],
    ],
    ['with quotes and delimiters, which are text', '"A,"--B"C",;;;\n', ['"A,"', 'B"C",', ';;;']],
    ['with characters of two and three bytes', 'Äö€ß--Größe€€€\n', ['Äö€ß', 'Größe', '€€€']],
    ['with characters that are two units of a string', '😀A😀B--😀bcd😀123\n', ['😀A😀B', '😀bcd😀', '123']],
    ['that lost the spaces at its end', 'A001--Bo\n', ['A001', 'Bo', '']],
    ['that is a single character', 'A\n', ['A', '', '']],
    [
      'that is too long, with what is behind it as one more cell',
      'A001--Smith 10XY\n',
      ['A001', 'Smith', '10', 'XY'],
    ],
    ['that is too long by a space', 'A001--Smith 10 \n', ['A001', 'Smith', '10', ' ']],
  ])('%s', async (_, line, cells) => {
    expect(await cellsOf(line.repeat(2))).toEqual([cells, cells]);
  });
});

test('a line that ends inside a column lacks that cell, unless its spaces may have been removed', async () => {
  const cut = 'A001--Smith 1\n'.repeat(2);
  expect(await cellsOf(cut, false)).toEqual([
    ['A001', 'Smith'],
    ['A001', 'Smith'],
  ]);
  expect(await cellsOf(cut)).toEqual([
    ['A001', 'Smith', '1'],
    ['A001', 'Smith', '1'],
  ]);
});

describe('[C016] a last line without a line break', () => {
  test.each([
    ['is whole when all of it is there', 'A001--Smith 10', ['A001', 'Smith', ' 10'.trim()]],
    ['lacks the cells that are not whole', 'A001--Smith 1', ['A001', 'Smith']],
    ['lacks cells that may have been cut', 'A001--Smi', ['A001']],
  ])('%s', async (_, line, cells) => {
    const { rows } = await readAll(line, { format: { fixed: FIXED } });
    expect(rows).toMatchObject([{ cells, endsAtEof: true }]);
  });
});

test('blank lines are skipped and lines before the first are left out', async () => {
  const content = 'KOPF\n\nA001--Smith 10\n\n';
  const { header, rows } = await readAll(content, { format: { fixed: FIXED, skipLines: 1 } });
  expect(header!.line).toBe(2);
  expect(rows).toMatchObject([{ firstLine: 3, byteStart: 5, byteEnd: content.length - 1 }]);
});

describe('[C059] a control record', () => {
  const content = 'A001--Smith 10\nT 00000001 000000000010.00\n';

  test('is cut by columns of its own', async () => {
    const fixed = [
      { name: 'mark', width: 2 },
      { name: 'count', width: 9 },
      { name: 'sum', width: 15 },
    ];
    const trailer = { cell: 1, mark: { equals: 'T' }, fixed };
    const read = await readAll(content, { format: { fixed: FIXED, totals: [trailer] } });
    expect(read.rows).toHaveLength(1);
    expect(read.trailer).toMatchObject({ firstLine: 2, cells: ['T', '00000001', '000000000010.00'] });
  });
});

import { describe, expect, test } from 'vitest';
import type { SourceFormat } from '../../../src/cli/csv/source-format.ts';
import { failureOf } from '../../support/csv-encodings.ts';
import { readAll } from '../../support/push-rows.ts';

/** Names and cells, with their lines, and why reading ended. They are the same in chunks of any size. */
async function readingOf(content: string, format: Partial<SourceFormat>): Promise<readonly unknown[]> {
  const [plain, ...others] = await Promise.all(
    [undefined, 1, 2, 3, 5].map(async (chunkBytes) => {
      const { header, rows, trailer, end } = await readAll(content, { chunkBytes, format });
      return [
        ...(header ? [`${header.line}: ${header.names.join('|')}`] : []),
        ...rows.map(({ firstLine, cells }) => `${firstLine}: ${cells.join('|')}`),
        ...(trailer ? [`${trailer.firstLine}: trailer ${trailer.cells.join('|')}`] : []),
        ...(end ? [failureOf(end)] : []),
      ];
    }),
  );
  for (const other of others) expect(other).toEqual(plain);
  return plain!;
}

describe('[C047] the delimiter is that of the format', () => {
  test.each([';', '\t', '|', '^', '§', '‖', '😀'])('%s', async (delimiter) => {
    const content = ['a', 'b,c\n1', `"x${delimiter}y"\n`].join(delimiter);
    expect(await readingOf(content, { delimiter })).toEqual(['1: a|b,c', `2: 1|x${delimiter}y`]);
  });

  test('the byte of a delimiter may be half of another character in Shift JIS', async () => {
    const content = Buffer.from([0x61, 0x7c, 0x83, 0x7c, 0x0a, 0x31, 0x7c, 0x83, 0x7c, 0x0a]);
    const { header, rows } = await readAll(content, { format: { encoding: 'shift_jis', delimiter: '|' } });
    expect([header!.names, rows[0]!.cells]).toEqual([
      ['a', 'ポ'],
      ['1', 'ポ'],
    ]);
  });
});

describe('the quote is that of the format', () => {
  test('[C040] a single quote', async () => {
    expect(await readingOf(`a,b\n'x,''y''',"2"\n`, { quote: "'", escape: "'" })).toEqual([
      '1: a|b',
      `2: x,'y'|"2"`,
    ]);
  });

  test('none: quotation marks are text', async () => {
    expect(await readingOf('a,b\n"x,5" y\n"\\,z\n', { quote: null, escape: null })).toEqual([
      '1: a|b',
      '2: "x|5" y',
      '3: "\\|z',
    ]);
  });
});

describe('[C036] a backslash before a quote', () => {
  const format: Partial<SourceFormat> = { escape: '\\' };

  test.each([
    ['is removed', String.raw`"x \" y"`, '2: x " y'],
    ['is removed before another one', String.raw`"x \\ y"`, String.raw`2: x \ y`],
    ['is removed before a line break', '"x \\\n y"', '2: x \n y'],
    ['is removed before the delimiter', String.raw`"x \, y"`, '2: x , y'],
    ['may end a cell when it is doubled', String.raw`"x\\"`, '2: x\\'],
  ])('%s', async (_, cell, expected) => {
    expect(await readingOf(`a\n${cell}\n`, format)).toEqual(['1: a', expected]);
  });

  test.each([
    String.raw`"C:\temp"`,
    String.raw`"x","\n"`,
    String.raw`"\N"`,
    String.raw`"\0"`,
    String.raw`x\ty`,
    String.raw`x\,y`,
    String.raw`"x",y\\z`,
    String.raw`\Nx`,
    'x\\',
  ])(
    'is refused outside quotes, and before anything else in quotes, where programs disagree: %s',
    async (cells) => {
      expect(await readingOf(`a\n1\n${cells}\n`, format)).toEqual([
        '1: a',
        '2: 1',
        expect.objectContaining({ line: 3, code: 'quote_misplaced' }),
      ]);
    },
  );

  test.each([String.raw`"x"" y"`, String.raw`"x\"`])('leaves other rules as they are: %s', async (cell) => {
    const [, end] = await readingOf(`a\n${cell}\n`, format);
    expect(end).toMatchObject({ line: 2 });
  });
});

describe('[C050] lines before the header', () => {
  const preamble = 'Export "2024\r\n\r\nfor, ACME\r\n';

  test('are left out, and lines and bytes stay those of the file', async () => {
    const content = `${preamble}a,b\r\n1,2\r\n`;
    for (const chunkBytes of [undefined, 1, 2, 3, 4]) {
      const { header, rows } = await readAll(content, { chunkBytes, format: { skipLines: 3 } });
      expect(header).toMatchObject({ names: ['a', 'b'], line: 4 });
      expect(rows).toMatchObject([{ firstLine: 5, byteStart: content.length - 5, byteEnd: content.length }]);
    }
  });

  test.each([
    ['with LF', 'x\ny\na\n1\n'],
    ['with CR', 'x\ry\ra\r1\r'],
    ['with CRLF', 'x\r\ny\r\na\r\n1\r\n'],
    ['with CR before rows with LF', 'x\ry\ra\n1\n'],
    ['with all of them', 'x\ry\r\na\n1\n'],
    ['that are blank', '\n\na\n1\n'],
  ])('are lines %s', async (_, content) => {
    expect(await readingOf(content, { skipLines: 2 })).toEqual(['3: a', '4: 1']);
  });
});

describe('names of columns in the format', () => {
  const format: Partial<SourceFormat> = { header: ['a', 'b'] };

  test('leave the first row a row of data', async () => {
    expect(await readingOf('1,2\n3,4\n', format)).toEqual(['1: a|b', '1: 1|2', '2: 3|4']);
  });
});

describe('[C059] a control record', () => {
  const total: Partial<SourceFormat> = {
    totals: [{ cell: 1, mark: { equals: 'TOTAL' }, fixed: null }],
  };

  test('is recognized by the text of a cell', async () => {
    expect(await readingOf('a,b\nTOTALS,2\nTOTAL,1,2.00\n', total)).toEqual([
      '1: a|b',
      '2: TOTALS|2',
      '3: trailer TOTAL|1|2.00',
    ]);
  });

  test('is recognized by the beginning of a cell', async () => {
    const trailer = { cell: 2, mark: { matches: '^Summe' }, fixed: null };
    expect(await readingOf('a,b\n1\n,Summe: 5\n', { totals: [trailer] })).toEqual([
      '1: a|b',
      '2: 1',
      '3: trailer |Summe: 5',
    ]);
  });

  test('is recognized by a pattern, such as the last line of a report', async () => {
    const trailer = { cell: 1, mark: { matches: '^\\d+ lignes' }, fixed: null };
    expect(await readingOf('a,b\n1,lignes\n1100 lignes sélectionnées.\n', { totals: [trailer] })).toEqual([
      '1: a|b',
      '2: 1|lignes',
      '3: trailer 1100 lignes sélectionnées.',
    ]);
  });

  test('is data where none is expected', async () => {
    expect(await readingOf('a,b\nTOTAL,2\n', {})).toEqual(['1: a|b', '2: TOTAL|2']);
  });

  test('is read at its place among the rows, so that rows after it are noticed', async () => {
    const { rows, trailer } = await readAll('a,b\n1,2\nTOTAL,1\n3,4\n', { format: total });
    expect([...rows.map(({ firstLine }) => firstLine), trailer!.firstLine]).toEqual([2, 4, 3]);
  });
});

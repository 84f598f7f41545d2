import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readAll, type ReadOptions } from '../../support/push-rows.ts';

const BOM = '\uFEFF';

/** The header with its line and every row with its lines, as `1: a|b`, `2-3: 1|x`. */
async function linesOf(content: string | Uint8Array, options: ReadOptions = {}): Promise<readonly string[]> {
  const { header, rows } = await readAll(content, options);
  return [
    ...(header ? [`${header.line}: ${header.names.join('|')}`] : []),
    ...rows.map(({ firstLine, lastLine, cells }) => `${firstLine}-${lastLine}: ${cells.join('|')}`),
  ];
}

/** Where and why reading ended early. */
async function endOf(content: string | Uint8Array, options: ReadOptions = {}) {
  const { end } = await readAll(content, options);
  const { from_byte: _, ...facts } = end?.problem.facts ?? {};
  return end && { line: end.line, code: end.problem.code, ...facts };
}

/** Line breaks of any kind. */
function linesIn(text: string): number {
  return text.split(/\r\n|\r|\n/).length - 1;
}

describe('a file is read row by row, with the lines of each', () => {
  test.each([
    ['with LF', 'a,b\n1,2\n3,4\n', ['1: a|b', '2-2: 1|2', '3-3: 3|4']],
    ['with CRLF', 'a,b\r\n1,2\r\n3,4\r\n', ['1: a|b', '2-2: 1|2', '3-3: 3|4']],
    ['with a lone CR in quotes', 'a\n"x\ry"\nz\n', ['1: a', '2-3: x\ry', '4-4: z']],
    ['with preamble and comment lines as data [C050, C051]', '# x\na,b\n', ['1: # x', '2-2: a|b']],
    ['without a line break at the end [C014]', 'a,b\n1,2', ['1: a|b', '2-2: 1|2']],
    ['with a byte order mark [C021]', `${BOM}a,b\n1,2\n`, ['1: a|b', '2-2: 1|2']],
    ['with a byte order mark and a quoted header', `${BOM}"a",b\n1,2\n`, ['1: a|b', '2-2: 1|2']],
    ['with a header alone [C002]', 'a,b\n', ['1: a|b']],
    ['with blank lines [C062]', '\n\na,b\n\n1,2\r\n\r\n\n3,4\n\n', ['3: a|b', '5-5: 1|2', '8-8: 3|4']],
    ['with a line of spaces, which is no blank line', 'a,b\n  \n1,2\n', ['1: a|b', '2-2:   ', '3-3: 1|2']],
    ['with a line break in quotes [C037]', 'a,b\n1,"x\ny"\n3,4\n', ['1: a|b', '2-3: 1|x\ny', '4-4: 3|4']],
    ['with CRLF in quotes [C038]', 'a,b\r\n1,"x\r\ny"\r\n3,4\r\n', ['1: a|b', '2-3: 1|x\r\ny', '4-4: 3|4']],
    [
      'with several line breaks in several cells',
      'a,b\n"\n\n","x\r\ny"\n3,4\n',
      ['1: a|b', '2-5: \n\n|x\r\ny', '6-6: 3|4'],
    ],
    ['with a blank line in quotes', 'a\n"x\n\ny"\n\nz\n', ['1: a', '2-4: x\n\ny', '6-6: z']],
    ['with line breaks in the header', '"a\nb",c\n1,2\n', ['1: a\nb|c', '3-3: 1|2']],
    ['with doubled quotes [C035]', 'a\n"say ""hi"""\n', ['1: a', '2-2: say "hi"']],
    ['with quoted and unquoted cells [C064]', 'a,b\n"1",2\n3,"4"\n', ['1: a|b', '2-2: 1|2', '3-3: 3|4']],
    ['with empty cells [C063]', 'a,b\n,\n"",""\n', ['1: a|b', '2-2: |', '3-3: |']],
    [
      'with rows that are too short or too long [C060, C061]',
      'a,b\n1\n1,2,3\n',
      ['1: a|b', '2-2: 1', '3-3: 1|2|3'],
    ],
    ['with spaces around cells', 'a,b\n 1 , 2\n', ['1: a|b', '2-2:  1 | 2']],
    [
      'with other line breaks of Unicode as data [C043]',
      'a\nx\u2028y\u2029z\u0085\v\f\n',
      ['1: a', '2-2: x\u2028y\u2029z\u0085\v\f'],
    ],
    ['with single and curly quotes as data [C040]', "a\n'x'\n“y”\n", ['1: a', "2-2: 'x'", '3-3: “y”']],
    ['with a byte order mark inside, as data [C029]', `a\nx${BOM}y\n`, ['1: a', `2-2: x${BOM}y`]],
    [
      'with prototypes for names [C057]',
      '__proto__,constructor\n1,2\n',
      ['1: __proto__|constructor', '2-2: 1|2'],
    ],
    ['with 0 bytes [C001]', '', []],
    ['with a byte order mark alone [C003]', BOM, []],
    ['with blank lines alone', '\n\r\n\n', []],
  ])('%s', async (_, content, expected) => {
    expect(await linesOf(content)).toEqual(expected);
    for (const bytes of [1, 2, 3, 5]) expect(await linesOf(content, { chunkBytes: bytes })).toEqual(expected);
    expect(await endOf(content)).toBeUndefined();
  });

  test('[C018] a million blank lines cost no more than their bytes', async () => {
    expect(await linesOf(`a\n${'\n'.repeat(1_000_000)}b\n`)).toEqual(['1: a', '1000002-1000002: b']);
  });
});

describe('a file that cannot be read on is reported with the line on which its row begins', () => {
  test.each([
    ['a quote that is never closed [C015]', 'a,b\n1,2\n3,"x\ny,z\n', 3, 'quote_not_closed'],
    ['a quote that is never closed in the header', 'a,"b\n1,2\n', 1, 'quote_not_closed'],
    ['a quote that opens at the very end', 'a,b\n1,2\n3,"', 3, 'quote_not_closed'],
    ['a quote in an unquoted cell [C033]', 'a,b\n1,2\n3,x"y\n', 3, 'quote_misplaced'],
    ['text after a closing quote [C034]', 'a,b\n1,2\n3,"x"y\n', 3, 'quote_misplaced'],
    ['a space after a closing quote', 'a,b\n1,2\n3,"x" \n', 3, 'quote_misplaced'],
    ['a space before the opening quote [C039]', 'a,b\n1,2\n3, "x"\n', 3, 'quote_misplaced'],
    [
      'a quote escaped with a backslash [C036]',
      String.raw`a,b${'\n'}1,2${'\n'}3,"x \" y"${'\n'}`,
      3,
      'quote_misplaced',
    ],
    [
      'rows with line breaks and blank lines before it',
      'a,b\r\n1,"x\r\ny"\r\n\r\n3,"x"y\r\n',
      5,
      'quote_misplaced',
    ],
    ['blank lines before it and nothing after', 'a,b\n\n\n3,"x', 4, 'quote_not_closed'],
  ])('%s', async (_, content, line, code) => {
    expect(await endOf(content)).toEqual({ line, code });
    for (const bytes of [1, 2, 3, 5, 7])
      expect(await endOf(content, { chunkBytes: bytes })).toEqual({ line, code });
  });

  test('the rows before it are read all the same, in chunks of any size', async () => {
    const content = 'a,b\n1,"x\ny"\n3,4\n5,x"y\n7,8\n';
    const before = ['1: a|b', '2-3: 1|x\ny', '4-4: 3|4'];
    expect(await linesOf(content)).toEqual(before);
    for (const bytes of [1, 3, 10]) expect(await linesOf(content, { chunkBytes: bytes })).toEqual(before);
  });

  test('the right line is reported in the middle of a long file', async () => {
    const rows = Array.from({ length: 30_000 }, (_, index) =>
      index % 7 === 0 ? `${index},"x\ny"` : `${index},z`,
    );
    const good = `a,b\n${rows.join('\n')}\n`;
    expect(await endOf(`${good}1,"x"y\n`)).toEqual({
      line: good.split('\n').length,
      code: 'quote_misplaced',
    });
  });
});

describe('the bytes of a row', () => {
  const CONTENTS = [
    'a,b\n1,2\n3,4\n',
    'a,b\r\n1,"x\r\ny"\r\n\r\n3,4\r\n',
    `${BOM}a,b\n1,"€ 😀"\n\n\n3,4`,
    `${BOM}"a\nb",c\r\n1,"é ""q"""\r\n`,
    '\n\na,b\n1\n1,2,3\n',
  ];

  test.each(CONTENTS)('follow those of the header, and together they are the file: %j', async (content) => {
    const bytes = Buffer.from(content);
    for (const chunkBytes of [undefined, 1, 2, 3, 4]) {
      const { header, rows } = await readAll(content, { chunkBytes });
      const slices = rows.map(({ byteStart, byteEnd }) => bytes.subarray(byteStart, byteEnd));
      const before = bytes.subarray(0, rows[0]!.byteStart);
      expect(Buffer.concat([before, ...slices]).toString()).toBe(content);
      expect(before.toString()).toMatch(/[^\n]\r?\n$/);
      expect(before.toString()).toContain(header!.names.at(-1));
      for (const [index, slice] of slices.entries()) {
        expect(slice.toString().replaceAll('""', '"')).toContain(rows[index]!.cells.at(-1));
      }
    }
  });

  test('blank lines belong to the row after them, and blank lines at the end to no row', async () => {
    const content = 'a\n\nb\n\n\n';
    const { rows } = await readAll(content);
    expect(rows.map(({ byteStart, byteEnd }) => content.slice(byteStart, byteEnd))).toEqual(['\nb\n']);
  });
});

test('any cells come back from any chunks as they were written, with lines and bytes that add up', async () => {
  const cell = fc.stringMatching(/^[a-z€😀"\n\r,; ]{0,8}$/u);
  const table = fc
    .record({
      columns: fc.integer({ min: 2, max: 3 }),
      break: fc.constantFrom('\n', '\r\n', '\r'),
      bom: fc.boolean(),
    })
    .chain((shape) =>
      fc.record({
        shape: fc.constant(shape),
        rows: fc.array(fc.array(cell, { minLength: shape.columns, maxLength: shape.columns }), {
          minLength: 1,
          maxLength: 6,
        }),
        chunk: fc.integer({ min: 1, max: 9 }),
      }),
    );
  await fc.assert(
    fc.asyncProperty(table, async ({ shape, rows, chunk }) => {
      const written = rows.map((cells) => cells.map((text) => `"${text.replaceAll('"', '""')}"`).join(','));
      const content = (shape.bom ? BOM : '') + written.map((row) => row + shape.break).join('');
      const { header, rows: read, end } = await readAll(content, { chunkBytes: chunk });
      expect(end).toBeUndefined();
      expect([header!.names, ...read.map(({ cells }) => cells)]).toEqual(rows);
      const bytes = Buffer.from(content);
      const texts = [
        bytes.subarray(0, read[0]?.byteStart),
        ...read.map(({ byteStart, byteEnd }) => bytes.subarray(byteStart, byteEnd)),
      ].map(String);
      expect(texts).toEqual(
        written.map((row, index) => (index === 0 && shape.bom ? BOM : '') + row + shape.break),
      );
      let line = 1 + linesIn(texts[0]!);
      for (const [index, row] of read.entries()) {
        const lines = linesIn(texts[index + 1]!);
        expect([row.firstLine, row.lastLine]).toEqual([line, line + lines - 1]);
        line += lines;
      }
    }),
    { numRuns: 300 },
  );
});

test.each([
  ['the first row', 'a,b\n1,"x', 4],
  ['a row behind a line break in a cell', 'a,b\n"x\ny",2\n3,"x', 12],
  ['a row behind characters of two bytes', 'a,b\nä,ö\n3,"x', 10],
])('a quote that is never closed is reported with the byte at which %s begins', async (_, text, byte) => {
  const { end } = await readAll(text);
  expect(end?.problem.facts).toMatchObject({ from_byte: byte });
});

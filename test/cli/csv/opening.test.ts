import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { delimiterHint } from '../../../src/cli/csv/opening.ts';
import { nextStepOf } from '../../../src/core/error-codes/sentence.ts';
import { failureOf } from '../../support/csv-encodings.ts';
import { readAll, type ReadOptions } from '../../support/push-rows.ts';

const CSV = 'a,b\n1,2\n';

/** Why nothing of the file is read, in chunks of any size. */
async function refusalOf(
  content: Uint8Array | string,
  options: ReadOptions = {},
): Promise<Record<string, string | number>> {
  const { header, rows, end } = await readAll(content, options);
  expect([header, ...rows]).toEqual([undefined]);
  for (const chunkBytes of [1, 2, 3])
    expect((await readAll(content, { ...options, chunkBytes })).end).toEqual(end);
  return { ...failureOf(end) };
}

describe('a file of another kind is refused, with the next step', () => {
  test.each([
    ['[C012] a workbook or an archive', Buffer.from('PK\x03\x04\x14\0\x06\0'), 'a workbook', 'CSV UTF-8'],
    ['[C012] an empty archive', Buffer.from('PK\x05\x06\0\0'), 'a workbook', 'CSV UTF-8'],
    ['[C012] an old workbook', Buffer.from('d0cf11e0a1b11ae10000', 'hex'), 'a workbook', 'CSV UTF-8'],
    ['[C012] gzip under another name', gzipSync(CSV), 'packed with gzip', '.gz'],
    ['[C012] Parquet', Buffer.from('PAR1\x15\x04\x15'), 'Parquet', 'duckdb -csv'],
    [
      '[C012] a database',
      Buffer.from('SQLite format 3\0\x10'),
      'a database of SQLite',
      'sqlite3 -header -csv',
    ],
    ['[C012] a PDF', Buffer.from('%PDF-1.7\n%âãÏÓ\n'), 'a PDF', 'CSV'],
    ['[C013] a web page', Buffer.from('\n <!DOCTYPE html>\n<p>'), 'a web page or XML', 'failed download'],
    ['[C013] a web page without a doctype', Buffer.from('<HTML>\n'), 'a web page or XML', 'failed download'],
    [
      '[C013] XML behind a byte order mark',
      Buffer.from('\uFEFF<?xml version="1.0"?>\n'),
      'a web page or XML',
      'CSV',
    ],
    ['[C013] a JSON object', Buffer.from('{\n  "a": 1}\n'), 'JSON, and not JSON Lines', 'CSV'],
    ['[C013] an empty JSON object', Buffer.from('{}'), 'JSON, and not JSON Lines', 'CSV'],
    ['[C013] a JSON list', Buffer.from(' [{"a": 1}]\n'), 'JSON, and not JSON Lines', 'CSV'],
  ] as const)('%s', async (_, content, kind, advice) => {
    const { line, code, ...facts } = await refusalOf(content);
    expect([line, code]).toEqual([1, 'file_is_no_table']);
    expect(facts['reason']).toContain(`it is ${kind}`);
    expect(nextStepOf('file_is_no_table', facts)).toContain(advice);
  });

  test('an archive is recognized in any encoding', async () => {
    const content = Buffer.from('PK\x03\x04\x14\0\x06\0');
    expect(await refusalOf(content, { format: { encoding: 'windows-1252' } })).toMatchObject({
      code: 'file_is_no_table',
    });
  });

  test('a web page is recognized in UTF-16, too', async () => {
    const content = Buffer.from('\uFEFF<html>', 'utf16le');
    expect(await refusalOf(content, { format: { encoding: 'utf-16le' } })).toMatchObject({
      reason: 'it is a web page or XML',
    });
  });

  test.each(['[Konto],b\n', '{Konto},b\n', '<a>,b\n', 'PK,b\n', '%PDF,b\n'])(
    'a header that only looks a little like it is read: %j',
    async (content) => {
      const { header, end } = await readAll(content);
      expect(end).toBeUndefined();
      expect(header!.names[1]).toBe('b');
    },
  );
});

describe('[C049] a first line for spreadsheets is refused, with the setting that reads it', () => {
  test.each(['sep=;\na;b\n', '"sep=,"\r\na,b\r\n', 'SEP=\t\na\tb\n', 'sep=|'])('%j', async (content) => {
    expect(await refusalOf(content)).toEqual({ line: 1, code: 'separator_line' });
    expect(nextStepOf('separator_line')).toContain('source.skip_lines: 1');
  });

  test('is skipped once the format says so', async () => {
    const { header, rows } = await readAll('sep=;\na;b\n1;2\n', { format: { skipLines: 1, delimiter: ';' } });
    expect([header!.names, rows[0]!.cells]).toEqual([
      ['a', 'b'],
      ['1', '2'],
    ]);
  });
});

describe('an encoding that the first bytes contradict is refused, with the right encoding', () => {
  const differs = (found: string, encoding: string): object => ({
    line: 1,
    code: 'encoding_differs',
    found,
    encoding,
  });
  const bigEndian = (text: string): Buffer => Buffer.from(text, 'utf16le').swap16();

  test.each([
    ['[C022] UTF-16LE with a byte order mark', Buffer.from(`\uFEFF${CSV}`, 'utf16le'), 'utf-8', 'utf-16le'],
    ['[C022] UTF-16BE with a byte order mark', bigEndian(`\uFEFF${CSV}`), 'utf-8', 'utf-16be'],
    ['[C023] UTF-16LE without one', Buffer.from(CSV, 'utf16le'), 'utf-8', 'utf-16le'],
    ['[C023] UTF-16BE without one', bigEndian(CSV), 'windows-1252', 'utf-16be'],
    ['UTF-16 of the other order, with a byte order mark', bigEndian(`\uFEFF${CSV}`), 'utf-16le', 'utf-16be'],
    ['UTF-16 of the other order, without one', Buffer.from(CSV, 'utf16le'), 'utf-16be', 'utf-16le'],
    ['UTF-8 with a byte order mark', Buffer.from(`\uFEFF${CSV}`), 'windows-1252', 'utf-8'],
    ['UTF-8 with a byte order mark', Buffer.from(`\uFEFF${CSV}`), 'utf-16le', 'utf-8'],
  ] as const)('%s', async (_, content, encoding, found) => {
    expect(await refusalOf(content, { format: { encoding } })).toEqual(differs(found, encoding));
    expect(nextStepOf('encoding_differs', { found })).toContain(`source.encoding: ${found}`);
  });

  test.each([
    ['utf-8', Buffer.from(`\uFEFF${CSV}`)],
    ['utf-8, twice', Buffer.from(`\uFEFF\uFEFF${CSV}`)],
    ['utf-16le', Buffer.from(`\uFEFF${CSV}`, 'utf16le')],
    ['utf-16be', bigEndian(`\uFEFF${CSV}`)],
  ] as const)(
    '[C021] a byte order mark of %s itself is left out, and counted in the bytes',
    async (name, content) => {
      const encoding = name === 'utf-8, twice' ? 'utf-8' : name;
      for (const chunkBytes of [undefined, 1, 2, 3]) {
        const { header, rows } = await readAll(content, { chunkBytes, format: { encoding } });
        expect(header!.names).toEqual(['a', 'b']);
        expect(rows).toMatchObject([{ cells: ['1', '2'], byteEnd: content.length }]);
      }
    },
  );

  test('[C028] a single NUL is reported as a NUL', async () => {
    const { end } = await readAll('a,b\n1,\0\n');
    expect(failureOf(end)).toEqual({ line: 2, code: 'nul_byte', byte: 6, encoding: 'utf-8' });
  });
});

describe('[C017] the end mark of DOS is refused', () => {
  test.each([
    ['behind the last line', 'a,b\n1,2\n\x1A', 3, 1, { reading: 'ended' }],
    ['as a last line', 'a,b\r\n1,2\r\n\x1A\r\n', 3, 1, {}],
    ['at the end of the last cell', 'a,b\n1,2\x1A', 2, 0, { reading: 'ended' }],
    ['behind the header', 'a,b\n\x1A', 2, 0, { reading: 'ended' }],
    ['in the header', 'a,b\x1A', 1, 0, { reading: 'ended' }],
  ])('%s', async (_, content, line, rowsBefore, facts) => {
    for (const chunkBytes of [undefined, 1, 2]) {
      const { rows, end } = await readAll(content, { chunkBytes });
      expect(failureOf(end)).toEqual({ line, code: 'dos_end_mark', ...facts });
      expect(rows).toHaveLength(rowsBefore);
    }
  });

  test('in Shift JIS, too', async () => {
    const { end } = await readAll('a,b\n1,2\n\x1A', { format: { encoding: 'shift_jis' } });
    expect(failureOf(end)).toMatchObject({ line: 3, code: 'dos_end_mark' });
  });

  test('inside a file it is data', async () => {
    expect((await readAll('a,b\n1,\x1A\n2,3\n')).rows[0]!.cells).toEqual(['1', '\x1A']);
  });
});

describe('[C017] the end mark of DOS is left out when the format says that the file has one', () => {
  test.each<readonly [string, string, readonly string[]]>([
    ['behind the last line', 'a,b\n1,2\n\x1A', ['1|2']],
    ['as a last line', 'a,b\r\n1,2\r\n\x1A\r\n', ['1|2']],
    ['at the end of the last cell', 'a,b\n1,2\x1A', ['1|2']],
    ['behind a quoted cell', 'a,b\n1,"2"\x1A', ['1|2']],
    ['that fills up a block', `a,b\n1,2\n${'\x1A'.repeat(300)}`, ['1|2']],
    ['behind the header', 'a,b\n\x1A', []],
    ['and none where there is none', 'a,b\n1,2\n', ['1|2']],
    ['and not where text follows', 'a,b\n1,\x1A\n2,\x1A\x1Ax\n\x1A', ['1|\x1A', '2|\x1A\x1Ax']],
  ])('%s', async (_, content, expected) => {
    for (const chunkBytes of [undefined, 1, 2, 3, 5]) {
      const { rows, end } = await readAll(content, { chunkBytes, format: { endMark: true } });
      expect(end).toBeUndefined();
      expect(rows.map(({ cells }) => cells.join('|'))).toEqual(expected);
    }
  });

  test('in fixed columns', async () => {
    const fixed = [{ name: 'a', width: 2 }];
    const { rows } = await readAll('12\n34\x1A', { format: { fixed, header: ['a'], endMark: true } });
    expect(rows.map(({ cells }) => cells)).toEqual([['12'], ['34']]);
  });

  test('rows behind a mark are rows, and a line with only a mark is refused', async () => {
    const { rows, end } = await readAll('a\n1\n\x1A\n2\n', { format: { endMark: true } });
    expect(rows).toHaveLength(1);
    expect(failureOf(end)).toEqual({ line: 3, code: 'dos_end_mark' });
  });
});

describe('the hint at the delimiter, for a header that is one cell', () => {
  test.each([
    ['[C047] semicolons', ['a;b;c'], '";"'],
    ['[C047] tabs', ['a\tb'], String.raw`"\t"`],
    ['[C047] bars', ['a|b'], '"|"'],
    ['[C047] commas, where the mapping names another delimiter', ['a,b'], '","'],
    ['the character that occurs most', ['a;b;c|d'], '";"'],
    ['[C048] both of a tie', ['a;b|c'], '";" or "|"'],
    ['[C048] all of a tie', ['a;b|c\td'], String.raw`";" or "\t" or "|"`],
    ['nothing for a single name', ['units'], undefined],
    ['nothing for several names', ['a;b', 'c'], undefined],
    ['nothing for no name', [], undefined],
  ])('%s', (_, names, expected) => {
    expect(delimiterHint(names)).toBe(expected);
  });
});

import { describe, expect, test } from 'vitest';
import { inspected, inspectedText } from '../../support/inspected.ts';

/** Text in which every character up to U+00FF is one byte. */
function bytes(text: string): Buffer {
  return Buffer.from(text, 'latin1');
}

/** Katakana and kanji of a Japanese export: 金額 is 8B E0 8A 7A, アイ is 83 41 83 43. */
const SHIFT_JIS = bytes('id,\x8B\xE0\x8Az\n1,\x83A\x83C\n2,\x83A\x83C\x83A\n');
/** The same text in EUC-JP: 金額 is B6 E2 B3 DB, アイ is A5 A2 A5 A4. */
const EUC_JP = bytes('id,\xB6\xE2\xB3\xDB\n1,\xA5\xA2\xA5\xA4\n2,\xA5\xA2\xA5\xA4\xA5\xA2\n');

const UTF16 = Buffer.from('id,name\n1,Zürich\n2,Bern\n', 'utf16le');

describe('the encoding of a file', () => {
  test.each([
    [
      'is UTF-8 when every byte is ASCII',
      Buffer.from('a,b\n1,2\n'),
      'utf-8',
      'proven',
      'every byte is ASCII',
    ],
    [
      'is UTF-8 when all of it is',
      Buffer.from('a,b\nMüller,ß\n'),
      'utf-8',
      'proven',
      'all 2 characters beyond ASCII',
    ],
    [
      '[C021] is UTF-8 with a mark',
      Buffer.from('\uFEFFa,b\n1,ü\n'),
      'utf-8',
      'proven',
      'byte order mark, and all 1 ',
    ],
    [
      '[C022] is UTF-16 with a mark',
      Buffer.concat([Buffer.from([0xff, 0xfe]), UTF16]),
      'utf-16le',
      'proven',
      'mark',
    ],
    ['[C023] is UTF-16 by its NULs', UTF16, 'utf-16le', 'assumed', 'NULs are almost only at the second byte'],
    [
      'is UTF-16 big-endian by its NULs',
      Buffer.from(UTF16).swap16(),
      'utf-16be',
      'assumed',
      'the first byte',
    ],
    [
      '[C024] is Windows-1252 with its quotes',
      bytes('a,b\nit\x92s,1\n'),
      'windows-1252',
      'assumed',
      '80–9F (1 of them)',
    ],
    [
      'is assumed where three read it alike',
      bytes('a,b\nM\xFCller,1\n'),
      'windows-1252',
      'assumed',
      'every byte of it alike',
    ],
    ['stays open where A4 may be €', bytes('a,b\n5 \xA4,1\n'), 'windows-1252', 'open', 'A4 is ¤ or €'],
    ['stays open for umlauts of DOS', bytes('a,b\nM\x84rz,1\n'), 'windows-1252', 'open', 'DOS code pages'],
    ['is none where a byte has no character', bytes('a,b\nM\x81ller,1\n'), null, 'open', 'DOS code pages'],
    ['is Shift_JIS with kana and kanji', SHIFT_JIS, 'shift_jis', 'assumed', '7 kana and kanji'],
    ['is EUC-JP with kana and kanji', EUC_JP, 'euc-jp', 'assumed', '7 kana and kanji'],
    [
      '[C032] stays open when it is mixed',
      Buffer.concat([Buffer.from('a,b\nä,ö\nü,ß\n'), bytes('\xFC,1\n')]),
      'utf-8',
      'open',
      'byte 16 on line 4',
    ],
  ])('%s', async (_, content, name, certainty, because) => {
    const { encoding } = await inspectedText(content);
    expect(encoding).toMatchObject({ name, certainty });
    expect(encoding.because).toContain(because);
  });

  test('German text is not Shift_JIS, although its bytes are valid there', async () => {
    // ä before c is a kanji in Shift_JIS. Here it is between Latin letters.
    const { encoding } = await inspectedText(bytes('a,b\nB\xE4cker,1\n'));
    expect(encoding.name).toBe('windows-1252');
    expect(encoding.candidates.find(({ name }) => name === 'shift_jis')).toEqual({
      name: 'shift_jis',
      possible: false,
      because: '1 kana and kanji, of which 1 are beside small Latin letters',
    });
  });

  test('comes with the first three foreign bytes and the character of each in every encoding', async () => {
    const { encoding } = await inspectedText(bytes('a,b\n5 \xA4,\xFC\n\xE9,1\n\xE8,1\n'));
    expect(encoding.places).toEqual([
      {
        line: 2,
        byte: 6,
        hex: 'A4',
        readings: expect.objectContaining({ 'windows-1252': '¤', 'iso-8859-15': '€' }),
      },
      { line: 2, byte: 8, hex: 'FC', readings: expect.objectContaining({ 'iso-8859-1': 'ü' }) },
      { line: 3, byte: 10, hex: 'E9', readings: expect.objectContaining({ 'iso-8859-1': 'é' }) },
    ]);
  });

  test.each([1, 2, 3, 5])('[C026] is found the same in chunks of %i bytes', async (size) => {
    for (const content of [SHIFT_JIS, EUC_JP, UTF16, Buffer.from('a,b\nü€𝄞,1\n')]) {
      const whole = await inspectedText(content);
      const cut = await inspectedText(content, size);
      expect(cut).toEqual(whole);
    }
  });

  test('[C025] is found from the whole file: one byte in the last row decides against UTF-8', async () => {
    const rows = 'a,ü\n'.repeat(20_000);
    expect((await inspectedText(Buffer.from(`x,y\n${rows}`))).encoding.name).toBe('utf-8');
    const { encoding } = await inspectedText(Buffer.concat([Buffer.from(`x,y\n${rows}`), bytes('\xFC,1\n')]));
    expect(encoding).toMatchObject({ certainty: 'open' });
    expect(encoding.because).toContain('on line 20002');
  });
});

test.each([
  ['[C001] nothing', Buffer.alloc(0), 'empty'],
  ['[C012] a workbook', Buffer.from('PK\x03\x04rest'), 'zip'],
  ['[C012] Parquet', Buffer.from('PAR1\x15\x04\x15'), 'parquet'],
  ['[C012] a database', Buffer.from('SQLite format 3\0\x10'), 'sqlite'],
  ['an old workbook', bytes('\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1'), 'ole'],
  ['a PDF', Buffer.from('%PDF-1.7\n'), 'pdf'],
  ['gzip without its name', Buffer.from([0x1f, 0x8b, 8, 0]), 'gzip'],
  ['control characters', Buffer.from(Array.from({ length: 300 }, (_, at) => at % 32)), 'binary'],
])('%s is no text', async (_, content, binary) => {
  expect(await inspected(content)).toMatchObject({ binary, content: null });
});

test.each([
  ['[C013] HTML', '<!DOCTYPE html>\n<html></html>\n', 'html'],
  ['XML', '<?xml version="1.0"?>\n', 'xml'],
  ['JSON', '[{"a": 1}]\n', 'json'],
  ['a header in brackets', '[Konto],[Betrag]\n1,2\n', null],
])('%s is not taken for a table', async (_, content, markup) => {
  expect((await inspectedText(content)).markup).toBe(markup);
});

test.each([
  ['[C031] text that was encoded twice', 'a,b\nBÃ¤cker,Â£5\n', 'doubleEncoded', 2],
  ['text that was not', 'a,b\nSÃO PAULO,Â\n', 'doubleEncoded', 0],
  ['[C030] characters that were lost', 'a,b\nM\uFFFDller,1\n', 'replacementCharacters', 1],
  ['[C029] a mark in the middle', 'a,b\nx\uFEFFy,1\n', 'innerByteOrderMarks', 1],
  ['[C028] NULs', `a,b\n${'x,1\n'.repeat(100)}x\0,1\n`, 'nulls', 1],
  ['control characters', `a,b\n${'x,1\n'.repeat(100)}\u0007,1\n`, 'controlCharacters', 1],
] as const)('%s: counted with lines', async (_, content, what, count) => {
  const { text } = await inspectedText(content);
  expect(text[what].count).toBe(count);
  expect(text[what].lines.length).toBe(Math.min(count, 1));
});

test('[C017] 0x1A is reported at the end of a file, and only there', async () => {
  const rows = 'a,b\n' + '1,2\n'.repeat(100);
  expect((await inspected(`${rows}\u001A`)).endsWithSubstitute).toBe(true);
  expect((await inspected(rows)).endsWithSubstitute).toBe(false);
});

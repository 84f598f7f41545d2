import { describe, expect, test } from 'vitest';
import { ENCODINGS, SOURCE_ENCODINGS as ALL, type SourceEncoding } from '../../../src/cli/csv/encodings.ts';
import { failureOf, inEncoding } from '../../support/csv-encodings.ts';
import { readAll } from '../../support/push-rows.ts';

/** Text that each encoding can write, with characters of every length it has. */
const TEXTS: Readonly<Record<SourceEncoding, string>> = {
  'utf-8': 'aé€😀',
  'windows-1252': 'aé€’ŸÿŽ',
  'iso-8859-1': 'aé£ÿ\u00A0',
  'iso-8859-15': 'aé€ŠšŽžŒœŸ',
  'windows-1250': 'aąćęłńóśźżĄŁŻ€˙',
  'iso-8859-2': 'aąćęłńóśźżĄŁŻ˙',
  'windows-1251': 'aжЯёЁ№я',
  'windows-1253': 'aΆλώ€Ώ',
  'windows-1254': 'ağİışŞÿ',
  'windows-1257': 'aąčęšūž€˙',
  'windows-1255': 'aשלוםְ€',
  'windows-1256': 'aمرحبا€چ',
  'windows-1258': 'aăđơư€',
  'windows-874': 'aสวัสดี€',
  'iso-8859-5': 'aжЯёЁ№я',
  'iso-8859-7': 'aΆλώΏ',
  'koi8-r': 'aжЯёЁя',
  'koi8-u': 'aжЯїЄґ',
  ibm866: 'aжЯёЁ№я',
  macintosh: 'aéß€œˇ',
  'utf-16le': 'aé€😀上Ċഊ',
  'utf-16be': 'aé€😀上Ċഊ',
  shift_jis: 'aｱ表示ソ能ー|',
  'euc-jp': 'aｱ表示ソ能ー',
  'euc-kr': 'a한국어漢',
  gbk: 'a客户銀€',
  big5: 'a許功蓋用戶',
};

describe.each(ALL)('%s', (encoding) => {
  const text = TEXTS[encoding];
  const source = `kopf,${text}\r\n1,"${text}\n${text}"\r\n\r\n${text},"${text},"\r\n2,\r\n`;

  test('is read, with the lines and bytes of the file, wherever the chunks are cut', async () => {
    const content = inEncoding(source, encoding);
    const lines = source.match(/[^]*?\r\n(?=[^\r]|$)/g)!;
    expect(lines).toHaveLength(4);
    for (const chunkBytes of [undefined, 1, 2, 3, 4, 5, 7]) {
      const { header, rows, end } = await readAll(content, { chunkBytes, format: { encoding } });
      expect(end).toBeUndefined();
      expect(header).toEqual({ kind: 'header', names: ['kopf', text], line: 1 });
      expect(rows.map(({ cells }) => cells)).toEqual([
        ['1', `${text}\n${text}`],
        [text, `${text},`],
        ['2', ''],
      ]);
      expect(rows.map(({ firstLine, lastLine }) => [firstLine, lastLine])).toEqual([
        [2, 3],
        [5, 5],
        [6, 6],
      ]);
      for (const [index, { byteStart, byteEnd }] of rows.entries()) {
        const own = index === 1 ? `\r\n${lines[2]}` : lines[index + 1]!.replace(/\r\n\r\n$/, '\r\n');
        expect(content.subarray(byteStart, byteEnd)).toEqual(
          inEncoding(own.replace(/^(\r\n)+/, '\r\n'), encoding),
        );
      }
    }
  });

  test.each([-4, -3, -2, -1, 0])(
    'keeps characters whole at the edge of what is read at once, %i',
    async (shift) => {
      const unit = ENCODINGS[encoding].unit;
      const start = 'a\n';
      const before = Math.floor((256 * 1024 + shift) / unit) - start.length;
      const cell = `${'x'.repeat(before)}${text}`;
      const content = inEncoding(`${start}${cell}\n${text}\n`, encoding);
      const { rows, end } = await readAll(content, { format: { encoding } });
      expect(end).toBeUndefined();
      expect(rows.map(({ cells }) => cells[0])).toEqual([cell, text]);
      expect(rows.at(-1)!.byteEnd).toBe(content.length);
    },
  );

  test('[C028] has no NUL', async () => {
    const before = `a,b\n1,${text}`;
    const content = inEncoding(`${before}\0x\n`, encoding);
    const byte = inEncoding(before, encoding).length;
    for (const chunkBytes of [undefined, 1, 2, 3]) {
      const { end } = await readAll(content, { chunkBytes, format: { encoding } });
      expect(failureOf(end)).toEqual({ line: 2, code: 'nul_byte', byte, encoding });
    }
  });
});

test('rows keep their bytes where long characters of the file become short ones and the other way round', async () => {
  // é has three bytes in EUC-JP and two in UTF-8, and 表 two and three: together as many here as there.
  const lines = [[0x61], [0x8f, 0xab, 0xb1], [0xc9, 0xbd]].map((line) => Buffer.from([...line, 0x0a]));
  const { rows } = await readAll(Buffer.concat(lines), { format: { encoding: 'euc-jp' } });
  expect(rows.map(({ cells, byteStart, byteEnd }) => [cells, byteStart, byteEnd])).toEqual([
    [['é'], 2, 6],
    [['表'], 6, 9],
  ]);
});

describe('bytes that are no character of the encoding are refused with their byte and line', () => {
  test.each<readonly [string, SourceEncoding, readonly number[], number]>([
    ['[C024] Windows-1252 has no byte 81', 'windows-1252', [0x81], 0],
    ['Windows-1252 has no byte 8D', 'windows-1252', [0x8d], 0],
    ['Windows-1252 has no byte 8F', 'windows-1252', [0x8f], 0],
    ['Windows-1252 has no byte 90', 'windows-1252', [0x90], 0],
    ['Windows-1252 has no byte 9D', 'windows-1252', [0xe9, 0x9d], 1],
    ['[C024] an apostrophe of Windows-1252 is not ISO 8859-1', 'iso-8859-1', [0x92], 0],
    ['the byte 80 is not ISO 8859-1', 'iso-8859-1', [0xe9, 0x80], 1],
    ['a euro sign of Windows-1252 is not ISO 8859-15', 'iso-8859-15', [0x80], 0],
    ['Windows-1250 has no byte 83', 'windows-1250', [0xb9, 0x83], 1],
    ['Windows-1251 has no byte 98', 'windows-1251', [0x98], 0],
    ['Windows-1253 has no byte AA', 'windows-1253', [0xe1, 0xaa], 1],
    ['Windows-1253 has no byte D2', 'windows-1253', [0xd2], 0],
    ['Windows-1254 has no byte 9E', 'windows-1254', [0x9e], 0],
    ['Windows-1257 has no byte A1', 'windows-1257', [0xa1], 0],
    ['a euro sign of Windows-1250 is not ISO 8859-2', 'iso-8859-2', [0x80], 0],
    ['the letter ś of Windows-1250 is not ISO 8859-2', 'iso-8859-2', [0xb3, 0x9c], 1],
    ['Shift JIS has no byte 80', 'shift_jis', [0x80], 0],
    ['Shift JIS has no byte A0', 'shift_jis', [0x95, 0x5c, 0xa0], 2],
    ['a character of Shift JIS does not end with a line', 'shift_jis', [0x95], 0],
    ['a character of Shift JIS has no such second byte', 'shift_jis', [0xb1, 0x95, 0x7f], 1],
    ['EUC-JP has no byte 80', 'euc-jp', [0x80], 0],
    ['a character of EUC-JP does not end with a line', 'euc-jp', [0xc9, 0xbd, 0xc9], 2],
    ['a character of EUC-JP has no such second byte', 'euc-jp', [0xc9, 0x41], 0],
    ['a character of EUC-KR does not end with a line', 'euc-kr', [0xb0, 0xa1, 0xb0], 2],
    ['a syllable beyond EUC-KR is not read', 'euc-kr', [0x8c, 0x63], 0],
    ['a character of GBK does not end with a line', 'gbk', [0xbf, 0xcd, 0xbb], 2],
    ['a character of Big5 has no such second byte', 'big5', [0xa4, 0x7c, 0xa4, 0x7f], 2],
    ['Thai has no byte DB', 'windows-874', [0xa1, 0xdb], 1],
    ['Hebrew has no byte FF', 'windows-1255', [0xf9, 0xff], 1],
  ])('%s', async (_, encoding, bytes, at) => {
    const before = Buffer.from('a,b\r\n1,2\r\n3,x');
    const content = Buffer.concat([before, Buffer.from(bytes), Buffer.from('\r\n5,6\r\n')]);
    for (const chunkBytes of [undefined, 1, 2, 3, 4]) {
      const { end, rows } = await readAll(content, { chunkBytes, format: { encoding } });
      const byte = before.length + at;
      expect(failureOf(end)).toEqual({ line: 3, code: 'encoding_invalid', byte, encoding });
      expect(rows.map(({ cells }) => cells)).toEqual([['1', '2']]);
    }
  });

  const units = (text: string, ...values: readonly number[]): Buffer =>
    Buffer.concat([Buffer.from(text, 'utf16le'), Buffer.from(Uint16Array.from(values).buffer)]);
  const START = 'a\r\n1\r\nx';
  test.each<readonly [string, Buffer]>([
    ['a first half of a pair before another character', units(START, 0xd83d, 0x61, 0x0a)],
    ['a first half of a pair before another one', units(START, 0xd83d, 0xd83d, 0xde00)],
    ['a second half of a pair alone', units(START, 0xde00, 0x0a)],
    ['half of a pair at the end', units(START, 0xd83d)],
    ['an odd byte at the end', Buffer.concat([units(START), Buffer.from([0x61])])],
    ['half of a pair and an odd byte at the end', Buffer.concat([units(START, 0xd83d), Buffer.from([0x3d])])],
  ])('UTF-16 has no %s', async (_, content) => {
    const swapped = Buffer.from(content);
    for (let at = 0; at + 1 < swapped.length; at += 2) swapped.subarray(at, at + 2).swap16();
    const byte = START.length * 2;
    for (const chunkBytes of [undefined, 1, 2, 3, 4]) {
      const little = await readAll(content, { chunkBytes, format: { encoding: 'utf-16le' } });
      expect(failureOf(little.end)).toEqual({
        line: 3,
        code: 'encoding_invalid',
        byte,
        encoding: 'utf-16le',
      });
      const big = await readAll(swapped, { chunkBytes, format: { encoding: 'utf-16be' } });
      expect(failureOf(big.end)).toEqual({ line: 3, code: 'encoding_invalid', byte, encoding: 'utf-16be' });
    }
  });
});

describe('the tables', () => {
  const every = Array.from({ length: 256 }, (_, byte) => Buffer.of(byte));
  const decode = (encoding: SourceEncoding, bytes: Buffer): string | undefined =>
    ENCODINGS[encoding].toUtf8(bytes)?.toString();

  test.each<readonly [SourceEncoding, string]>([['windows-1252', 'windows-1252']])(
    '%s agrees with the decoder of Node, except for bytes that are no character',
    (encoding, label) => {
      const platform = new TextDecoder(label);
      const differing = every.filter((bytes) => decode(encoding, bytes) !== platform.decode(bytes));
      expect(differing.map((bytes) => bytes[0]!).every((byte) => byte >= 0x80 && byte <= 0x9f)).toBe(true);
      expect(differing.every((bytes) => decode(encoding, bytes) === undefined)).toBe(true);
      expect(differing).toHaveLength(encoding === 'windows-1252' ? 5 : 32);
    },
  );

  // Written down by hand, so that a change of Node's decoders is noticed.
  test.each<readonly [SourceEncoding, string, string]>([
    ['windows-1252', '80 8A 9C A4 B3 B9 E6 EA FF', '€Šœ¤³¹æêÿ'],
    ['windows-1250', 'B9 E6 EA B3 F1 F3 9C 9F BF', 'ąćęłńóśźż'],
    ['windows-1250', 'A5 C6 CA A3 D1 D3 8C 8F AF', 'ĄĆĘŁŃÓŚŹŻ'],
    ['windows-1250', '80 84 94 96 8A 9A 8D F8 F9', '€„”–ŠšŤřů'],
    ['iso-8859-2', 'B1 E6 EA B3 F1 F3 B6 BC BF', 'ąćęłńóśźż'],
    ['iso-8859-2', 'A1 C6 CA A3 D1 D3 A6 AC AF', 'ĄĆĘŁŃÓŚŹŻ'],
    ['windows-1251', 'C0 DF E0 FF A8 B8 B9 88', 'АЯаяЁё№€'],
    ['windows-1253', '80 A2 C1 D9 E1 F2 F9 FE', '€ΆΑΩαςωώ'],
    ['windows-1254', '80 D0 DD DE F0 FD FE', '€ĞİŞğış'],
    ['windows-1257', '80 E0 E8 E6 EB F0 F8 FE', '€ąčęėšųž'],
    ['macintosh', '80 8A 9F A7 CF D2 DB DE F5', 'Ääüßœ“€ﬁı'],
    ['windows-1255', 'E0 E9 F9 FA', 'אישת'],
    ['windows-1256', 'C7 E1 ED', 'الي'],
    ['windows-874', 'A1 E4 80', 'กไ€'],
    ['koi8-r', 'EB CC C9 A3', 'Клиё'],
    ['ibm866', '8A AB E2 F1', 'Клтё'],
    ['gbk', 'BF CD BB A7', '客户'],
    ['big5', 'A5 CE A4 E1 B3 5C A5 5C', '用戶許功'],
    ['euc-kr', 'B0 ED B0 B4', '고객'],
  ])('%s reads the bytes %s as %s', (encoding, bytes, text) => {
    expect(decode(encoding, Buffer.from(bytes.replaceAll(' ', ''), 'hex'))).toBe(text);
  });

  test.each<readonly [SourceEncoding, number]>([
    ['windows-1250', 5],
    ['iso-8859-2', 32],
    ['windows-1251', 1],
    ['windows-1253', 17],
    ['windows-1254', 7],
    ['windows-1257', 12],
    ['macintosh', 0],
    ['windows-1256', 0],
    ['windows-874', 31],
    ['koi8-r', 0],
    ['ibm866', 0],
  ])('%s refuses %i bytes and reads each of the others as another character', (encoding, refused) => {
    const texts = every.flatMap((bytes) => decode(encoding, bytes) ?? []);
    expect(texts).toHaveLength(256 - refused);
    expect(new Set(texts).size).toBe(texts.length);
    expect(texts.filter((text) => /[\x80-\x9F\uFFFD]/.test(text))).toEqual([]);
  });
});

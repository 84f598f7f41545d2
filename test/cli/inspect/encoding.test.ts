import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { conversionOf } from '../../../src/cli/inspect/bytes/encoding-finding.ts';
import { fakeIo, runCli } from '../../support/cli-io.ts';
import { inEncoding } from '../../support/csv-encodings.ts';
import { drafted, loadedDraft } from '../../support/drafted.ts';
import { inspected, inspectedText } from '../../support/inspected.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** Text in which every character up to U+00FF is one byte. */
function bytes(text: string): Buffer {
  return Buffer.from(text, 'latin1');
}

const UTF16 = Buffer.from('id,name\n1,Zürich\n2,Bern\n', 'utf16le');

describe('the encoding of a file is decided', () => {
  test.each([
    ['by ASCII', Buffer.from('a,b\n1,2\n'), 'utf-8', 'well-formed UTF-8'],
    ['by UTF-8', Buffer.from('a,b\nMüller,ß\n'), 'utf-8', 'well-formed UTF-8'],
    ['[C021] by the mark of UTF-8', Buffer.from('\uFEFFa,b\n1,ü\n'), 'utf-8', 'byte order mark'],
    ['by two marks of UTF-8', Buffer.from('\uFEFF\uFEFFa,b\n1,2\n'), 'utf-8', 'byte order mark'],
    ['[C022] by the mark of UTF-16', Buffer.concat([Buffer.of(0xff, 0xfe), UTF16]), 'utf-16le', 'mark'],
    ['[C023] by NULs on one side', UTF16, 'utf-16le', 'NULs are only at one byte'],
    ['by NULs on the other side', Buffer.from(UTF16).swap16(), 'utf-16be', 'NULs are only at one byte'],
  ])('%s', async (_, content, name, because) => {
    for (const chunkBytes of [undefined, 1, 2, 3, 5]) {
      const { encoding } = await inspectedText(content, chunkBytes);
      expect(encoding).toMatchObject({ name, certainty: 'proven', candidates: [] });
      expect(encoding.because).toContain(because);
    }
    const { questions } = await drafted('notes', content);
    expect(questions.filter((question) => question.includes('encoding'))).toEqual([]);
  });
});

const HEADER = 'external_account_number,body,created_at\n';
const row = (text: string): string => `1,${text},2026-01-01T00:00:00Z\n`;

/** Files with words that a person recognizes. `bytes`: encodings that the reader does not have, as their bytes. */
const LEGACY: readonly (readonly [name: string, content: Buffer, right: string | null])[] = [
  // Señor Núñez pidió, dirección
  ['cp850', bytes(HEADER + row('Se\xA4or N\xA3\xA4ez pidi\xA2') + row('direcci\xA2n')), null],
  // Zähler geprüft, Straße
  ['cp437', bytes(HEADER + row('Z\x84hler gepr\x81ft') + row('Stra\xE1e')), null],
  // Výměna, částka, účet zřízen
  ['cp852', bytes(HEADER + row('V\xECm\xD8na') + row('\x9F\xA0stka') + row('\xA3\x9Fet z\xFD\xA1zen')), null],
  [
    'windows-1252',
    inEncoding(HEADER + row('Zähler geprüft – Straße') + row('5 €'), 'windows-1252'),
    'Straße',
  ],
  [
    'windows-1250',
    inEncoding(HEADER + row('Výměna') + row('částka') + row('účet zřízen'), 'windows-1250'),
    'Výměna',
  ],
  ['windows-1254', inEncoding(HEADER + row('Doğan Işık') + row('ödeme'), 'windows-1254'), 'Doğan'],
  ['iso-8859-15', inEncoding(HEADER + row('relevé estimé') + row('5 €'), 'iso-8859-15'), '€'],
  ['macintosh', inEncoding(HEADER + row('Zähler geprüft') + row('Straße'), 'macintosh'), 'Straße'],
  [
    'windows-1251',
    inEncoding(HEADER + row('Клиент просит отсрочку') + row('Новый адрес'), 'windows-1251'),
    'отсрочку',
  ],
  ['koi8-r', inEncoding(HEADER + row('Клиент просит отсрочку') + row('Новый адрес'), 'koi8-r'), 'отсрочку'],
  ['ibm866', inEncoding(HEADER + row('Клиент просит отсрочку') + row('Новый адрес'), 'ibm866'), 'отсрочку'],
  [
    'windows-1253',
    inEncoding(HEADER + row('Ο πελάτης τηλεφώνησε') + row('Αλλαγή'), 'windows-1253'),
    'τηλεφώνησε',
  ],
  [
    'windows-1255',
    inEncoding(HEADER + row('הלקוח התקשר בעניין החשבון') + row('המונה הוחלף'), 'windows-1255'),
    'החשבון',
  ],
  [
    'windows-1256',
    inEncoding(HEADER + row('اتصل العميل بشأن الفاتورة') + row('تم استبدال العداد'), 'windows-1256'),
    'الفاتورة',
  ],
  ['windows-874', inEncoding(HEADER + row('ลูกค้าโทร') + row('เปลี่ยนมิเตอร์'), 'windows-874'), 'เปลี่ยนมิเตอร์'],
  ['euc-kr', inEncoding(HEADER + row('고객이 전화함') + row('주소가 변경됨'), 'euc-kr'), '전화함'],
  ['gbk', inEncoding(HEADER + row('客户要求延期付款') + row('新电表'), 'gbk'), '客户要求延期付款'],
  ['big5', inEncoding(HEADER + row('客戶要求延期付款') + row('帳單'), 'big5'), '客戶要求延期付款'],
  [
    'shift_jis',
    inEncoding(HEADER + row('お客様から電話') + row('ソ連ー表示'), 'shift_jis'),
    'お客様から電話',
  ],
  ['euc-jp', inEncoding(HEADER + row('お客様から電話') + row('メーター表示'), 'euc-jp'), 'お客様から電話'],
];

describe.each(LEGACY)('a file in %s is asked about', (name, content, right) => {
  test('with the same words in each of three encodings, wherever the chunks are cut', async () => {
    const { encoding } = await inspectedText(content);
    expect(encoding).toMatchObject({ certainty: 'open', because: expect.stringContaining('is no UTF-8') });
    expect(encoding.candidates).toHaveLength(3);
    expect(new Set(encoding.candidates.map(({ words }) => words.length)).size).toBe(1);
    expect(new Set(encoding.candidates.map(({ words }) => words.join())).size).toBe(3);
    const own = encoding.candidates.find((each) => each.name === name);
    expect(own?.words ?? null).toEqual(right === null ? null : expect.arrayContaining([right]));
    for (const chunkBytes of [1, 2, 3])
      expect((await inspectedText(content, chunkBytes)).encoding).toEqual(encoding);
  });

  test('and nothing is sent before a person has answered', async () => {
    const { text } = await drafted('notes', content);
    expect(text).toContain(
      '# utf-8 # none of these: convert the file, `iconv -f CP850 -t UTF-8 export.csv >',
    );
    const { problems } = await loadedDraft(text);
    expect(problems.map(({ problem }) => [problem.code, problem.path.join('.')])).toContainEqual([
      'mapping_question_open',
      'source.encoding',
    ]);
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, 'export.csv'), content);
    const push = ['push', 'notes', 'export.csv', '--supplier', 'ACME', '--dry-run'];
    const plain = await runCli(push, fakeIo({ cwd, env: { DATAIMPORT_API_KEY: 'k' } }));
    expect([plain.exitCode, plain.stderr]).toEqual([3, expect.stringContaining('encoding_invalid')]);
    writeFileSync(join(cwd, 'export.csv.map.yaml'), text);
    const open = await runCli(push, fakeIo({ cwd, env: { DATAIMPORT_API_KEY: 'k' } }));
    expect([open.exitCode, open.stderr]).toEqual([
      2,
      expect.stringMatching(/:10:12 .*source\.encoding is open; answer question 1, line 7/),
    ]);
    if (right === null) return;
    const answered = text.replace('  encoding:\n', `  encoding: ${name}\n`);
    writeFileSync(join(cwd, 'export.csv.map.yaml'), answered);
    expect(await runCli(push, fakeIo({ cwd, env: { DATAIMPORT_API_KEY: 'k' } }))).toMatchObject({
      exitCode: 0,
    });
  });
});

test('encodings that read every word alike are one candidate', async () => {
  const { encoding } = await inspectedText(bytes('a,b\nM\xFCller,x\n'));
  const names = encoding.candidates.map(({ name }) => name);
  expect(names[0]).toBe('windows-1252');
  for (const same of ['windows-1250', 'windows-1254', 'iso-8859-1']) expect(names).not.toContain(same);
});

test('[C025, C032] the whole file is read: one byte in the last row makes it a question', async () => {
  const rows = Buffer.from(`x,y\n${'a,ü\n'.repeat(20_000)}`);
  expect((await inspectedText(rows)).encoding.name).toBe('utf-8');
  const { encoding } = await inspectedText(Buffer.concat([rows, bytes('\xFC,1\n')]));
  expect(encoding).toMatchObject({ certainty: 'open', because: 'byte 100004 on line 20002 is no UTF-8' });
});

test('an encoding that a person names is no question, and the rows end at a byte that does not fit', async () => {
  const polish = bytes('a,b\nx,y\nMa\xB3gorzata,x\n');
  const { content } = await inspected(polish, { encoding: 'iso-8859-2' });
  expect(content).toMatchObject({ encoding: { certainty: 'proven' }, table: { rows: 2, stop: null } });
  const misfit = await inspected(polish, { encoding: 'utf-8' });
  expect(misfit.content).toMatchObject({ encoding: { certainty: 'proven' }, table: { stop: { line: 3 } } });
});

test.each([
  ["it's.csv", String.raw`iconv -f CP850 -t UTF-8 'it'\''s.csv' > 'it'\''s.utf8.csv'`],
  ['export.csv.gz', 'gunzip -c export.csv.gz | iconv -f CP850 -t UTF-8 > export.utf8.csv'],
  ['a.b/export', 'iconv -f CP850 -t UTF-8 a.b/export > a.b/export.utf8'],
  ['<stdin>', 'iconv -f CP850 -t UTF-8 FILE > FILE.utf8'],
])('the conversion of %s can be typed', (file, command) => {
  expect(conversionOf(file)).toContain(`\`${command}\``);
});

test.each([
  ['[C001] nothing', Buffer.alloc(0), 'it is empty'],
  ['[C012] a workbook', Buffer.from('PK\x03\x04rest'), 'it is a workbook'],
  ['gzip without its name', Buffer.from([0x1f, 0x8b, 8, 0]), 'it is packed with gzip'],
  ['UTF-32', Buffer.from([0xff, 0xfe, 0, 0, 65, 0, 0, 0]), 'it is UTF-32'],
  ['control characters', Buffer.from(Array.from({ length: 300 }, (_, at) => at % 32)), 'it is no text'],
  ['[C013] HTML', Buffer.from('<!DOCTYPE html>\n<html></html>\n'), 'it is a web page or XML'],
  ['JSON', Buffer.from('[{"a": 1}]\n'), 'it is JSON, and not JSON Lines'],
])('%s is no table', async (_, content, reason) => {
  const inspection = await inspected(content);
  expect(inspection).toMatchObject({ noTable: { reason: expect.stringContaining(reason) }, content: null });
});

test('a header in brackets is no JSON', async () => {
  expect((await inspectedText('[Konto],[Betrag]\n1,2\n')).columns).toHaveLength(2);
});

test('[C017] 0x1A is reported at the end of a file, and only there', async () => {
  const rows = 'a,b\n' + '1,2\n'.repeat(100);
  expect((await inspectedText(`${rows}\u001A`)).hasEndMark).toBe(true);
  expect((await inspectedText(rows)).hasEndMark).toBe(false);
});

test('the words beside the answers are those that the encodings read differently', async () => {
  const rows = ['N\xB0 1', 'N\xB0 2', '\xC9lectricit\xE9', 'pi\xE8ce', 'c\xBDur'].map(row).join('');
  const { encoding } = await inspectedText(bytes(HEADER + rows));
  const words = encoding.candidates.map((each) => each.words.join(' '));
  expect(words.length).toBeGreaterThan(1);
  expect(new Set(words).size).toBe(words.length);
});

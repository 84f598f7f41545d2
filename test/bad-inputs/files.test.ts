import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import {
  badInputSite,
  expectAnswers,
  notes,
  transactions,
  type BadInput,
  mappedTransactions,
} from '../support/bad-input.ts';

const ROW = transactions({});
const [HEADER, FIRST] = ROW.trimEnd().split('\n') as [string, string];
const BOM = '\ufeff';
const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');
const utf16 = (text: string): Buffer => Buffer.from(BOM + text, 'utf16le');

const withCell = (column: string, cell: string): string => transactions({ [column]: cell });

const WHOLE_FILES: readonly BadInput[] = [
  { says: '[C001] a file of no bytes is refused', file: '', errors: [['file_empty', 1, null]] },
  {
    says: '[C002] a header without rows is right, with a warning',
    file: `${HEADER}\n`,
    errors: [],
    warnings: ['file_has_no_rows'],
    landed: 0,
  },
  { says: '[C003] a byte order mark alone is refused', file: BOM, errors: [['file_empty', 1, null]] },
  ...(
    [
      ['[C012] a workbook', Buffer.from('PK\x03\x04xxxxxxxx')],
      ['[C012] a compressed file', gzipSync(ROW)],
      ['[C012] a PDF', Buffer.from('%PDF-1.7\n')],
      ['[C013] a web page', Buffer.from('<!DOCTYPE html><html></html>')],
      ['[C013] JSON', Buffer.from('[{"transaction_id": "T-1"}]')],
    ] as const
  ).map(([what, file]): BadInput => ({
    says: `${what} named .csv is refused`,
    file,
    errors: [['file_is_no_table', 1, null]],
  })),
  {
    says: '[C012] a compressed file named .csv.gz is read',
    name: 'input.csv.gz',
    file: gzipSync(ROW),
    errors: [],
    landed: 1,
  },
  { says: '[C014] a last row without line break is read', file: ROW.trimEnd(), errors: [], landed: 1 },
  {
    says: '[C015] a file that ends inside quotes is refused at the row where they open',
    file: `${ROW}ACME,1001,"T-2`,
    errors: [['quote_not_closed', 3, null]],
  },
  {
    says: '[C016] a last row that breaks off is refused',
    file: `${ROW}ACME,1001,T-2`,
    errors: [['row_cut_off', 3, null]],
  },
  {
    says: '[C017] the end-of-file character of old systems is refused',
    file: `${ROW}\x1a`,
    errors: [['dos_end_mark', 3, null]],
  },
  {
    says: '[C018] blank lines are skipped',
    file: `${HEADER}\n${'\n'.repeat(1000)}${FIRST}\n`,
    errors: [],
    landed: 1,
  },
  {
    says: '[C020] a header of 10 MB is refused',
    file: `${'h'.repeat(10 * 1024 * 1024)}\n${FIRST}\n`,
    errors: [['record_too_large', 1, null]],
  },
];

const ENCODINGS: readonly BadInput[] = [
  { says: '[C021] a byte order mark of UTF-8 is left out', file: BOM + ROW, errors: [], landed: 1 },
  {
    says: '[C022] UTF-16 is refused when the mapping does not declare it',
    file: utf16(ROW),
    errors: [['encoding_differs', 1, null]],
  },
  {
    says: '[C022] UTF-16 is read when the mapping declares it',
    file: utf16(ROW),
    map: mappedTransactions('encoding: utf-16le'),
    errors: [],
    landed: 1,
  },
  {
    says: '[C023] UTF-16 without a byte order mark is refused',
    file: utf16(ROW).subarray(2),
    errors: [['encoding_differs', 1, null]],
  },
  {
    says: '[C024] a quotation mark of Windows-1252 is refused',
    file: latin1(withCell('transaction_id', 'T\x92')),
    errors: [['encoding_invalid', 2, null]],
  },
  {
    says: '[C024] a pound sign of Latin-1 is refused',
    file: latin1(withCell('transaction_id', 'T\xa3')),
    errors: [['encoding_invalid', 2, null]],
  },
  {
    says: '[C024] Windows-1252 is read when the mapping declares it',
    file: latin1(withCell('transaction_id', 'T\x92')),
    map: mappedTransactions('encoding: windows-1252'),
    errors: [],
    landed: 1,
  },
  {
    says: '[C025] a bad byte in the last row also stops the rows before it',
    file: Buffer.concat([Buffer.from(ROW), latin1('ACME,1001,T\xa3,2026-02-01,CREDIT,10.00\n')]),
    errors: [['encoding_invalid', 3, null]],
  },
  ...[
    ['an overlong form', [0xc0, 0xaf]],
    ['CESU-8', [0xed, 0xa0, 0x80]],
    ['a form of five bytes', [0xf8, 0x88, 0x80, 0x80, 0x80]],
  ].map(([what, bytes]): BadInput => ({
    says: `[C027] ${String(what)} is refused`,
    file: Buffer.concat([Buffer.from(ROW), Buffer.from(bytes as number[])]),
    errors: [['encoding_invalid', 3, null]],
  })),
  {
    says: '[C028] a NUL is refused',
    file: withCell('transaction_id', 'T\0'),
    errors: [['nul_byte', 2, null]],
  },
  {
    says: '[C029] a byte order mark inside a cell is kept, with a warning',
    resource: 'notes',
    file: notes({ body: `moved\ufeffout` }),
    errors: [],
    warnings: ['text_has_byte_order_mark'],
    landed: 1,
  },
  {
    says: '[C030] a replacement character is a warning: the file was damaged before',
    resource: 'notes',
    file: notes({ body: 'M\ufffdller' }),
    errors: [],
    warnings: ['text_damaged'],
    landed: 1,
  },
  {
    says: '[C031] text that was decoded wrongly is a warning',
    resource: 'notes',
    file: notes({ body: 'paid \u00c2\u00a310' }),
    errors: [],
    warnings: ['text_decoded_wrongly'],
    landed: 1,
  },
  {
    says: '[C032] the first byte of another encoding is refused',
    file: Buffer.concat([Buffer.from(withCell('transaction_id', 'Tü')), latin1('ACME,1001,T\xfc\n')]),
    errors: [['encoding_invalid', 3, null]],
  },
];

const QUOTES: readonly BadInput[] = [
  {
    says: '[C033] a quotation mark inside a cell that is not quoted is refused',
    file: `${HEADER}\n${FIRST.replace('T-1', 'T"1')}\n`,
    errors: [['quote_misplaced', 2, null]],
  },
  {
    says: '[C034] text after a closing quotation mark is refused',
    file: `${HEADER}\n${FIRST.replace('T-1', '"T"1')}\n`,
    errors: [['quote_misplaced', 2, null]],
  },
  {
    says: '[C035] doubled quotation marks mean one',
    file: withCell('transaction_id', 'T"1'),
    errors: [],
    landed: 1,
  },
  {
    says: '[C036] a backslash before a quotation mark is refused when the mapping does not declare it',
    file: `${HEADER}\n${FIRST.replace('T-1', '"T\\"1"')}\n`,
    errors: [['quote_misplaced', 2, null]],
  },
  {
    says: '[C036] a backslash before a quotation mark is read when the mapping declares it',
    file: `${HEADER}\n${FIRST.replace('T-1', '"T\\"1"')}\n`,
    map: mappedTransactions(`escape: '\\'`),
    errors: [],
    landed: 1,
  },
  {
    says: '[C039] a space before an opening quotation mark is refused',
    file: `${HEADER}\n${FIRST.replace('T-1', ' "T-1"')}\n`,
    errors: [['quote_misplaced', 2, null]],
  },
  {
    says: '[C040] single quotation marks are data',
    file: withCell('transaction_id', `'T-1'`),
    errors: [],
    landed: 1,
  },
  {
    says: '[C040] curly quotation marks around a comma do not quote it',
    file: `${HEADER}\n${FIRST.replace('T-1', '\u201cT,1\u201d')}\n`,
    errors: [['row_too_long', 2, null]],
  },
];

const LINES: readonly BadInput[] = [
  {
    says: '[C041] lone CR line ends are read when all are alike',
    file: transactions({}, {}).replaceAll('\n', '\r'),
    errors: [],
    landed: 2,
  },
  {
    says: '[C041] a lone CR among other line ends is refused',
    file: `${HEADER}\n${FIRST}\r${FIRST.replace('T-1', 'T-2')}\n`,
    errors: [['newline_inconsistent', 2, null]],
  },
  {
    says: '[C042] CRLF and LF in one file are read, with a warning',
    file: `${HEADER}\r\n${FIRST}\n`,
    errors: [],
    warnings: ['newlines_mixed'],
    landed: 1,
  },
  {
    says: '[C047] semicolons are refused, with the delimiter as a hint',
    file: ROW.replaceAll(',', ';'),
    errors: [['delimiter_differs', 1, null]],
  },
  {
    says: '[C047] semicolons are read when the mapping declares them',
    file: ROW.replaceAll(',', ';'),
    map: mappedTransactions(`delimiter: ';'`),
    errors: [],
    landed: 1,
  },
  {
    says: '[C048] a tie between delimiters is refused',
    file: `a;b\tc\n1;2\t3\n`,
    errors: [['delimiter_differs', 1, null]],
  },
  {
    says: '[C049] a line sep=; is refused with a hint',
    file: `sep=;\n${ROW.replaceAll(',', ';')}`,
    errors: [['separator_line', 1, null]],
  },
  {
    says: '[C049] a line sep=; is read when the mapping declares it',
    file: `sep=;\n${ROW.replaceAll(',', ';')}`,
    map: mappedTransactions(`delimiter: ';', skip_lines: 1`),
    errors: [],
    landed: 1,
  },
  {
    says: '[C046] ten thousand columns are refused',
    file: `${Array.from({ length: 10_000 }, (_, index) => `c${index}`).join()}\n`,
    errors: [['too_many_columns', 1, null]],
  },
];

test.each([
  ['files as a whole', WHOLE_FILES],
  ['encodings', ENCODINGS],
  ['quotation marks', QUOTES],
  ['lines and delimiters', LINES],
])('%s that a supplier may send', (_, inputs) => expectAnswers(inputs));

test('[C004] [C006] the path of nothing, of a folder or of a device is refused and named', async () => {
  const site = await badInputSite();
  mkdirSync(join(site.cwd, 'folder'));
  for (const path of [join(site.cwd, 'nothing.csv'), join(site.cwd, 'folder'), '/dev/zero']) {
    const { exitCode, stderr } = await site.cli('check', 'transactions', path);
    expect({ path, exitCode, names: stderr.includes(path) }).toEqual({ path, exitCode: 2, names: true });
  }
});

// Linux returns EIO to a process that reads where it has no memory.
test.runIf(existsSync('/proc/self/mem'))(
  '[C019] a file that the disk cannot read is refused with the reason, and nothing is sent',
  async () => {
    const site = await badInputSite();
    const { exitCode, stderr } = await site.cli('push', 'transactions', '/proc/self/mem');
    expect({ exitCode, says: /file_not_readable .*EIO/.test(stderr) }).toEqual({ exitCode: 2, says: true });
    expect(await site.ledger()).toEqual([]);
  },
);

test('[C009] resume reads a file again that was replaced, and sends its rows', async () => {
  const site = await badInputSite();
  const file = site.csv('t.csv', transactions({ external_account_number: 'nobody' }, {}).trimEnd());
  expect((await site.cli('push', 'transactions', file)).exitCode).toBe(4);
  writeFileSync(file, transactions({ amount: '99.00' }));
  await site.cli('resume');
  const amounts = (await site.ledger()).map(({ data }) => data['amount']);
  expect(amounts).toContain('99.00');
});

test('[C010] the same content under another name is the same content', async () => {
  const site = await badInputSite();
  const text = transactions({ external_account_number: 'nobody' }).trimEnd();
  expect((await site.cli('push', 'transactions', site.csv('a.csv', text))).exitCode).toBe(4);
  expect((await site.cli('push', 'transactions', site.csv('b.csv', text))).exitCode).toBe(4);
  const { runs } = (await site.cli('runs', '--json')).json();
  const [newest, first] = runs as { readings: object[]; replaced_by: string | null; run: string }[];
  expect(newest!.readings).toMatchObject([{ state: 'open', rows: { read: 1, rejected: 1 } }]);
  expect(first).toMatchObject({ readings: newest!.readings, replaced_by: newest!.run });
});

test('[C026] a character of four bytes that a chunk of the file cuts is unchanged', async () => {
  const site = await badInputSite();
  const chunk = 64 * 1024;
  const lead = 'import_supplier,external_account_number,body\nACME,1001,';
  const bodies = [0, 1, 2, 3].map(
    (before) => `${'x'.repeat(chunk - before - Buffer.byteLength(lead))}\u{1f600}`,
  );
  for (const [before, body] of bodies.entries()) {
    const { exitCode } = await site.cli('push', 'notes', site.csv(`${before}.csv`, `${lead}${body}`));
    expect({ before, exitCode }).toEqual({ before, exitCode: 0 });
  }
  expect((await site.ledger()).map(({ data }) => data['body'])).toEqual(bodies);
});

test('line breaks inside quotes and line separators are kept, and lines are counted right after them', async () => {
  const site = await badInputSite();
  const bodies = [
    ['[C037] a line break', 'one\ntwo', 4],
    ['[C038] CRLF', 'un\r\ndeux', 4],
    ['[C043] line separators of Unicode', 'a\u2028b\u2029c\u0085d\u000be\u000cf', 3],
  ] as const;
  for (const [says, body, invalid] of bodies) {
    const file = join(site.cwd, `${says}.csv`);
    writeFileSync(file, notes({ body }, { created_at: 'never' }));
    const refused = await site.cli('push', 'notes', file, '--skip-invalid', '--json');
    const lines = (refused.json()['problems'] as { line: number }[]).map(({ line }) => line);
    expect(lines, says).toEqual([invalid]);
  }
  expect((await site.ledger()).map(({ data }) => data['body'])).toEqual(bodies.map(([, body]) => body));
});

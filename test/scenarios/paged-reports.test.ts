import { describe, expect, test } from 'vitest';
import { checkFiles } from '../support/checked-files.ts';

const FIELDS = `fields:
  external_account_number: VKont
  transaction_id: Beleg
  transaction_date: { column: Datum, format: dd.MM.yyyy }
  amount: Betrag
  type: { constant: CHARGE }
ignore: all
`;
const mapping = (source: string, rest = ''): string =>
  `version: 1\nresource: transactions\nsource:\n  delimiter: ';'\n  decimal_mark: ','\n  thousands_mark: '.'\n  negative: [trailing]\n${source}${FIELDS}${rest}`;

const HEADER = 'VKont;Beleg;Datum;Betrag;Art';
const PAGES = [
  'Kontenliste;;;;Seite 1',
  HEADER,
  '71;B1;05.01.2026;1.000,00;RE',
  '71;B2;06.01.2026;10,00-;GS',
  '* Summe;;;990,00;',
  '\fKontenliste;;;;Seite 2',
  HEADER,
  'Übertrag;;;990,00;',
  '\f72;B3;07.01.2026;5,00;RE',
  '72;B4;08.01.2026;7,00;ST',
  '* Summe;;;12,00;',
  '** Gesamtsumme;;;1.002,00;',
  'Zeilen: 4',
  '',
].join('\n');

const SOURCE = `  skip: until header
  repeated_header: skip
  page_lines: ['Seite \\d+$', '^Übertrag;', '^\\* Summe;']
  trailer:
    - { cell: 1, equals: '** Gesamtsumme', sums: [{ cell: 4, column: Betrag }] }
    - { cell: 1, starts_with: 'Zeilen: ', count: 1 }
`;
const check = (csv: string, source = SOURCE, rest = '', argv: readonly string[] = []) =>
  checkFiles({ 'x.csv': csv, 'x.csv.map.yaml': mapping(source, rest) }, argv);

describe('a report of pages with subtotals and two footers', () => {
  test('is read, and every line that is no booking is accounted for', async () => {
    const { exitCode, details, rows, document } = await check(PAGES);
    expect({ exitCode, details }).toEqual({ exitCode: 0, details: [] });
    expect(rows).toMatchObject({ read: 9, not_sent: 4, filtered: 5 });
    expect(document['left_out']).toEqual([
      { reason: 'page_line', place: null, count: 4 },
      { reason: 'repeated_header', place: null, count: 1 },
    ]);
  });

  test.each([
    [
      'a booking of the first account is missing',
      '71;B1;05.01.2026;1.000,00;RE\n',
      '',
      '11:4 error trailer_sum_differs',
    ],
    [
      'a booking of the second account is changed',
      'B4;08.01.2026;7,00',
      'B4;08.01.2026;7,01',
      '12:4 error trailer_sum_differs',
    ],
    ['the count is another one', 'Zeilen: 4', 'Zeilen: 5', '13:1 error trailer_count_differs'],
    ['the sum of all is another one', '1.002,00', '1.003,00', '12:4 error trailer_sum_differs'],
    ['a footer is missing', 'Zeilen: 4\n', '', '10: error trailer_unreadable'],
    ['a footer comes twice', 'Zeilen: 4\n', 'Zeilen: 4\nZeilen: 4\n', '12: error trailer_unreadable'],
    [
      'a booking is behind the footer',
      'Zeilen: 4\n',
      'Zeilen: 4\n73;B9;08.01.2026;1,00;RE\n',
      '12: error trailer_unreadable',
    ],
  ])('is refused where %s', async (_, from, to, problem) => {
    const { exitCode, problems } = await check(PAGES.replace(from, to));
    expect(exitCode).toBe(3);
    expect(problems).toContain(problem);
  });
});

describe('a footer', () => {
  const csv = (footer: string): string =>
    `${HEADER}\n71;B1;05.01.2026;1,00;RE\n71;B2;05.01.2026;2,00;ST\n71;B3;05.01.2026;4,00;GS\nEnde;;${footer};\n`;
  const source = '  trailer: { cell: 1, equals: Ende, count: 3, sums: [{ cell: 4, column: Betrag }] }\n';
  const filter = 'filter: [{ column: Art, in: [ST] }]\n';

  test('is over all rows, also those that the filter leaves out', async () => {
    expect((await check(csv('3;7,00'), source, filter)).details).toEqual([]);
  });
});

describe('a line of a page that is a row of data', () => {
  const lines = (pattern: string): string => `  repeated_header: skip\n  page_lines: ['${pattern}']\n`;
  const csv = [
    HEADER,
    '71;B1;05.01.2026;1,00;RE',
    'Seite;;;;2',
    HEADER,
    '72;B2;06.01.2026;2,00;Seite',
    '73;B3;07.01.2026;3,00;Seite',
    '74;B4;08.01.2026;4,00;RE',
    '',
  ].join('\n');

  test('is an error with the number of such lines and the first of them', async () => {
    const { exitCode, details } = await check(csv, lines('Seite'));
    expect({ exitCode, details }).toEqual({
      exitCode: 3,
      details: [
        '5: error skipped_lines_wrong: `source.page_lines` leaves out lines that are rows of data: 2',
      ],
    });
  });

  test('is none, when the filter leaves it out anyway', async () => {
    const filter = 'filter:\n  - { column: Art, in: [Seite] }\n';
    expect((await check(csv, lines('Seite'), filter)).problems).toEqual([]);
  });

  const notes = (source: string): string =>
    `version: 1\nresource: notes\nsource:\n  right_trimmed: true\n  fixed: [{ name: K, width: 6 }, { name: T, width: 20 }]\n${source}fields: { external_account_number: K, body: T }\n`;
  const ofNotes = (text: string, source: string) =>
    checkFiles({ 'x.csv': text, 'x.csv.map.yaml': notes(source) }, [], { resource: 'notes' });

  test('is known by its account number, where any text is a record', async () => {
    const report = '001234first\nREPORT AR117 PAGE 2\n001235second\n';
    expect((await ofNotes(report, "  page_lines: ['^REPORT']\n")).problems).toEqual([]);
    expect((await ofNotes(report, "  page_lines: ['^REPORT', '^001235']\n")).problems).toEqual([
      '3: error skipped_lines_wrong',
    ]);
  });
});

describe('a place of fixed columns that belongs to no column', () => {
  const fixed = (gap: string): string =>
    `version: 1\nresource: transactions\nsource:\n  fixed: [{ name: VKont, width: 4 }, ${gap}, { name: Datum, width: 10 }, { skip: 1 }, { name: Betrag, width: 4 }]\n${FIELDS.replace('ignore: all', '')}`;
  const rows = ['0071 A1234 05.01.2026 1.00', '0072 B1    06.01.2026 2.00', '0073 C1235 07.01.2026 3.00', ''];
  const read = (gap: string) => checkFiles({ 'x.csv': rows.join('\n'), 'x.csv.map.yaml': fixed(gap) });

  test('stays behind in the rows where it is not blank', async () => {
    const { exitCode, behind } = await read('{ skip: 1 }, { name: Beleg, width: 3 }, { skip: 3 }');
    expect(exitCode).toBe(0);
    expect(behind).toEqual(['places 9 to 11 texts 2']);
  });
});

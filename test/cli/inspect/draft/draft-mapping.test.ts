import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { mappingSentence } from '../../../../src/cli/mapping/file/mapping-problem.ts';
import { checkFiles } from '../../../support/checked-files.ts';
import { drafted, loadedDraft } from '../../../support/drafted.ts';

interface Document {
  readonly source?: Readonly<Record<string, unknown>>;
  readonly fields: Readonly<Record<string, unknown>>;
}

function parsed(text: string): Document {
  return parse(text) as Document;
}

/** The answers that a draft offers for a key. */
function offered(text: string, key: string): readonly string[] {
  const lines = text.split('\n');
  const at = lines.findIndex((line) => line.trim() === `${key}:`);
  const rest = lines.slice(at + 1);
  const end = rest.findIndex((line) => !/^ *# /.test(line) || line.indexOf('#') <= lines[at]!.indexOf(key));
  return rest.slice(0, end).map((line) => line.replace(/^ *# /, ''));
}

/** The draft with these answers in force, and the offered trailer, if `trailer` is among the keys. */
function answered(text: string, answers: Readonly<Record<string, string>>): string {
  return Object.entries(answers).reduce(
    (before, [key, answer]) =>
      before.replace(new RegExp(`^( *)${key}:$`, 'm'), (_, indent) => `${indent}${key}: ${answer}`),
    text,
  );
}

/** The draft with all lines of an answer in force. */
function answeredWhole(text: string, key: string): string {
  const lines = offered(text, key);
  return lines.reduce((before, line) => before.replace(`# ${line}`, () => line), text);
}

const GERMAN = Buffer.from(
  [
    'Stadtwerke Musterstadt;;;;',
    'Kundennummer;Belegnummer;Buchungsdatum;Betrag (EUR);Straße',
    '0012;B1;31.12.2024;1.234,56-;Mühlenweg',
    '0013;B2;05.01.2025;12,00;Markt 3',
    '0014;B3;25.01.2025;1,50;Ring',
    'SUMME;3;;-1.221,06;',
    '',
  ].join('\r\n'),
  'latin1',
);

const UK = [
  'Account No,Transaction ID,Posting Date,Amount,Type',
  'A1,T1,31/12/2024,"1,234.56",CHARGE',
  'A2,T2,25/12/2024,(12.00),PAYMENT',
  'A3,T3,01/02/2024,5.00,CHARGE',
  '',
].join('\n');

const AUSTRALIAN = [
  'NMI,Account Number,Txn Id,Txn Date,Debit,Credit,Description',
  '41030,1001,5,13/07/2024,10.50,,Usage',
  '41031,1002,6,14/07/2024,,25.00,Payment',
  '41030,1001,7,13/08/2024,11.25,,Usage',
  '41031,1002,8,14/08/2024,,30.00,Payment',
  '',
].join('\r\n');

const JAPANESE = [
  'お客様番号,取引番号,取引日,金額,取引区分',
  '001,T1,2024/12/31,1200,請求',
  '002,T2,2024/12/30,3400,入金',
  '',
].join('\n');

describe('a draft writes down what the file decides', () => {
  test('a German export', async () => {
    const { text, decided } = await drafted('transactions', GERMAN);
    const { source, fields } = parsed(text);
    expect(source).toEqual({
      encoding: null,
      delimiter: ';',
      skip: 'until header',
      decimal_mark: ',',
      thousands_mark: '.',
      negative: ['trailing'],
      trailer: null,
    });
    expect(fields).toEqual({
      external_account_number: 'Kundennummer',
      transaction_id: 'Belegnummer',
      transaction_date: { column: 'Buchungsdatum', format: 'dd.MM.yyyy' },
      amount: 'Betrag (EUR)',
      type: null,
    });
    expect(decided).toEqual(Object.keys(fields).slice(0, -1));
    expect(text).toContain('# ignore: [ Straße ]');
    expect(text).toContain('# dd.MM.yyyy reads all 3 values of "Buchungsdatum"');
    expect(text).toContain('    # windows-1252 # "Straße" "Mühlenweg"\n');
  });

  test('an Australian export with two columns for the amount', async () => {
    const { text } = await drafted('transactions', AUSTRALIAN);
    const { fields } = parsed(text);
    expect(fields).toMatchObject({ amount: null, note: 'Description' });
    expect(offered(text, 'amount')).toEqual([
      '[ { debit: Debit, credit: Credit, negate: true, when: { column: Credit, is: nonzero } }, { debit: Debit, credit: Credit } ]',
      '{ debit: Debit, credit: Credit }',
    ]);
    expect(offered(text, 'type')[0]).toBe(
      '[ { constant: PAYMENT, when: { column: Credit, is: nonzero } }, { constant: CHARGE } ]',
    );
  });

  test('notes with a zone in every time, and words for yes and no', async () => {
    const content =
      'Konto;Notiz;Erstellt am;Wichtig\n1;a;2024-12-31T10:00:00Z;J\n2;b;2025-01-31T10:00:00Z;N\n';
    const { text, questions } = await drafted('notes', content);
    expect(questions).toEqual([]);
    expect(parsed(text).fields).toMatchObject({
      body: 'Notiz',
      created_at: 'Erstellt am',
      is_pinned: { column: 'Wichtig', true_tokens: ['J'], false_tokens: ['N'] },
    });
  });
});

describe('a draft asks', () => {
  test.each([
    [
      'whether the day comes first, when no value decides it',
      'Account,Txn Id,Date,Amount,Type\n1,a,01/02/2024,5.50,CHARGE\n2,b,03/04/2024,6.50,CHARGE\n',
      'No value decides it: all 2 can be read both ways',
      'transaction_date',
    ],
    [
      'whether the day comes first, when one value alone decides it',
      'Account,Txn Id,Date,Amount,Type\n1,a,13/02/2024,5.50,CHARGE\n2,b,03/04/2024,6.50,CHARGE\n',
      'Only one of 2 values decides it',
      'transaction_date',
    ],
    [
      'what the decimal mark is, when no value decides it',
      'Account;Txn Id;Date;Amount;Type\n1;a;2024-01-31;1.234;CHARGE\n2;b;2024-01-31;2.500;CHARGE\n',
      'what is the decimal mark in "Amount"?',
      'amount',
    ],
    [
      'which of two columns is the date',
      'Account;Txn Id;Buchungsdatum;Valuta;Amount;Type\n1;a;31.12.2024;31.12.2024;1,50;CHARGE\n2;b;31.12.2024;31.12.2024;2,50;CHARGE\n',
      'which column is the transaction_date? "Buchungsdatum" or "Valuta"',
      'transaction_date',
    ],
    [
      'which of amount and debit less credit counts',
      'Account,Txn Id,Date,Amount,Debit,Credit,Type\n1,a,2024-01-31,5.50,5.50,,CHARGE\n2,b,2024-01-31,-6.50,,6.50,CHARGE\n',
      'which is the amount: "Amount", or "Debit" less "Credit"?',
      'amount',
    ],
    [
      'whether whole numbers are the days of a spreadsheet',
      'Account,Txn Id,Date,Amount,Type\n1,a,45657,5.50,CHARGE\n2,b,45658,6.50,CHARGE\n',
      'do they count the days of a spreadsheet?',
      'transaction_date',
    ],
    [
      'which century two digits of a year mean',
      'Account,Txn Id,Date,Amount,Type\n1,a,31.12.24,5.50,CHARGE\n2,b,30.12.24,6.50,CHARGE\n',
      'which century',
      'transaction_date',
    ],
    [
      'where a field comes from that no header names',
      'Account,Txn Id,Date,Amount\n1,a,2024-01-31,5.50\n2,b,2024-01-31,6.50\n',
      'where does the type come from?',
      'type',
    ],
    [
      'what to do about cells that a spreadsheet has damaged',
      'Account,Txn Id,Date,Amount,Type\n1.23457E+12,a,2024-01-31,5.50,CHARGE\n2,b,2024-01-31,6.50,CHARGE\n',
      'has cells that a spreadsheet has damaged',
      'external_account_number',
    ],
    [
      'whether one row is enough to tell',
      'Account,Txn Id,Date,Amount,Type\n1,a,31/12/2024,5.50,CHARGE\n',
      'too few to tell their format',
      'transaction_date',
    ],
  ])('%s; without an answer the check fails and names the question', async (_, content, question, field) => {
    const { text, questions } = await drafted('transactions', content);
    expect(questions.filter((asked) => asked.includes(question))).toHaveLength(1);
    expect(parsed(text).fields[field]).toBeNull();
    const { mapping, problems } = await loadedDraft(text);
    expect(mapping).toBeUndefined();
    const number = questions.findIndex((asked) => asked.includes(question)) + 1;
    const line = text.split('\n').findIndex((each) => each.includes(`# QUESTION ${number}: `)) + 1;
    expect(problems.map(mappingSentence)).toContainEqual(
      expect.stringContaining(`fields.${field} is open; answer question ${number}, line ${line}: `),
    );
  });

  test('which statement a document is, by the name in its path', async () => {
    const content = 'Account;Where\n1;a/R-1.pdf\n;a/R-2.PDF\n2;b/R-3.pdf\n';
    const { text } = await drafted('statements', content);
    expect(text).toContain('2 different, 1 cell is empty.\n  external_account_number: Account\n');
    expect(text).toContain('\n  statement_path: Where\n');
    expect(offered(text, 'statement_id')).toEqual([
      expect.stringContaining('{ column: Where, replace: [ { pattern: '),
    ]);
    expect((await drafted('transactions', content)).text).not.toContain('statement_path');
  });

  test('whether whole numbers of statements are minor units', async () => {
    const content =
      'Account,Bill No,From,To,Total\n1,B1,2024-01-01,2024-01-31,5324\n2,B2,2024-01-01,2024-01-31,1000\n';
    const { text, questions } = await drafted('statements', content);
    expect(questions).toEqual([expect.stringContaining('minor units (5324 for 53.24) or major ones?')]);
    expect(offered(text, 'gross_amount')).toContain('{ column: Total, unit: minor }');
  });

  test.each([
    [
      'whose amounts are all whole',
      'Account,Txn Id,Date,Amount,Type\n1,a,2024-01-31,550,CHARGE\n2,b,2024-01-31,650,CHARGE\n',
      'Amount',
    ],
    [
      'whose header says cents',
      'Account,Txn Id,Date,Amount (cents),Type\n1,a,2024-01-31,5.50,CHARGE\n2,b,2024-01-31,6.50,CHARGE\n',
      'Amount (cents)',
    ],
    [
      'of JSON Lines whose key says minor',
      '{"account":"1","txn_id":"a","date":"2024-01-31","amount_minor":550,"type":"CHARGE"}\n{"account":"2","txn_id":"b","date":"2024-01-31","amount_minor":650,"type":"CHARGE"}\n',
      'amount_minor',
    ],
  ])('in which unit the amounts of a file are %s', async (_, content, column) => {
    const { text, questions } = await drafted('transactions', content);
    expect(questions).toContainEqual(
      expect.stringMatching(/minor units \(5324 for 53\.24\) or major ones\?/),
    );
    expect(offered(text, 'amount')).toEqual(
      ['minor', 'major'].map((unit) => `{ column: ${column}, unit: ${unit} }`),
    );
  });

  test('for the body of notes, which is needed where there are no documents', async () => {
    const rows = Array.from(
      { length: 4 },
      (_, at) => `${at},2024-01-31T10:00:00Z,a text that is number ${at}`,
    );
    const { text, questions } = await drafted('notes', `Account,Created,What was said\n${rows.join('\n')}\n`);
    expect(questions).toContainEqual(expect.stringContaining('where does the body come from?'));
    expect(offered(text, 'body')).toContain('What was said');
    expect(text).not.toMatch(/not needed:[^\n]*body/);
    const withDocuments = await drafted('notes', `Account,Created,Document\n${rows.join('\n')}\n`);
    expect(withDocuments.text).toMatch(/not needed: body/);
  });

  test.each([
    ['2024-03-05 10:00:00 +0000', '{ column: Created, format: yyyy-MM-dd HH:mm:ss XXX }'],
    ['2024-03-05T10:00:00+00', "{ column: Created, format: yyyy-MM-dd'T'HH:mm:ssXXX }"],
  ])('nothing about times such as %s, whose format it knows', async (time, entry) => {
    const { text } = await drafted('notes', `Account,Note,Created\n1,a,${time}\n2,b,${time}\n`);
    expect(parsed(text).fields['created_at']).toEqual((parse(`x: ${entry}`) as { x: unknown }).x);
  });

  test('which encoding, delimiter and suffix, and puts none of them in force', async () => {
    const content = Buffer.from('Account;Txn Id;Amount\n1;5 \xA4;5.50 CR\n2;b;6.50 DR\n', 'latin1');
    const { text } = await drafted('transactions', content);
    expect(parsed(text).source).toEqual({
      encoding: null,
      delimiter: ';',
      negative_suffixes: null,
      positive_suffixes: ['CR', 'DR'],
    });
    expect(offered(text, 'encoding')[0]).toBe('windows-1252 # "¤"');
    expect(offered(text, 'encoding')).toContain('iso-8859-15 # "€"');
    expect(offered(text, 'negative_suffixes')).toEqual(['[ CR ]', '[ DR ]']);
  });
});

describe('the answers of a draft', () => {
  test('make a mapping that loads and checks', async () => {
    const { text } = await drafted('transactions', GERMAN);
    // The amounts have both signs, so the draft offers no type for all rows.
    expect(offered(text, 'type')).toEqual([]);
    const typed = answered(answeredWhole(text, 'trailer'), {
      encoding: 'windows-1252',
      type: '{ constant: CHARGE }',
    });
    const { problems, mapping } = await loadedDraft(typed);
    expect(problems).toEqual([]);
    expect(mapping!.format).toMatchObject({
      encoding: 'windows-1252',
      delimiter: ';',
      untilHeader: expect.arrayContaining(['Betrag (EUR)']) as unknown,
      totals: [{ cell: 1 }],
    });
  });

  test.each([
    ['transactions', UK],
    ['notes', 'Konto;Notiz;Erstellt am;Wichtig\n1;a;2024-12-31T10:00:00Z;J\n2;b;2025-01-31T10:00:00Z;N\n'],
    [
      'statements',
      'Account\tBill No\tFrom\tTo\tTotal\n1\tB1\t2024-01-01\t2024-01-31\t53.24\n2\tB2\t2024-01-01\t2024-01-31\t10.50\n',
    ],
    ['payment-instructions', 'Account,Vendor,Reference,Type\n1,ACME,R1,DIRECT_DEBIT\n2,ACME,R2,CARD\n'],
  ] as const)('needs no answer where there is no question: %s', async (resource, content) => {
    const { text, questions } = await drafted(resource, content);
    expect(questions).toEqual([]);
    expect((await loadedDraft(text)).problems).toEqual([]);
  });

  test('have the values of a lookup table only when values may be shown', async () => {
    expect((await drafted('transactions', JAPANESE)).text).not.toContain('請求');
    expect((await drafted('transactions', JAPANESE, true)).text).toContain("lookup: { 請求: '', 入金: '' }");
  });
});

test.each([
  ['a line break', 'a\nfields: {evil: x}'],
  ['a colon and a hash', 'a: b # c'],
  ['a quote', `it's "x"`],
  ['a flow bracket', '{a, [b]}'],
  ['a word that YAML reads as no text', 'null'],
  ['a control character', 'a\u001Bb'],
])('a header with %s stays a header', async (_, name) => {
  const quoted = `"${name.replaceAll('"', '""')}"`;
  const { text } = await drafted('notes', `account,body,${quoted}\n${'1,a,x\n2,b,y\n'.repeat(20)}`);
  expect(parse(text.replace('# ignore: ', 'ignore: '))).toMatchObject({ ignore: [name] });
  expect(Object.keys(parse(text) as object)).toEqual(['version', 'resource', 'source', 'fields']);
});

describe('a draft reads values that are not plain', () => {
  const of = (header: string, ...rows: readonly string[]): string => `${[header, ...rows].join('\n')}\n`;

  test('a date and a time in two columns', async () => {
    const { text } = await drafted(
      'notes',
      of('Account,Note,Created,Time', '1,a,31/12/2024,10:00', '2,b,30/12/2024,9:30'),
    );
    expect(text).toContain(
      "# { template: '{Created} {Time}', format: dd/MM/yyyy H:mm, time_zone: Europe/London }",
    );
  });

  test('currencies of the file', async () => {
    const content = of(
      'Account;Txn Id;Date;Amount;Type',
      '1;a;13.01.2025;5,50 zł;CHARGE',
      '2;b;14.01.2025;6,50 zł;CHARGE',
    );
    const { source, fields } = parsed((await drafted('transactions', content)).text);
    expect(source).toMatchObject({ currency_signs: ['zł'] });
    expect(fields).toMatchObject({ amount: 'Amount' });
  });

  test('a currency for fields, and for the control record that it proposes', async () => {
    const rows = [1, 2, 3, 4].map((at) => `${at},T${at},0${at}/25/2025,"$1,23${at}.50",CHARGE`);
    const content = `Account,Txn Id,Date,Amount,Type\n${rows.join('\n')}\nTOTAL,4,,"$4,932.00",\n`;
    const { text } = await drafted('transactions', content);
    const mapping = answeredWhole(text, 'trailer');
    const check = async (csv: string) =>
      (await checkFiles({ 'x.csv': csv, 'x.csv.map.yaml': mapping })).details.filter((each) =>
        each.includes(' error '),
      );
    expect(await check(content)).toEqual([]);
    expect(await check(content.replace('4,932', '4,933'))).toEqual([
      expect.stringContaining('trailer_sum_differs'),
    ]);
  });

  test('rows that are no records, and the end mark', async () => {
    const content = of(
      'Account;Txn Id;Name;Amount',
      '1;a;x;5,50',
      ';;;',
      'Total;;;5,51',
      '2;b;y;6,50',
      '3;c;z;1,25',
    );
    const { text, questions } = await drafted('transactions', `${content}\u001A`);
    expect(parsed(text).source).toMatchObject({ end_mark: true });
    expect(questions.at(-1)).toContain('1 row has delimiters only (first on line 3)');
    expect(questions[0]).toContain('1 row with "Total" (first on line 4)');
    // Nobody has decided yet.
    expect(parse(text)).toMatchObject({ filter: null, source: { page_lines: null } });
    expect(offered(text, 'filter')).toEqual(['- { column: Account, is: empty }']);
    expect(offered(text, 'page_lines')).toEqual([String.raw`- '^\s*Total[^;]*;;;[^;]*$'`]);
  });
});

describe('a column that feeds nothing and has one currency', () => {
  const file = (last: string): string =>
    `Account,Amount,Currency,Region\n1,5.00,EUR,N\n2,6.00,EUR,N\n3,7.00,${last},N\n`;

  test('keeps it, because an amount beside another one has no value', async () => {
    const { text } = await drafted('transactions', file('EUR'));
    expect(parsed(text).fields).toMatchObject({
      amount: { column: 'Amount', when: [{ column: 'Currency', in: ['EUR'] }] },
    });
    expect(text).toContain('# ignore: [ Region ]');
  });
});

test('rows of totals are asked about, with the lines of the pages', async () => {
  const report = [
    'Kontenliste;;;;;Seite 1',
    'BuKrs;VKont;Belegnr;Datum;Betrag;Art',
    '1000;71;B1;05.01.2026;1.000,00;RE',
    '1000;71;B2;06.01.2026;10,00-;GS',
    '* Summe;;;;990,00;',
    '\fKontenliste;;;;;Seite 2',
    'BuKrs;VKont;Belegnr;Datum;Betrag;Art',
    'Übertrag;;;;990,00;',
    '1000;72;B3;17.01.2026;5,00;RE',
    '1000;72;B4;18.01.2026;7,00;RE',
    '* Summe;;;;12,00;',
    '** Gesamtsumme;;;;1.002,00;',
    'Zeilen: 4',
    '',
  ];
  const { text, decided, questions } = await drafted('transactions', report.join('\n'));
  expect(decided).toEqual(['external_account_number', 'transaction_id', 'transaction_date', 'amount']);
  expect(parsed(text).source).toMatchObject({
    skip: 'until header',
    repeated_header: 'skip',
    page_lines: null,
  });
  expect(offered(text, 'page_lines')).toEqual([
    String.raw`- '^\s*\* Summe[^;]*;;;;[^;]*;$'`,
    String.raw`- '^\s*Übertrag[^;]*;;;;[^;]*;$'`,
    String.raw`- '^\s*\*\* Gesamtsumme[^;]*;;;;[^;]*;$'`,
    String.raw`- ^Kontenliste;;;;;Seite \d+$`,
  ]);
  expect(questions).toHaveLength(3);
  const mapping = answered(answeredWhole(answeredWhole(text, 'trailer'), 'page_lines'), {
    type: '{ constant: CHARGE }',
  });
  const { exitCode, details } = await checkFiles({ 'x.csv': report.join('\n'), 'x.csv.map.yaml': mapping });
  expect({ exitCode, errors: details.filter((each) => each.includes(' error ')) }).toEqual({
    exitCode: 0,
    errors: [],
  });
});

test.each([
  ['počet: 4;;;', 1, ''],
  [';počet - řádků: 4;;26,00', 2, '26,00'],
  ['součet;4 řádky;;26,00', 2, '26,00'],
])('a label and a count in one cell are a control record: %j', async (last, cell, total) => {
  const rows = [5, 6, 7, 8].map((amount) => `100${amount};B${amount};0${amount}.01.2026;${amount},00`);
  const report = `Konto;Beleg;Datum;Betrag\n${rows.join('\n')}\n${last}\n`;
  const { text } = await drafted('transactions', report);
  const mapping = answered(answeredWhole(text, 'trailer'), { type: '{ constant: CHARGE }' });
  const check = async (csv: string) =>
    (await checkFiles({ 'x.csv': csv, 'x.csv.map.yaml': mapping })).details.filter((each) =>
      each.includes(' error '),
    );
  expect(offered(text, 'trailer')).toContain(`count: ${cell}`);
  expect(await check(report)).toEqual([]);
  expect(await check(report.replace(last, last.replace('4', '5')))).toEqual([
    expect.stringContaining('trailer_count_differs'),
  ]);
  if (total !== '')
    expect(await check(report.replace(total, '27,00'))).toEqual([
      expect.stringContaining('trailer_sum_differs'),
    ]);
});

test('two date formats are a question where a value fits neither, or the order of day and month is open', async () => {
  const open = async (...dates: readonly string[]) =>
    (
      await drafted(
        'transactions',
        `Txn Id,Txn Date,Amount\n${dates.map((date, at) => `${at},${date},5.00\n`).join('')}`,
      )
    ).questions;
  expect((await open('31/12/2025', '2026-01-05', '25/01/2026', '2026-02-07', 'soon')).join()).toContain(
    'Txn Date',
  );
  expect((await open('31/12/2025', '2026-01-15', '25/01/2026', '2026-02-27')).join()).toContain('Txn Date');
  expect((await open('01/12/2025', '2026-01-05', '05/01/2026', '2026-02-07')).join()).toContain('Txn Date');
});

describe('quotation marks outside of the rows', () => {
  const bookings = ['a', 'b', 'c', 'd', 'e', 'f'].map(
    (id, at) => `1,${id},2026-01-0${at + 1},5.00,"x, ${id}"`,
  );
  const rows = ['Account,Txn Id,Txn Date,Amount,Text', ...bookings];

  test.each([
    ['above', ['Report "Bookings" of 12" screens', ...rows]],
    ['above, opened and never closed', ['"Report', ...rows]],
    ['below', [...rows, 'End of "Bookings"']],
  ])('%s do not decide that the rows have none', async (_, lines) => {
    const { text } = await drafted('transactions', `${lines.join('\n')}\n`);
    expect(parsed(text).source).not.toHaveProperty('quote');
    expect(text).toContain('note: Text');
  });
});

test('candidates come in the order of their values: what repeats for an account, what never does for an id', async () => {
  const rows = Array.from({ length: 12 }, (_, at) => [
    at % 2 ? 'charge' : 'refund',
    `c${at % 5}`,
    `x${at}`,
    '1769947200',
    '5.10',
    'gbp',
  ]);
  const lines = [['object', 'who', 'key', 'created', 'amount', 'ccy'], ...rows].map((row) => row.join(','));
  const { text } = await drafted('transactions', `${lines.join('\n')}\n`);
  expect(offered(text, 'external_account_number').slice(0, 2)).toEqual(['who', 'object']);
  expect(offered(text, 'transaction_id')).toEqual(['key']);
  expect(offered(text, 'transaction_date')[0]).toBe(
    '{ column: created, format: epoch_seconds, time_zone: Europe/London }',
  );
  expect(offered(text, 'type').join()).not.toContain('ccy');
});

test.each([
  ['Af Bij', 'Af', 'Bij'],
  ['S/H', 'S', 'H'],
])('%s may be debit and credit', async (header, one, other) => {
  const rows = Array.from(
    { length: 9 },
    (_, at) => `${at};T${at};31.12.2024;1,50;${at % 2 === 0 ? one : other}`,
  );
  const { text } = await drafted(
    'transactions',
    `Account;Txn Id;Date;Amount;${header}\n${rows.join('\n')}\n`,
  );
  expect(text).not.toContain('constant: CHARGE');
  expect(text).toContain('so one constant may be wrong');
});

test('amounts of both signs have no type for all rows', async () => {
  const rows = (amount: (at: number) => string): string =>
    [
      'Account;Txn Id;Date;Amount',
      ...Array.from({ length: 9 }, (_, at) => `${at};T${at};31.12.2024;${amount(at)}`),
      '',
    ].join('\n');
  const signed = await drafted(
    'transactions',
    rows((at) => (at % 2 === 0 ? '1,50' : '-1,50')),
  );
  expect(signed.text).not.toContain('constant: CHARGE');
  expect(signed.questions.join(' ')).toContain('so one constant is wrong for some rows');
  expect(
    (
      await drafted(
        'transactions',
        rows(() => '1,50'),
      )
    ).text,
  ).toContain('constant: CHARGE');
});

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { fakeIo, runCli } from '../../support/cli-io.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const FILE = `Konto;Beleg;Gebucht;Valuta;Art;Betrag;Status;Text
0071;B-1001;01.02.2026;01.02.2026;RE;156128;ok;Strom Januar
0072;B-1002;03.02.2026;03.02.2026;GS;-89360;ok;Bonus
0073;B-1003;05.02.2026;05.02.2026;RE;4711;ok;Strom Februar
0072;B-1004;07.02.2026;07.02.2026;RE;1250;ok;Gas Februar
0071;B-1005;09.02.2026;09.02.2026;GS;-500;ok;Treue
`;
const HEADER = 'external_account_number,transaction_id,transaction_date,type,amount,note';
const EXAMPLES = [
  '0071,1001,2026-02-01,CHARGE,1561.28,Strom Januar',
  '0072,1002,2026-02-03,CREDIT,893.60,Bonus',
  '0073,1003,2026-02-05,CHARGE,47.11,Strom Februar',
];

async function likeDraft(
  examples: readonly string[],
  { file = FILE, header = HEADER, name = 'export.csv', resource = 'transactions' } = {},
): Promise<{
  fields: Record<string, unknown>;
  text: string;
  asked: readonly number[];
  questions: readonly string[];
}> {
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, name), file);
  writeFileSync(join(cwd, 'wanted.csv'), [header, ...examples, ''].join('\n'));
  const line = ['map', 'init', resource, name, '--like', 'wanted.csv', '--out', '-', '--json'];
  const { json, stderr } = await runCli(line, fakeIo({ cwd }));
  expect(stderr).toBe('');
  const draft = json() as { text: string; asked: readonly number[]; questions: readonly string[] };
  return { ...draft, fields: (parse(draft.text) as { fields: Record<string, unknown> }).fields };
}

test('columns, a part of a text, a unit, a sign and a table are those that make the examples', async () => {
  const { fields, questions, asked } = await likeDraft(EXAMPLES);
  expect(questions).toEqual([]);
  expect(asked).toEqual([]);
  expect(fields).toEqual({
    external_account_number: 'Konto',
    transaction_id: { column: 'Beleg', replace: [{ pattern: '^B-', with: '' }] },
    transaction_date: { column: 'Gebucht', format: 'dd.MM.yyyy' },
    type: { column: 'Art', lookup: { RE: 'CHARGE', GS: 'CREDIT' } },
    amount: expect.anything(),
    note: 'Text',
  });
  expect(JSON.stringify(fields['amount'])).toContain('"unit":"minor"');
  expect(JSON.stringify(fields['amount'])).toContain('"negate":true');
});

test('where two columns make all examples, the draft names the row that would decide', async () => {
  const file = FILE.replace('07.02.2026;07.02.2026', '07.02.2026;08.02.2026');
  const { fields, questions, asked } = await likeDraft(EXAMPLES, { file });
  expect(fields).not.toHaveProperty('transaction_date');
  expect(questions).toEqual([
    'which is the transaction_date? Each of these gives that of all examples; the record of line 5 of the file would decide.',
  ]);
  expect(asked).toEqual([5]);
  const decided = await likeDraft([...EXAMPLES, '0072,1004,2026-02-08,CHARGE,12.50,Gas Februar'], { file });
  expect(decided.questions).toEqual([]);
  expect(decided.fields['transaction_date']).toMatchObject({ column: 'Valuta' });
});

test('a kind of row that no example shows is asked about, and not decided', async () => {
  const file = FILE.replace('07.02.2026;RE;1250', '07.02.2026;ZE;-1250');
  const { fields, questions, asked } = await likeDraft(EXAMPLES, { file });
  expect(asked).toContain(5);
  expect(questions.join('\n')).toMatch(/are these rows to be left out\?.*"Art" \(first on line 5\)/);
  // With these rows in it, the file does not pass.
  expect(JSON.stringify(fields['type'] ?? '')).not.toContain('ZE');
});

test('a column of states that the examples do not vary with is asked about', async () => {
  const { text, asked } = await likeDraft(EXAMPLES, { file: FILE.replace('1250;ok', '1250;void') });
  expect(text).toContain('\nfilter:\n#   - { column: Status, in: [ void ] }\n');
  expect(asked).toEqual([5]);
});

test('a column that is filled in rows and in no example is asked about', async () => {
  const file = FILE.split('\n')
    .map((line, at) => (line === '' ? '' : `${line};${at === 0 ? 'Storniert' : (CANCELLED[at] ?? '')}`))
    .join('\n');
  const { text, asked, questions } = await likeDraft(EXAMPLES, { file });
  expect(questions).toEqual([
    'are these rows to be left out? no example is a row with a filled "Storniert" (first on line 5).',
  ]);
  expect(text).toContain('\nfilter:\n#   - { column: Storniert, is: present }\n');
  expect(asked).toEqual([5]);
});
/** The days by which two rows were cancelled. */
const CANCELLED: Readonly<Record<number, string>> = { 4: '10.02.2026', 5: '11.02.2026' };

test('the id of a single example comes from the column that has it in another form', async () => {
  const { fields, questions } = await likeDraft(EXAMPLES.slice(0, 1));
  expect(questions.join('\n')).not.toContain('no column gives it');
  expect(fields['transaction_id']).toEqual({ column: 'Beleg', replace: [{ pattern: '^B-', with: '' }] });
});

describe('an account that is the same in all examples', () => {
  const one = EXAMPLES.map((example) => example.replace(/^\d+/, '00000071'));
  const ofOne = FILE.replaceAll(/^007[23]/gm, '0071').replace(/^0071(;B-1005)/m, '0072$1');

  test('comes from the column that has it in another form', async () => {
    const { fields, questions } = await likeDraft(one, { file: ofOne.replaceAll(/^00/gm, '') });
    expect(questions).toEqual([]);
    expect(fields['external_account_number']).toMatchObject({
      column: 'Konto',
      pad: { length: 8, with: '0' },
    });
  });

  test('is asked about when no column has it', async () => {
    const { fields, questions } = await likeDraft(
      one.map((example) => example.replace('00000071', 'X-1')),
      { file: ofOne },
    );
    expect(fields).not.toHaveProperty('external_account_number');
    expect(questions[0]).toBe('all examples have one external_account_number, and no column gives it.');
  });
});

test('a sign that two letters may give is asked about beside each type', async () => {
  const file = FILE.replaceAll(';-', ';')
    .replace('Status', 'SH')
    .replaceAll(/(RE;\d+);ok/g, '$1;S')
    .replaceAll(/(GS;\d+);ok/g, '$1;H')
    .replace('RE;1250;S', 'RE;1250;H');
  const { asked, questions } = await likeDraft(EXAMPLES, { file });
  expect(asked).toEqual([5]);
  expect(questions.join('\n')).toContain('what is the amount of rows such as line 5 of the file?');
});

test('an example that is clearly no row is named with the nearest rows', async () => {
  const { questions } = await likeDraft([...EXAMPLES, '0079,9999,2020-01-01,CHARGE,1.00,nothing']);
  expect(questions.join('\n')).toMatch(
    /which rows of the file are the other examples\? the nearest to the example on line 5 are on lines /,
  );
});

test('a value that nothing gives is asked about, with the answer that gives most', async () => {
  const { questions } = await likeDraft([
    EXAMPLES[0]!,
    EXAMPLES[1]!,
    EXAMPLES[2]!.replace('Strom Februar', 'Heizung'),
  ]);
  expect(questions.join('\n')).toContain(
    'nothing gives the note of line 4 of the examples; this gives that of the others',
  );
});

test('items come from columns whose names differ in a number', async () => {
  const file = `Account,Id,Day,Total,From1,To1,Net1,From2,To2,Net2
A1,B1001,2026-02-01,30.00,2026-01-01,2026-01-31,10.00,2026-02-01,2026-02-28,20.00
A2,B1002,2026-02-02,7.00,2026-01-01,2026-01-31,7.00,,,
A3,B1003,2026-02-03,9.50,2026-01-02,2026-01-30,4.00,2026-02-02,2026-02-27,5.50
`;
  const items = (...all: readonly (readonly [string, string, number])[]): string =>
    JSON.stringify(
      all.map(([start, end, net]) => ({ start_date: start, end_date: end, net_amount: net })),
    ).replaceAll('"', '""');
  const { fields } = await likeDraft(
    [
      `A1,B1001,2026-02-01,CHARGE,30,"${items(['2026-01-01', '2026-01-31', 10], ['2026-02-01', '2026-02-28', 20])}"`,
      `A2,B1002,2026-02-02,CHARGE,7,"${items(['2026-01-01', '2026-01-31', 7])}"`,
    ],
    { file, header: HEADER.replace('note', 'line_items') },
  );
  expect(fields['line_items']).toMatchObject({
    repeat: { from: 1, to: 2 },
    item: { start_date: expect.anything(), net_amount: 'Net{n}' },
  });
});

/** An object of JSON Lines, its parts as [kind, day, cents, name]. */
const bill = (id: number, parts: readonly (readonly [string, string, number, string?])[]): string =>
  JSON.stringify({
    no: `B-${id}`,
    acc: `A${id % 3}`,
    day: `2026-03-0${id}`,
    sum: id * 1000 + 1,
    parts: parts.map(([kind, from, cents, text]) => ({ kind, from, cents, text })),
  });
/** A record of it, its items as [day, amount, band]. */
const billed = (id: number, items: readonly (readonly [string, number, string])[]): string => {
  const list = items.map(([day, net_amount, rate_band]) => ({ start_date: day, net_amount, rate_band }));
  return `A${id % 3},B-${id},2026-03-0${id},SUPPLY_CHARGE,${id * 10}.01,"${JSON.stringify(list).replaceAll('"', '""')}"`;
};
const BILLS = [
  bill(1, [
    ['E', '01.01.2026', 1200],
    ['S', '01.01.2026', 300],
    ['V', '02.01.2026', 150, 'VAT'],
  ]),
  bill(2, [
    ['V', '01.02.2026', 150, 'VAT'],
    ['E', '03.02.2026', 151],
  ]),
  bill(3, [['S', '04.02.2026', 77]]),
  bill(4, [
    ['E', '05.02.2026', 88],
    ['V', '05.02.2026', 9, 'VAT'],
  ]),
];
const BILLED = [
  billed(1, [
    ['2026-01-01', 12, 'DAY'],
    ['2026-01-01', 3, 'STANDING'],
  ]),
  billed(2, [['2026-02-03', 1.51, 'DAY']]),
  billed(3, [['2026-02-04', 0.77, 'STANDING']]),
];
const LISTED = { name: 'bills.jsonl', header: HEADER.replace('note', 'line_items') };

test('items come from the objects of a list of JSON Lines, without those that a condition leaves out', async () => {
  const { fields, questions } = await likeDraft(BILLED, { ...LISTED, file: BILLS.join('\n') });
  expect(questions).toEqual([]);
  expect(fields['line_items']).toEqual({
    each: {
      column: 'parts',
      when: [{ column: 'kind', in: ['E', 'S'] }],
      item: {
        start_date: { column: 'from', format: 'dd.MM.yyyy' },
        net_amount: { column: 'cents', unit: 'minor' },
        rate_band: { column: 'kind', lookup: { E: 'DAY', S: 'STANDING' } },
      },
    },
  });
});

test('a kind of object that no example shows is asked about', async () => {
  const file = [...BILLS, bill(5, [['X', '01.05.2026', 5]])].join('\n');
  const { asked, questions } = await likeDraft(BILLED, { ...LISTED, file });
  expect(asked).toEqual([5]);
  expect(questions).toEqual([
    'what is the line_items of rows such as line 5 of the file? No example is like them.',
  ]);
});

test('objects that another column tells apart, beside that of a table, are asked about', async () => {
  const file = [
    bill(1, [
      ['E', '01.01.2026', 1200, 'x'],
      ['S', '01.01.2026', 300, 'x'],
    ]),
    bill(2, [['E', '03.02.2026', 151, 'y']]),
    bill(3, [['S', '04.02.2026', 77, 'y']]),
  ].join('\n');
  const { asked, questions } = await likeDraft(BILLED.slice(0, 2), { ...LISTED, file });
  expect(asked).toEqual([3]);
  expect(questions).toEqual([
    'what is the line_items of rows such as line 3 of the file? No example is like them.',
  ]);
});

/** Objects of two kinds arrive if their text is x. */
const MARKED = [
  bill(1, [
    ['E', '01.01.2026', 1200, 'x'],
    ['S', '01.01.2026', 300, 'x'],
    ['E', '01.01.2026', 40, 'y'],
  ]),
  bill(2, [
    ['V', '01.02.2026', 150, 'x'],
    ['E', '03.02.2026', 151, 'x'],
  ]),
  bill(3, [
    ['S', '04.02.2026', 77, 'x'],
    ['V', '01.02.2026', 11, 'y'],
  ]),
];

test('a condition of two columns leaves objects out', async () => {
  const file = [...MARKED, bill(4, [['S', '01.03.2026', 12, 'y']])].join('\n');
  const { fields } = await likeDraft([...BILLED, 'A1,B-4,2026-03-04,SUPPLY_CHARGE,40.01,'], {
    ...LISTED,
    file,
  });
  expect(fields['line_items']).toMatchObject({
    each: {
      when: [
        { column: 'kind', in: ['E', 'S'] },
        { column: 'text', in: ['x'] },
      ],
    },
  });
});

test('objects that another column tells apart, beside that of a condition, are asked about', async () => {
  const file = [
    bill(1, [
      ['E', '01.01.2026', 1200, 'x'],
      ['V', '01.01.2026', 300, 'y'],
      ['V', '01.01.2026', 30, 'x'],
    ]),
    bill(2, [['E', '03.02.2026', 151, 'y']]),
  ].join('\n');
  const { asked } = await likeDraft([billed(1, [['2026-01-01', 12, 'DAY']])], { ...LISTED, file });
  expect(asked).toEqual([2]);
});

test('conditions that leave out the same objects of the examples, and others elsewhere, are asked about', async () => {
  const file = [...BILLS, bill(5, [['V', '01.05.2026', 5]])].join('\n');
  const withoutBands = BILLED.map((line) => line.replaceAll(/,""rate_band"":""\w+""/g, ''));
  const { asked, questions } = await likeDraft(withoutBands, { ...LISTED, file });
  expect(asked).toEqual([5]);
  expect(questions.join()).toContain('which is the line_items? Each of these gives that of all examples');
});

const SHEET = `Rec;Cust;Bill;Day;Kind;Value
1;K-17;F100;01.03.2026;H;
2;K-17;F100;01.03.2026;E;10,00
3;K-17;F100;01.03.2026;S;55,10
4;K-17;F100;01.03.2026;V;6,50
5;K-18;F101;02.03.2026;H;
6;K-18;F101;02.03.2026;S;5,00
7;K-19;F102;03.03.2026;H;
8;K-19;F102;03.03.2026;E;5,50
9;K-19;F102;03.03.2026;V;5,50
`;
const SHEET_ITEMS = (...items: readonly (readonly [number, string])[]): string =>
  JSON.stringify(items.map(([net_amount, rate_band]) => ({ net_amount, rate_band }))).replaceAll('"', '""');
const SHEET_EXAMPLES = [
  `K-17,F100,2026-03-01,SUPPLY_CHARGE,71.60,"${SHEET_ITEMS([10, 'DAY'], [55.1, 'STANDING'])}"`,
  `K-18,F101,2026-03-02,SUPPLY_CHARGE,5,"${SHEET_ITEMS([5, 'STANDING'])}"`,
];

test('a record is made of several rows where the examples show it', async () => {
  const { fields, text, questions } = await likeDraft(SHEET_EXAMPLES, {
    file: SHEET,
    header: LISTED.header,
  });
  expect(questions).toEqual([]);
  expect(text).toContain('\ncontinuation: { key: [ Bill ] }\n');
  expect(fields['amount']).toEqual({ column: 'Value', sum: true });
  expect(fields['line_items']).toEqual({
    rows: {
      when: [{ column: 'Kind', in: ['E', 'S'] }],
      item: {
        net_amount: 'Value',
        rate_band: { column: 'Kind', lookup: { E: 'DAY', S: 'STANDING' } },
      },
    },
  });
});

test('a kind of row of a record that no example shows is asked about, also for a sum', async () => {
  const file = SHEET.replace('9;K-19;F102;03.03.2026;V', '9;K-19;F102;03.03.2026;X');
  const withoutItems = SHEET_EXAMPLES.map((line) => line.replace(/".*"/, ''));
  const { asked, questions } = await likeDraft(withoutItems, { file, header: LISTED.header });
  expect(asked).toEqual([8]);
  expect(questions).toEqual([
    'what is the amount of rows such as line 8 of the file? No example is like them.',
  ]);
});

test('rows are not taken for one record where nothing is made of several', async () => {
  const cwd = temporaryFolder();
  const twice = FILE.replaceAll(/^(\d.*;)(.*)$/gm, '$1$2\n$1other');
  const examples = [HEADER, ...EXAMPLES].map((line) => line.replace(/,[^,]*$/, ''));
  writeFileSync(join(cwd, 'export.csv'), twice);
  writeFileSync(join(cwd, 'wanted.csv'), examples.join('\n'));
  const line = ['map', 'init', 'transactions', 'export.csv', '--like', 'wanted.csv', '--out', '-'];
  const { stderr } = await runCli(line, fakeIo({ cwd }));
  expect(stderr).toContain('no example is clearly one row of export.csv');
});

test.each([
  ['a number', '""price_per_unit"":0.255'],
  ['a day', '""start_date"":""2026-01-01""'],
])('%s that is in a cell, but in a way that cannot be read, is no constant', async (_, part) => {
  const file = `Cust;Bill;Day;Value;Pence;Period
K-17;F100;01.03.2026;10,00;25,5;20260101-20260131
K-18;F101;02.03.2026;5,00;25,5;20260101-20260131
K-19;F102;03.03.2026;6,00;20;20260201-20260228
`;
  const items = `"[{""net_amount"":VALUE,${part}}]"`;
  const { questions } = await likeDraft(
    [
      `K-17,F100,2026-03-01,SUPPLY_CHARGE,10,${items.replace('VALUE', '10')}`,
      `K-18,F101,2026-03-02,SUPPLY_CHARGE,5,${items.replace('VALUE', '5')}`,
    ],
    { file, header: LISTED.header },
  );
  expect(questions[0]).toBe('nothing gives the line_items of lines 2, 3 of the examples.');
});

test('a column that may say which of two hours it was is asked about', async () => {
  const file = `Account,Logged,BST,Note
A-1,25/10/2026 01:10,Y,Fault
A-2,25/10/2026 01:20,N,Callback
A-3,26/10/2026 02:30,N,Meter read
A-4,24/10/2026 15:40,Y,Moved out
`;
  const { asked, questions } = await likeDraft(
    [
      'A-2,2026-10-25T01:20:00Z,Callback',
      'A-3,2026-10-26T02:30:00Z,Meter read',
      'A-4,2026-10-24T14:40:00Z,Moved out',
    ],
    { file, resource: 'notes', header: 'external_account_number,created_at,body' },
  );
  expect(asked).toEqual([2]);
  expect(questions).toEqual([
    'what is the created_at of rows such as line 2 of the file? No example is like them.',
  ]);
});

test('examples that are no rows, a wrong header and standard input are refused', async () => {
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, 'export.csv'), FILE);
  writeFileSync(join(cwd, 'none.csv'), `${HEADER}\n0079,9999,2020-01-01,CHARGE,1.00,nothing\n`);
  writeFileSync(join(cwd, 'bad.csv'), 'external_account_number,amuont\n0071,2\n');
  writeFileSync(join(cwd, 'empty.csv'), `${HEADER}\n`);
  const said = async (file: string, like: string): Promise<string> =>
    (await runCli(['map', 'init', 'transactions', file, '--like', like, '--out', '-'], fakeIo({ cwd })))
      .stderr;
  expect(await said('export.csv', 'none.csv')).toContain('no example is clearly one row of export.csv');
  expect(await said('export.csv', 'bad.csv')).toContain('bad.csv:1 error header_unknown');
  expect(await said('export.csv', 'empty.csv')).toContain('empty.csv has no example');
  expect(await said('-', 'none.csv')).toContain('--like needs two files');
});

test('a column of the examples that is no field is refused, and not left out', async () => {
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, 'export.csv'), FILE);
  writeFileSync(join(cwd, 'wanted.csv'), `${HEADER},remark\n${EXAMPLES[0]},x\n`);
  const line = ['map', 'init', 'transactions', 'export.csv', '--like', 'wanted.csv', '--out', '-'];
  const { exitCode, stderr, stdout } = await runCli(line, fakeIo({ cwd }));
  expect([exitCode, stdout]).toEqual([3, '']);
  expect(stderr).toBe(
    'wanted.csv:1 error header_unknown the header `remark` is not a field of transactions\nnext: Rename or remove the column.\n',
  );
});

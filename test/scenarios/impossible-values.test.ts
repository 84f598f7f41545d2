import { describe, expect, test } from 'vitest';
import { checkFiles } from '../support/checked-files.ts';

const many = (count: number, lineOf: (at: number) => string): readonly string[] =>
  Array.from({ length: count }, (_, at) => lineOf(at));

async function found(resource: 'notes' | 'statements' | 'transactions', rows: readonly string[], map = '') {
  const header = { notes: 'K,D,B', statements: 'K,S,F,T', transactions: 'K,B,D,A,C,N,V,R,X,U1,U2,Q' }[
    resource
  ];
  const fields = {
    notes: 'created_at: D, body: B',
    statements: 'statement_id: S, bill_period_from_date: F, bill_period_to_date: T',
    transactions: 'transaction_id: B, transaction_date: D, amount: A, type: { constant: CHARGE }',
  }[resource];
  const document = `version: 1\nresource: ${resource}\nignore: all\nfields: { external_account_number: K, ${map === '' ? fields : map} }\n`;
  const files = { 'x.csv': `${header}\n${rows.join('\n')}\n`, 'x.csv.map.yaml': document };
  return (await checkFiles(files, [], { resource })).details;
}

describe('numbers of a bill', () => {
  const MAP =
    'transaction_id: B, transaction_date: D, amount: A, type: { constant: SUPPLY_CHARGE }, product_code: { constant: P }, ' +
    'line_items: { items: [{ start_date: D, end_date: D, number_of_units: N, net_amount: V, units: { items: [U1, U2] } }] }, ' +
    'tax_items: { items: [{ amount: X, value_taxed: V, rate: R, tax_type: { constant: VAT }, unit_type: { constant: PROPORTION } }] }';
  const bills = (
    rate: string,
    unitsOf: (at: number) => readonly [first: number, second: number, units: number],
  ) =>
    found(
      'transactions',
      many(30, (at) => {
        const [first, second, units] = unitsOf(at);
        const [net, tax] = [2000 + at * 20, 100 + at];
        return `${at},T${at},2026-01-05,${((net + tax) / 100).toFixed(2)},,${units},${(net / 100).toFixed(2)},${rate},${(tax / 100).toFixed(2)},${first},${second},`;
      }),
      MAP,
    );

  test('are a warning with the factor when they contradict each other', async () => {
    expect(await bills('5', (at) => [100, 150 + at, 50 + at])).toEqual([
      '2:8 warning record_contradicts_itself: `value_taxed` times `rate` is not the `amount` of the tax in 30 of 30; it is 100 times as large',
    ]);
    expect(await bills('0.05', (at) => [150 + at, 100, 50 + at])).toEqual([
      '2:10 warning record_contradicts_itself: the second of `units` minus the first is not `number_of_units` in 30 of 30; it is -1 times as large',
    ]);
    expect((await bills('0.05', (at) => [100, 150 + at, at === 7 ? 5 : 50 + at])).join()).toContain(
      'in 1 of 30',
    );
  });

  test.each([
    ['agree', (at: number) => [100, 150 + at, 50 + at] as const],
    [
      'come from cubic metres',
      (at: number) => [100, 150 + at, Math.round((50 + at) * (11.1 + (at % 3) / 10))] as const,
    ],
    ['come from a meter that counts by tens', (at: number) => [100, 150 + at, (50 + at) * 10] as const],
  ])('are none where they %s', async (_, unitsOf) => {
    expect(await bills('0.05', unitsOf)).toEqual([]);
  });
});

describe('ids that nobody has typed', () => {
  const ids = (values: readonly string[]) =>
    found(
      'transactions',
      values.map((id, at) => `${at},${id},2026-01-05,5.00,,,,,,,,`),
    );
  const long = (at: number) => `20260301${String(at * 7919 + 1_000_001).padStart(9, '4')}`;

  test.each([
    [
      many(12, (at) => `${long(at).slice(0, 15)}00`),
      'warning spreadsheet_damage: are long numbers with zeros',
    ],
    [
      ['417', '418', '41E1'],
      'warning spreadsheet_damage: may be numbers that a program has written with an exponent',
    ],
    [['1.2345678E8'], 'error spreadsheet_damage'],
    [['12\u034F3'], 'error identifier_has_spaces: has the invisible character U+034F'],
    [
      ['INV-1', 'INV-2', 'INV\u20113'],
      'warning identifier_shape_differs: 1 of 3 have characters that look like',
    ],
    [
      ['2-29', '3-30', '4-31', 'Feb-09', 'févr-17'],
      'warning identifier_shape_differs: 2 of 5 are a month and a number',
    ],
    [['A1', '\u04101'], 'warning identifier_shape_differs: 1 of 2 have characters that look like'],
  ])('are named: %j', async (values, said) => {
    expect(await ids(values)).toEqual([expect.stringContaining(said)]);
  });

  test.each([
    [many(12, long)],
    [['12A5', '12E5', '12F5']],
    [['Jan-26', 'Feb-26', 'Mar-26']],
    [['\u0410\u0411-1', '\u0410\u0412-2']],
    [['ﬁ-1', 'OP-9', 'É-2']],
  ])('are none where suppliers write such ids: %j', async (values) => {
    expect(await ids(values)).toEqual([]);
  });
});

describe('texts', () => {
  const notes = (texts: readonly string[]) =>
    found(
      'notes',
      texts.map((text, at) => `${at},2026-01-05T13:00:00Z,"${text}"`),
    );
  const WORDS = 'Gerät Rückfrage prüfen Straße danke über bitte Kunde möchte anrufen Termin läuft'.split(' ');
  const long = (at: number) =>
    many(60, (word) => WORDS[(at * 7 + word * (1 + (at % 5))) % WORDS.length]!).join(' ');
  const written = many(40, (at) => long(at).slice(0, 60 + at * 9));
  const cut = many(12, (at) => Buffer.from(long(at)).subarray(0, 250).toString().replace('\uFFFD', ''));

  test.each([
    ['Smith &amp; Sons', '&amp;'],
    ['Paid_x000D_', '_x000D_'],
    [String.raw`First\nSecond`, String.raw`\n`],
    [String.raw`M\u00fcller`, String.raw`\u00fc`],
    ['Paid%20twice%2C', '%20'],
    ['M=C3=BCller', '=C3=BC'],
    ["'-12 of credit", "'"],
  ])('that were escaped once too often are a warning: %s', async (text, mark) => {
    const [problem, ...others] = await notes([...written, text, text, text]);
    expect([problem, others]).toEqual([expect.stringMatching(/text_damaged.*escaped.*: 3 of 43$/), []]);
    expect(problem).toContain(mark);
  });

  test('with question marks in place of letters are counted, and those behind words or in addresses are not', async () => {
    const [problem] = await notes([...written, 'Herr M?ller', 'Stra?e', 'f?r Sie', 'Frau Mei?ner?']);
    expect(problem).toContain(
      'text_damaged: has a question mark in place of a letter, as in M?ller: 4 of 44',
    );
    const asked = ['Really? Yes', 'see https://x.example/a?b=c', 'a?b=c', 'x?y=1', 'why?no', 'who?me'];
    expect(await notes([...written, ...asked])).toEqual([]);
  });

  test('that were read in a wrong encoding are a warning', async () => {
    for (const odd of ['Pendiente de revisi¢n', 'Le client a ‚t‚ pr‚venu', 'Êëèåíò çâîíèë'])
      expect(await notes([...written, odd, odd, odd])).toEqual([
        expect.stringContaining('a wrong encoding makes them: 3 of 43'),
      ]);
    const right = ['N°dossier, 1ª vez', 'Jamais « déçu » ?', 'm²a, 5°C ½ Tag', 'Çà et là', 'Größe: 10€/m³'];
    expect(await notes([...right, ...right, ...right])).toEqual([]);
  });

  test('that were cut are a warning, by their bytes or by an ellipsis', async () => {
    expect(await notes([...written.slice(0, 15), ...cut])).toEqual([
      expect.stringMatching(/was cut.* 250 bytes/),
    ]);
    const dotted = many(
      12,
      (at) =>
        `${long(at)
          .slice(0, 200)
          .replace(/\s\S*$/, '')}...`,
    );
    expect(await notes([...written.slice(0, 12), ...dotted])).toEqual([expect.stringContaining('was cut')]);
  });

  test.each([
    [
      'marks',
      [
        'AT&T; R&D',
        '100 % of 20',
        String.raw`C:\New\Notes`,
        'https://x.example/a%20b',
        "'tis done",
        'a=C3',
        'x_000',
      ],
    ],
    ['one length', many(40, (at) => `Meter ${at + 10_000} was read by Ms Smith on site`)],
    [
      'many lengths, some with an ellipsis',
      written.map((text, at) => (at % 9 === 0 ? `${text.slice(0, 50)}…` : text)),
    ],
  ])('that people and programs write are none: %s', async (_, texts) => {
    expect(await notes([...texts, ...texts, ...texts])).not.toContainEqual(
      expect.stringMatching(/escaped|was cut/),
    );
  });
});

describe('times', () => {
  const at = (text: (row: number) => string, format: string) =>
    found(
      'notes',
      many(36, (row) => `${row},${text(row)},b${row}`),
      `created_at: { column: D, ${format} }, body: B`,
    );
  const LOCAL = "format: 'yyyy-MM-dd HH:mm', time_zone: Europe/Berlin";
  const hour = (row: number): string => String(row).padStart(2, '0');

  test('that cannot be are a warning', async () => {
    expect(await at((row) => `2026-01-05 ${hour((row % 12) + 1)}:10`, LOCAL)).toEqual([
      expect.stringContaining('has only hours from 1 to 12'),
    ]);
    expect(await at((row) => `${1_767_225_600 + row * 864_000}`, 'format: epoch_milliseconds')).toEqual([
      expect.stringContaining('lies within weeks of 1970 in all 36 records'),
    ]);
  });

  test('of an office, of a morning, and in seconds are none', async () => {
    expect(await at((row) => `2026-01-05 ${hour(8 + (row % 10))}:10`, LOCAL)).toEqual([]);
    expect(await at((row) => `2026-01-05 ${hour(6 + (row % 7))}:10`, LOCAL)).toEqual([]);
    expect(await at((row) => `${1_767_225_600 + row * 864_000}`, 'format: epoch_seconds')).toEqual([]);
  });

  test('of dates are a warning when they are midnight elsewhere, unless the zone is said', async () => {
    const days = (zone: string) =>
      found(
        'transactions',
        many(
          12,
          (row) => `${row},T${row},2026-0${(row % 6) + 1}-05T2${row % 6 < 3 ? 3 : 2}:00:00Z,5.00,,,,,,,,`,
        ),
        `transaction_id: B, transaction_date: { column: D, format: iso, time_zone: ${zone} }, amount: A, type: { constant: CHARGE }`,
      );
    expect(await days('UTC')).toEqual([
      expect.stringContaining('has the time 22:00 or 23:00 in all 12 rows'),
    ]);
    expect(await days('Europe/Berlin')).toEqual([]);
  });

  test.each([
    ['', '01', '60 periods that touch', 1],
    [', day_before: true', '01', 'the day before', 0],
    ['', '28', 'periods that end before the next one', 0],
  ])('of periods%s: %s, %s', async (key, day, _, count) => {
    const rows = many(60, (row) => {
      const month = (row % 6) + 1;
      return `${Math.floor(row / 6)},S${row},2026-0${month}-01,2026-0${day === '01' ? month + 1 : month}-${day}`;
    });
    const map = `statement_id: S, bill_period_from_date: F, bill_period_to_date: { column: T${key} }`;
    const problems = (await found('statements', rows, map)).filter((each) =>
      each.includes('next period begins'),
    );
    expect(problems).toHaveLength(count);
  });
});

test('equal rows of one record, and debits that are all negative, are a warning', async () => {
  const map =
    'transaction_id: B, transaction_date: D, type: { constant: CHARGE }, amount: { debit: A, credit: C } } \ncontinuation: { key: [B] ';
  const rows = many(
    8,
    (row) => `${row},T${row},2026-01-05,${row % 2 ? '-5.00' : ''},${row % 2 ? '' : '7.00'},,,,,,,`,
  );
  expect(await found('transactions', rows, map)).toEqual([
    expect.stringContaining('4 amounts of the column of debits'),
  ]);
  const positive = rows.map((each) => each.replace('-5', '5'));
  expect(await found('transactions', positive, map)).toEqual([]);
  const sums = map.replace('{ debit: A, credit: C }', '{ column: A, sum: true }');
  const items = [1, 1, 2].map((id) => `1,T${id},2026-01-05,5.00,,,,,,,,`);
  expect(await found('transactions', items, sums)).toEqual([expect.stringContaining('rows_equal_in_record')]);
  expect(await found('transactions', [items[0]!, '1,T1,2026-01-05,5.00,,,,,,,,later'], sums)).toEqual([]);
});

describe('amounts beside columns that feed no field', () => {
  const MAP = 'transaction_id: B, transaction_date: D, amount: A, type: { constant: CHARGE }';
  /** Net, tax, and the balance of an account of ten bills. */
  const bills = async (change: (rows: string[][]) => unknown, header = 'K,B,D,A,Net,VAT,Balance') => {
    let balance = 0;
    const rows = many(40, (at) => {
      const [net, tax] = [1000 + at * 37, 200 + at * 8];
      balance = (at % 10 === 0 ? 0 : balance) + net + tax;
      const money = [net + tax, net, tax, balance].map((cents) => (cents / 100).toFixed(2));
      return [
        Math.floor(at / 10),
        `T${at}`,
        `2026-01-${String((at % 28) + 1).padStart(2, '0')}`,
        ...money,
      ].join(',');
    }).map((line) => line.split(','));
    change(rows);
    const map = `version: 1\nresource: transactions\nignore: all\nfields: { external_account_number: K, ${MAP} }\n`;
    const files = {
      'x.csv': [header, ...rows.map((row) => row.join(','))].join('\n'),
      'x.csv.map.yaml': map,
    };
    return (await checkFiles(files)).details.filter((each) => each.includes('contradicts'));
  };
  const moved = (rows: string[][]) =>
    rows.map((row) => row[3]!).forEach((amount, at) => at < 39 && (rows[at + 1]![3] = amount));

  test.each<readonly [string, (rows: string[][]) => unknown, string]>([
    ['moved by a row', moved, '`Net` plus `VAT` of the row above'],
    ['of another sign or size', (rows) => (rows[4]![3] = '3.10'), 'is not `Net` plus `VAT` in 1 of 40'],
    [
      'with rows lost from between them',
      (rows) => rows.splice(14, 2),
      'is not the change of `Balance` in 1 of 34',
    ],
  ])('are a warning: %s', async (_, change, said) => {
    expect(await bills(change)).toEqual([expect.stringContaining(said)]);
  });

  test('are a warning when they are those without tax', async () => {
    const said = 'the amount is `Gross` less `VAT`, so it is without tax, in 40 of 40';
    expect(await bills(() => undefined, 'K,B,D,Gross,A,VAT,Balance')).toEqual([
      expect.stringContaining(said),
    ]);
  });

  test('are none where they agree, in whatever order', async () => {
    expect(await bills(() => undefined)).toEqual([]);
    expect(await bills((rows) => rows.reverse())).toEqual([]);
    expect(await bills((rows) => rows.sort((a, b) => (a[2]! < b[2]! ? -1 : 1)))).toEqual([]);
  });
});

import { describe, expect, test } from 'vitest';
import { CHARGES, mapped } from '../../../support/mapping-files.ts';

const REST = {
  import_supplier: '{ constant: ACME }',
  external_account_number: '{ constant: A1 }',
  transaction_id: '{ constant: T1 }',
  transaction_date: "{ constant: '2026-01-05' }",
  amount: "{ constant: '1.00' }",
  type: '{ constant: CHARGE }',
};

/** The value of one field as JSON text, or the codes of its problems. */
async function field(
  name: string,
  spec: string,
  cells: Readonly<Record<string, string>>,
  { source = '{}', more = {} }: { source?: string; more?: Readonly<Record<string, string>> } = {},
): Promise<string> {
  const isNote = ['is_pinned', 'created_at'].includes(name);
  const isStatement = name === 'gross_amount';
  const { import_supplier, external_account_number } = REST;
  const rest: Record<string, string> = isNote
    ? { import_supplier, external_account_number }
    : isStatement
      ? {
          import_supplier,
          external_account_number,
          statement_id: '{ constant: S }',
          bill_period_from_date: "{ constant: '2026-01-01' }",
          bill_period_to_date: "{ constant: '2026-01-31' }",
        }
      : { ...REST };
  const lines = Object.entries({ ...rest, [name]: spec }).map(([key, value]) => `  ${key}: ${value}\n`);
  const resource = isNote ? 'notes' : isStatement ? 'statements' : 'transactions';
  const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;
  const result = await mapped({
    'm.yaml': `version: 1\nresource: ${resource}\nignore: all\nsource: ${source}\nfields:\n${lines.join('')}`,
    'x.csv': `${Object.keys(cells).map(quoted).join()}\n${Object.values(cells).map(quoted).join()}\n`,
    ...more,
  });
  const record = { ...(result.candidates[0]!.record as object), ...result.candidates[0]!.account } as Record<
    string,
    unknown
  >;
  return result.problems.length > 0 ? result.problems.join() : String(JSON.stringify(record[name]));
}

test.each<readonly [string, string, Readonly<Record<string, string | number>>]>([
  ['amount: { column: A, unit: major }', '1.234', { limit: 2 }],
  ['amount: { column: A, unit: major, minor_digits: 1 }', '1.23', { limit: 1 }],
  ['amount: { column: A, unit: minor }', '1.2', { limit: 0 }],
  ["amount: { column: A, decimal_mark: ',' }", 'x', { example: '-1234,56' }],
  [
    'is_pinned: { column: A, true_tokens: [J, 1], false_tokens: [N] }',
    'x',
    { what: 'is none of `J`, `1`, `N`' },
  ],
])('the problem of %s with %s says what is right', async (field, cell, expected) => {
  const isNote = field.startsWith('is_pinned');
  const fields = isNote
    ? 'external_account_number: K\n'
    : CHARGES.split('fields:\n  ')[1]!.replace(/ {2}amount.*\n/, '');
  const { candidates } = await mapped(
    {
      'm.yaml': `version: 1\nresource: ${isNote ? 'notes' : 'transactions'}\nfields:\n  ${fields}  ${field}\n`,
      'x.csv': `K,B,A\n1,2,${cell}\n`,
    },
    'ACME',
  );
  expect(candidates[0]!.problems.map(({ problem }) => problem.facts)).toMatchObject([expected]);
});

describe('where a value comes from', () => {
  test.each(
    Object.entries<[string, string, Record<string, string>, string]>({
      'a column': ['note', 'A', { A: 'x' }, '"x"'],
      'a column, written in full': ['note', '{ column: A }', { A: 'x' }, '"x"'],
      'an empty cell is no value': ['note', 'A', { A: '' }, 'undefined'],
      'a constant keeps its zeros': ['reference', '{ constant: 007 }', { A: '' }, '"007"'],
      'a constant of a number': ['amount', '{ constant: 1.50 }', { A: '' }, '1.50'],
      'a constant of a boolean': ['is_pinned', '{ constant: true }', { A: '' }, 'true'],
      'a template': ['note', "{ template: '{A}-{B}' }", { A: 'x', B: 'y' }, '"x-y"'],
      'a template with braces': ['note', "{ template: '{{{A}}}' }", { A: 'x' }, '"{x}"'],
      'a template with an empty part': ['note', "{ template: '{A}-{B}' }", { A: 'x', B: '' }, '"x-"'],
      'a template without any part': ['note', "{ template: '{A}-{B}' }", { A: '', B: '' }, 'undefined'],
      'a template is trimmed as a whole, too': [
        'note',
        "{ template: '{A} {B}', trim: true }",
        { A: ' x ', B: '' },
        '"x"',
      ],
      'a debit': ['amount', '{ debit: S, credit: H }', { S: '5.00', H: '' }, '5.00'],
      'a credit': ['amount', '{ debit: S, credit: H }', { S: '', H: '5.00' }, '-5.00'],
      'a credit beside a zero': ['amount', '{ debit: S, credit: H }', { S: '0.00', H: '5.00' }, '-5.00'],
      'a debit beside a zero': ['amount', '{ debit: S, credit: H }', { S: '5.00', H: '0' }, '5.00'],
      'two zeros': ['amount', '{ debit: S, credit: H }', { S: '0.00', H: '0.00' }, '0.00'],
      both: ['amount', '{ debit: S, credit: H }', { S: '5.00', H: '1.00' }, 'number_unreadable amount ::2'],
      neither: ['amount', '{ debit: S, credit: H }', { S: '', H: '' }, 'number_unreadable amount ::1'],
      'a credit that is no number': [
        'amount',
        '{ debit: S, credit: H }',
        { S: '', H: 'x' },
        'number_unreadable amount ::2',
      ],
    }),
  )('%s', async (_, [name, spec, cells, expected]) => {
    expect(await field(name, spec, cells)).toBe(expected);
  });
});

describe('each step', () => {
  test.each([
    ['trim', 'note', '{ column: A, trim: true }', '\u00A0 x \u3000', '"x"'],
    ['no trim, pinned', 'note', '{ column: A }', ' x ', '" x "'],
    ['null_tokens', 'note', "{ column: A, null_tokens: [NULL, 'N/A'] }", 'NULL', 'undefined'],
    ['null_tokens without the empty one', 'note', '{ column: A, null_tokens: [NULL] }', '', '""'],
    ['trim before null_tokens', 'note', '{ column: A, trim: true }', '  ', 'undefined'],
    [
      'replace',
      'note',
      "{ column: A, replace: [{ pattern: '\\s+', with: ' ' }, { pattern: '^K(\\d+)$', with: '$1' }] }",
      'K12',
      '"12"',
    ],
    ['replace every match', 'note', "{ column: A, replace: [{ pattern: '-', with: '' }] }", 'a-b-c', '"abc"'],
    ['pad on the left', 'reference', "{ column: A, pad: { length: 5, with: '0' } }", '12', '"00012"'],
    ['case', 'reference', '{ column: A, case: upper }', 'straße i', '"STRASSE I"'],
    ['case', 'reference', '{ column: A, case: lower }', 'ABC', '"abc"'],
    ['lookup', 'type', '{ column: A, lookup: { 01: CHARGE, 1: CREDIT } }', '01', '"CHARGE"'],
    [
      'lookup of what is not there',
      'type',
      '{ column: A, lookup: { Z: CHARGE } }',
      'z',
      'lookup_missing type ::1',
    ],
    ['marks', 'amount', "{ column: A, decimal_mark: ',', thousands_mark: '.' }", '1.234,50', '1234.50'],
    ['a currency', 'amount', '{ column: A, currency_signs: [$] }', '-$1234.50', '-1234.50'],
    ['negate', 'amount', '{ column: A, negate: true }', '5.00', '-5.00'],
    ['negate a zero', 'amount', '{ column: A, negate: true }', '0.00', '0.00'],
    ['minor units', 'amount', '{ column: A, unit: minor }', '0000123456', '1234.56'],
    ['minor units that are less than one', 'amount', '{ column: A, unit: minor }', '-5', '-0.05'],
    ['minor units without digits', 'amount', '{ column: A, unit: minor, minor_digits: 0 }', '1234', '1234'],
    ['major units are those of the field', 'amount', '{ column: A, unit: major }', '12.34', '12.34'],
    ['major units keep their digits', 'amount', '{ column: A, unit: major }', '12.3', '12.3'],
    ['major units of a field in minor ones', 'gross_amount', '{ column: A, unit: major }', '12.30', '1230'],
    [
      'digits that would be lost',
      'gross_amount',
      '{ column: A, unit: major }',
      '12.345',
      'max_decimal_places gross_amount ::1',
    ],
    ['[C102] leading zeros are a warning', 'amount', 'A', '00005.00', 'leading_zeros amount ::1'],
    ['format', 'transaction_date', '{ column: A, format: dd.MM.yyyy }', '05.01.2026', '"2026-01-05"'],
    [
      'time_zone',
      'created_at',
      "{ column: A, format: 'dd.MM.yyyy HH:mm', time_zone: Europe/Berlin }",
      '05.01.2026 12:00',
      '"2026-01-05T11:00:00Z"',
    ],
    [
      'at',
      'created_at',
      "{ column: A, format: dd.MM.yyyy, time_zone: Europe/Berlin, at: '12:00' }",
      '05.01.2026',
      '"2026-01-05T11:00:00Z"',
    ],
    ['[C087] a negative zero is a warning', 'amount', 'A', '-0.00', 'negative_zero amount ::1'],
    ['day_before', 'transaction_date', '{ column: A, day_before: true }', '2026-03-01', '"2026-02-28"'],
    [
      'hour_24',
      'created_at',
      "{ column: A, format: 'dd.MM.yyyy HH:mm', time_zone: Europe/Berlin, hour_24: true }",
      '31.12.2026 24:00',
      '"2026-12-31T23:00:00Z"',
    ],
    [
      'century',
      'transaction_date',
      '{ column: A, format: dd.MM.yy, century: 2000 }',
      '05.01.26',
      '"2026-01-05"',
    ],
    [
      'months',
      'transaction_date',
      '{ column: A, format: d MMM yyyy, months: [janv., févr., mars, avr., mai, juin, juil., août, sept., oct., nov., déc.] }',
      '5 FÉVR. 2026',
      '"2026-02-05"',
    ],
    ['flags', 'is_pinned', '{ column: A, true_tokens: [J], false_tokens: [N] }', 'J', 'true'],
    [
      'flags',
      'is_pinned',
      '{ column: A, true_tokens: [J], false_tokens: [N] }',
      'true',
      'lookup_missing is_pinned ::1',
    ],
    ['required', 'note', '{ column: A, required: true }', '', 'required note ::1'],
  ])('%s (%s)', async (_, name, spec, cell, expected) => {
    expect(await field(name, spec, { A: cell })).toBe(expected);
  });

  test.each([
    ["['', n/a]", '--', 'undefined'],
    ["['', n/a]", 'x', 'undefined'],
    ['[n/a]', 'x', '""'],
    ['[]', '--', '"n/a"'],
  ])('replace before null_tokens %s: %s', async (tokens, cell, expected) => {
    const replace = "[{ pattern: '^-+$', with: n/a }, { pattern: '^x$', with: '' }]";
    const spec = `{ column: A, null_tokens: ${tokens}, replace: ${replace} }`;
    expect(await field('note', spec, { A: cell })).toBe(expected);
  });
});

describe('a key of the source', () => {
  test.each([
    ['{ trim: true }', 'note', 'A', ' x ', '"x"'],
    ['{ trim: true }', 'note', '{ column: A, trim: false }', ' x ', '" x "'],
    ["{ decimal_mark: ',' }", 'amount', 'A', '1,50', '1.50'],
    ["{ decimal_mark: ',' }", 'amount', "{ column: A, decimal_mark: '.' }", '1.50', '1.50'],
    // Its point is no mark between groups, too.
    [
      "{ decimal_mark: ',', thousands_mark: '.' }",
      'amount',
      "{ column: A, decimal_mark: '.' }",
      '1234.56',
      '1234.56',
    ],
    ['{ thousands_mark: indian }', 'amount', 'A', '1,95,552.20', '195552.20'],
    ['{ date_format: dd.MM.yyyy }', 'transaction_date', 'A', '05.01.2026', '"2026-01-05"'],
    [
      "{ datetime_format: 'dd.MM.yyyy HH:mm', time_zone: Europe/Berlin, fold: later }",
      'created_at',
      'A',
      '25.10.2026 02:30',
      '"2026-10-25T01:30:00Z"',
    ],
    ['{ true_tokens: [J], false_tokens: [N] }', 'is_pinned', 'A', 'N', 'false'],
    ['{ positive_suffixes: [DR], negative_suffixes: [CR], negative: [] }', 'amount', 'A', '5.00CR', '-5.00'],
  ])('%s applies to %s: %s', async (source, name, spec, cell, expected) => {
    expect(await field(name, spec, { A: cell }, { source })).toBe(expected);
  });
});

describe('a value in the mapping is written as the interface writes it, whatever the format of the file', () => {
  const source =
    "{ decimal_mark: ',', date_format: dd.MM.yyyy, datetime_format: epoch_seconds, true_tokens: [J], false_tokens: [N] }";
  test.each([
    ['amount', "{ constant: '0.23' }", '', '0.23'],
    ['amount', "{ column: A, lookup: { '23%': '0.23' } }", '23%', '0.23'],
    ['amount', "{ column: A, lookup: { A: '1.50' }, negate: true }", 'A', '-1.50'],
    ['gross_amount', '{ column: A, lookup: { A: 150 } }', 'A', '150'],
    ['gross_amount', "{ column: A, lookup: { A: '1.50' }, unit: major }", 'A', '150'],
    ['transaction_date', '{ column: A, lookup: { Q1: 2026-03-31 } }', 'Q1', '"2026-03-31"'],
    ['created_at', '{ column: A, lookup: { X: 2026-01-05T11:00:00Z } }', 'X', '"2026-01-05T11:00:00Z"'],
    ['is_pinned', '{ column: A, lookup: { X: true } }', 'X', 'true'],
    ['is_pinned', '{ column: A, lookup: { X: false } }', 'X', 'false'],
  ])('%s: %s of %j', async (name, spec, cell, expected) => {
    expect(await field(name, spec, { A: cell }, { source })).toBe(expected);
  });

  test('also in a lookup file', async () => {
    const more = { 'rates.csv': 'Code,Rate\n23%,0.23\n' };
    const spec = '{ column: A, lookup: { file: rates.csv, key: Code, value: Rate } }';
    expect(await field('amount', spec, { A: '23%' }, { source, more })).toBe('0.23');
  });
});

describe('the condition of a field', () => {
  test.each([
    ['in', '{ column: S, in: [X, Y] }', 'Y', true],
    ['in', '{ column: S, in: [X, Y] }', '', false],
    ['not_in', '{ column: S, not_in: [X] }', 'Y', true],
    ['not_in, of no value', '{ column: S, not_in: [X] }', '', true],
    ['is empty', '{ column: S, is: empty }', '', true],
    ['is present', '{ column: S, is: present }', '', false],
    ['is negative', '{ column: S, is: negative }', '-1', true],
    ['is zero', '{ column: S, is: zero }', '0.00', true],
    ['is positive', '{ column: S, is: positive }', '0', false],
    ['matches', "{ column: S, matches: '^A\\d' }", 'A1', true],
    ['matches', "{ column: S, matches: '^A\\d' }", 'BA1', false],
    ['a field', '{ field: type, in: [CHARGE] }', '', true],
    ['the number of a field', "{ field: amount, in: ['1'] }", '', true],
    ['the sign of a field', '{ field: amount, is: positive }', '', true],
    ['all of a list', '[{ column: S, in: [X] }, { field: type, in: [CREDIT] }]', 'X', false],
  ])('%s: %s of %j', async (_, when, cell, isTaken) => {
    expect(await field('note', `{ constant: n, when: ${when} }`, { S: cell })).toBe(
      isTaken ? '"n"' : 'undefined',
    );
  });

  test('the sign of a cell that is no number is reported', async () => {
    const spec = '[{ constant: CREDIT, when: { column: S, is: negative } }, { constant: CHARGE }]';
    expect(await field('type', spec, { S: '5-' })).toBe('number_unreadable  ::1');
  });

  test.each([
    [{ S: '5', A: '' }, '"CHARGE"'],
    [{ S: '', A: 'Z' }, '"PAYMENT"'],
    [{ S: '', A: 'Q' }, 'lookup_missing type ::2'],
    [{ S: '', A: '' }, '"CREDIT"'],
  ])('chooses the first of several alternatives that holds: %j', async (cells, expected) => {
    const spec =
      '[{ constant: CHARGE, when: { column: S, is: present } }, { column: A, lookup: { Z: PAYMENT }, when: { column: A, is: present } }, { constant: CREDIT }]';
    expect(await field('type', spec, cells)).toBe(expected);
  });

  test('leaves the field without a value when none holds', async () => {
    expect(await field('note', '[{ constant: n, when: { column: S, is: present } }]', { S: '' })).toBe(
      'undefined',
    );
  });
});

describe('a lookup table in a file', () => {
  const spec = '{ column: A, lookup: { file: types.csv, key: Code, value: Type, delimiter: ";" } }';

  test('replaces texts by its values', async () => {
    const more = { 'types.csv': 'Code;Type\nZ;PAYMENT\n01;CREDIT\n' };
    expect(await field('type', spec, { A: '01' }, { more })).toBe('"CREDIT"');
    expect(await field('type', spec, { A: '1' }, { more })).toBe('lookup_missing type ::1');
  });
});

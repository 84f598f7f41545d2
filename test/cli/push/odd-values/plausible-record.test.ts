import { describe, expect, test } from 'vitest';
import type { SourceCell } from '../../../../src/cli/mapping/mapping-plan.ts';
import {
  damagedCells,
  implausibleDates,
  implausibleValues,
} from '../../../../src/cli/push/odd-values/plausible-record.ts';
import type { Resource } from '../../../../src/core/contract/resources.ts';
import { Decimal } from '../../../../src/core/values/decimal.ts';

const BOUNDS = { earliest: '1970-01-01', today: '2026-11-21' };

const found = (resource: Resource, record: Readonly<Record<string, unknown>>, bounds = BOUNDS) =>
  implausibleDates(resource, record, bounds).map(({ code, path, facts }) =>
    `${path.join('.')} ${code} ${facts['bound'] ?? ''}`.trim(),
  );

test.each([
  ['transactions', { transaction_date: '1970-01-01' }],
  ['transactions', { transaction_date: '9999-12-31' }],
  ['transactions', { transaction_date: '1969-02-30' }],
  ['transactions', { transaction_date: 'never' }],
  ['transactions', {}],
  ['statements', { bill_period_from_date: '2027-11-21', issued_date: null }],
  ['statements', { bill_period_from_date: '2026-01-01', issued_date: '2026-01-01' }],
  ['notes', { created_at: '2027-11-21T23:59:59Z', unpin_at: '9999-12-31T00:00:00Z' }],
  ['payment-instructions', { reference: '0001-01-01' }],
] as const)('%s with %j is plausible', (resource, record) => {
  expect(found(resource, record)).toEqual([]);
});

test.each([
  ['transactions', { transaction_date: '1969-12-31' }, 'transaction_date date_implausible before 1970-01-01'],
  ['notes', { created_at: '0001-01-01T00:00:00Z' }, 'created_at date_implausible before 1970-01-01'],
  ['notes', { unpin_at: '1899-12-30T00:00:00Z' }, 'unpin_at date_implausible before 1970-01-01'],
  [
    'statements',
    { bill_period_to_date: '2027-11-22' },
    'bill_period_to_date date_implausible more than a year after today, 2026-11-21',
  ],
  [
    'statements',
    { issued_date: '2099-01-01' },
    'issued_date date_implausible more than a year after today, 2026-11-21',
  ],
  [
    'transactions',
    { line_items: [null, { start_date: '2026-01-01', end_date: '2226-01-31' }] },
    'line_items.1.end_date date_implausible more than a year after today, 2026-11-21',
  ],
  [
    'statements',
    { bill_period_from_date: '2025-01-01', issued_date: '2024-12-31' },
    'issued_date issued_before_bill_period',
  ],
  [
    'statements',
    { bill_period_from_date: '2015-01-01', bill_period_to_date: '2017-01-02' },
    'bill_period_to_date dates_far_apart',
  ],
  [
    'statements',
    { bill_period_from_date: '2015-01-01', bill_period_to_date: '2015-01-31', issued_date: '2025-02-02' },
    'issued_date dates_far_apart',
  ],
] as const)('%s with %j is implausible', (resource, record, problem) => {
  expect(found(resource, record)).toEqual([problem]);
});

test.each([
  { bill_period_from_date: '2015-01-01', bill_period_to_date: '2017-01-01', issued_date: '2019-01-01' },
  { bill_period_from_date: '2016-02-29', bill_period_to_date: '2018-03-01', issued_date: '2018-03-02' },
  { bill_period_to_date: 'soon', issued_date: '2026-01-01' },
])('%j is no long time', (record) => {
  expect(found('statements', record)).toEqual([]);
});

test('the earliest plausible date is an option', () => {
  const record = { transaction_date: '1950-06-01' };
  expect(found('transactions', record, { ...BOUNDS, earliest: '1950-06-01' })).toEqual([]);
  expect(found('transactions', record, { ...BOUNDS, earliest: '2000-01-01' })).toEqual([
    'transaction_date date_implausible before 2000-01-01',
  ]);
});

describe('a record', () => {
  const values = (resource: Resource, record: object, account = '1001') =>
    implausibleValues(
      resource,
      { account: { import_supplier: 'ACME', external_account_number: account }, record },
      BOUNDS,
    ).map(({ code, path, severity }) => `${severity} ${path.join('.')} ${code}`);

  test.each<readonly [string, Resource, object, string, readonly string[]]>([
    [
      'an account number',
      'notes',
      { body: 'x' },
      ' 1',
      ['error external_account_number identifier_has_spaces'],
    ],
    ['an id', 'transactions', { transaction_id: '1E+12' }, '1', ['error transaction_id spreadsheet_damage']],
    [
      'an id that means no value',
      'transactions',
      { transaction_id: 'NULL' },
      '1',
      ['error transaction_id identifier_is_no_value'],
    ],
    [
      'an id with a blank at its end',
      'statements',
      { statement_id: 'S ' },
      '1',
      ['error statement_id identifier_has_spaces'],
    ],
    [
      'a damaged letter of an id',
      'transactions',
      { transaction_id: 'T\ufffd' },
      '1',
      ['warning transaction_id text_damaged'],
    ],
    ['a text', 'notes', { body: 'NULL' }, '1', ['warning body text_is_no_value']],
    [
      'an amount of zero',
      'transactions',
      { amount: Decimal.of('0.00') },
      '1',
      ['warning amount zero_amount'],
    ],
    [
      'a date',
      'transactions',
      { transaction_date: '1960-01-01' },
      '1',
      ['error transaction_date date_implausible'],
    ],
  ])('has %s that no person would accept', (_, resource, record, account, expected) => {
    expect(values(resource, record, account)).toEqual(expected);
  });

  test.each<readonly [string, Resource, object]>([
    ['an amount of zero in a statement', 'statements', { gross_amount: Decimal.of('0') }],
    ['an amount that is no number', 'transactions', { amount: '0' }],
    ['an amount of a cent', 'transactions', { amount: Decimal.of('0.01') }],
    ['a note', 'notes', { body: 'x', reference: 'NULL\ufeff'.slice(0, 1) }],
  ])('may have %s', (_, resource, record) => {
    expect(values(resource, record)).toEqual([]);
  });

  test('has no account number, if the mapping has found none', () => {
    expect(values('notes', { body: 'x' }, undefined as never)).toEqual([]);
  });

  test.each([
    ['transactions', 'transaction_id'],
    ['statements', 'statement_id'],
  ] as const)(
    'of %s has an id of at most 255 characters, because its contract names no bound',
    (resource, id) => {
      const found = (text: string) =>
        implausibleValues(
          resource,
          { account: { import_supplier: 'ACME', external_account_number: '1' }, record: { [id]: text } },
          BOUNDS,
        );
      const tooLong = [
        { code: 'max_length', path: [id], severity: 'error', facts: { limit: '255 characters' } },
      ];
      expect(found('x'.repeat(255))).toEqual([]);
      expect(found('x'.repeat(256))).toEqual(tooLong);
      // Characters count, and not their halves.
      expect(found('𝒳'.repeat(255))).toEqual([]);
      expect(found('𝒳'.repeat(256))).toEqual(tooLong);
    },
  );

  test('has its reference bounded by its contract', () => {
    expect(values('payment-instructions', { reference: 'x'.repeat(256) })).toEqual([]);
  });

  test('has dates that are texts compared, and no others', () => {
    const far = implausibleDates(
      'statements',
      { bill_period_from_date: '2015-01-01', bill_period_to_date: '2018-01-01' },
      BOUNDS,
    );
    expect(far).toMatchObject([
      { code: 'dates_far_apart', facts: { other: 'bill_period_from_date', years: 2 } },
    ]);
    expect(values('statements', { issued_date: 5, bill_period_from_date: '2025-01-01' })).toEqual([]);
    expect(values('statements', { issued_date: '2025-01-01', bill_period_from_date: 9 })).toEqual([]);
    expect(values('statements', { issued_date: '2099', bill_period_to_date: '2015-01-01' })).toEqual([]);
    expect(values('statements', { issued_date: '2025-01-01', bill_period_to_date: '2015' })).toEqual([]);
  });
});

describe('a cell', () => {
  const CELL = { file: null, line: null, column: 3, header: 'x' };
  const damage = (resource: Resource, cell: Partial<SourceCell>) =>
    damagedCells(resource, {
      sourceCells: [{ path: ['amount'], role: 'value', text: '', cell: CELL, isReplaced: false, ...cell }],
    }).map(({ problem: { code, path, severity }, cell: at }) => {
      expect(at).toBe(CELL);
      return `${severity} ${path.join('.')} ${code}`;
    });
  const name = (path: SourceCell['path'], text: string, isReplaced = false): Partial<SourceCell> => ({
    path,
    role: 'name',
    text,
    isReplaced,
  });
  const ACCOUNT = ['external_account_number'];

  test.each<readonly [string, Resource, Partial<SourceCell>, readonly string[]]>([
    ['of a value', 'transactions', { text: '#N/A' }, ['error amount cell_is_no_value']],
    ['of a key', 'transactions', { role: 'key', text: '1E+12' }, ['error amount spreadsheet_damage']],
    [
      'of an account',
      'notes',
      name(ACCOUNT, 'NULL'),
      ['error external_account_number identifier_is_no_value'],
    ],
    [
      'of an id',
      'transactions',
      name(['transaction_id'], '1E+12'),
      ['error transaction_id spreadsheet_damage'],
    ],
    ['of a reference', 'transactions', name(['reference'], 'NULL'), ['error reference cell_is_no_value']],
    [
      'of a shortened reference',
      'transactions',
      name(['reference'], '1E+12'),
      ['warning reference spreadsheet_damage'],
    ],
    [
      'of a mark that stays',
      'notes',
      name(ACCOUNT, "'123"),
      ['error external_account_number identifier_has_text_mark'],
    ],
    [
      'of blanks that stay',
      'notes',
      name(ACCOUNT, 'A\u00a01'),
      ['error external_account_number identifier_has_spaces'],
    ],
    [
      'of blanks inside that a step may remove',
      'notes',
      name(ACCOUNT, ' 1E+12', true),
      ['error external_account_number spreadsheet_damage'],
    ],
    [
      'of a shortened number that a step changes',
      'notes',
      name(ACCOUNT, '1E+12', true),
      ['error external_account_number spreadsheet_damage'],
    ],
  ])('%s is damaged', (_, resource, cell, expected) => {
    expect(damage(resource, cell)).toEqual(expected);
  });

  test.each<readonly [string, Resource, Partial<SourceCell>]>([
    ['of a value', 'transactions', { text: '12.50' }],
    ['of a text', 'notes', name(['body'], 'NULL')],
    ['of the id of another resource', 'notes', name(['transaction_id'], '1E+12')],
    ['whose mark a step removes', 'notes', name(ACCOUNT, "'123", true)],
    ['whose blanks a step removes', 'notes', name(ACCOUNT, ' 123 ', true)],
  ])('%s is not', (_, resource, cell) => {
    expect(damage(resource, cell)).toEqual([]);
  });
});

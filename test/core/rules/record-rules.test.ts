import { describe, expect, test } from 'vitest';
import { sentenceOf } from '../../../src/core/error-codes/sentence.ts';
import { checkRecord } from '../../../src/core/rules/record.ts';
import { candidate, drafts, problemsIn, TODAY, transactions, withField } from '../../support/push-records.ts';

const supply = transactions.SUPPLY_CHARGE;

describe('a supply charge', () => {
  test.each([
    ['53.24', true],
    ['53.245', false],
    ['53.23', false],
    ['53.25', false],
    ['-53.24', false],
  ])('whose items come to 53.24 and whose amount is %s: %s', (amount, passes) => {
    const sum = 'ledger_transaction_amount_does_not_match_with_line_item_net_amount_and_tax_amount';
    const expected = amount === '53.245' ? ['error max_decimal_places amount'] : [`error ${sum} amount`];
    expect(problemsIn('transactions', withField(supply, 'amount', amount))).toEqual(passes ? [] : expected);
  });

  test.each([
    // Items may have ten decimals and the amount only two, so half a minor unit is left for rounding.
    ['9.244999', true],
    ['9.235', true],
    ['9.245', true],
    ['9.2451', false],
    ['9.2349', false],
  ])('of 53.24 with a tax of %s passes: %s', (tax, passes) => {
    const problems = problemsIn('transactions', withField(supply, 'tax_items.0.amount', tax));
    expect(problems.length === 0).toBe(passes);
  });

  test.each([
    ['44', true],
    ['44.00', true],
    ['44.5', false],
    ['45', false],
  ])('of 4 units at 11 has a net amount of %s: %s', (net, passes) => {
    const problems = problemsIn('transactions', withField(supply, 'line_items.0.net_amount', net));
    expect(problems.includes('error incorrect_line_item_net_amount line_items.0.net_amount')).toBe(!passes);
  });

  test.each([
    // 34.939875
    ['0.2875', '121.53', '34.94', true],
    ['0.2875', '121.53', '34.9399', true],
    ['0.2875', '121.53', '34.939875', true],
    ['0.2875', '121.53', '35', true],
    ['0.2875', '121.53', '34.93', false],
    ['0.2875', '121.53', '34.95', false],
    ['0.2875', '121.53', '34.9398', false],
    // 44.065 is exactly between two amounts, and may be either.
    ['0.5', '88.13', '44.06', true],
    ['0.5', '88.13', '44.07', true],
    ['0.5', '88.13', '44.08', false],
  ])(
    'whose price is %s may show its price times %s units rounded, as %s: %s',
    (price, units, net, passes) => {
      const priced = [
        ['line_items.0.price_per_unit', price],
        ['line_items.0.number_of_units', units],
        ['line_items.0.net_amount', net],
      ].reduce((draft, [path, value]) => withField(draft, path!, value), supply);
      const problems = problemsIn('transactions', priced);
      expect(problems.includes('error incorrect_line_item_net_amount line_items.0.net_amount')).toBe(!passes);
    },
  );

  test('without a price has nothing to multiply', () => {
    const unpriced = withField(supply, 'line_items.0.price_per_unit', undefined);
    expect(problemsIn('transactions', withField(unpriced, 'line_items.0.number_of_units', 5))).toEqual([]);
  });

  test.each([
    ['2025-12-31', '2025-12-31', true],
    ['2025-12-30', '2025-12-31', true],
    ['2025-12-31', '2025-12-30', false],
  ])('with a line from %s to %s: %s', (from, to, passes) => {
    const draft = withField(withField(supply, 'line_items.0.start_date', from), 'line_items.0.end_date', to);
    expect(problemsIn('transactions', draft)).toEqual(
      passes ? [] : ['error start_date_later_than_end_date line_items.0.start_date'],
    );
  });

  test.each([
    [[], false],
    [[1], false],
    [[1, 2], true],
    [[1, 2, 3], false],
  ])('with the readings %j: %s', (units, passes) => {
    expect(problemsIn('transactions', withField(supply, 'line_items.0.units', units))).toEqual(
      passes ? [] : ['error line_item_units_must_be_two_values line_items.0.units'],
    );
  });

  test('is told of every line item that is wrong, each by its place', () => {
    const [line] = supply['line_items'] as unknown[];
    const wrong = withField(line as Record<string, unknown>, 'units', [1]);
    const draft = withField(withField(supply, 'line_items', [line, wrong, wrong]), 'amount', '141.24');
    expect(problemsIn('transactions', draft)).toEqual([
      'error line_item_units_must_be_two_values line_items.1.units',
      'error line_item_units_must_be_two_values line_items.2.units',
    ]);
  });
});

describe('the date of a transaction', () => {
  test.each([
    ['yesterday', '2026-11-20', true],
    ['today', TODAY, true],
    ['tomorrow', '2026-11-22', false],
    ['in the year 9999', '9999-12-31', false],
    ['long ago', '0001-01-01', true],
  ])('%s', (_, transaction_date, passes) => {
    expect(problemsIn('transactions', { ...transactions.CHARGE, transaction_date })).toEqual(
      passes ? [] : ['error transaction_in_future transaction_date'],
    );
  });

  test('in the future is told with the day that is today', () => {
    const late = candidate({ ...transactions.CHARGE, transaction_date: '2026-11-22' });
    const { problems } = checkRecord('transactions', late, { today: TODAY });
    expect(sentenceOf(problems[0]!.code, problems[0]!.facts)).toBe(
      'lies after today, 2026-11-21, in the zone of the platform',
    );
  });
});

describe('a note', () => {
  test.each([
    ['a body', { body: 'x' }, true],
    ['documents', { document_paths: [{ document_path: 'a.pdf' }] }, true],
    ['both', drafts.notes, true],
    ['neither', {}, false],
    ['an empty body', { body: '' }, false],
    ['an empty list of documents', { document_paths: [] }, false],
    ['an empty body and an empty list', { body: '', document_paths: [] }, false],
  ])('with %s', (_, draft, passes) => {
    expect(problemsIn('notes', draft)).toEqual(
      passes ? [] : ['error note_body_or_document_path_not_found body'],
    );
  });

  test.each([
    ['after it was created', '2024-03-05T18:48:17Z', true],
    ['when it was created', '2024-03-05T19:48:16+01:00', true],
    ['before it was created', '2024-03-05T18:48:15Z', false],
    ['before it was created, though its text sorts after', '2024-03-05T19:00:00+01:00', false],
  ])('that is unpinned %s', (_, unpin_at, passes) => {
    expect(problemsIn('notes', { ...drafts.notes, unpin_at })).toEqual(
      passes ? [] : ['error note_unpin_at_earlier_than_creation_date unpin_at'],
    );
  });

  test('without created_at may be unpinned at any time, pinned or not', () => {
    expect(problemsIn('notes', { body: 'x', unpin_at: '1999-01-01T00:00:00Z' })).toEqual([]);
  });
});

test.each([
  ['2025-01-01', '2025-01-01', true],
  ['2025-01-01', '2025-03-31', true],
  ['2025-04-01', '2025-03-31', false],
])('a statement from %s to %s: %s', (bill_period_from_date, bill_period_to_date, passes) => {
  const draft = { ...drafts.statements, bill_period_from_date, bill_period_to_date };
  expect(problemsIn('statements', draft)).toEqual(
    passes ? [] : ['error bill_period_from_later_than_to bill_period_from_date'],
  );
});

const RELATIVE = 'error document_path_not_relative';
const LEAVES = 'error document_path_leaves_root';
const DOCUMENTS = [
  ['statements/2025/1.pdf', null],
  ['1.PDF', null],
  ['a..b/..c/1.pdf', null],
  ['./1.pdf', null],
  ['a:b.pdf', null],
  ['letters\\1.pdf', null],
  ['../1.pdf', LEAVES],
  ['a/../../1.pdf', LEAVES],
  ['a/..', LEAVES],
  ['..\\1.pdf', LEAVES],
  ['/abs.pdf', RELATIVE],
  ['//host/1.pdf', RELATIVE],
  ['\\\\host\\1.pdf', RELATIVE],
  ['s3://other/1.pdf', RELATIVE],
  ['HTTPS://x/1.pdf', RELATIVE],
  ['file:1.pdf', RELATIVE],
  ['C:\\1.pdf', RELATIVE],
  ['c:/1.pdf', RELATIVE],
] as const;

test.each(DOCUMENTS)('a document of a note at %s: %s', (document_path, problem) => {
  const draft = { document_paths: [{ document_path: 'good.txt' }, { document_path }] };
  const expected = problem === null ? [] : [`${problem} document_paths.1.document_path`];
  expect(problemsIn('notes', draft)).toEqual(expected);
});

test.each(DOCUMENTS)('the document of a statement at %s: %s', (statement_path, problem) => {
  const found = problemsIn('statements', { ...drafts.statements, statement_path });
  expect(found.filter((each) => !each.startsWith('warning'))).toEqual(
    problem === null ? [] : [`${problem} statement_path`],
  );
});

test.each([
  ['1.pdf', 'no problem'],
  ['a/1.PDF', 'no problem'],
  ['1.docx', 'a warning'],
  ['1', 'a warning'],
  ['1.pdf.gz', 'a warning'],
])('a statement with the document %s: %s', (statement_path, expected) => {
  const found = problemsIn('statements', { ...drafts.statements, statement_path });
  expect(found).toEqual(expected === 'a warning' ? ['warning undocumented_value statement_path'] : []);
});

describe('what the interface does not show is a warning and the record goes on', () => {
  test.each([
    ['transactions', 'reason', transactions.CHARGE],
    ['transactions', 'payment_type', transactions.PAYMENT],
    ['transactions', 'line_items.0.rate_band', supply],
    ['transactions', 'tax_items.0.tax_type', supply],
    ['transactions', 'tax_items.0.unit_type', supply],
    ['payment-instructions', 'type', drafts['payment-instructions']],
  ] as const)('another value of %s %s', (resource, path, draft) => {
    const unknown = candidate(withField(draft, path, 'SOMETHING_ELSE'));
    const { record, problems } = checkRecord(resource, unknown, { today: TODAY });
    expect(record).toBeDefined();
    expect(problems.map(({ severity, code, path: at }) => `${severity} ${code} ${at.join('.')}`)).toEqual([
      `warning undocumented_value ${path}`,
    ]);
  });

  test('every enum is open, save the types of transactions, whose shape would not be known', () => {
    expect(problemsIn('transactions', { ...transactions.CHARGE, type: 'FEE' })).toEqual([
      'error invalid_choice type',
    ]);
  });

  test('the empty reason of a payment is no undocumented value', () => {
    expect(problemsIn('transactions', { ...transactions.PAYMENT, reason: '', payment_type: '' })).toEqual([]);
  });

  test.each([
    ['CHARGE', 'reference', 'x'],
    ['CHARGE', 'tax_items', []],
    ['CREDIT', 'payment_type', 'DIRECT_CREDIT'],
    ['PAYMENT', 'display_note', 'x'],
    ['REPAYMENT', 'product_code', 'FLAT'],
    ['SUPPLY_CHARGE', 'note', 'x'],
    ['SUPPLY_CHARGE', 'reason', 'IMPORTED_CHARGE'],
  ] as const)('a %s with the field %s', (type, field, value) => {
    expect(problemsIn('transactions', { ...transactions[type], [field]: value })).toEqual([
      `warning undocumented_value ${field}`,
    ]);
  });

  test('a warning does not hide an error', () => {
    const draft = { ...transactions.CHARGE, reason: 'NEW', transaction_date: '2030-01-01' };
    const { record } = checkRecord('transactions', candidate(draft), { today: TODAY });
    expect(record).toBeUndefined();
    expect(problemsIn('transactions', draft)).toEqual([
      'error transaction_in_future transaction_date',
      'warning undocumented_value reason',
    ]);
  });
});

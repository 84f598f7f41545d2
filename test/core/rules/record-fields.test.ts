import { describe, expect, test } from 'vitest';
import { DESCRIPTORS, RESOURCES, type Resource } from '../../../src/core/contract/resources.ts';
import { TRANSACTION_TYPES } from '../../../src/core/contract/transaction.ts';
import { checkRecord } from '../../../src/core/rules/record.ts';
import { Decimal } from '../../../src/core/values/decimal.ts';
import { UnreadableNumber } from '../../../src/core/values/exact-json.ts';
import {
  drafts,
  problemsIn,
  SAMPLES,
  TODAY,
  transactions,
  withField,
  type Draft,
} from '../../support/push-records.ts';

/** The table "Required fields" of deployments.md, with the fields of interface.md 2 that it leaves optional. */
const FIELDS: readonly {
  readonly of: string;
  readonly resource: Resource;
  readonly draft: Draft;
  readonly at?: string;
  readonly required: readonly string[];
  readonly optional: readonly string[];
}[] = [
  ...RESOURCES.filter((resource) => resource !== 'transactions').map((resource) => ({
    of: `a ${DESCRIPTORS[resource].kind.replace('_', ' ')}`,
    resource,
    ...SAMPLES[resource],
  })),
  {
    of: 'a document of a note',
    resource: 'notes',
    draft: drafts.notes,
    at: 'document_paths.0',
    required: ['document_path'],
    optional: [],
  },
  ...(['CHARGE', 'CREDIT'] as const).map((type) => ({
    of: `a ${type}`,
    resource: 'transactions' as const,
    draft: transactions[type],
    required: ['transaction_id', 'transaction_date', 'amount', 'type'],
    optional: ['reason', 'display_note', 'note'],
  })),
  ...(['PAYMENT', 'REPAYMENT'] as const).map((type) => ({
    of: `a ${type}`,
    resource: 'transactions' as const,
    draft: transactions[type],
    required: ['transaction_id', 'transaction_date', 'amount', 'type'],
    optional: ['reason', 'note', 'reference', 'payment_type'],
  })),
  {
    of: 'a SUPPLY_CHARGE',
    resource: 'transactions',
    // Without taxes the amount is that of the line item.
    draft: withField(withField(transactions.SUPPLY_CHARGE, 'tax_items', []), 'amount', 44),
    required: ['transaction_id', 'transaction_date', 'amount', 'type', 'product_code', 'line_items'],
    optional: ['display_note', 'tax_items'],
  },
  {
    of: 'a line item',
    resource: 'transactions',
    draft: transactions.SUPPLY_CHARGE,
    at: 'line_items.0',
    required: ['start_date', 'end_date', 'number_of_units', 'net_amount'],
    optional: ['rate_band', 'price_per_unit', 'units'],
  },
  {
    of: 'a tax item',
    resource: 'transactions',
    draft: transactions.SUPPLY_CHARGE,
    at: 'tax_items.0',
    required: ['amount', 'tax_type', 'value_taxed', 'rate', 'unit_type'],
    optional: [],
  },
];

const pathIn = (at: string | undefined, field: string): string =>
  at === undefined ? field : `${at}.${field}`;

describe.each(FIELDS)('the fields of $of', ({ resource, draft, at, required, optional }) => {
  test('are all right in the sample', () => {
    expect(problemsIn(resource, draft)).toEqual([]);
  });

  test('are all that the sample has', () => {
    const object = at
      ?.split('.')
      .reduce<unknown>((value, part) => (value as Record<string, unknown>)[part], draft);
    expect(Object.keys(object ?? draft).toSorted()).toEqual([...required, ...optional].toSorted());
  });

  test.each(required.map((field) => [field]))('%s is required', (field) => {
    const path = pathIn(at, field);
    expect(problemsIn(resource, withField(draft, path, undefined))).toEqual([`error required ${path}`]);
    expect(problemsIn(resource, withField(draft, path, null))).toEqual([`error null ${path}`]);
  });

  test.each(optional.map((field) => [field]))('%s may be left out', (field) => {
    expect(problemsIn(resource, withField(draft, pathIn(at, field), undefined))).toEqual([]);
  });

  test('no other field may be sent', () => {
    const path = pathIn(at, 'external_id');
    expect(problemsIn(resource, withField(draft, path, 'x'))).toEqual([`error unexpected_field ${path}`]);
  });
});

test('every resource and every type of transaction has its table', () => {
  expect(new Set(FIELDS.map(({ resource }) => resource))).toEqual(new Set(RESOURCES));
  expect(FIELDS.map(({ of }) => of)).toEqual(
    expect.arrayContaining(TRANSACTION_TYPES.map((type) => `a ${type}`)),
  );
});

describe('null', () => {
  test.each(['issued_date', 'gross_amount'])('is allowed for %s of a statement', (field) => {
    expect(problemsIn('statements', withField(drafts.statements, field, null))).toEqual([]);
  });

  test.each([
    ['statements', 'number'],
    ['statements', 'statement_path'],
    ['notes', 'body'],
    ['notes', 'created_at'],
    ['notes', 'is_pinned'],
    ['notes', 'document_paths'],
    ['transactions', 'display_note'],
    ['transactions', 'tax_items'],
    ['transactions', 'line_items.0.price_per_unit'],
    ['transactions', 'line_items.0.units.1'],
  ] as const)('is refused in %s for %s', (resource, field) => {
    expect(problemsIn(resource, withField(drafts[resource], field, null))).toEqual([`error null ${field}`]);
  });
});

/** A decimal of so many nines before and after the point, as text. */
const nines = (whole: number, places: number): string =>
  '9'.repeat(whole) + (places > 0 ? `.${'9'.repeat(places)}` : '');

describe('the digits of', () => {
  const charge = transactions.CHARGE;
  // Without price and units the rules between the fields have nothing to compare.
  const supply = withField(
    withField(transactions.SUPPLY_CHARGE, 'line_items.0.price_per_unit', undefined),
    'line_items.0.units',
    undefined,
  );
  test.each([
    // Two decimals, because the interface returns two.
    ['the amount of a transaction', charge, 'amount', 10, 2],
    ['the net amount of a line item', supply, 'line_items.0.net_amount', 10, 10],
    ['the number of units', supply, 'line_items.0.number_of_units', 12, 4],
    ['the price per unit', supply, 'line_items.0.price_per_unit', 8, 7],
    ['a reading', withField(supply, 'line_items.0.units', [1, 2]), 'line_items.0.units.0', 12, 4],
    ['the amount of a tax', supply, 'tax_items.0.amount', 10, 10],
    ['the rate of a tax', supply, 'tax_items.0.rate', 15, 5],
    ['the taxed value', supply, 'tax_items.0.value_taxed', 15, 5],
  ] as const)('%s are bounded', (_, draft, path, whole, places) => {
    const fieldProblems = (value: unknown): readonly string[] =>
      problemsIn('transactions', withField(draft, path, value)).filter((problem) =>
        /invalid|required|null|max_|min_/.test(problem),
      );
    expect(fieldProblems(nines(whole, places))).toEqual([]);
    expect(fieldProblems(Decimal.of(nines(whole, places)))).toEqual([]);
    expect(fieldProblems(`-${nines(whole, places)}`)).toEqual([]);
    expect(fieldProblems(nines(whole + 1, 0))).toEqual([`error max_whole_digits ${path}`]);
    expect(fieldProblems(nines(1, places + 1))).toEqual([`error max_decimal_places ${path}`]);
    expect(fieldProblems(`0.${'0'.repeat(places + 1)}`)).toEqual([`error max_decimal_places ${path}`]);
  });
});

describe('the amount of a transaction', () => {
  test.each([
    ['text that is no decimal', '1,234.56', 'invalid'],
    ['an empty text', '', 'invalid'],
    ['a text with a line break', '10.0\n', 'invalid'],
    ['a text with a space', ' 10', 'invalid'],
    ['true', true, 'invalid'],
    ['an object', {}, 'invalid'],
    ['a list', [], 'invalid'],
    ['null', null, 'null'],
    ['three decimals', Decimal.of('12.345'), 'max_decimal_places'],
    ['more digits than a float keeps', Decimal.of('12345678901234567.89'), 'max_whole_digits'],
    ['eleven digits', '99999999999.99', 'max_whole_digits'],
    ['an exponent', new UnreadableNumber('1e5'), 'invalid'],
    ['a number beyond all floats', new UnreadableNumber('1e400'), 'invalid'],
  ])('is refused as %s', (_, value, code) => {
    const candidate = { ...transactions.CHARGE, amount: value };
    const { problems } = checkRecord('transactions', candidate, { today: TODAY });
    expect(problems).toEqual([
      expect.objectContaining({ code, path: ['amount'], severity: 'error' }) as unknown,
    ]);
  });

  test.each(['CHARGE', 'CREDIT'] as const)('may be negative or zero for a %s', (type) => {
    for (const amount of [-10.5, 0, '-0.00']) {
      expect(problemsIn('transactions', { ...transactions[type], amount })).toEqual([]);
    }
  });

  test.each(['PAYMENT', 'REPAYMENT'] as const)('must be positive for a %s', (type) => {
    for (const amount of [-10.5, 0, '-0.00', '0.00']) {
      expect(problemsIn('transactions', { ...transactions[type], amount })).toEqual([
        'error min_value amount',
      ]);
    }
    expect(problemsIn('transactions', { ...transactions[type], amount: 0.01 })).toEqual([]);
  });
});

describe('the gross amount of a statement, in minor units', () => {
  test.each([0, -1, 38352, null])('may be %s', (value) => {
    expect(problemsIn('statements', withField(drafts.statements, 'gross_amount', value))).toEqual([]);
  });

  test.each([
    ['major units', 10.5, 'invalid'],
    ['a text', '1050', 'invalid'],
    ['decimals that are zero', Decimal.of('10.00'), 'invalid'],
    ['more digits than a float keeps', Decimal.of('9007199254740993'), 'max_whole_digits'],
    ['true', true, 'invalid'],
    ['an exponent', new UnreadableNumber('1e3'), 'invalid'],
  ])('is refused as %s', (_, value, code) => {
    const candidate = { ...drafts.statements, gross_amount: value };
    const { problems } = checkRecord('statements', candidate, { today: TODAY });
    expect(problems.map((problem) => problem.code)).toEqual([code]);
  });
});

describe('texts', () => {
  test.each([
    ['a number', 5, 'invalid'],
    ['true', true, 'invalid'],
    ['nothing', '', 'blank'],
    ['spaces', '  ', 'blank'],
    ['a NUL', 'T\0', 'null_characters_not_allowed'],
    ['half a surrogate pair', 'T\uD800', 'invalid'],
  ])('an id is refused as %s', (_, transaction_id, code) => {
    expect(problemsIn('transactions', { ...transactions.CHARGE, transaction_id })).toEqual([
      `error ${code} transaction_id`,
    ]);
  });

  test('a reference of an instruction has 512 characters at most, not units of UTF-16', () => {
    const draft = drafts['payment-instructions'];
    expect(problemsIn('payment-instructions', { ...draft, reference: '😀'.repeat(512) })).toEqual([]);
    expect(problemsIn('payment-instructions', { ...draft, reference: 'x'.repeat(513) })).toEqual([
      'error max_length reference',
    ]);
  });

  test.each(TRANSACTION_TYPES)('of a %s that may be empty are the free ones', (type) => {
    const texts = [
      'transaction_id',
      'reason',
      'display_note',
      'note',
      'reference',
      'payment_type',
      'product_code',
    ];
    const accepted = texts.filter((field) => {
      const problems = problemsIn('transactions', { ...transactions[type], [field]: '' });
      return !problems.some((problem) => problem.startsWith('error'));
    });
    const isPayment = type === 'PAYMENT' || type === 'REPAYMENT';
    const free = ['display_note', 'note', 'reference'];
    expect(accepted.toSorted()).toEqual(
      [...free, ...(isPayment ? ['reason', 'payment_type'] : [])].toSorted(),
    );
  });

  test('a note may have an empty body beside its documents, but not one of spaces', () => {
    expect(problemsIn('notes', { ...drafts.notes, body: '' })).toEqual([]);
    expect(problemsIn('notes', { ...drafts.notes, body: ' ' })).toEqual(['error blank body']);
  });

  test.each(['=1+1', '@x', '00123', 'A1 ', "' OR 1=1 --", '__proto__', 'constructor', 'a\u202Eb', '😀'])(
    'the id %j is data and nothing else',
    (transaction_id) => {
      expect(problemsIn('transactions', { ...transactions.CHARGE, transaction_id })).toEqual([]);
    },
  );
});

describe('shapes', () => {
  test.each(['2024-03-05', '2024-03-05T18:48:16', '2024-03-05T24:00:00Z'])(
    '%s is no time of a note',
    (value) => {
      expect(problemsIn('notes', { ...drafts.notes, created_at: value })).toEqual([
        'error invalid created_at',
      ]);
    },
  );
});

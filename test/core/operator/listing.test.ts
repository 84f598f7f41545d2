import { expect, test } from 'vitest';
import type { OperatorContract, ResourceRules } from '../../../src/core/operator/contract.ts';
import { fieldsFor, listingOf } from '../../../src/core/operator/listing.ts';
import type { Resource } from '../../../src/core/contract/resources.ts';

type Resources = Partial<Record<Resource, ResourceRules>>;
const listing = (resources: Resources) =>
  listingOf({ resources } as Partial<OperatorContract> as OperatorContract);

/** The lines of one type: `field says`, without those of the account. */
function lines(resources: Resources, resource: Resource, type: string | null): readonly string[] {
  const listed = listing(resources).find((each) => each.resource === resource && each.type === type);
  return listed!.fields.slice(2).map(({ field, says }) => `${field}: ${says}`);
}

test('without a contract every field of every type is listed, as the interface has it', () => {
  expect(listing({}).map(({ resource, type }) => [resource, type])).toEqual([
    ['notes', null],
    ...['CHARGE', 'CREDIT', 'PAYMENT', 'REPAYMENT', 'SUPPLY_CHARGE'].map((type) => ['transactions', type]),
    ['statements', null],
    ['payment-instructions', null],
  ]);
  expect(lines({}, 'transactions', 'SUPPLY_CHARGE')).toEqual([
    'transaction_id: text, required, not empty',
    'transaction_date: date, required',
    'amount: decimal, required, at most 10 digits before the point and 2 decimals',
    'type: text, required, one of 5 values: CHARGE, CREDIT, PAYMENT, REPAYMENT, SUPPLY_CHARGE',
    'reason: text, not empty',
    'display_note: text',
    'note: text',
    'reference: text',
    'payment_type: text, not empty',
    'product_code: text, required, not empty',
    'line_items: list, required',
    'line_items[].rate_band: text, not empty',
    'line_items[].start_date: date, required',
    'line_items[].end_date: date, required',
    'line_items[].number_of_units: decimal, required, at most 12 digits before the point and 4 decimals',
    'line_items[].net_amount: decimal, required, at most 10 digits before the point and 10 decimals',
    'line_items[].price_per_unit: decimal, at most 8 digits before the point and 7 decimals',
    'line_items[].units: list',
    'line_items[].units[]: decimal, required, at most 12 digits before the point and 4 decimals',
    'tax_items: list',
    'tax_items[].amount: decimal, required, at most 10 digits before the point and 10 decimals',
    'tax_items[].tax_type: text, required, not empty',
    'tax_items[].value_taxed: decimal, required, at most 15 digits before the point and 5 decimals',
    'tax_items[].rate: decimal, required, at most 15 digits before the point and 5 decimals',
    'tax_items[].unit_type: text, required, not empty',
  ]);
  expect(
    lines({}, 'transactions', 'PAYMENT').filter((line) => /^(amount|payment_type|line_items): /.test(line)),
  ).toEqual([
    'amount: decimal, required, at most 10 digits before the point and 2 decimals, greater than 0',
    'payment_type: text',
    'line_items: list',
  ]);
  expect(lines({}, 'statements', null)).toEqual([
    'bill_period_from_date: date, required',
    'bill_period_to_date: date, required',
    'statement_id: text, required, not empty',
    'issued_date: date, may be null',
    'number: text, not empty',
    'gross_amount: decimal, may be null, at most 15 digits before the point and no decimals',
    'statement_path: text, not empty',
  ]);
});

const NOTES: ResourceRules = {
  from: '/n',
  account: { external_account_number: { from: '/e', max_length: 10 } },
  fields: {
    body: { from: '/b', required: true, values: ['A', 'B'] },
    is_pinned: { from: '/p', absent: true },
    document_paths: {
      from: '/d',
      max_items: 2,
      item: {
        from: '/i',
        fields: {
          document_path: { from: '/dp', max_length: 9 },
          title: { from: '/t', adds: 'text' },
        },
      },
    },
    meter: {
      from: '/m',
      adds: 'object',
      fields: { id: { from: '/id', adds: 'text', required: true } },
      types: {
        by: 'kind',
        of: { A: { from: '/A', fields: { x: { from: '/x', adds: 'decimal' } } }, B: { from: '/B' } },
      },
    },
    tags: { from: '/tags', adds: 'list', item: { from: '/tag', adds: 'text' } },
    rows: {
      from: '/rows',
      adds: 'list',
      item: { from: '/row', adds: 'object', fields: { n: { from: '/n', adds: 'decimal' } } },
    },
  },
};

test('a contract narrows fields of the interface, and adds its own after them', () => {
  expect(lines({ notes: NOTES }, 'notes', null)).toEqual([
    'body: text, required, one of 2 values: A, B',
    'document_paths: list, at most 2 items',
    'document_paths[].document_path: text, required, 1 to 9 characters',
    'document_paths[].title: text',
    'created_at: date-time',
    'is_pinned: not a field here',
    'unpin_at: date-time',
    'meter: object, its fields depend on `kind` (A, B)',
    'meter.id: text, required',
    'meter(A).x: decimal',
    'tags: list',
    'tags[]: text',
    'rows: list',
    'rows[].n: decimal',
  ]);
});

test('a field says what the operator says of it, without its inside, and where', () => {
  const { fields } = listing({ notes: NOTES })[0]!;
  expect(fields.slice(0, 3)).toEqual([
    {
      field: 'import_supplier',
      isRequired: true,
      says: 'text, required, not empty',
      from: null,
      rules: null,
    },
    {
      field: 'external_account_number',
      isRequired: true,
      says: 'text, required, at most 10 characters',
      from: '/e',
      rules: { from: '/e', max_length: 10 },
    },
    {
      field: 'body',
      isRequired: true,
      says: 'text, required, one of 2 values: A, B',
      from: '/b',
      rules: { from: '/b', required: true, values: ['A', 'B'] },
    },
  ]);
  expect(fields.find(({ field }) => field === 'meter')).toEqual({
    field: 'meter',
    isRequired: false,
    says: 'object, its fields depend on `kind` (A, B)',
    from: '/m',
    rules: { from: '/m', adds: 'object' },
  });
  expect(fields.find(({ field }) => field === 'is_pinned')).toEqual({
    field: 'is_pinned',
    isRequired: false,
    says: 'not a field here',
    from: '/p',
    rules: { from: '/p', absent: true },
  });
});

test('digits of the operator and of the interface are joined, and another kind has nothing of the interface', () => {
  const fields: ResourceRules['fields'] = {
    gross_amount: { from: '/g', digits: { whole: 5 } },
    number: { from: '/no', adds: 'date' },
    statement_path: { from: '/s', values: ['a.pdf'] },
  };
  const all = lines({ statements: { from: '/s', fields } }, 'statements', null);
  expect(all.filter((line) => /^(gross_amount|number|statement_path):/.test(line))).toEqual([
    'number: date',
    'gross_amount: decimal, may be null, at most 5 digits before the point and no decimals',
    'statement_path: text, only a.pdf',
  ]);
});

test('a resource whose types the contract names has a listing of each', () => {
  const instructions: ResourceRules = {
    from: '/pi',
    fields: { reference: { from: '/r', max_length: 20 }, iban: { from: '/i', adds: 'text' } },
    types: {
      by: 'type',
      of: {
        CARD: { from: '/c', fields: { iban: { from: '/ci', adds: 'text', required: true } } },
        SEPA: { from: '/s' },
      },
    },
  };
  const resources = { 'payment-instructions': instructions };
  const common = ['vendor: text, required, not empty', 'reference: text, required, at most 20 characters'];
  expect(lines(resources, 'payment-instructions', 'CARD')).toEqual([
    ...common,
    'type: text, required, not empty',
    'iban: text, required',
  ]);
  expect(lines(resources, 'payment-instructions', 'SEPA')).toEqual([
    ...common,
    'type: text, required, not empty',
    'iban: text',
  ]);
  expect(Object.keys(fieldsFor(instructions, 'OTHER'))).toEqual(['reference', 'iban']);
  expect(fieldsFor(instructions, 'toString')).toEqual(instructions.fields);
  expect(fieldsFor({}, 'CARD')).toEqual({});
});

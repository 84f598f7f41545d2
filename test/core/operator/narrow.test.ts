import { describe, expect, test } from 'vitest';
import type { Resource } from '../../../src/core/contract/resources.ts';
import { narrowedDescriptors } from '../../../src/core/operator/narrow.ts';
import { checkRecord } from '../../../src/core/rules/record.ts';
import { Decimal } from '../../../src/core/values/decimal.ts';
import { parseExactJson } from '../../../src/core/values/exact-json.ts';
import { imported, type DocumentParts } from '../../support/operator-document.ts';

/** The problems of a record under the contract of a document, as `code field`. */
function problemsUnder(parts: DocumentParts, resource: Resource, record: object, ...codes: string[]) {
  const rules = codes.map((code) => ({ code, title: '', from: '' }));
  const descriptors = narrowedDescriptors({ ...imported(parts).contract, rules }, 'file');
  return checkRecord(resource, record, { today: '2026-11-22', descriptors }).problems.map(
    ({ code, path }) => `${code} ${path.join('.')}`,
  );
}

describe('instructions whose fields depend on their type', () => {
  const branch = (vendor: string, type: string, own: object, required: readonly string[]) => ({
    type: 'object',
    required: ['import_supplier', 'external_account_number', 'vendor', 'type', 'reference', ...required],
    properties: {
      import_supplier: { type: 'string' },
      external_account_number: { type: 'string' },
      vendor: { enum: [vendor] },
      type: { enum: [type] },
      reference: { type: 'string' },
      ...own,
    },
  });
  const partsOf = (...branches: readonly object[]): DocumentParts => ({
    paths: {
      '/v1/data-import/payment-instruction/create/': {
        post: {
          requestBody: {
            content: {
              'application/json': {
                schema: {
                  discriminator: { propertyName: 'type' },
                  oneOf: branches,
                },
              },
            },
          },
        },
      },
    },
  });
  const parts = partsOf(
    branch('STRIPE', 'CARD', {}, []),
    branch('SEPA', 'DIRECT_DEBIT', { iban: { type: 'string', minLength: 15 } }, ['iban']),
  );
  test.each([
    [{ vendor: 'STRIPE', type: 'CARD' }, []],
    [{ vendor: 'SEPA', type: 'DIRECT_DEBIT', iban: 'DE02120300000000202051' }, []],
    [{ vendor: 'SEPA', type: 'DIRECT_DEBIT' }, ['required iban']],
    [{ vendor: 'SEPA', type: 'CARD' }, ['invalid_choice vendor']],
    [{ vendor: 'STRIPE', type: 'CARD', iban: 'DE02120300000000202051' }, ['unexpected_field iban']],
    // The operator has two types only, whatever an open list lets through.
    [{ vendor: 'STRIPE', type: 'PAYPAL' }, ['invalid_choice type']],
  ])('%j has the problems %j', (record, problems) => {
    expect(problemsUnder(parts, 'payment-instructions', { reference: 'R', ...record })).toEqual(problems);
  });
});

test.each([
  ['-100', []],
  ['-100.01', ['min_value rate']],
  ['-99.99', []],
  ['999', []],
  ['999.00', []],
  ['999.5', ['max_value rate']],
  ['1000', ['max_value rate']],
  ['12', []],
])('%s is compared with the bounds -100 and 999', (text, problems) => {
  const note = { rate: { type: 'number', minimum: -100, maximum: 999 } };
  expect(problemsUnder({ note }, 'notes', { body: 'x', rate: Decimal.of(text) })).toEqual(problems);
});

test.each([
  ['transactions', { amount: { type: 'string', format: 'decimal', maxLength: 4 } }, 'max_length amount'],
  ['transactions', { transaction_date: { type: 'string', minLength: 12 } }, 'min_length transaction_date'],
  ['transactions', { type: { type: 'string', maxLength: 5 } }, 'max_length type'],
] as const)('lengths of %s are checked, whatever their kind: %j', (resource, transaction, problem) => {
  const record = { transaction_id: 'T', transaction_date: '2026-01-01', amount: '12.50', type: 'CREDIT' };
  expect(problemsUnder({ transaction }, resource, record)).toEqual([problem]);
});

test('the rest of a schema is applied although its branches cannot be told apart', () => {
  const noteSchema = {
    type: 'object',
    properties: { body: { type: 'string', maxLength: 3 } },
    anyOf: [{ properties: { a: { type: 'string' } } }, { properties: { b: { type: 'string' } } }],
  };
  expect(problemsUnder({ noteSchema }, 'notes', { body: 'long' })).toEqual(['max_length body']);
  const code = { oneOf: [{ type: 'integer' }, { type: 'object', properties: { at: { type: 'integer' } } }] };
  const parts = { note: { code, code_at: { type: 'string', maxLength: 1 } } };
  const branched = problemsUnder(parts, 'notes', { body: 'x', code: { at: 'x' }, code_at: 'xy' });
  expect(branched).toEqual(['invalid code.non_field_errors', 'max_length code_at']);
  // A branch may have any field of the interface.
  expect(problemsUnder({ noteSchema }, 'notes', { body: 'ok', is_pinned: true })).toEqual([]);
});

test('records whose branches nobody can tell apart are objects, and are checked as JSON Schema says', () => {
  const of = (type: string) => ({
    type: 'object',
    required: ['transaction_id', 'transaction_date', 'amount', 'type', 'reason'],
    properties: { type: { type: 'string' }, reason: { type: 'string', enum: [type, 'OTHER'] } },
  });
  const parts: DocumentParts = { transactionSchema: { anyOf: [of('FEE'), of('REFUND')] } };
  const record = { transaction_id: 'T', transaction_date: '2026-01-01', amount: '1.00', type: 'CHARGE' };
  expect(problemsUnder(parts, 'transactions', { ...record, reason: 'FEE' })).toEqual([]);
  expect(problemsUnder(parts, 'transactions', { ...record, reason: 'BAD' })).toEqual([
    'invalid_choice reason',
  ]);
});

test('a text of the interface stays a text, whatever the operator has in it', () => {
  const { contract } = imported({ note: { body: { type: 'string', format: 'decimal' } } });
  const descriptors = narrowedDescriptors(contract, 'file');
  const { record } = checkRecord('notes', { body: '12.50' }, { today: '2026-11-22', descriptors });
  expect(record).toEqual({ body: '12.50' });
});

test('a value that is exactly an exclusive limit is outside', () => {
  const parts: DocumentParts = {
    openapi: '3.1.0',
    note: { level: { type: 'number', exclusiveMinimum: -5, exclusiveMaximum: 10 } },
  };
  const problems = (level: string) =>
    problemsUnder(parts, 'notes', {
      created_at: '2026-11-01T00:00:00Z',
      body: 'x',
      level: Decimal.of(level),
    });
  expect(['-5', '-5.0', '10', '10.00'].map(problems)).toEqual(
    Array.from({ length: 4 }, () => ['invalid level']),
  );
  expect(['-4.99', '9.99'].map(problems)).toEqual([[], []]);
});

test.each([
  ['"AB"', '"AB"'],
  ['12345', '12345'],
  ['"ABCD"', 'invalid code'],
  ['0', 'invalid code'],
  ['1.5', 'invalid code'],
  ['true', 'invalid code'],
  ['null', 'null code'],
])('of a value that may be a short text or a whole number, %s is %s', (given, expected) => {
  const branches = [
    { type: 'string', maxLength: 3 },
    { type: 'integer', minimum: 1 },
  ];
  const { contract } = imported({ note: { code: { oneOf: branches } } });
  const descriptors = narrowedDescriptors(contract, 'wire');
  const candidate = parseExactJson(`{"body":"a","code":${given}}`);
  const { record, problems } = checkRecord('notes', candidate, { today: '2026-11-22', descriptors });
  const [problem] = problems;
  const kept = JSON.stringify((record as Record<string, unknown> | undefined)?.['code']);
  expect(problem ? `${problem.code} ${problem.path.join('.')}` : kept).toBe(expected);
});

test('what an operator says in keywords that no table has is enforced, too', () => {
  const parts: DocumentParts = {
    note: {
      codes: { type: 'array', items: { type: 'string' }, uniqueItems: true },
      step: { type: 'number', multipleOf: 0.3 },
    },
  };
  const problems = (own: object) => problemsUnder(parts, 'notes', { body: 'x', ...own });
  expect(problems({ codes: ['a', 'b'], step: Decimal.of('0.9') })).toEqual([]);
  expect(problems({ codes: ['a', 'a'] })).toEqual(['invalid codes']);
  expect(problems({ step: Decimal.of('1') })).toEqual(['invalid step']);
  const pinned = { properties: { is_pinned: { const: true } }, required: ['is_pinned'] };
  const noteSchema = {
    type: 'object',
    properties: { body: {}, is_pinned: {}, unpin_at: {} },
    if: { not: pinned },
    else: { required: ['unpin_at'] },
  };
  const conditional: DocumentParts = { openapi: '3.1.0', noteSchema };
  expect(problemsUnder(conditional, 'notes', { body: 'x', is_pinned: true })).toEqual(['required unpin_at']);
});

test.each([0, 5_000_000_000_000])('a step is exact for %d.07', (whole) => {
  const note = { step: { type: 'number', multipleOf: 0.01 } };
  const problems = (text: string) => problemsUnder({ note }, 'notes', { body: 'x', step: Decimal.of(text) });
  expect(problems(`${whole}.07`)).toEqual([]);
  expect(problems(`${whole}.075`)).not.toEqual([]);
});

test('a branch that leads back to its own schema is left out, and a schema inside itself is checked at any depth', () => {
  const schemas = {
    A: { oneOf: [{ $ref: '#/components/schemas/B' }, { type: 'string' }] },
    B: { allOf: [{ $ref: '#/components/schemas/A' }] },
    Tree: {
      type: 'object',
      properties: {
        name: { type: 'string' },
        children: { type: 'array', items: { $ref: '#/components/schemas/Tree' } },
      },
    },
  };
  const note = { a: { $ref: '#/components/schemas/A' }, tree: { $ref: '#/components/schemas/Tree' } };
  const problems = (own: object) => problemsUnder({ note, schemas }, 'notes', { body: 'x', ...own });
  expect(problems({ a: 'x', tree: { children: [{ name: 'x', children: [] }] } })).toEqual([]);
  expect(problems({ tree: { children: [{ children: [{ name: true }] }] } })).toEqual([
    'invalid tree.children.0.children.0.name',
  ]);
});

test('records of a type have its fields where the schema of all types takes no others', () => {
  const required = ['transaction_id', 'transaction_date', 'amount', 'type'];
  const charge = {
    required,
    properties: {
      transaction_id: {},
      transaction_date: {},
      amount: {},
      type: { const: 'CHARGE' },
      meter: {},
    },
  };
  const parts: DocumentParts = {
    openapi: '3.1.0',
    schemas: {
      CHARGE: charge,
      PAYMENT: { ...charge, properties: { ...charge.properties, type: { const: 'PAYMENT' } } },
    },
    transactionSchema: {
      type: 'object',
      oneOf: [{ $ref: '#/components/schemas/CHARGE' }, { $ref: '#/components/schemas/PAYMENT' }],
      discriminator: { propertyName: 'type' },
      unevaluatedProperties: false,
    },
  };
  const record = { transaction_id: 'T', transaction_date: '2026-01-01', amount: '1.00', type: 'CHARGE' };
  expect(problemsUnder(parts, 'transactions', { ...record, meter: 'x' })).toEqual([]);
  expect(problemsUnder(parts, 'transactions', { ...record, mood: 'x' })).toEqual(['unexpected_field mood']);
});

test('records of a type meet the schema of all types and that of their own', () => {
  const ofType = (type: string, most: number) => ({
    required: ['transaction_id', 'transaction_date', 'amount', 'type'],
    properties: { type: { const: type }, reference: { type: 'string', maxLength: most } },
  });
  const parts: DocumentParts = {
    schemas: { CHARGE: ofType('CHARGE', 4), PAYMENT: ofType('PAYMENT', 9) },
    transactionSchema: {
      type: 'object',
      properties: { reference: { type: 'string', minLength: 2, maxLength: 6 } },
      oneOf: [{ $ref: '#/components/schemas/CHARGE' }, { $ref: '#/components/schemas/PAYMENT' }],
      discriminator: { propertyName: 'type' },
    },
  };
  const found = (type: string, reference: string) => {
    const record = { transaction_id: 'T', transaction_date: '2026-01-01', amount: '1.00', type, reference };
    return problemsUnder(parts, 'transactions', record).join();
  };
  const lengths = [1, 2, 4, 5, 6, 7];
  const [short, long] = ['min_length reference', 'max_length reference'];
  const ofLengths = (type: string) => lengths.map((length) => found(type, 'x'.repeat(length)));
  expect(ofLengths('CHARGE')).toEqual([short, '', '', long, long, long]);
  expect(ofLengths('PAYMENT')).toEqual([short, '', '', '', '', long]);
});

test('a number of the format int32 has its bounds', () => {
  const note = { level: { type: 'integer', format: 'int32' } };
  const found = (level: string) =>
    problemsUnder({ note }, 'notes', { body: 'x', level: Decimal.of(level) }).join();
  expect(['-2147483648', '2147483647', '0'].map(found)).toEqual(['', '', '']);
  expect(['-2147483649', '2147483648'].map(found)).toEqual(['invalid level', 'invalid level']);
});

test('a list that the interface does not take empty stays so under a contract that says nothing of it', () => {
  const list = { type: 'array', items: { type: 'object' } };
  const charge = {
    transaction_id: 'T',
    transaction_date: '2026-01-01',
    amount: '0.00',
    type: 'SUPPLY_CHARGE',
    product_code: 'P',
  };
  const parts: DocumentParts = { transaction: { line_items: list, tax_items: list } };
  const found = (lists: object) => problemsUnder(parts, 'transactions', { ...charge, ...lists });
  expect(found({ line_items: [], tax_items: [] })).toEqual(['empty line_items']);
});

test('a required field that may be null is null where a file has no value, and a request has to say so', () => {
  const noteSchema = {
    required: ['memo'],
    properties: { body: { type: 'string' }, memo: { type: 'string', nullable: true } },
  };
  const { contract } = imported({ noteSchema });
  const [file, wire] = (['file', 'wire'] as const).map((end) =>
    checkRecord(
      'notes',
      { body: 'B' },
      { today: '2026-11-22', descriptors: narrowedDescriptors(contract, end) },
    ),
  );
  expect(file!.record).toEqual({ body: 'B', memo: null });
  expect(wire!.problems).toMatchObject([{ code: 'required', path: ['memo'] }]);
});

test('names that a pattern takes are no further fields', () => {
  const tags = {
    type: 'object',
    patternProperties: { '^x-': { type: 'string' } },
    additionalProperties: false,
  };
  expect(problemsUnder({ note: { tags } }, 'notes', { body: 'B', tags: { 'x-a': 'v' } })).toEqual([]);
});

test('a value that breaks the schema and a named rule has one problem, and another value keeps its own', () => {
  const time = { type: 'string', maxLength: 5 };
  const visit = { type: 'object', properties: { from_time: time, to_time: time } };
  const note = { visits: { type: 'array', items: visit } };
  const found = (...visits: readonly object[]) =>
    problemsUnder({ note }, 'notes', { body: 'B', visits }, 'from_time_not_after_to_time');
  const late = { from_time: '10:00', to_time: '09:00' };
  const both = { from_time: '10:00:00', to_time: '09:00:00' };
  expect(found({ from_time: '09:00', to_time: '10:00' })).toEqual([]);
  expect(found(both, late)).toEqual([
    'from_time_not_after_to_time visits.1.from_time',
    'max_length visits.0.from_time',
    'max_length visits.0.to_time',
  ]);
});

test.each([
  [['CREDIT'], 'CREDIT'],
  [['CREDIT', 'CHARGE', 'OTHER'], 'CHARGE, CREDIT'],
])('the types of an operator who lists %j are those that the interface has, too', (type, known) => {
  const { contract } = imported({ transaction: { type: { enum: type } } });
  const descriptors = narrowedDescriptors(contract, 'file');
  const record = { transaction_id: 'T', transaction_date: '2026-01-01', amount: '1.00' };
  const problemsOf = (own: string) =>
    checkRecord('transactions', { ...record, type: own }, { today: '2026-11-22', descriptors }).problems;
  expect(problemsOf('CREDIT')).toEqual([]);
  for (const other of ['PAYMENT', 'OTHER'])
    expect(problemsOf(other)).toMatchObject([{ code: 'invalid_choice', path: ['type'], facts: { known } }]);
});

test.each([
  ['transaction_date', ['null transaction_date']],
  ['amount', ['null amount']],
  ['reference', []],
  ['memo', []],
])('%s that is null where the operator allows it has the problems %j', (field, problems) => {
  const nullable = { type: 'string', nullable: true };
  const parts = {
    transaction: { transaction_date: nullable, amount: nullable, reference: nullable, memo: nullable },
  };
  const record = { transaction_id: 'T', transaction_date: '2026-01-01', amount: '1.00', type: 'CREDIT' };
  expect(problemsUnder(parts, 'transactions', { ...record, [field]: null })).toEqual(problems);
});

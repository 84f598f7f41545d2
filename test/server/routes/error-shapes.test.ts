import { expect, test } from 'vitest';
import type { EndpointName } from '../../../src/core/contract/endpoints.ts';
import { failure, type Problem } from '../../../src/core/problem.ts';
import { decodeError } from '../../../src/core/validation-error.ts';
import { validationFailure } from '../../../src/server/http/answer.ts';
import { inErrorShape } from '../../../src/server/routes/record-route.ts';
import { ACCOUNT, charge, startPlatform, statement, supplyCharge } from '../../support/server-platform.ts';

const CANNOT_BE_TEXT = 'is not text';
const NO_NOTE = 'a note needs a body or document paths';
const LATER = 'start_date lies after end_date';
const BACKWARDS = { start_date: '2026-01-31', end_date: '2026-01-01', number_of_units: 4, net_amount: 44 };
const NOT_ALLOWED = 'is not one of the allowed values';

/** One request for each cause of a 400, and its two other shapes. */
const REFUSED: readonly {
  what: string;
  endpoint: EndpointName;
  payload: unknown;
  query?: string;
  nested: unknown;
  nonField: readonly string[];
}[] = [
  {
    what: 'a field of a note',
    endpoint: 'createNotes',
    payload: { ...ACCOUNT, notes: [{ body: 'x' }, { body: 1 }] },
    nested: { notes: { '1': { body: [CANNOT_BE_TEXT] } } },
    nonField: [`notes.1.body: ${CANNOT_BE_TEXT}`],
  },
  {
    what: 'the fields of one transaction',
    endpoint: 'createTransactions',
    payload: { ...ACCOUNT, transactions: [charge(), charge({ transaction_id: 'tx-2', type: 'X', note: 1 })] },
    nested: { transactions: { '1': { type: [NOT_ALLOWED], note: [CANNOT_BE_TEXT] } } },
    nonField: [`transactions.1.type: ${NOT_ALLOWED}`, `transactions.1.note: ${CANNOT_BE_TEXT}`],
  },
  {
    what: 'an object as a whole',
    endpoint: 'createNotes',
    payload: [],
    nested: { non_field_errors: ['is not an object'] },
    nonField: ['is not an object'],
  },
  {
    what: 'a rule between fields of a note',
    endpoint: 'createNotes',
    payload: { ...ACCOUNT, notes: [{ body: 'x' }, {}] },
    nested: { notes: { '1': { non_field_errors: [NO_NOTE] } } },
    nonField: [`notes.1: ${NO_NOTE}`],
  },
  {
    what: 'a rule between fields of a line item',
    endpoint: 'createTransactions',
    payload: { ...ACCOUNT, transactions: [supplyCharge({ line_items: [BACKWARDS] })] },
    nested: { transactions: { '0': { line_items: { '0': { non_field_errors: [LATER] } } } } },
    nonField: [`transactions.0.line_items.0: ${LATER}`],
  },
  {
    what: 'a record that is no object',
    endpoint: 'createStatements',
    payload: { ...ACCOUNT, statements: [5] },
    nested: { statements: { '0': { non_field_errors: ['is not an object'] } } },
    nonField: ['statements.0: is not an object'],
  },
  {
    what: 'the supplier',
    endpoint: 'createStatements',
    payload: {
      ...ACCOUNT,
      import_supplier: 'PAUSED',
      external_account_number: '3001',
      statements: [statement()],
    },
    nested: { import_supplier: [expect.stringContaining('paused')] },
    nonField: [expect.stringMatching(/^import_supplier: .*paused/)],
  },
  {
    what: 'what the vendor says',
    endpoint: 'createPaymentInstruction',
    payload: { ...ACCOUNT, vendor: 'STRIPE', reference: 'pi_3', type: 'CARD' },
    nested: { non_field_errors: [expect.stringContaining('vendor cannot be reached')] },
    nonField: [expect.stringContaining('vendor cannot be reached')],
  },
  {
    what: 'a query parameter',
    endpoint: 'createTransactions',
    payload: { ...ACCOUNT, transactions: [charge()] },
    query: '?check_previously_added=maybe',
    nested: { check_previously_added: ['is not true or false'] },
    nonField: ['check_previously_added: is not true or false'],
  },
  {
    what: 'what cannot be read',
    endpoint: 'createNotes',
    payload: '{',
    nested: { non_field_errors: [expect.stringContaining('not readable JSON')] },
    nonField: [expect.stringContaining('not readable JSON')],
  },
];

test.each(REFUSED)(
  'a 400 about $what has the requested shape',
  async ({ endpoint, payload, query = '', nested, nonField }) => {
    const [documented, mirror, list] = await Promise.all(
      (['documented', 'nested', 'non_field'] as const).map(async (errorShape) => {
        const platform = await startPlatform({ behaviour: [`error-shape=${errorShape}`] });
        const answer = await platform.post(endpoint, payload, { query });
        expect(answer.status).toBe(400);
        expect(await platform.ledger(), 'nothing of the request is stored').toEqual([]);
        return answer.body;
      }),
    );
    expect(mirror).toEqual(nested);
    expect(list).toEqual({ non_field_errors: nonField });
    expect(documented).not.toEqual(mirror);
    expect(documented).not.toEqual(list);
  },
);

test('other statuses and other paths keep their shape', async () => {
  const platform = await startPlatform({ behaviour: ['error-shape=nested'] });
  const missing = await platform.post('createNotes', {
    ...ACCOUNT,
    external_account_number: '1002',
    notes: [{ body: 'x' }],
  });
  expect([missing.status, missing.body.code]).toEqual([404, 'account_not_found']);
  const again = await platform.post('createPaymentInstruction', {
    ...ACCOUNT,
    vendor: 'STRIPE',
    reference: 'pi_2',
    type: 'CARD',
  });
  expect([again.status, again.body.error_detail]).toEqual([500, expect.any(String)]);
  const local = await platform.request('GET', '/_local/ledger?kind=x');
  expect([local.status, local.body.code]).toEqual([400, 'validation_error']);
});

test('a client finds the path of every problem in the nested shape', () => {
  const problems: readonly Problem[] = [
    failure('blank', ['transactions', 0, 'transaction_id']),
    failure('invalid', ['transactions', 0, 'line_items', 2, 'net_amount'], { expected: 'a decimal' }),
    failure('invalid', ['transactions', 0, 'line_items'], { expected: 'a list' }),
    failure('invalid', ['transactions', 0], { expected: 'an object' }),
    failure('required', ['import_supplier']),
    failure('blank', ['import_supplier']),
    failure('unexpected_field', ['__proto__']),
    failure('payment_instruction_not_found', []),
  ];
  const between = failure('start_date_later_than_end_date', [
    'transactions',
    0,
    'line_items',
    1,
    'start_date',
  ]);
  const answer = inErrorShape('nested', () => validationFailure([...problems, between]));
  const read = decodeError(JSON.parse(JSON.stringify(answer.body)));
  expect(read.shape).toBe('nested');
  const places = (all: readonly { path: readonly (string | number)[] }[]) =>
    all.map(({ path }) => path.join('.')).toSorted();
  expect(places(read.problems)).toEqual(
    places([...problems, { path: ['transactions', 0, 'line_items', 1] }]),
  );
});

test.each([
  { attr: 'notes.0.non_field_errors', endpoint: 'createNotes', payload: { notes: [{}] } },
  {
    attr: 'notes.1.non_field_errors',
    endpoint: 'createNotes',
    payload: {
      notes: [
        { body: 'x' },
        { body: 'y', created_at: '2026-01-02T00:00:00Z', unpin_at: '2026-01-01T00:00:00Z' },
      ],
    },
  },
  {
    attr: 'statements.0.non_field_errors',
    endpoint: 'createStatements',
    payload: { statements: [statement({ bill_period_from_date: '2026-02-28' })] },
  },
  {
    attr: 'statements.1.non_field_errors',
    endpoint: 'createStatements',
    payload: { statements: [statement(), 'x'] },
  },
  {
    attr: 'notes.0.document_paths.1.non_field_errors',
    endpoint: 'createNotes',
    payload: { notes: [{ document_paths: [{ document_path: 'a.pdf' }, 'b.pdf'] }] },
  },
] as const)(
  'a rule between fields is reported for the object: $attr',
  async ({ attr, endpoint, payload }) => {
    const platform = await startPlatform();
    const answer = await platform.post(endpoint, { ...ACCOUNT, ...payload });
    expect(answer.status).toBe(400);
    expect(answer.body.errors.map((error: { attr: string }) => error.attr)).toEqual([attr]);
  },
);

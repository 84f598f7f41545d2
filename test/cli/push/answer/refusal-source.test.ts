import { describe, expect, test } from 'vitest';
import { classify } from '../../../../src/cli/push/answer/classify.ts';
import type { Resource } from '../../../../src/core/contract/resources.ts';
import { answer, batchOf } from '../../../support/push-batch.ts';

/** Whether a refusal counts as one of the platform: `rejected`, or why not. */
function kindOf(
  body: unknown,
  { status = 400, resource = 'statements' as Resource, type = '' } = {},
): string {
  const batch = batchOf(resource, resource === 'payment-instructions' ? 1 : 3);
  const result = classify(resource, batch, answer(status, body, type === '' ? {} : { 'content-type': type }));
  return 'isOfAnother' in result ? 'of another' : result.kind;
}

const error = (code: unknown, attr: unknown, detail: unknown = 'No.') => ({ detail, code, attr });
const errors = (...all: readonly unknown[]): object => ({ errors: all });
const FITTING = errors(error('invalid', 'statements.0.number'));

describe('a refusal is of the platform', () => {
  test.each<readonly [string, unknown, Parameters<typeof kindOf>[1]]>([
    ['with a type of JSON and blanks around it', FITTING, { type: ' application/json ' }],
    ['with a type of JSON and a character set', FITTING, { type: 'Application/JSON; charset=utf-8' }],
    ['with errors beside other values', errors(5, error('invalid', 'statements.0.number')), {}],
    ['with an error about the request and its own code', errors(error('validation_error', null)), {}],
    ['with an error about the account', errors(error('invalid', 'import_supplier')), {}],
    [
      'with an error about a parameter',
      errors(error('invalid', 'check_previously_added')),
      { resource: 'transactions' },
    ],
    ['with words about the request', { non_field_errors: ['No.'] }, {}],
    ['with words about the account', { import_supplier: ['No.'] }, {}],
    ['with words about the records', { statements: { 1: { number: ['No.'] } } }, {}],
    [
      'with words about an unknown name, too',
      { statements: { 1: { number: ['No.'] } }, colour: ['No.'] },
      {},
    ],
    ['with words about a field of an instruction', { vendor: ['No.'] }, { resource: 'payment-instructions' }],
    [
      'with two codes of which one comes with another status',
      {
        code: 'validation_error',
        detail: 'No.',
        ...errors(
          error('import_supplier_migration_not_ongoing', 'import_supplier'),
          error('permission_denied', null),
        ),
      },
      { status: 403 },
    ],
  ])('%s', (_, body, more) => {
    expect(kindOf(body, more)).toBe('rejected');
  });
});

describe('a refusal is of something else', () => {
  test.each<readonly [string, unknown, Parameters<typeof kindOf>[1]]>([
    ['with another type', FITTING, { type: 'text/application/json' }],
    ['with a type that begins like JSON', FITTING, { type: 'application/jsonx' }],
    ['with a list', [FITTING], {}],
    ['with a text', '"No."', {}],
    ['with an error without words', errors({ code: 'invalid', attr: 'statements.0.number' }), {}],
    ['with an error without a code', errors({ detail: 'No.', attr: 'statements.0.number' }), {}],
    ['with an error about nothing, and an unknown code', errors(error('own', null)), {}],
    ['with an error about a number', errors(error('invalid', 5)), {}],
    ['with words about the request, and another status', { non_field_errors: ['No.'] }, { status: 403 }],
    [
      'with words about the records, and another status',
      { statements: { 1: { number: ['No.'] } } },
      { status: 403 },
    ],
    [
      'with words about the records and a text',
      { statements: { 1: { number: ['No.'] } }, message: 'No.' },
      {},
    ],
    ['with words about an unknown name', { colour: ['No.'] }, {}],
    ['with words about a field beside the records', { statement_id: ['No.'] }, {}],
    ['with words that are none', { detail: 5 }, { status: 404 }],
    ['with words and a code that is null', { detail: 'Not found.', code: null }, { status: 404 }],
    [
      'with a failed transaction without words',
      { status: 'TRANSACTION_IMPORT_ERROR', error_detail: 5, transaction_data: { transaction_id: 'T-1' } },
      { resource: 'transactions' },
    ],
    [
      'with a failed transaction of another status',
      { status: 'ODD', error_detail: 'No.', transaction_data: { transaction_id: 'T-1' } },
      { resource: 'transactions' },
    ],
    ['with a field of another resource', { transaction_id: ['No.'] }, { resource: 'payment-instructions' }],
  ])('%s', (_, body, more) => {
    expect(kindOf(body, more)).toBe('foreign');
  });
});

describe('a refusal that is cut', () => {
  test.each<readonly [string, string, Parameters<typeof kindOf>[1], string]>([
    ['is one of JSON', '{"errors": [', {}, 'ambiguous'],
    ['may begin with blanks', ' \n [{', {}, 'ambiguous'],
    ['says so by its type', 'No', { type: 'application/json' }, 'ambiguous'],
    ['is no page with brackets inside', 'x [{', {}, 'foreign'],
  ])('%s', (_, body, more, kind) => {
    expect(kindOf(body, more)).toBe(kind);
  });
});

test.each([400, 403, 404])('a %d whose body cannot be read is decided by its status', (status) => {
  const headers = { 'content-type': 'application/json' };
  const unreadable = { ...answer(status, '', headers), unreadable: 'it is no text' };
  expect(classify('statements', batchOf('statements', 3), unreadable).kind).toBe('foreign');
  // A body that ends early is sent again, because the rest of it may have been lost.
  expect(classify('statements', batchOf('statements', 3), answer(status, '{', headers)).kind).toBe(
    'ambiguous',
  );
});

describe('a refusal is about another request', () => {
  test.each<readonly [string, unknown, Parameters<typeof kindOf>[1]]>([
    ['that names another account', { ...FITTING, external_account_number: 'B-1' }, {}],
    [
      'that names a record behind the last one beside one that was sent',
      errors(error('invalid', 'statements.0.number'), error('invalid', 'statements.3.number')),
      {},
    ],
    ['with words about the list of another resource', { notes: ['No.'] }, {}],
    ['with the list of another resource', errors(error('invalid', 'notes.0.body')), {}],
    [
      'that repeats another transaction',
      {
        status: 'TRANSACTION_IMPORT_ERROR',
        error_detail: 'No.',
        transaction_data: { transaction_id: 'T-9' },
      },
      { resource: 'transactions' },
    ],
    [
      'that repeats a transaction with another amount',
      {
        status: 'TRANSACTION_IMPORT_ERROR',
        error_detail: 'No.',
        transaction_data: { transaction_id: 'T-1', amount: '99.00' },
      },
      { resource: 'transactions' },
    ],
    [
      'that repeats a transaction of another account',
      {
        status: 'TRANSACTION_IMPORT_ERROR',
        error_detail: 'No.',
        transaction_data: { transaction_id: 'T-1', external_account_number: 'B-1' },
      },
      { resource: 'transactions' },
    ],
    [
      'that names another instruction',
      { error_detail: 'No.', reference: 'pi_9' },
      { resource: 'payment-instructions' },
    ],
  ])('%s', (_, body, more) => {
    expect(kindOf(body, more)).toBe('of another');
  });

  test('and not one that repeats a transaction as it was sent', () => {
    const data = { transaction_id: 'T-1', amount: '1.50' };
    const body = { status: 'TRANSACTION_IMPORT_ERROR', error_detail: 'No.', transaction_data: data };
    expect(kindOf(body, { resource: 'transactions' })).toBe('rejected');
  });
});

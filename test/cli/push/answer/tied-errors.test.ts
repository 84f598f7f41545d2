import { describe, expect, test } from 'vitest';
import {
  mayBeAboutAnyRecord,
  platformError,
  platformErrorsOf,
  type PlatformError,
} from '../../../../src/cli/push/answer/platform-errors.ts';
import type { Resource } from '../../../../src/core/contract/resources.ts';
import type { PlatformProblem } from '../../../../src/core/validation-error.ts';
import { batchOf } from '../../../support/push-batch.ts';

const three = batchOf('transactions', 3);

function tied(problem: Partial<PlatformProblem>, resource: Resource = 'transactions', status = 400) {
  const batch =
    resource === 'transactions' ? three : batchOf(resource, resource === 'payment-instructions' ? 1 : 3);
  const whole = { code: 'invalid', path: [], detail: 'No.', ...problem };
  const [error, ...more] = platformErrorsOf(resource, batch, { problems: [whole] }, status);
  expect(more).toEqual([]);
  const { seq, attr, problem: told } = error!;
  expect(error!.status).toBe(status);
  expect([told.code, told.detail]).toEqual([whole.code, whole.detail]);
  return { seq, attr, path: told.path };
}

describe('an error is tied to', () => {
  test.each<readonly [string, PlatformProblem['path'], object]>([
    [
      'the record of its index',
      ['transactions', 1, 'type'],
      { seq: 12, attr: 'transactions.1.type', path: ['type'] },
    ],
    ['the last record', ['transactions', 2], { seq: 13, attr: 'transactions.2', path: [] }],
    [
      'no record behind the last one',
      ['transactions', 3, 'type'],
      { seq: null, attr: 'transactions.3.type', path: ['transactions', 3, 'type'] },
    ],
    [
      'no record of another resource',
      ['notes', 1, 'body'],
      { seq: null, attr: 'notes.1.body', path: ['notes', 1, 'body'] },
    ],
    [
      'no record without an index',
      ['transactions', 'type'],
      { seq: null, attr: 'transactions.type', path: ['transactions', 'type'] },
    ],
    ['the list', ['transactions'], { seq: null, attr: 'transactions', path: ['transactions'] }],
    ['the account', ['import_supplier'], { seq: null, attr: 'import_supplier', path: ['import_supplier'] }],
    ['nothing', [], { seq: null, attr: null, path: [] }],
  ])('%s', (_, path, expected) => {
    expect(tied({ path })).toEqual(expected);
  });

  test('the only instruction of a request, unless it is about the account', () => {
    expect(tied({ path: ['vendor'] }, 'payment-instructions')).toEqual({
      seq: 11,
      attr: 'vendor',
      path: ['vendor'],
    });
    expect(tied({}, 'payment-instructions')).toEqual({ seq: 11, attr: null, path: [] });
    expect(tied({}, 'payment-instructions', 404)).toEqual({ seq: null, attr: null, path: [] });
  });

  test.each<readonly [string, string, object]>([
    ['its id', 'No.', { attr: 'transactions.1.transaction_id', path: ['transaction_id'] }],
    ['a field', 'product_code: No.', { attr: 'transactions.1.product_code', path: ['product_code'] }],
    [
      'a field of an item',
      'line_items.0.net_amount: No.',
      { attr: 'transactions.1.line_items.0.net_amount', path: ['line_items', 0, 'net_amount'] },
    ],
    ['an unknown field', 'colour: No.', { attr: 'transactions.1.transaction_id', path: ['transaction_id'] }],
    [
      'words before the field',
      'The product_code: No.',
      { attr: 'transactions.1.transaction_id', path: ['transaction_id'] },
    ],
  ])('the failing transaction, at %s', (_, detail, expected) => {
    expect(tied({ detail, transactionId: 'T-2', path: ['ignored'] })).toEqual({ seq: 12, ...expected });
  });

  test('the first transaction, too', () => {
    expect(tied({ transactionId: 'T-1' })).toMatchObject({ seq: 11, attr: 'transactions.0.transaction_id' });
  });

  test('no transaction that was not sent, and none where a request has no list', () => {
    expect(tied({ transactionId: 'T-9' })).toEqual({ seq: null, attr: null, path: ['transaction_id'] });
    expect(tied({ transactionId: 'pi_1' }, 'payment-instructions')).toEqual({
      seq: 11,
      attr: null,
      path: ['reference'],
    });
  });
});

test('a body that names nothing gives one error about the request', () => {
  expect(platformErrorsOf('transactions', three, { problems: [] }, 400)).toEqual([
    { seq: null, attr: null, problem: { code: 'refused_without_reason', path: [], detail: '' }, status: 400 },
  ]);
});

test('each error of a body is tied by itself', () => {
  const problems = [1, 0].map((index) => ({ code: null, path: ['transactions', index], detail: '' }));
  const errors = platformErrorsOf('transactions', three, { problems }, 400);
  expect(errors.map(({ seq }) => seq)).toEqual([12, 11]);
});

describe('a refusal may be about any of several records', () => {
  const words = (changes: Partial<PlatformError> = {}, code: string | null = null): PlatformError => ({
    seq: null,
    attr: null,
    problem: { code, path: [], detail: 'No.' },
    status: 400,
    ...changes,
  });

  test.each<readonly [boolean, string, readonly PlatformError[]]>([
    [true, 'it has words alone', [words()]],
    [true, 'it is about one transaction without a name', [words({}, 'transaction_import_error'), words()]],
    [false, 'it names a record', [words({ seq: 11 })]],
    [false, 'it names a field', [words({ attr: 'transactions' })]],
    [false, 'it has another code', [words({}, 'validation_error')]],
    [false, 'it has another status', [words({ status: 404 })]],
    [false, 'one of its errors is about the request', [words(), words({}, 'validation_error')]],
    [false, 'one of its errors names a field', [words(), words({ attr: 'transactions' })]],
  ])('%j when %s', (expected, _, errors) => {
    expect(mayBeAboutAnyRecord(three, errors)).toBe(expected);
  });

  test('and not when there is only one', () => {
    expect(mayBeAboutAnyRecord(batchOf('transactions', 1), [words()])).toBe(false);
  });
});

test('an error in our words names no input', () => {
  expect(platformError('redirect_refused', { seq: 11, status: 302 })).toEqual({
    seq: 11,
    attr: null,
    problem: { code: 'redirect_refused', path: [], detail: '' },
    status: 302,
  });
  expect(platformError('redirect_refused', { seq: null, status: null, detail: 'x' }).problem.detail).toBe(
    'x',
  );
});

import { describe, expect, test } from 'vitest';
import { classify, type Rejection } from '../../../../src/cli/push/answer/classify.ts';
import {
  namedIn,
  reachOf,
  settlementOfRefusal,
  settlementOfSetAside,
} from '../../../../src/cli/push/answer/settlement.ts';
import { answer, batchOf, goodItems } from '../../../support/push-batch.ts';

const three = batchOf('transactions', 3);
const one = batchOf('transactions', 1);

/** How far a refusal of a batch reaches. */
function reach(status: number, body: unknown, batch = three): string {
  const result = classify('transactions', batch, answer(status, body));
  expect(result.kind).toBe('rejected');
  return reachOf(batch, result as Rejection, status);
}
const about = (...attrs: string[]): unknown => ({
  errors: attrs.map((attr) => ({ detail: 'No.', code: 'invalid', attr })),
});
const coded = (code: string, attr = 'import_supplier'): object => ({
  errors: [{ detail: 'No.', code, attr }],
});

describe('a refusal reaches', () => {
  test.each<readonly [string, string, number, unknown]>([
    ['records', 'a record that it names', 400, about('transactions.1.type')],
    ['records', 'several records that it names', 400, about('transactions.0.type', 'transactions.2.type')],
    [
      'records',
      'a record that it names beside the request',
      400,
      about('transactions.0.type', 'transactions'),
    ],
    ['records', 'a record that it names, nested by index', 400, { transactions: { 1: { type: ['No.'] } } }],
    [
      'records',
      'the first failing transaction',
      400,
      {
        status: 'TRANSACTION_IMPORT_ERROR',
        error_detail: 'No.',
        transaction_data: { transaction_id: 'T-2' },
      },
    ],
    ['request', 'no named record', 400, { detail: 'No.', code: 'validation_error' }],
    ['request', 'the request as a whole', 400, { non_field_errors: ['No.'] }],
    ['account', 'a missing account', 404, { detail: 'No.', code: 'account_not_found' }],
    ['account', 'a missing account, in words alone', 404, { detail: 'Not found.' }],
    ['account', 'a missing account, with 400', 400, coded('account_not_found', 'non_field_errors')],
    ['account', 'its supplier', 400, coded('invalid_choice')],
    ['account', 'its number', 400, coded('invalid', 'external_account_number')],
    ['run', 'a supplier whose migration is not ongoing', 400, coded('import_supplier_migration_not_ongoing')],
    ['run', 'such a supplier, with the other status', 403, coded('import_supplier_migration_not_ongoing')],
    [
      'run',
      'such a supplier, with the code of a validation around it',
      403,
      { code: 'validation_error', detail: 'No.', ...coded('import_supplier_migration_not_ongoing') },
    ],
    ['run', 'the right to do anything', 403, { detail: 'No.', code: 'permission_denied' }],
    ['run', 'a wrong address', 404, { detail: 'No.', code: 'not_found' }],
    ['run', 'a method', 405, { detail: 'No.', code: 'method_not_allowed' }],
    ['run', 'a media type', 415, { detail: 'No.', code: 'unsupported_media_type' }],
  ])('%s: %s', (expected, _, status, body) => {
    expect(reach(status, body)).toBe(expected);
  });

  test.each([
    ['in words', 400, { non_field_errors: ['No.'] }],
    ['because it is too large', 413, ''],
  ])('the only record of a request, %s', (_, status, body) => {
    expect(reach(status, body, one)).toBe('records');
  });

  test('the account, also when records of it are in doubt, because an account that is missing took none', () => {
    expect(reach(404, { detail: 'Not found.' }, { ...three, inDoubt: true })).toBe('account');
  });
});

describe('a refusal settles', () => {
  const settled = (status: number, body: unknown): unknown => {
    const rejection = classify('transactions', three, answer(status, body)) as Rejection;
    const { records, errors } = namedIn(three, rejection, status);
    return { outcomes: records.map(({ outcome }) => outcome), errors: errors.length };
  };

  test('the records that it names, also beside an error about the request', () => {
    expect(settled(400, about('transactions.0.type', 'transactions'))).toEqual({
      outcomes: ['rejected', null, null],
      errors: 1,
    });
  });

  test.each([
    [
      'with its reason',
      { error_detail: 'product_code: is not known' },
      ['product_code'],
      'product_code: is not known',
    ],
    [
      'whose reason names no field',
      { error_detail: 'Closed account.' },
      ['transaction_id'],
      'Closed account.',
    ],
    ['without a reason', {}, ['transaction_id'], ''],
    ['with a reason that is no text', { error_detail: { detail: 'x' } }, ['transaction_id'], ''],
  ])('a record that an answer of success refuses, %s', (_, more, path, detail) => {
    const items = goodItems('transactions', three) as Record<string, unknown>[];
    items[1] = { ...items[1], ...more, status: 'TRANSACTION_IMPORT_ERROR' };
    const { errors } = classify('transactions', three, answer(201, { results: items })) as Rejection;
    const attr = `transactions.1.${path.join('.')}`;
    const problem = { code: 'transaction_import_error', path, detail };
    expect(errors).toMatchObject([{ seq: 12, attr, problem, status: 201 }]);
  });

  test('all records, inside an answer of success', () => {
    const items = goodItems('transactions', three) as { status: string }[];
    items[1]!.status = 'TRANSACTION_IMPORT_ERROR';
    expect(settled(201, { results: items })).toEqual({
      outcomes: ['created', 'rejected', 'created'],
      errors: 1,
    });
  });
});

test('the words of a missing account are those of a gateway when they come with 400', () => {
  const kindOf = (status: number) =>
    classify('transactions', three, answer(status, { detail: 'Not found.' })).kind;
  expect([kindOf(404), kindOf(400)]).toEqual(['rejected', 'foreign']);
});

describe('a settlement of refused records', () => {
  const context = {
    sources: [{ name: 't.csv', columns: [] }],
    accountNumberField: 'platform_account_number',
  } as const;

  test('that are set aside leaves the others in doubt, where the platform may have kept a part', () => {
    const setAside = (body: unknown, batch = three) => {
      const rejection = classify('transactions', batch, answer(400, body)) as Rejection;
      const refusal = { rejection, reach: 'records', status: 400 } as const;
      return settlementOfSetAside({ ...context, resource: 'transactions' }, batch, refusal);
    };
    const named = about('transactions.1.type');
    expect(setAside(named)).toMatchObject({ state: 'again', inDoubt: true });
    expect(setAside(about('transactions.0.type'), one)).toMatchObject({ state: 'done', inDoubt: false });
  });

  test('is final for an instruction that was refused with a reason, and not when the run was refused', () => {
    const batch = batchOf('payment-instructions', 1);
    const stateAfter = (body: unknown) => {
      const result = classify('payment-instructions', batch, answer(400, body)) as Rejection;
      const refusal = { result, status: 400 };
      return settlementOfRefusal({ ...context, resource: 'payment-instructions' }, batch, refusal).state;
    };
    expect(stateAfter({ non_field_errors: ['No.'] })).toBe('done');
    expect(stateAfter(coded('import_supplier_migration_not_ongoing'))).toBe('rejected');
  });
});

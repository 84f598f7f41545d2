import { describe, expect, test } from 'vitest';
import { locatePlatformError, type PlatformError } from '../../../../src/cli/push/answer/platform-errors.ts';
import type { Batch } from '../../../../src/cli/push/ports/run.ts';
import type { Resource } from '../../../../src/core/contract/resources.ts';
import { entryOf, type ErrorCode } from '../../../../src/core/error-codes/table.ts';
import { batchOf } from '../../../support/push-batch.ts';

const columns = ['reference', 'transaction_id', 'external_account_number', 'amount'].map((attr, index) => ({
  index,
  header: `${attr}!`,
  attr,
}));
const sources = ['a.csv', 'b.csv'].map((name) => ({ name, columns }));

const errorOf = (
  changes: Partial<PlatformError> & { code?: string | null; detail?: string } = {},
): PlatformError => {
  const { code = 'invalid', detail = '', ...more } = changes;
  return { seq: 11, attr: null, problem: { code, path: [], detail }, status: 400, ...more };
};

function located(resource: Resource, error: PlatformError, batch: Batch = batchOf(resource, 1)) {
  return locatePlatformError({ resource, sources }, batch, error);
}

describe('the code of an error', () => {
  test.each<readonly [string, Resource, Parameters<typeof errorOf>[0], string]>([
    ['is that of the platform', 'transactions', { code: 'invalid' }, 'invalid'],
    ['is one of the operator, too', 'transactions', { code: 'own_code' }, 'own_code'],
    ['that may be a value is not shown', 'transactions', { code: 'Miller' }, 'validation_error'],
    [
      'is that of its status where there are words alone',
      'transactions',
      { code: null, detail: 'No.' },
      'validation_error',
    ],
    ['is that of a status', 'transactions', { code: null, detail: 'No.', status: 404 }, 'account_not_found'],
    [
      'of an instruction says that it is final',
      'payment-instructions',
      { code: null, detail: 'No.' },
      'payment_instruction_refused',
    ],
    [
      'of an instruction is that of another status',
      'payment-instructions',
      { code: null, detail: 'No.', status: 403 },
      'permission_denied',
    ],
    ['is none without words', 'transactions', { code: null }, 'refused_without_reason'],
    [
      'is none of an unknown status',
      'transactions',
      { code: null, detail: 'No.', status: 418 },
      'refused_without_reason',
    ],
    [
      'is none without an answer',
      'payment-instructions',
      { code: null, detail: 'No.', status: null },
      'refused_without_reason',
    ],
    [
      'that may be a value is shown without words, as that of its status',
      'transactions',
      { code: 'Miller', status: 403 },
      'permission_denied',
    ],
  ])('%s', (_, resource, changes, code) => {
    expect(located(resource, errorOf(changes)).code).toBe(code);
  });

  test('that is hidden is kept apart', () => {
    const hidden = located('transactions', errorOf({ code: 'Miller' }));
    expect(hidden.withValues?.code).toBe('Miller');
    expect(located('transactions', errorOf()).withValues).toBeUndefined();
  });
});

describe('the next step of an error', () => {
  const next = (code: ErrorCode): string | null => entryOf(code).next;
  const nextOf = (resource: Resource, changes: Parameters<typeof errorOf>[0]) =>
    located(resource, errorOf(changes)).next;

  test('is that of its code', () => {
    expect(nextOf('transactions', { code: 'invalid' })).toBe('Correct the cell in the source file.');
    expect(nextOf('transactions', { code: 'own_code' })).toBeNull();
  });

  test('of an instruction says that it is not sent again in the same form', () => {
    const final = next('payment_instruction_refused')!;
    expect(nextOf('payment-instructions', { code: 'payment_instruction_already_active' })).toBe(
      `${next('payment_instruction_already_active')} ${final}`,
    );
    expect(nextOf('payment-instructions', { code: 'own_code' })).toBe(final);
    expect(nextOf('payment-instructions', { code: 'payment_instruction_refused' })).toBe(final);
  });

  test('says nothing of the kind where the instruction was not judged', () => {
    expect(nextOf('payment-instructions', { code: 'permission_denied', status: 403 })).toBe(
      next('permission_denied'),
    );
    for (const code of ['import_supplier_migration_not_ongoing', 'platform_database_changed'] as const)
      expect(nextOf('payment-instructions', { code })).toBe(next(code));
  });
});

describe('the words of an error', () => {
  const detailOf = (changes: Parameters<typeof errorOf>[0], batch?: Batch) =>
    located('transactions', errorOf(changes), batch).detail;

  test('are those of the platform where they have no value', () => {
    expect(detailOf({ detail: 'This field is required.' })).toBe('This field is required.');
  });

  test('are hidden otherwise, with their length', () => {
    const { sentence } = entryOf('permission_denied');
    expect(detailOf({ code: 'permission_denied', detail: 'x', status: 403 })).toBe(
      `${sentence}; its text of 1 character is hidden`,
    );
    expect(detailOf({ code: 'own_code', detail: '𝒳y' })).toBe(
      'is refused by the platform; its text of 2 characters is hidden',
    );
  });

  test('are those of the table where there are none', () => {
    expect(detailOf({ code: 'permission_denied', status: 403 })).toBe(entryOf('permission_denied').sentence);
    const without = 'without a readable reason, from the platform or from something before it';
    expect(detailOf({ code: 'refused_without_reason', status: 502 })).toBe(
      `the answer is status 502 ${without}`,
    );
    expect(detailOf({ code: 'own_code', status: 400 })).toBe(`the answer is status 400 ${without}`);
    expect(detailOf({ code: 'own_code', status: null })).toBe(`the answer is status none ${without}`);
  });

  test('have the values of an answer only on request', () => {
    const error = errorOf({ code: 'answer_differs', values: { sent: '1.50', answered: '2.50' } });
    const { detail, withValues } = located('transactions', error);
    expect(withValues?.detail).toBe(`${detail} (sent 1.50, answered 2.50)`);
  });
});

describe('the place of an error', () => {
  const placeOf = (resource: Resource, error: PlatformError, batch?: Batch) => {
    const { file, line, column, header, attr } = located(resource, error, batch);
    return [file, line, column, header, attr];
  };
  const whole = (changes: Parameters<typeof errorOf>[0]) => errorOf({ seq: null, ...changes });

  test('is the cell of its field', () => {
    const error = {
      ...errorOf(),
      attr: 'transactions.0.amount',
      problem: { code: 'invalid', path: ['amount'], detail: '' },
    };
    expect(placeOf('transactions', error)).toEqual(['a.csv', 2, 4, 'amount!', 'transactions.0.amount']);
  });

  test('is the row of its record, in its file', () => {
    const batch = batchOf('transactions', 2);
    const [first, second] = batch.records;
    const moved = { ...batch, records: [first!, { ...second!, source: 2, line: 9 }] };
    expect(placeOf('transactions', errorOf({ seq: 12 }), moved)).toEqual(['b.csv', 9, null, null, null]);
  });

  test.each<readonly [string, Resource, Parameters<typeof errorOf>[0], number | null]>([
    ['the reference of an instruction', 'payment-instructions', {}, 1],
    [
      'no cell of an instruction, for a page of a proxy',
      'payment-instructions',
      { code: 'refused_without_reason' },
      null,
    ],
    [
      'no cell of an instruction, for an unknown question',
      'payment-instructions',
      { code: 'dry_run_unknown' },
      null,
    ],
    [
      'no cell of an instruction, of another database',
      'payment-instructions',
      { code: 'platform_database_changed' },
      null,
    ],
    [
      'the reference of an instruction with words alone',
      'payment-instructions',
      { code: null, detail: 'x' },
      1,
    ],
    ['no cell of a transaction', 'transactions', {}, null],
    ['the account that is missing', 'transactions', { code: null, detail: 'x', status: 404 }, 3],
  ])('is %s', (_, resource, changes, column) => {
    expect(placeOf(resource, errorOf(changes))[2]).toBe(column);
  });

  test('has no name that may be a value', () => {
    const of = (attr: string) => located('transactions', errorOf({ attr }));
    expect(of('ACME')).toMatchObject({ attr: null, withValues: { attr: 'ACME' } });
    expect(of('transactions.0.ACME')).toMatchObject({ attr: 'transactions.0' });
    expect(of('transactions.0.amount').withValues).toBeUndefined();
  });

  test('of several rows says how many more there are', () => {
    const batch = batchOf('transactions', 3);
    const known = entryOf('permission_denied').sentence;
    const denied = { code: 'permission_denied', status: 403 };
    expect(located('transactions', whole(denied), batch).detail).toBe(
      `${known} (and 2 more of the same request)`,
    );
    expect(located('transactions', errorOf(denied), batch).detail).toBe(known);
    expect(located('transactions', whole(denied), batchOf('transactions', 1)).detail).toBe(known);
  });

  test('of words alone may be any of the rows of the request', () => {
    const batch = batchOf('transactions', 3);
    const words = whole({ code: null, detail: 'This field is required.' });
    const one = 'or one of the 2 rows after it';
    const how = ': --on-reject skip finds out which)';
    expect(located('transactions', words, batch).detail).toBe(
      `This field is required. (${one}, up to line 4${how}`,
    );
    const [first, second, third] = batch.records;
    const apart = { ...batch, records: [first!, second!, { ...third!, source: 2 }] };
    expect(located('transactions', words, apart).detail).toBe(`This field is required. (${one}${how}`);
  });
});

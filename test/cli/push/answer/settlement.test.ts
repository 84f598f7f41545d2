import { describe, expect, test } from 'vitest';
import { classify, type Rejection } from '../../../../src/cli/push/answer/classify.ts';
import type { PlatformError } from '../../../../src/cli/push/answer/platform-errors.ts';
import {
  namedIn,
  outcomeCounts,
  reachOf,
  settlementOfRefusal,
  settlementOfSetAside,
  settlementOfSuccess,
} from '../../../../src/cli/push/answer/settlement.ts';
import type { RecordResult, Settlement } from '../../../../src/cli/push/ports/run.ts';
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

describe('a settlement', () => {
  const columns = [
    { index: 0, header: 'Id', attr: 'transaction_id' },
    { index: 1, header: 'Date', attr: 'transaction_date' },
    { index: 2, header: 'Sum', attr: 'amount' },
  ];
  const context = { sources: [{ name: 't.csv', columns }], resource: 'transactions' } as const;
  const shown = ({ problems, ...rest }: Settlement) => ({
    ...rest,
    problems: problems.map(
      ({ line, column, severity, code, attr, http_status }) =>
        `${line}:${column} ${severity} ${code} ${attr} ${http_status}`,
    ),
  });
  const differs = [{ code: 'answer_differs', field: 'amount', sent: '1.50', answered: '2.50' }] as const;
  const records: readonly RecordResult[] = [
    { seq: 11, outcome: 'verify' },
    { seq: 12, outcome: 'verify', differs },
    { seq: 13, outcome: 'created', dateMoved: true },
  ];
  const VERIFIED = [
    '2:1 error outcome_unproven null 201',
    '3:3 error answer_differs amount 201',
    '4:2 warning transaction_date_moved transaction_date 201',
  ];

  test('of a success reports what has to be verified and what was moved', () => {
    expect(shown(settlementOfSuccess(context, three, { records, status: 201 }))).toEqual({
      status: 201,
      records,
      state: 'done',
      inDoubt: false,
      problems: VERIFIED,
    });
  });

  test('of a success without either reports nothing', () => {
    const plain: readonly RecordResult[] = [{ seq: 11, outcome: 'created', dateMoved: false }];
    expect(settlementOfSuccess(context, one, { records: plain, status: 201 }).problems).toEqual([]);
  });

  test('shows values of an answer only on request', () => {
    const { problems } = settlementOfSuccess(context, three, { records, status: 201 });
    expect(problems[1]!.withValues?.detail).toContain('(sent 1.50, answered 2.50)');
    expect(problems[1]!.detail).not.toContain('1.50');
  });

  test.each<readonly [string, number, readonly PlatformError[], boolean]>([
    ['a record inside an answer of success', 201, [error(12, 'transaction_import_error', 201)], true],
    ['a record', 400, [error(12, 'invalid', 400)], true],
    ['the request', 400, [error(null, 'validation_error', 400)], true],
    ['an account that takes nothing', 400, [error(null, 'account_not_found', 400)], false],
    ['the address', 404, [error(null, 'not_found', 404)], false],
    ['the first status that is no success', 300, [error(null, 'not_found', 300)], false],
  ])('of a refusal of %s may leave a part of it on the platform', (_, status, errors, inDoubt) => {
    const result: Rejection = { kind: 'rejected', records, errors };
    const settled = settlementOfRefusal(context, three, { result, status });
    expect([settled.inDoubt, settled.state, settled.records]).toEqual([inDoubt, 'rejected', records]);
    expect(settled.problems).toHaveLength(errors.length + 3);
    // Of the other resources nothing is kept.
    const notes = { ...context, resource: 'notes' } as const;
    expect(settlementOfRefusal(notes, batchOf('notes', 3), { result, status }).inDoubt).toBe(false);
  });

  test('of an answer from elsewhere leaves every record in doubt', () => {
    const errors = [error(null, 'refused_without_reason', 502)];
    const foreign = settlementOfRefusal(context, three, { result: { kind: 'foreign', errors }, status: 502 });
    expect(shown(foreign)).toMatchObject({ records: [], state: 'rejected', inDoubt: true });
    const refused = { result: { kind: 'unauthenticated', errors }, status: 401 } as const;
    expect(settlementOfRefusal(context, three, refused).inDoubt).toBe(false);
  });

  test('of records that are set aside has their problems, and is whole when all have an outcome', () => {
    const rejection: Rejection = {
      kind: 'rejected',
      records,
      errors: [error(12, 'transaction_import_error', 201)],
    };
    const refusal = { rejection, reach: 'records', status: 201 } as const;
    expect(shown(settlementOfSetAside(context, three, refusal))).toEqual({
      status: 201,
      records,
      state: 'done',
      inDoubt: false,
      problems: ['3:1 error transaction_import_error transactions.1.transaction_id 201', ...VERIFIED],
    });
  });

  test('of an account that is set aside is about every record', () => {
    const rejection = classify('transactions', three, answer(404, { detail: 'Not found.' })) as Rejection;
    const refusal = { rejection, reach: 'account', status: 404 } as const;
    expect(settlementOfSetAside(context, three, refusal)).toMatchObject({
      records: [11, 12, 13].map((seq) => ({ seq, outcome: 'rejected' })),
      state: 'done',
      inDoubt: false,
    });
  });

  test('of a note that is set aside leaves none of the others in doubt', () => {
    const batch = batchOf('notes', 2);
    const errors = [{ ...error(11, 'invalid', 400), attr: 'notes.0.body' }];
    const rejection: Rejection = {
      kind: 'rejected',
      errors,
      records: [
        { seq: 11, outcome: 'rejected' },
        { seq: 12, outcome: null },
      ],
    };
    const refusal = { rejection, reach: 'records', status: 400 } as const;
    const notes = { ...context, resource: 'notes' } as const;
    expect(settlementOfSetAside(notes, batch, refusal)).toMatchObject({ state: 'again', inDoubt: false });
  });

  test('counts the outcomes of its records', () => {
    const all: readonly RecordResult[] = [...records, { seq: 14, outcome: null }];
    expect(outcomeCounts({ records: all, status: 201, state: 'done', problems: [], inDoubt: false })).toEqual(
      {
        verify: 2,
        created: 1,
      },
    );
  });
});

describe('how far a refusal reaches', () => {
  const rejected = (...errors: readonly PlatformError[]): Rejection => ({
    kind: 'rejected',
    records: [],
    errors,
  });
  const ofField = (path: PlatformError['problem']['path']): PlatformError => ({
    ...error(null, 'invalid', 400),
    problem: { code: 'invalid', path, detail: '' },
  });

  test.each<readonly [string, string, number, readonly PlatformError[]]>([
    [
      'run',
      'one of its errors is about the run',
      400,
      [error(11, 'invalid', 400), error(null, 'import_supplier_migration_not_ongoing', 400)],
    ],
    [
      'records',
      'the answer is one of success, without a reason',
      299,
      [error(null, 'refused_without_reason', 299)],
    ],
    [
      'run',
      'the answer is none of success, without a reason',
      300,
      [error(null, 'refused_without_reason', 300)],
    ],
    ['run', 'no error has a reason', 400, [error(11, 'refused_without_reason', 400)]],
    [
      'records',
      'one of its errors has a reason',
      400,
      [error(11, 'refused_without_reason', 400), error(11, 'invalid', 400)],
    ],
    [
      'account',
      'one of its errors is about the account',
      400,
      [error(11, 'invalid', 400), ofField(['external_account_number'])],
    ],
    ['request', 'an error is about a part of a name of the account', 400, [ofField(['import_supplier', 0])]],
    ['request', 'an error is about no field', 400, [ofField([])]],
  ])('is the %s when %s', (reach, _, status, errors) => {
    expect(reachOf(three, rejected(...errors), status)).toBe(reach);
  });

  test('and which records it names', () => {
    const both = {
      ...rejected(error(12, 'invalid', 400), error(null, 'invalid', 400)),
      records: [{ seq: 12, outcome: 'rejected' }],
    } as const;
    expect(namedIn(three, both, 400)).toEqual({
      records: [
        { seq: 11, outcome: null },
        { seq: 12, outcome: 'rejected' },
        { seq: 13, outcome: null },
      ],
      errors: [error(12, 'invalid', 400)],
    });
    expect(namedIn(three, both, 300).errors).toHaveLength(1);
    expect(namedIn(three, both, 299)).toBe(both);
    expect(namedIn(one, both, 400)).toBe(both);
  });

  test('and that an error about the request is left to the records that are sent again', () => {
    const rejection = classify(
      'transactions',
      three,
      answer(400, about('transactions.0.type', 'transactions')),
    ) as Rejection;
    const settled = (reach: 'records' | 'account') =>
      settlementOfSetAside({ sources: [{ name: 't.csv', columns: [] }], resource: 'transactions' }, three, {
        rejection,
        reach,
        status: 400,
      });
    expect(settled('records').problems).toHaveLength(1);
    expect(settled('account').problems).toHaveLength(2);
  });
});

describe('an instruction that was refused', () => {
  const batch = batchOf('payment-instructions', 1);
  const context = { sources: [{ name: 'p.csv', columns: [] }], resource: 'payment-instructions' } as const;
  const records = [{ seq: 11, outcome: 'rejected' }] as const;
  const stateOf = (result: Parameters<typeof settlementOfRefusal>[2]['result'], status: number) =>
    settlementOfRefusal(context, batch, { result, status }).state;

  test('stays refused only by the platform, with a reason, and with 400', () => {
    const errors = [error(11, 'invalid', 400)];
    expect(stateOf({ kind: 'rejected', records, errors }, 400)).toBe('done');
    expect(stateOf({ kind: 'rejected', records, errors }, 403)).toBe('rejected');
    expect(stateOf({ kind: 'foreign', errors }, 400)).toBe('rejected');
    expect(stateOf({ kind: 'rejected', records: [{ seq: 11, outcome: null }], errors }, 400)).toBe(
      'rejected',
    );
  });
});

test('a note that has to be verified has no field to point at', () => {
  const context = {
    sources: [{ name: 'n.csv', columns: [{ index: 0, header: 'Text', attr: 'body' }] }],
    resource: 'notes',
  } as const;
  const records = [{ seq: 11, outcome: 'verify' }] as const;
  const { problems } = settlementOfSuccess(context, batchOf('notes', 1), { records, status: 201 });
  expect(problems).toMatchObject([{ code: 'outcome_unproven', column: null, attr: null, line: 2 }]);
});

function error(seq: number | null, code: string, status: number): PlatformError {
  const at = seq === null ? null : `transactions.${seq - 11}.transaction_id`;
  return {
    seq,
    attr: at,
    problem: { code, path: seq === null ? [] : ['transaction_id'], detail: '' },
    status,
  };
}

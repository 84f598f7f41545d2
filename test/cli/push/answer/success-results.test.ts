import { describe, expect, test } from 'vitest';
import { classify, type Asked } from '../../../../src/cli/push/answer/classify.ts';
import { answer, batchOf, batchWith, goodBody } from '../../../support/push-batch.ts';
import { transactions } from '../../../support/push-records.ts';

const ADDED = 'TRANSACTION_ADDED_TO_ACCOUNT';
const EXISTS = 'TRANSACTION_ALREADY_EXISTS';

/** The sent transaction, and the answer about it with changes. */
const SENT = { ...transactions.CHARGE, transaction_id: 'T-1', amount: '12.50', reference: undefined };
const one = batchWith('transactions', [
  JSON.parse(JSON.stringify({ ...SENT, reference: 'R 1' })) as typeof SENT,
]);

function resultOf(
  data: object,
  { status = ADDED, asked = {} as Asked, batch = one, more = {}, item = {} } = {},
) {
  const stored = { ...(JSON.parse(batch.records[0]!.payload) as object), ...data };
  const results = [{ status, transaction_data: stored, ...item }];
  const result = classify('transactions', batch, answer(201, { ...batch.account, results, ...more }), asked);
  return result.kind === 'ambiguous' ? result.reason : 'records' in result ? result.records[0] : result.kind;
}

const created = { seq: 11, outcome: 'created', amount: '12.50' };
const verify = (code: string, field: string, sent: string, answered: string) => ({
  seq: 11,
  outcome: 'verify',
  found: [{ code, field, values: { sent, answered } }],
});

describe('the result of a record', () => {
  test('has the amount of the answer in the digits that were sent', () => {
    expect(resultOf({})).toEqual(created);
    expect(resultOf({ amount: '12.5' })).toEqual(created);
    expect(resultOf({ amount: 12.5 })).toEqual(created);
  });

  test('has no amount that the answer leaves out, and none where records have none', () => {
    expect(resultOf({ amount: undefined })).toEqual({ seq: 11, outcome: 'created' });
    const notes = batchOf('notes', 1);
    expect(classify('notes', notes, answer(201, goodBody('notes', notes)))).toEqual({
      kind: 'ok',
      records: [{ seq: 11, outcome: 'created' }],
    });
  });

  test('has the amount of zero that the platform has filled in', () => {
    const statement = { ...batchOf('statements', 1) };
    const payload = { ...(JSON.parse(statement.records[0]!.payload) as object), gross_amount: undefined };
    const batch = { ...statement, records: [{ ...statement.records[0]!, payload: JSON.stringify(payload) }] };
    const body = { ...batch.account, statements: [{ ...payload, gross_amount: 0 }] };
    const good = goodBody('statements', batch) as Readonly<Record<string, unknown>>;
    const list = Object.keys(good).find((name) => Array.isArray(good[name]))!;
    const answered = {
      ...good,
      [list]: body.statements.map((each, at) => ({ ...(good[list] as object[])[at]!, ...each })),
    };
    expect(classify('statements', batch, answer(201, answered))).toMatchObject({
      kind: 'ok',
      records: [{ seq: 11, outcome: 'created', amount: '0' }],
    });
  });

  test('says that the platform has moved the date, if it may', () => {
    const moved = { transaction_date: '2026-02-01' };
    const found = [{ code: 'transaction_date_moved', field: 'transaction_date', severity: 'warning' }];
    const asked = { mayMoveDates: false };
    expect(resultOf(moved)).toEqual({ ...created, found });
    expect(resultOf(moved, { asked })).toEqual(
      verify('answer_differs', 'transaction_date', '2026-01-05', '2026-02-01'),
    );
    // It may have moved the date of a record that it has when it was asked for that before.
    expect(resultOf(moved, { asked, status: EXISTS })).toEqual({
      ...created,
      outcome: 'existing',
      found,
    });
    expect(resultOf({}, { asked })).toEqual(created);
  });

  test('has to be verified when a value differs, also by blanks alone', () => {
    expect(resultOf({ reference: 'R 2' })).toEqual(verify('answer_differs', 'reference', 'R 1', 'R 2'));
    expect(resultOf({ reference: 'R 2' }, { status: EXISTS })).toEqual(
      verify('existing_differs', 'reference', 'R 1', 'R 2'),
    );
    expect(resultOf({ reference: ' R 1 ' })).toEqual(
      verify('differs_by_blanks', 'reference', 'R 1', ' R 1 '),
    );
  });

  test('does not differ by blanks that the operator removes', () => {
    const asked = { trims: true };
    expect(resultOf({ reference: ' R 1' }, { asked })).toEqual(created);
    expect(resultOf({ reference: 'R  1' }, { asked })).toEqual(
      verify('answer_differs', 'reference', 'R 1', 'R  1'),
    );
  });
});

describe('an answer of success that says that something failed', () => {
  const CONTRADICTS = 'the answer reports success and an error';

  test.each<readonly [string, object]>([
    ['status 300', { status: 300 }],
    ['status 400', { status: 400 }],
    ['status "failed"', { status: 'failed' }],
    ['status "Rejected"', { status: 'Rejected' }],
    ['a status of a record', { status: 'TRANSACTION_IMPORT_ERROR' }],
    ['no success', { success: false }],
    ['that it is not ok', { ok: false }],
    ['a code of a refusal', { code: 'validation_error' }],
    ['words with any code', { detail: 'No.', code: 'own' }],
    ['an error', { error: 'No.' }],
    ['errors', { errors: [{}] }],
    ['failures', { failures: 1 }],
  ])('proves nothing: %s', (_, more) => {
    expect(resultOf({}, { more })).toBe(CONTRADICTS);
  });

  test.each<readonly [string, object]>([
    ['status 299', { status: 299 }],
    ['status "no errors"', { status: 'no error' }],
    ['status "errors: 0"', { status: 'errors: 0' }],
    ['a status that is a flag', { status: true }],
    ['success', { success: true, ok: true }],
    ['a code of its own', { code: 'own' }],
    ['words alone', { detail: 'All are added.' }],
    ['words and an empty code', { detail: 'All are added.', code: '' }],
    ['a code of ours that is no refusal', { code: 'file_empty' }],
    ['no errors', { error: '', errors: [], failed: false, failures: {}, error_detail: null }],
  ])('and one that says nothing of the kind counts: %s', (_, more) => {
    expect(resultOf({}, { more })).toEqual(created);
  });

  test('may say so of a result, or of its record', () => {
    expect(resultOf({}, { item: { error: 'No.' } })).toBe(CONTRADICTS);
    expect(resultOf({ error_detail: 'No.' })).toBe(CONTRADICTS);
    expect(resultOf({ status: 'TRANSACTION_IMPORT_ERROR' })).toBe(CONTRADICTS);
    // A record may have a field with such a name.
    expect(resultOf({ error: 'No.', status: 'failed' })).toEqual(created);
  });
});

test('an answer that repeats a record accounts for one less', () => {
  const two = batchOf('transactions', 2);
  const [first] = (goodBody('transactions', two) as { results: unknown[] }).results;
  const body = { ...two.account, results: [first, first] };
  expect(classify('transactions', two, answer(201, body))).toEqual({
    kind: 'ambiguous',
    reason: 'the answer does not account for every record',
  });
});

test('an answer about statements may have words beside its results', () => {
  const batch = batchOf('statements', 1);
  const answered = { ...(goodBody('statements', batch) as object), detail: 'Added.' };
  expect(classify('statements', batch, answer(201, answered)).kind).toBe('ok');
});

import { describe, expect, test } from 'vitest';
import { classify, type Asked, type BatchResult } from '../../../../src/cli/push/answer/classify.ts';
import type { PlatformAnswer } from '../../../../src/cli/push/ports/platform.ts';
import type { Batch } from '../../../../src/cli/push/ports/run.ts';
import type { Resource } from '../../../../src/core/contract/resources.ts';
import { answer, batchOf, goodBody, goodItems } from '../../../support/push-batch.ts';

const three = batchOf('statements', 3);

const about = (...errors: readonly (readonly [code: string, attr: string])[]) =>
  answer(400, { errors: errors.map(([code, attr]) => ({ detail: 'No.', code, attr })) });

/** The outcome of each record, in their order, and the codes of the errors. */
function shown(result: BatchResult) {
  return {
    kind: result.kind,
    ...('records' in result && { outcomes: result.records.map(({ outcome }) => outcome) }),
    ...('errors' in result && { codes: result.errors.map(({ problem }) => problem.code) }),
  };
}

const given = (batch: Batch, by: PlatformAnswer, asked: Asked = {}, resource: Resource = 'statements') =>
  classify(resource, batch, by, asked);

describe('an answer that settles nothing says why', () => {
  const lost = { kind: 'lost', reason: 'the connection was reset' } as const;
  const body = goodBody('statements', three);
  test.each<readonly [string, PlatformAnswer, BatchResult]>([
    ['lost', lost, { kind: 'ambiguous', reason: 'the connection was reset' }],
    ['not sent', { kind: 'not_sent', reason: 'x' }, { kind: 'not_applied', reason: 'x' }],
    ['accepted', answer(202, body), { kind: 'ambiguous', reason: 'status 202' }],
    ['throttled', answer(429), { kind: 'not_applied', reason: 'status 429' }],
    ['unavailable', answer(503), { kind: 'ambiguous', reason: 'status 503' }],
    ['too large', answer(413), { kind: 'too_large', reason: 'status 413' }],
    ['cut', answer(400, '{"errors": [{'), { kind: 'ambiguous', reason: 'the answer ends early' }],
    [
      'no result',
      answer(201, { ok: true }),
      { kind: 'ambiguous', reason: 'the answer is not what the interface describes' },
    ],
    [
      'of two records',
      answer(201, goodBody('statements', three, goodItems('statements', three).slice(1))),
      { kind: 'ambiguous', reason: 'the answer does not account for every record' },
    ],
    [
      'of another account',
      answer(400, {
        errors: [{ detail: 'x', code: 'invalid', attr: 'statements.0.number' }],
        import_supplier: 'X',
      }),
      { kind: 'ambiguous', reason: 'the answer names another account', isOfAnother: true },
    ],
    [
      'of another record',
      about(['invalid', 'statements.3.number']),
      { kind: 'ambiguous', reason: 'the answer names a record that was not sent', isOfAnother: true },
    ],
  ])('%s', (_, by, expected) => {
    expect(given(three, by)).toEqual(expected);
  });
});

test('a single record that is too large is refused, because no part of it can be sent', () => {
  expect(given(batchOf('statements', 1), answer(413))).toEqual({
    kind: 'rejected',
    records: [{ seq: 11, outcome: 'rejected' }],
    errors: [
      {
        seq: 11,
        attr: null,
        problem: { code: 'single_record_too_large', path: [], detail: '' },
        status: 413,
      },
    ],
  });
});

describe('a refusal', () => {
  test.each<readonly [string, number, object, string]>([
    [
      'with a code of the operator and its domain',
      400,
      { code: 'own', domain: 'd', detail: 'x' },
      'rejected',
    ],
    ['with a domain and no code', 400, { domain: 'd', detail: 'x' }, 'foreign'],
    ['with a domain and a code that is no text', 400, { code: 5, domain: 'd', detail: 'x' }, 'foreign'],
    ['with a domain that is no text', 400, { code: 'own', domain: 5, detail: 'x' }, 'foreign'],
    ['with another key', 400, { code: 'validation_error', detail: 'x', hint: 'y' }, 'foreign'],
    [
      'of another record without its data',
      400,
      { status: 'TRANSACTION_IMPORT_ERROR', error_detail: 'x' },
      'foreign',
    ],
  ])('%s', (_, status, body, kind) => {
    expect(given(three, answer(status, body)).kind).toBe(kind);
  });
});

describe('an answer of another database than the request goes to', () => {
  const naming = (database: string) =>
    answer(201, goodBody('statements', three), { 'dataimport-database': database });

  test('settles nothing', () => {
    expect(given(three, naming('db-2'), { database: 'db-1' })).toEqual({
      kind: 'foreign',
      errors: [
        {
          seq: null,
          attr: null,
          problem: { code: 'platform_database_changed', path: [], detail: '' },
          status: 201,
        },
      ],
    });
  });

  test.each<readonly [string, PlatformAnswer, Asked]>([
    ['the same database', naming('db-1'), { database: 'db-1' }],
    ['no database', answer(201, goodBody('statements', three)), { database: 'db-1' }],
    ['a database that nobody asked for', naming('db-2'), { database: null }],
    ['a database without the guard', naming('db-2'), {}],
  ])('is none with %s', (_, by, asked) => {
    expect(given(three, by, asked).kind).toBe('ok');
  });
});

describe('a platform that is only asked', () => {
  const unknown = (...more: readonly (readonly [string, string])[]) => about(['invalid', 'dry_run'], ...more);
  const asking = { onlyAsks: true };
  const dryRun = (code: string): object => ({ errors: [{ detail: 'No.', code, attr: 'dry_run' }] });

  test.each([
    ['alone', unknown()],
    ['beside another field', unknown(['invalid', 'statements.0.number'])],
  ])('and does not know the question, named %s, may have stored the records', (_, by) => {
    expect(given(three, by, asking)).toMatchObject({
      kind: 'foreign',
      errors: [{ problem: { code: 'dry_run_unknown' }, status: 400 }],
    });
  });

  test.each<readonly [string, PlatformAnswer, Asked]>([
    ['refuses another field', about(['invalid', 'statements.0.number']), asking],
    ['refuses a request that did not ask', unknown(['invalid', 'statements.0.number']), {}],
    ['refuses with another status', answer(403, { detail: 'No.', code: 'permission_denied' }), asking],
    ['refuses it with another status', answer(403, dryRun('permission_denied')), asking],
  ])('and %s says something else', (_, by, asked) => {
    expect(JSON.stringify(given(three, by, asked))).not.toContain('dry_run_unknown');
  });
});

describe('a refusal because the record exists', () => {
  const one = batchOf('statements', 1, { inDoubt: true });
  const exists = about(['historical_statement_already_exists', 'statements.0.statement_id']);
  const WAS_THERE = { ...one, records: one.records.map((record) => ({ ...record, wasThere: true })) };

  test.each<readonly [string, Batch, Asked, object]>([
    ['may only say that the lost request was applied', one, {}, { kind: 'ok', outcomes: ['verify'] }],
    ['of a record that was there is no proof', WAS_THERE, {}, { kind: 'ok', outcomes: ['uncompared'] }],
    [
      'counts as there where that is accepted',
      one,
      { acceptsExisting: true },
      { kind: 'ok', outcomes: ['uncompared'] },
    ],
    [
      'of a first request is a refusal',
      { ...one, inDoubt: false },
      {},
      { kind: 'rejected', outcomes: ['rejected'], codes: ['historical_statement_already_exists'] },
    ],
    [
      'of one of several records is a refusal',
      { ...three, inDoubt: true },
      {},
      {
        kind: 'rejected',
        outcomes: ['rejected', null, null],
        codes: ['historical_statement_already_exists'],
      },
    ],
  ])('%s', (_, batch, asked, expected) => {
    expect(shown(given(batch, exists, asked))).toEqual(expected);
  });

  test('proves nothing beside another reason', () => {
    const both = about(
      ['historical_statement_already_exists', 'statements.0.statement_id'],
      ['invalid', 'statements.0.number'],
    );
    expect(shown(given(one, both))).toMatchObject({ kind: 'rejected', outcomes: ['rejected'] });
  });

  test('proves nothing where the platform answers with the statuses of records', () => {
    for (const resource of ['notes', 'transactions'] as const) {
      const by = about(['historical_statement_already_exists', `${DESCRIPTOR_LISTS[resource]}.0`]);
      const batch = batchOf(resource, 1, { inDoubt: true });
      expect(shown(given(batch, by, {}, resource)).kind).toBe('rejected');
      expect(shown(given(batch, by, { acceptsExisting: true }, resource))).toMatchObject({
        kind: 'rejected',
        codes: ['historical_statement_already_exists'],
      });
    }
  });

  const instruction = batchOf('payment-instructions', 1, { inDoubt: true });
  test.each<readonly [string, object, object]>([
    ['a body without a code', { error_detail: 'x', reference: 'pi_1' }, { kind: 'ok', outcomes: ['verify'] }],
    ['a body that names no instruction', { error_detail: 'x' }, { kind: 'ok', outcomes: ['verify'] }],
    ['another instruction', { error_detail: 'x', reference: 'pi_2' }, { kind: 'ambiguous' }],
    ['another shape', { non_field_errors: ['x'] }, { kind: 'ok', outcomes: ['verify'] }],
  ])('of a payment instruction: %s', (_, body, expected) => {
    const result = shown(given(instruction, answer(400, body), {}, 'payment-instructions'));
    expect(result).toEqual(expected);
  });
});

const DESCRIPTOR_LISTS = { notes: 'notes', transactions: 'transactions' } as const;

describe('a refusal of records that may exist', () => {
  const accepting = { acceptsExisting: true };
  const EXISTS = 'historical_statement_already_exists';
  const existing = (at: number) => [EXISTS, `statements.${at}.statement_id`] as const;

  test.each<readonly [string, PlatformAnswer, object]>([
    [
      'counts them as there, and leaves the others to be sent again',
      about(existing(1)),
      { kind: 'rejected', outcomes: [null, 'uncompared', null], codes: [] },
    ],
    [
      'still refuses what is wrong',
      about(existing(0), ['invalid', 'statements.1.number']),
      { kind: 'rejected', outcomes: ['uncompared', 'rejected', null], codes: ['invalid'] },
    ],
    [
      'hides no other error of a record that exists',
      about(existing(0), ['invalid', 'statements.0.number']),
      { kind: 'rejected', outcomes: ['uncompared', null, null], codes: [] },
    ],
    [
      'still has the errors of the request as a whole',
      about(existing(0), ['invalid', 'import_supplier']),
      { kind: 'rejected', outcomes: ['uncompared', null, null], codes: ['invalid'] },
    ],
    [
      'of all is no refusal',
      about(existing(0), existing(1), existing(2)),
      { kind: 'ok', outcomes: ['uncompared', 'uncompared', 'uncompared'] },
    ],
    [
      'of none stays as it is',
      about(['invalid', 'statements.1.number']),
      { kind: 'rejected', outcomes: [null, 'rejected', null], codes: ['invalid'] },
    ],
    [
      'that names none of several is about none in particular',
      about([EXISTS, 'statements']),
      { kind: 'rejected', outcomes: ['rejected', 'rejected', 'rejected'], codes: [EXISTS] },
    ],
  ])('%s', (_, by, expected) => {
    expect(shown(given(three, by, accepting))).toEqual(expected);
  });

  test('that names none is about the only one', () => {
    const by = about([EXISTS, 'statements']);
    expect(shown(given(batchOf('statements', 1), by, accepting))).toEqual({
      kind: 'ok',
      outcomes: ['uncompared'],
    });
  });

  test('refuses them where that is not accepted', () => {
    expect(shown(given(three, about(existing(1))))).toEqual({
      kind: 'rejected',
      outcomes: [null, 'rejected', null],
      codes: [EXISTS],
    });
  });
});

describe('an answer of success', () => {
  const two = batchOf('transactions', 2);
  const items = (...statuses: readonly string[]) =>
    (goodItems('transactions', two) as object[]).map((item, at) => ({ ...item, status: statuses[at] }));
  const success = (results: readonly unknown[], more: object = {}, asked: Asked = {}) =>
    given(two, answer(201, { ...two.account, results, ...more }), asked, 'transactions');
  const [ADDED, EXISTS, FAILED] = [
    'TRANSACTION_ADDED_TO_ACCOUNT',
    'TRANSACTION_ALREADY_EXISTS',
    'TRANSACTION_IMPORT_ERROR',
  ];

  test('says of a record that it was there, unless we may have added it', () => {
    const results = items(ADDED, EXISTS);
    expect(shown(success(results))).toEqual({ kind: 'ok', outcomes: ['created', 'existing'] });
    expect(shown(success(results, {}, { addedByUs: true }))).toEqual({
      kind: 'ok',
      outcomes: ['created', 'verify'],
    });
  });

  test('that names another account is about another request', () => {
    expect(success(items(ADDED, ADDED), { external_account_number: 'B-1' })).toEqual({
      kind: 'ambiguous',
      reason: 'the answer names another account',
      isOfAnother: true,
    });
  });

  test('with a mark of failure proves nothing, unless no record succeeded', () => {
    const failure = { errors: [{ detail: 'No.' }] };
    expect(success(items(ADDED, ADDED), failure)).toEqual({
      kind: 'ambiguous',
      reason: 'the answer reports success and an error',
    });
    expect(success(items(ADDED, FAILED), failure).kind).toBe('ambiguous');
    expect(shown(success(items(FAILED, FAILED), failure))).toMatchObject({
      kind: 'rejected',
      outcomes: ['rejected', 'rejected'],
    });
    expect(shown(success(items(ADDED, FAILED)))).toMatchObject({
      kind: 'rejected',
      outcomes: ['created', 'rejected'],
    });
  });
});

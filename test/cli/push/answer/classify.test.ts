import { describe, expect, test } from 'vitest';
import type { Batch } from '../../../../src/cli/push/ports/run.ts';
import { classify, type BatchResult, type Rejection } from '../../../../src/cli/push/answer/classify.ts';
import { isAboutAccount } from '../../../../src/cli/push/answer/platform-errors.ts';
import type { PlatformAnswer } from '../../../../src/cli/push/ports/platform.ts';
import { RESOURCES, type Resource } from '../../../../src/core/contract/resources.ts';
import { entryOf, ERROR_CODES, retryOf, type ErrorCode } from '../../../../src/core/error-codes/table.ts';
import { answer, batchOf, batchWith, goodBody, goodItems } from '../../../support/push-batch.ts';
import { transactions } from '../../../support/push-records.ts';

const LISTS = ['notes', 'transactions', 'statements'] as const;

/** A batch of three records, or of one where a request has only one. */
const sent = (resource: Resource, changes: Partial<Batch> = {}): Batch =>
  batchOf(resource, resource === 'payment-instructions' ? 1 : 3, changes);

const outcomesOf = (result: BatchResult): unknown =>
  result.kind === 'ok' || result.kind === 'rejected'
    ? result.records.map(({ outcome }) => outcome)
    : undefined;

const kindOf = (resource: Resource, batch: Batch, given: PlatformAnswer): string =>
  classify(resource, batch, given).kind;

describe.each(RESOURCES)('an answer about %s', (resource) => {
  const batch = sent(resource);
  const body = goodBody(resource, batch);
  const all = batch.records.map(({ seq }) => ({ seq, outcome: 'created' }));

  test('that accounts for every record means that every record is created', () => {
    expect(classify(resource, batch, answer(201, body))).toMatchObject({ kind: 'ok', records: all });
  });

  test.each([
    ['without a body', answer(201, '')],
    ['with a page of HTML', answer(201, '<html>Welcome</html>', { 'content-type': 'text/html' })],
    ['with another document', answer(201, { ok: true })],
    ['with null', answer(201, 'null')],
    ['with an empty object', answer(201, {})],
    ['with an empty list', answer(201, [])],
    ['cut short', answer(201, JSON.stringify(body).slice(0, -1))],
    ['with a character after it', answer(201, `${JSON.stringify(body)}x`)],
    ['accepted but not done', answer(202, body)],
    ['changed by a proxy', answer(203, body)],
    ['without content, and with some', answer(205, body)],
    ['of several statuses', answer(207, body)],
    ['without content', answer(204, '')],
    ['of partial content', answer(206, body)],
    ['of a request time-out', answer(408)],
    ['of a failure', answer(500, { detail: 'Error.' })],
    ['of a bad gateway, in HTML', answer(502, '<html>Bad gateway</html>')],
    ['of an unavailable platform', answer(503, '', { 'retry-after': '5' })],
    ['of a gateway time-out', answer(504)],
    ['of a failure of another kind', answer(501)],
    ['of a full disk', answer(507)],
    ['of a failure that only proxies use', answer(520, '<html>')],
    ['with an unknown status', answer(600)],
    ['of a failure that names the instruction', answer(500, { error_detail: 'x', reference: 'pi_1' })],
    ['that was lost', { kind: 'lost', reason: 'the connection was reset' }],
  ] as const)('%s may have been applied', (_, given) => {
    expect(kindOf(resource, batch, given)).toBe('ambiguous');
    expect(kindOf(resource, { ...batch, inDoubt: true }, given)).toBe('ambiguous');
  });

  test.each([
    ['of too many requests', answer(429, { detail: 'Throttled.' }, { 'retry-after': '5' })],
    ['to a request that never left', { kind: 'not_sent', reason: 'the connection was refused' }],
  ] as const)('%s was surely not applied', (_, given) => {
    expect(kindOf(resource, batch, given)).toBe('not_applied');
  });

  test.each([300, 301, 302, 303, 304, 305, 307, 308, 399])('of %i is not from the platform', (status) => {
    expect(classify(resource, batch, answer(status, body, { location: '/' }))).toMatchObject({
      kind: 'foreign',
      errors: [{ seq: null, attr: null, problem: { code: 'answer_unproven', path: [], detail: '' }, status }],
    });
  });

  test.each([201, 400, 401, 404, 413, 429, 503])('of %i from another database is not believed', (status) => {
    const given = answer(status, body, { 'dataimport-database': 'db-2' });
    const foreign = { kind: 'foreign', errors: [{ problem: { code: 'platform_database_changed' } }] };
    expect(classify(resource, batch, given, { database: 'db-1' })).toMatchObject(foreign);
    for (const database of [null, 'db-2'])
      expect(classify(resource, batch, given, { database })).not.toMatchObject(foreign);
  });

  test('of 401 refuses the credentials and says nothing about the records', () => {
    const given = answer(401, { detail: 'No.', code: 'authentication_failed' });
    expect(classify(resource, batch, given)).toEqual({
      kind: 'unauthenticated',
      errors: [
        expect.objectContaining({
          seq: null,
          status: 401,
          problem: { code: 'authentication_failed', path: [], detail: 'No.' },
        }),
      ],
    });
  });

  test.each([
    [403, 'You do not have permission to perform this action.'],
    [404, 'Not found.'],
    [405, 'Method "POST" not allowed.'],
    [415, 'Unsupported media type "text/plain" in request.'],
  ])('of %i in the words of the framework refuses every record', (status, detail) => {
    const given = classify(resource, batch, answer(status, { detail }));
    expect(given.kind).toBe('rejected');
    expect(outcomesOf(given)).toEqual(batch.records.map(() => 'rejected'));
  });

  test.each<unknown>([
    { detail: 'Account not found.' },
    { detail: 'No ExternalAccount matches the given query.' },
    { detail: 'Gone.', code: 'account_not_found', errors: [] },
    {
      detail: 'Gone.',
      code: 'not_found',
      errors: [{ detail: 'Gone.', code: 'not_found', attr: 'external_account_number' }],
    },
  ])('of 404 that names the account refuses every record for it: %j', (body) => {
    const given = classify(resource, batch, answer(404, body));
    expect(outcomesOf(given)).toEqual(batch.records.map(() => 'rejected'));
    expect((given as Rejection).errors.every(isAboutAccount)).toBe(true);
  });

  test.each([
    [404, 'Not Found', 'account_not_found'],
    [404, 'no route', 'not_found'],
    [403, 'Forbidden', 'permission_denied'],
    [405, 'Method Not Allowed', 'method_not_allowed'],
  ])('of %i in other words, %j, may come from a gateway and proves nothing', (status, detail, code) => {
    expect(kindOf(resource, batch, answer(status, { detail }))).toBe('foreign');
    expect(kindOf(resource, batch, answer(status, { detail, code }))).toBe('rejected');
  });

  test.each([400, 402, 406, 407, 409, 410, 414, 417, 418, 421, 422, 423, 425, 428, 431, 451])(
    'of %i in words alone is not from the platform, and proves nothing',
    (status) => {
      expect(kindOf(resource, batch, answer(status, { detail: 'No.' }))).toBe('foreign');
    },
  );

  test.each([
    [400, 'validation_error', 'rejected'],
    [400, 'account_not_found', 'rejected'],
    [404, 'account_not_found', 'rejected'],
    [403, 'permission_denied', 'rejected'],
    [405, 'method_not_allowed', 'rejected'],
    [415, 'unsupported_media_type', 'rejected'],
    [403, 'error', 'foreign'],
    [405, 'error', 'foreign'],
    [400, 'error', 'foreign'],
    [400, 'throttled', 'foreign'],
    [400, 'permission_denied', 'foreign'],
    [403, 'validation_error', 'foreign'],
    [404, 'invalid', 'foreign'],
    [403, 'account_not_found', 'foreign'],
    [409, 'validation_error', 'foreign'],
    [409, 'historical_statement_already_exists', 'foreign'],
    [422, 'invalid', 'foreign'],
    [410, 'not_found', 'foreign'],
  ])('of %i with the code %s, which fits the status or not: %s', (status, code, kind) => {
    expect(kindOf(resource, batch, answer(status, { detail: 'No.', code }))).toBe(kind);
    const errors = [{ detail: 'No.', code, attr: null }];
    for (const top of ['validation_error', code]) {
      const whole = { detail: 'x', code: top, errors };
      const isFitting = kind === 'rejected' && (top === code || status === 400);
      expect(kindOf(resource, batch, answer(status, whole))).toBe(isFitting ? 'rejected' : 'foreign');
    }
  });

  test('of 4xx with a code of an operator is a refusal with 400 only', () => {
    const errors = [{ detail: 'No.', code: 'account_blocked_here', attr: 'external_account_number' }];
    const refusal = { detail: 'No.', code: 'account_failed_validation', errors };
    for (const status of [400, 403, 404, 405, 409, 415, 422])
      expect(kindOf(resource, batch, answer(status, refusal))).toBe(status === 400 ? 'rejected' : 'foreign');
  });

  test.each([
    ['no body', ''],
    ['HTML', '<html></html>'],
    ['a list', []],
    ['an empty object', {}],
    ['the words of a gateway', { message: 'Forbidden' }],
    ['the words of a gateway beside a name of ours', { message: 'proxy', import_supplier: 'ACME' }],
    ['a text under a name of ours', { external_account_number: 'upstream timed out' }],
    ['a code that is a number', { errors: [{ detail: 'No.', code: 7, attr: 'external_account_number' }] }],
    ['a list of errors that name nothing', { errors: [{ status: '403', title: 'Forbidden' }] }],
    ['a list of no errors', { errors: [] }],
    ['a list of no errors and words', { detail: 'No.', code: 'validation_error', errors: [] }],
    ['the code of a firewall', { errors: [{ code: 'WAF1' }] }],
    ['a code of the table and no input', { errors: [{ code: 'invalid' }] }],
    [
      'a code of a firewall and an input of its own',
      { errors: [{ code: 'WAF1', detail: 'x', attr: 'uri' }] },
    ],
    ['a problem of RFC 9457', { type: 'about:blank', title: 'Forbidden', status: 403, detail: 'No.' }],
    ['words and a trace', { detail: 'Not Found', trace_id: '4711' }],
    ['words and a code that is not in the table', { detail: 'No.', code: 'blocked' }],
    ['words and a code of this program', { detail: 'No.', code: 'usage' }],
    ['error_detail of another endpoint', { error_detail: 7 }],
  ])('of 4xx with %s is not from the platform, and proves nothing', (_, refusal) => {
    for (const status of [400, 403, 404, 405, 409, 410, 415, 422]) {
      expect(classify(resource, batch, answer(status, refusal))).toMatchObject({
        kind: 'foreign',
        errors: [
          {
            seq: null,
            problem: { code: 'answer_unproven' },
            status,
          },
        ],
      });
    }
  });

  test.each([
    ['text/html', 'foreign'],
    ['application/problem+json', 'foreign'],
    ['text/plain; charset=utf-8', 'foreign'],
    ['application/jsonp', 'foreign'],
    ['application/json', 'rejected'],
    ['Application/JSON; charset=utf-8', 'rejected'],
  ])('of 404 in the words of the platform, sent as %s: %s', (type, kind) => {
    const given = answer(404, { detail: 'Not found.' }, { 'content-type': type });
    expect(kindOf(resource, batch, given)).toBe(kind);
  });

  test('of 4xx whose JSON ends early may have been applied', () => {
    const errors = [{ detail: 'No.', code: 'invalid', attr: 'external_account_number' }];
    const text = JSON.stringify({ detail: 'x', code: 'validation_error', errors });
    const json = { 'content-type': 'application/json' };
    for (let length = 0; length < text.length; length++) {
      expect(kindOf(resource, batch, answer(400, text.slice(0, length), json))).toBe('ambiguous');
      if (length > 0) expect(kindOf(resource, batch, answer(400, text.slice(0, length)))).toBe('ambiguous');
    }
    expect(kindOf(resource, batch, answer(400, text, json))).toBe('rejected');
  });

  test.each([
    ['account', { external_account_number: 'A-200' }],
    ['supplier', { import_supplier: 'OTHER' }],
  ])('of 4xx that names another %s is an answer to another request', (_, name) => {
    const errors = [{ detail: 'No.', code: 'invalid', attr: 'external_account_number' }];
    const refusal = { detail: 'x', code: 'validation_error', errors };
    expect(kindOf(resource, batch, answer(400, { ...refusal, ...name }))).toBe('ambiguous');
    expect(kindOf(resource, batch, answer(400, { ...refusal, ...batch.account }))).toBe('rejected');
  });

  test('of 400 about a field of the request refuses every record', () => {
    const errors = [{ detail: 'No.', code: 'invalid_choice', attr: 'import_supplier' }];
    const given = classify(resource, batch, answer(400, { detail: 'x', code: 'validation_error', errors }));
    expect(outcomesOf(given)).toEqual(batch.records.map(() => 'rejected'));
    expect(given).toMatchObject({ errors: [{ problem: { path: ['import_supplier'] } }] });
  });

  test('of 400 in words about the request as a whole refuses every record, but no transaction', () => {
    // It may be about any transaction, and the ones before that may have been kept (interface.md 4.3).
    const outcome = resource === 'transactions' ? null : 'rejected';
    const given = classify(resource, batch, answer(400, { non_field_errors: ['Both disagree.'] }));
    expect(outcomesOf(given)).toEqual(batch.records.map(() => outcome));
  });
});

describe.each(LISTS)('a 201 about %s is not believed when it', (resource) => {
  const batch = sent(resource);
  const items = goodItems(resource, batch);
  const other = goodItems(resource, batchOf(resource, 9))[8];

  test.each([
    ['lacks the first record', items.slice(1)],
    ['lacks the last record', items.slice(0, -1)],
    ['has no records', []],
    ['has one record more', [...items, other]],
    ['repeats a record', [items[0], items[1], items[1]]],
    ['repeats a record beside all records', [...items, items[0]]],
    ['has a record of another request', [items[0], items[1], other]],
    ['has only records of another request', [other, other, other]],
  ])('%s', (_, given) => {
    expect(kindOf(resource, batch, answer(201, goodBody(resource, batch, given)))).toBe('ambiguous');
  });
});

describe('records are found', () => {
  test.each(['transactions', 'statements'] as const)('by their id in %s, in any order', (resource) => {
    const batch = sent(resource);
    const body = goodBody(resource, batch, goodItems(resource, batch).toReversed());
    expect(kindOf(resource, batch, answer(201, body))).toBe('ok');
  });

  test('each with its own status', () => {
    const batch = sent('transactions');
    const [first, second, third] = goodItems('transactions', batch) as { status: string }[];
    const existing = { ...second!, status: 'TRANSACTION_ALREADY_EXISTS' };
    const given = classify('transactions', batch, answer(201, { results: [third, existing, first] }));
    expect(outcomesOf(given)).toEqual(['created', 'existing', 'created']);
  });

  test('by position and body in notes, which have no id', () => {
    const batch = sent('notes');
    const swapped = goodItems('notes', batch).toReversed();
    expect(kindOf('notes', batch, answer(201, swapped))).toBe('ambiguous');
  });

  test('for notes without a body, whether the answer has an empty body, null or no body', () => {
    const batch = batchWith('notes', [{ document_paths: [{ document_path: 'a.pdf' }] }]);
    const item = { created_at: '2024-01-01T00:00:00Z', status: 'NOTE_CREATION_SUCCESS' };
    for (const body of [{ body: '' }, { body: null }, {}]) {
      expect(kindOf('notes', batch, answer(201, [{ ...item, ...body }]))).toBe('ok');
    }
    expect(kindOf('notes', batch, answer(201, [{ ...item, body: 'x' }]))).toBe('ambiguous');
  });

  test('by position alone in notes whose answer has no more than statuses', () => {
    const batch = batchWith('notes', [{ body: 'a' }, { body: 'b', created_at: '2024-01-01T00:00:00Z' }]);
    const items = [{ status: 'NOTE_ALREADY_EXISTS' }, { status: 'NOTE_CREATION_SUCCESS' }];
    expect(outcomesOf(classify('notes', batch, answer(201, items)))).toEqual(['existing', 'created']);
    expect(kindOf('notes', batch, answer(201, items.slice(1)))).toBe('ambiguous');
  });

  test('among identical notes, one by one', () => {
    const draft = { body: 'same' };
    const batch = batchWith('notes', [draft, draft, draft]);
    const [first, ...others] = goodItems('notes', batch) as { status: string }[];
    const items = [first, ...others.map((item) => ({ ...item, status: 'NOTE_ALREADY_EXISTS' }))];
    expect(outcomesOf(classify('notes', batch, answer(201, items)))).toEqual([
      'created',
      'existing',
      'existing',
    ]);
  });

  test('by the reference of a payment instruction', () => {
    const batch = sent('payment-instructions');
    const body = { platform_account_number: 'A-1', reference: 'pi_2' };
    expect(kindOf('payment-instructions', batch, answer(201, body))).toBe('ambiguous');
  });
});

describe('a status of a record', () => {
  test.each([
    ['notes', 'NOTE_CREATION_SUCCESS', 'created'],
    ['notes', 'NOTE_ALREADY_EXISTS', 'existing'],
    ['transactions', 'TRANSACTION_ADDED_TO_ACCOUNT', 'created'],
    ['transactions', 'TRANSACTION_ALREADY_EXISTS', 'existing'],
  ] as const)('of %s: %s', (resource, status, outcome) => {
    const batch = sent(resource);
    const body = goodBody(resource, batch, goodItems(resource, batch, status));
    expect(outcomesOf(classify(resource, batch, answer(201, body)))).toEqual([outcome, outcome, outcome]);
  });

  test.each([
    ['notes', 'TRANSACTION_ADDED_TO_ACCOUNT'],
    ['notes', 'NOTE_QUEUED'],
    ['notes', 'note_creation_success'],
    ['transactions', 'NOTE_CREATION_SUCCESS'],
    ['transactions', 'TRANSACTION_IMPORT_SUCCESS'],
    ['transactions', 'PENDING'],
    ['transactions', ''],
    ['transactions', '__proto__'],
    ['transactions', 'constructor'],
  ] as const)('that %s do not have settles nothing: %s', (resource, status) => {
    const batch = sent(resource);
    const items = goodItems(resource, batch);
    (items[1] as { status: string }).status = status;
    expect(kindOf(resource, batch, answer(201, goodBody(resource, batch, items)))).toBe('ambiguous');
  });

  test('of an error inside a success refuses that record and settles the others', () => {
    const batch = sent('transactions');
    const items = goodItems('transactions', batch) as { status: string }[];
    items[1]!.status = 'TRANSACTION_IMPORT_ERROR';
    const given = classify('transactions', batch, answer(201, { results: items }));
    expect(given).toMatchObject({
      kind: 'rejected',
      records: [
        { seq: 11, outcome: 'created' },
        { seq: 12, outcome: 'rejected' },
        { seq: 13, outcome: 'created' },
      ],
      errors: [{ seq: 12, status: 201, problem: { code: 'transaction_import_error' } }],
    });
  });
});

describe('a refusal of one record leaves the others unsettled', () => {
  const batch = sent('transactions');
  const refused = (index: number): unknown =>
    batch.records.map((_, position) => (position === index ? 'rejected' : null));

  test.each([
    [
      'documented',
      { errors: [{ detail: 'No.', code: 'invalid_choice', attr: 'transactions.1.type' }] },
      ['type'],
    ],
    ['nested by index', { transactions: { 1: { type: ['No.'] } } }, ['type']],
    ['nested as a list', { transactions: [{}, { type: ['No.'] }, {}] }, ['type']],
    [
      'about the object as a whole',
      { errors: [{ detail: 'No.', code: 'invalid', attr: 'transactions.1.non_field_errors' }] },
      [],
    ],
    [
      'of the first failing transaction',
      {
        status: 'TRANSACTION_IMPORT_ERROR',
        error_detail: 'No.',
        transaction_data: { transaction_id: 'T-2' },
      },
      ['transaction_id'],
    ],
  ])('%s', (_, body, path) => {
    const given = classify('transactions', batch, answer(400, body));
    expect(outcomesOf(given)).toEqual(refused(1));
    expect(given).toMatchObject({ errors: [{ seq: 12, status: 400, problem: { path } }] });
  });

  test.each([
    ['no input', { errors: [{ detail: 'x', code: 'validation_error', attr: null }] }],
    ['the request', { errors: [{ detail: 'x', code: 'x', attr: 'non_field_errors' }] }],
    [
      'the items of the list',
      { errors: [{ detail: 'x', code: 'x', attr: 'transactions.non_field_errors' }] },
    ],
    ['the list as a whole', { errors: [{ detail: 'x', code: 'empty', attr: 'transactions' }] }],
  ])('but not when it names %s', (_, body) => {
    expect(outcomesOf(classify('transactions', batch, answer(400, body)))).toEqual([
      'rejected',
      'rejected',
      'rejected',
    ]);
  });

  test.each([
    ['a field that was sent', 'invalid', 'transactions.1.amount', 'rejected'],
    ['a record', 'invalid', 'transactions.1', 'rejected'],
    ['a record as a whole', 'invalid', 'transactions.1.non_field_errors', 'rejected'],
    ['a field of the interface that was left out', 'invalid', 'transactions.1.payment_type', 'rejected'],
    ['a field of the operator that is required', 'required', 'transactions.1.tariff', 'rejected'],
    ['the account', 'invalid', 'external_account_number', 'rejected'],
    ['a parameter', 'invalid', 'check_previously_added', 'rejected'],
    ['nothing', 'invalid', '', 'foreign'],
    ['a name that no object has', 'invalid', '__proto__.x', 'foreign'],
    ['a name of every object', 'invalid', 'transactions.1.constructor', 'foreign'],
    ['the prototype of a record', 'required', 'transactions.1.__proto__', 'foreign'],
    ['a field that nobody has', 'invalid', 'transactions.1.nonsense', 'foreign'],
    ['a part of a value', 'required', 'transactions.1.amount.text', 'foreign'],
    ['an item that was not sent', 'invalid', 'transactions.1.line_items.7.net_amount', 'foreign'],
    ['an index that is no number', 'invalid', 'transactions.-1.type', 'foreign'],
    ['a name behind the object as a whole', 'invalid', 'transactions.1.non_field_errors.x', 'foreign'],
    ['a part of the account', 'invalid', 'external_account_number.0', 'foreign'],
    ['another name', 'invalid', 'uri', 'foreign'],
    ['a number', 'invalid', 7, 'foreign'],
  ])('when `attr` leads to it, here %s', (_, code, attr, kind) => {
    const error = { detail: 'No.', code, attr };
    expect(kindOf('transactions', batch, answer(400, { errors: [error] }))).toBe(kind);
    // One error that leads nowhere makes the others doubtful.
    const beside = { detail: 'No.', code: 'invalid', attr: 'transactions.0.amount' };
    expect(kindOf('transactions', batch, answer(400, { errors: [beside, error] }))).toBe(kind);
  });

  test('when `attr` leads into an item of a list that was sent', () => {
    const supply = batchWith('transactions', [transactions.SUPPLY_CHARGE]);
    const about = (attr: string) => answer(400, { errors: [{ detail: 'No.', code: 'invalid', attr }] });
    expect(kindOf('transactions', supply, about('transactions.0.line_items.0.units.1'))).toBe('rejected');
    expect(kindOf('transactions', supply, about('transactions.0.line_items.0.units.2'))).toBe('foreign');
    const one = batchOf('payment-instructions', 1);
    expect(kindOf('payment-instructions', one, about('vendor'))).toBe('rejected');
    expect(kindOf('payment-instructions', one, about('vendor.0'))).toBe('foreign');
  });

  const failed = (transaction_data: unknown) => ({
    status: 'TRANSACTION_IMPORT_ERROR',
    error_detail: 'x',
    transaction_data,
  });
  const second = JSON.parse(batch.records[1]!.payload) as object;

  test.each([
    ['another account', failed({ ...second, external_account_number: 'A-200' }), 'another account'],
    ['another account beside it', { ...failed({ ...second }), import_supplier: 'X' }, 'another account'],
    ['a transaction that was not sent', failed({ transaction_id: 'T-9' })],
    ['a transaction with another amount', failed({ ...second, amount: '1.00' })],
    ['a transaction with another type', failed({ ...second, type: 'PAYMENT' })],
    ['an index that was not sent', { errors: [{ detail: 'x', code: 'x', attr: 'transactions.3.type' }] }],
    ['an index that was not sent, nested', { transactions: { 3: { type: ['No.'] } } }],
    ['a list that was not sent, alone', { errors: [{ detail: 'x', code: 'x', attr: 'statements' }] }],
    ['a list that was not sent', { errors: [{ detail: 'x', code: 'x', attr: 'notes.1.body' }] }],
  ])(
    'but not when it names %s, because it answers another request',
    (_, body, named = 'a record that was not sent') => {
      expect(classify('transactions', batch, answer(400, body))).toEqual({
        kind: 'ambiguous',
        reason: `the answer names ${named}`,
        isOfAnother: true,
      });
    },
  );

  test('but not when it names no transaction, because it may be about any of them', () => {
    const body = { status: 'TRANSACTION_IMPORT_ERROR', error_detail: 'x', transaction_data: {} };
    expect(outcomesOf(classify('transactions', batch, answer(400, body)))).toEqual([null, null, null]);
    const only = batchOf('transactions', 1);
    expect(outcomesOf(classify('transactions', only, answer(400, body)))).toEqual(['rejected']);
  });
});

describe('after an attempt that may have been applied', () => {
  const inDoubt = { inDoubt: true, attempt: 2 };
  const presence = {
    errors: [{ detail: 'x', code: 'historical_statement_already_exists', attr: 'statements.0' }],
  };

  test('transactions that exist are unproven when the user had the check off', () => {
    const batch = sent('transactions', inDoubt);
    const [first, second, third] = goodItems('transactions', batch, 'TRANSACTION_ALREADY_EXISTS') as {
      status: string;
    }[];
    const added = { ...second!, status: 'TRANSACTION_ADDED_TO_ACCOUNT' };
    const given = answer(201, { results: [first, added, third] });
    expect(
      outcomesOf(classify('transactions', batch, given, { options: { checkPreviouslyAdded: false } })),
    ).toEqual(['verify', 'created', 'verify']);
  });

  test('a statement that exists has to be verified', () => {
    const batch = batchOf('statements', 1, inDoubt);
    expect(classify('statements', batch, answer(400, presence))).toEqual({
      kind: 'ok',
      records: [{ seq: 11, outcome: 'verify' }],
    });
  });

  test.each([
    ['on a clean first attempt', { inDoubt: false, attempt: 1 }, presence],
    [
      'with an error at another field beside it',
      inDoubt,
      { errors: [...presence.errors, { detail: 'x', code: 'invalid', attr: 'statements.0.number' }] },
    ],
    [
      'with another error',
      inDoubt,
      { errors: [{ detail: 'x', code: 'invalid', attr: 'statements.0.number' }] },
    ],
    ['in words only on a clean first attempt', { inDoubt: false }, { non_field_errors: ['exists'] }],
    ['because the account is missing', inDoubt, { detail: 'No.', code: 'account_not_found' }],
  ])('a statement is refused %s', (_, changes, body) => {
    const batch = batchOf('statements', 1, changes);
    expect(outcomesOf(classify('statements', batch, answer(400, body)))).toEqual(['rejected']);
  });

  const active = {
    error_detail: 'x',
    external_account_number: 'A-100',
    import_supplier: 'ACME',
    reference: 'pi_1',
  };

  test.each([
    ['in words alone', active],
    ['with its code', { ...active, error_detail: 'Active already. (payment_instruction_already_active)' }],
    // Nothing contradicts that we added it, so it must not be reported as refused.
    ['without an echo of the reference', { error_detail: 'x' }],
  ])('a payment instruction that may be refused because it is active has to be verified: %s', (_, body) => {
    const batch = batchOf('payment-instructions', 1, inDoubt);
    expect(classify('payment-instructions', batch, answer(400, body))).toEqual({
      kind: 'ok',
      records: [{ seq: 11, outcome: 'verify' }],
    });
  });

  test.each([403, 404])('no instruction has a refusal with status %i of that shape', (status) => {
    const batch = batchOf('payment-instructions', 1, inDoubt);
    expect(kindOf('payment-instructions', batch, answer(status, active))).toBe('foreign');
  });

  test.each([
    ['reference', { reference: 'pi_2' }],
    ['account', { external_account_number: 'A-200' }],
    ['supplier', { import_supplier: 'OTHER' }],
  ])('a refused payment instruction with another %s is an answer to another request', (_, name) => {
    for (const changes of [inDoubt, {}]) {
      const batch = batchOf('payment-instructions', 1, changes);
      const given = answer(400, { ...active, ...name });
      expect(kindOf('payment-instructions', batch, given)).toBe('ambiguous');
    }
  });

  test.each([
    ['on a clean first attempt', { inDoubt: false, attempt: 1 }, active],
    ['for another reason', inDoubt, { errors: [{ detail: 'x', code: 'invalid_choice', attr: 'vendor' }] }],
    ['because the account is missing', inDoubt, { detail: 'No.', code: 'account_not_found' }],
  ])('a payment instruction is refused %s', (_, changes, body) => {
    const batch = batchOf('payment-instructions', 1, changes);
    expect(outcomesOf(classify('payment-instructions', batch, answer(400, body)))).toEqual(['rejected']);
  });
});

describe('a record that is taken again after a lost answer', () => {
  test.each([
    ['statements', 'unanswered'],
    ['statements', 'failed'],
    ['payment-instructions', 'unanswered'],
  ] as const)('may be there twice: %s, %s', (resource, mayRepeat) => {
    const batch = batchOf(resource, 1, { inDoubt: true, mayRepeat, attempt: 2 });
    const taken = classify(resource, batch, answer(201, goodBody(resource, batch)));
    expect(taken).toMatchObject({
      kind: 'ok',
      records: [{ outcome: 'created', found: [{ code: 'sent_again' }] }],
    });
  });

  test.each(['notes', 'transactions'] as const)('is there once where its status says so: %s', (resource) => {
    const batch = batchOf(resource, 1, { inDoubt: true, mayRepeat: 'unanswered', attempt: 2 });
    const { records } = classify(resource, batch, answer(201, goodBody(resource, batch))) as {
      records: readonly object[];
    };
    expect(records[0]).toMatchObject({ outcome: 'created' });
    expect(records[0]).not.toHaveProperty('found');
  });
});

describe('after a lost answer, whatever its code or shape, a refusal leaves a record to be verified', () => {
  const lost = { inDoubt: true, attempt: 2 };
  const at = (attr: string, code = 'unique') => ({ errors: [{ detail: 'x', code, attr }] });

  test.each<readonly [string, number, unknown]>([
    ['another code at its id', 400, at('statements.0.statement_id')],
    ['a code of validation at its id', 400, at('statements.0.statement_id', 'max_length')],
    ['no field', 400, at('statements.0.non_field_errors')],
    ['words alone', 400, { non_field_errors: ['This set is not unique.'] }],
    ['a mirror of the request', 400, { statements: { 0: { statement_id: ['Not unique.'] } } }],
    ['an error at the list', 400, { statements: ['Exists.'] }],
    ['a bare list', 400, ['Statement exists.']],
    ['an empty object', 400, {}],
    ['a conflict', 409, { detail: 'Conflict.' }],
    ['an unprocessable entity', 422, { message: 'no' }],
  ])('a statement with %s', (_, status, body) => {
    const batch = batchOf('statements', 1, lost);
    expect(outcomesOf(classify('statements', batch, answer(status, body)))).toEqual(['verify']);
    const first = batchOf('statements', 1, { attempt: 1 });
    expect(['rejected', 'foreign']).toContain(kindOf('statements', first, answer(status, body)));
  });

  test('a statement is refused at another field', () => {
    const batch = batchOf('statements', 1, lost);
    expect(outcomesOf(classify('statements', batch, answer(400, at('statements.0.number'))))).toEqual([
      'rejected',
    ]);
  });
});

test('a body that is nested thousands of levels deep does not crash', () => {
  const deep = `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`;
  for (const resource of RESOURCES) {
    expect(kindOf(resource, sent(resource), answer(400, deep))).toBe('foreign');
    expect(kindOf(resource, sent(resource), answer(201, deep))).toBe('ambiguous');
  }
});

describe('`explain` and docs/codes.md say what the client does', () => {
  const RETRIED: Readonly<Record<BatchResult['kind'], string>> = {
    ok: 'never',
    rejected: 'never',
    foreign: 'never',
    too_large: 'never',
    unauthenticated: 'token',
    not_applied: 'wait',
    ambiguous: 'wait',
  };
  const batch = batchOf('transactions', 3);
  const answered = (Object.keys(ERROR_CODES) as ErrorCode[]).filter((code) => entryOf(code).status !== null);

  test.each(answered)('after an answer with the code %s', (code) => {
    const body = { detail: 'x', code, errors: [{ detail: 'x', code, attr: 'transactions' }] };
    const { kind } = classify('transactions', batch, answer(entryOf(code).status!, body));
    expect(RETRIED[kind]).toBe(retryOf(code));
  });

  test('and every status that the client sends again after is one that they would report so', () => {
    const statuses = Array.from({ length: 300 }, (_, index) => index + 300);
    const again = statuses.filter(
      (status) => RETRIED[classify('transactions', batch, answer(status, { detail: 'x' })).kind] !== 'never',
    );
    expect(again).toEqual([401, 408, 429, ...statuses.filter((status) => status >= 500)]);
  });
});

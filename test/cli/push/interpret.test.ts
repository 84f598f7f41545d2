import { describe, expect, test } from 'vitest';
import type { Batch } from '../../../src/cli/push/ports/batch.ts';
import { interpret } from '../../../src/cli/push/interpret.ts';
import type { PlatformAnswer } from '../../../src/cli/push/ports/platform.ts';
import type { Reading } from '../../../src/cli/push/reading.ts';
import { RESOURCES, type Resource } from '../../../src/core/contract/resources.ts';
import { answer, batchOf, batchWith, goodBody, goodItems } from '../../support/push-batch.ts';

const LISTS = ['notes', 'transactions', 'statements'] as const;

/** As many records as a request of the resource may hold, up to three. */
const sent = (resource: Resource, changes: Partial<Batch> = {}): Batch =>
  batchOf(resource, resource === 'payment-instructions' ? 1 : 3, changes);

const outcomesOf = (reading: Reading): unknown =>
  reading.kind === 'ok' || reading.kind === 'rejected'
    ? reading.records.map(({ outcome }) => outcome)
    : undefined;

const kindOf = (resource: Resource, batch: Batch, given: PlatformAnswer): string =>
  interpret(resource, batch, given).kind;

describe.each(RESOURCES)('an answer about %s', (resource) => {
  const batch = sent(resource);
  const body = goodBody(resource, batch);
  const all = batch.records.map(({ seq }) => ({ seq, outcome: 'created' }));

  test('that accounts for every record means that every record is created', () => {
    expect(interpret(resource, batch, answer(201, body))).toEqual({ kind: 'ok', records: all });
  });

  test('means the same for another attempt', () => {
    const again = { ...batch, attempt: 2, unsure: true };
    expect(interpret(resource, again, answer(201, body))).toEqual({ kind: 'ok', records: all });
  });

  test.each([
    ['without a body', answer(201, '')],
    ['with a page of HTML', answer(201, '<html>Welcome</html>', { 'content-type': 'text/html' })],
    ['with something else', answer(201, { ok: true })],
    ['with null', answer(201, 'null')],
    ['with an empty object', answer(201, {})],
    ['with an empty list', answer(201, [])],
    ['cut short', answer(201, JSON.stringify(body).slice(0, -1))],
    ['with something after it', answer(201, `${JSON.stringify(body)}x`)],
    ['accepted but not done', answer(202, body)],
    ['changed on its way', answer(203, body)],
    ['without content, and with some', answer(205, body)],
    ['in many parts', answer(207, body)],
    ['without content', answer(204, '')],
    ['told to look elsewhere within itself', answer(206, body)],
    ['as a request time-out', answer(408)],
    ['as a failure', answer(500, { detail: 'Error.' })],
    ['as a bad gateway, in HTML', answer(502, '<html>Bad gateway</html>')],
    ['as unavailable', answer(503, '', { 'retry-after': '5' })],
    ['as a gateway time-out', answer(504)],
    ['as a failure of another kind', answer(501)],
    ['as a full disk', answer(507)],
    ['as a failure that only a proxy knows', answer(520, '<html>')],
    ['with a status that nobody knows', answer(600)],
    ['as a failure that names the instruction', answer(500, { error_detail: 'x', reference: 'pi_1' })],
    ['lost', { kind: 'lost', reason: 'the connection was reset' }],
  ] as const)('%s may have been applied', (_, given) => {
    expect(kindOf(resource, batch, given)).toBe('ambiguous');
    expect(kindOf(resource, { ...batch, unsure: true }, given)).toBe('ambiguous');
  });

  test.each([
    ['of too many requests', answer(429, { detail: 'Throttled.' }, { 'retry-after': '5' })],
    ['that was never asked for', { kind: 'not_sent', reason: 'the connection was refused' }],
  ] as const)('%s was surely not applied', (_, given) => {
    expect(kindOf(resource, batch, given)).toBe('not_applied');
  });

  test.each([300, 301, 302, 303, 304, 305, 307, 308, 399])('of %i is not from the platform', (status) => {
    expect(interpret(resource, batch, answer(status, body, { location: '/' }))).toEqual({
      kind: 'foreign',
      complaints: [
        { seq: null, attr: null, problem: { code: 'redirect_refused', path: [], detail: '' }, status },
      ],
    });
  });

  test('of 401 refuses the credentials and says nothing of the records', () => {
    const given = answer(401, { detail: 'No.', code: 'authentication_failed' });
    expect(interpret(resource, batch, given)).toEqual({
      kind: 'unauthenticated',
      complaints: [
        expect.objectContaining({
          seq: null,
          status: 401,
          problem: { code: 'authentication_failed', path: [], detail: 'No.' },
        }),
      ],
    });
  });

  test.each([402, 403, 404, 405, 406, 407, 409, 410, 414, 415, 417, 418, 421, 422, 423, 425, 428, 431, 451])(
    'of %i refuses every record',
    (status) => {
      const given = interpret(resource, batch, answer(status, { detail: 'No.' }));
      expect(given.kind).toBe('rejected');
      expect(outcomesOf(given)).toEqual(batch.records.map(() => 'rejected'));
    },
  );

  test.each([
    ['no body', ''],
    ['HTML', '<html></html>'],
    ['a list', []],
    ['an empty object', {}],
    ['the words of a gateway', { message: 'Forbidden' }],
    ['a list of errors that name nothing', { errors: [{ status: '403', title: 'Forbidden' }] }],
  ])('of 4xx with %s is not from the platform, and proves nothing', (_, refusal) => {
    for (const status of [400, 403, 404, 405, 409, 410, 415, 422]) {
      expect(interpret(resource, batch, answer(status, refusal))).toMatchObject({
        kind: 'foreign',
        complaints: [{ seq: null, problem: { code: 'refused_without_reason' }, status }],
      });
    }
  });

  test('of 400 about a field of the request refuses every record', () => {
    const errors = [{ detail: 'No.', code: 'invalid_choice', attr: 'import_supplier' }];
    const given = interpret(resource, batch, answer(400, { detail: 'x', code: 'validation_error', errors }));
    expect(outcomesOf(given)).toEqual(batch.records.map(() => 'rejected'));
    expect(given).toMatchObject({ complaints: [{ problem: { path: ['import_supplier'] } }] });
  });

  test('of 400 in words about the request as a whole refuses every record, unless it is about a transaction', () => {
    // Those before it may have been kept (interface.md 4.3), and nothing tells which it is.
    const outcome = resource === 'transactions' ? null : 'rejected';
    const given = interpret(resource, batch, answer(400, { non_field_errors: ['Both disagree.'] }));
    expect(outcomesOf(given)).toEqual(batch.records.map(() => outcome));
  });
});

test('what believes any 2xx would report records that the platform does not have', () => {
  const batch = sent('transactions');
  const believing = ({ status }: Extract<PlatformAnswer, { kind: 'answer' }>): string =>
    status >= 200 && status < 300 ? 'ok' : 'rejected';
  const captivePortal = { kind: 'answer', status: 200, headers: {}, body: '<html>Log in</html>' } as const;
  const fewer = answer(201, { results: goodItems('transactions', batch).slice(1) }) as typeof captivePortal;
  expect([believing(captivePortal), believing(fewer)]).toEqual(['ok', 'ok']);
  expect([captivePortal, fewer].map((given) => kindOf('transactions', batch, given))).toEqual([
    'ambiguous',
    'ambiguous',
  ]);
});

describe('success is', () => {
  test.each([
    ['statements', 200, 'ok'],
    ['statements', 201, 'ok'],
    // interface.md 4.1 names 201 alone for the others; what 4.4 asks of a client does no harm there.
    ['notes', 200, 'ok'],
    ['transactions', 200, 'ok'],
    ['payment-instructions', 200, 'ok'],
  ] as const)('for %s with %i: %s', (resource, status, kind) => {
    const batch = sent(resource);
    expect(kindOf(resource, batch, answer(status, goodBody(resource, batch)))).toBe(kind);
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
    ['has one more', [...items, other]],
    ['repeats one', [items[0], items[1], items[1]]],
    ['repeats one beside all', [...items, items[0]]],
    ['has a record of another request', [items[0], items[1], other]],
    ['has records of another request only', [other, other, other]],
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
    const given = interpret('transactions', batch, answer(201, { results: [third, existing, first] }));
    expect(outcomesOf(given)).toEqual(['created', 'existing', 'created']);
  });

  test('by position and body in notes, which have no id', () => {
    const batch = sent('notes');
    const swapped = goodItems('notes', batch).toReversed();
    expect(kindOf('notes', batch, answer(201, swapped))).toBe('ambiguous');
  });

  test('for notes without a body, whether the answer has an empty one, null or none', () => {
    const batch = batchWith('notes', [{ document_paths: [{ document_path: 'a.pdf' }] }]);
    const item = { created_at: '2024-01-01T00:00:00Z', status: 'NOTE_CREATION_SUCCESS' };
    for (const body of [{ body: '' }, { body: null }, {}]) {
      expect(kindOf('notes', batch, answer(201, [{ ...item, ...body }]))).toBe('ok');
    }
    expect(kindOf('notes', batch, answer(201, [{ ...item, body: 'x' }]))).toBe('ambiguous');
  });

  test('in N identical notes one by one', () => {
    const draft = { body: 'same' };
    const batch = batchWith('notes', [draft, draft, draft]);
    const [first, ...others] = goodItems('notes', batch) as { status: string }[];
    const items = [first, ...others.map((item) => ({ ...item, status: 'NOTE_ALREADY_EXISTS' }))];
    expect(outcomesOf(interpret('notes', batch, answer(201, items)))).toEqual([
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

  test('with fields that we do not know beside them', () => {
    const batch = sent('transactions');
    const results = goodItems('transactions', batch).map((item, index) => ({
      ...(item as object),
      added_transaction_id: index,
    }));
    expect(kindOf('transactions', batch, answer(201, { results, next: null }))).toBe('ok');
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
    expect(outcomesOf(interpret(resource, batch, answer(201, body)))).toEqual([outcome, outcome, outcome]);
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
  ] as const)('of %s that is not of theirs settles nothing: %s', (resource, status) => {
    const batch = sent(resource);
    const items = goodItems(resource, batch);
    (items[1] as { status: string }).status = status;
    expect(kindOf(resource, batch, answer(201, goodBody(resource, batch, items)))).toBe('ambiguous');
  });

  test('that is an error inside a success refuses that record and settles the others', () => {
    const batch = sent('transactions');
    const items = goodItems('transactions', batch) as { status: string }[];
    items[1]!.status = 'TRANSACTION_IMPORT_ERROR';
    const given = interpret('transactions', batch, answer(201, { results: items }));
    expect(given).toMatchObject({
      kind: 'rejected',
      records: [
        { seq: 11, outcome: 'created' },
        { seq: 12, outcome: 'rejected' },
        { seq: 13, outcome: 'created' },
      ],
      complaints: [{ seq: 12, status: 201, problem: { code: 'transaction_import_error' } }],
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
      { errors: [{ detail: 'No.', code: 'error', attr: 'transactions.1.non_field_errors' }] },
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
    const given = interpret('transactions', batch, answer(400, body));
    expect(outcomesOf(given)).toEqual(refused(1));
    expect(given).toMatchObject({ complaints: [{ seq: 12, status: 400, problem: { path } }] });
  });

  test('several at once', () => {
    const errors = [0, 2].map((index) => ({
      detail: 'No.',
      code: 'blank',
      attr: `transactions.${index}.note`,
    }));
    expect(outcomesOf(interpret('transactions', batch, answer(400, { errors })))).toEqual([
      'rejected',
      null,
      'rejected',
    ]);
  });

  test.each([
    ['an index that was not sent', { errors: [{ detail: 'x', code: 'x', attr: 'transactions.3.type' }] }],
    ['an index that is none', { errors: [{ detail: 'x', code: 'x', attr: 'transactions.-1.type' }] }],
    ['a list that was not sent', { errors: [{ detail: 'x', code: 'x', attr: 'notes.1.body' }] }],
    ['the list as a whole', { errors: [{ detail: 'x', code: 'empty', attr: 'transactions' }] }],
  ])('but not when it names %s', (_, body) => {
    expect(outcomesOf(interpret('transactions', batch, answer(400, body)))).toEqual([
      'rejected',
      'rejected',
      'rejected',
    ]);
  });

  test('but not when it names a transaction that was not sent: that is the answer to another request', () => {
    const body = { status: 'x', error_detail: 'x', transaction_data: { transaction_id: 'T-9' } };
    expect(interpret('transactions', batch, answer(400, body))).toEqual({
      kind: 'ambiguous',
      reason: 'the answer names a record that was not sent',
    });
  });

  test('but not when it leaves out which transaction it is about: any may be, and others may have been kept', () => {
    const body = { status: 'TRANSACTION_IMPORT_ERROR', error_detail: 'x', transaction_data: {} };
    expect(outcomesOf(interpret('transactions', batch, answer(400, body)))).toEqual([null, null, null]);
    const only = batchOf('transactions', 1);
    expect(outcomesOf(interpret('transactions', only, answer(400, body)))).toEqual(['rejected']);
  });
});

describe('after an attempt that may have been applied', () => {
  const unsure = { unsure: true, attempt: 2 };
  const presence = {
    errors: [{ detail: 'x', code: 'historical_statement_already_exists', attr: 'statements.0' }],
  };

  test.each(['notes', 'transactions'] as const)('%s that exist are those of that attempt', (resource) => {
    const batch = sent(resource, unsure);
    const status = resource === 'notes' ? 'NOTE_ALREADY_EXISTS' : 'TRANSACTION_ALREADY_EXISTS';
    const body = goodBody(resource, batch, goodItems(resource, batch, status));
    expect(outcomesOf(interpret(resource, batch, answer(201, body)))).toEqual([
      'existing',
      'existing',
      'existing',
    ]);
  });

  test('transactions that exist may be anybody’s when the user had the check off', () => {
    const batch = sent('transactions', unsure);
    const [first, second, third] = goodItems('transactions', batch, 'TRANSACTION_ALREADY_EXISTS') as {
      status: string;
    }[];
    const added = { ...second!, status: 'TRANSACTION_ADDED_TO_ACCOUNT' };
    const given = answer(201, { results: [first, added, third] });
    expect(outcomesOf(interpret('transactions', batch, given, true))).toEqual([
      'verify',
      'created',
      'verify',
    ]);
  });

  test('a statement that is present is there, whoever brought it', () => {
    const batch = batchOf('statements', 1, unsure);
    expect(interpret('statements', batch, answer(400, presence))).toEqual({
      kind: 'ok',
      records: [{ seq: 11, outcome: 'verify' }],
    });
  });

  test.each([
    ['on a clean first attempt', { unsure: false, attempt: 1 }, presence],
    [
      'with another error beside it',
      unsure,
      { errors: [...presence.errors, { detail: 'x', code: 'invalid', attr: 'x' }] },
    ],
    [
      'with another error',
      unsure,
      { errors: [{ detail: 'x', code: 'invalid', attr: 'statements.0.number' }] },
    ],
    ['in words only', unsure, { non_field_errors: ['historical_statement_already_exists'] }],
    ['without any error', unsure, { errors: [] }],
  ])('a statement is refused %s', (_, changes, body) => {
    const batch = batchOf('statements', 1, changes);
    expect(outcomesOf(interpret('statements', batch, answer(400, body)))).toEqual(['rejected']);
  });

  test('a request of several statements tells nothing of each', () => {
    const batch = batchOf('statements', 2, unsure);
    expect(interpret('statements', batch, answer(400, presence)).kind).toBe('rejected');
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
    // Nothing contradicts that it is ours, and calling it refused might be a lie.
    ['without an echo of the reference', { error_detail: 'x' }],
  ])('a payment instruction that may be refused because it is active has to be verified: %s', (_, body) => {
    const batch = batchOf('payment-instructions', 1, unsure);
    expect(interpret('payment-instructions', batch, answer(400, body))).toEqual({
      kind: 'ok',
      records: [{ seq: 11, outcome: 'verify' }],
    });
  });

  test.each([403, 404, 409, 422])(
    'a payment instruction is refused by a status %i of that shape',
    (status) => {
      const batch = batchOf('payment-instructions', 1, unsure);
      expect(outcomesOf(interpret('payment-instructions', batch, answer(status, active)))).toEqual([
        'rejected',
      ]);
    },
  );

  test.each([
    ['on a clean first attempt', { unsure: false, attempt: 1 }, active],
    ['when the answer is about another reference', unsure, { ...active, reference: 'pi_2' }],
    ['for another reason', unsure, { errors: [{ detail: 'x', code: 'invalid_choice', attr: 'vendor' }] }],
    ['because the account is not there', unsure, { detail: 'No.', code: 'account_not_found' }],
    [
      'when its code is another one',
      unsure,
      { ...active, error_detail: 'No such instruction. (payment_instruction_not_found)' },
    ],
    ['in words that name no instruction', unsure, { non_field_errors: ['has an active instruction'] }],
  ])('a payment instruction is refused %s', (_, changes, body) => {
    const batch = batchOf('payment-instructions', 1, changes);
    expect(outcomesOf(interpret('payment-instructions', batch, answer(400, body)))).toEqual(['rejected']);
  });
});

test('a body that is nested beyond all reason takes nothing down', () => {
  const deep = `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`;
  for (const resource of RESOURCES) {
    expect(kindOf(resource, sent(resource), answer(400, deep))).toBe('foreign');
    expect(kindOf(resource, sent(resource), answer(201, deep))).toBe('ambiguous');
  }
});

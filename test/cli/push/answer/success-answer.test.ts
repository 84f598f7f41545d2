import { describe, expect, test } from 'vitest';
import { classify, type AnswerPolicy } from '../../../../src/cli/push/answer/classify.ts';
import { NO_ROWS, unequalTotals } from '../../../../src/cli/push/ports/report.ts';
import type { RunContract } from '../../../../src/cli/push/ports/run.ts';
import type { Note } from '../../../../src/core/contract/note.ts';
import { RESOURCES, type Resource } from '../../../../src/core/contract/resources.ts';
import { migration } from '../../../support/migration.ts';
import { answer, batchOf, batchWith, goodBody, goodItems } from '../../../support/push-batch.ts';
import { drained } from '../../../support/push-drained.ts';
import { FakePlatform } from '../../../support/fake-platform.ts';
import { drafts, transactions, type Draft } from '../../../support/push-records.ts';
import { csvFrom, stagedRun } from '../../../support/push-staged-run.ts';

/** A contract that says that the operator removes blanks. */
const TRIMMING = { options: { contract: { trims: true } as unknown as RunContract } };
const SENT = '2024-03-05T18:48:16Z';
const NOTE: Note = { body: 'rang', created_at: SENT };
const ITEM = { created_at: SENT, body: 'rang', status: 'NOTE_CREATION_SUCCESS' };
const EXISTS = { ...ITEM, status: 'NOTE_ALREADY_EXISTS' };
const OTHER_TIME = '2024-03-05T18:48:17Z';

describe('an item of an answer belongs to a note that was sent', () => {
  test.each([
    ['by blanks alone', ' rang', 'rang', 'differs_by_blanks'],
    ['by blanks and more', ' rang', 'wrote', 'existing_differs'],
  ])('with a body that differs %s it is named so', (_, sent, body, code) => {
    const batch = batchWith('notes', [{ ...NOTE, body: sent }]);
    const given = answer(201, [{ ...ITEM, body }]);
    expect(classify('notes', batch, given)).toMatchObject({
      records: [{ outcome: 'verify', found: [{ code, field: 'body' }] }],
    });
    // Under a contract that says that the operator removes blanks, only other differences count.
    const outcome = code === 'differs_by_blanks' ? 'created' : 'verify';
    expect(classify('notes', batch, given, TRIMMING)).toMatchObject({ records: [{ outcome }] });
  });

  test.each([
    ['body', { ...ITEM, body: 'wrote' }, 'existing_differs'],
    ['created_at', { ...ITEM, created_at: OTHER_TIME }, 'existing_differs'],
    ['created_at', { ...EXISTS, created_at: OTHER_TIME }, 'existing_differs'],
  ])('with another %s it differs from the note', (field, item, code) => {
    expect(classify('notes', batchWith('notes', [NOTE]), answer(201, [item]))).toMatchObject({
      kind: 'ok',
      records: [{ outcome: 'verify', found: [{ code, field }] }],
    });
  });
});

describe('an answer to another request with notes of the same bodies', () => {
  const [ours, theirs] = [SENT, '2025-07-01T00:00:00Z'].map((created_at) =>
    batchWith('notes', [
      { body: 'rang', created_at },
      { body: 'wrote', created_at },
    ]),
  );
  const items = theirs!.records.map(({ payload }) => ({
    ...(JSON.parse(payload) as object),
    status: 'NOTE_CREATION_SUCCESS',
  }));

  test('proves nothing: the notes have to be verified', () => {
    const differing = { outcome: 'verify', found: [{ code: 'existing_differs', field: 'created_at' }] };
    expect(classify('notes', ours!, answer(201, items))).toMatchObject({ records: [differing, differing] });
    expect(classify('notes', theirs!, answer(201, items))).toMatchObject({
      records: [{ outcome: 'created' }, { outcome: 'created' }],
    });
  });
});

const THERE = 'TRANSACTION_ALREADY_EXISTS';
/** One transaction with the amount 1.50. */
const BATCH = batchOf('transactions', 1);
const [STORED] = goodItems('transactions', BATCH, THERE) as [{ transaction_data: Record<string, unknown> }];

/** An answer with this JSON text as the stored amount. */
const withAmount = (text: string): string =>
  JSON.stringify({
    results: [{ ...STORED, transaction_data: { ...STORED.transaction_data, amount: '@' } }],
  }).replace('"@"', text);

/** An answer in which some stored fields differ. */
const withFields = (fields: Readonly<Record<string, unknown>>): string =>
  JSON.stringify({ results: [{ ...STORED, transaction_data: { ...STORED.transaction_data, ...fields } }] });

const resultOf = (body: string, inDoubt = false): unknown =>
  classify('transactions', { ...BATCH, inDoubt }, answer(201, body), {
    options: { checkPreviouslyAdded: false },
  });
const existing = { kind: 'ok', records: [{ seq: 11, outcome: 'existing' }] };
const differing = (field: string, code = 'existing_differs') => ({
  kind: 'ok',
  records: [{ seq: 11, outcome: 'verify', found: [{ code, field }] }],
});

describe('an existing transaction', () => {
  test.each(['"1.50"', '1.50', '1.5', '"1.5"', '1.500'])(
    'with the stored amount %s has the amount of the row',
    (amount) => {
      expect(resultOf(withAmount(amount))).toMatchObject(existing);
    },
  );

  test.each(['"1.51"', '1.51', '-1.50', '"-1.50"', '150', '1.5000000000000000001', '"0"'])(
    'with the stored amount %s differs from the row',
    (amount) => {
      expect(resultOf(withAmount(amount))).toMatchObject(differing('amount'));
      expect(resultOf(withAmount(amount), true)).toMatchObject(differing('amount'));
    },
  );

  test('with another stored type differs from the row', () => {
    expect(resultOf(withFields({ type: 'PAYMENT' }))).toMatchObject(differing('type'));
    expect(resultOf(withFields({ type: 7 }))).toMatchObject(differing('type'));
  });

  test.each(['"1,50"', '"£1.50"', '""', 'true', '1.5e0', '{"value":1.51}'])(
    'with the stored amount %s, which is no amount, is not believed',
    (amount) => {
      expect(resultOf(withAmount(amount))).toMatchObject(differing('amount'));
    },
  );

  test('with two stored amounts is asked for again', () => {
    expect(resultOf(withAmount('1.50,"amount":1.51'))).toMatchObject({ kind: 'ambiguous' });
  });

  test.each([
    ['without amount and type', { amount: undefined, type: undefined }],
    ['with null as amount', { amount: null }],
    ['with another note', { note: 'other', display_note: 'other' }],
  ])('%s proves nothing', (_, fields) => {
    expect(resultOf(withFields(fields))).toMatchObject(existing);
  });

  test('with another stored date equals the row, because the platform moves dates', () => {
    expect(resultOf(withFields({ transaction_date: '2026-03-01' }))).toMatchObject({
      kind: 'ok',
      records: [{ seq: 11, outcome: 'existing', found: [{ code: 'transaction_date_moved' }] }],
    });
  });
});

/** A request of one record, and its answer with one field of the echo changed. */
function echoed(resource: Resource, draft: Draft, change: Readonly<Record<string, unknown>>, inside = true) {
  const batch = batchWith(resource, [draft]);
  const items = goodItems(resource, batch) as Record<string, unknown>[];
  const changed = items.map((item) => {
    const data = item['transaction_data'] as object | undefined;
    return data && inside ? { ...item, transaction_data: { ...data, ...change } } : { ...item, ...change };
  });
  const body = goodBody(resource, batch, changed);
  const whole = resource === 'payment-instructions' ? { ...(body as object), ...change } : body;
  return { batch, body: whole };
}

const CHARGE = { ...transactions.CHARGE, amount: '10.10', reference: 'R-1', transaction_date: '2026-01-05' };
const STATEMENT: Draft = {
  ...drafts.statements,
  gross_amount: 1010,
  number: 'INV-1',
  issued_date: '2025-04-04',
};
const INSTRUCTION = drafts['payment-instructions'];
const PINNED = { body: 'rang', created_at: SENT, is_pinned: true };

describe('a record that the answer calls added, and repeats with', () => {
  test.each<readonly [string, Resource, Draft, string, unknown]>([
    ['another amount', 'transactions', CHARGE, 'amount', '10.19'],
    ['another amount as a number', 'transactions', CHARGE, 'amount', 10.19],
    ['the amount a hundred times as large', 'transactions', CHARGE, 'amount', 1010],
    ['the amount with the other sign', 'transactions', CHARGE, 'amount', '-10.10'],
    ['an amount that is no amount', 'transactions', CHARGE, 'amount', '10,10'],
    ['another type', 'transactions', CHARGE, 'type', 'CREDIT'],
    ['another reference', 'transactions', CHARGE, 'reference', 'R-2'],
    ['another gross amount', 'statements', STATEMENT, 'gross_amount', 1011],
    ['the gross amount in major units', 'statements', STATEMENT, 'gross_amount', '10.10'],
    ['another first day', 'statements', STATEMENT, 'bill_period_from_date', '2024-01-01'],
    ['another last day', 'statements', STATEMENT, 'bill_period_to_date', '2026-03-31'],
    ['another day of issue', 'statements', STATEMENT, 'issued_date', '2025-04-05'],
    ['another number', 'statements', STATEMENT, 'number', 'INV-2'],
    [
      'a gross amount that was not sent',
      'statements',
      { ...STATEMENT, gross_amount: undefined },
      'gross_amount',
      1,
    ],
    ['another vendor', 'payment-instructions', INSTRUCTION, 'vendor', 'OTHER'],
    ['another instruction type', 'payment-instructions', INSTRUCTION, 'type', 'BPAY'],
    ['another pin', 'notes', PINNED, 'is_pinned', false],
    ['its body with other line ends', 'notes', { ...PINNED, body: 'rang\r\nagain' }, 'body', 'rang\nagain'],
    ['its body in another Unicode form', 'notes', { ...PINNED, body: 'Mu\u0308ller' }, 'body', 'M\u00fcller'],
  ])('%s has to be verified', (_, resource, draft, field, value) => {
    const { batch, body } = echoed(resource, draft, { [field]: value });
    expect(classify(resource, batch, answer(201, body))).toMatchObject({
      kind: 'ok',
      records: [{ seq: 11, outcome: 'verify', found: [{ code: 'existing_differs', field }] }],
    });
  });

  test.each<readonly [string, Resource, Draft, Readonly<Record<string, unknown>>]>([
    ['the amount in another form', 'transactions', CHARGE, { amount: 10.1 }],
    ['no field but its id', 'transactions', CHARGE, { amount: undefined, type: null, reference: undefined }],
    ['its own texts about a moved date', 'transactions', CHARGE, { note: 'moved', display_note: 'moved' }],
    ['a reference that was not sent', 'transactions', { ...CHARGE, reference: undefined }, { reference: '' }],
    [
      'no field but its id',
      'statements',
      STATEMENT,
      { gross_amount: null, number: undefined, issued_date: null },
    ],
    [
      'no amount and an amount of zero',
      'statements',
      { ...STATEMENT, gross_amount: undefined },
      { gross_amount: 0 },
    ],
    ['days with a time', 'statements', STATEMENT, { bill_period_from_date: '2025-01-01T00:00:00Z' }],
    ['the root before its path', 'statements', STATEMENT, { statement_path: 's3://root/a.pdf' }],
    ['no field but its reference', 'payment-instructions', INSTRUCTION, {}],
    ['no pin', 'notes', PINNED, { is_pinned: null }],
  ])('%s is created: %s', (_, resource, draft, change) => {
    const { batch, body } = echoed(resource, draft, change);
    expect(classify(resource, batch, answer(201, body))).toMatchObject({
      kind: 'ok',
      records: [{ seq: 11, outcome: 'created' }],
    });
  });

  test('another date is created only when the platform was asked to move dates', () => {
    const { batch, body } = echoed('transactions', CHARGE, { transaction_date: '2026-03-01' });
    const read = (forceAddToCurrentStatement: boolean) =>
      classify('transactions', batch, answer(201, body), { options: { forceAddToCurrentStatement } });
    expect(read(true)).toMatchObject({
      records: [{ outcome: 'created', found: [{ code: 'transaction_date_moved' }] }],
    });
    expect(read(false)).toMatchObject({
      records: [{ outcome: 'verify', found: [{ code: 'existing_differs', field: 'transaction_date' }] }],
    });
  });
});

test('a note that exists with another form of its body has to be verified', () => {
  const { batch, body } = echoed('notes', { ...NOTE, body: 'rang ' }, { ...EXISTS });
  expect(classify('notes', batch, answer(201, body))).toMatchObject({
    records: [{ outcome: 'verify', found: [{ code: 'differs_by_blanks', field: 'body' }] }],
  });
});

describe('an answer that names another account is an answer to another request', () => {
  const ALL: readonly (readonly [Resource, Draft])[] = [
    ['transactions', CHARGE],
    ['statements', STATEMENT],
    ['payment-instructions', INSTRUCTION],
    ['notes', PINNED],
  ];
  const OF_ANOTHER = {
    kind: 'ambiguous',
    reason: 'the answer names another account',
    isOfAnother: true,
  };
  const NAMES = [
    { external_account_number: 'A-200' },
    { import_supplier: 'OTHER' },
    { external_account_number: 100 },
  ];

  test.each(ALL.flatMap(([resource, draft]) => NAMES.map((name) => [resource, draft, name] as const)))(
    'about %s, %#',
    (resource, draft, name) => {
      for (const inside of [true, false]) {
        const { batch, body } = echoed(resource, draft, name, inside);
        expect(classify(resource, batch, answer(201, body))).toEqual(OF_ANOTHER);
      }
      if (resource === 'notes') return;
      const { batch, body } = echoed(resource, draft, {});
      expect(classify(resource, batch, answer(201, { ...(body as object), ...name }))).toEqual(OF_ANOTHER);
    },
  );

  test('but not one that names its own account', () => {
    for (const [resource, draft] of ALL) {
      const own = { external_account_number: 'A-100', import_supplier: 'ACME' };
      const { batch, body } = echoed(resource, draft, own);
      expect(classify(resource, batch, answer(201, body)).kind).toBe('ok');
    }
  });
});

describe('answers about another account', () => {
  const OTHER = { results: [], external_account_number: 'B' };
  const wrong = { kind: 'answer', applied: false, answer: answer(201, OTHER) } as const;

  test('are reported once for a request, however many there are', async () => {
    const { run } = await stagedRun('transactions', csvFrom('transactions', 'A:1 A:2'));
    const platform = new FakePlatform('transactions', { 'A#1': wrong, 'A#2': wrong });
    const { report, end } = await drained(run, platform);
    expect(end.kind).toBe('finished');
    expect(report.rows).toMatchObject({ created: 2 });
    expect(report.problems.map(({ code, detail }) => `${code}: ${detail}`)).toEqual([
      'answer_of_another_request: an answer to this request named another account, or a record that was not sent; it is not believed, and the platform is asked again (and 1 more of the same request)',
    ]);
  });

  test('end the run in their own words when no other answer comes', async () => {
    const { run } = await stagedRun('transactions', csvFrom('transactions', 'A:1'));
    const all = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`A#${index + 1}`, wrong]));
    const { report, end } = await drained(run, new FakePlatform('transactions', {}, all), {
      retryForMs: 5_000,
    });
    expect(end.reason).toMatchObject({
      code: 'answer_unproven',
      facts: { what: expect.stringContaining(': the answer names another account; ') },
    });
    expect(report.rows).toMatchObject({ unknown: 1 });
    expect(report.problemsTotal).toBe(1);
  });
});

describe('a row that the answer repeats with another amount', () => {
  const REPEATED = { kind: 'answer', applied: true } as const;
  const drainedWith = async (showValues: boolean) => {
    const { run } = await stagedRun('transactions', csvFrom('transactions', 'A:1 A:2'));
    const results = ['1', '2'].map((transaction_id) => ({
      status: 'TRANSACTION_ADDED_TO_ACCOUNT',
      transaction_data: { transaction_id, amount: transaction_id === '2' ? '10.19' : '10.1', type: 'CHARGE' },
    }));
    const fault = { ...REPEATED, answer: answer(201, { results }) };
    return drained(run, new FakePlatform('transactions', { 'A#1': fault }), { showValues });
  };

  test('is reported at its cell and not counted as accepted', async () => {
    const { report, end } = await drainedWith(false);
    expect(end.kind).toBe('finished');
    expect(report.rows).toMatchObject({ created: 1, verify: 1 });
    expect(report.problems).toMatchObject([
      { code: 'existing_differs', severity: 'error', line: 3, header: 'amount', http_status: 201 },
    ]);
    expect(JSON.stringify(report.problems)).not.toContain('10.1');
    expect(report.controlTotals).toMatchObject([{ read: '20.20', accepted: '10.10' }]);
  });

  test('is reported with both amounts when values may be shown', async () => {
    const { report } = await drainedWith(true);
    expect(report.problems[0]!.detail).toContain(' (sent 10.10, answered 10.19)');
  });
});

describe('the accepted total', () => {
  test('sums the amounts of the answers, and of the rows where an answer names none', async () => {
    const { run } = await stagedRun('statements', csvFrom('statements', 'A:S-1 B:S-2 C:S-3'));
    const operations = run.draining(() => '2026-11-21T10:15:02Z');
    const settled = async (account: number, result: object): Promise<void> => {
      const batch = (await operations.claimNext(account))!;
      const records = [{ seq: batch.records[0]!.seq, outcome: 'created', ...result } as const];
      await operations.settle(batch, { status: 201, records, state: 'done', problems: [], inDoubt: false });
    };
    await settled(1, { amount: '1011' });
    await settled(2, {});
    await settled(3, { outcome: 'verify', amount: '1010' });
    expect(run.report().controlTotals).toMatchObject([{ read: '3030', accepted: '2021' }]);
  });

  test('that is not the total that was read ends the command, when every row is on the platform', () => {
    const total = { type: 'CHARGE', currency: null, count: 2, read: '20.20', accepted: '20.29' };
    const rows = { ...NO_ROWS, created: 1, existing: 1 };
    expect(unequalTotals({ rows, controlTotals: [total] })).toEqual([total]);
    expect(unequalTotals({ rows, controlTotals: [{ ...total, accepted: '20.2' }] })).toEqual([]);
    expect(unequalTotals({ rows: { ...rows, existing: 0 }, controlTotals: [total] })).toEqual([]);
  });
});

test('a corrected amount under an old id is invalid, and the local platform says the same when it is asked again', async () => {
  const site = await migration(`
version: 1
api_keys: [{key: local-key, suppliers: [ACME]}]
suppliers: [{code: ACME, name: Acme Energy, status: Ongoing}]
accounts: [{import_supplier: ACME, external_account_number: "A", state: imported}]
`);
  const rows = csvFrom('transactions', 'A:1 A:2');
  expect((await site.cli('push', 'transactions', site.csv('t.csv', rows.trim()))).exitCode).toBe(0);
  const corrected = rows.replace('10.10', '10.1').replace(/(A,2,.*)10\.10/, '$110.11');
  const file = site.csv('t.csv', corrected.trim());
  const sent = await site.cli('push', 'transactions', file);
  expect([sent.exitCode, sent.stdout]).toEqual([3, expect.stringContaining('1 arrived, 1 changed')]);
  expect(sent.stderr).toMatch(/t\.csv:3:\d+ error record_changed .*t\.csv:3/);
  const again = await site.cli('push', 'transactions', file, '--again');
  expect([again.exitCode, again.stdout]).toEqual([
    6,
    expect.stringContaining('1 arrived (1 there already), 1 unproven'),
  ]);
  expect(again.stderr).toMatch(
    /t\.csv:3:\d+ error existing_differs amount differs from what the platform already had/,
  );
});

describe('a 201 that reports success in its items', () => {
  const FAILED = [
    { status: 'TRANSACTION_IMPORT_ERROR' },
    { status: 'TRANSACTION_IMPORT_ERROR', error_detail: 'No.' },
    { error_detail: 'No.' },
    { errors: [{ detail: 'No.', code: 'invalid', attr: 'transactions.0.amount' }] },
    { errors: { detail: 'No.' } },
    { non_field_errors: ['No.'] },
    { detail: 'No.', code: 'error' },
    { code: 'account_not_found' },
    { success: false },
    { ok: false },
    { error: 'rolled back' },
    { failed: ['t-1'] },
    { status: 'FAILED' },
    { status: 'Rejected' },
    { status: 300 },
    { failures: 1 },
    { detail: 'No.', code: 'own' },
  ];
  const HONEST = [
    {},
    { errors: [] },
    { errors: null, error_detail: null },
    { error_detail: '' },
    { detail: 'Imported.' },
    { detail: 'Imported.', code: null },
    { detail: 'Imported.', code: '' },
    { status: 'OK' },
    { status: 'errors: 0' },
    { status: 299 },
    { status: true },
    { success: true, failed: [] },
    { failed: false, failures: {} },
    { code: 'imported' },
    { code: 'file_empty' },
  ];

  describe.each(['transactions', 'statements', 'payment-instructions'] as const)('of %s', (resource) => {
    const batch = batchOf(resource, resource === 'payment-instructions' ? 1 : 3);
    const body = goodBody(resource, batch) as object;

    test.each(FAILED)('and an error at its top is not believed: %j', (failure) => {
      expect(classify(resource, batch, answer(201, { ...body, ...failure }))).toEqual({
        kind: 'ambiguous',
        reason: 'the answer reports success and an error',
      });
    });

    test.each(HONEST)('and no error at its top is: %j', (more) => {
      expect(classify(resource, batch, answer(201, { ...body, ...more })).kind).toBe('ok');
    });
  });

  test.each([
    { error_detail: 'No.' },
    { errors: [{ detail: 'No.' }] },
    { detail: 'No.', code: 'error' },
    { success: false },
    { transaction_data: { status: 'TRANSACTION_IMPORT_ERROR' } },
    { transaction_data: { error_detail: 'No.' } },
  ])('and an error in an item that calls its record stored is not believed: %j', (failure) => {
    const batch = batchOf('transactions', 2);
    const [first, second] = goodItems('transactions', batch) as readonly Record<string, object>[];
    const { transaction_data: more, ...beside } = failure as Record<string, object>;
    const item = { ...first, ...beside, transaction_data: { ...first!['transaction_data'], ...more } };
    expect(classify('transactions', batch, answer(201, { results: [item, second] }))).toEqual({
      kind: 'ambiguous',
      reason: 'the answer reports success and an error',
    });
    // A record may have a field with such a name.
    const named = { ...first!['transaction_data'], error: 'No.', status: 'failed' };
    const honest = { ...first, transaction_data: named, error_detail: null, errors: [], success: true };
    expect(classify('transactions', batch, answer(201, { results: [honest, second] })).kind).toBe('ok');
  });

  test('and an error in one of them refuses that record alone', () => {
    const batch = batchOf('transactions', 3);
    const items = goodItems('transactions', batch) as readonly object[];
    const failed = { ...items[1], status: 'TRANSACTION_IMPORT_ERROR', error_detail: 'No.' };
    const given = classify('transactions', batch, answer(201, { results: [items[0], failed, items[2]] }));
    expect(given).toMatchObject({
      kind: 'rejected',
      records: [{ outcome: 'created' }, { outcome: 'rejected' }, { outcome: 'created' }],
    });
    const beside = { results: [items[0], failed, items[2]], error_detail: 'No.' };
    expect(classify('transactions', batch, answer(201, beside)).kind).toBe('ambiguous');
    const all = items.map((item) => ({ ...item, status: 'TRANSACTION_IMPORT_ERROR' }));
    expect(classify('transactions', batch, answer(201, { results: all, error_detail: 'No.' })).kind).toBe(
      'rejected',
    );
  });
});

describe('an answer of success that has stored nothing', () => {
  const proof = (resource: Resource, more: object, asked: Partial<AnswerPolicy> = {}): unknown => {
    const batch = batchOf(resource, 1);
    const body = goodBody(resource, batch);
    const changed = Array.isArray(body)
      ? [{ ...(body[0] as object), ...more }]
      : { ...(body as object), ...more };
    return classify(resource, batch, answer(201, changed), asked).kind;
  };

  test.each(RESOURCES)('because it was a dry run proves no record of %s', (resource) => {
    expect(proof(resource, { dry_run: true })).toBe('ambiguous');
    expect(proof(resource, { meta: { dry_run: 'True' } })).toBe('ambiguous');
  });

  test.each(RESOURCES)('is not mistaken for an addition of the interface to %s', (resource) => {
    for (const more of [
      { dry_run: false },
      { dry_run: null },
      { dry_run_allowed: true },
      { hint: '"dry_run": true' },
    ])
      expect(proof(resource, more)).toBe('ok');
  });

  test.each([null, '', '  ', 17, ['A-1'], false])(
    'because its account number is %j proves no instruction',
    (number) => {
      expect(proof('payment-instructions', { platform_account_number: number })).toBe('ambiguous');
      // Under another name than the operator's, too.
      const other = { platform_account_number: undefined, account_number: number };
      expect(proof('payment-instructions', other)).toBe('ambiguous');
    },
  );

  test.each([
    [
      'under the name of another deployment',
      { platform_account_number: undefined, other_account_number: 'A-1' },
    ],
    ['beside an older name without one', { account_number: null }],
    ['nowhere, because only the reference is certain', { platform_account_number: undefined }],
  ])('is not seen in an instruction with the account number %s', (_, more) => {
    expect(proof('payment-instructions', more)).toBe('ok');
  });

  test('is not seen in a null beside a transaction, which names no account', () => {
    expect(proof('transactions', { platform_account_number: null })).toBe('ok');
  });
});

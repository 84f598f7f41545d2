import { describe, expect, test } from 'vitest';
import { classify } from '../../../src/cli/push/classify.ts';
import type { Note } from '../../../src/core/contract/note.ts';
import { isAnswerTo } from '../../../src/core/contract/resources/notes.ts';
import { migration } from '../../support/migration.ts';
import { answer, batchOf, batchWith, goodItems } from '../../support/push-batch.ts';
import { drained } from '../../support/push-drained.ts';
import { FakePlatform } from '../../support/fake-platform.ts';
import { csvFrom, stagedRun } from '../../support/push-staged-run.ts';

const SENT = '2024-03-05T18:48:16Z';
const NOTE: Note = { body: 'rang', created_at: SENT };
const ITEM = { created_at: SENT, body: 'rang', status: 'NOTE_CREATION_SUCCESS' };
const EXISTS = { ...ITEM, status: 'NOTE_ALREADY_EXISTS' };

describe('an item of an answer belongs to a note that was sent', () => {
  test.each([
    ['with the same time', NOTE, ITEM],
    ['in another zone', NOTE, { ...ITEM, created_at: '2024-03-05T19:48:16+01:00' }],
    ['with a fraction', NOTE, { ...ITEM, created_at: '2024-03-05T18:48:16.000000Z' }],
    ['without the fraction that was sent', { ...NOTE, created_at: '2024-03-05T18:48:16.25Z' }, ITEM],
    [
      'with a time without a zone, which proves nothing',
      NOTE,
      { ...ITEM, created_at: '2024-03-05T20:48:16' },
    ],
    [
      'with any time, when the note has none',
      { body: 'rang' },
      { ...ITEM, created_at: '2026-11-21T10:15:02Z' },
    ],
    ['with the same pin', { ...NOTE, is_pinned: true }, { ...ITEM, is_pinned: true }],
    ['without a pin, when the note has none', NOTE, { ...ITEM, is_pinned: false }],
    ['with null as pin', { ...NOTE, is_pinned: true }, { ...ITEM, is_pinned: null }],
    ['that exists with another pin', { ...NOTE, is_pinned: true }, { ...EXISTS, is_pinned: false }],
  ])('%s', (_, note, item) => {
    expect(isAnswerTo(note, item)).toBe(true);
  });

  test.each([
    ['the body', { ...ITEM, body: 'wrote' }],
    ['the time', { ...ITEM, created_at: '2024-03-05T18:48:17Z' }],
    ['the time of a note that exists', { ...EXISTS, created_at: '2024-03-05T18:48:17Z' }],
    ['the pin', { ...ITEM, is_pinned: true }],
  ])('not when it differs in %s', (_, item) => {
    expect(isAnswerTo(NOTE, item)).toBe(false);
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

  test('is not believed', () => {
    expect(classify('notes', ours!, answer(201, items)).kind).toBe('ambiguous');
    expect(classify('notes', theirs!, answer(201, items)).kind).toBe('ok');
  });

  test('would be believed if only the bodies were compared', () => {
    const bodies = (all: readonly object[]): unknown => all.map((item) => (item as Note).body);
    expect(bodies(items)).toEqual(bodies(ours!.records.map(({ payload }) => JSON.parse(payload) as object)));
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

const resultOf = (body: string, addedByUs = false): unknown =>
  classify('transactions', BATCH, answer(201, body), addedByUs);
const existing = { kind: 'ok', records: [{ seq: 11, outcome: 'existing' }] };
const differing = (field: string) => ({
  kind: 'ok',
  records: [{ seq: 11, outcome: 'verify', differsIn: field }],
});

describe('an existing transaction', () => {
  test.each(['"1.50"', '1.50', '1.5', '"1.5"', '1.500'])(
    'with the stored amount %s has the amount of the row',
    (amount) => {
      expect(resultOf(withAmount(amount))).toEqual(existing);
    },
  );

  test.each(['"1.51"', '1.51', '-1.50', '"-1.50"', '150', '1.5000000000000000001', '"0"'])(
    'with the stored amount %s differs from the row',
    (amount) => {
      expect(resultOf(withAmount(amount))).toEqual(differing('amount'));
      expect(resultOf(withAmount(amount), true)).toEqual(differing('amount'));
    },
  );

  test('with another stored type differs from the row', () => {
    expect(resultOf(withFields({ type: 'PAYMENT' }))).toEqual(differing('type'));
  });

  test.each(['null', '"1,50"', '"£1.50"', '""', 'true', '1.5e0', '{"value":1.51}', '1.50,"amount":1.51'])(
    'with the unreadable stored amount %s proves nothing',
    (amount) => {
      expect(resultOf(withAmount(amount))).toEqual(existing);
    },
  );

  test.each([
    ['without amount and type', { amount: undefined, type: undefined }],
    ['with a type that is no text', { type: 7 }],
    ['with another note', { note: 'other', display_note: 'other' }],
  ])('%s proves nothing', (_, fields) => {
    expect(resultOf(withFields(fields))).toEqual(existing);
  });

  test('with another stored date equals the row, because the platform moves dates', () => {
    expect(resultOf(withFields({ transaction_date: '2026-03-01' }))).toEqual({
      kind: 'ok',
      records: [{ seq: 11, outcome: 'existing', dateMoved: true }],
    });
  });

  test('that the platform has added now is created, whatever amount the answer repeats', () => {
    const body = withAmount('"1.51"').replace(THERE, 'TRANSACTION_ADDED_TO_ACCOUNT');
    expect(resultOf(body)).toEqual({ kind: 'ok', records: [{ seq: 11, outcome: 'created' }] });
  });
});

test('a row that differs from the stored transaction is reported at its cell and not counted as accepted', async () => {
  const csv = csvFrom('transactions', 'A:1 A:2 B:3');
  const platform = new FakePlatform('transactions');
  await drained((await stagedRun('transactions', csv)).run, platform);
  const changed = csv.replace(/(A,2,[^\n]*)10\.10/, '$110.19').replace(/(B,3,[^\n]*)CHARGE/, '$1CREDIT');
  const { report } = await drained((await stagedRun('transactions', changed)).run, answeringStored(platform));
  expect(report.rows).toMatchObject({ existing: 1, verify: 2 });
  expect(report.problems).toMatchObject([
    { code: 'existing_differs', severity: 'error', line: 3, header: 'amount' },
    { code: 'existing_differs', severity: 'error', line: 4, header: 'type' },
  ]);
  expect(report.controlTotals.map(({ type, accepted }) => [type, accepted])).toEqual([
    ['CHARGE', '10.10'],
    ['CREDIT', '0.00'],
  ]);
});

test('a corrected amount under an old id, pushed to the local platform, ends as partial', async () => {
  const site = await migration(`
version: 1
api_keys: [{key: local-key, suppliers: [ACME]}]
suppliers: [{code: ACME, name: Acme Energy, status: Ongoing}]
accounts: [{import_supplier: ACME, external_account_number: "A", state: imported}]
`);
  const rows = csvFrom('transactions', 'A:1 A:2');
  expect((await site.cli('push', 'transactions', site.csv('t.csv', rows.trim()))).exitCode).toBe(0);
  const corrected = rows.replace('10.10', '10.1').replace(/(A,2,.*)10\.10/, '$110.11');
  const { exitCode, stderr, stdout } = await site.cli(
    'push',
    'transactions',
    site.csv('t.csv', corrected.trim()),
  );
  expect([exitCode, stdout]).toEqual([6, expect.stringContaining('1 already there, 1 to verify')]);
  expect(stderr).toMatch(
    /t\.csv:3:\d+ error existing_differs amount differs from what the platform already had/,
  );
});

/** Makes the platform answer with the stored transactions, as the interface describes, and not with the sent ones. */
function answeringStored(platform: FakePlatform): FakePlatform {
  const stored = new Map(
    platform.received.flatMap(({ body }) =>
      (JSON.parse(body) as { transactions: { transaction_id: string }[] }).transactions.map((record) => [
        record.transaction_id,
        record,
      ]),
    ),
  );
  const send = platform.send.bind(platform);
  platform.send = async (request) => {
    const given = await send(request);
    if (given.kind !== 'answer') return given;
    const { results } = JSON.parse(given.body) as {
      results: { status: string; transaction_data: { transaction_id: string } }[];
    };
    const corrected = results.map(({ status, transaction_data: data }) => ({
      status,
      transaction_data: stored.get(data.transaction_id)!,
    }));
    return { ...given, body: JSON.stringify({ results: corrected }) };
  };
  return platform;
}

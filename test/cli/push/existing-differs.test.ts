import { describe, expect, test } from 'vitest';
import { interpret } from '../../../src/cli/push/interpret.ts';
import { answer, batchOf, goodItems } from '../../support/push-batch.ts';
import { drained } from '../../support/push-drained.ts';
import { FakePlatform } from '../../support/push-fake-platform.ts';
import { migration } from '../../support/migration.ts';
import { csvFrom, stagedRun } from '../../support/push-staged-run.ts';

const THERE = 'TRANSACTION_ALREADY_EXISTS';
/** One transaction of 1.50. */
const BATCH = batchOf('transactions', 1);
const [ITEM] = goodItems('transactions', BATCH, THERE) as [{ transaction_data: Record<string, unknown> }];

/** An answer with this JSON text in the place of the stored amount, or with other fields of what is stored. */
const withAmount = (text: string): string =>
  JSON.stringify({
    results: [{ ...ITEM, transaction_data: { ...ITEM.transaction_data, amount: '@' } }],
  }).replace('"@"', text);
const withFields = (fields: Readonly<Record<string, unknown>>): string =>
  JSON.stringify({ results: [{ ...ITEM, transaction_data: { ...ITEM.transaction_data, ...fields } }] });

const readingOf = (body: string, checkedByUs = false): unknown =>
  interpret('transactions', BATCH, answer(201, body), checkedByUs);
const existing = { kind: 'ok', records: [{ seq: 11, outcome: 'existing' }] };
const differing = (field: string) => ({
  kind: 'ok',
  records: [{ seq: 11, outcome: 'verify', differsIn: field }],
});

describe('a transaction that was there before, of which the platform holds', () => {
  test.each(['"1.50"', '1.50', '1.5', '"1.5"', '1.500'])('the amount %s, is the one of the row', (amount) => {
    expect(readingOf(withAmount(amount))).toEqual(existing);
  });

  test.each(['"1.51"', '1.51', '-1.50', '"-1.50"', '150', '1.5000000000000000001', '"0"'])(
    'the amount %s, is another one',
    (amount) => {
      expect(readingOf(withAmount(amount))).toEqual(differing('amount'));
      expect(readingOf(withAmount(amount), true)).toEqual(differing('amount'));
    },
  );

  test('another type, is another one', () => {
    expect(readingOf(withFields({ type: 'PAYMENT' }))).toEqual(differing('type'));
  });

  test.each(['null', '"1,50"', '"£1.50"', '""', 'true', '1.5e0', '{"value":1.51}', '1.50,"amount":1.51'])(
    'an amount that nobody can read, as %s, tells nothing',
    (amount) => {
      expect(readingOf(withAmount(amount))).toEqual(existing);
    },
  );

  test.each([
    ['no amount and no type', { amount: undefined, type: undefined }],
    ['a type that is no text', { type: 7 }],
    ['another note', { note: 'other', display_note: 'other' }],
  ])('%s, tells nothing', (_, fields) => {
    expect(readingOf(withFields(fields))).toEqual(existing);
  });

  test('another date, is the one of the row: the platform moves dates', () => {
    expect(readingOf(withFields({ transaction_date: '2026-03-01' }))).toEqual({
      kind: 'ok',
      records: [{ seq: 11, outcome: 'existing', dateMoved: true }],
    });
  });

  test('another amount, but was added now, is created: the platform has answered what it was sent', () => {
    const body = withAmount('"1.51"').replace(THERE, 'TRANSACTION_ADDED_TO_ACCOUNT');
    expect(readingOf(body)).toEqual({ kind: 'ok', records: [{ seq: 11, outcome: 'created' }] });
  });
});

test('a row that is not what is there is told at its cell and does not count as accepted', async () => {
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
  expect(stderr).toMatch(/t\.csv:3:\d+ error existing_differs amount is not what the platform has/);
});

/** The platform with the answer that the interface describes: what is stored, and not what was sent. */
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
    const told = results.map(({ status, transaction_data: data }) => ({
      status,
      transaction_data: stored.get(data.transaction_id)!,
    }));
    return { ...given, body: JSON.stringify({ results: told }) };
  };
  return platform;
}

import { describe, expect, test } from 'vitest';
import type { Note } from '../../../src/core/contract/note.ts';
import { failure } from '../../../src/core/problem.ts';
import { parseExactJson } from '../../../src/core/values/exact-json.ts';
import { recordCheck } from '../../../src/server/platform/checked-record.ts';
import { addNote } from '../../../src/server/platform/notes.ts';
import { createPaymentInstruction } from '../../../src/server/platform/payment-instructions.ts';
import { missingTransactionIds, repeatedIds } from '../../../src/server/platform/repeated-ids.ts';
import { addStatements } from '../../../src/server/platform/statements.ts';
import { addTransaction } from '../../../src/server/platform/transactions.ts';
import { charge, statement } from '../../support/server-platform.ts';
import { storedPlatform, type StoredPlatform } from '../../support/stored-platform.ts';

describe('a note', () => {
  const added = ({ account, platform }: StoredPlatform, note: object) =>
    addNote(account, note as Note, platform);

  test('without a time is created now, and once', () => {
    const stored = storedPlatform();
    const created_at = '2026-03-15T12:00:00Z';
    expect(added(stored, { body: 'x' })).toEqual({ created_at, body: 'x', status: 'NOTE_CREATION_SUCCESS' });
    stored.clock.nowMs += 60_000;
    expect(added(stored, { body: 'x' })).toEqual({ created_at, body: 'x', status: 'NOTE_ALREADY_EXISTS' });
    expect(stored.records()).toEqual([['note', { body: 'x', created_at }]]);
  });

  test('with a time is another note for each time, however the time is written', () => {
    const stored = storedPlatform();
    added(stored, { body: 'x' });
    const first = { body: 'x', created_at: '2026-02-01T10:00:00+02:00' };
    const created_at = '2026-02-01T08:00:00Z';
    expect(added(stored, first)).toEqual({ created_at, body: 'x', status: 'NOTE_CREATION_SUCCESS' });
    expect(added(stored, { body: 'x', created_at })).toMatchObject({ status: 'NOTE_ALREADY_EXISTS' });
    expect(added(stored, { body: 'x', created_at: '2026-02-01T08:00:01Z' }).status).toBe(
      'NOTE_CREATION_SUCCESS',
    );
    expect(stored.records().map(([, data]) => data)).toMatchObject([{ body: 'x' }, first, { body: 'x' }]);
  });

  test('of documents alone has an empty body in its answer', () => {
    const note = { document_paths: [{ document_path: 'a.pdf' }] };
    expect(added(storedPlatform(), note)).toMatchObject({ body: '', status: 'NOTE_CREATION_SUCCESS' });
  });
});

test('a statement is added once, and its amount counts', () => {
  const { account, platform, records, write } = storedPlatform();
  const statements = (...items: object[]) =>
    write(() => addStatements(account, parseExactJson(JSON.stringify(items)) as never, platform));
  expect(statements(statement({ gross_amount: 10.25 }), statement({ statement_id: 'st-2' }))).toEqual([]);
  expect(statements(statement({ statement_id: 'st-3' }), statement({ gross_amount: 99 }))).toEqual([
    failure('historical_statement_already_exists', ['statements', 1, 'statement_id']),
  ]);
  expect(records().map(([kind, data]) => [kind, (data as { statement_id: string }).statement_id])).toEqual([
    ['statement', 'st-1'],
    ['statement', 'st-2'],
    ['statement', 'st-3'],
  ]);
  expect(platform.store.ledger.totalsOfAccounts([account.id])).toMatchObject([{ count: 3, amount: '10.25' }]);
});

describe('a payment instruction', () => {
  const CARD = { vendor: 'STRIPE', type: 'CARD', fails: undefined, times: 0 } as const;
  const asked = () => {
    const { account, platform, records } = storedPlatform();
    const { vendors } = platform.store;
    vendors.put('STRIPE');
    vendors.putInstruction({ ...CARD, reference: 'good' });
    vendors.putInstruction({ ...CARD, reference: 'down', fails: 'persistent' });
    vendors.putInstruction({ ...CARD, reference: 'shaky', fails: 'intermittent', times: 2 });
    const create = (reference: string, type = 'CARD') =>
      createPaymentInstruction(account, { vendor: 'STRIPE', reference, type } as never, platform);
    return { create, records };
  };

  test('is created when the vendor has it, and an account has one', () => {
    const { create, records } = asked();
    expect(create('good')).toBe('created');
    expect(create('good')).toBe('payment_instruction_already_active');
    expect(create('down')).toBe('payment_instruction_already_active');
    expect(records()).toEqual([
      ['payment_instruction', { vendor: 'STRIPE', reference: 'good', type: 'CARD' }],
    ]);
  });

  test('is not created when the vendor does not have it, has it with another type, or fails', () => {
    const { create, records } = asked();
    expect(create('nobody')).toBe('payment_instruction_not_found');
    expect(create('good', 'BPAY')).toBe('payment_instruction_not_found');
    expect(create('down')).toBe('payment_vendor_unreachable');
    expect([create('shaky'), create('shaky')]).toEqual(['payment_vendor_failed', 'payment_vendor_failed']);
    expect(records()).toEqual([]);
    expect(create('shaky')).toBe('created');
  });
});

describe('a transaction', () => {
  const CHECKED = { check_previously_added: true, force_add_to_current_statement: false };
  const adding = (codes: readonly string[] = []) => {
    const stored = storedPlatform();
    stored.platform.store.productCodes.replace(codes);
    const add = (fields: Record<string, unknown> = {}, flags: object = {}) =>
      stored.write(() =>
        addTransaction(
          parseExactJson(JSON.stringify(charge(fields))),
          { account: stored.account, check: recordCheck(stored.platform), flags: { ...CHECKED, ...flags } },
          stored.platform,
        ),
      );
    const repeated = () => stored.platform.store.records.counts().conflictingReplays;
    return { ...stored, add, repeated };
  };
  const STORED = { ...charge(), amount: '12.50' };

  test('is stored with two places of its amount, and counts with it', () => {
    const { account, add, records, platform } = adding();
    expect(add()).toEqual({ kind: 'added', data: JSON.stringify(STORED) });
    expect(records()).toEqual([['transaction', STORED]]);
    expect(platform.store.ledger.totalsOfAccounts([account.id])).toMatchObject([
      { type: 'CHARGE', count: 1, amount: '12.5' },
    ]);
  });

  test('that comes again exists, and the fields with other content are named and counted', () => {
    const { add, records, repeated } = adding();
    add();
    const data = JSON.stringify(STORED);
    expect(add({ amount: 12.5 })).toEqual({ kind: 'existing', data, id: 'tx-1', differing: [] });
    expect(repeated()).toBe(0);
    expect(add({ amount: 13, note: 'new' })).toEqual({
      kind: 'existing',
      data,
      id: 'tx-1',
      differing: ['amount', 'note'],
    });
    expect([repeated(), records().length]).toEqual([1, 1]);
  });

  test('is added again without the check, each time, and found by its first afterwards', () => {
    const { add, records } = adding();
    const unchecked = { check_previously_added: false };
    expect([add(), add({}, unchecked), add({}, unchecked)].map(({ kind }) => kind)).toEqual([
      'added',
      'added',
      'added',
    ]);
    expect(records()).toHaveLength(3);
    expect(add()).toMatchObject({ kind: 'existing', differing: [] });
  });

  test('outside the open statement is refused, or moved into it with a note', () => {
    const { add, records } = adding();
    const outside = { transaction_date: '2025-12-30' };
    const forced = { force_add_to_current_statement: true };
    expect(add(outside)).toEqual({
      kind: 'refused',
      problems: [
        failure('transaction_outside_open_statement', ['transaction_date'], {
          from: '2026-01-01',
          to: '2026-12-31',
        }),
      ],
    });
    expect(add(outside, forced)).toMatchObject({ kind: 'added' });
    const [[, moved], [kind, note]] = records() as [[string, object], [string, object]];
    expect(moved).toMatchObject({
      transaction_date: '2026-01-01',
      amount: '12.50',
      note: 'Date changed from 2025-12-30 to 2026-01-01: outside the open statement period.',
    });
    expect([kind, note]).toMatchObject([
      'note',
      {
        body: 'Transaction tx-1 was dated 2025-12-30, outside the open statement period 2026-01-01 to 2026-12-31; it was added with the date 2026-01-01.',
        is_pinned: true,
      },
    ]);
    // A repetition is compared with what was sent, and the period does not matter for it.
    expect([add(outside, forced), add(outside)]).toMatchObject([
      { kind: 'existing', differing: [] },
      { kind: 'existing', differing: [] },
    ]);
    expect(add({}, forced)).toMatchObject({ kind: 'existing', differing: ['transaction_date'] });
  });

  test('is of a product that the platform has, where it has a list', () => {
    const refusal = {
      kind: 'refused',
      problems: [failure('product_code_does_not_exist', ['product_code'])],
    };
    const { add } = adding(['FLEX-12']);
    const product = (product_code: string) => add({ transaction_id: product_code, product_code });
    expect([product('FLEX-12').kind, product('GAS'), add().kind]).toEqual(['added', refusal, 'added']);
    expect(adding().add({ product_code: 'GAS' }).kind).toBe('added');
  });

  test('that is none is refused with its problems', () => {
    expect(adding().add({ amount: 'x' })).toMatchObject({
      kind: 'refused',
      problems: [{ code: 'invalid', path: ['amount'] }],
    });
  });
});

test('an id that comes again in a request is a problem at its record, and only a text is an id', () => {
  const ids = (...each: unknown[]) => each.map((statement_id) => ({ statement_id }));
  expect(repeatedIds('statements', [...ids('a', 'b', 'a', 5, 5, null, null, 'a'), null, null])).toEqual([
    failure('duplicate_statement_ids', ['statements', 2, 'statement_id']),
    failure('duplicate_statement_ids', ['statements', 7, 'statement_id']),
  ]);
});

test('a transaction without an id is a problem of the request', () => {
  expect(missingTransactionIds([charge(), {}, null, 'x', { transaction_id: null }])).toEqual([
    failure('missing_transaction_id', ['transactions', 1, 'transaction_id']),
  ]);
});

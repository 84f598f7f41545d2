import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { failure } from '../../../src/core/problem.ts';
import { parseExactJson } from '../../../src/core/values/exact-json.ts';
import { planImport, setImportState, takeDueSteps } from '../../../src/server/platform/account-lifecycle.ts';
import { checkAsPlatform, recordCheck } from '../../../src/server/platform/checked-record.ts';
import { documentLocations, documentWarnings } from '../../../src/server/platform/document-locations.ts';
import { missingDocuments } from '../../../src/server/platform/documents.ts';
import {
  importProcess,
  platformAccountNumber,
  transferStatus,
} from '../../../src/server/platform/import-processes.ts';
import { platformOf } from '../../../src/server/platform/platform.ts';
import type { StoredAccount } from '../../../src/server/store/accounts.ts';
import type { EnumValue } from '../../../src/server/store/enum-values.ts';
import { ACCOUNT, charge, supplyCharge } from '../../support/server-platform.ts';
import { storedPlatform } from '../../support/stored-platform.ts';

/** Checks records of a platform with this behaviour: `[code, path, severity]` of their problems, and whether they are taken. */
function checking(behaviour: Parameters<typeof storedPlatform>[0] = {}, enums: readonly EnumValue[] = []) {
  const { platform } = storedPlatform(behaviour);
  platform.store.enumValues.replace(enums);
  const check = recordCheck(platform);
  const judged = (resource: 'notes' | 'transactions' | 'payment-instructions', candidate: unknown) => {
    const { record, problems } = checkAsPlatform(resource, parseExactJson(JSON.stringify(candidate)), check);
    const found = problems.map(({ code, path, severity }) => `${severity} ${code} ${path.join('.')}`);
    return [record === undefined ? 'refused' : 'taken', ...found];
  };
  return { judged, check, ignored: () => platform.store.ignoredFields.all() };
}

describe('a record', () => {
  test('in another form than the interface shows is taken and counted, and with --strict refused', () => {
    const forms = { ...charge({ amount: '12.5' }) };
    const note = { body: 'x', created_at: '2026-02-01T10:00:00+02:00' };
    const { judged, check } = checking();
    expect([judged('transactions', charge()), check.tolerated]).toEqual([['taken'], {}]);
    expect([judged('transactions', forms), judged('transactions', forms)]).toEqual([['taken'], ['taken']]);
    expect(judged('notes', note)).toEqual(['taken']);
    expect(check.tolerated).toEqual({ amount_as_text: 2, other_offset: 1 });
    const strict = checking({ strict: true });
    expect(strict.judged('transactions', forms)).toEqual(['refused', 'error invalid amount']);
    expect(strict.judged('notes', note)).toEqual(['refused', 'error invalid created_at']);
    expect(strict.check.tolerated).toEqual({});
  });

  test('without a field that the operator requires is refused, once its own problems are gone', () => {
    const { judged } = checking({ requires: ['notes.created_at', 'transactions.reference'] });
    expect(judged('notes', { body: 'x' })).toEqual(['refused', 'error required created_at']);
    expect(judged('notes', { body: 'x', created_at: '2026-02-01T10:00:00Z' })).toEqual(['taken']);
    expect(judged('notes', { body: 5 })).toEqual(['refused', 'error invalid body']);
    expect(judged('payment-instructions', { vendor: 'A', reference: 'r', type: 'CARD' })[0]).toBe('taken');
  });

  test('with an unlisted field is refused, and with --lenient taken without it and counted', () => {
    const item = supplyCharge();
    const [line] = item['line_items'] as [object];
    const unlisted = { ...item, colour: 'red', line_items: [{ ...line, mood: 1 }] };
    expect(checking().judged('transactions', unlisted)).toEqual([
      'refused',
      'error unexpected_field line_items.0.mood',
      'error unexpected_field colour',
    ]);
    const { judged, ignored } = checking({ lenient: true });
    expect([judged('transactions', unlisted), judged('transactions', item)]).toEqual([['taken'], ['taken']]);
    expect(judged('payment-instructions', { vendor: 'A', reference: 'r', type: 'CARD', x: 1 })[0]).toBe(
      'taken',
    );
    expect(judged('transactions', { ...unlisted, amount: 'x' })).toEqual(['refused', 'error invalid amount']);
    expect(ignored()).toEqual([
      { resource: 'payment-instructions', field: 'x', times: 1 },
      { resource: 'transactions', field: 'transactions.*.colour', times: 1 },
      { resource: 'transactions', field: 'transactions.*.line_items.*.mood', times: 1 },
    ]);
  });

  test('with a value that the interface does not show has a warning, and with --strict an error', () => {
    const unknown = charge({ reason: 'OURS' });
    expect(checking().judged('transactions', unknown)).toEqual([
      'taken',
      'warning undocumented_value reason',
    ]);
    expect(checking().judged('transactions', charge())).toEqual(['taken']);
    expect(checking({ strict: true }).judged('transactions', unknown)).toEqual([
      'refused',
      'error invalid_choice reason',
    ]);
  });

  test('has the values of a closed enum for its type, although its type is none', () => {
    const closed = [
      { field: 'reason', transactionType: 'CHARGE', value: 'OURS' },
      { field: 'instruction_type', transactionType: '', value: 'CARD' },
    ] as const;
    const { judged } = checking({}, closed);
    expect(judged('transactions', charge({ reason: 'OURS' }))).toEqual(['taken']);
    expect(judged('transactions', charge())).toEqual(['refused', 'error invalid_choice reason']);
    const instruction = { vendor: 'A', reference: 'r', type: 'CARD' };
    expect(judged('payment-instructions', instruction)).toEqual(['taken']);
    expect(judged('payment-instructions', { ...instruction, type: 'BPAY' })).toEqual([
      'refused',
      'error invalid_choice type',
    ]);
    for (const type of [{}, 5, null])
      expect(judged('transactions', charge({ type, reason: 'OURS' }))[0]).toBe('refused');
    expect(judged('transactions', null)).toEqual(['refused', 'error null ']);
  });
});

test('a line item names its rate in one way, where the operator asks for it', () => {
  const { judged } = checking({ rules: ['conflicting_rate_band_specification'] });
  const [line] = supplyCharge()['line_items'] as [object];
  const lines = [{ ...line, rate_band: 'NIGHT' }, line];
  expect(judged('transactions', supplyCharge({ line_items: lines, amount: 97.24 }))).toEqual([
    'refused',
    'warning undocumented_value line_items.0.rate_band',
    'error conflicting_rate_band_specification line_items.1.rate_band',
  ]);
  expect(judged('transactions', charge())).toEqual(['taken']);
});

describe('a document', () => {
  test.each([
    ['s3://bucket/acme/', 's3://bucket/acme/a.pdf'],
    ['s3://bucket/acme', 's3://bucket/acme/a.pdf'],
    ['', 'a.pdf'],
  ])('below the root %j is at %s', (root, location) => {
    const suppliers = { rootOf: (code: string) => (code === 'ACME' ? root : undefined) } as never;
    const located = (kind: 'note' | 'statement' | 'transaction', data: object, import_supplier = 'ACME') =>
      documentLocations({ kind, import_supplier, data }, { suppliers });
    const note = { document_paths: [{ document_path: 'a.pdf' }, { document_path: 'b' }] };
    expect(located('note', note)).toEqual([location, location.replace('a.pdf', 'b')]);
    expect(located('note', note, 'BETA')).toBeUndefined();
    expect(located('note', { body: 'x' })).toBeUndefined();
    expect(located('transaction', charge())).toBeUndefined();
  });

  test('of a statement that is no PDF is a warning', () => {
    const warned = (kind: 'note' | 'statement', path: string) =>
      documentWarnings({ kind, data: { statement_path: path, document_paths: [{ document_path: path }] } });
    expect(warned('statement', 'a.txt')).toEqual(['statement_path_not_pdf']);
    expect(warned('statement', 'a.PDF')).toBeUndefined();
    expect(warned('note', 'a.txt')).toBeUndefined();
  });

  test('that the file store does not have is a problem at its path', () => {
    const { platform } = storedPlatform();
    const documents = [{ document_path: 'here' }, { document_path: 'gone' }];
    const records = [{ body: 'x' }, { document_paths: documents }] as never;
    const missing = () => missingDocuments('notes', { supplier: 'ACME', records }, platform);
    expect(missing()).toEqual([]);
    platform.store.documents.replace('ACME', ['here']);
    const path = ['notes', 1, 'document_paths', 1, 'document_path'];
    expect(missing()).toEqual([failure('path_does_not_exist_in_file_store', path)]);
  });
});

test('an account has a number of the platform once it is imported', () => {
  const account = (state: string) => ({ ...ACCOUNT, state, createdAt: null }) as StoredAccount;
  // The first eight hex digits of the SHA-256 of `["ACME","1001"]`.
  const number = `A-${createHash('sha256').update('["ACME","1001"]').digest('hex').slice(0, 8)}`;
  expect(platformAccountNumber(ACCOUNT)).toBe(number);
  expect(platformAccountNumber({ import_supplier: 'ACME1', external_account_number: '001' })).not.toBe(
    number,
  );
  expect(transferStatus(account('imported'))).toEqual({
    status: 'COMPLETED',
    platform_account_number: number,
  });
  expect(transferStatus(account('in_progress'))).toEqual({
    status: 'IN_PROGRESS',
    platform_account_number: '',
  });
  expect(importProcess(account('staged'))).toEqual({
    external_account_number: '1001',
    platform_account_number: null,
    account_created_at: null,
  });
  const createdAt = '2026-03-15T12:00:00Z';
  expect(importProcess({ ...account('imported'), createdAt })).toEqual({
    external_account_number: '1001',
    platform_account_number: number,
    account_created_at: createdAt,
  });
});

describe('a planned import', () => {
  const PLAN = { inProgressAfterSeconds: 5, afterSeconds: 30, ends: 'failed' } as const;
  const planned = () => {
    const { platform, clock, write } = storedPlatform();
    const { store } = platform;
    const plan = (of: Parameters<typeof planImport>[1]) => write(() => planImport(ACCOUNT, of, platform));
    const steps = () =>
      store.importSteps.due('9999-12-31T00:00:00Z').map(({ dueAt, state }) => [dueAt, state]);
    const state = () => store.accounts.find(ACCOUNT)!.state;
    const take = () => takeDueSteps(platform);
    return { platform, clock, plan, steps, state, take, write };
  };

  test('replaces the one before it', () => {
    const { plan, steps } = planned();
    plan(PLAN);
    expect(steps()).toEqual([
      ['2026-03-15T12:00:05Z', 'in_progress'],
      ['2026-03-15T12:00:30Z', 'failed'],
    ]);
    plan({ ...PLAN, inProgressAfterSeconds: undefined, ends: 'imported' });
    expect(steps()).toEqual([['2026-03-15T12:00:30Z', 'imported']]);
    plan(undefined);
    expect(steps()).toEqual([]);
  });

  test('is carried out step by step, each once', () => {
    const { plan, steps, state, take, clock } = planned();
    plan(PLAN);
    take();
    expect([state(), steps().length]).toEqual(['imported', 2]);
    clock.nowMs += 5_000;
    take();
    expect([state(), steps().length]).toEqual(['in_progress', 1]);
    clock.nowMs += 25_000;
    take();
    expect([state(), steps()]).toEqual(['failed', []]);
  });

  test('is dropped when the state is set by hand', () => {
    const { platform, plan, steps, write } = planned();
    plan(PLAN);
    const set = (key: typeof ACCOUNT) => write(() => setImportState(key, 'staged', platform));
    expect(set({ ...ACCOUNT, external_account_number: '9' })).toBeUndefined();
    expect(steps()).toHaveLength(2);
    expect(set(ACCOUNT)).toMatchObject({ ...ACCOUNT, state: 'staged', createdAt: null });
    expect(steps()).toEqual([]);
  });
});

test('today is the date in the time zone of the platform, to the second', () => {
  const clock = { nowMs: Date.parse('2026-03-15T22:59:59.999Z') };
  const store = {} as never;
  const { today, now } = platformOf({ store, nowMs: () => clock.nowMs, timeZone: 'Europe/Berlin' });
  expect([today(), now()]).toEqual(['2026-03-15', '2026-03-15T22:59:59Z']);
  clock.nowMs += 1;
  expect([today(), now()]).toEqual(['2026-03-16', '2026-03-15T23:00:00Z']);
  clock.nowMs -= 1;
  expect(today()).toBe('2026-03-15');
});

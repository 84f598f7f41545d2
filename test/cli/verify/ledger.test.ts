import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { loadLedger } from '../../../src/cli/verify/ledger.ts';
import { sentContents } from '../../../src/cli/verify/sent-contents.ts';
import { DESCRIPTORS, type Resource } from '../../../src/core/contract/resources.ts';
import { noteOfMove } from '../../../src/core/contract/period-move.ts';
import { startPlatform } from '../../support/server-platform.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const ACCOUNT = { import_supplier: 'ACME', external_account_number: '1001' };
const lineOf = (kind: string, data: object, account: object = ACCOUNT): string =>
  JSON.stringify({ kind, ...account, data });

const CHARGE = {
  transaction_id: 't-1',
  transaction_date: '2026-02-01',
  type: 'CHARGE',
  amount: '12.50',
  reason: 'IMPORTED_CHARGE',
};
const MOVE = {
  id: 't-1',
  from: '2025-12-01',
  to: '2026-02-01',
  period: { from: '2026-01-01', to: '2026-12-31' },
};

const closing = (close: () => void): void => onTestFinished(close);

function load(ledger: string, resource: Resource = 'transactions', cwd = '.') {
  return loadLedger(ledger, { resource, descriptors: undefined, cwd, onClose: closing });
}

/** The store of a ledger file with these lines. */
function loaded(resource: Resource, ...lines: readonly string[]) {
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, 'ledger.ndjson'), lines.map((line) => `${line}\n`).join(''));
  return load('ledger.ndjson', resource, cwd);
}

const rowsOf = async (resource: Resource, ...lines: readonly string[]) =>
  [...(await loaded(resource, ...lines)).records()].map(({ content, ...record }) => ({
    ...record,
    bytes: content.length,
  }));

describe('a ledger', () => {
  test('is read record by record, those of the resource alone, each with its line', async () => {
    const other = { import_supplier: 'ACME', external_account_number: '1000' };
    const rows = await rowsOf(
      'transactions',
      lineOf('transaction', CHARGE),
      '',
      lineOf('note', { body: 'x' }),
      lineOf('transaction', { ...CHARGE, transaction_id: 't-2' }, other),
    );
    const shared = { variant: '', type: 'CHARGE', amount: '12.50', origin: 0, bytes: 32 };
    expect(rows).toEqual([
      { ...other, key: 't-2', seq: 4, ...shared },
      { ...ACCOUNT, key: 't-1', seq: 1, ...shared },
    ]);
  });

  test('keeps a record that has lost its form by its id', async () => {
    const lost = { transaction_id: 't-1', amount: 'much' };
    expect(await rowsOf('transactions', lineOf('transaction', lost))).toEqual([
      { ...ACCOUNT, key: 't-1', variant: '', seq: 1, type: null, amount: null, origin: 0, bytes: 0 },
    ]);
    expect(await rowsOf('notes', lineOf('note', { body: 5 }))).toMatchObject([{ key: '', seq: 1 }]);
  });

  test('says which transactions were moved', async () => {
    const note = { body: noteOfMove(MOVE), created_at: '2026-03-15T12:00:00Z' };
    const store = await loaded(
      'transactions',
      lineOf('note', note),
      lineOf('statement', { body: noteOfMove({ ...MOVE, id: 't-2' }) }),
    );
    expect([...store.records()]).toEqual([]);
    const { id, from, to } = MOVE;
    expect(store.hasMove({ ...ACCOUNT, id, from, to })).toBe(true);
    expect(store.hasMove({ ...ACCOUNT, id: 't-2', from, to })).toBe(false);
  });

  test.each([
    'no JSON',
    '[]',
    '{"kind":"note","import_supplier":"A","external_account_number":"1"}',
    '{"kind":"note","import_supplier":"A","external_account_number":1,"data":{}}',
    '{"kind":"note","external_account_number":"1","data":{}}',
    '{"import_supplier":"A","external_account_number":"1","data":{}}',
    '{"kind":"note","import_supplier":"A","external_account_number":"1","data":[]}',
  ])('is refused at a line that is no record: %s', async (line) => {
    const read = loaded('notes', lineOf('note', { body: 'x' }), line);
    await expect(read).rejects.toMatchObject({
      code: 'ledger_unreadable',
      facts: { ledger: 'ledger.ndjson', line: 2 },
    });
  });

  test('is a file that can be read, or the address of this machine', async () => {
    await expect(load('gone.ndjson')).rejects.toMatchObject({
      code: 'file_not_readable',
      facts: { file: 'gone.ndjson', reason: 'no such file' },
    });
    for (const address of ['http://192.0.2.7:4010', 'https://platform.example/', 'http://'])
      await expect(load(address)).rejects.toMatchObject({ code: 'admin_not_local' });
  });

  test('is read from a platform: with the notes of moves for transactions, and else the records alone', async () => {
    const platform = await startPlatform();
    const body = noteOfMove(MOVE);
    await platform.post('createNotes', { ...ACCOUNT, notes: [{ body }] });
    const transactions = await load(`${platform.url}//`, 'transactions');
    expect([...transactions.records()]).toEqual([]);
    const { id, from, to } = MOVE;
    expect(transactions.hasMove({ ...ACCOUNT, id, from, to })).toBe(true);
    const notes = await load(platform.url, 'notes');
    expect([...notes.records()]).toMatchObject([{ ...ACCOUNT, seq: 1 }]);
    expect([...(await load(platform.url, 'statements')).records()]).toEqual([]);
  });
});

describe('the hashes under which a run file may have a stored record', () => {
  const contentsOf = async (resource: Resource, ...lines: readonly string[]) => {
    const store = await loaded(resource, ...lines);
    const [record] = [...store.records()];
    return sentContents(record!, { store, resource, descriptors: DESCRIPTORS });
  };
  const hex = (hashes: readonly Buffer[] | undefined) => hashes?.map((each) => each.toString('hex'));

  test('are those of the record with and without what the platform may have filled in', async () => {
    const created_at = '2026-02-01T10:00:00Z';
    const [whole, sent] = hex(await contentsOf('notes', lineOf('note', { body: 'x', created_at })))!;
    expect(whole).not.toBe(sent);
    expect(hex(await contentsOf('notes', lineOf('note', { body: 'x' })))).toEqual([sent, sent]);
    const [charge, same] = hex(await contentsOf('transactions', lineOf('transaction', CHARGE)))!;
    expect(charge).toBe(same);
  });

  test('are none for a record that has lost its form', async () => {
    expect(await contentsOf('notes', lineOf('note', { body: 5 }))).toEqual([]);
  });

  test('are unknown for a record whose date the platform has moved', async () => {
    const note = lineOf('note', { body: noteOfMove(MOVE) });
    const transaction = lineOf('transaction', CHARGE);
    expect(await contentsOf('transactions', transaction, note)).toBeUndefined();
    const elsewhere = lineOf('note', { body: noteOfMove(MOVE) }, { ...ACCOUNT, import_supplier: 'BETA' });
    expect(await contentsOf('transactions', transaction, elsewhere)).toHaveLength(2);
    const another = lineOf('note', { body: noteOfMove({ ...MOVE, id: 't-2' }) });
    expect(await contentsOf('transactions', transaction, another)).toHaveLength(2);
  });
});

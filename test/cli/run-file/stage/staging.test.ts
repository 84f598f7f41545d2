import { hash } from 'node:crypto';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { StagedRecord } from '../../../../src/cli/push/ports/staging.ts';
import { createScratchDatabase } from '../../../../src/cli/run-file/database/run-database.ts';
import { writeHeader } from '../../../../src/cli/run-file/database/run-header.ts';
import type { HistoryView, Judgement } from '../../../../src/cli/run-file/history/history-view.ts';
import {
  finishStaging,
  identityOf,
  stagingOperations,
  type StagingHistory,
} from '../../../../src/cli/run-file/stage/staging.ts';
import { problemWith } from '../../../support/run-report.ts';
import { headerOf, newRun } from '../../../support/push-staged-run.ts';

/** A run of two files without a name. */
function begun(history?: StagingHistory) {
  const source = { bytes: 1, sha256: '0'.repeat(64) };
  const db = createScratchDatabase((created) =>
    writeHeader(created, headerOf('transactions', {}, [source, source]), newRun()),
  );
  onTestFinished(() => void db.close());
  return { db, staging: stagingOperations(db, history) };
}

const position = { source: 1, firstLine: 3, lastLine: 4, byteStart: 50, byteEnd: 90 };
const account = { import_supplier: 'ACME', external_account_number: '1001' };
const sha256 = (text: string): string => hash('sha256', text);

/** A record whose text is not the one by which it is compared. */
const record: StagedRecord = {
  position,
  account,
  parts: [],
  payload: () => '{"amount":"1.00"}',
  valueText: '{"amount":"1"}',
  id: 't-1',
  type: 'CHARGE',
  amount: '1.00',
  identity: { key: 't-1', variant: undefined },
};

const withText = (text: string): StagedRecord => ({ ...record, payload: () => text, valueText: text });

describe('the rows of a run', () => {
  test('are kept as they were read', () => {
    const { db, staging } = begun();
    staging.appendRecord(record);
    staging.appendInvalid({ ...position, firstLine: 5, lastLine: 5 }, '7.00');
    staging.appendFiltered(
      { ...position, firstLine: 6, lastLine: 6 },
      { kind: 'filter', place: 'x.yaml:3:1' },
    );
    staging.commit();
    const place = { source_id: 1, first_line: 3, last_line: 4, byte_start: 50, byte_end: 90 };
    const none = { account_id: null, identity_key: null, identity_variant: null, id: null, type: null };
    const empty = {
      ...none,
      payload: null,
      payload_sha256: null,
      content: null,
      parts: null,
      checksum: null,
    };
    expect(db.prepare('SELECT * FROM record ORDER BY seq').all()).toEqual([
      {
        seq: 1,
        state: 'valid',
        ...place,
        account_id: 1,
        identity_key: 't-1',
        identity_variant: '',
        id: 't-1',
        type: 'CHARGE',
        amount: '1.00',
        payload: '{"amount":"1.00"}',
        payload_sha256: Buffer.from(sha256('{"amount":"1.00"}'), 'hex'),
        content: Buffer.from(sha256('{"amount":"1"}'), 'hex'),
        parts: null,
        checksum: expect.any(Number) as unknown,
        cause_id: null,
      },
      {
        ...empty,
        seq: 2,
        state: 'invalid',
        ...place,
        first_line: 5,
        last_line: 5,
        amount: '7.00',
        cause_id: null,
      },
      {
        ...empty,
        seq: 3,
        state: 'filtered',
        ...place,
        first_line: 6,
        last_line: 6,
        amount: null,
        cause_id: 1,
      },
    ]);
  });

  test('have one hash where the text is compared as it is', () => {
    const { db, staging } = begun();
    staging.appendRecord(withText('{"x":1}'));
    const hashes = db.prepare('SELECT payload_sha256 AS payload, content FROM record').get();
    expect(hashes).toEqual({ payload: Buffer.from(sha256('{"x":1}'), 'hex'), content: null });
  });

  test('are left out for causes that are kept once', () => {
    const { db, staging } = begun();
    for (const place of ['a', 'b', 'a']) staging.appendFiltered(position, { kind: 'filter', place });
    staging.appendFiltered(position, { kind: 'window', place: 'a' });
    expect(db.prepare('SELECT cause_id FROM record ORDER BY seq').pluck().all()).toEqual([1, 2, 1, 3]);
    expect(db.prepare('SELECT * FROM cause').all()).toEqual([
      { id: 1, kind: 'filter', place: 'a' },
      { id: 2, kind: 'filter', place: 'b' },
      { id: 3, kind: 'window', place: 'a' },
    ]);
  });

  test('are written ten thousand at a time, and at once when they are to be', () => {
    const { db, staging } = begun();
    const states = Array.from({ length: 10_001 }, () => {
      staging.appendInvalid(position, null);
      return db.inTransaction;
    });
    expect(states.indexOf(false)).toBe(9_999);
    expect(states.slice(10_000)).toEqual([true]);
    staging.commit();
    expect(db.inTransaction).toBe(false);
    staging.commit();
    staging.appendInvalid(position, null);
    expect(db.inTransaction).toBe(true);
  });

  test('are no longer valid once, with their hashes erased', () => {
    const { db, staging } = begun();
    staging.appendRecord(record);
    staging.invalidate(1);
    expect(db.prepare('SELECT state, payload, payload_sha256, content FROM record').get()).toEqual({
      state: 'invalid',
      payload: null,
      payload_sha256: null,
      content: null,
    });
    expect(() => staging.invalidate(1)).toThrow('run file: record 1 is not valid');
  });

  test('are not counted without being kept', () => {
    expect(() => begun().staging.countRecord(record, () => record)).toThrow(
      'run file: a run that keeps records counts none',
    );
  });
});

test('problems are of the run, and of its comparison with the history only when that has found them', () => {
  const { db, staging } = begun();
  staging.appendProblem(problemWith());
  staging.appendProblem(problemWith(), true);
  expect(db.prepare('SELECT batch_id, lasting, of_history FROM problem').all()).toEqual([
    { batch_id: null, lasting: 0, of_history: 0 },
    { batch_id: null, lasting: 0, of_history: 1 },
  ]);
});

test('records are planned in the order of accounts and rows, page by page', () => {
  const { staging } = begun();
  for (const [number, line] of [
    ['A', 2],
    ['B', 3],
    ['A', 4],
  ] as const)
    staging.appendRecord({
      ...withText('{"é":1}'),
      position: { ...position, firstLine: line },
      account: { ...account, external_account_number: number },
    });
  const page = staging.plannable(undefined, 2);
  expect(page).toEqual([
    { seq: 1, source: 1, line: 2, accountId: 1, bytes: 8 },
    { seq: 3, source: 1, line: 4, accountId: 1, bytes: 8 },
  ]);
  expect(staging.plannable(page[1], 2)).toEqual([{ seq: 2, source: 1, line: 3, accountId: 2, bytes: 8 }]);
});

describe('the identity of a record', () => {
  test('is its id as it is, and no other text', () => {
    expect(identityOf({ id: 't-1', identity: { key: 't-1', variant: 'x' } })).toEqual({
      key: 't-1',
      variant: 'x',
    });
    expect(identityOf({ id: 't-1', identity: { key: 't-1', variant: undefined } })).toEqual({
      key: 't-1',
      variant: '',
    });
    const [key, time] = ['rang about the meter', '2025-01-01'];
    expect(identityOf({ id: null, identity: { key, variant: undefined } })).toEqual({
      key: hash('sha256', key, 'base64'),
      variant: '',
    });
    expect(identityOf({ id: null, identity: { key, variant: time } })).toEqual({
      key: hash('sha256', key, 'base64'),
      variant: hash('sha256', `${key}\0${time}`, 'base64'),
    });
  });
});

describe('the end of staging', () => {
  const columns = [{ header: 'amount', column: 1 }] as never;

  test('keeps where the rows of each file begin, from its records where nobody says so', () => {
    const { db, staging } = begun();
    staging.appendInvalid(position, null);
    staging.appendInvalid({ ...position, source: 2, byteStart: 70 }, null);
    staging.commit();
    finishStaging(db, [{ columns, rowsFrom: 45 }, { columns }]);
    expect(db.prepare('SELECT rows_from FROM source ORDER BY id').pluck().all()).toEqual([45, 70]);
    expect(db.prepare('SELECT state FROM run').pluck().get()).toBe('staged');
    expect(() => finishStaging(db, [])).toThrow('run file: staging was finished before');
  });
});

describe('beside what other runs know', () => {
  const THERE = { run: 7, seq: 40 };

  /** A view that gives these judgements, one for each record. */
  function history(judgements: readonly Judgement[], keepsAll = false) {
    const given = judgements.values();
    const judge = vi.fn((_record: unknown, identity: () => unknown) => {
      identity();
      return given.next().value!;
    });
    const view = {
      judge,
      see: vi.fn(),
      hasSeen: () => false,
      factsOf: () => undefined,
      placeOf: () => ({ file: 'old.csv', line: 9, run: 'run-7', wasCompared: true }),
    };
    const compared = {
      view: view as unknown as HistoryView,
      keepsAll,
      now: 'now',
      idOf: (run: number) => `run-${run}`,
    };
    return { ...view, compared };
  }

  const before = (seq: number, run = THERE.run): Judgement => ({ kind: 'sent_before', there: { run, seq } });

  test('rows that were sent before are kept as ranges that follow each other there, too, with their sums', () => {
    const { compared } = history([
      before(40),
      before(41),
      before(43),
      before(44, 8),
      { kind: 'new' },
      before(46, 8),
      before(47, 8),
    ]);
    const { db, staging } = begun(compared);
    for (const amount of ['0.10', '0.20', null, '5', '1', '1.5', '-0.5'])
      staging.appendRecord({ ...record, amount, type: amount === '5' ? 'CREDIT' : 'CHARGE' });
    expect(staging.compared()!.conflicts(0, 9)).toEqual([]);
    expect(
      db
        .prepare('SELECT first_seq, last_seq, run, there_seq FROM sent_before JOIN other_run ON id = run_id')
        .all(),
    ).toEqual([
      { first_seq: 1, last_seq: 2, run: 'run-7', there_seq: 40 },
      { first_seq: 3, last_seq: 3, run: 'run-7', there_seq: 43 },
      { first_seq: 4, last_seq: 4, run: 'run-8', there_seq: 44 },
      { first_seq: 6, last_seq: 7, run: 'run-8', there_seq: 46 },
    ]);
    expect(db.prepare('SELECT type, count, read FROM sent_before_total ORDER BY type').all()).toEqual([
      { type: 'CHARGE', count: 5, read: '1.30' },
      { type: 'CREDIT', count: 1, read: '5' },
    ]);
    expect(db.prepare('SELECT seq FROM record').pluck().all()).toEqual([5]);
    expect(db.prepare('SELECT document FROM event').pluck().all()).toEqual(['{"rows_sent_before":6}']);
    expect(db.inTransaction).toBe(false);
  });

  test('rows that were sent before are kept with their outcome where rules between rows need them', () => {
    const { db, staging } = begun(history([before(40), { kind: 'changed', there: THERE }], true).compared);
    for (const line of [2, 3])
      staging.appendRecord({ ...record, position: { ...position, firstLine: line } });
    expect(staging.compared()!.conflicts(0, 9)).toEqual([
      {
        seq: 2,
        source: 1,
        line: 3,
        kind: 'changed',
        differs: [],
        earlier: { file: 'old.csv', line: 9, run: 'run-7', wasCompared: true },
      },
    ]);
    expect(
      db.prepare('SELECT seq, outcome, payload FROM record JOIN outcome USING (seq) ORDER BY seq').all(),
    ).toEqual([
      { seq: 1, outcome: 'sent_before', payload: null },
      { seq: 2, outcome: 'changed', payload: record.payload() },
    ]);
    expect(db.prepare('SELECT count(*) FROM sent_before').pluck().get()).toBe(0);
  });

  test('a record of another shard is seen where it may have moved from, and only there', () => {
    const moved = history([
      { kind: 'moved', there: THERE },
      { kind: 'changed', there: { run: 7, seq: 41 } },
    ]);
    const { staging } = begun(moved.compared);
    staging.noteOfOtherShard(record);
    staging.noteOfOtherShard(record);
    expect(moved.see.mock.calls).toEqual([[THERE]]);
    const content = Buffer.from(sha256(record.valueText), 'hex').toString('latin1');
    expect(moved.judge.mock.calls[0]![0]).toEqual({ account, id: 't-1', content });
    expect(moved.judge.mock.calls[0]![1]()).toEqual({ key: 't-1', variant: '' });
    begun().staging.noteOfOtherShard(record);
  });

  test('nothing is compared without other runs, and what was appended is written', () => {
    const { db, staging } = begun();
    staging.appendRecord(record);
    expect(staging.compared()).toBeUndefined();
    expect(db.inTransaction).toBe(false);
  });
});

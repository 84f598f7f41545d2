import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { PlannableRecord, PlannedBatch } from '../../../../src/cli/push/ports/staging.ts';
import { planBatches } from '../../../../src/cli/push/stage/batches.ts';
import { csvOf, row, stagedRun } from '../../../support/push-staged-run.ts';

/** The parts of a record that planning needs. */
type Sized = PlannableRecord;

/** Records in the order of accounts and then of the file; `a` means account 1 and so on. */
function recordsOf(text: string, bytes = 10): readonly Sized[] {
  return [...text].map((account, index) => ({
    seq: index + 1,
    accountId: account.charCodeAt(0) - 96,
    bytes,
  }));
}

/** The batches as `1-2` for the records from 1 to 2. */
function plan(records: readonly Sized[], limits: { records: number; bytes: number }): readonly string[] {
  return [...planBatches(records, limits)].map(({ firstSeq, lastSeq }) => `${firstSeq}-${lastSeq}`);
}

describe('records are cut into batches', () => {
  test.each([
    ['by account', 'aabbc', 10, 1000, ['1-2', '3-4', '5-5']],
    ['by count', 'aaaaa', 2, 1000, ['1-2', '3-4', '5-5']],
    ['by count, with nothing left over', 'aaaa', 2, 1000, ['1-2', '3-4']],
    ['by bytes', 'aaaaa', 10, 29, ['1-2', '3-4', '5-5']],
    ['by bytes, when they just fit', 'aaaaa', 10, 30, ['1-3', '4-5']],
    ['one by one', 'aab', 1, 1000, ['1-1', '2-2', '3-3']],
    ['without any', '', 10, 1000, []],
  ])('%s', (_, text, records, bytes, expected) => {
    expect(plan(recordsOf(text), { records, bytes })).toEqual(expected);
  });

  test('a record that is too large for any batch travels alone', () => {
    const records = recordsOf('aaaa').map((record) =>
      record.seq === 2 ? { ...record, bytes: 5000 } : record,
    );
    expect(plan(records, { records: 10, bytes: 100 })).toEqual(['1-1', '2-2', '3-4']);
  });

  test('by the bytes of their texts, not by the characters', async () => {
    // Each note has 40 characters more than its other text, and 120 bytes more.
    const notes = [1, 2, 3].map((n) => ({ ...row.notes('A', String(n)), body: '伝'.repeat(40) + n }));
    const bytes = Buffer.byteLength(
      JSON.stringify({ body: notes[0]!.body, created_at: '2024-03-05T18:48:16Z' }),
    );
    const batches = async (limit: number): Promise<number> => {
      const { run } = await stagedRun('notes', csvOf(notes), { limits: { records: 10, bytes: limit } });
      return run.openWork().requests;
    };
    expect(await batches(3 * bytes)).toBe(1);
    expect(await batches(3 * bytes - 1)).toBe(2);
    expect(await batches(2 * bytes - 1)).toBe(3);
  });

  test('rows of other accounts in between do not matter', () => {
    const records = [1, 5, 9].map((seq) => ({ seq, accountId: 1, bytes: 10 }));
    expect(plan(records, { records: 2, bytes: 100 })).toEqual(['1-5', '9-9']);
  });

  test('only one batch is in memory at a time', () => {
    let read = 0;
    const records = (function* () {
      for (const record of recordsOf('aaabbb')) {
        read++;
        yield record;
      }
    })();
    const batches = planBatches(records, { records: 10, bytes: 1000 });
    batches.next();
    expect(read).toBe(4);
  });
});

test('the batches together are the records, within the limits and as few as possible', () => {
  const record = fc.record({
    account: fc.integer({ min: 1, max: 4 }),
    bytes: fc.integer({ min: 1, max: 60 }),
  });
  const limits = fc.record({
    records: fc.integer({ min: 1, max: 5 }),
    bytes: fc.integer({ min: 1, max: 100 }),
  });
  fc.assert(
    fc.property(fc.array(record, { maxLength: 40 }), limits, (drawn, limit) => {
      const records = drawn
        .map(({ account, bytes }, index) => ({ seq: index + 1, accountId: account, bytes }))
        .toSorted((a, b) => a.accountId - b.accountId || a.seq - b.seq);
      const batches = [...planBatches(records, limit)];
      const contents = batches.map((batch) => contentOf(batch, records));
      expect(contents.flat()).toEqual(records);
      for (const [index, content] of contents.entries()) {
        expect(new Set(content.map(({ accountId }) => accountId))).toEqual(
          new Set([batches[index]!.accountId]),
        );
        expect(content.length).toBe(batches[index]!.records);
        expect(content.length).toBeLessThanOrEqual(limit.records);
        if (content.length > 1) expect(bytesOf(content)).toBeLessThanOrEqual(limit.bytes);
        const next = contents[index + 1];
        if (next?.[0]!.accountId !== content[0]!.accountId) continue;
        const wouldFit = content.length < limit.records && bytesOf(content) + next[0].bytes <= limit.bytes;
        expect(wouldFit).toBe(false);
      }
    }),
  );
});

describe('a record over the byte limit', () => {
  test('travels alone, in the batches of its account', async () => {
    const csvs = [csvOf([row.notes('A', '1')]), csvOf([row.notes('A', '2'), row.notes('B', '1')])];
    const { events, run } = await stagedRun('notes', csvs, { limits: { records: 10, bytes: 1 } });
    expect(events.at(-1)).toEqual({ kind: 'planned', records: 3 });
    expect(run.openWork()).toEqual({ requests: 3, accounts: 2, records: 3 });
  });
});

function contentOf(batch: PlannedBatch, records: readonly Sized[]): readonly Sized[] {
  return records.filter(
    ({ seq, accountId }) => accountId === batch.accountId && seq >= batch.firstSeq && seq <= batch.lastSeq,
  );
}

function bytesOf(records: readonly Sized[]): number {
  return records.reduce((total, { bytes }) => total + bytes, 0);
}

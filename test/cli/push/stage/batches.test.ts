import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { PlannableRecord, PlannedBatch } from '../../../../src/cli/push/ports/staging.ts';
import { planBatches } from '../../../../src/cli/push/stage/batches.ts';

/** The parts of a record that planning needs. */
type Sized = PlannableRecord;

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

function contentOf(batch: PlannedBatch, records: readonly Sized[]): readonly Sized[] {
  return records.filter(
    ({ seq, accountId }) => accountId === batch.accountId && seq >= batch.firstSeq && seq <= batch.lastSeq,
  );
}

function bytesOf(records: readonly Sized[]): number {
  return records.reduce((total, { bytes }) => total + bytes, 0);
}

import { describe, expect, onTestFinished, test } from 'vitest';
import type { StagingRun } from '../../../../src/cli/push/ports/staging.ts';
import { scratchReading, type Reading } from '../../../../src/cli/journal/reading.ts';
import { headerOf } from '../../../support/push-staged-run.ts';

interface Given {
  readonly key: string;
  readonly account?: string;
  readonly variant?: string;
  readonly payload?: object;
}

/** A run of two files with these records, the last one in the second file. Each is at the line after the one before. */
function staged(records: readonly Given[]): { run: Reading; staging: StagingRun } {
  const source = { bytes: 1, sha256: '0'.repeat(64) };
  const run = scratchReading(headerOf('notes', {}, [source, source]));
  onTestFinished(() => run.close());
  const staging = run.staging();
  for (const [index, { key, account = 'A', variant, payload = { key } }] of records.entries()) {
    const text = JSON.stringify(payload);
    const line = index + 2;
    staging.appendRecord({
      position: {
        source: index === records.length - 1 ? 2 : 1,
        firstLine: line,
        lastLine: line,
        byteStart: 0,
        byteEnd: 1,
      },
      parts: [],
      account: { import_supplier: 'ACME', external_account_number: account },
      payload: () => text,
      valueText: () => text,
      id: null,
      type: null,
      amount: null,
      identity: { key, variant },
    });
  }
  staging.commit();
  return { run, staging };
}

const at = (line: number, source = 1) => ({ source, line });

describe('records with one identity', () => {
  // Three with equal content, and two of which one differs. The others are alone.
  const records: readonly Given[] = [
    { key: 'same' },
    { key: 'other', payload: { amount: 1 } },
    { key: 'same' },
    { key: 'alone' },
    { key: 'same', account: 'B' },
    { key: 'other', payload: { amount: 2 } },
    { key: 'same' },
  ];

  test('name the first other one, or else the first that differs', () => {
    const repetitions = staged(records).staging.repetitions();
    const other = (line: number) => ({ otherSource: 1, otherLine: line });
    expect(repetitions.page(0, 10)).toEqual([
      { seq: 1, ...at(2), exact: 1, firstSeq: 1, ...other(4) },
      { seq: 2, ...at(3), exact: 0, firstSeq: 2, ...other(7) },
      { seq: 3, ...at(4), exact: 1, firstSeq: 1, ...other(2) },
      { seq: 6, ...at(7), exact: 0, firstSeq: 2, ...other(3) },
      { seq: 7, ...at(8, 2), exact: 1, firstSeq: 1, ...other(2) },
    ]);
    expect(repetitions.page(2, 2).map(({ seq }) => seq)).toEqual([3, 6]);
  });
});

test('notes that the platform takes for an earlier one are counted with their accounts', () => {
  const body = { body: 'x' };
  const { staging } = staged([
    { key: 'x', variant: '2025', payload: body },
    { key: 'x', payload: body },
    { key: 'x', payload: body },
    { key: 'y', account: 'B' },
    { key: 'y', account: 'B' },
    { key: 'x', account: 'C', payload: body },
    { key: 'x', account: 'C', variant: '2025', payload: body },
  ]);
  expect(staging.repetitions().laterNotes()).toEqual({ count: 3, accounts: 2, first: at(3) });
  expect(
    staged([{ key: 'x' }, { key: 'y' }])
      .staging.repetitions()
      .laterNotes(),
  ).toBeUndefined();
});

import { hash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { hexOf } from '../../../../src/cli/journal/database/hex-column.ts';
import { rowLine } from '../../../../src/cli/journal/database/sealed-rows.ts';
import { csvOf, row, stagedRun } from '../../../support/push-staged-run.ts';

const POSITION = { source: 2, firstLine: 3, lastLine: 4, byteStart: 50, byteEnd: 90 };

describe('the line of a row, as docs/chain.md says', () => {
  test('has everything of a valid record', () => {
    const line = rowLine({
      ...POSITION,
      seq: 7,
      state: 'valid',
      account: '41 42',
      identity: { key: 'k', variant: '' },
      id: 'ä',
      type: 'T',
      amount: '-1.50',
      payloadSha256: 'aa',
      content: 'bb',
      cause: null,
    });
    expect(line).toBe('7 valid 2 3 4 50 90 41 42 6b  c3a4 54 -1.50 aa bb - -\n');
  });

  test('has no record, and a cause, for a row that is left out', () => {
    const none = {
      account: null,
      identity: null,
      id: null,
      type: null,
      amount: null,
      payloadSha256: null,
      content: null,
    };
    const cause = { kind: 'filter', place: 'x:1' } as const;
    expect(rowLine({ ...POSITION, ...none, seq: 8, state: 'filtered', cause })).toBe(
      '8 filtered 2 3 4 50 90 - - - - - - - - - filter 783a31\n',
    );
  });
});

test('a text is its bytes in hexadecimal digits', () => {
  expect([hexOf('aé'), hexOf(''), hexOf(null), hexOf(undefined)]).toEqual(['61c3a9', '', '-', '-']);
});

test('all rows are sealed, however many', async () => {
  const rows = Array.from({ length: 1_001 }, (_, index) => row.transactions('A', `t-${index}`));
  const csv = csvOf(rows);
  const { run } = await stagedRun('transactions', csv, { limits: { records: 500, bytes: 1_000_000 } });
  const other = (await stagedRun('transactions', csv, { limits: { records: 500, bytes: 1_000_000 } })).run;
  const [rowsOf, checksumsOf] = [
    (of: typeof run) => (of.proving.chain() as unknown as { rowsSha256: string }).rowsSha256,
    (of: typeof run) => of.proving.checksums(),
  ];
  expect([rowsOf(run), checksumsOf(run)]).toEqual([rowsOf(other), checksumsOf(other)]);
  const { db } = run as unknown as {
    readonly db: { prepare(sql: string): { pluck(): { all(): number[] } }; exec(sql: string): void };
  };
  const checksums = db.prepare('SELECT checksum FROM record ORDER BY seq').pluck().all();
  expect(checksumsOf(run)).toBe(hash('sha256', checksums.map((checksum) => `${checksum}\n`).join('')));
  db.exec('UPDATE record SET last_line = last_line + 1, checksum = checksum + 1 WHERE seq = 1001');
  expect(run.proving.chain().broken).toBe('the rows or problems of its files are not those that were read');
  expect(checksumsOf(run)).not.toBe(checksumsOf(other));
});

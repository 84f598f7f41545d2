import { expect, onTestFinished, test } from 'vitest';
import { inPortions } from '../../../../src/cli/run-file/database/portions.ts';
import { openScratch } from '../../../../src/cli/run-file/database/run-database.ts';

test('rows are written five thousand at a time, each portion in one transaction, and the rest when it is asked for', () => {
  const db = openScratch();
  onTestFinished(() => void db.close());
  const written: number[] = [];
  const rows = inPortions<number>(db, (row) => {
    expect(db.inTransaction).toBe(true);
    written.push(row);
  });
  const counts = Array.from({ length: 5_002 }, (_, row) => {
    rows.add(row);
    return written.length;
  });
  expect([counts.indexOf(5_000), counts.at(-1)]).toEqual([4_999, 5_000]);
  rows.flush();
  rows.flush();
  expect(written).toEqual(Array.from({ length: 5_002 }, (_, row) => row));
  expect(db.inTransaction).toBe(false);
});

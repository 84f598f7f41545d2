import { expect, onTestFinished, test } from 'vitest';
import { repeatedHashes } from '../../../../src/cli/journal/stage/whole-file-queries.ts';
import { openScratch } from '../../../../src/cli/journal/database/run-database.ts';

/** A finder with so many different hashes of 53 bits, spread as those of texts are. */
function finder(hashes: number) {
  const db = openScratch();
  onTestFinished(() => void db.close());
  const found = repeatedHashes(db);
  for (let number = 0; number < hashes; number++) found.add(hashOf(number));
  return found;
}

const hashOf = (number: number): number =>
  (Math.imul(number, 0x9e3779b1) >>> 0) * 2 ** 21 + (Math.imul(number, 0x85ebca6b) >>> 11);

/** More than are written at once. */
const MANY = 10_000;

test.each([10, MANY])(
  '%d different hashes are apart, and one more that repeats any of them is found',
  (hashes) => {
    expect(finder(hashes).hasRepeated()).toBe(false);
    for (const repeated of [0, Math.floor(hashes / 2), hashes - 1]) {
      const found = finder(hashes);
      found.add(hashOf(repeated));
      expect(found.hasRepeated()).toBe(true);
    }
  },
);

test('the largest hashes are apart to the last bit', () => {
  const found = finder(0);
  for (const hash of [Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER - 1]) found.add(hash);
  expect(found.hasRepeated()).toBe(false);
});

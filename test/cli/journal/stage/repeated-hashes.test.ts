import { expect, onTestFinished, test, vi } from 'vitest';
import { repeatedHashes } from '../../../../src/cli/journal/stage/repeated-hashes.ts';
import { openScratch } from '../../../../src/cli/journal/database/run-database.ts';

const MOST_SORTED = 6_000;

/** A finder with so many different hashes, spread as those of texts are. */
function finder(hashes: number) {
  const db = openScratch();
  onTestFinished(() => void db.close());
  const found = repeatedHashes(db, MOST_SORTED);
  for (let number = 0; number < hashes; number++) found.add(hashOf(number));
  return found;
}

function hashOf(number: number) {
  return { low: Math.imul(number, 0x85ebca6b) >>> 0, high: Math.imul(number, 0x9e3779b1) >>> 0 };
}

/** More than fit into memory, and more in each bucket than are sorted at once. */
const MANY = 200_000;

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

test.each([
  { half: 'low', other: { low: 1, high: 2 } },
  { half: 'high', other: { low: 2, high: 1 } },
])('hashes that share only their $half half are apart', ({ other }) => {
  const found = finder(0);
  for (const hash of [{ low: 1, high: 1 }, other]) found.add(hash);
  expect(found.hasRepeated()).toBe(false);
});

test('memory does not grow with the hashes: no more than a limit are sorted at once, also when all are equal', () => {
  const sort = vi.spyOn(BigUint64Array.prototype, 'sort');
  onTestFinished(() => sort.mockRestore());
  const equal = finder(0);
  for (let number = 0; number < MANY; number++) equal.add(hashOf(7));
  expect([finder(MANY).hasRepeated(), equal.hasRepeated()]).toEqual([false, true]);
  const largest = Math.max(...sort.mock.contexts.map((list) => (list as BigUint64Array).length));
  expect(largest).toBeLessThanOrEqual(MOST_SORTED);
});

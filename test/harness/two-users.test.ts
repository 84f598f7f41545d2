import { expect, test } from 'vitest';
import { playedSituations, WRITERS } from './two-users.ts';

const isRoot = process.getuid?.() === 0;
if (!isRoot) process.stderr.write('two-users: skipped, because only root becomes another user\n');

/** Two of the commands that write a file, one that replaces it and one that adds to it. `npm run two-users` takes all, and makes real users. */
const SHORT = WRITERS.filter((words) => ['--junit', '--log-file'].includes(words.at(-1)!));

test.skipIf(!isRoot)('a user is safe from another user of the machine', { timeout: 240_000 }, async () => {
  const played = await playedSituations({ victim: 12_345, stranger: 12_346 }, SHORT);
  expect(played.filter(({ wrong }) => wrong !== null)).toEqual([]);
  expect(played.length).toBeGreaterThan(8);
});

import { expect, test } from 'vitest';
import { likeCampaign } from './campaigns/like.ts';

/** Files that take half of the time, and whose features are in other files or in test/cli/map/map-init-like.test.ts. */
const LONG = [
  'australian-retailer/invoices.csv',
  'continuation-rows/invoices.csv',
  'pipe-billing/extract.txt',
  'uk-billing/contact-notes.csv',
];

/** `npm run campaign -- like` runs the long form. */
test('a mapping from five records makes all records of the file, or asks', { timeout: 240_000 }, async () => {
  // This seed draws examples in which a letter of a constant is in a cell by chance.
  const { violations, counts } = await likeCampaign({ seed: 9, count: 1, without: LONG });
  expect(violations).toEqual([]);
  expect((counts['exact'] ?? 0) + (counts['asked'] ?? 0)).toBeGreaterThanOrEqual(13);
});

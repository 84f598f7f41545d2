import { expect, onTestFinished, test } from 'vitest';
import { openListingStore } from '../../../src/cli/scratch/document-listing.ts';

function listingOf(...paths: readonly string[]) {
  const store = openListingStore();
  onTestFinished(store.close);
  for (const path of paths) store.add(path);
  return store.listing('paths.txt');
}

test('a listing has its paths, and counts those that nobody has asked for', () => {
  const listing = listingOf('a.pdf', 'b/c.pdf', 'd.pdf', 'a.pdf');
  expect(listing.name).toBe('paths.txt');
  expect(listing.counts()).toEqual({ listed: 3, unused: 3 });
  expect(['a.pdf', 'b/c.pdf', 'a.pdf', 'c.pdf', 'e.pdf'].map((path) => listing.has(path))).toEqual([
    true,
    true,
    true,
    // The folder around it is `b/`.
    true,
    false,
  ]);
  expect(listing.counts()).toEqual({ listed: 3, unused: 1 });
});

test('a listing may begin above the folder of the supplier, which is found once', () => {
  const listing = listingOf('out/ACME/a.pdf', 'out/ACME/b/c.pdf', 'other/d.pdf', 'out/ACME/xa.pdf');
  expect(['a.pdf', 'b/c.pdf'].map((path) => listing.has(path))).toEqual([true, true]);
  // The folder is known by now, so another one is not searched.
  expect(listing.has('d.pdf')).toBe(false);
  expect(listing.has('missing.pdf')).toBe(false);
  expect(listing.counts()).toEqual({ listed: 4, unused: 2 });
  expect(listing.has('out/ACME/xa.pdf')).toBe(true);
});

test('a path is no part of a longer name', () => {
  expect(listingOf('out/xa.pdf').has('a.pdf')).toBe(false);
});

test('the folder is looked for with the first twenty paths that are not listed', () => {
  const missing = (times: number) => {
    const listing = listingOf('ACME/a.pdf');
    for (let each = 0; each < times; each++) expect(listing.has(`missing-${each}.pdf`)).toBe(false);
    return listing.has('a.pdf');
  };
  expect([missing(19), missing(20)]).toEqual([true, false]);
});

test('a listing is gone once it is closed', () => {
  const store = openListingStore();
  const listing = store.listing('paths.txt');
  store.close();
  expect(() => listing.counts()).toThrow('not open');
});

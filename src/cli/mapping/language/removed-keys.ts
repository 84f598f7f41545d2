import type { Path } from '../../../core/problem.ts';

const byQuery = (does: string): string => `a query (docs/mapping-recipes.md) ${does}`;

const BY_TOTAL = byQuery(
  'compares the row of the total, which stays in its table: `CASE WHEN (SELECT sum(…) FROM t WHERE …) = (SELECT … FROM t WHERE …) THEN "Amount" END AS checked`',
);

/** Keys that mappings had before, each with what does the same now. A key of a part that has others of its name begins with the part. */
const REMOVED_KEYS: Readonly<Record<string, string>> = {
  expect: byQuery(
    'gives a row no amount that is not as expected: `CASE WHEN … THEN "Amount" END AS checked`',
  ),
  subtotals: byQuery('compares rows of totals: `sum("Amount") FILTER (…) OVER (PARTITION BY "Account")`'),
  'lookup.next': byQuery('joins one table after the other: `LEFT JOIN a ON … LEFT JOIN b ON …`'),
  include: 'a mapping is one file: write the keys of that file here, each one that is not here yet',
  trailing_zeros:
    "`replace: [{ pattern: '([.,]\\d\\d)0+$', with: '$1' }]` drops zeros behind the second decimal",
  empty: 'a list without items is left out anyway',
  ...Object.fromEntries(
    ['over', 'when', 'count_of', 'negate', 'sign', 'replace'].map((key) => [`trailer.${key}`, BY_TOTAL]),
  ),
};

/** What does now what a removed key did, as the end of a sentence; undefined for a key that no mapping ever had. */
export function insteadOfKey(path: Path, key: string): string | undefined {
  const part = ['trailer', 'lookup'].find((name) => path.includes(name));
  return REMOVED_KEYS[part === undefined ? key : `${part}.${key}`];
}

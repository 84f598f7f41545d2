import type { Path } from '../../../core/problem.ts';

/** Keys that mappings had before, each with what does the same now. A query is written as it is typed in `source.sql`, over a table `t`. */
export const REMOVED_KEYS: Readonly<Record<string, string>> = {
  expect:
    'a query gives a row no amount that is not as expected: `SELECT _row, t.*, CASE WHEN "Currency" = \'EUR\' THEN "Amount" END AS checked FROM t`, with `amount: checked`',
  subtotals:
    '`page_lines` leaves rows of totals out, and a query compares them: `SELECT r._row, r.*, CASE WHEN dec_cmp((SELECT dec_sum(x."Amount") FROM t x WHERE x."Account" = r."Account" AND x."Doc" <> \'\'), (SELECT s."Amount" FROM t s WHERE s."Account" = r."Account" AND s."Doc" = \'\')) = 0 THEN r."Amount" END AS checked FROM t r WHERE r."Doc" <> \'\'`, with `amount: checked`',
  include: 'a mapping is one file: write the keys of that file here, each one that is not here yet',
};

/** What does now what a removed key did, as the end of a sentence; undefined for a key that no mapping ever had. */
export function insteadOfKey(_path: Path, key: string): string | undefined {
  return REMOVED_KEYS[key];
}

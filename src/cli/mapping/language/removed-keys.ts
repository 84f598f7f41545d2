import type { Path } from '../../../core/problem.ts';

/** Where a query is written. */
const QUERY = 'a query (`source.sql`, with `source.tables: { t: FILE }`)';

/** A query that gives rows an amount only if a figure of theirs is in the row `TOTAL`, which is a row of the table. A second `TOTAL` is refused. */
const comparedWithTotal = (figure: string, stated = 's."Amount"'): string =>
  `${QUERY} compares the row of the total, which is then a row of the table without \`trailer\`: \`SELECT r._row, r.*, CASE WHEN dec_cmp((SELECT ${figure} FROM t x WHERE x."Account" <> 'TOTAL'), (SELECT dec_sum(${stated}) FROM t s WHERE s."Account" = 'TOTAL')) = 0 THEN r."Amount" END AS checked FROM t r WHERE r."Account" <> 'TOTAL'\`, with \`amount: checked\``;

const OF_A_KIND = comparedWithTotal(`dec_sum(CASE WHEN x."Status" = 'OK' THEN x."Amount" END)`);

/**
 * Keys that mappings had before, each with what does the same now. A key of a part that has others of its name begins with the part. A query is
 * written as it is typed in `source.sql`, over a table `t`.
 */
export const REMOVED_KEYS: Readonly<Record<string, string>> = {
  expect: `${QUERY} gives a row no amount that is not as expected: \`SELECT _row, t.*, CASE WHEN "Currency" = 'EUR' THEN "Amount" END AS checked FROM t\`, with \`amount: checked\``,
  subtotals: `\`page_lines\` leaves rows of totals out. To compare them, ${QUERY} has: \`SELECT r._row, r.*, CASE WHEN dec_cmp((SELECT dec_sum(x."Amount") FROM t x WHERE x."Account" = r."Account" AND x."Doc" <> ''), (SELECT dec_sum(s."Amount") FROM t s WHERE s."Account" = r."Account" AND s."Doc" = '')) = 0 THEN r."Amount" END AS checked FROM t r WHERE r."Doc" <> ''\`, with \`amount: checked\``,
  'lookup.next': `${QUERY} leads through several tables: \`SELECT t._row, t.*, b."Account" AS account FROM t LEFT JOIN a ON a."Refund" = t."Refund" LEFT JOIN b ON b."Payment" = a."Payment"\`, with \`external_account_number: account\``,
  include: 'a mapping is one file: write the keys of that file here, each one that is not here yet',
  'trailer.over': OF_A_KIND,
  'trailer.when': OF_A_KIND,
  'trailer.count_of': comparedWithTotal('count(DISTINCT x."Doc")'),
  'trailer.negate': comparedWithTotal(
    `dec_sum(CASE WHEN x."Side" = 'C' THEN dec_sub('0', x."Amount") ELSE x."Amount" END)`,
  ),
  'trailer.sign': comparedWithTotal(
    'dec_sum(x."Amount")',
    `CASE WHEN s."Side" = 'C' THEN dec_sub('0', s."Amount") ELSE s."Amount" END`,
  ),
  'trailer.replace': comparedWithTotal('dec_sum(x."Amount")', `replace(s."Amount", 'Sum: ', '')`),
};

/** What does now what a removed key did, as the end of a sentence; undefined for a key that no mapping ever had. */
export function insteadOfKey(path: Path, key: string): string | undefined {
  const part = ['trailer', 'lookup'].find((name) => path.includes(name));
  return REMOVED_KEYS[part === undefined ? key : `${part}.${key}`];
}

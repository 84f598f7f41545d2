import type { Path } from '../../../core/problem.ts';

/** Says that a query does the same, with its tables and its text as they are typed below `source`. */
const byQuery = (
  does: string,
  sql: string,
  tables = 't: { file: FILE, types: { Amount: decimal } }',
): string => `a query ${does}, with \`source.tables: { ${tables} }\` and \`source.sql: ${sql}\``;

/** Gives rows an amount only if a figure of theirs is in the row `TOTAL`, which is a row of the table. A second `TOTAL` is an error. */
const comparedWithTotal = (figure: string, stated = 's."Amount"'): string =>
  byQuery(
    'compares the row of the total, and gives `amount: checked`',
    `SELECT r.*, CASE WHEN (SELECT ${figure} FROM t x WHERE x."Account" <> 'TOTAL') = (SELECT ${stated} FROM t s WHERE s."Account" = 'TOTAL') THEN r."Amount" END AS checked FROM t r WHERE r."Account" <> 'TOTAL'`,
  );

const OF_A_KIND = comparedWithTotal(`sum(x."Amount") FILTER (x."Status" = 'OK')`);

/** Keys that mappings had before, each with what does the same now. A key of a part that has others of its name begins with the part. */
export const REMOVED_KEYS: Readonly<Record<string, string>> = {
  expect: byQuery(
    'gives a row no amount that is not as expected (`amount: checked`)',
    `SELECT t.*, CASE WHEN "Currency" = 'EUR' THEN "Amount" END AS checked FROM t`,
  ),
  subtotals: byQuery(
    'compares rows of totals, which `page_lines` leaves out, and gives `amount: checked`',
    `SELECT r.*, CASE WHEN (SELECT sum(x."Amount") FROM t x WHERE x."Account" = r."Account" AND x."Doc" <> '') = (SELECT s."Amount" FROM t s WHERE s."Account" = r."Account" AND s."Doc" = '') THEN r."Amount" END AS checked FROM t r WHERE r."Doc" <> ''`,
  ),
  'lookup.next': byQuery(
    'leads through several tables to `external_account_number: account`',
    'SELECT t.*, b."Account" AS account FROM t LEFT JOIN a ON a."Refund" = t."Refund" LEFT JOIN b ON b."Payment" = a."Payment"',
    't: FILE, a: a.csv, b: b.csv',
  ),
  include: 'a mapping is one file: write the keys of that file here, each one that is not here yet',
  trailing_zeros:
    "`replace: [{ pattern: '([.,]\\d\\d)0+$', with: '$1' }]` drops zeros behind the second decimal",
  empty: 'a list without items is left out anyway',
  'trailer.over': OF_A_KIND,
  'trailer.when': OF_A_KIND,
  'trailer.count_of': comparedWithTotal('count(DISTINCT x."Doc")'),
  'trailer.negate': comparedWithTotal(`sum(CASE WHEN x."Side" = 'C' THEN -x."Amount" ELSE x."Amount" END)`),
  'trailer.sign': comparedWithTotal(
    'sum(x."Amount")',
    `CASE WHEN s."Side" = 'C' THEN -s."Amount" ELSE s."Amount" END`,
  ),
  'trailer.replace': byQuery(
    'compares the line of the total as text, and gives `amount: checked`',
    `SELECT t.*, CASE WHEN (SELECT sum("Amount")::VARCHAR FROM t) = (SELECT replace("Amount", 'Sum: ', '') FROM s WHERE "Account" = 'TOTAL') THEN "Amount" END AS checked FROM t`,
    "t: { file: FILE, page_lines: ['^TOTAL'], types: { Amount: decimal } }, s: FILE",
  ),
};

/** What does now what a removed key did, as the end of a sentence; undefined for a key that no mapping ever had. */
export function insteadOfKey(path: Path, key: string): string | undefined {
  const part = ['trailer', 'lookup'].find((name) => path.includes(name));
  return REMOVED_KEYS[part === undefined ? key : `${part}.${key}`];
}

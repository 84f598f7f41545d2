import { inputCode, unfinishedCode, usageCode, warningCode, type ErrorCodeEntry } from './entry.ts';

const CORRECT_QUERY = 'Correct `source.sql` in the mapping file.';

/** The query of a mapping file is refused, or its result cannot be sent. */
export const QUERY_CODES = {
  query_invalid: usageCode('the query cannot be used: {reason}', CORRECT_QUERY),
  query_function_refused: usageCode(
    '`{name}` on line {line} of the query is refused, because its result is no exact decimal or not the same each time',
    'Write {instead}.',
  ),
  query_arithmetic: usageCode(
    '`{operator}` on line {line} of the query would calculate with floats',
    'Write dec_add, dec_sub or dec_mul; only whole numbers may be calculated so: `_row`, or `CAST(… AS INTEGER)`.',
  ),
  query_makes_float: usageCode(
    'the query has {reason}, which is a float',
    "Write the number as a text, such as '0.19', and calculate with dec_add, dec_sub or dec_mul.",
  ),
  query_text_order: usageCode(
    '`{column}` has numbers, and line {line} of the query compares them as texts, so that 10 is before 9',
    'Write `CAST({column} AS INTEGER)` for whole numbers, and `dec_cmp({column}, …) > 0` for decimals.',
  ),
  query_group_unclear: usageCode(
    '`{name}` on line {line} of the query is not grouped, so it would be that of any row of the group',
    'Name the column in GROUP BY, or aggregate it. The rows of a group are `group_concat(_row) AS _row`.',
  ),
  query_row_missing: usageCode(
    'the result has no `_row` of the first table `{table}`, so its rows cannot be accounted for',
    'Select `{table}._row`, or `group_concat({table}._row) AS _row` for groups.',
  ),
  query_columns_alike: usageCode(
    '{file} has the column `{name}`, which SQL cannot tell from `{other}`',
    'Rename the column in the file.',
  ),
  query_reads_one_file: usageCode(
    'the query of {mapping} reads one file for its first table, so it does not take several files',
    'Give one file, and correct rows in it.',
  ),
  query_file_missing: usageCode(
    'the command names no file, and no mapping with `source.tables`',
    'Name a file, or give --map with a mapping that has a query.',
  ),
  query_takes_too_long: unfinishedCode(
    'the query was ended, because it had no row for {seconds} s',
    'Compare columns with `=` in JOIN and WHERE, so that not every row is compared with every other.',
  ),
  query_row_unknown: usageCode(
    'a row of the result has a `_row` that the first table `{table}` does not have',
    'Select `{table}._row` itself, of a row that is there for every row of the result.',
  ),
  query_tables_wrong: inputCode(
    'the query was not run, because its tables have problems: {count}',
    'Correct the rows in the files of the tables. A query over some of the rows could choose wrong ones.',
  ),
  query_value_unread: inputCode(
    '`{call}` cannot read a value of the query: it {reason}',
    "Correct the cell. An empty cell that counts as zero is `coalesce(nullif(column, ''), '0')`.",
  ),
  query_value_kind: inputCode(
    'the query gives {kind} and no text',
    'Calculate decimals with dec_add, dec_sub or dec_mul.',
  ),
  query_row_repeated: warningCode(
    'the query uses rows of `{table}` for several records, so often: {count}',
    'Correct the JOIN, or write `rows: many` in `source` when one row is several records.',
  ),
  query_table_left: warningCode(
    'rows of `{table}` that are in no row of the result: {count} of {all}',
    'Look whether the JOIN should find them.',
  ),
  query_table_not_counted: warningCode(
    'the rows of `{table}` are looked up and not counted',
    'Select `{table}._row AS {table}_row` to have them counted, and their cells named in problems.',
  ),
} as const satisfies Record<string, ErrorCodeEntry>;

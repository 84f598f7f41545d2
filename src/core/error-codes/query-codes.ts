import { inputCode, unfinishedCode, usageCode, type ErrorCodeEntry } from './entry.ts';

/** The query of a mapping file is refused, or its result cannot be sent. */
export const QUERY_CODES = {
  query_invalid: usageCode(
    'the query cannot be used: {reason}',
    'Correct `source.sql` in the mapping file; docs/mapping-recipes.md says what a query may do. Files belong to `source.tables`.',
  ),
  query_type_missing: usageCode(
    'the query {use}, which is text',
    'Declare what the column is in `types` of its table: integer, decimal, date or datetime; or text, to order it as text. Compare a date itself, not a text of `strftime`.',
  ),
  query_float: usageCode(
    '{what} of the query is a float, which is not exact',
    'Write CAST(… AS DECIMAL(18, 2)) around the division or the average.',
  ),
  query_row_missing: usageCode(
    'the rows of the result cannot be traced to rows of the first table `{table}`',
    'Select `_row` of `{table}` in each subquery, under the name that it has there (`b._row`); in a subquery with GROUP BY, `list(b._row) AS _row`.',
  ),
  query_row_repeated: usageCode(
    '{what} more than once',
    'Correct the JOIN, or write `rows: many` in `source` when one row is several records.',
  ),
  query_columns_alike: usageCode(
    '{table} has the column `{name}`, which SQL cannot tell from `{other}`',
    'Rename the column in the file, or name all columns: `header: false` with `skip_lines: 1` and `columns` for its table.',
  ),
  query_reads_one_file: usageCode(
    'the query of {mapping} reads one file for its first table, so it does not take several files',
    'Give one file, and correct rows in it.',
  ),
  query_file_missing: usageCode(
    'the command names no file, and no mapping with `source.tables`',
    'Name a file, or give --map with a mapping that has a query.',
  ),
  query_database_missing: usageCode(
    'this installation has no DuckDB, which runs the query of a mapping',
    'Use the npm package in place of the executable: README.md says how to install it.',
  ),
  query_ended: unfinishedCode(
    'the query was ended: {reason}',
    'Compare columns with `=` in JOIN and WHERE, so that not every row is compared with every other.',
  ),
  query_tables_wrong: inputCode(
    'the query was not run, because its tables have problems: {count}',
    'Correct the rows in the files of the tables. A query over some of the rows could choose wrong ones.',
  ),
} as const satisfies Record<string, ErrorCodeEntry>;

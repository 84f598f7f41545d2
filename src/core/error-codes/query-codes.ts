import { inputCode, unfinishedCode, usageCode, type ErrorCodeEntry } from './entry.ts';

/** The query of a mapping file is refused, or its result cannot be sent. */
export const QUERY_CODES = {
  query_invalid: usageCode(
    'the query cannot be used: {reason}',
    '{todo|Correct `source.sql` in the mapping file: files belong to `source.tables`, and the type of a column that is no text to `types` of its table (docs/mapping-recipes.md).}',
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

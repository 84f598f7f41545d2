import { usageCode, type ErrorCodeEntry } from './entry.ts';

/** The query of a mapping file is refused, or its result cannot be sent. */
export const QUERY_CODES = {
  query_invalid: usageCode(
    'the query cannot be used: {reason}',
    '{todo|Correct `source.sql` in the mapping file: files belong to `source.tables`, and the type of a column that is no text to `types` of its table (docs/mapping-recipes.md).}',
  ),
} as const satisfies Record<string, ErrorCodeEntry>;

import * as z from 'zod/mini';
import type { Inspection } from '../inspect/inspection.ts';
import { exitDocument, type JsonDocument } from './json.ts';

const count = z.int().check(z.minimum(0));
const places = z.strictObject({ count, lines: z.array(z.int().check(z.minimum(1))) });
const certainty = z.enum(['proven', 'assumed', 'open']);
const lineEnds = z.strictObject({ lf: count, crlf: count, cr: count });

const encoding = z.strictObject({
  name: z.nullable(z.string()),
  certainty,
  because: z.string(),
  byte_order_mark: z.boolean(),
  candidates: z.array(z.strictObject({ name: z.string(), possible: z.boolean(), because: z.string() })),
  choices: z.optional(
    z.array(z.strictObject({ name: z.string(), characters: z.array(z.string()), language: z.string() })),
  ),
  places: z.array(
    z.strictObject({ line: count, byte: count, hex: z.string(), readings: z.record(z.string(), z.string()) }),
  ),
});

const text = z.strictObject({
  lines: count,
  double_encoded: places,
  replacement_characters: places,
  inner_byte_order_marks: places,
  control_characters: places,
  nulls: places,
  lone_carriage_returns: places,
  cut_lines: places,
  lengths: z.strictObject({ shortest: count, longest: count }),
  line_ends: lineEnds,
  ends_with_line_end: z.boolean(),
});

const layout = z.strictObject({
  delimiter: z.nullable(z.string().check(z.length(1))),
  certainty,
  because: z.string(),
  quote: z.nullable(z.string().check(z.length(1))),
  escape: z.nullable(z.string().check(z.length(1))),
  candidates: z.array(
    z.strictObject({
      delimiter: z.string().check(z.length(1)),
      rows: count,
      widths: z.array(z.strictObject({ cells: count, rows: count, lines: z.array(count) })),
      has_header: z.boolean(),
    }),
  ),
  width: count,
  header: z.strictObject({ line: z.int().check(z.minimum(1)), looks_like_header: z.boolean() }),
  has_separator_line: z.boolean(),
  fixed: z.nullable(z.strictObject({ length: count, widths: z.array(count) })),
});

const table = z.strictObject({
  rows: count,
  columns_left_out: count,
  blank_lines: places,
  ragged: places,
  repeated_headers: places,
  empty_rows: places,
  subtotals: z.array(z.strictObject({ column: count, word: z.string(), count, lines: z.array(count) })),
  trailer: z.nullable(
    z.strictObject({
      line: count,
      cells: count,
      mark: z.nullable(z.strictObject({ cell: count, text: z.string() })),
      has_other_width: z.boolean(),
      count_cells: z.array(count),
      sums: z.array(z.strictObject({ cell: count, column: count, decimal_mark: z.enum(['.', ',']) })),
    }),
  ),
  line_ends: lineEnds,
  line_ends_in_quotes: places,
  quoted_cells: count,
  bare_quotes: places,
  text_after_quote: places,
  unclosed_quotes: places,
});

const numbers = z.strictObject({
  count,
  integers: count,
  marks: z.array(
    z.strictObject({
      decimal_mark: z.enum(['.', ',']),
      thousands_mark: z.nullable(z.string()),
      fits: count,
      exceptions: places,
    }),
  ),
  deciding: count,
  ambiguous: places,
  signs: z.array(z.strictObject({ sign: z.string(), count })),
  suffixes: z.array(z.strictObject({ suffix: z.string(), count })),
  currencies: z.array(z.strictObject({ currency: z.string(), count })),
});

const dates = z.strictObject({
  count,
  formats: z.array(
    z.strictObject({
      format: z.string(),
      kind: z.enum(['date', 'datetime']),
      order: z.nullable(z.enum(['day_first', 'month_first'])),
      has_short_year: z.boolean(),
      has_offset: z.boolean(),
      fits: count,
      exceptions: places,
    }),
  ),
  deciding_order: count,
  months: z.nullable(z.array(z.string())),
  century_days: count,
  times: z.array(z.strictObject({ format: z.string(), count })),
});

const column = z.strictObject({
  column: z.int().check(z.minimum(1)),
  name: z.nullable(z.string()),
  filled: count,
  empty: count,
  distinct: z.strictObject({ count, is_exact: z.boolean() }),
  repeats: places,
  repeats_previous: places,
  kinds: z.array(z.strictObject({ kind: z.string(), count })),
  lengths: z.strictObject({ shortest: count, longest: count }),
  patterns: z.array(z.strictObject({ pattern: z.string(), count })),
  null_tokens: z.array(z.strictObject({ token: z.string(), count })),
  numbers: z.nullable(numbers),
  dates: z.nullable(dates),
  leading_zeros: count,
  digit_counts: z.array(z.strictObject({ digits: count, count })),
  spaces_around: places,
  unusual_spaces: places,
  invisible_characters: places,
  line_breaks: places,
  damage: z.array(z.strictObject({ kind: z.string(), count, lines: z.array(count) })),
  examples: z.nullable(z.array(z.string())),
});

/** What `inspect --json` prints. */
export const INSPECT_DOCUMENT = z.strictObject({
  version: z.literal(1),
  exit: z.strictObject({ code: z.literal(0), name: z.literal('OK') }),
  file: z.string(),
  bytes: count,
  sha256: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
  is_compressed: z.boolean(),
  binary: z.nullable(z.string()),
  ends_with_substitute: z.boolean(),
  content: z.nullable(
    z.strictObject({
      encoding,
      markup: z.nullable(z.string()),
      text,
      layout,
      table,
      columns: z.array(column),
    }),
  ),
  next: z.string(),
});

/** The document of an inspection. The header stands in it once, as the names of the columns. */
export function inspectDocumentOf(inspection: Inspection, next: string): JsonDocument {
  const plain = snakeKeys(inspection) as object;
  return INSPECT_DOCUMENT.parse({ version: 1, exit: exitDocument('OK'), ...plain, next }) as JsonDocument;
}

/** For finding things out, not for showing them. */
const INNER = ['values', 'names', 'blankPositions'];

function snakeKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(snakeKeys);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !INNER.includes(key))
      .map(([key, inner]) => [
        key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
        snakeKeys(inner),
      ]),
  );
}

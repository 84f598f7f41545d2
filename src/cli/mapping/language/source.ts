import * as z from 'zod/mini';
import { RFC_4180, SOURCE_ENCODINGS, type SourceFormat, type TrailerMark } from '../../csv/source-format.ts';
import {
  filledList,
  filledText,
  oneCharacter,
  oneOrMore,
  pattern,
  text,
  wholeNumber,
  withOneOf,
  yesNo,
} from './schemas.ts';
import { STEP_DEFAULTS } from './step-problem.ts';
import {
  CELL_KEYS,
  DATE_KEYS,
  dateFormats,
  FLAG_KEYS,
  NUMBER_KEYS,
  UNIT_KEYS,
  type StepSpec,
} from './steps.ts';
import { described, optionalKey } from '../../../core/schema.ts';
import { literalPattern } from '../../../core/values/literal-pattern.ts';

const fixedColumn = withOneOf(
  z.strictObject({
    name: optionalKey(filledText(), 'Name of the column.'),
    width: optionalKey(wholeNumber(1, 100_000), 'Number of characters.'),
    skip: optionalKey(wholeNumber(1, 100_000), 'Number of characters that belong to no column.'),
  }),
  [['name', 'width'], ['skip']],
);

const trailerSum = z.strictObject({
  cell: described(wholeNumber(1, 10_000), 'The cell with the sum, counted from 1.'),
  column: described(filledText(), 'The column that is added up.'),
  ...NUMBER_KEYS,
  unit: described(z.clone(UNIT_KEYS.unit), 'The unit of the cell, when it differs from that of the column.'),
  minor_digits: described(z.clone(UNIT_KEYS.minor_digits), 'Digits of the minor unit. Default: 2.'),
});

const trailerKeys = z.strictObject({
  cell: described(wholeNumber(1, 10_000), 'The cell, counted from 1, that marks the row.'),
  equals: optionalKey(filledText(), 'The text of that cell.'),
  starts_with: optionalKey(filledText(), 'The beginning of that cell, instead of `equals`.'),
  matches: optionalKey(
    pattern(),
    'A regular expression (RE2) that matches in that cell, instead of `equals`.',
  ),
  fixed: optionalKey(
    filledList(z.strictObject({ width: wholeNumber(1, 100_000) })),
    'How the line is cut, with `source.fixed`.',
  ),
  count: optionalKey(
    wholeNumber(1, 10_000),
    'The cell with the number of rows. Texts before and behind the number are allowed.',
  ),
  sums: optionalKey(
    filledList(trailerSum),
    'Cells with the exact sum of a column over the rows: `{ cell: 3, column: Amount }`.',
  ),
});

const trailer = withOneOf(trailerKeys, [['equals'], ['starts_with'], ['matches']]);

/** Lines are passed over until the header. */
const UNTIL_HEADER = 'until header';

const sourceKeys = {
  type: optionalKey(
    z.enum(['csv', 'jsonl']),
    '`jsonl` for JSON Lines, whose columns are key paths such as account.number. Default: `jsonl` for a file named .jsonl or .ndjson, else `csv`.',
  ),
  encoding: optionalKey(z.enum(SOURCE_ENCODINGS), 'The encoding of the file. Default: utf-8.'),
  delimiter: optionalKey(filledText(), "The character, or the text, between cells. Default: ','."),
  quote: optionalKey(
    text((value) => (value === 'none' || [...value].length === 1 ? undefined : 'one character, or `none`'), {
      anyOf: [{ const: 'none' }, { type: 'string', minLength: 1, maxLength: 1 }],
    }),
    "The character around cells that need it, or `none`. Default: '\"'.",
  ),
  escape: optionalKey(
    oneCharacter(),
    'The character before a quote inside quotes. Default: the quote itself.',
  ),
  skip: optionalKey(
    z.enum([UNTIL_HEADER]),
    '`until header`: all lines before the one with the columns of the mapping are passed over.',
  ),
  skip_lines: optionalKey(
    wholeNumber(0, 1_000_000),
    'How many lines are above the header, or above the first row of a file without one. Default: 0.',
  ),
  end_mark: optionalKey(
    yesNo(),
    'Whether the file ends with the end mark of DOS (byte 1A), which is left out. Default: false.',
  ),
  header: optionalKey(yesNo(), '`false`: the file has no header, and `columns` names its cells.'),
  columns: optionalKey(filledList(filledText()), 'Names of the cells of a file without a header.'),
  fixed: optionalKey(filledList(fixedColumn), 'Columns at fixed places, instead of a delimiter.'),
  right_trimmed: optionalKey(
    yesNo(),
    'Whether lines of fixed columns have lost the spaces at their ends. Default: false; a shorter line was cut off.',
  ),
  repeated_header: optionalKey(
    z.enum(['skip']),
    '`skip`: rows that repeat the header, as on every page of a report, are left out. Default: they are errors.',
  ),
  page_lines: optionalKey(
    filledList(pattern()),
    'Regular expressions (RE2) of lines that are no rows, such as the numbers of pages. They are left out.',
  ),
  ...CELL_KEYS,
  ...NUMBER_KEYS,
  date_format: optionalKey(dateFormats(), 'How dates are written. Default: yyyy-MM-dd.'),
  datetime_format: optionalKey(dateFormats(), 'How date-times are written. Default: iso.'),
  ...DATE_KEYS,
  ...FLAG_KEYS,
};

const trailerKey = {
  trailer: optionalKey(
    oneOrMore(trailer),
    'The last row is a control record and no data. A list for several such rows, in any order.',
  ),
};

const columnType = z.pipe(
  z.union([
    z.enum(['text', 'integer', 'decimal', 'date', 'datetime']),
    z.strictObject({ date: described(dateFormats(), 'How its dates are written.') }),
    z.strictObject({ datetime: described(dateFormats(), 'How its date-times are written.') }),
  ]),
  z.transform((type) => {
    if (typeof type === 'string') return { kind: type };
    return 'date' in type
      ? { kind: 'date' as const, format: type.date }
      : { kind: 'datetime' as const, format: type.datetime };
  }),
);

const queryTableKeys = z
  .strictObject({
    file: described(filledText(), 'A file of CSV or JSON Lines, relative to the mapping file.'),
    ...sourceKeys,
    ...trailerKey,
    types: optionalKey(
      z.record(filledText(), columnType),
      'What the columns are that are more than text, such as `{ Gross: decimal, Issued: { date: dd.MM.yyyy } }`; `text` for one that the query orders as text.',
    ),
  })
  .register(z.globalRegistry, { id: 'table' });

/** A file without keys of its own is its name alone. */
const queryTable = z.pipe(
  z.union([filledText(), queryTableKeys]),
  z.transform((table) => (typeof table === 'string' ? { file: table } : table)),
);

const tableName = text((name) =>
  /^(?!duckdb_|pg_|pragma_|sqlite_)[a-z][a-z0-9_]*$/.test(name)
    ? undefined
    : 'a name of lower-case letters, digits and _, such as bills',
);

/** The file of the records, and how it writes values. */
export const sourceSchema = z
  .strictObject({
    ...sourceKeys,
    ...trailerKey,
    tables: optionalKey(
      z.record(tableName, queryTable),
      'Files that `sql` reads, each under the name of a table. The rows of the first one are accounted for.',
    ),
    sql: optionalKey(filledText(), 'One SELECT over `tables`, whose result has the columns of the mapping.'),
    rows: optionalKey(
      z.enum(['many']),
      '`many`: the query may use a row of the first table for several records. Default: it is an error.',
    ),
  })
  .register(z.globalRegistry, { id: 'source' });

/** A second file, which has no control record. */
export const joinedSourceSchema = z
  .strictObject(sourceKeys)
  .register(z.globalRegistry, { id: 'joined_source' });

export type SourceSpec = z.output<typeof sourceSchema>;
/** A file that a query reads. */
export type QueryTableSpec = z.output<typeof queryTableKeys>;
/** What a column of such a file is, perhaps with its formats. */
export type ColumnTypeSpec = z.output<typeof columnType>;
/** A control record. */
export type TotalSpec = z.output<typeof trailer>;
export type TrailerSumSpec = z.output<typeof trailerSum>;

/** How the reader cuts the file into cells. `columns`: names that the header has to have. */
export function sourceFormatOf(source: SourceSpec = {}, columns: readonly string[] = []): SourceFormat {
  const { quote = RFC_4180.quote, escape = quote, fixed } = source;
  return {
    isJsonLines: source.type === undefined ? null : source.type === 'jsonl',
    encoding: source.encoding ?? RFC_4180.encoding,
    delimiter: source.delimiter ?? RFC_4180.delimiter,
    quote: quote === 'none' ? null : quote,
    escape: quote === 'none' ? null : escape,
    hasNullMarks: source.null_tokens?.includes(String.raw`\N`) ?? false,
    skipLines: source.skip_lines ?? 0,
    untilHeader: source.skip === undefined ? null : columns,
    header: source.columns ?? 'first_row',
    fixed: fixed
      ? fixed.map(({ name, width, skip }) => ({ name: name ?? null, width: width ?? skip! }))
      : null,
    rightTrimmed: source.right_trimmed ?? false,
    totals: (source.trailer ?? []).map(trailerMarkOf),
    skipsRepeatedHeaders: source.repeated_header === 'skip',
    pageLines: source.page_lines ?? [],
    endMark: source.end_mark ?? false,
  };
}

function trailerMarkOf({ cell, equals, starts_with: start = '', matches, fixed }: TotalSpec): TrailerMark {
  return {
    cell,
    mark: equals === undefined ? { matches: matches ?? `^${literalPattern(start)}` } : { equals },
    // A column without a name would be a gap and leave no cell.
    fixed: fixed?.map(({ width }, index) => ({ name: `${index + 1}`, width })) ?? null,
  };
}

/** Keys that say which lines of a file are rows, and where its columns are. */
export const LAYOUT_KEYS = [
  'skip',
  'skip_lines',
  'end_mark',
  'header',
  'columns',
  'fixed',
  'right_trimmed',
  'trailer',
  'repeated_header',
  'page_lines',
] as const;

/** Keys that describe one file alone, and not every file of a supplier. */
const ONE_FILE_KEYS: readonly string[] = ['type', 'tables', 'sql', 'rows', ...LAYOUT_KEYS];

/** A query instead of a file, with its tables; the first one is accounted for. */
export type QuerySpec = Readonly<{
  sql: string;
  tables: readonly (readonly [name: string, spec: QueryTableSpec])[];
  mayRepeat: boolean;
}>;

/** The query of a source; undefined for a source that is a file. */
export function querySpecOf({ sql, tables, rows }: SourceSpec = {}): QuerySpec | undefined {
  if (sql === undefined || tables === undefined) return undefined;
  return { sql, tables: Object.entries(tables), mayRepeat: rows === 'many' };
}

/** The source of a second file: its own keys, else those keys of the first file that describe every file of the supplier. */
export function joinedSource(source: SourceSpec = {}, own: SourceSpec = {}): SourceSpec {
  const shared = Object.entries(source).filter(([key]) => !ONE_FILE_KEYS.includes(key));
  return { ...Object.fromEntries(shared), ...own };
}

/** The keys that a field has itself. */
type OwnSteps = { readonly [Key in keyof StepSpec]?: StepSpec[Key] | undefined };

/** The steps of a field: its own keys, else those of the source, else the defaults. */
export function stepSpecOf(source: SourceSpec = {}, own: OwnSteps = {}, kind?: string): StepSpec {
  const format =
    kind === 'datetime' ? (source.datetime_format ?? ['iso']) : (source.date_format ?? ['yyyy-MM-dd']);
  const merged: StepSpec = { ...STEP_DEFAULTS, format, ...given(source), ...given(own) };
  // A field with a decimal mark of its own has numbers of its own, whose groups the source does not know.
  return hasOneMark(merged) && own.thousands_mark === undefined
    ? { ...merged, thousands_mark: undefined }
    : merged;
}

/** Whether one character would be between groups of digits and before the decimals. */
export function hasOneMark({
  decimal_mark,
  thousands_mark,
}: Pick<SourceSpec, 'decimal_mark' | 'thousands_mark'>): boolean {
  return decimal_mark !== undefined && decimal_mark === (thousands_mark === 'indian' ? ',' : thousands_mark);
}

function given(spec: object): object {
  return Object.fromEntries(Object.entries(spec).filter(([, value]) => value !== undefined));
}

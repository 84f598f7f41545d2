import * as z from 'zod/mini';
import { described } from '../../../core/schema.ts';
import { SOURCE_ENCODINGS } from '../../csv/source-format.ts';
import type { NEGATIVE_SIGNS, THOUSANDS_MARKS } from '../number-format.ts';
import { withOneOf } from './exclusive-keys.ts';
import { CELL_KEYS, DATE_KEYS, dateFormats, FLAG_KEYS, NUMBER_KEYS, replacements } from './step-keys.ts';
import type { Replacement } from '../replacement.ts';
import { filledText, oneCharacter, pattern, text, wholeNumber, yesNo } from './scalars.ts';

/** A column at a fixed place, or characters between two of them. */
const fixedColumn = withOneOf(
  z.strictObject({
    name: described(z.optional(filledText()), 'Name of the column.'),
    width: described(z.optional(wholeNumber(1, 100_000)), 'Characters.'),
    skip: described(z.optional(wholeNumber(1, 100_000)), 'Characters that belong to no column.'),
  }),
  [['name', 'width'], ['skip']],
);

const trailerSum = z.strictObject({
  cell: described(wholeNumber(1, 10_000), 'The cell, counted from 1, that holds the sum.'),
  column: described(filledText(), 'The column that is added up.'),
  decimal_mark: NUMBER_KEYS.decimal_mark,
  thousands_mark: NUMBER_KEYS.thousands_mark,
  negative: NUMBER_KEYS.negative,
  unit: described(
    z.optional(z.enum(['major', 'minor'])),
    'What the cell holds, when it differs from the column.',
  ),
  minor_digits: described(z.optional(wholeNumber(0, 4)), 'Digits of the minor unit. Default: 2.'),
});

const trailer = withOneOf(
  z.strictObject({
    cell: described(
      wholeNumber(1, 10_000),
      'The cell, counted from 1, by which the control record is known.',
    ),
    equals: described(z.optional(filledText()), 'The text of that cell.'),
    starts_with: described(z.optional(filledText()), 'The beginning of that cell, in place of `equals`.'),
    matches: described(
      z.optional(pattern()),
      'A regular expression that has to be found in that cell, in place of `equals`.',
    ),
    replace: described(
      z.optional(replacements()),
      'What is replaced in its cells before they are read, as for a field.',
    ),
    fixed: described(
      z.optional(z.array(z.strictObject({ width: wholeNumber(1, 100_000) })).check(z.minLength(1))),
      'How the line of the control record is cut, with `source.fixed`.',
    ),
    count: described(z.optional(wholeNumber(1, 10_000)), 'The cell that holds how many rows there are.'),
    count_of: described(
      z.optional(z.enum(['rows', 'records'])),
      'What is counted: rows of the file, or records after rows that continue others. Default: rows.',
    ),
    sums: described(
      z.optional(z.array(trailerSum).check(z.minLength(1))),
      'Cells that hold the exact sum of a column over all rows: `{ cell: 3, column: Amount }`.',
    ),
  }),
  [['equals'], ['starts_with'], ['matches']],
);

const sourceKeys = {
  encoding: described(z.optional(z.enum(SOURCE_ENCODINGS)), 'Default: utf-8.'),
  delimiter: described(z.optional(oneCharacter()), "What stands between cells. Default: ','."),
  quote: described(
    z.optional(
      text(
        (value) => (value === 'none' || [...value].length === 1 ? undefined : 'one character, or `none`'),
        {
          anyOf: [{ const: 'none' }, { type: 'string', minLength: 1, maxLength: 1 }],
        },
      ),
    ),
    "What stands around cells that need it, or `none`. Default: '\"'.",
  ),
  escape: described(
    z.optional(oneCharacter()),
    'What stands before a quote inside quotes. Default: the quote itself.',
  ),
  skip_lines: described(z.optional(wholeNumber(0, 1_000_000)), 'Lines before the header. Default: 0.'),
  end_mark: described(
    z.optional(yesNo()),
    'The file ends with the end mark of DOS (byte 1A), which is left out. Default: false.',
  ),
  header: described(z.optional(yesNo()), 'False: the file has no header, and `columns` names its cells.'),
  columns: described(
    z.optional(z.array(filledText()).check(z.minLength(1))),
    'Names of the cells of a file without a header.',
  ),
  fixed: described(
    z.optional(z.array(fixedColumn).check(z.minLength(1))),
    'Columns at fixed places, in place of a delimiter.',
  ),
  right_trimmed: described(
    z.optional(yesNo()),
    'Whether lines of fixed columns have lost the spaces at their ends. Default: false, a shorter line is cut.',
  ),
  ...CELL_KEYS,
  ...NUMBER_KEYS,
  date_format: described(z.optional(dateFormats()), 'How dates are written. Default: yyyy-MM-dd.'),
  datetime_format: described(z.optional(dateFormats()), 'How date-times are written. Default: iso.'),
  ...DATE_KEYS,
  ...FLAG_KEYS,
};

/** What the file of the records is, and how it writes values. */
export const sourceSchema = z
  .strictObject({
    ...sourceKeys,
    trailer: described(z.optional(trailer), 'The last row is a control record and no data.'),
  })
  .register(z.globalRegistry, { id: 'source' });

/** The same for a second file, which has no control record. */
export const joinedSourceSchema = z
  .strictObject(sourceKeys)
  .register(z.globalRegistry, { id: 'joined_source' });

/** What a mapping file says of a source, as it stands there. */
export interface SourceSpec {
  readonly encoding?: (typeof SOURCE_ENCODINGS)[number];
  readonly delimiter?: string;
  readonly quote?: string;
  readonly escape?: string;
  readonly skip_lines?: number;
  readonly header?: boolean;
  readonly columns?: readonly string[];
  readonly end_mark?: boolean;
  readonly fixed?: readonly { readonly name?: string; readonly width?: number; readonly skip?: number }[];
  readonly right_trimmed?: boolean;
  readonly trailer?: TrailerSpec;
  readonly trim?: boolean;
  readonly null_tokens?: readonly string[];
  readonly decimal_mark?: string;
  readonly thousands_mark?: (typeof THOUSANDS_MARKS)[number];
  readonly negative?: readonly (typeof NEGATIVE_SIGNS)[number][];
  readonly positive_suffixes?: readonly string[];
  readonly negative_suffixes?: readonly string[];
  readonly date_format?: readonly string[];
  readonly datetime_format?: readonly string[];
  readonly time_zone?: string;
  readonly fold?: 'earlier' | 'later';
  readonly century?: number;
  readonly months?: readonly string[];
  readonly true_tokens?: readonly string[];
  readonly false_tokens?: readonly string[];
}

/** The control record, as the mapping file describes it. */
export interface TrailerSpec {
  readonly cell: number;
  readonly equals?: string;
  readonly starts_with?: string;
  readonly matches?: string;
  readonly replace?: readonly Replacement[];
  readonly fixed?: readonly { readonly width: number }[];
  readonly count?: number;
  readonly count_of?: 'rows' | 'records';
  readonly sums?: readonly TrailerSumSpec[];
}

/** A cell of the control record that holds the sum of a column. */
export interface TrailerSumSpec {
  readonly cell: number;
  readonly column: string;
  readonly decimal_mark?: string;
  readonly thousands_mark?: (typeof THOUSANDS_MARKS)[number];
  readonly negative?: readonly (typeof NEGATIVE_SIGNS)[number][];
  readonly unit?: 'major' | 'minor';
  readonly minor_digits?: number;
}

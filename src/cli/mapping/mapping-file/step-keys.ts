import * as z from 'zod/mini';
import { described } from '../../../core/schema.ts';
import { isTimeZone } from '../../../core/values/local-time.ts';
import { datePattern, SPECIAL_FORMATS } from '../date-format.ts';
import { NEGATIVE_SIGNS, THOUSANDS_MARKS } from '../number-format.ts';
import { publish } from './published.ts';
import {
  filledText,
  objectTo,
  oneCharacter,
  oneOrMore,
  pattern,
  text,
  wholeNumber,
  yesNo,
} from './scalars.ts';
import type { Replacement } from '../replacement.ts';

/** How cells become texts; `source` says it for all fields, a field for itself. */
export const CELL_KEYS = {
  trim: described(
    z.optional(yesNo()),
    'Whether white space at both ends of a cell is removed. Default: false.',
  ),
  null_tokens: described(
    z.optional(z.array(text())),
    "Cells that stand for no value. Default: [''], the empty cell.",
  ),
};

/** How numbers are written. */
export const NUMBER_KEYS = {
  decimal_mark: described(z.optional(oneCharacter()), "What stands before the decimals. Default: '.'."),
  thousands_mark: described(
    z.optional(z.enum(THOUSANDS_MARKS)),
    'What stands between groups of three digits; `space` is every kind of space. Default: none.',
  ),
  negative: described(
    z.optional(z.array(z.enum(NEGATIVE_SIGNS))),
    'How negative numbers are marked; several may occur. Default: [leading].',
  ),
  positive_suffixes: described(
    z.optional(z.array(filledText())),
    'Texts after a number that leave it positive, such as DR. Case-sensitive.',
  ),
  negative_suffixes: described(
    z.optional(z.array(filledText())),
    'Texts after a number that make it negative, such as CR. Case-sensitive.',
  ),
};

/** Patterns and what takes the place of what they find. */
export function replacements() {
  return z.array(z.strictObject({ pattern: pattern(), with: text() })).check(z.minLength(1));
}

/** One date format or several, of tokens or by name. */
export function dateFormats() {
  const format = text(
    (value) => {
      if ((SPECIAL_FORMATS as readonly string[]).includes(value)) return undefined;
      const read = datePattern(value);
      return typeof read === 'string' ? `a date format: ${read}` : undefined;
    },
    { type: 'string', minLength: 1 },
  );
  return oneOrMore(format);
}

function century() {
  const schema = wholeNumber(100, 9900).check((context) =>
    objectTo(context, context.value % 100 === 0 ? undefined : 'a century such as 2000'),
  );
  return publish(schema, { type: 'integer', minimum: 100, maximum: 9900, multipleOf: 100 });
}

function months() {
  const schema = z.array(filledText()).check((context) => {
    const names = new Set(context.value.map((name) => name.toLowerCase()));
    const isFine = context.value.length === 12 && names.size === 12;
    objectTo(context, isFine ? undefined : 'a list of 12 different names, from January to December');
  });
  return publish(schema, {
    type: 'array',
    items: { type: 'string', minLength: 1 },
    minItems: 12,
    maxItems: 12,
  });
}

/** What formats leave open. */
export const DATE_KEYS = {
  time_zone: described(
    z.optional(
      text((value) => (isTimeZone(value) ? undefined : 'the name of a time zone, such as Europe/London'), {
        type: 'string',
      }),
    ),
    'The zone of times that are written without an offset, such as Europe/London.',
  ),
  fold: described(
    z.optional(z.enum(['earlier', 'later'])),
    'Which instant is meant by a time that occurs twice. Without it such a time is an error.',
  ),
  century: described(z.optional(century()), 'The century of years with two digits (`yy`), such as 2000.'),
  months: described(
    z.optional(months()),
    'What `MMM` stands for: the names of the 12 months, in their order and as they are written apart from upper and lower case. Default: Jan to Dec.',
  ),
};

/** How booleans are written. */
export const FLAG_KEYS = {
  true_tokens: described(
    z.optional(z.array(text()).check(z.minLength(1))),
    "Cells that say yes. Default: ['true'].",
  ),
  false_tokens: described(
    z.optional(z.array(text()).check(z.minLength(1))),
    "Cells that say no. Default: ['false'].",
  ),
};

/** Everything that the steps of a field can be told, with what `source` says put in where the field says nothing. */
export interface StepSpec {
  readonly trim: boolean;
  readonly null_tokens: readonly string[];
  readonly replace?: readonly Replacement[] | undefined;
  readonly pad?:
    | { readonly length: number; readonly with: string; readonly side?: 'left' | 'right' | undefined }
    | undefined;
  readonly case?: 'upper' | 'lower' | undefined;
  readonly lookup?: Readonly<Record<string, string>> | LookupFileSpec | undefined;
  readonly otherwise?: string | undefined;
  readonly decimal_mark: string;
  readonly thousands_mark?: (typeof THOUSANDS_MARKS)[number] | undefined;
  readonly negative: readonly (typeof NEGATIVE_SIGNS)[number][];
  readonly positive_suffixes: readonly string[];
  readonly negative_suffixes: readonly string[];
  readonly negate?: boolean | undefined;
  readonly unit?: 'major' | 'minor' | undefined;
  readonly minor_digits?: number | undefined;
  readonly trailing_zeros?: 'strip' | undefined;
  readonly format: readonly string[];
  readonly time_zone?: string | undefined;
  readonly fold?: 'earlier' | 'later' | undefined;
  readonly century?: number | undefined;
  readonly months?: readonly string[] | undefined;
  readonly at?: string | undefined;
  readonly true_tokens: readonly string[];
  readonly false_tokens: readonly string[];
}

/** A lookup table in a CSV file. */
export interface LookupFileSpec {
  readonly file: string;
  readonly key: string;
  readonly value: string;
  readonly encoding?: string | undefined;
  readonly delimiter?: string | undefined;
}

import * as z from 'zod/mini';
import type { FieldFacts } from '../../../core/contract/field.ts';
import { isTimeZone } from '../../../core/values/time-zone.ts';
import { datePattern, SPECIAL_FORMATS } from './date-format.ts';
import { publish } from './published-schema.ts';
import type { STEP_DEFAULTS, StepProblem } from './step-problem.ts';
import { optionalKey } from '../../../core/schema.ts';
import {
  expectOf,
  filledList,
  filledText,
  oneCharacter,
  oneOrMore,
  pattern,
  replacement,
  text,
  wholeNumber,
  yesNo,
} from './schemas.ts';

/** One step from the text of a cell to the value of a field. Returns undefined for no value. */
export type Step<From, To> = (value: From) => To | StepProblem | undefined;

/** The facts about a field that its steps need, beside their keys. */
export interface StepField {
  readonly facts: FieldFacts;
  /** Numbers in fixed columns are filled up with zeros, which are no mistake there. */
  readonly isFixedWidth: boolean;
}

/** How cells become texts. */
export const CELL_KEYS = {
  trim: optionalKey(yesNo(), 'Whether white space at both ends of a cell is removed. Default: false.'),
  null_tokens: optionalKey(z.array(text()), "Cells that mean no value. Default: [''], the empty cell."),
};

/** How numbers are written. */
export const NUMBER_KEYS = {
  decimal_mark: optionalKey(oneCharacter(), "The character before the decimals. Default: '.'."),
  thousands_mark: optionalKey(
    z.enum(['.', ',', "'", '’', 'space', 'indian']),
    'The character between groups of three digits; `space` is every kind of space, and `indian` is a comma as in 12,34,567.89. Default: none.',
  ),
  currency_signs: optionalKey(
    z.array(filledText()),
    'Signs or codes of currencies before or after numbers, such as £ or EUR. Case-sensitive. Default: none.',
  ),
  negative: optionalKey(
    z.array(z.enum(['leading', 'trailing', 'parentheses'])),
    'How negative numbers are marked: by a minus (also U+2212 or a dash, with or without a space) or by parentheses. Several marks may occur. Default: [leading].',
  ),
  positive_suffixes: optionalKey(
    z.array(filledText()),
    'Texts after a number that leave it positive, such as DR. Case-sensitive.',
  ),
  negative_suffixes: optionalKey(
    z.array(filledText()),
    'Texts after a number that make it negative, such as CR. Case-sensitive.',
  ),
  exponent: optionalKey(
    yesNo(),
    'Whether numbers may have an exponent, as Java and JSON write them: 8.0E7. A number that a spreadsheet has shortened (8.01E+07) has lost digits and is not read. Default: false.',
  ),
};

/** Keys for the parts of a date or time that a format leaves open. */
export const DATE_KEYS = {
  time_zone: optionalKey(
    text((value) => (isTimeZone(value) ? undefined : 'the name of a time zone, such as Europe/London'), {
      type: 'string',
    }),
    'The zone of times that are written without an offset, such as Europe/London; for a date, the zone whose day a moment with an offset has.',
  ),
  fold: optionalKey(
    z.enum(['earlier', 'later']),
    'Which instant a time means that occurs twice. Without it such a time is an error.',
  ),
  hour_24: optionalKey(
    yesNo(),
    'Whether 24:00 is a time: the midnight with which the next day begins. Default: false; it is an error.',
  ),
  century: optionalKey(century(), 'The century of years with two digits (`yy`), such as 2000.'),
  months: optionalKey(
    months(),
    'The names of the 12 months that `MMM` matches, in their order. Upper and lower case are the same. Default: Jan to Dec.',
  ),
};

/** How booleans are written. */
export const FLAG_KEYS = {
  true_tokens: optionalKey(filledList(text()), "Cells that mean yes. Default: ['true']."),
  false_tokens: optionalKey(filledList(text()), "Cells that mean no. Default: ['false']."),
};

export const REPLACE_KEYS = {
  replace: optionalKey(
    filledList(z.strictObject({ pattern: pattern(), with: replacement() })),
    'Regular expressions (RE2), each with the text that replaces every match, where `$1` is its first group. Applied in their order.',
  ),
};

export const UNIT_KEYS = {
  unit: optionalKey(
    z.enum(['major', 'minor']),
    'Whether the source writes pounds or pence. The unit of the field is known.',
  ),
  minor_digits: optionalKey(wholeNumber(0, 4), 'Digits of the minor unit. Default: 2; for yen it is 0.'),
};

/** Keys of an object in a mapping file, by their schemas. */
export type Keys = Readonly<Record<string, z.ZodMiniType>>;

/** The checked values of keys. */
export type KeysOf<K extends Keys> = { readonly [Key in keyof K]?: WithReadonlyList<z.output<K[Key]>> };
type WithReadonlyList<T> = T extends (infer Item)[] ? readonly Item[] : T;

/** Keys that `source` can set for all fields. A key of a field wins. */
type SharedSpec = KeysOf<typeof CELL_KEYS & typeof NUMBER_KEYS & typeof DATE_KEYS & typeof FLAG_KEYS>;

type Defaulted = { readonly [Key in keyof typeof STEP_DEFAULTS]-?: NonNullable<SharedSpec[Key]> };

/** The keys of the steps of a field, with those of its source and the defaults filled in. */
export type StepSpec = Omit<SharedSpec, keyof Defaulted> &
  Defaulted &
  KeysOf<typeof REPLACE_KEYS & typeof UNIT_KEYS> & { readonly format: readonly string[] };

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
    expectOf(context, context.value % 100 === 0 ? undefined : 'a century such as 2000'),
  );
  return publish(schema, { type: 'integer', minimum: 100, maximum: 9900, multipleOf: 100 });
}

function months() {
  const schema = z.array(filledText()).check((context) => {
    const names = new Set(context.value.map((name) => name.toLowerCase()));
    const isFine = context.value.length === 12 && names.size === 12;
    expectOf(context, isFine ? undefined : 'a list of 12 different names, from January to December');
  });
  return publish(schema, {
    type: 'array',
    items: { type: 'string', minLength: 1 },
    minItems: 12,
    maxItems: 12,
  });
}

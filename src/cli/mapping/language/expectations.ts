import * as z from 'zod/mini';
import { described, optionalKey } from '../../../core/schema.ts';
import { Decimal } from '../../../core/values/decimal.ts';
import { conditions, STATES } from './conditions.ts';
import { filledText, oneOrMore, pattern, text, withOneOf } from './schemas.ts';
import { templatePieces } from './template.ts';

const decimalText = text((value) => (Decimal.parse(value) ? undefined : 'a decimal such as -1234.50'), {
  anyOf: [{ type: 'number' }, { type: 'string', minLength: 1 }],
});

/** What the cells of a column have to be, whether or not the column feeds a field. */
export const expectation = withOneOf(
  z.strictObject({
    column: described(filledText(), 'The column, which need not feed a field.'),
    in: optionalKey(oneOrMore(text()), "Every cell is this text, or one of these; `''` is the empty cell."),
    not_in: optionalKey(oneOrMore(text()), "No cell is this text, or one of these; `''` is the empty cell."),
    matches: optionalKey(pattern(), 'A regular expression matches in every cell.'),
    is: optionalKey(z.enum(STATES), 'The state of every cell; `present` for cells that are not empty.'),
    equals_column: optionalKey(
      filledText(),
      'Every cell has the value of this column, as a number or as a text.',
    ),
    contains: optionalKey(
      text((value) => {
        const pieces = templatePieces(value);
        return typeof pieces === 'string' ? pieces : undefined;
      }),
      'A text with columns in it, such as {Account}-{Number}, which every cell contains. Rows with an empty column of the text are not compared.',
    ),
    equals_field: optionalKey(filledText(), 'Every cell has the value of this field of the record.'),
    unique: optionalKey(z.enum(['true']), '`true`: no value occurs twice. Empty cells do not count.'),
    sum: optionalKey(decimalText, 'The exact sum of the column, written as the interface writes numbers.'),
    when: optionalKey(conditions, 'The rows that this is expected of. Default: all that are not left out.'),
  }),
  [
    ['in'],
    ['not_in'],
    ['matches'],
    ['is'],
    ['equals_column'],
    ['contains'],
    ['equals_field'],
    ['unique'],
    ['sum'],
  ],
).register(z.globalRegistry, { id: 'expectation' });

export type ExpectationSpec = z.output<typeof expectation>;

import * as z from 'zod/mini';
import { optionalKey } from '../../../core/schema.ts';
import { filledList, filledText, oneOrMore, pattern, text, withOneOf } from './schemas.ts';

/** States that a cell or a value can be tested for, instead of a list of texts. */
const STATES = ['empty', 'present', 'negative', 'zero', 'positive', 'nonzero'] as const;

/** Exactly one subject and one test. */
const SUBJECTS = [['column'], ['field']] as const;
const TESTS = [['in'], ['not_in'], ['is'], ['matches']] as const;

const conditionKeys = z.strictObject({
  column: optionalKey(filledText(), 'The column whose cell is tested.'),
  field: optionalKey(filledText(), 'The field whose mapped value is tested.'),
  in: optionalKey(filledList(text()), "It has to be one of these texts; `''` is the empty cell."),
  not_in: optionalKey(filledList(text()), "It must be none of these texts; `''` is the empty cell."),
  is: optionalKey(z.enum(STATES), 'Its state. A number may be present and zero.'),
  matches: optionalKey(pattern(), 'A regular expression (RE2) that matches in it.'),
});

/** A test of a cell, after trimming and null tokens, or of the value of another field. */
export type ConditionSpec = z.output<typeof conditionKeys>;

/** One condition, or several that all have to hold. */
export const conditions = oneOrMore(withOneOf(withOneOf(conditionKeys, TESTS), SUBJECTS)).register(
  z.globalRegistry,
  { id: 'conditions', description: 'A condition, or a list of conditions that all have to hold.' },
);

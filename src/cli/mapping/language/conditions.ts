import * as z from 'zod/mini';
import { described } from '../../../core/schema/described.ts';
import { filledText, oneOrMore, pattern, text, withOneOf } from './scalars.ts';

/** A cell or a value can be tested for one of these states, in place of a list of texts. */
const STATES = ['empty', 'present', 'negative', 'zero', 'positive', 'nonzero'] as const;

/** Exactly one subject and one test. */
const SUBJECTS = [['column'], ['field']] as const;
const TESTS = [['in'], ['not_in'], ['is'], ['matches']] as const;

const conditionKeys = z.strictObject({
  column: described(z.optional(filledText()), 'The column whose cell is looked at.'),
  field: described(z.optional(filledText()), 'The field whose mapped value is looked at.'),
  in: described(z.optional(z.array(text()).check(z.minLength(1))), 'The texts of which it has to be one.'),
  not_in: described(z.optional(z.array(text()).check(z.minLength(1))), 'The texts of which it must be none.'),
  is: described(z.optional(z.enum(STATES)), 'What it has to be. A number may be present and zero.'),
  matches: described(z.optional(pattern()), 'A regular expression that has to be found in it.'),
});

/** A test of a cell, after trimming and null tokens, or of the value of another field. */
export type ConditionSpec = z.output<typeof conditionKeys>;

/** One condition, or several that all have to hold. */
export const conditions = oneOrMore(withOneOf(withOneOf(conditionKeys, TESTS), SUBJECTS)).register(
  z.globalRegistry,
  { id: 'conditions', description: 'A condition, or a list of conditions that all have to hold.' },
);

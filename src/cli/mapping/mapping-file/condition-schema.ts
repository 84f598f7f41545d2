import * as z from 'zod/mini';
import { described } from '../../../core/schema.ts';
import { withOneOf } from './exclusive-keys.ts';
import { filledText, oneOrMore, pattern, text } from './scalars.ts';

/** What a cell or a value can be, beside being one of a list. */
export const STATES = ['empty', 'present', 'negative', 'zero', 'positive', 'nonzero'] as const;

/** One thing that has to hold: of a cell, after trimming and null tokens, or of the value of another field. */
export interface ConditionSpec {
  readonly column?: string | undefined;
  readonly field?: string | undefined;
  readonly in?: readonly string[] | undefined;
  readonly not_in?: readonly string[] | undefined;
  readonly is?: (typeof STATES)[number] | undefined;
  /** A regular expression that has to be found in the text. */
  readonly matches?: string | undefined;
}

/** Exactly one subject and one demand. */
const SUBJECTS = [['column'], ['field']] as const;
const DEMANDS = [['in'], ['not_in'], ['is'], ['matches']] as const;

const conditionKeys = z.strictObject({
  column: described(z.optional(filledText()), 'The column whose cell is looked at.'),
  field: described(z.optional(filledText()), 'The field whose mapped value is looked at.'),
  in: described(z.optional(z.array(text()).check(z.minLength(1))), 'The texts of which it has to be one.'),
  not_in: described(z.optional(z.array(text()).check(z.minLength(1))), 'The texts of which it must be none.'),
  is: described(z.optional(z.enum(STATES)), 'What it has to be. A number may be present and zero.'),
  matches: described(z.optional(pattern()), 'A regular expression that has to be found in it.'),
});

const condition = withOneOf(withOneOf(conditionKeys, DEMANDS), SUBJECTS);

/** One condition, or several that all have to hold. */
export const conditions = oneOrMore(condition).register(z.globalRegistry, {
  id: 'conditions',
  description: 'A condition, or a list of conditions that all have to hold.',
});

import { z } from 'zod';
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
  column: filledText().optional().describe('The column whose cell is looked at.'),
  field: filledText().optional().describe('The field whose mapped value is looked at.'),
  in: z.array(text()).min(1).optional().describe('The texts of which it has to be one.'),
  not_in: z.array(text()).min(1).optional().describe('The texts of which it must be none.'),
  is: z.enum(STATES).optional().describe('What it has to be. A number may be present and zero.'),
  matches: pattern().optional().describe('A regular expression that has to be found in it.'),
});

/** One condition, or several that all have to hold. */
export const conditions = oneOrMore(withOneOf(withOneOf(conditionKeys, DEMANDS), SUBJECTS)).meta({
  id: 'conditions',
  description: 'A condition, or a list of conditions that all have to hold.',
});

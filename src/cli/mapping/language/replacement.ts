import * as z from 'zod/mini';
import { Pattern } from '../../../core/values/pattern.ts';
import { filledList, pattern, text } from './schemas.ts';

/** A list of regular expressions, each with the text that replaces its matches. */
export function replacements() {
  return filledList(z.strictObject({ pattern: pattern(), with: text() }));
}

type Replacement = z.output<ReturnType<typeof replacements>>[number];

/** Replaces in a text, one replacement after the other. */
export function replacer(list: readonly Replacement[] = []): (text: string) => string {
  const steps = list.map((each) => [new Pattern(each.pattern), each.with] as const);
  return (given) => steps.reduce((result, [found, to]) => found.replace(result, to), given);
}

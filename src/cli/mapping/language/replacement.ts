import * as z from 'zod/mini';
import { pattern, text } from './scalars.ts';

/** A list of regular expressions, each with the text that replaces its matches. */
export function replacements() {
  return z.array(z.strictObject({ pattern: pattern(), with: text() })).check(z.minLength(1));
}

type Replacement = z.output<ReturnType<typeof replacements>>[number];

/** Replaces in a text, one replacement after the other. */
export function replacer(list: readonly Replacement[] = []): (text: string) => string {
  const steps = list.map((each) => [new RegExp(each.pattern, 'gu'), each.with] as const);
  return (given) => steps.reduce((result, [found, to]) => result.replace(found, to), given);
}

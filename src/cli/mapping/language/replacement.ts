import { Pattern } from '../../../core/values/pattern.ts';

/** A regular expression, and the text that replaces its matches. */
type Replacement = { readonly pattern: string; readonly with: string };

/** Replaces in a text, one replacement after the other. */
export function replacer(list: readonly Replacement[] = []): (text: string) => string {
  const steps = list.map((each) => [new Pattern(each.pattern), each.with] as const);
  return (given) => steps.reduce((result, [found, to]) => found.replace(result, to), given);
}

/** A regular expression and what takes the place of every match. */
export interface Replacement {
  readonly pattern: string;
  readonly with: string;
}

/** Replaces in a text, one replacement after the other. */
export function replacer(replacements: readonly Replacement[] = []): (text: string) => string {
  const steps = replacements.map((each) => [new RegExp(each.pattern, 'gu'), each.with] as const);
  return (text) => steps.reduce((result, [pattern, to]) => result.replace(pattern, to), text);
}

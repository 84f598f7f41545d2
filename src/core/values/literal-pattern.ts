/** A regular expression that matches a text itself, in RE2 and in JavaScript. */
export function literalPattern(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
}

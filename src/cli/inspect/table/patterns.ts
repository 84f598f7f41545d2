/** A regular expression of RE2 that matches white space such as this. `\s` is ASCII only there. */
export function spacePattern(spaces: string): string {
  return /[^ \t\n\f\r]/.test(spaces) ? String.raw`[\s\p{Z}]*` : String.raw`\s*`;
}

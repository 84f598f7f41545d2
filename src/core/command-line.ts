/**
 * Characters that a terminal acts on or shows as nothing: C0, DEL and C1 controls, zero-width characters, line and paragraph separators, marks
 * that turn the direction of writing, the byte order mark, lone surrogates.
 */
export const UNSAFE = /[\p{Cc}\u00AD\u061C\u200B-\u200F\u2028-\u202E\u2060-\u2069\uFEFF]|\p{Surrogate}/gu;

/** The escape that JSON, JavaScript and a shell's `$'…'` read back as the same character. */
export function unicodeEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** A word of a command line as a shell reads it back. Characters that a terminal acts on are escapes in `$'…'`. */
export function shellWord(text: string): string {
  if (/^[\w@%+:,./-][\w@%+=:,./-]*$/.test(text)) return text;
  const shown = text.replaceAll(/[\\']/g, String.raw`\$&`).replace(UNSAFE, unicodeEscape);
  return text.search(UNSAFE) >= 0 ? `$'${shown}'` : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** A file as a word of a command line. The name does not look like a flag. */
export function fileWord(name: string): string {
  return shellWord(/^-./.test(name) ? `./${name}` : name);
}

/** A flag of a command and its value. An undefined value leaves the flag out. */
export type FlagWords = readonly [flag: string, value: string | undefined];

/** A command of this program, ready to be typed. `operands`: runs, files and folders. */
export function commandLine(
  name: string,
  operands: readonly string[],
  flags: readonly FlagWords[] = [],
): string {
  const given = flags.flatMap(([flag, value]) => (value === undefined ? [] : [flag, shellWord(value)]));
  return ['dataimport', name, ...operands.map(fileWord), ...given].join(' ');
}

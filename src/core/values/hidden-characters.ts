const HIDDEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]|(?! )\p{Zs}|^ | $/gu;

/** The characters of a text that cannot be seen or look like a space: ` (with U+00AD)`; empty without one. */
export function hiddenCharacters(text: string): string {
  const found = Array.from(new Set(text.match(HIDDEN)), codePointOf);
  return found.length === 0 ? '' : ` (with ${found.join(', ')})`;
}

/** A character as Unicode names it: U+00AD. */
export const codePointOf = (character: string): string =>
  `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`;

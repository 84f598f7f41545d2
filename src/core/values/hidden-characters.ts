const HIDDEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]|(?! )\p{Zs}|^ | $/gu;

/** The characters of a text that cannot be seen or look like a space: ` (with U+00AD)`; empty without one. */
export function hiddenCharacters(text: string): string {
  const found = [...new Set(text.match(HIDDEN))].map((character) =>
    character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0'),
  );
  return found.length === 0 ? '' : ` (with U+${found.join(', U+')})`;
}

/** Texts that no other text is equal to, which most are. */
const ALREADY_PLAIN = /^[!-~](?:[\t\n -~]*[!-~])?$/;

/** A text as it is compared by value: its line ends, its Unicode normal form and blanks at both ends make no other text. */
export function plainText(text: string): string {
  return ALREADY_PLAIN.test(text) ? text : text.normalize('NFC').replaceAll(/\r\n?/g, '\n').trim();
}

/** Texts that no other text is equal to, which most are. */
const ALREADY_PLAIN = /^[!-~](?:[\t\n -~]*[!-~])?$/;

/** A text as it is compared by value: its line ends, its Unicode normal form, no-break spaces and blanks at both ends make no other text. */
export function plainText(text: string): string {
  if (ALREADY_PLAIN.test(text)) return text;
  return text
    .normalize('NFC')
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/[\u00A0\u202F]/g, ' ')
    .trim();
}

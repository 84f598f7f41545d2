/** Texts that no other text is equal to, which most are. */
const ALREADY_PLAIN = /^[!-~](?:[\t\n -~]*[!-~])?$/;

/** A text as it is compared by value: its line ends, its Unicode normal form, no-break spaces and blanks at both ends make no other text. */
export const plainText = (text: string): string =>
  ALREADY_PLAIN.test(text) ? text : foldedText(text).trim();

/** The same with the blanks at both ends, which only an operator says to remove. */
export const foldedText = (text: string): string =>
  text
    .normalize('NFC')
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/[\u00A0\u202F]/g, ' ');

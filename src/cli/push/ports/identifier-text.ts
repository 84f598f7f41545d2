/** An identifier as the digits that were most likely counted up, and the text around them. */
export interface IdentifierDigits {
  /** The text with `#` for the run, and 9 for every other digit. */
  readonly shape: string;
  /** Empty without digits. */
  readonly run: string;
  /** Where the run begins. */
  readonly at: number;
}

/** The longest run of digits; the first of equally long ones. */
export function longestDigitsOf(text: string): IdentifierDigits {
  const run = (text.match(/[0-9]+/g) ?? ['']).reduce((longest, each) =>
    each.length > longest.length ? each : longest,
  );
  return digitsAt(text, text.indexOf(run), run.length);
}

/** The last run of digits. */
export function lastDigitsOf(text: string): IdentifierDigits {
  let end = text.length;
  while (end > 0 && !isDigit(text.charCodeAt(end - 1))) end--;
  let start = end;
  while (start > 0 && isDigit(text.charCodeAt(start - 1))) start--;
  return digitsAt(text, start, end - start);
}

function digitsAt(text: string, start: number, length: number): IdentifierDigits {
  const [before, after] = [text.slice(0, start), text.slice(start + length)];
  return { shape: `${masked(before)}#${masked(after)}`, run: text.slice(start, start + length), at: start };
}

const masked = (part: string): string => (HAS_DIGIT.test(part) ? part.replaceAll(/[0-9]/g, '9') : part);

const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39;
const HAS_DIGIT = /[0-9]/;

/** Zeros that begin a run of digits, which a spreadsheet removes. */
const FIRST_ZEROS = /(?<![0-9])0+(?=[0-9])/g;

/**
 * An identifier without case, Unicode form and leading zeros: identifiers with the same likeness are easily taken for one. Regular
 * expressions take three times as long, and every record has an identifier.
 */
export function likeness(text: string): string {
  let [kept, from, isInNumber] = ['', 0, false];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code > LAST_OF_ASCII) return text.normalize('NFC').toLowerCase().replaceAll(FIRST_ZEROS, '');
    if (code === ZERO && !isInNumber && isDigit(text.charCodeAt(at + 1))) {
      kept += text.slice(from, at);
      from = at + 1;
    } else isInNumber = isDigit(code);
  }
  return (kept + text.slice(from)).toLowerCase();
}

export const ZERO = 0x30;
const LAST_OF_ASCII = 0x7f;

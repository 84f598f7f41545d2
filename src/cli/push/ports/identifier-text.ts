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
  const { 0: run, index } = /[0-9]*(?=[^0-9]*$)/.exec(text)!;
  return digitsAt(text, index, run.length);
}

function digitsAt(text: string, start: number, length: number): IdentifierDigits {
  const [before, after] = [text.slice(0, start), text.slice(start + length)];
  return {
    shape: `${digitsMasked(before)}#${digitsMasked(after)}`,
    run: text.slice(start, start + length),
    at: start,
  };
}

/** A text with 9 for every digit. */
const digitsMasked = (text: string): string => text.replaceAll(/[0-9]/g, '9');

/** Zeros that begin a run of digits, which a spreadsheet removes. */
const FIRST_ZEROS = /(?<![0-9])0+(?=[0-9])/g;

/** An identifier without case, Unicode form and leading zeros: identifiers with the same likeness are easily taken for one. */
export const likeness = (text: string): string =>
  text.normalize('NFC').toLowerCase().replaceAll(FIRST_ZEROS, '');

/** Texts with other letters that are kept to compare with. Nearly all identifiers of a file have one of a few forms. */
export const MOST_FORMS = 24;

/** The first of some texts that differs from another one in nothing but its digits. It runs for every identifier, and makes no text. */
export function sameForm<T extends { readonly text: string }>(
  all: readonly T[],
  text: string,
): T | undefined {
  return all.find((each) => {
    if (each.text.length !== text.length) return false;
    for (let at = 0; at < text.length; at++) {
      const [a, b] = [each.text.charCodeAt(at), text.charCodeAt(at)];
      if (a !== b && !(isDigit(a) && isDigit(b))) return false;
    }
    return true;
  });
}

const isDigit = (code: number): boolean => code >= ZERO && code <= ZERO + 9;
const ZERO = '0'.charCodeAt(0);

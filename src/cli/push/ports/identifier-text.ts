/** An identifier as the digits that were most likely counted up, and the text around them. */
interface IdentifierDigits {
  /** The text with `#` for the run, and 9 for every other digit. */
  readonly shape: string;
  /** The longest run of digits; the first of equally long ones. Empty without digits. */
  readonly run: string;
}

export function digitsOf(identifier: string): IdentifierDigits {
  if (IS_NUMBER.test(identifier)) return { shape: '#', run: identifier };
  const run = (identifier.match(/[0-9]+/g) ?? ['']).reduce((longest, each) =>
    each.length > longest.length ? each : longest,
  );
  const at = identifier.indexOf(run);
  const masked = (part: string): string => part.replaceAll(/[0-9]/g, '9');
  return { shape: `${masked(identifier.slice(0, at))}#${masked(identifier.slice(at + run.length))}`, run };
}

export const IS_NUMBER = /^[0-9]+$/;

export function withoutZeros(run: string): string {
  return run.startsWith('0') ? run.replace(/^0+/, '') : run;
}

/** A text without case and Unicode form. */
export function foldedText(text: string): string {
  return (IS_ASCII.test(text) ? text : text.normalize('NFC')).toLowerCase();
}

const IS_ASCII = /^[\0-\x7F]*$/;

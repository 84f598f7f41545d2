

export type PatternDigits = { readonly whole?: number | undefined; readonly places?: number | undefined; readonly isSigned: boolean };

const SIGN = String.raw`(?<sign>-\?|\[-\+?\]\?|\[\+-\]\?|\(-\)\?|\(\?:-\)\?|)`;
const DIGIT = String.raw`(?:\\d|\[0-9\])`;
const WHOLE = String.raw`(?:${DIGIT}(?<whole>\{[01],\d{1,3}\}|\+|\*)|\(\?:0\|\[1-9\]\\d(?<more>\{0,\d{1,3}\}|\*)\))`;
const FRACTION = String.raw`(?:\((?:\?:)?(?:\\\.|\[\.\])${DIGIT}(?<places>\{[01],\d{1,3}\}|\+|\*)\)\?)?`;
const DIGITS_PATTERN = new RegExp(`^\\^${SIGN}${WHOLE}${FRACTION}\\$$`);

/**
 * The digits of a pattern such as `^-?\d{0,10}(?:\.\d{0,10})?$`. Undefined for a pattern that says anything else: it has to be
 * matched as it is.
 */
export function digitsOf(pattern: string): PatternDigits | undefined {
  const found = DIGITS_PATTERN.exec(pattern)?.groups;
  if (!found) return undefined;
  const { sign, whole, more, places } = found;
  const most = more === undefined ? mostOf(whole) : mostOf(more);
  const wholeMost = most !== undefined && more !== undefined ? most + 1 : most;
  // A decimal is written with at least one digit before the point.
  if (wholeMost === 0) return undefined;
  return { whole: wholeMost, places: places === undefined ? 0 : mostOf(places), isSigned: sign !== '' };
}

/** `{0,10}` → 10; undefined for no limit. */
function mostOf(quantifier: string | undefined): number | undefined {
  const most = /,(\d+)\}$/.exec(quantifier ?? '')?.[1];
  return most === undefined ? undefined : Number.parseInt(most, 10);
}

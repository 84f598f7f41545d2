/** The codes of ISO 4217 that this version of Node knows. */
const CODES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

/** Whether a text is the code of a currency, as ISO 4217 writes it. */
export function isCurrencyCode(text: string): boolean {
  return CODES.has(text);
}

/** The currencies of ISO 4217 whose minor unit has other digits than two. Node counts some of them as they are used in cash. */
const OTHER_DIGITS: ReadonlyMap<string, number> = new Map([
  ...digitsOf(0, 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'),
  ...digitsOf(3, 'BHD IQD JOD KWD LYD OMR TND'),
  ...digitsOf(4, 'CLF UYW'),
]);

/** Digits of the minor unit of a currency, by its code. */
export function minorDigitsOf(code: string): number {
  return OTHER_DIGITS.get(code) ?? 2;
}

function digitsOf(digits: number, codes: string): readonly (readonly [string, number])[] {
  return codes.split(' ').map((code) => [code, digits]);
}

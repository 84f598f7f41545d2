/** The codes of ISO 4217 that this version of Node knows. */
const CODES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

/** Whether a text is the code of a currency, as ISO 4217 writes it. */
export function isCurrencyCode(text: string): boolean {
  return CODES.has(text);
}

/** The codes of ISO 4217 that this version of Node knows. */
const CODES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

/** Whether a text is the code of a currency, as ISO 4217 writes it. */
export const isCurrencyCode = (text: string): boolean => CODES.has(text);

/** Words and signs of currencies, with the code that they mean. */
const WORDS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    TRY: ['TL', '₺', 'YTL'],
    CZK: ['KČ', 'KC'],
    PLN: ['ZŁ', 'ZL'],
    HUF: ['FT'],
    RON: ['LEI', 'LEU'],
    BGN: ['ЛВ'],
    RUB: ['Р', 'РУБ', '₽'],
    UAH: ['ГРН', '₴'],
    EUR: ['€', 'EURO', 'EUROS'],
    GBP: ['£'],
    CHF: ['FR', 'SFR'],
  }).flatMap(([code, words]) => words.map((word) => [word, code] as const)),
);

/** The code that a word or sign of a currency means, such as `TRY` for `TL`; undefined when it is none. Codes mean themselves. */
export function currencyOfWord(text: string): string | undefined {
  const word = text.normalize('NFC').toUpperCase().replace(/\.$/u, '');
  if (isCurrencyCode(word)) return word;
  // Several currencies are called `kr` or `$`.
  return WORDS.get(word) ?? (/^(?:\p{Sc}|KR)$/u.test(word) ? word : undefined);
}

/** Names of columns with the currency, in the languages of the suppliers and without accents. A key path ends with one. */
const NAMED =
  /(?:^|[^\p{L}])(?:currency|curr?|ccy|wahrung(?:s.*)?|waehrung(?:s.*)?|waers|waerk|hwaer|devise|deviza|divisa|valuta|valuutta|valuuta|valiuta|moneda|moeda|waluta|mena|penznem|para birimi|doviz|валюта|валута|νομισμα|通貨|通貨コード)(?:[^\p{L}].*)?$/iu;

/** Whether the name of a column says that it has a currency. */
export function namesCurrency(header: string): boolean {
  return NAMED.test(header.normalize('NFKD').replaceAll(/\p{M}/gu, '').replaceAll('ı', 'i'));
}

/** The currency that a value of a column means. A column whose name does not say so has the codes as ISO 4217 writes them. */
export function currencyReader(header: string): (value: string) => string | undefined {
  return namesCurrency(header) ? currencyOfWord : (value) => (isCurrencyCode(value) ? value : undefined);
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

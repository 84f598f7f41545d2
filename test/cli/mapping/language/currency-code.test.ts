import { expect, test } from 'vitest';
import {
  currencyOfWord,
  minorDigitsOf,
  namesCurrency,
} from '../../../../src/cli/mapping/language/currency-code.ts';

test.each([
  ['EUR', 'EUR'],
  ['eur', 'EUR'],
  ['€', 'EUR'],
  ['Euro', 'EUR'],
  ['Kč', 'CZK'],
  ['Kc\u030C', 'CZK'],
  ['zł', 'PLN'],
  ['руб.', 'RUB'],
  ['kr', 'KR'],
  ['kr.', 'KR'],
  ['T.L', undefined],
  ['$', '$'],
  ['$$', undefined],
  ['krone', undefined],
  ['5', undefined],
  ['', undefined],
])('%j means the currency %s', (text, code) => {
  expect(currencyOfWord(text)).toBe(code);
});

const OTHER_DIGITS = {
  0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF',
  3: 'BHD IQD JOD KWD LYD OMR TND',
  4: 'CLF UYW',
};

test('every currency has the digits of the minor unit of ISO 4217, and not those of its cash', () => {
  const others = Object.values(OTHER_DIGITS).flatMap((codes) => codes.split(' '));
  for (const [digits, codes] of Object.entries(OTHER_DIGITS))
    for (const code of codes.split(' ')) expect(minorDigitsOf(code), code).toBe(Number(digits));
  const usual = Intl.supportedValuesOf('currency').filter((code) => !others.includes(code));
  expect(usual.filter((code) => minorDigitsOf(code) !== 2)).toEqual([]);
});

test.each([
  ['Currency', true],
  ['amount.currency', true],
  ['Währung', true],
  ['Währungsschlüssel', true],
  ['PARA BİRİMİ', true],
  ['Valuta (ISO)', true],
  ['valutadatum', false],
  ['occurrence', false],
  ['Amount', false],
  ['', false],
])('the header %j names a currency: %s', (header, expected) => {
  expect(namesCurrency(header)).toBe(expected);
});

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

test.each([
  ['EUR', 2],
  ['JPY', 0],
  ['KWD', 3],
  ['CLF', 4],
  // Node counts them as they are used in cash.
  ['HUF', 2],
  ['UYU', 2],
])('%s has %s digits of the minor unit', (code, digits) => {
  expect(minorDigitsOf(code)).toBe(digits);
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

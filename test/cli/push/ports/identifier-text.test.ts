import { expect, test } from 'vitest';
import {
  digitsOf,
  foldedText,
  IS_NUMBER,
  withoutZeros,
} from '../../../../src/cli/push/ports/identifier-text.ts';

test.each([
  ['417', '#', '417'],
  ['SAP-0031-99', 'SAP-#-99', '0031'],
  ['1-22-33-4', '9-#-99-9', '22'],
  ['12/345a', '99/#a', '345'],
  ['none', '#none', ''],
  ['', '#', ''],
  ['x٣', '#x٣', ''],
])('the digits that were counted up in %j are the longest run', (identifier, shape, run) => {
  expect(digitsOf(identifier)).toEqual({ shape, run });
});

test('an identifier is a number when it consists of digits', () => {
  expect(['0', '417', '', '4 17', '-4', '4\n', '٣'].filter((text) => IS_NUMBER.test(text))).toEqual([
    '0',
    '417',
  ]);
});

test.each([
  ['0041', '41'],
  ['4100', '4100'],
  ['000', ''],
  ['', ''],
])('%j without its zeros is %j', (run, expected) => {
  expect(withoutZeros(run)).toBe(expected);
});

test.each([
  ['Ab', 'ab'],
  ['É', 'é'],
  ['E\u0301', 'é'],
  ['A\u007f', 'a\u007f'],
])('%j without case and Unicode form is %j', (text, expected) => {
  expect(foldedText(text)).toBe(expected);
});

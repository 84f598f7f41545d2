import { expect, test } from 'vitest';
import { isJsonObject, plainJson } from '../../../src/core/values/plain-json.ts';

test.each([
  [{}, true],
  [{ a: 1 }, true],
  [[], false],
  [null, false],
  ['{}', false],
  [5, false],
  [undefined, false],
])('%j is an object with keys: %s', (value, expected) => {
  expect(isJsonObject(value)).toBe(expected);
});

test('a text that is no JSON has no value', () => {
  expect(plainJson('{"a":[1.50,null]}')).toEqual({ a: [1.5, null] });
  expect(plainJson('{"a":')).toBeUndefined();
  expect(plainJson('')).toBeUndefined();
});

import { expect, test } from 'vitest';
import { SeenTexts } from '../../../../src/cli/mapping/compile/expectations.ts';

test('each of many texts is found again with its first line', () => {
  const seen = new SeenTexts();
  const lines = Array.from({ length: 10_000 }, (_, index) => index + 2);
  expect(lines.filter((line) => seen.see(`T${line}`, line) !== undefined)).toEqual([]);
  expect(lines.filter((line) => seen.see(`T${line}`, 7) !== line)).toEqual([]);
});

import { expect, test } from 'vitest';
import { columnsText } from '../../../../src/cli/output/text/table.ts';

test('columns are as wide as their widest cell on a terminal', () => {
  const rows = [
    ['name', 'amount', ''],
    ['株式会社', '1.50', 'x'],
    ['e\u0301', '12345.00'],
  ];
  expect(columnsText(rows, ['left', 'right', 'left'])).toBe(
    '  name        amount\n' + //
      '  株式会社      1.50  x\n' +
      '  e\u0301         12345.00\n',
  );
});

test('colours take no room', () => {
  const green = '\u001b[32mok\u001b[39m';
  expect(
    columnsText(
      [
        [green, 'a'],
        ['error', 'b'],
      ],
      ['left', 'left'],
    ),
  ).toBe(`  ${green}     a\n  error  b\n`);
});

test('no rows are no text', () => {
  expect(columnsText([], ['left'])).toBe('');
});

test('a hundred thousand rows are laid out', () => {
  const rows = Array.from({ length: 100_000 }, (_, index) => [String(index), 'x']);
  expect(columnsText(rows, ['right', 'left']).split('\n')).toHaveLength(100_001);
});

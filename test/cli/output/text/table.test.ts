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

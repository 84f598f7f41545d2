import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { attrOfPath, pathOfAttr } from '../../src/core/problem.ts';

describe('the path to an input, as the platform writes it', () => {
  test.each([
    ['', []],
    ['amount', ['amount']],
    ['transactions.3.type', ['transactions', 3, 'type']],
    ['transactions.0.line_items.12.units.1', ['transactions', 0, 'line_items', 12, 'units', 1]],
    ['0', [0]],
    ['a..b', ['a', '', 'b']],
    ['items.-1', ['items', '-1']],
    ['items.1e3', ['items', '1e3']],
    // More digits than any index has.
    ['items.1234567890', ['items', '1234567890']],
  ])('%j is %j', (attr, path) => {
    expect(pathOfAttr(attr)).toEqual(path);
  });

  test('is the same after writing and parsing', () => {
    const names = fc.stringMatching(/^[a-z_]{1,12}$/);
    const parts = fc.array(fc.oneof(names, fc.nat(999_999_999)), { maxLength: 8 });
    fc.assert(
      fc.property(parts, (path) => {
        expect(pathOfAttr(attrOfPath(path))).toEqual(path);
      }),
    );
  });
});

import { expect, test } from 'vitest';
import { withListItem } from '../../../src/core/yaml/yaml-list.ts';

const LONG = `${'a'.repeat(60)} ${'b'.repeat(60)}`;

test.each([
  ['a list', '# ours\nlist:\n  - A # first\n', '# ours\nlist:\n  - A # first\n  - B\n'],
  ['a single text', 'list: A\n', 'list:\n  - A\n  - B\n'],
  ['nothing under the key', 'other: 1\n', 'other: 1\nlist:\n  - B\n'],
  ['a long line', `other: ${LONG}\n`, `other: ${LONG}\nlist:\n  - B\n`],
  ['no text at all', '', 'list:\n  - B\n'],
])('an item is added to %s', (_, before, after) => {
  expect(withListItem(before, 'list', 'B')).toBe(after);
});

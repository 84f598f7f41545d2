import { expect, test } from 'vitest';
import { templateColumns, templatePieces } from '../../../../src/cli/mapping/language/template.ts';

test.each([
  ['{A}-{B}', [{ column: 'A' }, { text: '-' }, { column: 'B' }]],
  ['No. {A}', [{ text: 'No. ' }, { column: 'A' }]],
  ['{{{A}}}', [{ text: '{' }, { column: 'A' }, { text: '}' }]],
  ['{Net {n}}', [{ column: 'Net {n}' }]],
  ['{A}/{n}', [{ column: 'A' }, { text: '/' }, { column: 'n' }]],
  ['{A', 'a template; a brace of its own is written `{{`'],
  ['A}', 'a template; a brace of its own is written `}}`'],
  ['{}{A}', 'a template; a brace of its own is written `{{`'],
  ['{{A}}', 'a template with a column such as `{Name}`; use `constant` for a text without one'],
])('the template %s is cut into its pieces, or is said to be wrong', (template, pieces) => {
  expect(templatePieces(template)).toEqual(pieces);
});

test.each([
  [undefined, []],
  ['{A}-{B}{A}', ['A', 'B', 'A']],
  ['{A', []],
])('the columns of the template %s', (template, columns) => {
  expect(templateColumns(template)).toEqual(columns);
});

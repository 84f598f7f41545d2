import { describe, expect, test } from 'vitest';
import {
  allowedTexts,
  countNear,
  spelling,
  unlistedTexts,
  type NearTally,
} from '../../../../src/cli/mapping/compile/near-values.ts';
import { needMapping } from '../../../../src/cli/mapping/file/load-mapping.ts';
import { openSourceFile } from '../../../../src/cli/csv/source-file.ts';
import { folderWith } from '../../../support/mapping-files.ts';

test.each([
  ['Void', 'void'],
  [' VÖID ', 'void'],
  ['ﬁnal', 'final'],
  ['vo-id', 'void'],
  ['vo id', 'void'],
  ['vo_id', 'void'],
  ['vo – id', 'void'],
  ["d'avoir", 'davoir'],
  ['(void)', 'void'],
  ['["void"]', 'void'],
  ['“void”', 'void'],
  ['void.;:,', 'void'],
  ['(12)', '12'],
  // Signs and numbers say something else.
  ['void-', 'void-'],
  ['-void', '-void'],
  ['A  1', 'a 1'],
  ['A-1', 'a-1'],
  ['1.0', '1.0'],
  ['.', '.'],
  ['(-)', '(-)'],
])('%j is spelled %j', (text, expected) => {
  expect(spelling(text)).toBe(expected);
});

test('rows with one meaning are counted, with the first of them', () => {
  const near = new Map<string, NearTally>();
  countNear(near, 'void', { text: 'Void', line: 7, isLeftOut: true });
  countNear(near, 'void', { text: 'VOID', line: 9, isLeftOut: false });
  countNear(near, 'open', { text: 'Open', line: 11, isLeftOut: false });
  expect([...near]).toEqual([
    ['void', { count: 2, leftOut: 1, line: 7, text: 'Void' }],
    ['open', { count: 1, leftOut: 0, line: 11, text: 'Open' }],
  ]);
});

describe('a rare text that one typing error makes of a listed one', () => {
  /** The rare texts of a column, each with the listed text. */
  function found(
    texts: Readonly<Record<string, number>>,
    { listed = 'storno', count = 6, rows = 30, allowed = [] as readonly string[] } = {},
  ) {
    const seen = unlistedTexts(new Set(allowed));
    let line = 2;
    for (const [text, times] of Object.entries(texts))
      for (let at = 0; at < times; at++) seen.see({ text, line: line++, isLeftOut: at === 0 });
    return seen.mistyped(new Map([[listed, { count }]]), rows);
  }

  test('is found, with its first row', () => {
    expect(found({ posted: 20, strono: 1 })).toEqual([
      ['storno', { count: 1, leftOut: 1, line: 22, text: 'strono' }],
    ]);
  });

  test.each([
    ['strono', 'storno', true],
    ['stormo', 'storno', true],
    ['xtorno', 'storno', true],
    ['storn', 'storno', true],
    ['torno', 'storno', true],
    ['storrno', 'storno', true],
    ['Stornö ', 'storni', true],
    ['abcd', 'abce', true],
    ['ab12cd', 'ab12ce', true],
    // Two errors, other digits, or a word of three letters.
    ['stromp', 'storno', false],
    ['tsoron', 'storno', false],
    ['acxd', 'abcd', false],
    ['axbd', 'abcd', false],
    ['axyd', 'abcd', false],
    ['abcd', 'cbad', false],
    ['storn1', 'storno', false],
    ['abcd2', 'abcd1', false],
    ['abc', 'abcd', false],
    ['abcd', 'abc', false],
    ['ab12', 'ax12', false],
  ])('%s for %s: %s', (text, listed, expected) => {
    expect(found({ [text]: 1 }, { listed }).map(([meant]) => meant)).toEqual(expected ? [listed] : []);
  });

  test.each([
    // At most one of a hundred rows, and five; the listed text is in more.
    [1, 2, 20, true],
    [1, 2, 19, false],
    [1, 1, 20, false],
    [2, 6, 199, false],
    [2, 6, 200, true],
    [2, 2, 200, false],
    [5, 6, 500, true],
    [5, 6, 10_000, true],
    [6, 99, 10_000, false],
    [5, 5, 10_000, false],
  ])('in %s rows, beside %s with the listed one, of %s: %s', (rare, count, rows, expected) => {
    expect(found({ strono: rare }, { count, rows })).toHaveLength(expected ? 1 : 0);
  });

  test('may be named by another part of the mapping', () => {
    expect(found({ strono: 1 }, { allowed: ['strono'] })).toEqual([]);
  });

  test('is not looked for in a column of more than a thousand texts', () => {
    const many = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, at) => [`t${at}`, 1]));
    expect(found({ ...many(999), strono: 1 }, { rows: 2_000 })).toHaveLength(1);
    expect(found({ ...many(1_000), strono: 1 }, { rows: 2_000 })).toEqual([]);
  });
});

test('the texts of a column are those of its own tables', async () => {
  const folder = folderWith({
    'm.yaml': `version: 1
resource: transactions
fields:
  external_account_number: { column: S, lookup: { file: t.csv, key: a, value: b } }
  transaction_id: B
  transaction_date: { constant: '2026-01-05' }
  amount: A
  type: { column: S, lookup: { p: PAYMENT, c: CHARGE } }
  reason: { column: S2, lookup: { x: IMPORTED_CHARGE } }
  note: S
`,
    't.csv': 'a,b\nk,1\n',
  });
  const { document } = await needMapping('m.yaml', (name) => openSourceFile(name, folder));
  expect([...allowedTexts(document, 'S')]).toEqual(['p', 'c']);
  expect([...allowedTexts(document, 'S2')]).toEqual(['x']);
  expect([...allowedTexts(document, 'B')]).toEqual([]);
});

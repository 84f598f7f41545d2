import { describe, expect, test } from 'vitest';
import { openSourceFile } from '../../../../src/cli/csv/source-file.ts';
import { mappingWarnings } from '../../../../src/cli/mapping/compile/mapping-warnings.ts';
import { needMapping } from '../../../../src/cli/mapping/file/load-mapping.ts';
import { folderWith, type Files } from '../../../support/mapping-files.ts';

/** The warnings of a mapping whose last field is on line 9, as its place, its field, its code and its facts. */
async function warningsOf(fields: string, rest = '', files: Files = {}) {
  const text = `version: 1
resource: transactions
fields:
  external_account_number: K
  transaction_id: B
  transaction_date: { constant: '2026-01-05' }
  type: { constant: CHARGE }
${/^ {2}amount:/m.test(fields) ? '' : '  amount: A\n'}${fields}${rest}`;
  const folder = folderWith({ 'm.yaml': text, ...files });
  const mapping = await needMapping('m.yaml', (name) => openSourceFile(name, folder));
  return [...mappingWarnings(mapping)].map(({ problem: { code, severity, path, facts }, cell }) => {
    expect([severity, cell!.file]).toEqual(['warning', 'm.yaml']);
    return [`${cell!.line}:${cell!.column} ${cell!.header ?? ''}`, path.join('.'), code, facts] as const;
  });
}

describe('texts of one column that two places spell in two ways', () => {
  const TABLE = '  reason: { column: S, lookup: { void: IMPORTED_CHARGE, posted: GENERAL_CHARGE } }\n';
  const alike = (at: string, path: string, text: string, other: string, place: string) => [
    `${at} S`,
    path,
    'listed_texts_alike',
    { text, other, column: 'S', place: `m.yaml:${place}` },
  ];

  test('are a warning at the second place, with the first', async () => {
    expect(await warningsOf(TABLE, 'filter:\n  - { column: S, in: [x, Void] }\n')).toEqual([
      alike('11:22', 'filter.0.0.in', 'Void', 'void', '9:32'),
    ]);
    expect(await warningsOf(TABLE, 'filter:\n  - { column: S, not_in: [VOID] }\n')).toEqual([
      alike('11:26', 'filter.0.0.not_in', 'VOID', 'void', '9:32'),
    ]);
    expect(await warningsOf(TABLE, 'expect:\n  - { column: S, in: [Posted, void] }\n')).toEqual([
      alike('11:22', 'expect.0.in', 'Posted', 'posted', '9:32'),
    ]);
    const two = 'filter:\n  - { column: S, in: [x] }\n  - { column: S, in: [X] }\n';
    expect(await warningsOf('  note: S\n', two)).toEqual([
      alike('12:22', 'filter.1.0.in', 'X', 'x', '11:22'),
    ]);
  });

  test.each([
    ['in the same spelling', TABLE, 'filter: [{ column: S, in: [void] }]\n'],
    ['of another column', TABLE, 'filter: [{ column: S2, in: [Void] }]\n'],
    ['of a field', TABLE, 'filter: [{ field: reason, in: [Void] }]\n'],
    ['of a condition that lists none', TABLE, 'filter: [{ column: S, is: empty }]\n'],
    ['of an expectation that lists none', TABLE, 'expect: [{ column: S, matches: Void }]\n'],
    ['that the second place has both of', TABLE, 'filter: [{ column: S, in: [Void, void] }]\n'],
    [
      'that the first place has both of',
      TABLE.replace('posted', 'Void'),
      'filter: [{ column: S, in: [VOID] }]\n',
    ],
    ['of a constant', '  reason: { constant: void }\n', 'filter: [{ column: S, in: [Void] }]\n'],
  ])('are none %s', async (_, fields, rest) => {
    expect(await warningsOf(fields, rest)).toEqual([]);
  });

  test('are none of a table in a file, of a second file or of the objects of a list', async () => {
    const table = '  reason: { column: S, lookup: { file: t.csv, key: file, value: key } }\n';
    const files = { 't.csv': 'file,key\nvoid,IMPORTED_CHARGE\n' };
    expect(await warningsOf(table, 'filter: [{ column: S, in: [FILE, t.CSV] }]\n', files)).toEqual([]);
    const item =
      'when: { column: S, in: [Void] }, item: { start_date: D, end_date: D, number_of_units: U, net_amount: N }';
    const joined = `  line_items: { join: { file: d.csv, key: { B: Id }, ${item} } }\n`;
    expect(await warningsOf(TABLE + joined, '', { 'd.csv': 'Id\n' })).toEqual([]);
    const each = `  line_items: { each: { column: L, ${item} } }\n`;
    expect(await warningsOf(TABLE + each, 'source: { type: jsonl }\n')).toEqual([]);
  });
});

describe('alternatives that read the same cells', () => {
  const uneven = (...[at, path, key, count, total]: readonly (string | number)[]) => [
    `${String(at)} `,
    path,
    'mapping_alternatives_differ',
    { key, count, total },
  ];
  const amount = (...specs: readonly string[]) =>
    `  amount:\n${specs.map((spec) => `    - ${spec}\n`).join('')}`;
  const WHEN = "when: { column: P, in: ['1'] }";

  test.each([
    ['{ column: A, WHEN }', '{ column: A, unit: minor }', ['9:7', 'fields.amount.0', 'unit', 1, 2]],
    ['{ column: A, unit: minor, WHEN }', '{ column: A }', ['10:7', 'fields.amount.1', 'unit', 1, 2]],
    ["{ column: A, decimal_mark: ',', WHEN }", 'A', ['10:7', 'fields.amount.1', 'decimal_mark', 1, 2]],
    [
      '{ debit: A, credit: H, negative: [trailing], WHEN }',
      '{ debit: A, credit: H }',
      ['10:7', 'fields.amount.1', 'negative', 1, 2],
    ],
    [
      "{ template: '{A}', unit: minor, WHEN }",
      "{ template: '{A}' }",
      ['10:7', 'fields.amount.1', 'unit', 1, 2],
    ],
  ] as const)(
    'say all or none of them how their numbers are written: %s, %s',
    async (first, second, expected) => {
      expect(await warningsOf(amount(first.replace('WHEN', WHEN), second))).toEqual([uneven(...expected)]);
    },
  );

  test.each([
    ['{ column: A, unit: minor, WHEN }', '{ column: A, unit: minor }'],
    ['{ column: A, WHEN }', '{ column: A }'],
    ['{ column: A, negate: true, WHEN }', '{ column: A }'],
    // They read other cells.
    ['{ column: A, unit: minor, WHEN }', '{ column: H }'],
    ['{ debit: A, credit: H, unit: minor, WHEN }', '{ debit: H, credit: A }'],
    ['{ debit: A, credit: H, unit: minor, WHEN }', '{ debit: A, credit: G }'],
    ["{ template: '{A}', unit: minor, WHEN }", "{ template: '{H}' }"],
    ["{ constant: '1', WHEN }", '{ column: A, unit: minor }'],
    ["{ constant: '1', WHEN }", "{ constant: '2' }"],
    // The amount itself decides.
    ["{ column: A, negative_suffixes: [CR], when: { column: A, matches: 'CR$' } }", '{ column: A }'],
  ])('are even: %s, %s', async (first, second) => {
    expect(await warningsOf(amount(first.replace('WHEN', WHEN), second))).toEqual([]);
  });

  test('are those of one field', async () => {
    const fields = `${amount(`{ column: A, unit: minor, ${WHEN} }`, '{ column: A, unit: minor }')}  reference: [{ column: A, ${WHEN} }, { constant: x }]\n  note: A\n`;
    expect(await warningsOf(fields)).toEqual([]);
    const three = amount(
      `{ column: A, unit: minor, ${WHEN} }`,
      `{ column: A, when: { column: P, in: ['2'] } }`,
      '{ column: A }',
    );
    expect(await warningsOf(three)).toEqual([uneven('10:7', 'fields.amount.1', 'unit', 1, 3)]);
  });
});

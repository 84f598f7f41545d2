import { describe, expect, test } from 'vitest';
import { RFC_4180 } from '../../../../src/cli/csv/source-format.ts';
import {
  hasOneMark,
  joinedSource,
  LAYOUT_KEYS,
  querySpecOf,
  sourceFormatOf,
  sourceSchema,
  stepSpecOf,
  totalSpecs,
  type SourceSpec,
} from '../../../../src/cli/mapping/language/source.ts';
import { STEP_DEFAULTS } from '../../../../src/cli/mapping/language/step-problem.ts';

describe('how the reader cuts a file', () => {
  const PLAIN = {
    isJsonLines: null,
    encoding: 'utf-8',
    delimiter: ',',
    quote: '"',
    escape: '"',
    skipLines: 0,
    preamble: null,
    header: 'first_row',
    fixed: null,
    rightTrimmed: false,
    totals: [],
    skipsRepeatedHeaders: false,
    pageLines: [],
    endMark: false,
  };
  const total = (spec: object) => [
    { isSubtotal: false, cell: 1, mark: { equals: 'T' }, fixed: null, ...spec },
  ];

  test.each<readonly [SourceSpec, object]>([
    [{}, {}],
    [{ type: 'csv' }, { isJsonLines: false }],
    [{ type: 'jsonl' }, { isJsonLines: true }],
    [
      { encoding: 'utf-16le', delimiter: ';', quote: "'", escape: '\\' },
      { encoding: 'utf-16le', delimiter: ';', quote: "'", escape: '\\' },
    ],
    [{ quote: "'" }, { quote: "'", escape: "'" }],
    [{ quote: 'none' }, { quote: null, escape: null }],
    [{ skip_lines: 3 }, { skipLines: 3 }],
    [{ skip: ['^a', '^b'] }, { preamble: { like: ['^a', '^b'] } }],
    [{ skip: 'until header' }, { preamble: { untilHeader: ['K', 'B'] } }],
    [{ header: false, columns: ['A', 'B'] }, { header: ['A', 'B'] }],
    [
      { fixed: [{ name: 'A', width: 10 }, { skip: 3 }, { name: 'B', width: 2 }] },
      {
        header: ['A', 'B'],
        fixed: [
          { name: 'A', width: 10 },
          { name: null, width: 3 },
          { name: 'B', width: 2 },
        ],
      },
    ],
    [{ right_trimmed: true }, { rightTrimmed: true }],
    [{ repeated_header: 'skip' }, { skipsRepeatedHeaders: true }],
    [{ page_lines: ['^Page'] }, { pageLines: ['^Page'] }],
    [{ end_mark: true }, { endMark: true }],
    [{ trailer: [{ cell: 1, equals: 'T' }] }, { totals: total({}) }],
    [{ trailer: [{ cell: 2, starts_with: 'T' }] }, { totals: total({ cell: 2, mark: { startsWith: 'T' } }) }],
    [
      { subtotals: [{ cell: 1, matches: '^T' }] },
      { totals: total({ isSubtotal: true, mark: { matches: '^T' } }) },
    ],
    // The cells of a row of totals have their numbers as names, so that none of them is a gap.
    [
      { trailer: [{ cell: 1, equals: 'T', fixed: [{ width: 2 }, { width: 5 }] }] },
      {
        totals: total({
          fixed: [
            { name: '1', width: 2 },
            { name: '2', width: 5 },
          ],
        }),
      },
    ],
  ])('by the source %j', (source, expected) => {
    expect(sourceFormatOf(source, ['K', 'B'])).toEqual({ ...PLAIN, ...expected });
  });

  test('without a source is RFC 4180', () => {
    expect(sourceFormatOf()).toEqual(PLAIN);
    expect(sourceFormatOf()).toMatchObject({ encoding: RFC_4180.encoding, quote: RFC_4180.quote });
    expect(sourceFormatOf({ skip: 'until header' }).preamble).toEqual({ untilHeader: [] });
  });
});

test.each<readonly [SourceSpec | object, boolean]>([
  ...['bills', 'b', 'bills_2', 'a_sqlite_'].map(
    (name) => [{ tables: { [name]: { file: 'b.csv' } } }, true] as const,
  ),
  ...['Bills', '2bills', '_bills', 'bills-2', '', 'sqlite_x', 'pragma_x', 'query_x'].map(
    (name) => [{ tables: { [name]: { file: 'b.csv' } } }, false] as const,
  ),
  ...['none', "'", '😀'].map((quote) => [{ quote }, true] as const),
  ...['', 'no', "''"].map((quote) => [{ quote }, false] as const),
  ...['iso', 'epoch_seconds', 'dd.MM.yyyy'].map((format) => [{ date_format: format }, true] as const),
  ...['dd.mm.yyyy', 'epoch', ''].map((format) => [{ date_format: format }, false] as const),
  [{ century: '1900' }, true],
  [{ century: '1950' }, false],
  [{ months: 'a b c d e f g h i j k l'.split(' ') }, true],
  [{ months: 'a b c d e f g h i j k'.split(' ') }, false],
  [{ months: 'a b c d e f g h i j k A'.split(' ') }, false],
  [{ months: 'a b c d e f g h i j k l L'.split(' ') }, false],
  [{ time_zone: 'Europe/London' }, true],
  [{ time_zone: 'Europe/Berln' }, false],
])('the source %j may be: %j', (source, isFine) => {
  expect(sourceSchema.safeParse(source).success).toBe(isFine);
});

test('control records come before rows of totals', () => {
  const [trailer, subtotal] = [
    { cell: 1, equals: 'T' },
    { cell: 2, equals: 'S' },
  ];
  expect(totalSpecs({ subtotals: [subtotal], trailer: [trailer] })).toEqual([
    { spec: trailer, isSubtotal: false },
    { spec: subtotal, isSubtotal: true },
  ]);
});

test.each<readonly [SourceSpec | undefined, unknown]>([
  [undefined, undefined],
  [{}, undefined],
  [{ sql: 'SELECT 1' }, undefined],
  [{ tables: { a: { file: 'a.csv' } } }, undefined],
  [
    { sql: 'SELECT 1', tables: { b: { file: 'b.csv' }, a: { file: 'a.csv' } } },
    {
      sql: 'SELECT 1',
      tables: [
        ['b', { file: 'b.csv' }],
        ['a', { file: 'a.csv' }],
      ],
      mayRepeat: false,
    },
  ],
  [
    { sql: 'SELECT 1', tables: { a: { file: 'a.csv' } }, rows: 'many' },
    { sql: 'SELECT 1', tables: [['a', { file: 'a.csv' }]], mayRepeat: true },
  ],
])('the query of the source %j is %j', (source, expected) => {
  expect(querySpecOf(source)).toEqual(expected);
});

test('a second file has the keys of the first one that describe every file of a supplier, unless it has its own', () => {
  const shared = { encoding: 'windows-1252', delimiter: ';', decimal_mark: ',', trim: true } as const;
  const alone = Object.fromEntries(
    ['type', 'tables', 'sql', 'rows', ...LAYOUT_KEYS].map((key) => [key, key]),
  );
  expect(joinedSource({ ...shared, ...(alone as SourceSpec) })).toEqual(shared);
  expect(joinedSource(shared, { delimiter: '|', skip_lines: 2 })).toEqual({
    ...shared,
    delimiter: '|',
    skip_lines: 2,
  });
  expect(joinedSource()).toEqual({});
});

describe('the steps of a field', () => {
  test.each<readonly [SourceSpec | undefined, object | undefined, string | undefined, object]>([
    [undefined, undefined, undefined, { format: ['yyyy-MM-dd'] }],
    [{}, {}, 'date', { format: ['yyyy-MM-dd'] }],
    [{}, {}, 'datetime', { format: ['iso'] }],
    [{ date_format: ['dd.MM.yyyy'] }, {}, 'date', { format: ['dd.MM.yyyy'] }],
    [{ datetime_format: ['epoch_seconds'] }, {}, 'datetime', { format: ['epoch_seconds'] }],
    [{ date_format: ['dd.MM.yyyy'] }, {}, 'datetime', { format: ['iso'] }],
    [{ date_format: ['dd.MM.yyyy'] }, { format: ['yy'] }, 'date', { format: ['yy'] }],
    [{ trim: true }, {}, undefined, { trim: true }],
    [{ trim: true }, { trim: false }, undefined, { trim: false }],
    // A key that is there without a value says nothing.
    [{ trim: true }, { trim: undefined }, undefined, { trim: true }],
    [{ decimal_mark: undefined }, {}, undefined, { decimal_mark: '.' }],
    // The groups of the source are not those of a field with another decimal mark.
    [{ decimal_mark: ',', thousands_mark: '.' }, { decimal_mark: '.' }, undefined, { decimal_mark: '.' }],
    [
      { decimal_mark: ',', thousands_mark: '.' },
      { negate: true },
      undefined,
      { decimal_mark: ',', thousands_mark: '.', negate: true },
    ],
    [{ decimal_mark: ',' }, { thousands_mark: ',' }, undefined, { decimal_mark: ',', thousands_mark: ',' }],
  ])(
    'of the source %j with the keys %j, for a %s, are the defaults and %j',
    (source, own, kind, expected) => {
      const steps = stepSpecOf(source, own as never, kind);
      const spec = { ...steps, date_format: undefined, datetime_format: undefined };
      expect(spec).toEqual({ ...STEP_DEFAULTS, format: ['yyyy-MM-dd'], ...expected });
    },
  );
});

test.each<readonly [Parameters<typeof hasOneMark>[0], boolean]>([
  [{}, false],
  [{ decimal_mark: ',' }, false],
  [{ thousands_mark: ',' }, false],
  [{ decimal_mark: ',', thousands_mark: '.' }, false],
  [{ decimal_mark: ',', thousands_mark: ',' }, true],
  [{ decimal_mark: ',', thousands_mark: 'indian' }, true],
  [{ decimal_mark: '.', thousands_mark: 'indian' }, false],
  [{ decimal_mark: 'indian', thousands_mark: 'indian' }, false],
])('one mark has two meanings in %j: %j', (marks, expected) => {
  expect(hasOneMark(marks)).toBe(expected);
});

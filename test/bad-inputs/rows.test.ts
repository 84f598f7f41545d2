import { writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import {
  badInputSite,
  expectAnswers,
  transactions,
  type BadInput,
  mappedTransactions,
} from '../support/bad-input.ts';

const ROW = transactions({});
const [HEADER, FIRST] = ROW.trimEnd().split('\n') as [string, string];
const headed = (change: (header: string) => string): string => `${change(HEADER)}\n${FIRST}\n`;

const TRAILER = `trailer: {cell: 1, equals: TOTAL, count: 3, sums: [{cell: 6, column: amount}]}`;

const HEADERS: readonly BadInput[] = [
  {
    says: '[C050] lines before the header are refused',
    file: `Export of 2026-11-20\n${ROW}`,
    errors: [
      ['column_missing', 1, null],
      ['column_missing', 1, null],
      ['column_missing', 1, null],
      ['column_missing', 1, null],
      ['column_missing', 1, null],
      ['column_missing', 1, null],
      ['row_too_long', 2, null],
      ['row_too_long', 3, null],
    ],
    warnings: ['header_unknown'],
  },
  {
    says: '[C050] lines before the header are skipped when the mapping declares them',
    file: `Export of 2026-11-20\n\n${ROW}`,
    map: mappedTransactions('skip_lines: 2'),
    errors: [],
    landed: 1,
  },
  {
    says: '[C051] a comment line is data, and refused as ragged',
    file: `${HEADER}\n# exported by night\n${FIRST}\n`,
    errors: [['row_too_short', 2, null]],
  },
  {
    says: '[C052] a header that occurs twice is refused',
    file: headed((header) => header.replace('type', 'amount')),
    errors: [
      ['header_duplicate', 1, 6],
      ['column_missing', 1, null],
      ['invalid', 2, 5],
    ],
  },
  {
    says: '[C053] a header in other letters is refused, with the nearest name',
    file: headed((header) => header.replace('amount', 'Amount ')),
    errors: [
      ['header_unknown', 1, 6],
      ['column_missing', 1, null],
    ],
  },
  {
    says: '[C054] all missing required columns are reported at once',
    file: 'transaction_id\nT-1\n',
    errors: Array.from({ length: 5 }, () => ['column_missing', 1, null] as const),
  },
  {
    says: '[C055] an unknown column is a warning and left out',
    file: transactions({ internal_code: '7' }),
    errors: [],
    warnings: ['header_unknown'],
    landed: 1,
  },
  {
    says: '[C056] a header without a name is refused',
    file: `${HEADER},\n${FIRST},\n`,
    errors: [['header_name_empty', 1, 7]],
  },
  {
    says: '[C057] headers named like parts of the language are unknown names',
    file: `${HEADER},__proto__,constructor\n${FIRST},x,y\n`,
    errors: [],
    warnings: ['header_unknown'],
    landed: 1,
  },
  {
    says: '[C058] a header in the middle of the file is refused',
    file: `${ROW}${transactions({ transaction_id: 'T-2' })}`,
    errors: [['header_repeated', 3, null]],
  },
];

const ROWS: readonly BadInput[] = [
  {
    says: '[C059] a control record is refused when the mapping does not declare it',
    file: `${ROW}TOTAL,,1234.56\n`,
    errors: [['row_too_short', 3, null]],
  },
  {
    says: '[C059] a control record that agrees is no row of data',
    file: `${ROW}TOTAL,,1,,,10.00\n`,
    map: mappedTransactions(TRAILER),
    errors: [],
    landed: 1,
  },
  {
    says: '[C059] a control record that does not agree stops everything',
    file: `${ROW}TOTAL,,2,,,10.01\n`,
    map: mappedTransactions(TRAILER),
    errors: [
      ['trailer_count_differs', 3, 3],
      ['trailer_sum_differs', 3, 6],
    ],
  },
  {
    says: '[C059] a file without its declared control record is refused',
    file: ROW,
    map: mappedTransactions(TRAILER),
    errors: [['trailer_unreadable', 2, null]],
  },
  {
    says: '[C059] a control record before other rows is refused',
    file: `${HEADER}\nTOTAL,,1,,,10.00\n${FIRST}\n`,
    map: mappedTransactions(TRAILER),
    errors: [['trailer_unreadable', 2, null]],
  },
  {
    says: '[C060] a row with too few cells is refused',
    file: `${HEADER}\nACME,1001\n${FIRST}\n`,
    errors: [['row_too_short', 2, null]],
  },
  {
    says: '[C061] a row with too many cells is refused',
    file: `${HEADER}\n${FIRST},more\n`,
    errors: [['row_too_long', 2, null]],
  },
  {
    says: '[C062] a blank line in the middle is skipped',
    file: `${HEADER}\n${FIRST}\n\n${FIRST.replace('T-1', 'T-2')}\n`,
    errors: [],
    landed: 2,
  },
  {
    says: '[C063] a row of commas is refused',
    file: `${ROW},,,,,\n`,
    errors: [['row_empty', 3, null]],
  },
  {
    says: '[C064] a row may mix quoted and unquoted cells',
    file: `${HEADER}\n${FIRST.replace('1001', '"1001"')}\n`,
    errors: [],
    landed: 1,
  },
];

test('headers that a supplier may write', () => expectAnswers(HEADERS));

test('rows that a supplier may write', () => expectAnswers(ROWS));

test('[C053] the nearest header is named', async () => {
  const site = await badInputSite();
  const file = site.csv('t.csv', HEADER.replace('amount', 'ammount'), FIRST);
  expect((await site.cli('check', 'transactions', file)).stdout).toContain('did you mean `amount`?');
});

test('[C054] a column that the mapping names and the file lacks is reported once, not for every row', async () => {
  const site = await badInputSite();
  const file = site.csv('t.csv', ...transactions({}, {}).trimEnd().split('\n'));
  const map = mappedTransactions('').replace('amount: amount', 'amount: { debit: Soll, credit: Haben }');
  writeFileSync(`${file}.map.yaml`, map);
  const { json } = await site.cli('check', 'transactions', file, '--json');
  const problems = json()['problems'] as { code: string; severity: string; line: number }[];
  expect(
    problems.filter(({ severity }) => severity === 'error').map(({ code, line }) => [code, line]),
  ).toEqual([
    ['mapped_column_missing', 1],
    ['mapped_column_missing', 1],
  ]);
});

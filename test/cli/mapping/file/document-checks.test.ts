import { describe, expect, test } from 'vitest';
import { openSourceFile } from '../../../../src/cli/csv/source-file.ts';
import { loadMapping } from '../../../../src/cli/mapping/file/load-mapping.ts';
import type { Descriptors } from '../../../../src/core/contract/resources.ts';
import { narrowedDescriptors } from '../../../../src/core/operator/narrow.ts';
import { attrOfPath } from '../../../../src/core/problem.ts';
import { CHARGES, folderWith } from '../../../support/mapping-files.ts';
import { imported } from '../../../support/operator-document.ts';

const ITEM = 'item: { start_date: D, end_date: D, number_of_units: U, net_amount: A }';

/** The problems of a mapping: the code, the path and what the message says of it. */
async function problemsOf(rest: string, fields = CHARGES, descriptors?: Descriptors) {
  const folder = folderWith({ 'm.yaml': `${fields}${rest}` });
  const { problems } = await loadMapping('m.yaml', (name) => openSourceFile(name, folder), descriptors);
  return problems.map(({ problem: { code, severity, path, facts } }) => {
    expect(severity).toBe('error');
    const said = facts['what'] ?? facts['expected'];
    return `${code.replace('mapping_', '')} ${attrOfPath(path)}${said === undefined ? '' : ` ${said}`}`;
  });
}

const conflict = (key: string, other: string) => `value_invalid ${key} does not go with \`${other}\``;
const needs = (key: string, needed: string) => `value_invalid ${key} needs ${needed}`;
const NO_FIELD = 'a `column`, because rows have no fields yet';

describe('keys of the source that do not go together', () => {
  test.each(
    Object.entries<readonly string[]>({
      'type: jsonl': [],
      'type: jsonl, encoding: utf-8': [],
      'type: csv, delimiter: x': [],
      "type: jsonl, delimiter: ';', quote: none, escape: x, skip_lines: 1, encoding: utf-16le": [
        'delimiter',
        'quote',
        'escape',
        'skip_lines',
        'encoding',
      ]
        .map((key) => conflict(`source.${key}`, 'type: jsonl'))
        .toSpliced(2, 0, conflict('source.escape', 'quote: none'))
        .toSorted(),
      'fixed: [{ name: K, width: 1 }]': [],
      'fixed: [{ name: K, width: 1 }], header: false': [],
      'fixed: [{ name: K, width: 1 }], header: true': [conflict('source.header', 'fixed')],
      "fixed: [{ name: K, width: 1 }], delimiter: ';', quote: none, columns: [A]": [
        'columns',
        'delimiter',
        'quote',
      ].map((key) => conflict(`source.${key}`, 'fixed')),
      'fixed: [{ skip: 1 }]': [needs('source.fixed', 'a column with a `name`')],
      'fixed: [{ skip: 1 }, { name: K, width: 1 }]': [],
      'columns: [A]': [needs('source.columns', '`header: false` beside it')],
      'columns: [A], header: true': [needs('source.columns', '`header: false` beside it')],
      'columns: [A], header: false': [],
      'header: true': [],
      'header: false': [needs('source.header', '`columns`, the names of the cells')],
      'skip: until header': [],
      'skip: until header, skip_lines: 1': [conflict('source.skip_lines', 'skip')],
      'skip: until header, fixed: [{ name: K, width: 1 }]': [conflict('source.skip', 'fixed')],
      'skip: until header, header: false, columns: [A]': [conflict('source.skip', 'header: false')],
      'quote: none': [],
      'quote: none, escape: x': [conflict('source.escape', 'quote: none')],
      "quote: '\"', escape: x": [],
      "delimiter: '|', quote: '|'": [conflict('source.quote', 'delimiter')],
      "delimiter: '|', quote: x": [],
      'trailer: { cell: 1, equals: T, fixed: [{ width: 1 }] }': [conflict('source.trailer', 'delimiter')],
      'fixed: [{ name: K, width: 1 }], trailer: { cell: 1, equals: T, fixed: [{ width: 1 }] }': [],
      "decimal_mark: ',', thousands_mark: ','": [conflict('source.thousands_mark', 'decimal_mark')],
      "decimal_mark: ',', thousands_mark: indian": [conflict('source.thousands_mark', 'decimal_mark')],
      "decimal_mark: ',', thousands_mark: '.'": [],
      'header: false, columns: [A, B, A]': [
        'value_invalid source.columns a list of different names; it has `A` twice',
      ],
      'fixed: [{ name: K, width: 1 }, { skip: 1 }, { skip: 2 }, { name: K, width: 1 }]': [
        'value_invalid source.fixed a list of different names; it has `K` twice',
      ],
    }),
  )('{ %s }: %j', async (source, expected) => {
    expect((await problemsOf(`source: { ${source} }\n`)).toSorted()).toEqual(expected);
  });
});

describe('a query', () => {
  const tables = (spec: string) => `tables: { bills: { file: b.csv${spec} } }`;
  test.each(
    Object.entries<readonly string[]>({
      [`sql: SELECT 1, ${tables('')}`]: [],
      'sql: SELECT 1': [needs('source.sql', '`tables` beside it')],
      [tables('')]: [needs('source.tables', '`sql` beside it')],
      'rows: many': [needs('source.rows', '`sql` beside it')],
      [`sql: SELECT 1, rows: many, ${tables('')}`]: [],
      'sql: SELECT 1, tables: {}': [needs('source.tables', 'a table')],
      [`sql: SELECT 1, ${tables('')}, encoding: utf-8, delimiter: x, header: true, skip_lines: 1`]: [
        'delimiter',
        'encoding',
        'header',
        'skip_lines',
      ].map((key) => `value_invalid source.${key} does not go with \`sql\`; it belongs to a table`),
      [`sql: SELECT 1, ${tables(', skip: until header')}`]: [
        'value_invalid source.tables.bills.skip does not go with `tables`; count the lines in `skip_lines`',
      ],
      [`sql: SELECT 1, ${tables(', header: false')}`]: [
        needs('source.tables.bills.header', '`columns`, the names of the cells'),
      ],
    }),
  )('{ %s }: %j', async (source, expected) => {
    expect((await problemsOf(`source: { ${source} }\n`)).toSorted()).toEqual(expected);
  });
});

describe('conditions and expectations', () => {
  const unknown = (path: string, field = 'note') => [
    `value_invalid ${path} a field that has a mapping, and \`${field}\` has none`,
  ];
  test.each(
    Object.entries<readonly string[]>({
      'filter: [[{ column: K, in: [x] }, { field: type, in: [x] }]]': [
        `value_invalid filter.0.1.field ${NO_FIELD}`,
      ],
      'continuation: { when: { column: K, is: empty } }': [],
      'continuation: { when: { field: type, is: empty } }': [
        `value_invalid continuation.when.0.field ${NO_FIELD}`,
      ],
      '  note: [{ column: N, when: { field: type, in: [x] } }, { constant: y }, { constant: z }]': [
        'value_invalid fields.note.2 does not go with the alternative before it, which has no `when`',
      ],
      '  note: { column: N, when: { field: reason, in: [x] } }\n  reason: { column: R, when: { field: note, in: [x] } }':
        [
          'value_invalid fields.reason does not go with the conditions of `reason`, `note`, which wait for each other',
        ],
      '  note: { column: N, when: { field: nowhere, in: [x] } }': unknown(
        'fields.note.when.0.field',
        'nowhere',
      ),
      [`  line_items: { rows: { when: { field: line_items, is: present }, ${ITEM} } }\ncontinuation: { key: [B] }`]:
        [
          'value_invalid fields.line_items does not go with the conditions of `line_items`, which wait for each other',
        ],
    }),
  )('%s: %j', async (rest, expected) => {
    expect(await problemsOf(`${rest}\n`)).toEqual(expected);
  });
});

describe('lists and sums', () => {
  const KEY = 'continuation: { key: [B] }\n';
  test.each<readonly [string, readonly string[]]>([
    [
      `  line_items: { rows: { ${ITEM} } }\n`,
      [needs('fields.line_items.rows', '`continuation`, which says what rows are one record')],
    ],
    [`  line_items: { rows: { ${ITEM} } }\n${KEY}`, []],
    [
      `  line_items: { join: { file: d.csv, key: {}, ${ITEM} } }\n`,
      ['value_invalid fields.line_items.join.key at least one pair of columns'],
    ],
    [`  line_items: { repeat: { from: 1, to: 1 }, ${ITEM} }\n`, []],
    [
      `  line_items: { repeat: { from: 2, to: 1 }, ${ITEM} }\n`,
      ['value_invalid fields.line_items.repeat numbers of which `to` is not the smaller'],
    ],
    [
      `  line_items: { items: [{ start_date: D }] }\n`,
      [
        'value_invalid fields.line_items.items.0 needs the fields `end_date`, `number_of_units`, `net_amount`, without which no record is valid',
      ],
    ],
    [
      `  line_items: { items: [{ start_date: { column: D, when: { field: end_date, is: present } }, end_date: { column: D, when: { field: start_date, is: present } }, number_of_units: U, net_amount: A }] }\n`,
      [
        'value_invalid fields.line_items.items.0.start_date does not go with the conditions of `start_date`, `end_date`, which wait for each other',
      ],
    ],
    ...['rows', 'join', 'each'].map(
      (key) =>
        [
          `  line_items: { ${key}: { ${key === 'join' ? 'file: d.csv, key: { B: I }, ' : key === 'each' ? 'column: L, ' : ''}${ITEM.replace('net_amount: A', 'net_amount: { column: A, sum: true }')} } }\n${KEY}`,
          [conflict(`fields.line_items.${key}.item.net_amount.sum`, key)],
        ] as const,
    ),
  ])('%s: %j', async (rest, expected) => {
    expect(await problemsOf(rest)).toEqual(expected);
  });

  test.each<readonly [string, string, readonly string[]]>([
    ['{ column: A, sum: true }', KEY, []],
    ['{ debit: A, credit: H, sum: true }', KEY, []],
    ['{ column: A, sum: false }', '', []],
    [
      '{ column: A, sum: true }',
      '',
      [needs('fields.amount.sum', '`continuation`, which says what rows are one record')],
    ],
    [
      "{ constant: '1', sum: true }",
      KEY,
      [needs('fields.amount.sum', '`column`, or `debit` with `credit`, beside it')],
    ],
    [
      "{ column: A, decimal_mark: ',', thousands_mark: ',' }",
      '',
      [conflict('fields.amount.thousands_mark', 'decimal_mark')],
    ],
    ['{ column: A, minor_digits: 2 }', '', [needs('fields.amount.minor_digits', '`unit` beside it')]],
  ])('the amount %s: %j', async (amount, rest, expected) => {
    expect(await problemsOf(rest, CHARGES.replace('amount: A', `amount: ${amount}`))).toEqual(expected);
  });
});

describe('an object that an operator adds', () => {
  const meter = {
    type: 'object',
    required: ['code'],
    properties: { code: { type: 'string' }, rate: { type: 'number' } },
    additionalProperties: false,
  };
  const descriptors = narrowedDescriptors(imported({ note: { meter } }).contract, 'file');

  test.each(
    Object.entries<readonly string[]>({
      'meter: M': [],
      'meter: { fields: { code: C } }': [],
      'meter: { fields: { rate: R } }': [
        'value_invalid fields.meter.fields needs the fields `code`, without which no record is valid',
      ],
    }),
  )('%s: %j', async (line, expected) => {
    const notes = `version: 1\nresource: notes\nfields:\n  external_account_number: K\n  ${line}\n`;
    expect(await problemsOf('', notes, descriptors)).toEqual(expected);
  });
});

describe('values that the mapping gives itself', () => {
  async function unfit(field: string, spec: string) {
    const fields = CHARGES.replace(new RegExp(`  ${field}: .*\n`), '');
    const folder = folderWith({ 'm.yaml': `${fields}  ${field}: ${spec}\n` });
    const { problems } = await loadMapping('m.yaml', (name) => openSourceFile(name, folder));
    return problems.map(
      ({ problem: { code, path, facts } }) => `${code} ${attrOfPath(path)} ${String(facts['expected'])}`,
    );
  }

  test.each<readonly [string, string, readonly (string | RegExp)[]]>([
    [
      'amount',
      "{ constant: '1,5' }",
      [/^mapping_value_invalid fields\.amount\.constant .*it is not a plain decimal such as -1234\.50$/],
    ],
    [
      'amount',
      "{ column: A, lookup: { a: '1.5', b: x } }",
      [/^mapping_value_invalid fields\.amount\.lookup\.b /],
    ],
    [
      'amount',
      "{ column: A, lookup: { a: '1.5' }, unit: minor }",
      [/fields\.amount\.lookup\.a .*more than 0 digits/],
    ],
    ['amount', "{ column: A, lookup: { a: '15' }, unit: minor }", []],
    ['type', '{ constant: CHRGE }', [/fields\.type\.constant .*: .*`?CHARGE/]],
    ['type', '{ column: T, lookup: { a: CHARGE } }', []],
    [
      'transaction_date',
      "{ column: D, lookup: { a: '2026-02-30' } }",
      [/fields\.transaction_date\.lookup\.a /],
    ],
    [
      'note',
      "{ column: N, lookup: { a: '' } }",
      [/fields\.note\.lookup\.a the value that replaces this text$/],
    ],
  ])('%s: %s', async (field, spec, expected) => {
    const found = await unfit(field, spec);
    expect(found).toHaveLength(expected.length);
    for (const [at, each] of expected.entries()) expect(found[at]).toMatch(each);
  });
});

import { describe, expect, test } from 'vitest';
import { attrOfPath } from '../../../../src/core/problem.ts';
import { mapped, type Files } from '../../../support/mapping-files.ts';

const FIELDS = {
  import_supplier: '{ constant: ACME }',
  external_account_number: 'K',
  transaction_id: 'B',
  transaction_date: 'D',
  amount: 'A',
  type: '{ constant: CHARGE }',
};
const ROW = { K: '71', B: 'T1', N: '7', D: '2026-01-05', A: '5.10', S: 'x', P: '2026-02-01' };

/** Maps rows, each with the cells that differ from a usual row. */
async function read(
  fields: Readonly<Record<string, string>>,
  rows: readonly Partial<typeof ROW>[] = [{}],
  { rest = '', files = {} as Files } = {},
) {
  const lines = Object.entries({ ...FIELDS, ...fields }).map(([name, spec]) => `  ${name}: ${spec}\n`);
  const cells = rows.map((row) => Object.values({ ...ROW, ...row }).join(';'));
  return mapped({
    'm.yaml': `version: 1\nresource: transactions\nsource: { delimiter: ';' }\n${rest}fields:\n${lines.join('')}ignore: all\n`,
    'x.csv': `${Object.keys(ROW).join(';')}\n${cells.join('\n')}\n`,
    ...files,
  });
}

describe('the cells that a check has to look at before the steps of their field', () => {
  const cellsOf = async (...args: Parameters<typeof read>) =>
    (await read(...args)).candidates.flatMap(({ sourceCells }) =>
      sourceCells.map(
        ({ path, role, text, cell, isReplaced }) =>
          `${attrOfPath(path)} ${role} ${text} ${cell.line ?? ''}:${cell.column} ${cell.header}${isReplaced ? ' replaced' : ''}`,
      ),
    );
  const REPLACE = "replace: [{ pattern: 'x', with: '' }]";
  const item = (more: string) =>
    `{ items: [{ start_date: P, end_date: P, number_of_units: N, net_amount: A, ${more} }] }`;

  test.each<readonly [string, Readonly<Record<string, string>>, readonly string[]]>([
    ['of a column alone are none', { note: 'N' }, []],
    [
      'of a template are those of its columns',
      { transaction_id: "{ template: '{B}-{N}' }" },
      ['transaction_id name T1 :2 B', 'transaction_id name 7 :3 N'],
    ],
    [
      'of a text are those behind pad',
      { external_account_number: "{ column: K, pad: { length: 9, with: '0' } }" },
      ['external_account_number name 71 :1 K'],
    ],
    [
      'of a text are those behind case',
      { reference: '{ column: S, case: upper }' },
      ['reference name x :6 S'],
    ],
    [
      'of a text are those behind replace',
      { note: `{ column: S, ${REPLACE} }` },
      ['note name x :6 S replaced'],
    ],
    [
      'of an amount are those behind replace',
      { amount: `{ column: A, ${REPLACE} }` },
      ['amount value 5.10 :5 A replaced'],
    ],
    [
      'of a date are those behind replace',
      { transaction_date: `{ column: D, ${REPLACE} }` },
      ['transaction_date value 2026-01-05 :4 D replaced'],
    ],
    [
      'of two columns are both',
      { amount: `{ debit: A, credit: N, ${REPLACE} }` },
      ['amount value 5.10 :5 A replaced', 'amount value 7 :3 N replaced'],
    ],
    [
      'are none where the table of the mapping has the text',
      { type: '{ column: S, lookup: { x: CHARGE }, otherwise: CREDIT }' },
      [],
    ],
    [
      'are those that the table does not have',
      { type: '{ column: S, lookup: { y: CHARGE }, otherwise: CREDIT }' },
      ['type name x :6 S'],
    ],
    [
      'of an item are those of its numbers',
      { line_items: item(`price_per_unit: { column: N, ${REPLACE} }`) },
      ['line_items.0.price_per_unit value 7 :3 N replaced'],
    ],
    ['of an item are none of its texts', { line_items: item(`rate_band: { column: S, ${REPLACE} }`) }, []],
  ])('%s', async (_, fields, expected) => {
    expect(await cellsOf(fields)).toEqual(expected);
  });

  test('are those of a table in a file, whether or not it has the text', async () => {
    const files = { 't.csv': 'from,to\nx,CHARGE\n' };
    const type = '{ column: S, lookup: { file: t.csv, key: from, value: to } }';
    expect(await cellsOf({ type }, [{}], { files })).toEqual(['type name x :6 S']);
  });

  test('are none where the cell is empty', async () => {
    expect(await cellsOf({ transaction_id: "{ template: '{B}-{N}' }" }, [{ N: '' }])).toEqual([
      'transaction_id name T1 :2 B',
    ]);
  });

  test('of a sum are those of each row, and the keys that put the rows together', async () => {
    const rest = 'continuation: { key: [B] }\n';
    expect(
      await cellsOf({ amount: `{ column: A, sum: true, ${REPLACE} }` }, [{}, { A: '6' }], { rest }),
    ).toEqual([' key T1 :2 B replaced', 'amount value 5.10 :5 A replaced', 'amount value 6 3:5 A replaced']);
  });
});

test('an alternative that is not the first leads to its own column', async () => {
  const amount =
    "[{ column: N, when: { column: S, in: [y] } }, { column: A, when: { column: S, in: [x] } }, { constant: '1' }]";
  const { candidates, records } = await read({ amount }, [{}, { S: 'y' }, { S: 'z' }]);
  expect(records.map((record) => /"amount":([\d.]+)/.exec(record)![1])).toEqual(['5.10', '7', '1']);
  expect(candidates.map(({ parts }) => parts)).toEqual([
    [{ attr: 'amount', file: null, line: 2, columns: 'amount.~1' }],
    [],
    [{ attr: 'amount', file: null, line: 4, columns: 'amount.~2' }],
  ]);
});

describe('what is known once all rows were mapped', () => {
  const leftOf = async (...args: Parameters<typeof read>) =>
    [...(await read(...args)).plan.leftOver()].map(({ problem: { code, path, facts }, cell }) => ({
      at: `${cell?.file ?? ''}:${cell?.line ?? ''}:${cell?.column ?? ''} ${cell?.header ?? ''}`,
      field: attrOfPath(path),
      code,
      ...facts,
    }));

  test('are the texts that a table does not have', async () => {
    const type = '{ column: S, lookup: { CHARGE: CHARGE, y: CREDIT }, otherwise: CREDIT }';
    expect(await leftOf({ type }, [{ S: 'a' }, { S: 'y' }, { S: 'a' }, { S: 'Charge' }])).toEqual([
      {
        at: '::6 S',
        field: 'type',
        code: 'lookup_orphans',
        different: '2',
        count: 3,
        near: '; 1 of them differs only in case, accents, spaces or punctuation from one that is there',
        values: '',
      },
    ]);
    expect(await leftOf({ type }, [{ S: 'y' }])).toEqual([]);
  });

  test('are dates that are not all written alike', async () => {
    const transaction_date = '{ column: D, format: iso, time_zone: UTC }';
    const rows = [
      '2026-01-05',
      '2026-01-05T10:00:00+01:00',
      '',
      '2026-01-05',
      '2026-01-05T10:00:00',
      '2026-01-05',
    ];
    expect(
      await leftOf(
        { transaction_date },
        rows.map((D) => ({ D })),
      ),
    ).toEqual([
      {
        at: ':3:4 D',
        field: 'transaction_date',
        code: 'date_kinds_mixed',
        count: 2,
        total: 5,
        found: 'moments with an offset and times without an offset',
        usual: 'days without a time',
      },
    ]);
    expect(await leftOf({ transaction_date }, [{}, {}])).toEqual([]);
    const named = "{ column: D, format: [yyyy-MM-dd, 'yyyy-MM-dd HH:mm'] }";
    expect(await leftOf({ transaction_date: named }, [{}, { D: '2026-01-05 10:00' }])).toEqual([]);
  });

  test.each([
    ['transaction_id', [{}, { N: '' }], { count: 1, total: 2 }],
    ['transaction_id', [{}, { N: '' }, { N: '' }], undefined],
    ['reference', [{}, { N: '' }], { count: 1, total: 2 }],
    ['note', [{}, { N: '' }], undefined],
  ])('are the empty parts of a template of %s: %j', async (field, rows, facts) => {
    expect(await leftOf({ [field]: "{ template: '{B}-{N}' }" }, rows)).toEqual(
      facts ? [{ at: ':3:3 N', field, code: 'template_part_empty', column: 'N', ...facts }] : [],
    );
  });

  test('are the amounts of each column of money, before their steps, and not those that cannot be read', async () => {
    const rows = [{ A: '1.234x' }, { A: '7' }, ...Array.from({ length: 30 }, () => ({ A: '1.20' }))];
    expect(await leftOf({}, rows)).toEqual([
      {
        at: ':3:5 A',
        field: 'amount',
        code: 'amount_decimals_differ',
        count: 1,
        total: 31,
        found: '0',
        usual: 2,
      },
    ]);
    const whole = Array.from({ length: 20 }, () => ({ A: '100' }));
    expect(await leftOf({}, whole)).toMatchObject([{ at: ':2:5 A', code: 'amounts_all_whole', count: 20 }]);
    expect(await leftOf({ amount: '{ column: A, unit: minor }' }, whole)).toEqual([]);
    expect(await leftOf({ amount: '{ constant: 1 }' }, whole)).toEqual([]);
  });

  test('count no trial', async () => {
    const { plan } = await read(
      {
        transaction_id: "{ template: '{B}-{N}' }",
        transaction_date: '{ column: D, format: iso, time_zone: UTC }',
        type: '{ column: S, lookup: { y: CREDIT }, otherwise: CREDIT }',
      },
      [{ S: 'y', A: '100' }],
    );
    const row = (cells: Partial<typeof ROW>) => ({
      firstLine: 9,
      lastLine: 9,
      byteStart: 0,
      byteEnd: 0,
      cells: Object.values({ ...ROW, ...cells }),
    });
    for (let at = 0; at < 30; at++)
      plan.candidateOf([row({ N: at < 10 ? '' : '7', D: '2026-01-05T10:00:00Z', S: 'z', A: '100' })], true);
    expect([...plan.leftOver()]).toEqual([]);
  });
});

describe('values of the fields of a record', () => {
  const valuesOf = async (...args: Parameters<typeof read>) => {
    const { records, problems } = await read(...args);
    return { values: records.map((each) => JSON.parse(each) as Record<string, unknown>), problems };
  };

  test('keep what a warning is about', async () => {
    const { records, problems } = await read({}, [{ A: '-0.00' }, { A: '007.50' }]);
    expect(records.map((record) => /"amount":([\d.]+)/.exec(record)?.[1])).toEqual(['0.00', '7.50']);
    expect(problems).toEqual(['negative_zero amount ::5', 'leading_zeros amount ::5']);
  });

  test('have no value in place of one that cannot be read', async () => {
    const { candidates, problems } = await read({ amount: '{ column: A, required: true }' }, [{ A: 'x' }]);
    expect(candidates[0]!.record).not.toHaveProperty('amount');
    expect(problems).toEqual(['number_unreadable amount ::5']);
  });

  test.each([
    [{ A: 'x', N: '5' }, ['number_unreadable amount ::5']],
    [{ A: '5', N: 'x' }, ['number_unreadable amount ::3']],
    [{ A: '1.5', N: '' }, ['minor_digits_lost amount ::5']],
    [{ A: '', N: '1.5' }, ['minor_digits_lost amount ::3']],
  ])('of two columns are one problem at its cell: %j', async (cells, expected) => {
    const amount = '{ debit: A, credit: N, unit: minor, required: true }';
    expect((await read({ amount }, [cells])).problems).toEqual(expected);
  });

  test('of two columns name the other one', async () => {
    const amount = '{ debit: A, credit: N }';
    const { candidates } = await read({ amount }, [
      { A: '', N: '' },
      { A: '1', N: '2' },
    ]);
    expect(
      candidates.flatMap((each) => each.problems.map(({ problem: { code, facts } }) => [code, facts])),
    ).toEqual([
      ['debit_credit_none', { other: 'N' }],
      ['debit_credit_both', { other: 'A' }],
    ]);
  });

  test('of a cell with brackets are texts in a CSV file', async () => {
    const { values, problems } = await valuesOf({ note: 'S', reference: "{ template: '{S}/{N}' }" }, [
      { S: '[1]' },
    ]);
    expect([values[0], problems]).toMatchObject([{ note: '[1]', reference: '[1]/7' }, []]);
  });

  test('of a template have their problem at its first column', async () => {
    const transaction_date = "{ template: '({D}) {N}' }";
    expect((await read({ transaction_date }, [{}])).problems).toEqual([
      'date_unreadable transaction_date ::4',
    ]);
  });

  test('that are no texts may have a template whose parts are empty', async () => {
    const transaction_date = "{ template: '{D}{S}' }";
    const { plan, problems } = await read({ transaction_date }, [
      { S: '' },
      { S: '' },
      { D: '2026-01-0', S: '6' },
    ]);
    expect([problems, [...plan.leftOver()]]).toEqual([[], []]);
  });

  test.each([
    ['{ field: line_items, matches: object }', undefined],
    ["{ field: line_items, not_in: ['x'] }", 'n'],
    ["{ field: amount, in: ['1', x, '5.1'] }", 'n'],
    ["{ field: amount, in: ['1', x] }", undefined],
    ['{ column: S, is: empty }', undefined],
    ['{ column: S, is: present }', 'n'],
    ['{ field: amount, is: zero }', undefined],
    ['{ field: amount, is: nonzero }', 'n'],
    ['{ field: amount, is: positive }', 'n'],
    ['{ field: amount, is: negative }', undefined],
  ])('have the condition %s', async (when, note) => {
    const line_items = '{ items: [{ start_date: P, end_date: P, number_of_units: N, net_amount: A }] }';
    const { values } = await valuesOf({ line_items, note: `{ constant: n, when: ${when} }` });
    expect(values[0]!['note']).toBe(note);
  });

  test('have a condition on the sign of a cell, which may be empty', async () => {
    const note = '{ constant: n, when: { column: S, is: negative } }';
    expect((await read({ note }, [{ S: '' }])).problems).toEqual([]);
    const { candidates } = await read({ note }, [{ S: 'x' }]);
    expect(candidates[0]!.problems.map(({ problem: { code, path, facts } }) => [code, path, facts])).toEqual([
      ['number_unreadable', [], { example: '-1234.56' }],
    ]);
  });
});

describe('items', () => {
  const ITEM = 'start_date: P, end_date: P, number_of_units: N, net_amount: A';
  const TAX =
    "tax_type: { constant: VAT }, value_taxed: N, rate: { constant: '0.2' }, unit_type: { constant: PROPORTION }";

  test('of constants alone are made for each record, and those of two empty columns for none', async () => {
    const constant =
      "{ items: [{ amount: { constant: '1' }, tax_type: { constant: VAT }, value_taxed: { constant: '5' }, rate: { constant: '0.2' }, unit_type: { constant: PROPORTION } }] }";
    const two = `{ items: [{ amount: { debit: A, credit: S }, ${TAX.replace('value_taxed: N', "value_taxed: { constant: '5' }")} }] }`;
    expect((await read({ tax_items: constant })).records[0]).toContain('"tax_items":[{"amount":1,');
    const { records, problems } = await read({ amount: "{ constant: '1' }", tax_items: two }, [
      { A: '', S: '' },
    ]);
    expect([records[0]!.includes('tax_items'), problems]).toEqual([false, []]);
  });

  test('without any value are none, and have no place', async () => {
    const when = 'when: { column: S, in: [y] }';
    const item = ['start_date', 'end_date', 'number_of_units', 'net_amount'].map(
      (name) => `${name}: { column: P, ${when} }`,
    );
    const { records, candidates } = await read({ line_items: `{ items: [{ ${item.join()} }] }` });
    expect([records[0]!.includes('line_items'), candidates[0]!.parts]).toEqual([false, []]);
  });

  test('at their own places have no other part', async () => {
    const { candidates } = await read({ line_items: `{ items: [{ ${ITEM} }] }` });
    expect(candidates[0]!.parts).toEqual([]);
  });

  test('may have a template with a text of its own', async () => {
    const line_items = `{ items: [{ ${ITEM}, rate_band: { template: 'T-{S}' } }, { ${ITEM.replaceAll(/: [PNA]/g, ': { column: S, when: { column: S, is: empty } }')}, rate_band: { template: 'U-{S}' } }] }`;
    const { records } = await read({ line_items }, [{ S: 'x' }]);
    expect(records[0]).toMatch(/\[\{"rate_band":"T-x",[^}]*\},\{"rate_band":"U-x"\}\]/);
  });

  test('of single values have their problems at their index', async () => {
    const line_items = `{ items: [{ ${ITEM}, units: { items: [N, S] } }] }`;
    const { problems } = await read({ line_items });
    expect(problems).toEqual(['number_unreadable line_items.0.units.1 ::6']);
  });

  test('that are repeated have the numbers of their columns, and conditions on fields', async () => {
    const rest = (to: number) => ({
      'm.yaml': `version: 1
resource: transactions
fields:
  import_supplier: { constant: ACME }
  external_account_number: K
  transaction_id: K
  transaction_date: { constant: '2026-01-05' }
  amount: { constant: '1' }
  type: { constant: SUPPLY_CHARGE }
  line_items: { repeat: { from: 2, to: ${to} }, item: { start_date: { column: 'D{n}', when: { field: type, in: [SUPPLY_CHARGE] } }, end_date: { column: 'D{n}', when: { column: 'U{n}', is: present } }, number_of_units: 'U{n}', net_amount: [{ column: 'U{n}' }] } }
`,
      'x.csv': 'K,D2,U2,D3,U3\n1,2026-01-01,5,2026-01-02,6\n',
    });
    const { header, records, plan } = await mapped(rest(3));
    expect(header).toEqual([]);
    expect(records[0]).toContain(
      '"start_date":"2026-01-02","end_date":"2026-01-02","number_of_units":6,"net_amount":6}]',
    );
    expect(plan.columns.map(({ attr, header: name }) => `${attr} ${name}`)).toContain(
      'line_items.1.net_amount U3',
    );
    expect((await mapped(rest(4))).header).toEqual([
      'error mapped_column_missing D4',
      'error mapped_column_missing U4',
    ]);
  });

  test('of rows begin with the first row, and lead to their own lines', async () => {
    const rest = 'continuation: { key: [B, N] }\n';
    const fields = {
      amount: '{ column: A, sum: true }',
      note: 'S',
      line_items: `{ rows: { item: { ${ITEM} } } }`,
    };
    const { candidates, plan, problems } = await read(fields, [{ N: '' }, { N: '', A: '6', K: '' }], {
      rest,
    });
    expect(problems).toEqual([]);
    expect(candidates[0]!.parts).toEqual([{ attr: 'line_items.1', file: null, line: 3 }]);
    // The key without a text is none.
    expect(candidates[0]!.sourceCells.map(({ role, text }) => `${role} ${text}`)).toEqual(['key T1']);
    expect(plan.columns.map(({ attr, header }) => `${attr} ${header}`)).toEqual(
      expect.arrayContaining(['line_items.*.start_date P', 'line_items.*.net_amount A']),
    );
  });

  test('of rows may read the columns of the record, which then may differ', async () => {
    const rest = 'continuation: { key: [B] }\n';
    const rows = [{ P: '2026-02-01' }, { P: '2026-02-02' }];
    const line_items = `{ rows: { item: { ${ITEM} } } }`;
    const problemsOf = async (fields: Readonly<Record<string, string>>) =>
      (await read(fields, rows, { rest })).problems;
    expect(await problemsOf({ note: 'P', line_items })).toEqual([]);
    expect(await problemsOf({ note: 'P' })).toEqual(['continuation_differs note :3:7']);
    const { candidates } = await read({ note: 'P' }, rows, { rest });
    expect(candidates[0]!.problems[0]!.problem.facts).toEqual({ first_line: 2 });
  });

  test('of a second file have its columns, its keys and its own amounts', async () => {
    const join = `{ join: { file: d.csv, key: { B: Id }, item: { ${ITEM} } } }`;
    const lines = Array.from({ length: 20 }, () => 'T1;2026-01-01;1;100;more\n').join('');
    const { header, plan, candidates } = await read({ line_items: join }, [{ A: '1.20' }], {
      files: { 'd.csv': `Id;P;N;A;Other\n${lines}` },
    });
    expect(header).toEqual([]);
    expect(plan.columns.filter(({ file }) => file !== undefined)).toEqual([
      { attr: 'line_items.*.start_date', index: 1, header: 'P', file: 'd.csv' },
      { attr: 'line_items.*.end_date', index: 1, header: 'P', file: 'd.csv' },
      { attr: 'line_items.*.number_of_units', index: 2, header: 'N', file: 'd.csv' },
      { attr: 'line_items.*.net_amount', index: 3, header: 'A', file: 'd.csv' },
    ]);
    expect(candidates[0]!.sourceCells).toEqual([
      {
        path: ['line_items'],
        role: 'key',
        text: 'T1',
        isReplaced: true,
        cell: { file: null, line: null, column: 2, header: 'B' },
      },
    ]);
    expect([...plan.leftOver()].map(({ problem: { code, path }, cell }) => [code, path, cell])).toEqual([
      [
        'amounts_all_whole',
        ['line_items', '*', 'net_amount'],
        { file: 'd.csv', line: 2, column: 4, header: 'A' },
      ],
    ]);
  });

  test('have units and prices that may have any decimals', async () => {
    const item = '{ items: [{ start_date: P, end_date: P, number_of_units: N, net_amount: A }] }';
    const rows = [{ N: '1.234' }, ...Array.from({ length: 40 }, () => ({ N: '1.20' }))];
    expect([...(await read({ line_items: item }, rows)).plan.leftOver()]).toEqual([]);
  });
});

test('a text is no date, whatever the format of dates is', async () => {
  const { plan } = await mapped({
    'm.yaml': `version: 1
resource: notes
source: { date_format: iso }
fields: { import_supplier: { constant: ACME }, external_account_number: K, body: T }
`,
    'x.csv': 'K,T\n1,a\n1,10:30\n',
  });
  expect([...plan.leftOver()]).toEqual([]);
});

test('amounts of a field in minor units are whole', async () => {
  const rows = Array.from({ length: 20 }, (_, at) => `1,S${at},2026-01-01,2026-01-31,1200\n`).join('');
  const statements = (amount: string) =>
    mapped({
      'm.yaml': `version: 1
resource: statements
fields: { import_supplier: { constant: ACME }, external_account_number: K, statement_id: S, bill_period_from_date: F, bill_period_to_date: T, gross_amount: ${amount} }
`,
      'x.csv': `K,S,F,T,G\n${rows}`,
    });
  expect([...(await statements('G')).plan.leftOver()]).toEqual([]);
});

test('the texts that a table does not have are counted one by one', async () => {
  const { plan } = await read({ type: '{ column: S, lookup: { y: CREDIT }, otherwise: CREDIT }' }, [
    { S: 'a' },
    { S: 'b' },
    { S: 'a' },
  ]);
  expect([...plan.leftOver()].map(({ problem }) => problem.facts['different'])).toEqual(['2']);
});

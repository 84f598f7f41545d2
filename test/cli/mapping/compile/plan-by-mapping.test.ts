import { describe, expect, test } from 'vitest';
import { mapped } from '../../../support/mapping-files.ts';

const FIELDS = `
fields:
  external_account_number: K
  transaction_id: B
  transaction_date: { constant: '2026-01-05' }
  amount: Betrag
  type: { constant: CHARGE }
`;
const mapping = (rest = ''): string => `version: 1\nresource: transactions\n${rest}${FIELDS}`;

describe('the header of a mapped file', () => {
  test('lacks columns that the mapping names: each is reported, with the nearest name', async () => {
    const { header } = await mapped({ 'm.yaml': mapping(), 'x.csv': 'K,C,Betrga\n1,T1,5\n' }, 'ACME');
    expect(header).toEqual(['error mapped_column_missing B', 'error mapped_column_missing Betrag']);
  });

  test('is no header when it has no column of the mapping, so its cells are not repeated', async () => {
    const { header } = await mapped(
      { 'm.yaml': mapping(), 'x.csv': '10010023417,T1,5.00\n1,T2,6.00\n' },
      'ACME',
    );
    expect(header).toEqual([
      'error mapped_column_missing K',
      'error mapped_column_missing B',
      'error mapped_column_missing Betrag',
    ]);
  });
});

test('a record has its fields in the order of the interface, whatever the order of the mapping', async () => {
  const { records } = await mapped(
    { 'm.yaml': `${mapping()}  note: N\n`, 'x.csv': 'N,Betrag,B,K\nn,5.00,T1,1\n' },
    'ACME',
  );
  expect(records).toEqual([
    '{"transaction_id":"T1","transaction_date":"2026-01-05","amount":5.00,"type":"CHARGE","note":"n"}',
  ]);
});

describe('the filter', () => {
  const csv = 'K,B,Betrag,S\n1,T1,5,STORNO\n1,T2,0.00,\n1,T3,5,\n1,T4,-5,X\n1,T5,x,\n';

  test.each([
    ['[{ column: S, in: [STORNO] }]', ['T2', 'T3', 'T4', 'T5']],
    ['[{ column: S, in: [STORNO] }, { column: Betrag, is: zero }]', ['T3', 'T4', 'T5']],
    ['[[{ column: S, is: present }, { column: Betrag, is: negative }]]', ['T1', 'T2', 'T3', 'T5']],
    ['[{ column: Betrag, is: nonzero }]', ['T2', 'T5']],
    ["[{ column: B, matches: '[1-4]$' }]", ['T5']],
    ["[{ column: S, in: [''] }]", ['T1', 'T4']],
    ["[{ column: S, not_in: ['', X] }]", ['T2', 'T3', 'T4', 'T5']],
  ])('%s leaves %j', async (filter, left) => {
    const { candidates, filtered } = await mapped(
      { 'm.yaml': mapping(`ignore: all\nfilter: ${filter}\n`), 'x.csv': csv },
      'ACME',
    );
    expect(candidates.map(({ record }) => (record as { transaction_id: string }).transaction_id)).toEqual(
      left,
    );
    expect(filtered).toBe(5 - left.length);
  });
});

describe('what is known once all rows were mapped', () => {
  const row = (line: number, ...cells: readonly string[]) => ({
    firstLine: line,
    lastLine: line,
    byteStart: 0,
    byteEnd: 0,
    cells,
  });
  const codesOf = (problems: Iterable<{ readonly problem: { readonly code: string } }>) =>
    [...problems].map(({ problem }) => problem.code);

  test('are the rows of a second file that no record asked for, of this shard or of another', async () => {
    const text = `${mapping('ignore: all\n')}  line_items: { join: { file: d.csv, key: { B: Id }, item: { start_date: D, end_date: D, number_of_units: U, net_amount: U } } }\n  reason: [{ constant: IMPORTED_CHARGE, when: { column: S, in: [x] } }, { constant: GENERAL_CHARGE }]\n`;
    const files = {
      'm.yaml': text,
      'x.csv': 'K,B,Betrag,S\n1,T1,5.10,x\n',
      'd.csv': 'Id,D,U\nT1,2026-01-01,1.10\nT2,2026-01-01,1.10\n',
    };
    const { plan, leftOver } = await mapped(files, 'ACME');
    expect(leftOver).toEqual(['rows_not_joined  d.csv:3:']);
    // A record of another shard counts for nothing else.
    plan.passOver([row(9, '1', 'T2', '5.10', 'z')]);
    expect(codesOf(plan.leftOver())).toEqual([]);
  });

  test('are no texts of rows that are left out by their cells', async () => {
    const field =
      '  reason: [{ column: S, lookup: { x: IMPORTED_CHARGE }, when: { column: S, in: [x] } }, { constant: GENERAL_CHARGE }]\n';
    const leftOf = async (filter: string) => {
      const csv = 'K,B,Betrag,S\n1,T1,5.10,z\n1,T2,5.10,x\n';
      const text = `${mapping(`ignore: all\nfilter: [${filter}]\n`)}${field}`;
      const { plan } = await mapped({ 'm.yaml': text, 'x.csv': csv }, 'ACME');
      return [...plan.leftOver()].map(({ problem: { code, facts } }) => `${code} ${String(facts['count'])}`);
    };
    expect(await leftOf('{ column: B, in: [T1] }')).toEqual([]);
  });
});

describe('a cell that the filter cannot read', () => {
  const problemsOf = async (column: string) =>
    (
      await mapped(
        {
          'm.yaml': mapping(`ignore: all\nfilter: [{ column: ${column}, is: zero }]\n`),
          'x.csv': 'K,B,Betrag,S\n1,T1,x,y\n1,T2,5,0\n',
        },
        'ACME',
      )
    ).problems;

  test('is reported once, where a field cannot read it either', async () => {
    expect(await problemsOf('Betrag')).toEqual(['number_unreadable amount ::3']);
    expect(await problemsOf('S')).toEqual(['number_unreadable amount ::3', 'number_unreadable  ::4']);
  });
});

test('the account number of a row is known before its record, where no other field decides about it', async () => {
  const numberOf = async (spec: string, account = '7') => {
    const text = mapping('ignore: all\n').replace(': K', `: ${spec}`);
    const { plan } = await mapped({ 'm.yaml': text, 'x.csv': `K,B,Betrag,S\n` }, 'ACME');
    const cells = [account, 'T1', '5', 'x'];
    return plan.accountNumberIn([{ firstLine: 2, lastLine: 2, byteStart: 0, byteEnd: 0, cells }]);
  };
  expect(await numberOf('K')).toBe('7');
  expect(await numberOf('K', '')).toBeUndefined();
  expect(await numberOf("{ template: '{K}-{S}' }")).toBe('7-x');
  expect(await numberOf('{ column: K, when: { column: S, in: [x] } }')).toBe('7');
  expect(await numberOf('{ column: K, lookup: { a: b } }')).toBeUndefined();
  expect(await numberOf('{ column: K, when: { field: type, in: [CHARGE] } }')).toBeUndefined();
});

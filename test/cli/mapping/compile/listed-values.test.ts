import { describe, expect, test } from 'vitest';
import { nearTexts } from '../../../../src/cli/mapping/compile/listed-values.ts';
import { attrOfPath } from '../../../../src/core/problem.ts';
import { mapped, type Files } from '../../../support/mapping-files.ts';

/** What is left over after 30 rows, whose cells in `S` are those that are given, then `open`. */
async function leftOver(
  rest: string,
  states: readonly string[],
  { rows = 30, fields = '', files = {} as Files } = {},
) {
  const lines = Array.from({ length: rows }, (_, at) => `1,T${at},5.10,${states[at] ?? 'open'},${at % 2}\n`);
  const { plan } = await mapped(
    {
      'm.yaml': `version: 1
resource: transactions
ignore: all
fields:
  external_account_number: K
  transaction_id: B
  transaction_date: { constant: '2026-01-05' }
  amount: A
  type: { constant: CHARGE }
${fields}${rest}`,
      'x.csv': `K,B,A,S,P\n${lines.join('')}`,
      ...files,
    },
    'ACME',
  );
  return [...plan.leftOver()].map(({ problem: { code, severity, path, facts }, cell }) => {
    expect([severity, attrOfPath(path)]).toEqual(['warning', '']);
    return { at: `${cell!.file ?? ''}:${cell!.line}:${cell!.column} ${cell!.header}`, code, ...facts };
  });
}

const filter = (list: string, key = 'in') => `filter:\n  - { column: S, ${key}: ${list} }\n`;

describe('a text that a condition lists and no row has', () => {
  const missing = (at: string, text: string, column = 'S', count = 30) => ({
    at: `m.yaml:${at} ${column}`,
    code: 'condition_doubtful',
    found: `lists \`${text}\`, which no row has in \`${column}\``,
    count,
  });

  test('is a warning at its place', async () => {
    expect(await leftOver(filter('[void, x, y]'), ['void'])).toEqual([
      missing('11:29', 'x'),
      missing('11:32', 'y'),
    ]);
    expect(await leftOver(filter('[open, x]', 'not_in'), ['void'])).toEqual([missing('11:33', 'x')]);
  });

  test('is said once, at the first of its places', async () => {
    const twice = `${filter('[void, x]')}  - { column: S, in: [open2, x, half] }\n  - { column: P, in: ['0'] }\n`;
    expect(await leftOver(twice, ['void', 'half'])).toEqual([
      missing('11:29', 'x'),
      missing('12:23', 'open2'),
    ]);
  });

  test('needs twenty rows', async () => {
    expect(await leftOver(filter('[void, x]'), ['void'], { rows: 20 })).toEqual([
      missing('11:29', 'x', 'S', 20),
    ]);
    expect(await leftOver(filter('[void, x]'), ['void'], { rows: 19 })).toEqual([]);
  });

  test('may be the empty text, which an empty cell has', async () => {
    expect(await leftOver(filter("[void, '']"), ['void', ''])).toEqual([]);
    expect(await leftOver(filter("[void, '']"), ['void'])).toEqual([missing('11:29', '')]);
  });

  test('is none of a condition on a field, on emptiness or on a pattern', async () => {
    const rest = `${filter('[void]')}  - [{ column: P, in: ['1'] }, { field: amount, in: [x] }]\n  - [{ column: P, in: ['0'] }, { column: S, matches: z }]\n`;
    expect(JSON.stringify(await leftOver(rest, ['void']))).not.toContain('lists');
  });

  test('is none of a second file or of a list', async () => {
    const item = 'item: { start_date: D, end_date: D, number_of_units: U, net_amount: N }';
    const fields = `  line_items: { join: { file: d.csv, key: { B: Id }, when: { column: S, in: [x, y] }, ${item} } }\n`;
    const files = { 'd.csv': 'Id,S,D,U,N\nT1,x,2026-01-01,1,1.10\nT2,z,2026-01-01,1,1.10\n' };
    expect(await leftOver('', [], { fields, files })).toEqual([]);
  });
});

describe('a value that is nearly a listed text', () => {
  const near = (at: string, rest: object = {}) => ({
    at,
    code: 'value_nearly_listed',
    difference: 'case, accents, spaces or punctuation',
    count: 1,
    left_out: '',
    place: 'm.yaml:11:23',
    values: '',
    ...rest,
  });

  test('is a warning at the first cell, with the place of the text', async () => {
    expect(await leftOver(filter('[void]'), ['void', 'Void', 'VOID', 'void'])).toEqual([
      near(':3:4 S', { count: 2 }),
    ]);
    expect(await leftOver(filter('[open]', 'not_in'), ['Open', 'open'])).toEqual([
      near(':2:4 S', { left_out: '; the filter leaves out 1 of them', place: 'm.yaml:11:27' }),
    ]);
  });

  test('may have a typing error', async () => {
    expect(await leftOver(filter('[storno]'), ['storno', 'storno', 'strono'])).toEqual([
      near(':4:4 S', { difference: 'one letter' }),
    ]);
  });

  test('is none of a column that the file does not have', async () => {
    const found = await leftOver('filter: [{ column: S, in: [void] }, { column: Q, in: [x] }]\n', [
      'void',
      'Void',
    ]);
    expect(found.filter(({ code }) => code === 'value_nearly_listed')).toMatchObject([{ at: ':3:4 S' }]);
  });
});

describe('a value of a second file, or of a list, that is nearly a listed text', () => {
  const when = (list: string) =>
    `  line_items: { join: { file: d.csv, key: { B: Id }, when: [{ column: S, ${list} }, { column: D, is: present }], item: { start_date: D, end_date: D, number_of_units: U, net_amount: N } } }\n`;
  const files = (...states: readonly string[]) => ({
    'd.csv': `Id,S,D,U,N\n${states.map((state, at) => `T${at},${state},2026-01-01,1,1.10\n`).join('')}`,
  });
  const warned = (list: string, ...states: readonly string[]) =>
    leftOver('', [], { fields: when(list), files: files(...states) }).then((all) =>
      all.filter(({ code }) => code === 'value_nearly_listed'),
    );

  test('is a warning at the first cell of each text', async () => {
    const said = (at: string, count: number) => ({
      at,
      code: 'value_nearly_listed',
      difference: 'case, accents, spaces or punctuation',
      count,
      place: 'm.yaml:10:61',
      left_out: '',
      values: '',
    });
    expect(await warned('in: [kwh]', 'kwh', 'KWH', '', 'KWH', 'Kwh', 'text')).toEqual([
      said('d.csv:3:2 S', 2),
      said('d.csv:6:2 S', 1),
    ]);
    expect(await warned('not_in: [text]', 'Text', 'kwh')).toMatchObject([{ at: 'd.csv:2:2 S' }]);
  });

  test('is none, where the texts agree or the condition lists none', async () => {
    expect(await warned('in: [kwh, KWH]', 'kwh', 'KWH')).toEqual([]);
    expect(await warned('matches: kwh', 'kwh', 'KWH')).toEqual([]);
    expect(await warned('is: present', 'kwh', 'KWH')).toEqual([]);
  });
});

test('a text is near one with the same spelling, again and again', () => {
  const nearTo = nearTexts(
    new Map([
      ['void', 0],
      ['Open', 0],
    ]),
  );
  for (let at = 0; at < 3; at++)
    expect(['Void', 'open', 'x', 'void'].map(nearTo)).toEqual(['void', 'Open', undefined, 'void']);
  const many = Array.from({ length: 2_000 }, (_, at) => nearTo(`text ${at}`));
  expect(many.filter((each) => each !== undefined)).toEqual([]);
  expect(nearTo('VOID')).toBe('void');
});

import { describe, expect, test } from 'vitest';
import {
  queryFunctions,
  refusedFunction,
  unreadIn,
  type SqlValue,
} from '../../../../../src/cli/mapping/language/query/query-functions.ts';

const MARK = '\u{FDD0}';

function call(name: string, ...args: readonly SqlValue[]): SqlValue {
  const { scalars } = queryFunctions();
  expect(scalars[name]!.args).toBe(args.length);
  return scalars[name]!.call(...args);
}

describe('a function of a query', () => {
  test.each<readonly [string, readonly SqlValue[], SqlValue]>([
    ['dec_add', ['0.10', '0.20'], '0.30'],
    ['dec_add', ['9007199254740993', 1n], '9007199254740994'],
    ['dec_sub', ['1.00', '2.5'], '-1.50'],
    ['dec_mul', ['1.1', '3'], '3.3'],
    ['dec_mul', ['-0.5', '0.5'], '-0.25'],
    ['dec_round', ['2.345', 2n], '2.35'],
    ['dec_round', ['-2.345', 2n], '-2.35'],
    ['dec_round', ['2.5', 0n], '3'],
    ['dec_round', ['1', 20n], '1.00000000000000000000'],
    ['dec_cmp', ['2', '2.00'], 0n],
    ['dec_cmp', ['1', '2'], -1n],
    ['dec_cmp', ['10', '9'], 1n],
    ['date_of/2', ['05.01.2026', 'dd.MM.yyyy'], '2026-01-05'],
    ['date_of/2', ['', 'dd.MM.yyyy'], null],
    ['date_of/2', ['2026-01-05', 'iso'], '2026-01-05'],
    ['date_of/3', ['05.01.2026 12:00', 'dd.MM.yyyy HH:mm', 'Europe/Berlin'], '2026-01-05T11:00:00Z'],
    ['date_of/3', ['2026-01-05T12:00:00', 'iso', 'Europe/Berlin'], '2026-01-05T11:00:00Z'],
    ['number_of', ['1.234,50', '1.234,56'], '1234.50'],
    ['number_of', ['1,234.50', '1,234.56'], '1234.50'],
    ['number_of', ['1 234,50', '1 234,56'], '1234.50'],
    ['number_of', ["1'234.50", "1'234.56"], '1234.50'],
    ['number_of', ['1234.50', '1234.56'], '1234.50'],
    ['number_of', ['1.234', '1.234,56'], '1234'],
    ['number_of', ['12.34', '1234'], '12.34'],
    ['number_of', ['-5,00', '-1.234,56'], '-5.00'],
    ['number_of', ['5,00-', '1.234,56-'], '-5.00'],
    ['number_of', ['(5.00)', '(1,234.56)'], '-5.00'],
    ['number_of', ['', '1.234,56'], null],
    // A space is of any kind.
    ['number_of', ['1\u202F234,50', '1 234,56'], '1234.50'],
    ['date_of/2', ['1767571200', 'epoch_seconds'], '2026-01-05T00:00:00Z'],
    // Null makes null.
    ['dec_add', [null, '1'], null],
    ['dec_cmp', ['x', null], null],
    ['date_of/2', [null, 'iso'], null],
    ['number_of', [null, '1.234,56'], null],
  ])('%s of %o is %s', (name, args, expected) => {
    expect(call(name, ...args)).toBe(expected);
  });

  test.each<readonly [string, readonly SqlValue[], string, string]>([
    ['dec_add', ['1', 'x'], 'x', 'is no decimal such as -1234.50'],
    ['dec_add', ['', '1'], '', 'is empty'],
    ['dec_mul', ['1', 1.5], '1.5', 'is no decimal such as -1234.50'],
    ['number_of', ['1,234.50', '1.234,56'], '1,234.50', 'is no number like 1.234,56'],
    ['number_of', ['5-', '1.234,56'], '5-', 'is no number like 1.234,56'],
    ['date_of/2', ['31.02.2026', 'dd.MM.yyyy'], '31.02.2026', ''],
  ])('%s of %o leaves a mark for the value %j', (name, args, text, reason) => {
    const { scalars, unread } = queryFunctions();
    const mark = scalars[name]!.call(...args);
    expect(mark).toBe(`${MARK}0`);
    expect(unreadIn(`before ${String(mark)} behind`)).toBe(0);
    expect(unread).toEqual([
      { call: name.split('/')[0], text, reason: reason === '' ? (expect.any(String) as string) : reason },
    ]);
    expect(unread[0]!.reason).not.toBe('');
  });

  test('keeps the mark of a value that was not read', () => {
    const { scalars, unread } = queryFunctions();
    const mark = scalars['number_of']!.call('x', '1234.56');
    expect(scalars['dec_add']!.call('1', mark)).toBe(mark);
    expect(scalars['dec_add']!.call(mark, null)).toBe(null);
    expect(unread).toHaveLength(1);
  });

  test('has one mark for one text of one function, and a hundred at most', () => {
    const { scalars, unread } = queryFunctions();
    const add = (text: string) => scalars['dec_add']!.call(text, '1');
    expect([add('x'), add('y'), add('x'), scalars['dec_sub']!.call('x', '1')]).toEqual([
      `${MARK}0`,
      `${MARK}1`,
      `${MARK}0`,
      `${MARK}2`,
    ]);
    for (let at = 0; at < 200; at++) add(`t${at}`);
    expect(unread).toHaveLength(100);
    expect(add('t96')).toBe(`${MARK}99`);
    expect(add('t97')).toBe(`${MARK}99`);
    expect(unread.at(-1)!.text).toBe('t96');
  });

  test.each<readonly [string, readonly SqlValue[], string]>([
    ['dec_round', ['1', -1n], 'dec_round takes a number of decimals from 0 to 20'],
    ['dec_round', ['1', 21n], 'dec_round takes a number of decimals from 0 to 20'],
    ['dec_round', ['1', '2'], 'dec_round takes a number of decimals from 0 to 20'],
    ['date_of/2', ['x', 'QQ'], 'date_of: QQ is no pattern of a date: '],
    ['date_of/3', ['x', 'iso', 'Mars'], 'date_of: Mars is no time zone such as Europe/London'],
    ['date_of/2', ['x', 'dd.MM.yyyy HH:mm'], 'date_of: needs `time_zone`'],
    ['date_of/2', ['x', 'dd.MM.yy'], 'date_of: needs `century`'],
    ['number_of', ['1', '1.234.56'], 'number_of: 1.234.56 is not the number 1234.56 in some form'],
    ['number_of', ['1', '(1.234,56'], 'number_of: (1.234,56 is not the number'],
    ['number_of', ['1', '1.234,56)'], 'number_of: 1.234,56) is not the number'],
    ['number_of', ['1', '1,23'], 'number_of: 1,23 is not the number'],
    ['number_of', ['1', 'x1234.56'], 'number_of: x1234.56 is not the number'],
    ['number_of', ['1', '1234.56x'], 'number_of: 1234.56x is not the number'],
  ])('%s of %o ends the query', (name, args, message) => {
    const { scalars, unread } = queryFunctions();
    expect(() => scalars[name]!.call(...args)).toThrow(RangeError);
    expect(() => scalars[name]!.call(...args)).toThrow(message);
    expect(unread).toEqual([]);
  });
});

test('each pattern and each zone of a query is read as itself', () => {
  const { scalars } = queryFunctions();
  const dateOf = (...args: readonly SqlValue[]) => scalars[`date_of/${args.length}`]!.call(...args);
  const time = '05.01.2026 00:30';
  const pattern = 'dd.MM.yyyy HH:mm';
  expect([dateOf('05.01.2026', 'dd.MM.yyyy'), dateOf('05.01.2026', 'MM.dd.yyyy')]).toEqual([
    '2026-01-05',
    '2026-05-01',
  ]);
  expect(['UTC', 'Europe/Berlin', 'UTC'].map((zone) => dateOf(time, pattern, zone))).toEqual([
    '2026-01-05T00:30:00Z',
    '2026-01-04T23:30:00Z',
    '2026-01-05T00:30:00Z',
  ]);
  expect([dateOf('2026-01-05', 'iso'), dateOf('2026-01-05T00:30:00', 'iso', 'Europe/Berlin')]).toEqual([
    '2026-01-05',
    '2026-01-04T23:30:00Z',
  ]);
});

describe('dec_sum', () => {
  const sumOf = (...values: readonly SqlValue[]) => {
    const { decimalSum, unread } = queryFunctions();
    const state = decimalSum.start();
    for (const value of values) decimalSum.step(state, value);
    return { result: decimalSum.result(state), unread };
  };

  test.each<readonly [readonly SqlValue[], SqlValue]>([
    [['0.10', '0.20', null, 1n], '1.30'],
    [['5.00', '-5.00'], '0.00'],
    [[null], null],
    [[], null],
  ])('of %o is %s', (values, expected) => {
    expect(sumOf(...values)).toEqual({ result: expected, unread: [] });
  });

  test('of a value that is no decimal is its mark, once', () => {
    expect(sumOf('1', 'x', 'y', '2')).toEqual({
      result: `${MARK}0`,
      unread: [{ call: 'dec_sum', text: 'x', reason: 'is no decimal such as -1234.50' }],
    });
    expect(sumOf('1', `${MARK}7`, 'y')).toEqual({ result: `${MARK}7`, unread: [] });
    expect(sumOf('')).toMatchObject({ unread: [{ reason: 'is empty' }] });
  });
});

test.each([
  ['dec_sum', undefined],
  ['upper', undefined],
  ['->', undefined],
  ['sum', 'dec_sum'],
  ['total', 'dec_sum'],
  ['avg', 'dec_sum and count, and calculate outside of the query'],
  ['round', 'dec_round'],
  ['abs', "iif(dec_cmp(x, '0') < 0, dec_sub('0', x), x)"],
  ['printf', 'dec_round, and || for texts'],
  ['format', 'dec_round, and || for texts'],
  ['date', 'date_of'],
  ['datetime', 'date_of'],
  ['strftime', 'date_of'],
  ['julianday', 'date_of'],
  ['unixepoch', 'date_of'],
  ['random', 'a column that the file has, or one of dec_add, dec_sub, dec_mul, dec_round, dec_sum, dec_cmp'],
])('instead of %s a query has %s', (name, expected) => {
  expect(refusedFunction(name)).toBe(expected);
});

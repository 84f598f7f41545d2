import { describe, expect, test } from 'vitest';
import type { Resource } from '../../../../src/core/contract/resources.ts';
import { csvFrom, csvOf, row, stagedRun, type StagedRunOptions } from '../../../support/push-staged-run.ts';

async function problemsOf(resource: Resource, csv: string | readonly string[]) {
  const { run, end } = await stagedRun(resource, csv);
  expect(end.kind).toBe('staged');
  return run
    .report()
    .problems.map(
      ({ line, column, severity, code, detail }) => `${line}:${column} ${severity} ${code}: ${detail}`,
    );
}

describe('ids', () => {
  test.each([
    ['case', 'A:x B:y A:X'],
    ['Unicode form', 'A:\u00e9 B:y A:e\u0301'],
    ['case beyond ASCII', 'A:\u00e9 B:y A:\u00c9'],
  ])('of one account that differ only by %s are reported', async (_, rows) => {
    expect(await problemsOf('transactions', csvFrom('transactions', rows))).toEqual([
      '2:3 warning identifiers_may_collide: values that differ from another only by upper and lower case, by how accents are written or by leading zeros: 2',
    ]);
  });

  test('that two accounts share are reported once', async () => {
    const csv = csvFrom('statements', 'A:9 A:1 B:1 A:2 B:2 C:2 B:8');
    expect(await problemsOf('statements', csv)).toEqual([
      '3:3 warning identifier_on_several_accounts: values that belong to more than one account: 2; a platform that keeps an id once for all accounts stores the first of each alone: amounts of 2020 of 5050',
    ]);
  });

  test('that differ clearly are not reported', async () => {
    expect(await problemsOf('transactions', csvFrom('transactions', 'A:1 A:2 B:3'))).toEqual([]);
  });

  test('of invalid rows do not count', async () => {
    const csv = csvOf([row.transactions('A', 'x'), { ...row.transactions('A', 'X'), amount: 'y' }]);
    const { run } = await stagedRun('transactions', csv, { skipInvalid: true });
    expect(run.report().problems.map(({ code }) => code)).toEqual(['invalid']);
  });
});

test('account numbers that differ only by case are reported, in whichever file they are', async () => {
  const csvs = [csvFrom('notes', 'ab1:1 cd2:2'), csvFrom('notes', 'AB1:3')];
  expect(await problemsOf('notes', csvs)).toEqual([
    '2:2 warning identifiers_may_collide: values that differ from another only by upper and lower case, by how accents are written or by leading zeros: 2',
  ]);
});

describe('account numbers of different lengths', () => {
  const accounts = (...numbers: readonly string[]) =>
    csvFrom('notes', numbers.map((number, index) => `${number}:${index}`).join(' '));
  const long = Array.from({ length: 30 }, (_, index) => String(10_000_000 + index));

  test('look like lost zeros when most have the same length and none begins with a zero', async () => {
    expect(await problemsOf('notes', accounts(...long, '1234567', '999999'))).toEqual([
      '32:2 warning leading_zeros_lost: values that are shorter than the others ' +
        '(30 of 8 digits, 1 of 7 digits, 1 of 6 digits), none of which begins with a zero: 2',
    ]);
  });

  test.each([
    ['1234567', '999999'],
    ['999999', '1234567'],
  ])('look so in the first file that has one, whatever the lines of the next', async (first, next) => {
    const [found] = await problemsOf('notes', [accounts(...long, first), accounts(next)]);
    expect(found).toMatch(/^32:2 warning leading_zeros_lost: /);
  });

  test.each([
    ['all have their zeros', [...long, '00000007', '01234567']],
    ['shorter ones begin with zeros, too', [...long, '00000007', '0123', '1234567']],
    ['some are longer', [...long, '123456789']],
    ['lengths vary', [...long.slice(0, 20), ...long.slice(0, 10).map((number) => number.slice(2))]],
    ['there are few', [...long.slice(0, 10), '1234567']],
    ['they have letters', [...long, 'A123']],
  ])('are not reported where %s', async (_, numbers) => {
    expect(await problemsOf('notes', accounts(...numbers))).toEqual([]);
  });
});

describe('numbers that occur with zeros and without', () => {
  test('are reported however few they are', async () => {
    const csv = csvFrom('transactions', '00417:T1 00418:T2 417:T3 A9:T4');
    expect(await problemsOf('transactions', csv)).toEqual([
      '2:2 warning identifiers_may_collide: values that differ from another only by upper and lower case, by how accents are written or by leading zeros: 2',
    ]);
  });

  test('are not reported where all are different numbers', async () => {
    expect(await problemsOf('transactions', csvFrom('transactions', '00417:T1 0418:T2 419:T3'))).toEqual([]);
  });
});

describe('numbers of which only some have lost their zeros', () => {
  const whole = Array.from({ length: 375 }, (_, index) =>
    String(71_000_000 + index * 7_777_777).padStart(10, '0'),
  );
  const shortened = Array.from({ length: 22 }, (_, index) => String(61_000_000 + index));
  const sentence =
    'values that are shorter than the others (375 of 10 digits, 22 of 8 digits), ' +
    'some of which begin with a zero: 22';

  test.each([
    ['accounts', (number: string, at: number) => `${number}:T${at}`, 2],
    ['accounts inside of a text', (number: string, at: number) => `SAP-${number}-001:T${at}`, 2],
    ['ids', (number: string) => `A:${number}`, 3],
    ['ids inside of a text', (number: string) => `A:T9-${number}-x`, 3],
  ])('of %s are reported at the first of them', async (_, word, column) => {
    const csv = csvFrom('transactions', [...whole, ...shortened].map(word).join(' '));
    expect(await problemsOf('transactions', csv)).toEqual([
      `377:${column} warning leading_zeros_lost: ${sentence}`,
    ]);
  });
});

describe('fractions of a second', () => {
  const note = (id: string, times: Readonly<Record<string, string>>) => ({ ...row.notes('A', id), ...times });

  test('are reported once for each column, at the first row with one', async () => {
    const csv = csvOf([
      note('1', { created_at: '2026-01-05T10:00:00Z', unpin_at: '2026-02-05T10:00:00Z' }),
      note('2', { created_at: '2026-01-05T11:00:00.5+01:00', unpin_at: '2026-02-05T10:00:00.25Z' }),
      note('3', { created_at: '2026-01-05T10:00:00.125Z', unpin_at: '2026-02-05T10:00:00Z' }),
    ]);
    const sentence = (count: number) =>
      `warning split_seconds: date-times with parts of a second, which the interface does not show: ${count}; they are sent as they are`;
    expect(await problemsOf('notes', csv)).toEqual([`3:4 ${sentence(2)}`, `3:5 ${sentence(1)}`]);
  });

  test('are not reported when they are zero', async () => {
    const csv = csvOf([note('1', { created_at: '2026-01-05T10:00:00.000Z' })]);
    expect(await problemsOf('notes', csv)).toEqual([]);
  });
});

describe('gross amounts of statements', () => {
  const statements = (amounts: readonly string[]) =>
    csvOf(amounts.map((gross_amount, index) => ({ ...row.statements('A', String(index)), gross_amount })));
  const many = (amount: (index: number) => number, length = 20) =>
    statements(Array.from({ length }, (_, index) => String(amount(index))));

  test.each([
    ['all small', many((index) => 40 + index), 'are below 1000, which is 10.00'],
    ['all multiples of 100', many((index) => 4_000 + index * 100), 'are multiples of 100'],
  ])('look like major units when they are %s', async (_, csv, oddity) => {
    expect(await problemsOf('statements', csv)).toEqual([
      `2:6 warning gross_amounts_look_like_major_units: amounts that ${oddity}: 20`,
    ]);
  });

  test.each([
    ['one is large', many((index) => (index === 7 ? 5_324 : 40 + index))],
    ['one has cents', many((index) => (index === 7 ? 5_324 : 4_000 + index * 100))],
    ['there are few', many((index) => 40 + index, 19)],
    ['they are zero', many(() => 0)],
  ])('are not reported where %s', async (_, csv) => {
    expect(await problemsOf('statements', csv)).toEqual([]);
  });
});

describe('amounts of one type of transaction', () => {
  const credits = (amounts: readonly string[]) =>
    csvOf(
      amounts.map((amount, index) => ({ ...row.transactions('A', String(index)), type: 'CREDIT', amount })),
    );
  const many = (amount: string, length = 20) => Array.from({ length }, () => amount);

  test('are reported when all are negative', async () => {
    expect(await problemsOf('transactions', credits(many('-1.50')))).toEqual([
      '2:5 warning amounts_all_negative: all 20 amounts of CREDIT are negative, as reversals are',
    ]);
  });

  test.each([
    ['one is positive', [...many('-1.50'), '0.50']],
    ['there are few', many('-1.50', 19)],
  ])('are not reported where %s', async (_, amounts) => {
    expect(await problemsOf('transactions', credits(amounts))).toEqual([]);
  });
});

test('amounts of zero are reported for each row, in one group', async () => {
  const csv = csvOf([
    { ...row.transactions('A', '1'), amount: '0.00' },
    { ...row.transactions('A', '2'), amount: '-0' },
    { ...row.transactions('A', '3'), amount: '0' },
  ]);
  const { run } = await stagedRun('transactions', csv);
  expect(run.report().warningGroups.map(({ first, count, lines }) => [first.code, count, lines])).toEqual([
    ['zero_amount', 2, [2, 4]],
    ['negative_zero', 1, [3]],
  ]);
});

test('a cell that breaks a rule of the contract gets no plausibility problem', async () => {
  const csv = csvOf([{ ...row.transactions('  ', 'x'.repeat(300)), transaction_date: 'null' }]);
  const { run } = await stagedRun('transactions', csv);
  expect(run.report().problems.map(({ column, code }) => `${column} ${code}`)).toEqual([
    '2 blank',
    '4 invalid',
    '3 max_length',
  ]);
});

describe('documents', () => {
  const statements = (rows: readonly (readonly [account: string, id: string, path: string])[]) =>
    csvOf(rows.map(([account, id, statement_path]) => ({ ...row.statements(account, id), statement_path })));

  test('that statements of several accounts name are reported', async () => {
    const csv = statements([
      ['A', '1', 'a.pdf'],
      ['B', '2', 'b.pdf'],
      ['B', '3', 'a.pdf'],
    ]);
    const shared = (await problemsOf('statements', csv)).filter((problem) => problem.includes('several'));
    expect(shared).toEqual([
      '2:7 warning identifier_on_several_accounts: values that belong to more than one account: 2',
    ]);
  });

  test('that statements of one account share are not', async () => {
    const csv = statements([
      ['A', '1', 'a.pdf'],
      ['A', '2', 'a.pdf'],
    ]);
    expect((await problemsOf('statements', csv)).join()).not.toContain('several');
  });

  const listing = (listed: number, unused: number) => ({
    documents: { name: 'list.txt', has: () => true, counts: () => ({ listed, unused }) },
  });
  const unusedOf = async (documents: StagedRunOptions) => {
    const csv = csvFrom('notes', 'A:1 B:2');
    const { problems } = (await stagedRun('notes', csv, documents)).run.report();
    return problems.map(
      ({ file, line, column, code, detail }) => `${file}:${line}:${column} ${code}: ${detail}`,
    );
  };

  test('that no row names may be of a row of another shard', async () => {
    const inShard = (account: string): boolean => account === 'A';
    expect(await unusedOf({ ...listing(5, 2), inShard })).toEqual([]);
  });
});

test('an id that is several numbers with and without zeros is reported at its column', async () => {
  const csv = csvFrom('transactions', 'A:007 A:8 A:7');
  expect(await problemsOf('transactions', csv)).toEqual([
    '2:3 warning identifiers_may_collide: values that differ from another only by upper and lower case, by how accents are written or by leading zeros: 2',
  ]);
});

describe('what is odd over all rows', () => {
  const lost = ['x', 'M?ller', 'Stra?e', 'K?che'].map((body, at) => ({
    ...row.notes('A', String(at)),
    body,
  }));

  test('is not reported of a file that was not read to its end', async () => {
    const { run } = await stagedRun('notes', `${csvOf(lost)}ACME,A,"x\n`);
    expect(run.report().problems.map(({ code }) => code)).toEqual(['quote_not_closed']);
  });
});

import { describe, expect, test } from 'vitest';
import { Decimal, sum } from '../../../../src/core/values/decimal.ts';
import { chanceFrom } from '../../../harness/chance.ts';
import { admin } from '../../../support/server-admin.ts';
import {
  ACCOUNT,
  charge,
  problemsOf,
  startPlatform,
  statement,
  type TestPlatform,
} from '../../../support/server-platform.ts';

const transactions = (...list: readonly object[]) => ({ ...ACCOUNT, transactions: list });

/** A platform with two sums, a duplicate, a conflicting replay and a refusal. */
async function used(): Promise<TestPlatform> {
  const platform = await startPlatform();
  await platform.post(
    'createTransactions',
    transactions(charge(), charge({ transaction_id: 'tx-2', amount: 0.1 })),
  );
  await platform.post('createTransactions', transactions(charge({ amount: 99 })));
  await platform.post('createTransactions', transactions(charge()), {
    query: '?check_previously_added=false',
  });
  await platform.post(
    'createTransactions',
    transactions(charge({ transaction_id: 'p', amount: '1.20', type: 'PAYMENT' })),
  );
  await platform.post('createStatements', { ...ACCOUNT, statements: [statement({ gross_amount: 1_234 })] });
  await platform.post('createNotes', { ...ACCOUNT, notes: [{ body: 'hello' }, {}] });
  return platform;
}

test('the figures are the requests of today in UTC, and what is stored', async () => {
  const platform = await used();
  const figures = async () => (await admin(platform, 'GET figures')).body;
  const none = { requests: 0, refused: 0, failed: 0, by_fault: 0 };
  expect(await figures()).toMatchObject({
    today: { ...none, requests: 12, refused: 1 },
    tolerated: { amount_as_text: 1 },
    counts: { records: { transaction: 4, statement: 1 } },
    built_in_key: null,
  });
  platform.clock.nowMs += 86_400_000;
  expect((await figures()).today).toEqual(none);
  await platform.post('createNotes', { ...ACCOUNT, notes: [{ body: 'on the next day' }] });
  expect((await figures()).today).toEqual({ ...none, requests: 2 });
});

describe('the newest requests', () => {
  test('come a page at a time, newest first, and without bodies', async () => {
    const platform = await used();
    const first = (await admin(platform, 'GET requests/newest?limit=3')).body;
    const second = (await admin(platform, `GET requests/newest?limit=3&before=${first.next}`)).body;
    const seqs = [...first.requests, ...second.requests].map(({ seq }: { seq: number }) => seq);
    expect(seqs).toEqual([12, 11, 10, 9, 8, 7]);
    expect(first.requests[0]).toMatchObject({ endpoint: 'notes', records: 2, status: 400 });
    expect(first.requests[0]).not.toHaveProperty('request_body');
    expect((await admin(platform, 'GET requests/newest?before=1')).body).toMatchObject({
      requests: [],
      next: null,
    });
  });

  test.each([
    ['endpoint=statements', [10]],
    ['account=1001&status=4xx', [12]],
    ['account=2002', []],
    ['code=note_body_or_document_path_not_found', [12]],
    ['text=tx-2', [2]],
    ['text=hello', [12]],
  ])('fit the filter %s', async (query, seqs) => {
    const { body } = await admin(await used(), `GET requests/newest?${query}`);
    expect(body.requests.map(({ seq }: { seq: number }) => seq)).toEqual(seqs);
  });

  test('one is shown with its problems, their rules and the next step', async () => {
    const platform = await startPlatform({ behaviour: ['error-shape=non_field'] });
    const payload = transactions(charge(), charge({ transaction_id: 't', transaction_date: '31/02/2026' }));
    await platform.post('createTransactions', payload);
    const { body } = await admin(platform, 'GET requests/2');
    expect(JSON.parse(body.request_body)).toEqual(payload);
    // The answer of this shape names neither code nor place.
    expect(body.response_body).not.toContain('"attr"');
    expect(body.problems).toMatchObject([
      {
        code: 'invalid',
        attr: 'transactions.1.transaction_date',
        rule: { name: 'dates-and-times', authority: 'documented', source: 'interface.md 2.1' },
      },
    ]);
    expect((await admin(platform, 'GET requests/3')).status).toBe(404);
    expect((await admin(platform, 'GET requests/x')).status).toBe(404);
  });

  test.each([
    [
      'an account that is not there',
      { ...transactions(charge()), external_account_number: '777' },
      { attr: '', field: 'external_account_number', rule: null },
      '…/all-account-import-processes/ACME/',
    ],
    [
      'an id that occurs twice',
      transactions(charge(), charge({ transaction_id: 'between' }), charge()),
      { field: 'transactions.2.transaction_id' },
      'give each an id of its own',
    ],
    ['a value that is not known', transactions(charge({ type: 'GIFT' })), {}, 'SUPPLY_CHARGE'],
  ])('%s is shown with its place and the next step', async (_, payload, problem, next) => {
    const platform = await startPlatform();
    await platform.post('createTransactions', payload);
    const { problems } = (await admin(platform, 'GET requests/2')).body;
    expect(problems).toMatchObject([{ ...problem, next: expect.stringContaining(next) }]);
  });
});

test('accounts are found by a part of their number, with counts, sums and balance', async () => {
  const platform = await used();
  const { accounts, next } = (await admin(platform, 'GET accounts?search=100&limit=1&totals=true')).body;
  expect(accounts).toMatchObject([{ ...ACCOUNT, balance: '23.90' }]);
  expect(accounts[0].totals).toContainEqual({
    kind: 'transaction',
    type: 'PAYMENT',
    count: 1,
    amount: '1.20',
  });
  expect(accounts[0].totals).toContainEqual({ kind: 'statement', type: null, count: 1, amount: '1234' });
  expect((await admin(platform, 'GET accounts/ACME/1001')).body.balance).toBe('23.90');
  expect(next).toEqual(expect.any(String));
  expect((await admin(platform, 'GET accounts?search=none')).body).toEqual({ accounts: [], next: null });
  const countOf = async (query: string) =>
    (await admin(platform, `GET accounts?totals=true&${query}`)).body.count;
  expect([await countOf('limit=1'), await countOf('search=a%2f1'), await countOf('state=staged')]).toEqual([
    9, 1, 1,
  ]);
});

test('the records of an account come a page at a time, with the running balance', async () => {
  const platform = await used();
  const whole = (await admin(platform, 'GET accounts/ACME/1001')).body;
  const page = async (query: string) =>
    (await admin(platform, `GET accounts/ACME/1001/records?${query}`)).body;
  const first = await page('resource=transactions&limit=2');
  const rest = await page('resource=transactions&offset=2');
  expect([...first.records, ...rest.records]).toEqual(whole.transactions);
  expect([first.records.length, first.count, rest.records.at(-1).balance]).toEqual([2, 4, whole.balance]);
  expect((await page('resource=statements')).records).toEqual(whole.statements);
  expect(problemsOf(await admin(platform, 'GET accounts/ACME/1001/records'))).toEqual([
    ['required', 'resource'],
  ]);
});

test('the last page of a long account ends with the sum of the ledger, also after a record came before it', async () => {
  const platform = await startPlatform();
  const chance = chanceFrom(1);
  const add = (...list: readonly object[]) =>
    platform.post('createTransactions', {
      ...ACCOUNT,
      external_account_number: '1005',
      transactions: list,
    });
  const raising = ['CHARGE', 'REPAYMENT'];
  const list = Array.from({ length: 2_050 }, (_, index) => ({
    transaction_id: `long-${index}`,
    type: chance.pick([...raising, 'CREDIT', 'PAYMENT']),
    amount: `${9_000_000_000 + chance.below(900_000_000)}.${10 + chance.below(90)}`,
    transaction_date: `20${10 + chance.below(15)}-${10 + chance.below(3)}-${10 + chance.below(19)}`,
  }));
  expect((await add(...list)).status).toBe(201);
  const page = async (offset: number) =>
    (await admin(platform, `GET accounts/ACME/1005/records?resource=transactions&offset=${offset}`)).body
      .records;
  const owed = async () => {
    const { totals } = (await admin(platform, 'GET ledger/totals')).body as {
      totals: readonly { type: string; amount: string }[];
    };
    const signed = totals.map(({ type, amount }) => (raising.includes(type) ? amount : `-${amount}`));
    return sum(signed.map((text) => Decimal.of(text))).text;
  };
  const last = await page(2_000);
  expect([last.length, last.at(-1).balance]).toEqual([50, await owed()]);
  const whole = (await admin(platform, 'GET accounts/ACME/1005')).body.transactions;
  expect([...(await page(1_800)), ...last]).toEqual(whole.slice(1_800));

  await add(charge({ transaction_id: 'early', amount: '0.01', transaction_date: '2009-12-31' }));
  expect((await page(0))[0]).toMatchObject({ transaction_id: 'early', balance: '0.01' });
  const later = await page(2_000);
  expect([later.length, later.at(-1).balance]).toEqual([51, await owed()]);
});

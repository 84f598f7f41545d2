import { expect, test } from 'vitest';
import { admin } from '../../../support/server-admin.ts';
import { ACCOUNT, charge, startPlatform, type TestPlatform } from '../../../support/server-platform.ts';

const transactions = (...list: readonly object[]) => ({ ...ACCOUNT, transactions: list });
const today = async (platform: TestPlatform) => (await admin(platform, 'GET figures')).body.today;
const newest = async (platform: TestPlatform, query = '') =>
  (await admin(platform, `GET requests/newest?${query}`)).body.requests;
/** The newest request that is not for a token. */
const lastOf = async (platform: TestPlatform) => (await newest(platform, 'endpoint=transactions'))[0];

test('after a reset the figures count only what came since', async () => {
  const platform = await startPlatform();
  await platform.post('createTransactions', transactions(charge({ type: 'GIFT' })));
  expect(await today(platform)).toMatchObject({ requests: 2, refused: 1 });
  await admin(platform, 'POST reset');
  expect(await today(platform)).toMatchObject({ requests: 0, refused: 0 });
  await platform.post('createTransactions', transactions(charge()));
  expect(await today(platform)).toMatchObject({ requests: 2, refused: 0 });
});

test.each([
  ['accept status=503', 'answer', 503],
  ['accept status=429 account=1001', 'answer', 429],
  ['before-commit status=500', 'answer', 500],
  ['after-commit missing', 'missing', 201],
  ['accept reset account=1001', 'reset', null],
  ['accept expire-tokens', 'expire-tokens', 401],
])(
  'a request that the fault `transactions %s` answered names it, and is no refusal',
  async (words, effect, status) => {
    const rule = `transactions ${words}`;
    const platform = await startPlatform({ faults: { rules: [rule] } });
    await platform.post('createTransactions', transactions(charge())).catch(() => {});
    expect(await lastOf(platform)).toMatchObject({ status, by_fault: true, faults: [{ rule, effect }] });
    expect(await newest(platform, 'status=fault')).toHaveLength(1);
    expect(await newest(platform, `text=${encodeURIComponent(rule)}`)).toHaveLength(1);
    expect(await today(platform)).toMatchObject({ by_fault: 1, refused: 0, failed: 0 });
  },
);

test('a request that a fault only delayed counts as the platform answered it', async () => {
  const platform = await startPlatform({ faults: { rules: ['transactions accept delay=1'] } });
  await platform.post('createTransactions', transactions(charge({ type: 'GIFT' })));
  expect(await lastOf(platform)).toMatchObject({
    status: 400,
    by_fault: false,
    faults: [{ rule: 'transactions accept delay=1', effect: 'delay' }],
  });
  expect(await today(platform)).toMatchObject({ by_fault: 0, refused: 1 });
});

test('a request without a fault names none', async () => {
  const platform = await startPlatform({ faults: { rules: ['notes accept status=503'] } });
  await platform.post('createTransactions', transactions(charge()));
  expect(await lastOf(platform)).not.toHaveProperty('faults');
});

test.each([
  ['a fault with an account', { rules: ['transactions accept status=503 account=1001'] }, {}, 1],
  ['an empty list', undefined, { transactions: [] }, 0],
  ['a missing list', undefined, { transactions: undefined }, null],
  ['an unknown field', undefined, { colour: 'red' }, 1],
])(
  'a request that %s ended before its records has the account of its body',
  async (_, faults, fields, records) => {
    const platform = await startPlatform({ ...(faults && { faults }) });
    await platform.post('createTransactions', { ...transactions(charge()), ...fields });
    expect(await newest(platform, 'account=1001')).toMatchObject([{ ...ACCOUNT, records }]);
  },
);

test.each(['{', '[]', '7', JSON.stringify({ external_account_number: 'x'.repeat(1_000) })])(
  'a body without an account leaves it out: %.20s',
  async (body) => {
    const platform = await startPlatform();
    await platform.post('createPaymentInstruction', body);
    expect((await newest(platform))[0]).toMatchObject({
      import_supplier: null,
      external_account_number: null,
      records: null,
    });
  },
);

test('a request says how many records were there already, and what differs in those of other content', async () => {
  const platform = await startPlatform();
  await platform.post(
    'createTransactions',
    transactions(charge(), charge({ transaction_id: 'b', note: 'x' })),
  );
  expect(await lastOf(platform)).not.toHaveProperty('repetitions');
  await platform.post(
    'createTransactions',
    transactions(
      charge(),
      charge({ transaction_id: 'new' }),
      charge({ transaction_id: 'b', amount: '99.99', display_note: 'y' }),
    ),
  );
  expect((await lastOf(platform)).repetitions).toEqual({
    existing: 2,
    conflicts: [{ index: 2, id: 'b', fields: ['amount', 'note', 'display_note'] }],
  });
  expect(await newest(platform, 'account=%221001%22&text=b&endpoint=transactions')).toHaveLength(2);
  const { records } = (await admin(platform, 'GET accounts/ACME/1001/records?resource=transactions')).body;
  expect(records.map((each: { conflicting_replays?: number }) => each.conflicting_replays)).toEqual([
    undefined,
    1,
    undefined,
  ]);
  await platform.post('createNotes', { ...ACCOUNT, notes: [{ body: 'n' }, { body: 'n' }] });
  expect((await newest(platform, 'endpoint=notes'))[0].repetitions).toEqual({ existing: 1, conflicts: [] });
});

test.each([
  ['np-10', 2],
  ['"NP-10"', 1],
  ['"np-10"', 1],
  ['"P-10"', 0],
])('the account filter %s finds %i requests', async (account, found) => {
  const platform = await startPlatform();
  for (const external_account_number of ['NP-10', 'NP-100'])
    await platform.post('createTransactions', { ...transactions(charge()), external_account_number });
  expect(await newest(platform, `account=${encodeURIComponent(account)}`)).toHaveLength(found);
});

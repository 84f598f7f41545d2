import { describe, expect, onTestFinished, test } from 'vitest';
import { Refusal } from '../../../src/server/http/answer.ts';
import { BEHAVIOUR_DEFAULTS } from '../../../src/server/options/behaviour.ts';
import { readEnvelope } from '../../../src/server/routes/envelope.ts';
import { checkAsPlatform, recordCheck } from '../../../src/server/platform/checked-record.ts';
import { platformOf } from '../../../src/server/platform/platform.ts';
import { openStore } from '../../../src/server/store/store.ts';
import { expectHarmless } from '../../support/server-harm.ts';
import {
  ACCOUNT,
  charge,
  problemsOf,
  startPlatform,
  supplyCharge,
  type TestPlatform,
} from '../../support/server-platform.ts';
import { statusesOf, transactions } from '../../support/server-transactions.ts';

type Fields = Readonly<Record<string, unknown>>;

const ADDED = 'TRANSACTION_ADDED_TO_ACCOUNT';
const EXISTS = 'TRANSACTION_ALREADY_EXISTS';

/** Posts transactions and expects the 400 of the first failing transaction, with nothing stored. */
async function expectRefused(
  platform: TestPlatform,
  items: readonly Fields[],
  detail: string,
): Promise<void> {
  await expectAllRefused(platform, [['', items, detail]]);
}

/** The same for request after request. */
async function expectAllRefused(
  platform: TestPlatform,
  requests: readonly (readonly [says: string, items: readonly Fields[], detail: string])[],
): Promise<void> {
  for (const [says, items, detail] of requests) {
    const answer = await platform.post('createTransactions', transactions(...items));
    expect(answer.status, says).toBe(400);
    expect(answer.body, says).toMatchObject({
      status: 'TRANSACTION_IMPORT_ERROR',
      error_detail: expect.stringContaining(detail),
    });
  }
  await expectHarmless(platform);
}

async function added(platform: TestPlatform, ...items: readonly Fields[]): Promise<readonly string[]> {
  const answer = await platform.post('createTransactions', transactions(...items));
  expect(answer.status, answer.text).toBe(201);
  return statusesOf(answer);
}

describe('one transaction', () => {
  const charges: readonly (readonly [string, Fields, string])[] = [
    ['[S09] without an id', { transaction_id: undefined }, 'transaction_id'],
    ['[S09] with an empty id', { transaction_id: '' }, 'transaction_id'],
    ['[S09] with an id of spaces', { transaction_id: '   ' }, 'transaction_id'],
    ...['', '-', '.', '-.'].map((amount): [string, Fields, string] => [
      `[S15] of "${amount}"`,
      { amount },
      'amount',
    ]),
    ...[
      '1e5',
      '0x10',
      '1_000',
      '1,000.00',
      '1.234,56',
      '(12.00)',
      '+5',
      '5-',
      '\u22125',
      '1 000',
      '$5',
      'five',
    ].map((amount): [string, Fields, string] => [`[S16] of "${amount}"`, { amount }, 'amount']),
    ['[S17] with 11 digits before the point', { amount: '12345678901' }, 'max_whole_digits'],
    ['[S17] with 11 decimals', { amount: '1.12345678901' }, 'max_decimal_places'],
    ['[S17] with 3 decimals', { amount: '1.123' }, 'max_decimal_places'],
    ['[S18] in Arabic-Indic digits', { amount: '\u0661\u0662' }, 'amount'],
    ['[S18] in full-width digits', { amount: '\uff11\uff12' }, 'amount'],
    ['[S19] that is a negative payment', { type: 'PAYMENT', amount: -5, reason: undefined }, 'min_value'],
    [
      '[S19] that is a negative repayment',
      { type: 'REPAYMENT', amount: '-5', reason: undefined },
      'min_value',
    ],
    ['[S21] that is a payment of nothing', { type: 'PAYMENT', amount: 0, reason: undefined }, 'min_value'],
    ...['2023-02-29', '2024-02-30', '2024-13-01', '0000-00-00', '1900-02-29', '2100-02-29'].map(
      (transaction_date): [string, Fields, string] => [
        `[S23] of ${transaction_date}`,
        { transaction_date },
        'transaction_date',
      ],
    ),
    ...[
      '2026-02-01T00:00:00Z',
      '2026-2-1',
      '20260201',
      '2026-W05-7',
      '2026-032',
      ' 2026-02-01',
      '01/02/2026',
    ].map((transaction_date): [string, Fields, string] => [
      `[S25] of "${transaction_date}"`,
      { transaction_date },
      'transaction_date',
    ]),
    ...['9999-12-31', '99999-01-01', '-0001-01-01', '+02026-01-01'].map(
      (transaction_date): [string, Fields, string] => [
        `[S26] of year ${transaction_date}`,
        { transaction_date },
        'transaction_date',
      ],
    ),
    ['[S27] of an unknown type', { type: 'GIFT' }, 'type'],
    ['[S27] of a type in lower case', { type: 'charge' }, 'type'],
    ['[S27] with an empty reason', { reason: '' }, 'reason'],
    ['[S34] with dry_run', { dry_run: true }, 'unexpected_field'],
  ];
  test('that breaks a rule is refused', async () => {
    const requests = charges.map(([says, fields, detail]) => [says, [charge(fields)], detail] as const);
    await expectAllRefused(await startPlatform(), requests);
  });

  const supplyCharges: readonly (readonly [string, Fields, string])[] = [
    ['[S28] without line items', { line_items: undefined }, 'line_items'],
    ['[S28] with an empty list of line items', { line_items: [] }, 'line_items'],
    ['[S28] without a product code', { product_code: undefined }, 'product_code'],
    ['[S29] whose items do not add up', { amount: 53.25 }, 'does_not_match'],
    [
      '[S30] whose item ends before it starts',
      {
        line_items: [
          { start_date: '2026-01-31', end_date: '2026-01-01', number_of_units: 4, net_amount: 44 },
        ],
      },
      'start_date_later_than_end_date',
    ],
  ];
  test('a supply charge that breaks a rule is refused', async () => {
    const requests = supplyCharges.map(
      ([says, fields, detail]) => [says, [supplyCharge(fields)], detail] as const,
    );
    await expectAllRefused(await startPlatform(), requests);
  });

  test.each<[string, Fields, string]>([
    ['[S20] a negative charge', { amount: -12.5 }, '-12.50'],
    ['[S20] a negative credit', { type: 'CREDIT', amount: '-0.01' }, '-0.01'],
    ['[S21] a charge of nothing', { amount: 0 }, '0.00'],
    ['[S27] a reason that the interface does not show', { reason: 'SOMETHING_ELSE' }, '12.50'],
    ['[S27] a reason of another type', { type: 'PAYMENT', reason: 'IMPORTED_CREDIT' }, '12.50'],
  ])('%s is added', async (_, fields, amount) => {
    const platform = await startPlatform();
    expect(await added(platform, charge(fields))).toEqual([ADDED]);
    expect((await platform.ledger())[0]?.data['amount']).toBe(amount);
  });

  test.each(['2024-02-29', '2000-02-29'])('[S24] %s is a date', async (transaction_date) => {
    const platform = await startPlatform();
    const body = {
      ...ACCOUNT,
      external_account_number: '1005',
      transactions: [charge({ transaction_date })],
    };
    expect(statusesOf(await platform.post('createTransactions', body))).toEqual([ADDED]);
    expect((await platform.ledger())[0]?.data['transaction_date']).toBe(transaction_date);
  });

  test('[S26] the year 1 is accepted on an account without an open statement', async () => {
    const platform = await startPlatform();
    const body = {
      ...ACCOUNT,
      external_account_number: '1005',
      transactions: [charge({ transaction_date: '0001-01-01' })],
    };
    expect(statusesOf(await platform.post('createTransactions', body))).toEqual([ADDED]);
  });

  test('[S22] today is the date in London, which in summer is one day ahead half an hour before midnight UTC', async () => {
    const platform = await startPlatform({ timeZone: 'Europe/London' });
    platform.clock.nowMs = Date.parse('2026-06-30T23:30:00Z');
    await expectRefused(platform, [charge({ transaction_date: '2026-07-02' })], 'transaction_in_future');
    expect(await added(platform, charge({ transaction_date: '2026-07-01' }))).toEqual([ADDED]);
  });

  test('[S22] by the date in UTC the same transaction would be refused', async () => {
    const platform = await startPlatform({ timeZone: 'UTC' });
    platform.clock.nowMs = Date.parse('2026-06-30T23:30:00Z');
    await expectRefused(platform, [charge({ transaction_date: '2026-07-01' })], 'transaction_in_future');
  });

  test('[S30] a period that was charged before is refused with the rule for it, and added without', async () => {
    const again = supplyCharge({ transaction_id: 'sc-2' });
    const lax = await startPlatform();
    expect(await added(lax, supplyCharge(), again)).toEqual([ADDED, ADDED]);
    const platform = await startPlatform({
      behaviour: ['rule=line_items_overlap_already_charged_period'],
    });
    await expectRefused(platform, [supplyCharge(), again], 'line_items_overlap_already_charged_period');
  });
});

describe('a list of transactions', () => {
  test('[S07] that is empty, missing or null is refused', async () => {
    const platform = await startPlatform();
    for (const [list, code] of [
      [[], 'empty'],
      [undefined, 'required'],
      [null, 'null'],
    ] as const) {
      const answer = await platform.post('createTransactions', { ...ACCOUNT, transactions: list });
      expect([answer.status, problemsOf(answer)]).toEqual([400, [[code, 'transactions']]]);
    }
    await expectHarmless(platform);
  });

  test('[S08] with an id twice is refused', async () => {
    const platform = await startPlatform();
    const answer = await platform.post('createTransactions', transactions(charge(), charge({ amount: 1 })));
    expect([answer.status, problemsOf(answer)]).toEqual([
      400,
      [['duplicate_transaction_ids', 'transactions.1.transaction_id']],
    ]);
    await expectHarmless(platform);
  });

  /** A hundred transactions, and the one at `bad` has no amount. */
  const hundred = (bad: number): readonly Fields[] =>
    Array.from({ length: 100 }, (_, index) =>
      charge({ transaction_id: `t-${index}`, ...(index === bad && { amount: 'x' }) }),
    );

  test('[S31] of a hundred with one bad transaction stores nothing, wherever it is', async () => {
    const requests = [0, 50, 99].map((bad) => [`at ${bad}`, hundred(bad), 'amount'] as const);
    await expectAllRefused(await startPlatform(), requests);
  });

  test.each([0, 50, 99])(
    '[S31] with --tx-400 prefix stores the transactions before the bad one, at %d',
    async (bad) => {
      const platform = await startPlatform({ behaviour: ['tx-400=prefix'] });
      const items = hundred(bad);
      expect((await platform.post('createTransactions', transactions(...items))).status).toBe(400);
      expect(await platform.ledger()).toHaveLength(bad);
    },
  );

  test('[S14] ids that differ in case, a trailing space or the form of an accent are different', async () => {
    const platform = await startPlatform();
    const ids = ['tx-\u00e9', 'TX-\u00c9', 'tx-e\u0301', 'tx-\u00e9 ', ' tx-\u00e9'];
    expect(await added(platform, ...ids.map((transaction_id) => charge({ transaction_id })))).toEqual(
      ids.map(() => ADDED),
    );
    expect((await platform.ledger()).map(({ data }) => data['transaction_id'])).toEqual(ids);
  });
});

describe('a transaction that comes again', () => {
  test('[S10] with the same content exists already', async () => {
    const platform = await startPlatform();
    await added(platform, charge());
    expect(await added(platform, charge())).toEqual([EXISTS]);
    expect(await platform.ledger()).toHaveLength(1);
  });

  test('[S11] with another amount exists already, stays unchanged, and is counted', async () => {
    const platform = await startPlatform();
    await added(platform, charge({ amount: 12.5 }));
    const again = await platform.post('createTransactions', transactions(charge({ amount: 99 })));
    expect(again.body.results[0]).toMatchObject({
      status: EXISTS,
      transaction_data: { amount: '12.50', status: 'TRANSACTION_IMPORT_SUCCESS' },
    });
    expect(await platform.ledger()).toEqual([expect.objectContaining({ conflicting_replays: 1 })]);
    const health = await platform.request('GET', '/_local/health');
    expect(health.body.counts.conflicting_replays).toBe(1);
  });

  test('[S12] without the check is added again, and the ledger shows both', async () => {
    const platform = await startPlatform();
    await added(platform, charge());
    const again = await platform.post('createTransactions', transactions(charge()), {
      query: '?check_previously_added=false',
    });
    expect(statusesOf(again)).toEqual([ADDED]);
    expect((await platform.ledger()).map(({ data }) => data['transaction_id'])).toEqual(['tx-1', 'tx-1']);
  });

  test('[S13] on another account is another transaction', async () => {
    const platform = await startPlatform();
    await added(platform, charge());
    const other = { ...ACCOUNT, external_account_number: '1005', transactions: [charge()] };
    expect(statusesOf(await platform.post('createTransactions', other))).toEqual([ADDED]);
  });

  test('[S57] two hundred times at the same time is added once', async () => {
    const platform = await startPlatform();
    const items = Array.from({ length: 5 }, (_, index) => charge({ transaction_id: `t-${index}` }));
    const authorization = `Token ${await platform.token()}`;
    const body = JSON.stringify(transactions(...items));
    const answers = await Promise.all(
      Array.from({ length: 200 }, () =>
        platform.request('POST', '/v1/data-import/transactions/create/', {
          body,
          headers: { authorization },
        }),
      ),
    );
    for (const index of items.keys()) {
      const statuses = answers.map((answer) => statusesOf(answer)[index]);
      expect([
        statuses.filter((status) => status === ADDED).length,
        statuses.filter((status) => status === EXISTS).length,
      ]).toEqual([1, 199]);
    }
    expect(await platform.ledger()).toHaveLength(5);
  });
});

describe('a transaction outside the open statement', () => {
  const early = charge({ transaction_date: '2025-12-31' });

  test('[S32] is refused without force, and the answer contains it as it was sent', async () => {
    const platform = await startPlatform();
    const query = '?force_add_to_current_statement=false';
    const answer = await platform.post('createTransactions', transactions(early), { query });
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({
      status: 'TRANSACTION_IMPORT_ERROR',
      error_detail: expect.stringContaining('transaction_outside_open_statement'),
      transaction_data: { transaction_id: 'tx-1', transaction_date: '2025-12-31' },
    });
    await expectHarmless(platform);
  });

  test('[S33] is moved to the nearest day with force, and a pinned note says so', async () => {
    const platform = await startPlatform();
    expect(await added(platform, early)).toEqual([ADDED]);
    const [transaction, note] = await platform.ledger();
    expect(transaction).toMatchObject({ kind: 'transaction', data: { transaction_date: '2026-01-01' } });
    expect(note).toMatchObject({
      kind: 'note',
      data: { is_pinned: true, body: expect.stringMatching(/tx-1.*2025-12-31.*2026-01-01/s) },
    });
  });
});

test('[S34] dry_run is not part of the interface, so it is refused in body and URL, and nothing is stored', async () => {
  const platform = await startPlatform();
  const inBody = await platform.post('createTransactions', { ...transactions(charge()), dry_run: true });
  expect(problemsOf(inBody)).toEqual([['unexpected_field', 'dry_run']]);
  const inUrl = await platform.post('createTransactions', transactions(charge()), { query: '?dry_run=true' });
  expect(problemsOf(inUrl)).toEqual([['unexpected_field', 'dry_run']]);
  await expectHarmless(platform);
});

test('[S59] a hundred thousand rows are refused for their number or size, and ten thousand are accepted', async () => {
  const platform = await startPlatform();
  const small = Array.from({ length: 100_000 }, () => ({}));
  expect(problemsOf(await platform.post('createTransactions', transactions(...small)))).toEqual([
    ['max_length', 'transactions'],
  ]);
  const many = Array.from({ length: 100_000 }, (_, index) => charge({ transaction_id: `t-${index}` }));
  expect((await platform.post('createTransactions', transactions(...many))).status).toBe(413);
  await expectHarmless(platform);
  expect(await added(platform, ...many.slice(0, 10_000))).toHaveLength(10_000);
});

test.each([
  { says: 'beyond the limit are counted and not looked at', maxItems: 9_999, expected: 0 },
  { says: 'within it are looked at', maxItems: 10_000, expected: 10_000 },
])('[S59] rows $says', ({ maxItems, expected }) => {
  const looked = new Set<unknown>();
  const rows = Array.from({ length: 10_000 }, () => ({
    get transaction_id() {
      looked.add(this);
      return 't-1';
    },
  }));
  const store = openStore(':memory:');
  onTestFinished(() => store.close());
  const behaviour = { ...BEHAVIOUR_DEFAULTS, maxItems };
  const platform = platformOf({ store, nowMs: () => 0, timeZone: 'UTC', behaviour });
  try {
    const { candidates } = readEnvelope('transactions', transactions(...rows), platform);
    for (const candidate of candidates) checkAsPlatform('transactions', candidate, recordCheck(platform));
  } catch (error) {
    expect(error).toBeInstanceOf(Refusal);
  }
  expect(looked.size).toBe(expected);
});

import { expect, test } from 'vitest';
import { documentBlocks } from '../../support/document-blocks.ts';
import { ACCOUNT, charge, problemsOf, startPlatform, supplyCharge } from '../../support/server-platform.ts';
import { TEST_SEED } from '../../support/server-seed.ts';
import { expectImportError, transactions } from '../../support/server-transactions.ts';

const withEnums = (enums: string) => startPlatform({ seed: `${TEST_SEED}enums: ${enums}\n` });

test.each([
  { enums: '{ reason: { every_type: [OURS] } }', item: charge({ reason: 'OURS' }), problem: undefined },
  { enums: '{ reason: { every_type: [OURS] } }', item: charge(), problem: 'reason' },
  { enums: '{ reason: { CHARGE: [OURS] } }', item: charge(), problem: 'reason' },
  { enums: '{ reason: { CREDIT: [OURS] } }', item: charge({ reason: 'OPEN' }), problem: undefined },
  {
    enums: '{ reason: { every_type: [OURS], CREDIT: [THEIRS] } }',
    item: charge({ type: 'CREDIT', reason: 'THEIRS' }),
    problem: undefined,
  },
  {
    enums: '{ reason: { every_type: [OURS], CREDIT: [THEIRS] } }',
    item: charge({ reason: 'THEIRS' }),
    problem: 'reason',
  },
  {
    enums: '{ payment_type: { PAYMENT: [CASH] } }',
    item: charge({ type: 'PAYMENT', payment_type: 'DEBIT_CARD' }),
    problem: 'payment_type',
  },
  {
    enums: '{ payment_type: { PAYMENT: [CASH] } }',
    item: charge({ type: 'PAYMENT', payment_type: '' }),
    problem: undefined,
  },
  { enums: '{ tax_type: [GST] }', item: supplyCharge(), problem: 'tax_items.0.tax_type' },
  { enums: '{ unit_type: [PROPORTION] }', item: supplyCharge(), problem: undefined },
  {
    enums: '{ rate_band: [DAY] }',
    item: supplyCharge({
      line_items: [
        {
          start_date: '2026-01-01',
          end_date: '2026-01-31',
          number_of_units: 4,
          net_amount: 44,
          rate_band: 'CONSUMPTION_STANDARD',
        },
      ],
    }),
    problem: 'line_items.0.rate_band',
  },
])(
  'with the enums $enums: $item.type $item.reason, problem at $problem',
  async ({ enums, item, problem }) => {
    const platform = await withEnums(enums);
    const answer = await platform.post('createTransactions', transactions(item));
    if (problem === undefined) expect(answer.status).toBe(201);
    else
      expectImportError(
        answer,
        `${problem}: is not one of the allowed values (invalid_choice)`,
        expect.anything(),
      );
  },
);

test('the type of an instruction is an enum of its own, not that of transactions', async () => {
  const platform = await withEnums('{ instruction_type: [DIRECT_DEBIT] }');
  const instruction = { ...ACCOUNT, vendor: 'STRIPE', reference: 'pi_1', type: 'CARD' };
  expect(problemsOf(await platform.post('createPaymentInstruction', instruction))).toEqual([
    ['invalid_choice', 'type'],
  ]);
  expect((await platform.post('createTransactions', transactions(charge()))).status).toBe(201);
});

test('--strict changes nothing for a closed enum', async () => {
  const seed = `${TEST_SEED}enums: { reason: { CHARGE: [OURS] } }\n`;
  const platform = await startPlatform({ seed, behaviour: ['strict'] });
  const post = (fields: object) =>
    platform.post(
      'createTransactions',
      transactions(charge({ ...fields, transaction_id: JSON.stringify(fields) })),
    );
  expect((await post({ reason: 'OURS' })).status).toBe(201);
  expect((await post({ reason: 'IMPORTED_CHARGE' })).status).toBe(400);
  expect((await post({ type: 'CREDIT', reason: 'GENERAL_CREDIT' })).status).toBe(201);
});

test('docs/serve-reference.md, "Closed enums": its seed closes the enums that it names', async () => {
  const [block] = documentBlocks('docs/serve-reference.md', 'yaml').filter(({ title }) => title === 'enums');
  const platform = await startPlatform({ seed: TEST_SEED + block!.text.replace(/^version: 1\n/, '') });
  const taken = async (fields: object) => {
    const item = charge({ ...fields, transaction_id: JSON.stringify(fields) });
    return (await platform.post('createTransactions', transactions(item))).status === 201;
  };
  expect({
    everyType: await taken({ reason: 'IMPORTED_CREDIT' }),
    ofPayments: await taken({ type: 'PAYMENT', reason: 'ACCOUNT_CHARGE_PAYMENT' }),
    notOfCharges: await taken({ reason: 'ACCOUNT_CHARGE_PAYMENT' }),
    closed: await taken({ type: 'PAYMENT', reason: '', payment_type: 'CASH' }),
    open: await taken({ type: 'REPAYMENT', reason: '', payment_type: 'CASH' }),
  }).toEqual({ everyType: true, ofPayments: true, notOfCharges: false, closed: false, open: true });
});

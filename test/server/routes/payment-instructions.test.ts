import { expect, test } from 'vitest';
import { ENDPOINTS } from '../../../src/core/contract/endpoints.ts';
import { ACCOUNT, problemsOf, startPlatform } from '../../support/server-platform.ts';

const instruction = (fields: Record<string, unknown> = {}) => ({
  ...ACCOUNT,
  vendor: 'STRIPE',
  reference: 'pi_1',
  type: 'CARD',
  ...fields,
});
const OTHER_ACCOUNT = { external_account_number: '1005' };

/** The body with which deployments refuse an instruction for the vendor or the account. */
const errorBody = (code: string, fields: Record<string, unknown> = {}) => ({
  error_detail: expect.stringContaining(code),
  ...ACCOUNT,
  reference: 'pi_1',
  ...fields,
});

test('4.5: 201 with the account number of the platform and the reference', async () => {
  const platform = await startPlatform();
  const answer = await platform.post('createPaymentInstruction', instruction());
  expect(answer.status).toBe(201);
  expect(answer.body).toEqual({
    platform_account_number: expect.stringMatching(/^A-[0-9a-f]{8}$/),
    reference: 'pi_1',
  });
  expect(ENDPOINTS.createPaymentInstruction.response.safeParse(answer.body).success).toBe(true);
  const status = await platform.get('accountTransferStatus', {
    importSupplier: 'ACME',
    externalAccountNumber: '1001',
  });
  expect(answer.body.platform_account_number).toBe(status.body.platform_account_number);
  expect((await platform.ledger()).map(({ kind, data }) => ({ kind, data }))).toEqual([
    { kind: 'payment_instruction', data: { vendor: 'STRIPE', reference: 'pi_1', type: 'CARD' } },
  ]);
});

test('an unknown vendor is an invalid choice', async () => {
  const platform = await startPlatform();
  const answer = await platform.post('createPaymentInstruction', instruction({ vendor: 'NOBODY' }));
  expect(answer.status).toBe(400);
  expect(problemsOf(answer)).toEqual([['invalid_choice', 'vendor']]);
});

test.each([
  { what: 'an unknown reference', fields: { reference: 'pi_9' }, reference: 'pi_9' },
  { what: 'a type that the instruction has not', fields: { type: 'DIRECT_DEBIT' }, reference: 'pi_1' },
])('4.5: 400 for $what: the vendor has no such instruction', async ({ fields, reference }) => {
  const platform = await startPlatform();
  const answer = await platform.post('createPaymentInstruction', instruction(fields));
  expect(answer.status).toBe(400);
  expect(answer.body).toEqual(errorBody('payment_instruction_not_found', { reference }));
  expect(await platform.ledger()).toEqual([]);
});

test('4.5: 400 for a vendor that is persistently unreachable, however often it is tried', async () => {
  const platform = await startPlatform();
  for (let time = 0; time < 3; time++) {
    const answer = await platform.post('createPaymentInstruction', instruction({ reference: 'pi_3' }));
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual(errorBody('payment_vendor_unreachable', { reference: 'pi_3' }));
  }
});

test('4.5: 500 for an intermittent failure, as often as the seed says for each account, and then 201', async () => {
  const platform = await startPlatform();
  const statuses = async (fields: Record<string, unknown>) =>
    (await platform.post('createPaymentInstruction', instruction({ reference: 'pi_2', ...fields }))).status;
  const first = await platform.post('createPaymentInstruction', instruction({ reference: 'pi_2' }));
  expect(first.body).toEqual(errorBody('payment_vendor_failed', { reference: 'pi_2' }));
  expect([first.status, await statuses({}), await statuses({}), await statuses({})]).toEqual([
    500, 500, 201, 400,
  ]);
  expect([
    await statuses(OTHER_ACCOUNT),
    await statuses(OTHER_ACCOUNT),
    await statuses(OTHER_ACCOUNT),
  ]).toEqual([500, 500, 201]);
  expect(platform.unexpected, 'such a 500 is not a failure of the server').toEqual([]);
});

test('an account with an active instruction takes no second one, the same or another', async () => {
  const platform = await startPlatform();
  await platform.post('createPaymentInstruction', instruction());
  for (const reference of ['pi_1', 'pi_2']) {
    const answer = await platform.post('createPaymentInstruction', instruction({ reference }));
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual(errorBody('payment_instruction_already_active', { reference }));
  }
  expect((await platform.post('createPaymentInstruction', instruction(OTHER_ACCOUNT))).status).toBe(201);
});

test('exactly one of several instructions that arrive together for one account is created', async () => {
  const platform = await startPlatform();
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => platform.post('createPaymentInstruction', instruction())),
  );
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
    201,
    ...Array.from({ length: 19 }, () => 400),
  ]);
  expect(await platform.ledger()).toHaveLength(1);
});

test('an account that is not imported is a 400 here', async () => {
  const platform = await startPlatform();
  const answer = await platform.post(
    'createPaymentInstruction',
    instruction({ external_account_number: '1002' }),
  );
  expect(answer.status).toBe(400);
  expect(problemsOf(answer)).toEqual([['account_not_found', 'external_account_number']]);
});

import { expect, test } from 'vitest';
import { withOwnName } from '../../../src/core/operator/account-number.ts';
import type { OperatorContract } from '../../../src/core/operator/contract.ts';

const body = { platform_account_number: 'A-1', status: 'IMPORTED' };
const contract = {
  account_number: { 'account-transfer-status': { name: 'kundennummer', from: '' } },
} as Partial<OperatorContract> as OperatorContract;

test('an answer has the account number under the name of the operator', () => {
  expect(withOwnName('account-transfer-status', body, { contract })).toEqual({
    kundennummer: 'A-1',
    status: 'IMPORTED',
  });
});

test('an answer stays as it is where the operator has no name for it, or there is no contract', () => {
  expect(withOwnName('payment-instructions', body, { contract })).toBe(body);
  expect(withOwnName('account-transfer-status', body, { contract: undefined })).toBe(body);
});

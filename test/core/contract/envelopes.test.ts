import { describe, expect, test } from 'vitest';
import type * as z from 'zod/mini';
import { ENDPOINTS } from '../../../src/core/contract/endpoints.ts';
import { tokenMutationDocument, DEFAULT_TOKEN_MUTATION } from '../../../src/core/contract/token.ts';
import { problemsOfIssues } from '../../../src/core/rules/schema-problems.ts';
import { candidate } from '../../support/push-records.ts';

const account = { import_supplier: 'ACME', external_account_number: 'A1' };

function problemsOf(schema: z.ZodMiniType, body: unknown): readonly string[] {
  const input = candidate(body);
  const parsed = schema.safeParse(input);
  return parsed.success
    ? []
    : problemsOfIssues(parsed.error.issues, input).map(({ code, path }) => `${code} ${path.join('.')}`);
}

describe.each([
  ['notes', ENDPOINTS.createNotes.request],
  ['transactions', ENDPOINTS.createTransactions.request],
  ['statements', ENDPOINTS.createStatements.request],
] as const)('a request with %s', (list, schema) => {
  test('needs the account and the list', () => {
    expect(problemsOf(schema, { ...account, [list]: [{}] })).toEqual([]);
    expect(problemsOf(schema, {})).toEqual([
      'required import_supplier',
      'required external_account_number',
      `required ${list}`,
    ]);
  });

  test.each([
    ['empty', [], 'empty'],
    ['null', null, 'null'],
    ['an object', { 0: {} }, 'not_a_list'],
    ['a text', 'x', 'not_a_list'],
  ])('is rejected when the list is %s', (_, value, code) => {
    expect(problemsOf(schema, { ...account, [list]: value })).toEqual([`${code} ${list}`]);
  });
});

describe('an answer with fields that we do not know is accepted', () => {
  test.each([
    ['notes', ENDPOINTS.createNotes, [{ created_at: 'x', body: 'y', status: 'NEW', id: 5 }]],
    [
      'transactions',
      ENDPOINTS.createTransactions,
      {
        results: [
          {
            status: 'NEW',
            transaction_data: { transaction_id: 'T', amount: '5.00' },
            added_transaction_id: 7,
          },
        ],
      },
    ],
    ['statements', ENDPOINTS.createStatements, { statements: [{ statement_id: 'S' }], more: 1 }],
    [
      'payment instructions',
      ENDPOINTS.createPaymentInstruction,
      { platform_account_number: 'A-1', account_number: 'A-1', reference: 'r' },
    ],
    [
      'the status of an account',
      ENDPOINTS.accountTransferStatus,
      { status: 'PENDING', platform_account_number: '', account_number: '' },
    ],
    [
      'a list of accounts',
      ENDPOINTS.pendingAccountImportProcesses,
      [{ external_account_number: '1', platform_account_number: null, account_created_at: null }],
    ],
  ])('%s', (_, { response }, body) => {
    expect(response.safeParse(body).success).toBe(true);
  });
});

test('the mutation for a token has the neutral defaults of deployments.md', () => {
  expect(DEFAULT_TOKEN_MUTATION).toEqual({
    path: '/v1/graphql/',
    mutation: 'obtainPlatformToken',
    inputField: 'APIKey',
  });
  expect(tokenMutationDocument('obtainWordToken')).toBe(
    'mutation ($input: ObtainJSONWebTokenInput!) { obtainWordToken(input: $input) { token refreshToken refreshExpiresIn payload } }',
  );
});

import { expect } from 'vitest';
import { ACCOUNT, type Answered } from './server-platform.ts';

/** Body of transactions/create for the account of the test seed. */
export const transactions = (...items: readonly unknown[]) => ({ ...ACCOUNT, transactions: items });

/** The status of each result of a 201. */
export const statusesOf = ({ body }: Answered): readonly string[] =>
  body.results.map(({ status }: { status: string }) => status);

/** The whole 400 of interface.md 4.3. */
export function expectImportError(answer: Answered, errorDetail: string, transactionData: unknown): void {
  expect(answer.status).toBe(400);
  expect(answer.body).toEqual({
    status: 'TRANSACTION_IMPORT_ERROR',
    error_detail: expect.stringContaining(errorDetail),
    transaction_data: transactionData,
  });
}

import type { Statement } from '../../core/contract/statement.ts';
import { failure, type Problem } from '../../core/problem.ts';
import { DESCRIPTORS } from '../../core/contract/resources.ts';
import type { StoredAccount } from '../store/accounts.ts';
import type { Platform } from './platform.ts';

/** Adds statements and reports those that exist already. With any problem the caller undoes the whole request. */
export function addStatements(
  account: StoredAccount,
  statements: readonly Statement[],
  { store }: Platform,
): readonly Problem[] {
  return statements.flatMap((statement, index) => {
    const { key } = DESCRIPTORS.statements.identity(statement);
    const recordKey = { accountId: account.id, kind: 'statement', key, variant: '' } as const;
    return store.records.add({ ...recordKey, data: JSON.stringify(statement) })
      ? []
      : [failure('historical_statement_already_exists', ['statements', index, 'statement_id'])];
  });
}

import type { Statement } from '../../core/contract/statement.ts';
import { failure, type Problem } from '../../core/problem.ts';
import { statementIdentity } from '../../core/rules/record-identity.ts';
import { rule } from '../../core/rules/rule.ts';
import type { StoredAccount } from '../store/accounts.ts';
import type { Platform } from './platform.ts';

/** Adds what is new and lists what is not; with any problem the request has to be undone. */
export const addStatements = rule(
  {
    name: 'statements-are-new',
    authority: 'observed',
    source: 'deployments.md, "Rules named by deployments"',
    says: 'A statement whose statement_id is on the account refuses the whole request; nothing of it is stored.',
    tested:
      'server/routes/statements › silent: a statement that is on the account already refuses the whole request',
    codes: ['historical_statement_already_exists'],
  },
  (account: StoredAccount, statements: readonly Statement[], { store }: Platform): readonly Problem[] =>
    statements.flatMap((statement, index) => {
      const { key } = statementIdentity(statement);
      const data = JSON.stringify(statement);
      const isNew = store.records.add({ accountId: account.id, kind: 'statement', key, variant: '', data });
      return isNew
        ? []
        : [failure('historical_statement_already_exists', ['statements', index, 'statement_id'])];
    }),
);

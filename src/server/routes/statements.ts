import { documentsOfStatements, missingDocuments } from '../platform/documents.ts';
import { repeatedStatementIds } from '../platform/repeated-ids.ts';
import { addStatements } from '../platform/statements.ts';
import { checkedRecords, recordRoute, refuseAny, type RouteContext } from './record-route.ts';
import type { Route } from './route.ts';

/** POST historical-statements/create (interface.md 4.4). */
export function statementsRoute(context: RouteContext): Route {
  return recordRoute('statements', context, {
    query: {},
    answer: (post) => {
      const { platform } = context;
      const { import_supplier, external_account_number } = post;
      const statements = checkedRecords('statements', post, (index) => ['statements', index]);
      refuseAny(repeatedStatementIds(post.candidates));
      const documents = documentsOfStatements(statements);
      refuseAny(missingDocuments({ supplier: import_supplier, documents }, platform));
      refuseAny(addStatements(post.account, statements, platform));
      return {
        status: platform.behaviour.statementsStatus,
        body: { import_supplier, external_account_number, statements },
      };
    },
  });
}

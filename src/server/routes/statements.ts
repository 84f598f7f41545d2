import { repeatedStatementIds } from '../platform/repeated-ids.ts';
import { addStatements } from '../platform/statements.ts';
import { checkedRecords, recordRoute, refuseAny, type RouteContext } from './record-route.ts';
import type { Route } from './route.ts';

/** POST historical-statements/create (interface.md 4.4). */
export function statementsRoute(context: RouteContext): Route {
  return recordRoute('statements', context, {
    query: {},
    answer: (post) => {
      const statements = checkedRecords('statements', post, (index) => ['statements', index]);
      refuseAny(repeatedStatementIds(post.candidates));
      refuseAny(addStatements(post.account, statements, context.platform));
      const { import_supplier, external_account_number } = post;
      return { status: 201, body: { import_supplier, external_account_number, statements } };
    },
  });
}

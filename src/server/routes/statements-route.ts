import { missingDocuments } from '../platform/documents.ts';
import { repeatedIds } from '../platform/repeated-ids.ts';
import { addStatements } from '../platform/statements.ts';
import { checkedRecords, recordRoute, refuseAny } from './record-route.ts';

/** POST historical-statements/create (interface.md 4.4). */
export const statementsRoute = recordRoute('statements', {
  answer: (post) => {
    const { platform, account, import_supplier, external_account_number } = post;
    const statements = checkedRecords(post);
    refuseAny(repeatedIds('statements', post.candidates));
    refuseAny(missingDocuments('statements', { supplier: import_supplier, records: statements }, platform));
    refuseAny(addStatements(account, statements, platform));
    return {
      status: platform.behaviour.statementsStatus,
      body: { import_supplier, external_account_number, statements },
    };
  },
});

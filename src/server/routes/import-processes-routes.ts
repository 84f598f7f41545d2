import { ENDPOINTS } from '../../core/contract/endpoints.ts';
import { sentenceOf } from '../../core/error-codes/sentence.ts';
import { withOwnName } from '../openapi/account-number.ts';
import type { ErrorCode } from '../../core/error-codes/table.ts';
import { failure, type Facts } from '../../core/problem.ts';
import { isPending } from '../../core/rules/import-status.ts';
import { Refusal, refusal, validationFailure, type Answer } from '../http/answer.ts';
import { takeDueSteps } from '../platform/account-lifecycle.ts';
import { importProcess, transferStatus } from '../platform/import-processes.ts';
import type { StoredAccount } from '../store/accounts.ts';
import { requirePermission, unknownSupplier } from './admission.ts';
import type { Route } from './route.ts';

/** The POSTs use this code with another sentence: they need an imported account, while this GET also finds a staged one. */
const neverStaged = (facts: Facts = {}): Answer => ({
  status: 404,
  body: {
    detail: sentenceOf('import_process_does_not_exist'),
    code: 'account_not_found' satisfies ErrorCode,
  },
  facts,
});

/** GET account-transfer-status (interface.md 4.6). */
export const transferStatusRoute: Route = {
  method: ENDPOINTS.accountTransferStatus.method,
  path: ENDPOINTS.accountTransferStatus.path,
  access: 'token',
  answer: ({ server: { platform }, caller, query, segments }) => {
    refuseQuery(query);
    const { store } = platform;
    const { importSupplier = '', externalAccountNumber = '' } = segments;
    if (store.suppliers.statusOf(importSupplier) === undefined)
      throw new Refusal(neverStaged(unknownSupplier(importSupplier, platform)));
    requirePermission(caller, importSupplier);
    takeDueSteps(platform);
    const account = store.accounts.find({
      import_supplier: importSupplier,
      external_account_number: externalAccountNumber,
    });
    if (!account) throw new Refusal(neverStaged());
    return {
      status: 200,
      body: withOwnName('account-transfer-status', transferStatus(account, platform), platform),
    };
  },
};

/** The three lists (interface.md 4.7 to 4.9). Accounts are in the order in which they were added. */
export const listRoutes: readonly Route[] = [
  listRoute(ENDPOINTS.allAccountImportProcesses, () => true),
  listRoute(ENDPOINTS.pendingAccountImportProcesses, ({ state }) => isPending(state)),
  listRoute(ENDPOINTS.importedAccountImportProcesses, ({ state }) => !isPending(state)),
];

/** A client that asks for pages would get the whole list each time, and never end. @throws Refusal 400 */
function refuseQuery(query: Readonly<Record<string, unknown>>): void {
  const advice =
    'Leave it out: this path has no query parameters, and its answer has everything, without pages.';
  const problems = Object.keys(query).map((name) => failure('unexpected_field', [name], { advice }));
  if (problems.length > 0) throw new Refusal(validationFailure(problems));
}

function listRoute(
  { method, path }: { method: 'GET'; path: string },
  isListed: (account: StoredAccount) => boolean,
): Route {
  return {
    method,
    path,
    access: 'token',
    answer: ({ server: { platform }, caller, query, segments: { importSupplier = '' } }) => {
      refuseQuery(query);
      const { store } = platform;
      if (store.suppliers.statusOf(importSupplier) === undefined)
        throw new Refusal(refusal('import_supplier_not_found', unknownSupplier(importSupplier, platform)));
      requirePermission(caller, importSupplier);
      takeDueSteps(platform);
      const accounts = store.accounts.ofSupplier(importSupplier).filter(isListed);
      if (accounts.length === 0 && platform.behaviour.emptyListStatus === 404)
        throw new Refusal(refusal('not_found'));
      return {
        status: 200,
        body: accounts.map((account) =>
          withOwnName('account-import-processes', importProcess(account), platform),
        ),
      };
    },
  };
}

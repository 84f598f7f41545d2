import { ENDPOINTS } from '../../core/contract/endpoints.ts';
import { sentenceOf } from '../../core/error-codes/sentence.ts';
import type { ErrorCode } from '../../core/error-codes/table.ts';
import { isPending } from '../../core/rules/import-status.ts';
import { requirePermission } from './admission.ts';
import { Refusal, refusal, type Answer } from '../http/answer.ts';
import { takeDueSteps } from '../platform/account-lifecycle.ts';
import { importProcess, transferStatus } from '../platform/import-processes.ts';
import type { StoredAccount } from '../store/accounts.ts';
import type { RouteContext } from './record-route.ts';
import type { Route } from './route.ts';

/** The code of the POSTs with another sentence: there an account has to be imported, here a staged one is answered, too. */
const neverStaged = (): Answer => ({
  status: 404,
  body: {
    detail: sentenceOf('import_process_does_not_exist'),
    code: 'account_not_found' satisfies ErrorCode,
  },
});

/** GET account-transfer-status (interface.md 4.6). */
export function transferStatusRoute({ platform }: RouteContext): Route {
  const { store } = platform;
  const { method, path } = ENDPOINTS.accountTransferStatus;
  return {
    method,
    path,
    access: 'token',
    answer: ({ caller, segments }) => {
      const { importSupplier = '', externalAccountNumber = '' } = segments;
      if (store.suppliers.statusOf(importSupplier) === undefined) throw new Refusal(neverStaged());
      requirePermission(caller, importSupplier);
      takeDueSteps(platform);
      const account = store.accounts.find({
        import_supplier: importSupplier,
        external_account_number: externalAccountNumber,
      });
      if (!account) throw new Refusal(neverStaged());
      return { status: 200, body: transferStatus(account) };
    },
  };
}

/** The three lists (interface.md 4.7 to 4.9), in the order in which the accounts were added. */
export function listRoutes(context: RouteContext): readonly Route[] {
  return [
    listRoute(ENDPOINTS.allAccountImportProcesses, () => true, context),
    listRoute(ENDPOINTS.pendingAccountImportProcesses, ({ state }) => isPending(state), context),
    listRoute(ENDPOINTS.importedAccountImportProcesses, ({ state }) => !isPending(state), context),
  ];
}

function listRoute(
  { method, path }: { readonly method: 'GET'; readonly path: string },
  isListed: (account: StoredAccount) => boolean,
  { platform }: RouteContext,
): Route {
  const { store } = platform;
  return {
    method,
    path,
    access: 'token',
    answer: ({ caller, segments: { importSupplier = '' } }) => {
      if (store.suppliers.statusOf(importSupplier) === undefined)
        throw new Refusal(refusal('import_supplier_not_found'));
      requirePermission(caller, importSupplier);
      takeDueSteps(platform);
      return {
        status: 200,
        body: store.accounts.ofSupplier(importSupplier).filter(isListed).map(importProcess),
      };
    },
  };
}

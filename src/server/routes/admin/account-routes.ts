import type { AccountKey } from '../../../core/contract/account.ts';
import { importStatusOf, isPending } from '../../../core/rules/import-status.ts';
import { refusal, Refusal } from '../../http/answer.ts';
import { setImportState, takeDueSteps } from '../../platform/account-lifecycle.ts';
import { platformAccountNumber } from '../../platform/import-processes.ts';
import type { Platform } from '../../platform/platform.ts';
import type { StoredAccount } from '../../store/accounts.ts';
import type { Route } from '../route.ts';
import { balanceOf, recordCountOf, recordsOf, timelineOf } from './account-timeline.ts';
import { amountText } from './ledger-routes.ts';
import { bodyAs, queryAs, adminRoute } from './admin-route.ts';
import { accountChange, accountsQuery, recordsQuery } from './admin-schemas.ts';

const PAGE = 1_000;

const RECORDS = 200;

/** Lists the accounts, shows one with everything on it, and changes its import by hand. */
export const accountRoutes: readonly Route[] = [
  adminRoute('GET /_local/accounts', (call) => {
    const { platform } = call.server;
    const {
      import_supplier = null,
      state = null,
      search = null,
      after = '0',
      limit = PAGE,
      totals,
    } = queryAs(accountsQuery, call);
    takeDueSteps(platform);
    const afterId = Number.parseInt(after, 10);
    const most = Math.min(Math.max(limit, 1), PAGE);
    const filter = { import_supplier, state, search };
    const page = platform.store.accounts.page({ ...filter, afterId, limit: most });
    const next = page.length === most ? String(page.at(-1)!.id) : null;
    if (totals === undefined) return { accounts: page.map(shown), next };
    const count = platform.store.accounts.countOf(filter);
    return { accounts: withTotals(page, platform), next, count };
  }),
  adminRoute('GET /_local/accounts/:importSupplier/:externalAccountNumber/records', (call) => {
    const { platform } = call.server;
    const { resource, offset = 0, limit = RECORDS } = queryAs(recordsQuery, call);
    takeDueSteps(platform);
    const account = found(platform.store.accounts.find(keyIn(call.segments)));
    const page = { offset, limit: Math.min(limit, RECORDS) };
    const records = recordsOf(resource, account, platform.store, page);
    const count = recordCountOf(resource, account, platform.store);
    return { account: shown(account), records, count };
  }),
  adminRoute(
    'GET /_local/accounts/:importSupplier/:externalAccountNumber',
    ({ server: { platform }, segments }) => {
      takeDueSteps(platform);
      const account = found(platform.store.accounts.find(keyIn(segments)));
      return { ...shown(account), ...timelineOf(account, platform.store) };
    },
  ),
  adminRoute('PUT /_local/accounts/:importSupplier/:externalAccountNumber', (call) => {
    const { platform } = call.server;
    const { accounts } = platform.store;
    const { state, open_statement: openStatement } = bodyAs(accountChange, call);
    const key = keyIn(call.segments);
    return platform.store.write(() => {
      takeDueSteps(platform);
      const known = accounts.find(key);
      // Only staging can add an account.
      if (!known) requireStaging(key, state, platform);
      if (!known || openStatement) {
        accounts.put([{ ...key, state: known?.state ?? state, openStatement }], platform.now());
      }
      return shown(found(setImportState(key, state, platform)));
    });
  }),
];

function requireStaging({ import_supplier }: AccountKey, state: string, { store }: Platform): void {
  if (store.suppliers.statusOf(import_supplier) === undefined)
    throw new Refusal(refusal('supplier_not_found'));
  if (state !== 'staged') throw new Refusal(refusal('account_not_staged'));
}

function keyIn({
  importSupplier = '',
  externalAccountNumber = '',
}: Readonly<Record<string, string>>): AccountKey {
  return { import_supplier: importSupplier, external_account_number: externalAccountNumber };
}

function found(account: StoredAccount | undefined): StoredAccount {
  if (!account) throw new Refusal(refusal('account_not_staged'));
  return account;
}

/** Adds to each account its counts and sums by kind and type, and its balance. */
function withTotals(accounts: readonly StoredAccount[], { store }: Platform) {
  const byAccount = Map.groupBy(
    store.ledger.totalsOfAccounts(accounts.map(({ id }) => id)),
    ({ accountId }) => accountId,
  );
  return accounts.map((account) => {
    const totals = byAccount.get(account.id) ?? [];
    return {
      ...shown(account),
      totals: totals.map(({ kind, type, count, amount }) => ({
        kind,
        type,
        count,
        amount: amountText(kind, amount),
      })),
      balance: balanceOf(totals),
    };
  });
}

function shown(account: StoredAccount) {
  const { import_supplier, external_account_number, state, openStatement, createdAt } = account;
  return {
    import_supplier,
    external_account_number,
    state,
    status: importStatusOf(state),
    platform_account_number: isPending(state) ? null : platformAccountNumber(account),
    account_created_at: createdAt,
    open_statement: openStatement ?? null,
  };
}

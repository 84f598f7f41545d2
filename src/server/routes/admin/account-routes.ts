import type { AccountKey } from '../../../core/contract/account.ts';
import { importStatusOf, isPending } from '../../../core/rules/import-status.ts';
import { refusal, Refusal } from '../../http/answer.ts';
import { setImportState, takeDueSteps } from '../../platform/account-lifecycle.ts';
import { platformAccountNumber } from '../../platform/import-processes.ts';
import type { Platform } from '../../platform/platform.ts';
import type { StoredAccount } from '../../store/accounts.ts';
import type { Call, Route } from '../route.ts';
import { timelineOf } from './account-timeline.ts';
import { bodyAs, queryAs } from './admin-input.ts';
import { accountChange, accountsQuery } from './admin-schemas.ts';

/** Most accounts in one answer. */
const PAGE = 1_000;

const ONE = {
  path: '/_local/accounts/:importSupplier/:externalAccountNumber',
  access: 'loopback',
} as const;

/** Lists the accounts, shows one with everything on it, and changes its import by hand. */
export const accountRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/_local/accounts',
    access: 'loopback',
    answer: (call: Call) => {
      const { platform } = call.tenant;
      const { import_supplier = null, state = null, after = '0' } = queryAs(accountsQuery, call);
      takeDueSteps(platform);
      const afterId = Number.parseInt(after, 10);
      const page = platform.store.accounts.page({ import_supplier, state, afterId, limit: PAGE });
      const next = page.length === PAGE ? String(page.at(-1)!.id) : null;
      return { status: 200, body: { accounts: page.map(shown), next } };
    },
  },
  {
    ...ONE,
    method: 'GET',
    answer: ({ tenant: { platform }, segments }: Call) => {
      takeDueSteps(platform);
      const account = found(platform.store.accounts.find(keyIn(segments)));
      return { status: 200, body: { ...shown(account), ...timelineOf(account, platform.store) } };
    },
  },
  {
    ...ONE,
    method: 'PUT',
    answer: (call: Call) => {
      const { platform } = call.tenant;
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
        return { status: 200, body: shown(found(setImportState(key, state, platform))) };
      });
    },
  },
];

/** @throws Refusal 404 */
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

/** @throws Refusal 404 */
function found(account: StoredAccount | undefined): StoredAccount {
  if (!account) throw new Refusal(refusal('account_not_staged'));
  return account;
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

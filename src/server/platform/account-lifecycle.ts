import type { AccountKey } from '../../core/contract/account.ts';
import type { ImportState } from '../../core/rules/import-status.ts';
import { secondsAfter } from '../../core/values/instant.ts';
import type { StoredAccount } from '../store/accounts.ts';
import type { Platform } from './platform.ts';

// staged ──▶ in_progress ──▶ imported
//    └──────────────┴──────▶ failed
//
// The seed sets the state of an account. The clock moves it on when the seed plans an import (`auto_import`). The operator
// can set any state, also an earlier one, and the clock then leaves the account alone.

/** Whether the import of an account has not ended, so that it can be planned. */
export function isUnderWay(state: ImportState): boolean {
  return state === 'staged' || state === 'in_progress';
}

/** When the clock of the platform carries out the import of an account, and how it ends. */
interface AutoImport {
  readonly in_progress_after_seconds?: number | undefined;
  readonly after_seconds: number;
  readonly ends: 'imported' | 'failed';
}

/** Plans the steps of an import of an account from now on and drops the steps planned before. Undefined plans none. */
export function planImport(
  key: AccountKey,
  plan: AutoImport | undefined,
  { store, now }: Pick<Platform, 'store' | 'now'>,
): void {
  const { accounts, importSteps } = store;
  const { id: accountId } = accounts.find(key)!;
  importSteps.dropOf(accountId);
  if (!plan) return;
  const add = (seconds: number, state: ImportState) =>
    importSteps.add({ accountId, dueAt: secondsAfter(now(), seconds), state });
  if (plan.in_progress_after_seconds !== undefined) add(plan.in_progress_after_seconds, 'in_progress');
  add(plan.after_seconds, plan.ends);
}

/**
 * Takes the import steps whose time has come. Runs before anything reads the state of an account. An account is created at
 * the planned second, not when somebody looks.
 */
export function takeDueSteps({ store, now }: Platform): void {
  if (store.importSteps.due(now()).length === 0) return;
  store.write(() => {
    for (const step of store.importSteps.due(now())) {
      store.accounts.setState(step.accountId, step.state, step.dueAt);
      store.importSteps.drop(step);
    }
  });
}

/**
 * Sets the state of an import by hand and drops its planned steps. The records of the account stay. Undefined when there is
 * no such account. Has to run in a transaction of the store.
 */
export function setImportState(
  key: AccountKey,
  state: ImportState,
  { store, now }: Platform,
): StoredAccount | undefined {
  const account = store.accounts.find(key);
  if (!account) return undefined;
  store.importSteps.dropOf(account.id);
  store.accounts.setState(account.id, state, now());
  return store.accounts.find(key);
}

import type { AccountKey } from '../../core/contract/account.ts';
import type { ImportState } from '../../core/rules/import-status.ts';
import { rule } from '../../core/rules/rule.ts';
import { secondsAfter } from '../../core/values/instant.ts';
import type { StoredAccount } from '../store/accounts.ts';
import type { Platform } from './platform.ts';

// staged ──▶ in_progress ──▶ imported
//    └──────────────┴──────▶ failed
//
// An account takes these steps as the seed says it stands, by the clock (`auto_import` of a seed), or by the operator's
// hand, which may also turn back: a failed account is staged again. What the hand sets, the clock leaves alone.

/** What the seed plans for an account that is not imported yet. */
export interface AutoImport {
  /** Seconds until it is in progress. Undefined: it stays as it is until it ends. */
  readonly inProgressAfterSeconds: number | undefined;
  /** Seconds until it ends; more than those until it is in progress. */
  readonly afterSeconds: number;
  readonly ends: Extract<ImportState, 'imported' | 'failed'>;
}

/** Whether an account still has something before it that a plan can be for. */
export function isUnderWay(state: ImportState): boolean {
  return state === 'staged' || state === 'in_progress';
}

/** Plans the steps of an account from now on, in place of those planned before; none when there is no plan. */
export function planImport(
  key: AccountKey,
  plan: AutoImport | undefined,
  { store, now }: Pick<Platform, 'store' | 'now'>,
): void {
  const { accounts, importSteps } = store;
  const account = accounts.find(key);
  if (!account) throw new Error('the import of an account that is not there is planned');
  importSteps.dropOf(account.id);
  if (!plan) return;
  const add = (seconds: number, state: ImportState) =>
    importSteps.add({ accountId: account.id, dueAt: secondsAfter(now(), seconds), state });
  if (plan.inProgressAfterSeconds !== undefined) add(plan.inProgressAfterSeconds, 'in_progress');
  add(plan.afterSeconds, plan.ends);
}

/** Has to run before anything looks at the state of an account; in a transaction of its own unless it is in one. */
export const takeDueSteps = rule(
  {
    name: 'import-by-the-clock',
    authority: 'chosen',
    source: 'emulator.md, "State"',
    says: 'A seeded account goes on to in_progress, imported or failed after the seconds of its auto_import, by the clock of the platform; it is created at the second that was planned, not when somebody looks.',
    tested:
      'server/platform/import-lifecycle › an account is staged, in progress and imported when its clock says so, and takes data then',
  },
  ({ store, now }: Platform): void => {
    if (store.importSteps.due(now()).length === 0) return;
    store.write(() => {
      for (const step of store.importSteps.due(now())) {
        store.accounts.setState(step.accountId, step.state, step.dueAt);
        store.importSteps.drop(step);
      }
    });
  },
);

export const setImportState = rule(
  {
    name: 'import-by-hand',
    authority: 'chosen',
    source: 'emulator.md, "State"',
    says: 'The operator may bring an account to any state of its import; what the clock had planned for it is dropped, and its data stays.',
    tested:
      'server/platform/import-lifecycle › the operator brings an account to any state; only an imported one was created',
  },
  /** Undefined when there is no such account. Has to run in a transaction of the store. */
  (key: AccountKey, state: ImportState, { store, now }: Platform): StoredAccount | undefined => {
    const account = store.accounts.find(key);
    if (!account) return undefined;
    store.importSteps.dropOf(account.id);
    store.accounts.setState(account.id, state, now());
    return store.accounts.find(key);
  },
);

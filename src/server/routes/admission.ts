import type { AccountKey } from '../../core/contract/account.ts';
import { failure } from '../../core/problem.ts';
import { takesData } from '../../core/rules/import-status.ts';
import { acceptsMigration } from '../../core/rules/supplier-status.ts';
import type { Caller } from '../auth/tokens.ts';
import { refusal, Refusal, validationFailure, type Answer } from '../http/answer.ts';
import type { Platform } from '../platform/platform.ts';
import type { StoredAccount } from '../store/accounts.ts';

interface Admission {
  readonly caller: Caller;
  readonly platform: Platform;
  readonly unknownSupplier: (platform: Platform) => Answer;
  readonly missing: () => Answer;
}

/** The answer of an operator with a closed list of suppliers. */
export function supplierNotListed(): Answer {
  return validationFailure([failure('invalid_choice', ['import_supplier'])]);
}

/**
 * Finds the account that a POST adds records to.
 * @throws Refusal in this order: `unknownSupplier`, 403 supplier of another key, supplier not ongoing, 400 no import process
 * (with that rule), `missing` when there is no imported account
 */
export function admit(
  key: AccountKey,
  { caller, platform, unknownSupplier, missing }: Admission,
): StoredAccount {
  const { store, behaviour } = platform;
  const status = store.suppliers.statusOf(key.import_supplier);
  if (status === undefined) throw new Refusal(unknownSupplier(platform));
  requirePermission(caller, key.import_supplier);
  if (!acceptsMigration(status)) {
    const answer = validationFailure([failure('import_supplier_migration_not_ongoing', ['import_supplier'])]);
    throw new Refusal({ ...answer, status: behaviour.pausedStatus });
  }
  const account = store.accounts.find(key);
  if (!account && behaviour.rules.includes('import_process_does_not_exist')) {
    throw new Refusal(
      validationFailure([failure('import_process_does_not_exist', ['external_account_number'])]),
    );
  }
  if (!account || !takesData(account.state)) throw new Refusal(missing());
  return account;
}

/** @throws Refusal 403 `permission_denied` when the key is limited to other suppliers */
export function requirePermission(caller: Caller, supplier: string): void {
  if (caller.suppliers !== null && !caller.suppliers.includes(supplier))
    throw new Refusal(refusal('permission_denied'));
}

import type { AccountKey } from '../../core/contract/account.ts';
import { failure, type Facts } from '../../core/problem.ts';
import { takesData } from '../../core/rules/import-status.ts';
import { acceptsMigration } from '../../core/rules/supplier-status.ts';
import { nearestName } from '../../core/suggestion.ts';
import type { Caller } from '../auth/tokens.ts';
import { refusal, Refusal, validationFailure, type Answer } from '../http/answer.ts';
import type { Platform } from '../platform/platform.ts';
import type { StoredAccount } from '../store/accounts.ts';

interface Admission {
  readonly caller: Caller;
  readonly platform: Platform;
  /** Both get the facts of the next step. */
  readonly unknown: (facts: Facts, platform: Platform) => Answer;
  readonly missing: (facts: Facts) => Answer;
}

/** The answer of an operator with a closed list of suppliers. */
export function supplierNotListed(facts: Facts): Answer {
  return validationFailure([failure('invalid_choice', ['import_supplier'], facts)]);
}

const MOST_NAMES = 5;

/** What a client does about a name that is none of those of the platform. `what`: `import supplier`. */
export function unknownName(what: string, given: string, names: readonly string[]): Facts {
  const near = nearestName(given, names);
  const shown = names.slice(0, MOST_NAMES).join(', ') + (names.length > MOST_NAMES ? ', …' : '');
  if (near !== undefined) return { advice: `Did you mean the ${what} ${near}?` };
  return { advice: `No ${what} has this code; the platform has ${names.length === 0 ? 'none' : shown}.` };
}

/** What a client does about a supplier that the platform does not have. */
export function unknownSupplier(given: string, { store }: Platform): Facts {
  return { ...unknownName('import supplier', given, store.suppliers.codes()), field: 'import_supplier' };
}

/** What a client does about an account that takes no data. */
const notImported = ({ state }: StoredAccount): Facts => ({
  advice: `The account is ${state.replace('_', ' ')}: send it once it is imported.`,
});

/**
 * Finds the account that a POST adds records to.
 * @throws Refusal in this order: `unknown` supplier, 403 supplier of another key, supplier not ongoing, 400 no import process
 * (with that rule), `missing` when there is no imported account
 */
export function admit(key: AccountKey, { caller, platform, unknown, missing }: Admission): StoredAccount {
  const { store, behaviour } = platform;
  const status = store.suppliers.statusOf(key.import_supplier);
  if (status === undefined)
    throw new Refusal(unknown(unknownSupplier(key.import_supplier, platform), platform));
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
  if (!account || !takesData(account.state)) throw new Refusal(missing(account ? notImported(account) : {}));
  return account;
}

/** @throws Refusal 403 `permission_denied` when the key is limited to other suppliers */
export function requirePermission(caller: Caller, supplier: string): void {
  if (caller.suppliers !== null && !caller.suppliers.includes(supplier))
    throw new Refusal(refusal('permission_denied'));
}

import type { ImportStatus } from '../contract/account-import.ts';
import { rule } from './rule.ts';

/** How far the import of an account has come on the platform (emulator.md, "State"). */
export const IMPORT_STATES = ['staged', 'in_progress', 'imported', 'failed'] as const;
export type ImportState = (typeof IMPORT_STATES)[number];

export const importStatusOf = rule(
  {
    name: 'import-status',
    authority: 'documented',
    source: 'interface.md 3.1; staged and failed accounts: emulator.md',
    says: 'COMPLETED when an account was created, IN_PROGRESS while one is being created, UNKNOWN otherwise.',
    tested: 'server/routes/import-processes › 3.1: an account that is $state is $status',
  },
  (state: ImportState): ImportStatus => {
    if (state === 'imported') return 'COMPLETED';
    return state === 'in_progress' ? 'IN_PROGRESS' : 'UNKNOWN';
  },
);

export const takesData = rule(
  {
    name: 'imported-accounts-take-data',
    authority: 'documented',
    source: 'interface.md 4.2 (404)',
    says: 'Data can be added to an imported account only, not to one that is merely staged.',
    tested: 'server/routes/notes › 4.2: 404 when the account is $state',
    codes: ['account_not_found'],
  },
  (state: ImportState): boolean => state === 'imported',
);

export const isPending = rule(
  {
    name: 'pending-or-imported',
    authority: 'documented',
    source: 'interface.md 3.1',
    says: 'An account is pending while its data is staged and no platform account exists; then it is imported.',
    tested: 'server/routes/import-processes › 4.8: the pending accounts, with both fields null',
  },
  (state: ImportState): boolean => state !== 'imported',
);

/** Every command of `dataimport admin` and its line in the help. `admin-actions.ts` has what each does. */
export const ADMIN_TITLES = {
  'admin supplier': 'List the suppliers, or set the status of one',
  'admin accounts': 'List the accounts and how far they are',
  'admin account': 'Show one account with all its records, or change its import',
  'admin reset': 'Drop all records and return to the seed',
  'admin faults': 'Show the active faults and how often each was hit, add some, or remove all',
  'admin clock': 'Show the clock of the platform, or change it',
  'admin snapshot': 'Save everything stored under a name, and restore it',
  'admin ledger': 'Print every stored record, or totals',
  'admin requests': 'Print the last requests and their answers',
} as const;

export type AdminName = keyof typeof ADMIN_TITLES;

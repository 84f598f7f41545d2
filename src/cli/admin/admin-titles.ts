/** Every command of `dataimport admin` and its line in the help. `admin-actions.ts` has what each does. */
export const ADMIN_TITLES = {
  'admin supplier': 'List the suppliers, or set the status of one',
  'admin account list': 'List the accounts and how far they are',
  'admin account show': 'Show one account with all its records',
  'admin account stage': 'Stage an account, and add it if it is new',
  'admin account start': 'Begin to import an account',
  'admin account import': 'Mark an account as imported',
  'admin account fail': 'Mark the import of an account as failed',
  'admin reset': 'Drop all records and return to the seed',
  'admin faults': 'Show the active faults and how often each was hit',
  'admin faults list': 'The same as `admin faults`',
  'admin faults add': 'Add faults',
  'admin faults clear': 'Remove all faults',
  'admin clock': 'Show the clock of the platform',
  'admin clock freeze': 'Freeze the clock',
  'admin clock set': 'Set the clock',
  'admin clock advance': 'Advance the clock',
  'admin clock resume': 'Return to the real time',
  'admin snapshot list': 'List the snapshots',
  'admin snapshot save': 'Save everything stored under a name',
  'admin snapshot restore': 'Replace everything stored by a snapshot',
  'admin snapshot delete': 'Delete a snapshot',
  'admin ledger': 'Print every stored record, or totals',
  'admin requests': 'Print the last requests and their answers',
} as const;

export type AdminName = keyof typeof ADMIN_TITLES;

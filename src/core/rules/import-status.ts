import type { ImportStatus } from '../contract/account-import.ts';

/** How far the import of an account is: staged, then in progress, then imported or failed. */
export const IMPORT_STATES = ['staged', 'in_progress', 'imported', 'failed'] as const;
export type ImportState = (typeof IMPORT_STATES)[number];

/** The status that the interface reports (interface.md 3.1). A staged or failed account is `UNKNOWN`. */
export function importStatusOf(state: ImportState): ImportStatus {
  if (state === 'imported') return 'COMPLETED';
  return state === 'in_progress' ? 'IN_PROGRESS' : 'UNKNOWN';
}

/** Whether the platform has not created the account yet (interface.md 3.1). */
export function isPending(state: ImportState): boolean {
  return state !== 'imported';
}

/** Whether records can be added to an account. */
export function takesData(state: ImportState): boolean {
  return !isPending(state);
}

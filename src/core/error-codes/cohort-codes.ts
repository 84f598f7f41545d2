import { inputCode, partialCode, unfinishedCode } from './entry.ts';

/** A cohort: its file, what its files say of each other, and its accounts. */
export const COHORT_CODES = {
  // Checks between files.

  // Accounts, and rows that are not sent because of them.
  cohort_check_failed: inputCode(
    '{reason|the files of the cohort say different things of an account}',
    '{todo|Compare the files for this account. `--show-values` shows both totals. Where this is right, write `severity: warning` below `checks.totals`.}',
  ),
  account_not_imported: unfinishedCode(
    'the account is not imported yet ({state}), so its {resource} are not sent; rows: {rows}',
    'Have the account imported, then run the command again; `--wait-for-accounts 4h` waits for it. If it stays "not begun, or failed", ask the operator: the platform says UNKNOWN for both, and a failed import has to be started again.',
  ),
  account_not_asked: unfinishedCode(
    'nobody knows whether the account is imported, because {reason}, so its {resource} are not sent; rows: {rows}',
    'Run the same command again. It asks the platform before it sends, and nothing is sent twice.',
  ),
  account_import_failed: partialCode(
    'the import of the account failed, so its {resource} are not sent; rows: {rows}',
    'Ask the operator why the import failed. Once it is imported, run the command again.',
  ),
  earlier_resource_failed: partialCode(
    'a record of the {earlier} of the account {state|was refused}, so its {resource} are not sent; rows: {rows}',
    'Remove the cause, or correct the row in its file, then run the command again: it sends the refused record first. To send the rest without it, write `after_failure: continue` into the cohort file.',
  ),
  earlier_record_unsettled: unfinishedCode(
    'a record of the {earlier} of the account {state}, so its {resource} are not sent; rows: {rows}',
    'Run the command again: it finds out first whether the record was applied.',
  ),
} as const;

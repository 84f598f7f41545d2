import { isErrorCode, type ErrorCode } from './table.ts';

/** Each removed code, and the end of a sentence that says what came in its place. Codes stand in backticks, and `explain` shows their pages below it. */
export const REMOVED_CODES: Readonly<Record<string, string>> = {
  browser_missing: 'a page of a report is printed by any browser',
  exact_duplicate_skipped: 'a query of the mapping with GROUP BY makes one of equal rows',
  fault_plan_invalid: '`fault_invalid` says what is wrong with a rule',
  config_command_untrusted: '`setting_invalid` says where an apiKeyCommand belongs',
  config_nothing_to_trust:
    'no file has to be trusted: `config_untrusted` says how to name a file of another user',
  pdf_not_made: 'a page of a report is printed by any browser',
  signature_refused: 'openssl pkeyutl checks a signature (docs/report.md)',
  signing_key_unusable: 'openssl pkeyutl signs a report (docs/report.md)',
  state_file_exists: 'a snapshot is a file beside the database',
  state_not_written: '`snapshot_not_written` says why a snapshot cannot be saved',
  state_unfit: '`snapshot_unfit` says why a snapshot cannot be restored',
  tenant_key_invalid: 'a server has one platform, with the keys of its seed',
  tenant_key_unlisted: 'a server has one platform, with the keys of its seed',
  tenant_not_named: 'a server has one platform',
  tenants_exhausted: 'a server has one platform',
  tenants_named: 'a server has one platform',
};

/** The codes that a sentence has in backticks. */
export function codesNamedIn(sentence: string): readonly ErrorCode[] {
  return [...sentence.matchAll(/`(\w+)`/g)].map(([, word]) => word!).filter(isErrorCode);
}

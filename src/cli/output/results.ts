import type { ResultFormats } from './formats.ts';

/** The formats of each kind of result, loaded when a result of the kind is shown. */
const FORMATS = {
  account_status: async () => (await import('./account-status.ts')).accountStatusFormats,
  accounts: async () => (await import('./accounts-result.ts')).accountsFormats,
  admin: async () => (await import('./admin-result.ts')).adminFormats,
  authentication: async () => (await import('./authentication-result.ts')).authenticationFormats,
  check: async () => (await import('./run-result.ts')).checkFormats,
  cohort: async () => (await import('./cohort-result.ts')).cohortFormats,
  cohort_verification: async () =>
    (await import('./cohort-verification-result.ts')).cohortVerificationFormats,
  completion: async () => (await import('./completion-result.ts')).completionFormats,
  confirmed_rows: async () => (await import('./confirmed-rows.ts')).confirmedRowsFormats,
  contract_difference: async () => (await import('./contract-difference.ts')).contractDifferenceFormats,
  contract_listing: async () => (await import('./contract-listing.ts')).contractListingFormats,
  demo: async () => (await import('./demo-result.ts')).demoFormats,
  explanation: async () => (await import('./explanation.ts')).explanationFormats,
  imported_contract: async () => (await import('./imported-contract.ts')).importedContractFormats,
  forgotten_run: async () => (await import('./run-list.ts')).forgottenRunFormats,
  inspection: async () => (await import('./inspection-result.ts')).inspectionFormats,
  mapping_check: async () => (await import('./mapping-check.ts')).mappingCheckFormats,
  mapping_draft: async () => (await import('./mapping-draft.ts')).mappingDraftFormats,
  merged_shards: async () => (await import('./merged-shards.ts')).mergedShardsFormats,
  migration_report: async () => (await import('./report/report-result.ts')).migrationReportFormats,
  preview: async () => (await import('./preview.ts')).previewFormats,
  problem_fixture: async () => (await import('./problem-fixture.ts')).problemFixtureFormats,
  replay: async () => (await import('./replay-result.ts')).replayFormats,
  run: async () => (await import('./run-result.ts')).runFormats,
  run_list: async () => (await import('./run-list.ts')).runListFormats,
  settings: async () => (await import('./settings-result.ts')).settingsFormats,
  run_difference: async () => (await import('./run-difference.ts')).runDifferenceFormats,
  trace: async () => (await import('./trace-result.ts')).traceFormats,
  verification: async () => (await import('./verification-result.ts')).verificationFormats,
  schema: async () => (await import('./schema-result.ts')).schemaFormats,
};

type Kind = keyof typeof FORMATS;
type ResultOf<K extends Kind> =
  Awaited<ReturnType<(typeof FORMATS)[K]>> extends ResultFormats<infer Result> ? Result : never;

/** What a command found, as data with its kind. Each kind has a file in this folder. */
export type Result = { readonly [K in Kind]: ResultOf<K> & { readonly kind: K } }[Kind];

export function formatsOf(result: Result): Promise<ResultFormats<Result>> {
  return FORMATS[result.kind]() as Promise<ResultFormats<Result>>;
}

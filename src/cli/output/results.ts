import type { AccountStatusResult } from './account-status.ts';
import type { AccountsResult } from './accounts.ts';
import type { AdminResult } from './admin.ts';
import type { AuthenticationResult } from './authentication.ts';
import type { DemoResult } from './demo.ts';
import type { ExplanationResult } from './explanation.ts';
import type { ResultFormats } from './formats.ts';
import type { InspectionResult } from './inspection.ts';
import type { MappingCheckResult } from './mapping-check.ts';
import type { MappingDraftResult } from './mapping-draft.ts';
import type { PreviewResult } from './preview.ts';
import type { ReplayResult } from './replay.ts';
import type { CheckResult, RunResult } from './run-document.ts';
import type { ForgottenRunResult, RunListResult } from './run-list.ts';
import type { SchemaResult } from './schema.ts';

/** What a command found, as data. Each kind has its formats in a file of this folder. */
export type Result =
  | AccountStatusResult
  | AccountsResult
  | AdminResult
  | AuthenticationResult
  | CheckResult
  | DemoResult
  | ExplanationResult
  | ForgottenRunResult
  | InspectionResult
  | MappingCheckResult
  | MappingDraftResult
  | PreviewResult
  | ReplayResult
  | RunListResult
  | RunResult
  | SchemaResult;

type FormatsByKind = {
  readonly [Kind in Result['kind']]: () => Promise<ResultFormats<Extract<Result, { kind: Kind }>>>;
};

/** The formats of each kind, loaded when a result of the kind is shown. */
const FORMATS: FormatsByKind = {
  account_status: async () => (await import('./account-status.ts')).accountStatusFormats,
  accounts: async () => (await import('./accounts.ts')).accountsFormats,
  admin: async () => (await import('./admin.ts')).adminFormats,
  authentication: async () => (await import('./authentication.ts')).authenticationFormats,
  check: async () => (await import('./run.ts')).checkFormats,
  demo: async () => (await import('./demo.ts')).demoFormats,
  explanation: async () => (await import('./explanation.ts')).explanationFormats,
  forgotten_run: async () => (await import('./run-list.ts')).forgottenRunFormats,
  inspection: async () => (await import('./inspection.ts')).inspectionFormats,
  mapping_check: async () => (await import('./mapping-check.ts')).mappingCheckFormats,
  mapping_draft: async () => (await import('./mapping-draft.ts')).mappingDraftFormats,
  preview: async () => (await import('./preview.ts')).previewFormats,
  replay: async () => (await import('./replay.ts')).replayFormats,
  run: async () => (await import('./run.ts')).runFormats,
  run_list: async () => (await import('./run-list.ts')).runListFormats,
  schema: async () => (await import('./schema.ts')).schemaFormats,
};

export function formatsOf(result: Result): Promise<ResultFormats<Result>> {
  return FORMATS[result.kind]() as Promise<ResultFormats<Result>>;
}

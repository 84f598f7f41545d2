/** In which of the shapes of deployments.md, "Responses", a 400 is answered. */
export const ERROR_SHAPES = ['documented', 'nested', 'non_field'] as const;
export type ErrorShape = (typeof ERROR_SHAPES)[number];

/** What becomes of the transactions before the first failing one: none of them is kept, or all. */
export const TX_400 = ['atomic', 'prefix'] as const;
export type Tx400 = (typeof TX_400)[number];

/** The interface names both (interface.md 4.4). */
export const STATEMENTS_STATUSES = [200, 201] as const;
export type StatementsStatus = (typeof STATEMENTS_STATUSES)[number];

/** Rules that deployments name (deployments.md, "Rules named by deployments") and that hold only when asked for. */
export const EXTRA_RULES = [
  'import_process_does_not_exist',
  'missing_transaction_id',
  'line_items_overlap_already_charged_period',
  'conflicting_rate_band_specification',
  'mutually_exclusive_field_required',
] as const;
export type ExtraRule = (typeof EXTRA_RULES)[number];

/** How the platform decides where the interface leaves it open (emulator.md, "Decisions where the interface is silent"). */
export interface Behaviour {
  /** Default: `documented`. */
  readonly errorShape: ErrorShape;
  /** Default: `atomic`. */
  readonly tx400: Tx400;
  /** Refuses values of open enums that the interface does not show. Default: they are accepted. */
  readonly strict: boolean;
  /** Leaves out fields that are not listed, and counts them. Default: they are refused. */
  readonly lenient: boolean;
  /** Default: 201. */
  readonly statementsStatus: StatementsStatus;
  /** Default: none. */
  readonly rules: readonly ExtraRule[];
}

export const BEHAVIOUR_DEFAULTS: Behaviour = {
  errorShape: 'documented',
  tx400: 'atomic',
  strict: false,
  lenient: false,
  statementsStatus: 201,
  rules: [],
};

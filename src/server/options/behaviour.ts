import { DEFAULT_TOKEN_MUTATION } from '../../core/contract/token.ts';

/** The shapes of a 400 answer (deployments.md, "Responses"). */
export const ERROR_SHAPES = ['documented', 'nested', 'non_field'] as const;
export type ErrorShape = (typeof ERROR_SHAPES)[number];

/** Whether a failing transaction undoes the ones before it in the same request, or keeps them. */
export const TX_400 = ['atomic', 'prefix'] as const;
export type Tx400 = (typeof TX_400)[number];

/** The interface names both statuses (interface.md 4.4). */
export const STATEMENTS_STATUSES = [200, 201] as const;
export type StatementsStatus = (typeof STATEMENTS_STATUSES)[number];

/** Statuses of the answer to notes of an unknown supplier. The interface has 404 (interface.md 4.2, 7.2). */
export const UNKNOWN_SUPPLIER_STATUSES = [404, 400] as const;
export type UnknownSupplierStatus = (typeof UNKNOWN_SUPPLIER_STATUSES)[number];

/** Statuses of the answer while a supplier is Paused or Complete. The interface has an error (interface.md 3.2). */
export const PAUSED_STATUSES = [400, 403] as const;
export type PausedStatus = (typeof PAUSED_STATUSES)[number];

/** Statuses of the answer to a list of a supplier without accounts (interface.md 4.7). */
export const EMPTY_LIST_STATUSES = [200, 404] as const;
export type EmptyListStatus = (typeof EMPTY_LIST_STATUSES)[number];

/** Rules of some deployments that are off unless asked for (deployments.md, "Rules named by deployments"). */
export const EXTRA_RULES = [
  'import_process_does_not_exist',
  'missing_transaction_id',
  'line_items_overlap_already_charged_period',
  'conflicting_rate_band_specification',
  'mutually_exclusive_field_required',
] as const;
export type ExtraRule = (typeof EXTRA_RULES)[number];

/** How the platform decides where the interface leaves the answer open (docs/serve-reference.md, "Options"). */
export interface Behaviour {
  /** Default: `documented`. */
  readonly errorShape: ErrorShape;
  /** Default: `atomic`. */
  readonly tx400: Tx400;
  /**
   * Refuses what the interface does not show: values of open enums, amounts as text, date-times with another offset than `Z`.
   * Default: accepts and counts them.
   */
  readonly strict: boolean;
  /** Drops unlisted fields and counts them. Default: refuses them. */
  readonly lenient: boolean;
  /** Default: 201. */
  readonly statementsStatus: StatementsStatus;
  /** For notes. 400 is the answer of an operator with a closed list of suppliers. Default: 404. */
  readonly unknownSupplierStatus: UnknownSupplierStatus;
  /** Default: 400. */
  readonly pausedStatus: PausedStatus;
  /** Default: 200. */
  readonly emptyListStatus: EmptyListStatus;
  /** Path of the token mutation. Default: the path of docs/settings.md. */
  readonly tokenPath: string;
  /** Further required fields of records, such as `transactions.reason`. Default: none. */
  readonly requires: readonly string[];
  /** Default: none. */
  readonly rules: readonly ExtraRule[];
}

export const BEHAVIOUR_DEFAULTS: Behaviour = {
  errorShape: 'documented',
  tx400: 'atomic',
  strict: false,
  lenient: false,
  statementsStatus: 201,
  unknownSupplierStatus: 404,
  pausedStatus: 400,
  emptyListStatus: 200,
  tokenPath: DEFAULT_TOKEN_MUTATION.path,
  requires: [],
  rules: [],
};

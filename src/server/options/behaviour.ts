import { DEFAULT_TOKEN_MUTATION } from '../../core/contract/token.ts';

/** The values of the decisions that have a few values. */
export const BEHAVIOUR_CHOICES = {
  /** The shape of a 400 answer (deployments.md, "Responses"). Default: `documented`. */
  errorShape: ['documented', 'nested', 'non_field'],
  /** Whether a failing transaction undoes the ones before it in the same request, or keeps them. Default: `atomic`. */
  tx400: ['atomic', 'prefix'],
  /** The interface names both statuses (interface.md 4.4). Default: 201. */
  statementsStatus: [200, 201],
  /**
   * Status of the answer to notes of an unknown supplier. The interface has 404 (interface.md 4.2, 7.2). 400 is the answer of an
   * operator with a closed list of suppliers. Default: 404.
   */
  unknownSupplierStatus: [404, 400],
  /** Status of the answer while a supplier is Paused or Complete. The interface has an error (interface.md 3.2). Default: 400. */
  pausedStatus: [400, 403],
  /** Status of the answer to a list of a supplier without accounts (interface.md 4.7). Default: 200. */
  emptyListStatus: [200, 404],
} as const;

export type BehaviourChoices = {
  readonly [Name in keyof typeof BEHAVIOUR_CHOICES]: (typeof BEHAVIOUR_CHOICES)[Name][number];
};
export type ErrorShape = BehaviourChoices['errorShape'];
export type Tx400 = BehaviourChoices['tx400'];

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
export interface Behaviour extends BehaviourChoices {
  /**
   * Refuses what the interface does not show: values of open enums, amounts as text, date-times with another offset than `Z`.
   * Default: accepts and counts them.
   */
  readonly strict: boolean;
  /** Drops unlisted fields and counts them. Default: refuses them. */
  readonly lenient: boolean;
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

/** What a rule can be about: one endpoint of the interface, a group of them, or all. */
export const FAULT_TARGETS = [
  'any',
  'records',
  'notes',
  'transactions',
  'statements',
  'payment-instructions',
  'token',
  'status',
  'lists',
] as const;
export type FaultTarget = (typeof FAULT_TARGETS)[number];

/** What a request is to: the targets without the groups. */
export type FaultEndpoint = Exclude<FaultTarget, 'any' | 'records'>;

/**
 * How far a request has come: it is there, and nothing of it is judged; it is judged and nothing of it is stored; it is
 * stored and no byte of the answer has left.
 */
export const FAULT_PHASES = ['accept', 'before-commit', 'after-commit'] as const;
export type FaultPhase = (typeof FAULT_PHASES)[number];

/** Which requests a rule meets. What is left out does not matter. */
export interface Which {
  readonly on: FaultTarget;
  readonly account?: string;
  readonly supplier?: string;
  /** The n-th time that the same payload comes; 1 is the first time. */
  readonly attempt?: number;
  /** Of the requests that match so far: only the n-th. */
  readonly nth?: number;
  /** Every n-th of them. */
  readonly every?: number;
  /** No more hits than this. */
  readonly times?: number;
  /** Probability of a hit, above 0 and up to 1. */
  readonly p?: number;
}

/** An answer that stands in a rule. */
export interface PlannedAnswer {
  readonly status: number;
  /** `json` has the body that the platform gives with this status, unless `body` is there. */
  readonly page: 'json' | 'html' | 'empty';
  readonly body: string | null;
  readonly headers: Readonly<Record<string, string>>;
  /** Seconds from the `Date` of the answer to its `Retry-After`, written as a date; null for none. */
  readonly retryAfterDateSeconds: number | null;
}

/** How the results in an answer are changed. */
export const ITEM_CHANGES = ['missing', 'doubled', 'reordered', 'extra', 'failing'] as const;
export type ItemChange = (typeof ITEM_CHANGES)[number];

/** What a rule does to a request. */
export type Effect =
  | { readonly kind: 'answer'; readonly answer: PlannedAnswer }
  /** TCP RST; after so many bytes of the request (`accept`) or of the body of the answer (`after-commit`). */
  | { readonly kind: 'reset'; readonly bytes: number | null }
  | { readonly kind: 'stall' }
  | { readonly kind: 'crash' }
  | { readonly kind: 'delay'; readonly delayMs: number }
  /** Ends the connection within the body; with `close` no length was announced, so it looks like the end. */
  | { readonly kind: 'truncate'; readonly bytes: number; readonly close: boolean }
  /** `position` counts from 1; null is the last one. */
  | { readonly kind: 'items'; readonly change: ItemChange; readonly position: number | null }
  | { readonly kind: 'swapped' }
  | { readonly kind: 'expire-tokens' }
  | { readonly kind: 'prefix'; readonly records: number; readonly answer: PlannedAnswer };

/** One fault: which requests, when, and what. */
export interface FaultRule {
  /** The rule as `--fault` takes it. */
  readonly text: string;
  readonly which: Which;
  readonly when: FaultPhase;
  readonly effect: Effect;
}

/** Rules in the order in which they are asked; the first one that fires takes the request. */
export interface FaultPlan {
  /** Where chance starts from. */
  readonly seed: number;
  readonly rules: readonly FaultRule[];
}

/**
 * Where a rule is asked. `head` is the phase `accept` before the body is read; a rule that needs the body to decide, or
 * keeps the request for later, is asked when the body is there.
 */
export type Stage = 'head' | FaultPhase;

export function stageOf({ which, when, effect }: FaultRule): Stage {
  return when === 'accept' && !needsBody(which) && effect.kind !== 'delay' ? 'head' : when;
}

/** Whether what decides stands in the body. */
export function needsBody({ account, supplier, attempt, p }: Which): boolean {
  return [account, supplier, attempt, p].some((condition) => condition !== undefined);
}

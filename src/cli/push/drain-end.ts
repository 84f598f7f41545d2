import type { AppError } from '../../core/app-error.ts';
import type { PushEvent } from './events.ts';

/** Why draining ended; `finished` when no batch is open. */
export type DrainEnd =
  | { readonly kind: 'finished' }
  | { readonly kind: 'refused' }
  | { readonly kind: 'interrupted' }
  /** No token is taken, or there is no way to the platform at all: then with what says so. */
  | { readonly kind: 'unauthenticated'; readonly error?: AppError }
  /** `afterMs`: how long the request that was given up had been tried, in milliseconds. */
  | { readonly kind: 'unfinished'; readonly reason: string; readonly afterMs: number }
  /** The platform asks for a longer wait than a run makes, in milliseconds. */
  | { readonly kind: 'asked_to_wait'; readonly reason: string; readonly askedMs: number }
  /** A batch may have been applied and was not to be sent again (`--on-ambiguous stop`). */
  | { readonly kind: 'unresolved'; readonly reason: string }
  /** `--max-duration` is over; in milliseconds. */
  | { readonly kind: 'time_over'; readonly maxDurationMs: number }
  /** More rows were wrong than `--max-errors` lets pass. */
  | { readonly kind: 'too_many_errors'; readonly errors: number; readonly limit: number }
  /** The run file does not take what has to be recorded. */
  | { readonly kind: 'unrecorded'; readonly error: AppError };

type Stopping = Extract<PushEvent, { kind: 'stopping' }>['reason'];

/** What a drain that ends early is told as. */
export const STOPPING: Readonly<Record<Exclude<DrainEnd['kind'], 'finished'>, Stopping>> = {
  refused: 'refused',
  unauthenticated: 'refused',
  too_many_errors: 'refused',
  unfinished: 'unfinished',
  asked_to_wait: 'unfinished',
  unresolved: 'unfinished',
  unrecorded: 'unfinished',
  time_over: 'interrupted',
  interrupted: 'interrupted',
};

import type { Provenance } from '../../core/rules/rule.ts';

/** A rule that is no function of its own, and where it is built instead. */
export interface Decision extends Provenance {
  /** File below `src`. */
  readonly built: string;
}

import type { Authority } from '../error-codes/entry.ts';
import type { Problem } from '../problem.ts';
import type { CalendarDate } from '../values/calendar-date.ts';

/** Where a rule comes from (emulator.md, "Authority of a rule"). */
export interface Provenance {
  readonly name: string;
  readonly authority: Authority;
  /** Document and section. */
  readonly source: string;
  /** The rule in one sentence. */
  readonly says: string;
}

/** What a check needs to know beside the record. */
export interface CheckContext {
  /** Today in the zone of the platform. */
  readonly today: CalendarDate;
}

/** A rule of one record: it lists what is wrong and never throws. */
export type RecordRule<R> = ((record: R, context: CheckContext) => readonly Problem[]) & {
  readonly provenance: Provenance;
};

/** Ties a business rule to its provenance, so that the list of rules cannot drift from the code. */
export function rule<F extends (...args: never[]) => unknown>(
  provenance: Provenance,
  apply: F,
): F & { readonly provenance: Provenance } {
  return Object.assign(apply, { provenance });
}

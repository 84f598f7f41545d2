import type { Authority } from '../error-codes/entry.ts';
import type { ErrorCode } from '../error-codes/table.ts';
import type { Problem } from '../problem.ts';
import type { CalendarDate } from '../values/calendar-date.ts';

/** Where a rule comes from (emulator.md, "Authority of a rule"). */
export interface Provenance {
  readonly name: string;
  readonly authority: Authority;
  /** Document and section. */
  readonly source: string;
  /** What holds, in a sentence or two. */
  readonly says: string;
  /** A test that shows it: file below `test` without its ending, ` › `, title. */
  readonly tested: string;
  /** The codes that tell of it. */
  readonly codes?: readonly ErrorCode[];
}

/** What a check needs to know beside the record. */
export interface CheckContext {
  /** Today in the zone of the platform. */
  readonly today: CalendarDate;
  /** What an open enum takes. Default: what the interface shows, and others with a warning. */
  readonly judge?: EnumJudge;
}

/** What becomes of a value of an open enum, by the name of its field and whether the interface shows the value. */
export type EnumJudge = (field: string, value: string, isShown: boolean) => EnumVerdict;
export type EnumVerdict = 'known' | 'undocumented' | 'refused';

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

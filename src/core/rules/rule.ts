import type { Problem } from '../problem.ts';
import type { CalendarDate } from '../values/calendar-date.ts';

// src/server/parity/rules.json says of each rule where it comes from and which test shows it.

export interface CheckContext {
  /** Today in the time zone of the platform. */
  readonly today: CalendarDate;
  /** Decides about values of open enums. Default: the values of the interface are known, other values get a warning. */
  readonly judge?: EnumJudge;
}

/** Decides about a value of an open enum, by the name of its field and whether the interface shows the value. */
export type EnumJudge = (field: string, value: string, isShown: boolean) => EnumVerdict;
export type EnumVerdict = 'known' | 'undocumented' | 'refused';

/** A rule about one record. It returns the problems and never throws. */
export type RecordRule<R> = (record: R, context: CheckContext) => readonly Problem[];

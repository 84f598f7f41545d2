import type { Severity } from '../../core/problem.ts';
import type { PlatformProblem } from '../../core/validation-error.ts';
import type { RecordReading } from './ports/run.ts';

/** A problem that the answer names, tied to the record it is about; null when it is about the request as a whole. */
export interface PlatformComplaint {
  readonly seq: number | null;
  /** The input in the terms of the request (interface.md 7.1); null when none is named. */
  readonly attr: string | null;
  /** The field inside the record; empty when none is named. */
  readonly problem: PlatformProblem;
  /** Null when no answer came. */
  readonly status: number | null;
  /** An error when left out. */
  readonly severity?: Severity;
}

/**
 * An answer, read (reliability.md, "Reading an answer").
 * `ok`: every record accounted for. `rejected`: at least one refused, and what the answer says of each.
 * `ambiguous`: may have been applied. `not_applied`: surely not, worth another attempt. `too_large`: surely not, worth
 * an attempt with fewer records. `foreign`: not in the words of the platform, so it proves nothing of what was sent.
 */
export type Reading =
  | { readonly kind: 'ok'; readonly records: readonly RecordReading[] }
  | {
      readonly kind: 'rejected';
      readonly records: readonly RecordReading[];
      readonly complaints: readonly PlatformComplaint[];
    }
  | { readonly kind: 'ambiguous'; readonly reason: string }
  | { readonly kind: 'not_applied'; readonly reason: string }
  | { readonly kind: 'too_large'; readonly reason: string }
  | { readonly kind: 'unauthenticated'; readonly complaints: readonly PlatformComplaint[] }
  | { readonly kind: 'foreign'; readonly complaints: readonly PlatformComplaint[] };

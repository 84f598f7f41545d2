import type { Severity } from '../../../core/problem.ts';

/** A problem at the cell that caused it, whoever found it. The JSON documents show it with these very keys (cli.md). */
export interface LocatedProblem {
  /** A code of the table, or the platform's own. */
  readonly code: string;
  readonly severity: Severity;
  readonly file: string;
  /** One-based; null for the file as a whole. */
  readonly line: number | null;
  /** One-based; null when no single column is to blame. */
  readonly column: number | null;
  readonly header: string | null;
  /** The field in the terms of the interface: of the record when we found it, of the request when the platform did. */
  readonly attr: string | null;
  readonly detail: string;
  /** What to do about it; null when the platform's words are all there is. */
  readonly next: string | null;
  /** Status of the answer that named it; null when we found it. */
  readonly http_status: number | null;
}

import type { Severity } from '../../../core/problem.ts';
import type { LocatedProblem, SettledOutcome, UnsentReason } from './report.ts';

/** Accounts that did not finish, listed at most. Their number is always given. */
export const LISTED_UNFINISHED = 50;

/** How an account ended: all, some or none of its records are on the platform. */
export const ACCOUNT_ENDS = ['complete', 'partial', 'none'] as const;
export type AccountEnd = (typeof ACCOUNT_ENDS)[number];

/** The accounts that ended in one way, with their valid records and exact sums. */
export interface AccountGroup {
  readonly end: AccountEnd;
  readonly accounts: number;
  readonly records: number;
  readonly arrived: number;
  /** Null when the records have no amounts. */
  readonly read: string | null;
  readonly accepted: string | null;
}

/** An account with records that are not on the platform, or not proven to be added by us. */
export interface UnfinishedAccount {
  readonly importSupplier: string;
  readonly externalAccountNumber: string;
  /** The first row of a record that did not arrive. */
  readonly file: string;
  readonly line: number;
  readonly records: number;
  readonly arrived: number;
  readonly rejected: number;
  readonly verify: number;
  readonly unknown: number;
  /** Records that have changed or moved since another version brought them there. */
  readonly conflicting: number;
  readonly notSent: number;
  /** The error of the first record that did not arrive; null when the run has none for it. */
  readonly error: LocatedProblem | null;
}

/** Accounts that were not sent for one reason, when `migrate` came to its end. */
export interface UnsentGroup {
  readonly reason: UnsentReason;
  readonly accounts: number;
  /** Their records that were not sent. */
  readonly rows: number;
}

/** Spans of time of a timeline, in milliseconds. Each divides the next one, so timelines of several runs can be added up. */
const BUCKETS_MS = [
  10, 50, 100, 500, 1_000, 5_000, 10_000, 30_000, 60_000, 300_000, 600_000, 1_800_000, 3_600_000, 21_600_000,
  86_400_000,
] as const;

/** Spans of a timeline at most, unless it lasts for months. */
const MOST_BUCKETS = 120;

/** The shortest span with which a time has at most `MOST_BUCKETS`. */
export function bucketFor(lengthMs: number): number {
  return BUCKETS_MS.find((ms) => lengthMs / ms <= MOST_BUCKETS) ?? BUCKETS_MS.at(-1)!;
}

/** Answers that came in one span of time. */
export interface TimelineBucket {
  /** Number of its span since `startMs` of the timeline. */
  readonly at: number;
  readonly outcomes: Readonly<Record<SettledOutcome, number>>;
  /** Attempts that ended without settling anything. */
  readonly failed: number;
}

/** Outcomes and failed attempts by the time of their answers. */
export interface Timeline {
  /** When its first span begins, in milliseconds since 1970; the others are such times, too. */
  readonly startMs: number;
  /** When the first request was sent. */
  readonly firstMs: number;
  readonly endMs: number;
  readonly bucketMs: number;
  readonly buckets: readonly TimelineBucket[];
}

/** Attempts with one status and one result. */
export interface AttemptGroup {
  /** Null when no answer came. */
  readonly status: number | null;
  readonly result: string;
  readonly count: number;
}

/** One attempt of a run. */
export interface SentAttempt {
  readonly id: number;
  readonly batch: number;
  readonly startedAt: string;
  readonly endedAt: string | null;
  readonly status: number | null;
  readonly result: string | null;
}

/** A run in figures, counted by the database. */
export interface RunMeasures {
  readonly accountGroups: readonly AccountGroup[];
  /** The first `LISTED_UNFINISHED`, in file order. */
  readonly unfinished: readonly UnfinishedAccount[];
  readonly unfinishedTotal: number;
  readonly unsent: readonly UnsentGroup[];
  /** Null when nothing was sent. */
  readonly timeline: Timeline | null;
  /** How often each time from request to answer occurred, in whole milliseconds, the shortest first. */
  readonly answerTimes: readonly (readonly [ms: number, count: number])[];
  readonly attempts: readonly AttemptGroup[];
  /** How many requests took how many attempts. */
  readonly attemptsOfRequests: readonly (readonly [attempts: number, requests: number])[];
  /** Requests that may have been applied although no answer said so, at any time of the run. */
  readonly doubted: number;
  /** Requests that were cut into smaller ones. */
  readonly cut: number;
  readonly problemGroups: readonly MeasuredProblem[];
  /** The codes of the suppliers whose accounts have records. */
  readonly suppliers: readonly string[];
  /** The rows that are no valid records, those whose amounts can be read, and the exact sum of these; null when there is none. */
  readonly invalidRows: Readonly<{ rows: number; readable: number; sum: string | null }>;
  readonly decisions: readonly Decision[];
}

/** An event of the run in which a person overruled it, or in which a ledger settled rows. */
export interface Decision {
  readonly at: string;
  readonly by: string | null;
  /** `again`: every record was planned again (`--again`). */
  readonly kind: 'arrived' | 'missing' | 'again';
  /** The ledger that proved the rows; null for the word of a person. */
  readonly ledger: string | null;
  readonly rows: number;
}

/** Problems of one code, file and column. */
export interface MeasuredProblem {
  readonly severity: Severity;
  readonly count: number;
  /** Records with the problem. The refusal of a request is one problem of all its records. */
  readonly records: number;
  readonly first: LocatedProblem;
  readonly lines: readonly number[];
}

import type { AccountKey } from '../../../core/contract/account.ts';
import type { QueryFlag } from '../../../core/contract/descriptor.ts';
import type { ErrorCode } from '../../../core/error-codes/table.ts';
import type { Facts } from '../../../core/problem.ts';
import type { RecordPart } from '../../mapping/column-map.ts';
import type { AnsweredProblem, SettledOutcome } from './report.ts';

/** The contract of an operator under which the records of a run were checked. */
export interface RunContract {
  /** Title and version of the document of the operator. */
  readonly name: string;
  /** Of everything that requests depend on. */
  readonly sha256: string;
  /** Whether requests have to say `dry_run: false`. */
  readonly saysDryRun: boolean;
  /** The query parameters that every request says. Missing where only those leave that are not as by default. */
  readonly saysQuery?: readonly QueryFlag[];
  /** Whether the operator removes blanks at both ends of texts. Missing where it does not. */
  readonly trims?: true;
  /** Whether the platform keeps a record that is sent a second time: its rules refuse none. Missing where nobody knows. */
  readonly keepsSecond?: true;
  /** SHA-256 of the bytes of the file. */
  readonly fileSha256: string;
}

/** The user's options for the requests of a run (interface.md 4.3). */
export interface RequestOptions {
  readonly checkPreviouslyAdded: boolean;
  readonly forceAddToCurrentStatement: boolean;
  /** Missing for the interface alone. */
  readonly contract?: RunContract;
}

/** Whether a rejected record ends the run, or is set aside. */
export const ON_REJECT = ['stop', 'skip'] as const;
export type OnReject = (typeof ON_REJECT)[number];

/** One of several processes that share the accounts of a file without talking to each other (`--shard 2/4`). */
export interface Shard {
  /** From 1 to `count`. */
  readonly index: number;
  readonly count: number;
}

/** A shard as it is typed: `2/4`. */
export function shardText({ index, count }: Shard): string {
  return `${index}/${count}`;
}

/** Flags that decide which rows of the sources belong to a run, and what its records contain. */
export interface RunSelection {
  readonly shard?: Shard;
  readonly maxRecords?: number;
  /** The supplier of records whose mapping names none. */
  readonly supplier?: string;
}

/** The user's options for a whole run. They are recorded with the run. */
export type RunOptions = RequestOptions & { readonly selection: RunSelection };

export interface RunCohort {
  readonly name: string;
  /** The cohort file as it was typed. */
  readonly file: string;
  /** The place of the resource in the order of the cohort file, from 1. */
  readonly place: number;
  /** Whether later resources of an account are sent although an earlier record of it failed. */
  readonly continuesAfterFailure: boolean;
  /** How long accounts that are not imported are waited for, in milliseconds. */
  readonly waitMs: number;
}

/** Whether a record that the platform refuses because it has it counts as there, although nobody has compared it. */
export const ON_EXISTING = ['reject', 'accept'] as const;
export type OnExisting = (typeof ON_EXISTING)[number];

/** The choices of the last command about a run. They do not change what is sent. */
export interface RunChoice {
  readonly onReject: OnReject;
  readonly onExisting: OnExisting;
  /** Whether valid rows are sent although others are invalid (`--skip-invalid`). */
  readonly skipInvalid: boolean;
  /** The cohort that the run belongs to; missing for a run of its own. */
  readonly cohort?: RunCohort;
  /** The command that last sent the files, as words. */
  readonly words: readonly string[];
  /** Login name of the user who typed the command; missing where it is not known. */
  readonly user?: string;
}

/** A record as the journal keeps it until it is sent. */
export interface BatchRecord {
  /** Number of its row within the run, from 1. */
  readonly seq: number;
  /** The source of its row, counted from 1, and the first physical line there. */
  readonly source: number;
  readonly line: number;
  /** Items of its lists that come from other rows or files. */
  readonly parts: readonly RecordPart[];
  /** The id by which the platform's answers name it: transaction id, statement id, reference; null for notes. */
  readonly id: string | null;
  /** JSON text of the record, sent unchanged. */
  readonly payload: string;
  /** Whether the record arrived before it was planned again (`--again`). A record to verify did not. Default: false. */
  readonly wasThere?: boolean;
}

/** SHA-256 of a request and of its answer, as hexadecimal digits, for the chain of the run (docs/chain.md). */
export interface Exchange {
  readonly request: string;
  /** Null when no whole answer came. */
  readonly answer: string | null;
}

/** Records of one account that travel in one request. */
export interface Batch {
  readonly id: number;
  readonly account: AccountKey;
  readonly records: readonly BatchRecord[];
  /** Number of the attempt that is about to be made, from 1. */
  readonly attempt: number;
  /** Whether an earlier attempt may have been applied, wholly or in part. */
  readonly inDoubt: boolean;
  /** Why the platform may have the records: an attempt failed with 500, or one had no answer of the interface or stored them. */
  readonly mayRepeat?: 'failed' | 'unanswered' | undefined;
  /** Whether it was cut from an earlier request. Default: false. */
  readonly isPart?: boolean;
  /** The request of this attempt, once it was sent. */
  readonly exchange?: Exchange | undefined;
  /** The run of a cohort that the batch belongs to, from 0; left out where one run is sent. */
  readonly part?: number;
}

/** What an answer shows of a record, beside its outcome. */
export interface Finding {
  readonly code: ErrorCode;
  /** Null for the record as a whole. */
  readonly field: string | null;
  /** Default: error. The outcome is then `verify`. */
  readonly severity?: 'warning';
  /** The values as text, for `--show-values`, where they differ; empty when none was sent. */
  readonly values?: { readonly sent: string; readonly answered: string };
  /** The facts of its sentence, where it has any. */
  readonly facts?: Facts;
}

/** A row of another account with the id of a record. `isCreated`: its request created the id; otherwise it may have. */
export type SameId = { readonly file: string; readonly line: number; readonly isCreated: boolean };

/** A record of a batch and the outcome that an answer settled; null when the answer settled none. */
export interface RecordResult {
  readonly seq: number;
  readonly outcome: SettledOutcome | null;
  /** The amount that the answer names, as plain decimal text; left out when it names none. */
  readonly amount?: string;
  /** The platform's words about a record that it refused inside an answer of success; left out when it gives none. */
  readonly reason?: string;
  /** Left out when the answer shows nothing else. */
  readonly found?: readonly Finding[];
}

/** How one attempt ended that settled nothing. */
export type FailedAttempt = { readonly status: number | null; readonly reason: string } & (
  | { readonly kind: 'not_applied' }
  /** `problems`: reported for its records until they are sent again. */
  | { readonly kind: 'ambiguous'; readonly problems?: readonly AnsweredProblem[] }
  /** The platform refused the request as a whole; `inDoubt` when it may have kept some of the records. */
  | { readonly kind: 'refused'; readonly inDoubt: boolean }
);

/** Everything that an answer settles. */
export interface Settlement {
  /** Null when nothing was sent. */
  readonly status: number | null;
  readonly records: readonly RecordResult[];
  /** `rejected`: the batch waits for the next command. `again`: its unsettled records are sent next. */
  readonly state: 'done' | 'rejected' | 'again';
  readonly problems: readonly AnsweredProblem[];
  /** Whether the platform may have kept records of the batch that the answer did not settle. */
  readonly inDoubt: boolean;
}

/**
 * Operations that draining needs of the journal. Operations of one turn of the event loop share a commit, and each is on disk
 * when its promise resolves.
 * @throws AppError `run_write_failed` when the disk does not take it. The operation has then changed nothing.
 */
export interface DrainRun {
  /** The first account after `after` that has an open batch; accounts count up in the order of the file. */
  nextAccount(after: number): number | undefined;
  /**
   * Marks the account's next open batch as sent, one in doubt first. Where records in doubt are sent one by one, a batch in doubt is
   * cut into single records before. Undefined when the account has none, or when `isWanted`, which is asked right
   * before the commit, says so.
   */
  claimNext(accountId: number, isWanted?: () => boolean): Promise<Batch | undefined>;
  /** Marks another attempt at a claimed batch. */
  claimAgain(batch: Batch): Promise<Batch>;
  /** Records an attempt that settled nothing. The batch stays sent when the attempt may have been applied. */
  fail(batch: Batch, attempt: FailedAttempt): Promise<void>;
  /** Records a settlement and, when `claimsNext` says so right before the commit, claims the account's next batch with it. */
  settle(batch: Batch, settlement: Settlement, claimsNext?: () => boolean): Promise<Batch | undefined>;
  /**
   * For each of some records that the platform has by its own account: the row of another account that may be why, because a platform may
   * keep an id once for all accounts. A record that arrived before has none, and so has an id that was created on two other accounts.
   */
  sameIdElsewhere(batch: Batch, seqs: readonly number[]): Promise<ReadonlyMap<number, SameId>>;
  /** Records an attempt that failed as a whole, and cuts the batch into two halves. */
  splitInHalves(batch: Batch, attempt: FailedAttempt): Promise<void>;
}

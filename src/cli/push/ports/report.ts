import { AppError } from '../../../core/app-error.ts';
import type { Resource } from '../../../core/contract/resources.ts';
import type { ErrorCode } from '../../../core/error-codes/table.ts';
import type { Facts, Severity } from '../../../core/problem.ts';
import { total } from '../../../core/values/counts.ts';
import { isSameMoney } from '../../../core/values/decimal.ts';
import type { ItemCell } from '../../csv/source-row.ts';

/** A cell, a line or a whole file, for people. */
export type CellLocation = ItemCell & { readonly file: string };

/** A problem at the cell that caused it. The JSON documents have these very keys. */
export interface LocatedProblem extends CellLocation {
  /** A code of the table, or the platform's own. */
  readonly code: string;
  readonly severity: Severity;
  /** The field in the terms of the interface: of the record when we found the problem, of the request when the platform did. */
  readonly attr: string | null;
  readonly detail: string;
  /** The next step; null when only the platform's words are known. */
  readonly next: string | null;
  /** Status of the answer that named the problem; null when we found it. */
  readonly http_status: number | null;
}

/** A problem that an answer names. Texts of the platform and values of cells are kept apart from it. */
export interface AnsweredProblem extends LocatedProblem {
  /** The same problem as `--show-values` shows it; left out when nothing is hidden. */
  readonly withValues?: LocatedProblem;
}

/** Whether a report shows texts that may contain values of cells, and the command that does. */
export interface ReportView {
  readonly showValues: boolean;
  /** Null where no command is to be named. */
  readonly command: string | null;
}

/** A view without hidden texts. */
export const HIDING: ReportView = { showValues: false, command: null };

/**
 * How a valid record ended. Every record starts as `not_sent`.
 *
 *     created      on the platform, and the answer says that we added it
 *     existing     on the platform before, and the answer repeats it
 *     uncompared   on the platform before, by a refusal that repeats nothing (`--on-existing accept`)
 *     confirmed    on the platform, by the word of a person who has compared it
 *     sent_before  on the platform, because another version of the file or another file brought an equal record there
 *     verify       on the platform, but nothing proves that it is ours or equal
 *     rejected     refused by the platform
 *     unknown      sent, and no answer says whether it was applied
 *     changed      on the platform with other content, which another version brought there
 *     moved        on the platform on another account, where another version brought it
 */
const ROW_OUTCOMES = [
  'created',
  'existing',
  'uncompared',
  'confirmed',
  'sent_before',
  'verify',
  'rejected',
  'unknown',
  'not_sent',
] as const;
export type RowOutcome = (typeof ROW_OUTCOMES)[number];

/** With those that count as invalid rows, because only the operator of the platform can change a stored record. */
export const RECORD_OUTCOMES = [...ROW_OUTCOMES, 'changed', 'moved'] as const;
export type RecordOutcome = (typeof RECORD_OUTCOMES)[number];

/** Outcomes of records that are on the platform as the file has them. */
export const ARRIVED = ['created', 'existing', 'uncompared', 'confirmed', 'sent_before'] as const;

/** Outcomes that an answer can settle. */
export type SettledOutcome = 'created' | 'existing' | 'uncompared' | 'verify' | 'rejected';

/** How many rows ended in each way; the counts add up to `read`. */
export type RowCounts = Readonly<Record<'read' | RowOutcome | 'invalid' | 'filtered', number>>;

/** No row. */
export const NO_ROWS = Object.fromEntries(
  ['read', ...ROW_OUTCOMES, 'invalid', 'filtered'].map((outcome) => [outcome, 0]),
) as RowCounts;

/** The rows of records that are on the platform. */
export const arrivedRows = (rows: RowCounts): number => total(ARRIVED, (outcome) => rows[outcome]);

/** Whether every row that was read is counted exactly once. */
export function addsUp(rows: RowCounts): boolean {
  const { read, ...ends } = rows;
  return read === total(Object.values(ends), (count) => count);
}

/** The error of totals that do not add up. */
export const totalsUnequal = (of: string, detail: string): AppError =>
  new AppError('record_differs', {
    what: `the totals of ${of} do not add up: ${detail}`,
    todo: 'Do not go on; compare the run with the platform.',
  });

/** The bytes of a row of a source. */
export type RowBytes = { readonly start: number; readonly end: number };

/** Lines that a group of problems lists at most. */
export const LINES_OF_GROUP = 5;

/** Problems of one code, one file and one column. Warnings have one text, whatever its numbers. */
export interface ProblemGroup {
  readonly count: number;
  /** The first problem of the group, in file order. */
  readonly first: LocatedProblem;
  /** The first `LINES_OF_GROUP` lines of the group, each once. */
  readonly lines: readonly number[];
}

/** Counts and exact sums of one type of record: as read, and as created or already there. */
export interface ControlTotal {
  /** Transaction type; null when the resource has no types. */
  readonly type: string | null;
  /** Always null: the interface names no currency. */
  readonly currency: null;
  /** Valid records read. */
  readonly count: number;
  /** Exact sum of their amounts as decimal text; null when the resource has no amounts. */
  readonly read: string | null;
  /** The same sum over the records that are created or existing. */
  readonly accepted: string | null;
}

/**
 * What leaves a row out: an entry of `filter`, the query of the mapping, a part of the report's pages, `--max-records` or `--shard`; for
 * `verify` a corrected copy in another file, too.
 */
export const LEFT_OUT_KINDS = [
  'filter',
  'query',
  'repeated_header',
  'page_line',
  'window',
  'shard',
  'corrected',
] as const;
export type LeftOutKind = (typeof LEFT_OUT_KINDS)[number];

/** The codes that say why the records of an account were not sent although `migrate` came to its end. */
export const UNSENT_REASONS = [
  'account_not_imported',
  'account_not_asked',
  'account_import_failed',
  'earlier_resource_failed',
  'earlier_record_unsettled',
] as const satisfies readonly ErrorCode[];
export type UnsentReason = (typeof UNSENT_REASONS)[number];
/** Accounts of one such reason, and their records that were not sent. */
export type UnsentGroup = Readonly<{ reason: UnsentReason; accounts: number; rows: number }>;

/** Why rows are left out: by what, and the place in the mapping file, such as `x.csv.map.yaml:31:5`; empty for others. */
export type LeftOutCause = Readonly<{ kind: LeftOutKind; place: string }>;
export type LeftOut = LeftOutCause & { readonly count: number };

/** The head of the chain of a run (docs/chain.md): 64 hexadecimal digits, and the number of links. */
export type ChainHead = { readonly head: string; readonly links: number };

/** The state of a run, as its journal reports it. */
export interface RunReport {
  readonly run: string;
  readonly resource: Resource;
  readonly rows: RowCounts;
  /** Rows of `rows.invalid` whose record has arrived with other values, or on another account. */
  readonly changed: number;
  readonly requests: {
    readonly total: number;
    /** Attempts after the first one of a batch. An attempt of which no byte left does not count. */
    readonly retried: number;
    /** By HTTP status; `lost` and `not_sent` where no answer came. */
    readonly byStatus: Readonly<Record<string, number>>;
  };
  readonly chain: ChainHead;
  readonly accounts: { readonly total: number; readonly done: number; readonly stopped: number };
  readonly controlTotals: readonly ControlTotal[];
  /** The counts add up to `rows.filtered`. */
  readonly leftOut: readonly LeftOut[];
  /** `LISTED_PROBLEMS` at most: errors before warnings, in file order, at least one of each code. `problemsTotal` counts all. */
  readonly problems: readonly LocatedProblem[];
  readonly problemsTotal: number;
  readonly errorsTotal: number;
  /** All errors and all warnings in groups, the largest group first. */
  readonly errorGroups: readonly ProblemGroup[];
  readonly warningGroups: readonly ProblemGroup[];
}

/**
 * The control totals whose accepted sum is not the sum that was read, although every record that was read is on the platform.
 * Empty while a record is missing, because the sums differ then.
 */
export function unequalTotals(report: Pick<RunReport, 'rows' | 'controlTotals'>): readonly ControlTotal[] {
  const { rows, controlTotals } = report;
  if (arrivedRows(rows) !== total(controlTotals, ({ count }) => count)) return [];
  return controlTotals.filter(({ read, accepted }) => read !== null && !isSameMoney(read, accepted ?? '0'));
}

/** How the last command that sent a run ended, when something was left to do. */
export interface RunEnd {
  /** Name of the exit code (docs/exit-codes.md). */
  readonly exit: string;
  readonly reason: EndReason | null;
  /** When the platform last said that accounts are not imported; left out when none is. */
  readonly asked?: string;
}

/** The cause of a run's end, when the problems of its rows do not say it. */
export type EndReason = { readonly code: ErrorCode; readonly facts: Facts };

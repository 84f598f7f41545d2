import { AppError } from '../../core/app-error.ts';
import { DESCRIPTORS } from '../../core/contract/resources.ts';
import { sentenceOf } from '../../core/error-codes/sentence.ts';
import { addedByName, total } from '../../core/values/counts.ts';
import { instantOfClock } from '../../core/values/instant.ts';
import { EXITS, type ExitName } from '../exit-codes.ts';
import {
  LISTED_GROUPS,
  type MigrationReport,
  type ReportedRun,
  type ReportPart,
  type ReportRows,
} from '../output/report/migration-report.ts';
import type { MeasuredProblem, UnfinishedAccount } from '../push/ports/measures.ts';
import { addsUp, unequalTotals, type RowCounts } from '../push/ports/report.ts';
import {
  addedAccountGroups,
  addedAttempts,
  addedCounts,
  addedProblems,
  addedTimelines,
  addedUnfinished,
  addedUnsent,
} from './added-measures.ts';
import {
  measuredFiles,
  withRetries,
  type MeasuredFile,
  type MeasuredRun,
  type MeasuringChoice,
} from './measured-runs.ts';
import { mergedTotals } from './merge.ts';
import {
  actorOf,
  leftByRun,
  UNSENT_STEPS,
  stepsOf,
  stepsOfCohorts,
  stepsOfInvalidRows,
  takePassedOn,
} from './report-steps.ts';
import { answerOf, type JudgedRows } from './report-answer.ts';
import { answerTimeFigures, sendingOf, timelineDocument } from './report-sending.ts';

/** When and by which version a report is made. */
interface Making extends MeasuringChoice {
  readonly nowMs: number;
  readonly version: string;
}

/**
 * The report of the typed runs: ids, run files or folders.
 * @throws AppError those of `measuredFiles`, and `totals_unequal` when rows of a run are lost or counted twice
 */
export function migrationReportOf(typed: readonly string[], choice: Making): MigrationReport {
  const { files, notes } = measuredFiles(typed, choice);
  return reportOfFiles(files, choice, notes);
}

/** The report of runs that are measured already. @throws AppError `totals_unequal` */
export function reportOfFiles(
  files: readonly MeasuredFile[],
  choice: Making,
  notes: readonly string[] = [],
): MigrationReport {
  if (files.length === 0) throw new AppError('usage', { reason: 'no run is there', command: 'report' });
  const runs = files.flatMap((file) => file.runs.flatMap(withRetries));
  const parts = files.map((file) => partOf(file, choice));
  const rows = addedByName(parts.map((part) => part.rows));
  // A cohort is continued once its refused records are sent again.
  const toDo = [...files.flatMap(stepsOf), ...stepsOfCohorts(files), ...files.flatMap(stepsOfInvalidRows)];
  const timeline = addedTimelines(
    runs.flatMap(({ measures }) => (measures.timeline === null ? [] : [measures.timeline])),
  );
  const judged = total(runs, ({ report }) => report.judged);
  const exit = exitOf(runs, parts, { rows, judged });
  return {
    version: 1,
    exit: {
      code: EXITS[exit].code,
      name: EXITS[exit].name,
      resumable: runs.some(({ condition }) => condition === 'open'),
    },
    made_at: instantOfClock(choice.nowMs),
    tool_version: choice.version,
    answer: { ...answerOf({ rows, judged }, parts), to_do: toDo },
    rows,
    parts,
    requests: requestsOf(runs),
    sending: timeline && sendingOf(timeline, rows),
    timeline: timeline && timelineDocument(timeline),
    latency: answerTimeFigures(addedCounts(runs.map(({ measures }) => measures.answerTimes))),
    notes: [...notes, ...notesOf(runs)],
    signature: null,
  };
}

function partOf({ runs: ownRuns, rows: ownRows, leftOut }: MeasuredFile, { showValues }: Making): ReportPart {
  const runs = ownRuns.flatMap(withRetries);
  const [{ header }] = runs as [MeasuredRun, ...MeasuredRun[]];
  const rows = rowsWithRetries(ownRows, ownRuns);
  const controlTotals = mergedTotals(runs.flatMap(({ measures }) => measures.controlTotals)).map((each) => ({
    ...each,
  }));
  const groups = addedProblems(
    runs.map(({ measures }) => measures.problemGroups),
    ownRuns.length,
  );
  const unfinished = ownRuns.map(({ measures }) => measures);
  return {
    resource: header.resource,
    amount_unit: DESCRIPTORS[header.resource].amount?.unit ?? null,
    runs: runs.map(reportedRun),
    rows,
    totals_equal: unequalTotals({ rows, controlTotals }).length === 0,
    control_totals: controlTotals,
    account_groups: addedAccountGroups(unfinished.flatMap(({ accountGroups }) => accountGroups)).map(
      (group) => ({ ...group }),
    ),
    unfinished_accounts: addedUnfinished(unfinished).map((account) => ({
      file: account.file,
      line: account.line,
      import_supplier: showValues ? account.importSupplier : null,
      external_account_number: showValues ? account.externalAccountNumber : null,
      records: account.records,
      arrived: account.arrived,
      rejected: account.rejected,
      verify: account.verify,
      unknown: account.unknown,
      not_sent: account.notSent,
      code: account.error?.code ?? null,
      why: account.error?.detail ?? withoutError(account),
    })),
    unfinished_accounts_total: total(unfinished, ({ unfinishedTotal }) => unfinishedTotal),
    unsent_accounts: addedUnsent(unfinished.flatMap(({ unsent }) => unsent)).map((group) => ({
      ...group,
      ...UNSENT_STEPS[group.reason],
    })),
    left_out: leftOut.map(({ kind, place, count }) => ({
      reason: kind,
      place: place === '' ? null : place,
      count,
    })),
    groups: groups.slice(0, LISTED_GROUPS).map(groupDocument),
    groups_total: groups.length,
    problems_total: total(groups, ({ count }) => count),
  };
}

/** Why a record of an account did not arrive of which the run has no error. */
function withoutError({ rejected, unknown, verify }: UnfinishedAccount): string {
  if (rejected > 0) return 'refused by the platform';
  if (unknown > 0) return 'sent, and no answer says whether it was applied';
  return verify > 0 ? 'on the platform, to be compared by a person' : 'the command ended before its turn';
}

function groupDocument({ severity, count, first, lines }: MeasuredProblem): ReportPart['groups'][number] {
  const { code, file, header, detail, next } = first;
  return { code, severity, file, header, count, first_lines: [...lines], detail, next, who: actorOf(first) };
}

function reportedRun({ header, condition, report, ending, endReason, ...run }: MeasuredRun): ReportedRun {
  const { options, sources, inputs } = header;
  const { contract, selection = {} } = options;
  const files = (listed: typeof inputs) => listed.map(({ name, bytes, sha256 }) => ({ name, bytes, sha256 }));
  const { shard, ...selected } = selection;
  return {
    run: header.id,
    parent: header.parent,
    shard: shard ? `${shard.index}/${shard.count}` : null,
    state: condition === 'never_staged' ? 'not_kept' : condition,
    begun_at: header.createdAt,
    target: withoutSecrets(header.target),
    tool_version: header.toolVersion,
    content_sha256: header.contentSha256,
    sources: files(sources),
    inputs: files(inputs),
    contract: contract ? { name: contract.name, sha256: contract.sha256 } : null,
    options: {
      check_previously_added: options.checkPreviouslyAdded,
      force_add_to_current_statement: options.forceAddToCurrentStatement,
      on_reject: options.onReject,
      on_ambiguous: options.onAmbiguous,
      ...(selected.skipRecords !== undefined && { skip_records: selected.skipRecords }),
      ...(selected.maxRecords !== undefined && { max_records: selected.maxRecords }),
      ...(selected.supplier !== undefined && { supplier: selected.supplier }),
    },
    exit: { code: EXITS[ending.exit].code, name: EXITS[ending.exit].name },
    end_reason: endReason && { code: endReason.code, detail: sentenceOf(endReason.code, endReason.facts) },
    rows: { ...leftByRun({ report, measures: run.measures }) },
    chain_head: report.chain.head,
    chain_links: report.chain.links,
  };
}

/** The address of a platform, without what may be a secret. */
function withoutSecrets(target: string): string {
  if (!URL.canParse(target)) return '';
  const { origin, pathname } = new URL(target);
  return origin + (pathname === '/' ? '' : pathname);
}

/** Each row once: a row that a retry took over as the retry left it. @throws AppError `totals_unequal` */
function rowsWithRetries(own: RowCounts, runs: readonly MeasuredRun[]): ReportRows {
  const retries = runs.flatMap((run) => run.retries.flatMap(withRetries));
  const rows = addedByName([own, ...retries.map(({ report }) => report.rows)]);
  for (const { measures } of runs.flatMap(withRetries)) takePassedOn(measures, rows);
  if (addsUp(rows) && rows.read === own.read) return rows;
  const what = `the run ${runs[0]!.header.id} with its retries`;
  throw new AppError('totals_unequal', { what, detail: JSON.stringify(rows) });
}

/** How a report ends: as the run that is furthest from done, and like `verify` when sums differ. */
function exitOf(
  runs: readonly MeasuredRun[],
  parts: readonly ReportPart[],
  { rows, judged }: JudgedRows,
): ExitName {
  const open = runs.find(({ condition }) => condition !== 'done');
  if (open) return open.ending.exit;
  if (parts.some((part) => !part.totals_equal)) return 'UNRECONCILED';
  const { rejected, verify, unknown, not_sent, invalid } = rows;
  return rejected + (verify - judged) + unknown + not_sent + invalid === 0 ? 'OK' : 'PARTIAL';
}

function requestsOf(runs: readonly MeasuredRun[]): MigrationReport['requests'] {
  const byStatus: Record<string, number> = {};
  const all = { total: 0, retried: 0, doubted: 0, cut: 0 };
  for (const { report, measures } of runs) {
    all.total += report.requests.total;
    all.retried += report.requests.retried;
    all.doubted += measures.doubted;
    all.cut += measures.cut;
    for (const [status, count] of Object.entries(report.requests.byStatus))
      byStatus[status] = (byStatus[status] ?? 0) + count;
  }
  const { total, retried, doubted, cut } = all;
  return {
    total,
    retried,
    by_status: byStatus,
    by_attempts: addedCounts(runs.map(({ measures }) => measures.attemptsOfRequests)).map(
      ([attempts, requests]) => ({ attempts, requests }),
    ),
    results: addedAttempts(runs.flatMap(({ measures }) => measures.attempts)).map((group) => ({ ...group })),
    doubted,
    cut,
  };
}

function notesOf(runs: readonly MeasuredRun[]): string[] {
  return runs.flatMap(({ header, missing, retries }) => [
    ...missing.map(
      (id) =>
        `The retry ${id} took records over from ${header.id}. Its run file is not in the folder, so they are counted as before it.`,
    ),
    ...retries.map(
      (retry) =>
        `Records that ${retry.header.id} took over from ${header.id} are counted as the retry left them.`,
    ),
  ]);
}

import type { FoundReading } from '../journal/found-readings.ts';
import { DESCRIPTORS } from '../../core/contract/resources.ts';
import { sentenceOf } from '../../core/error-codes/sentence.ts';
import { addedByName, total } from '../../core/values/counts.ts';
import { instantOfClock } from '../../core/values/instant.ts';
import { exitDocument } from '../output/json.ts';
import {
  LISTED_GROUPS,
  type MigrationReport,
  type ReportedRun,
  type ReportPart,
} from './page/migration-report.ts';
import type { Decision, UnfinishedAccount } from '../push/ports/measures.ts';
import { unequalTotals } from '../push/ports/report.ts';
import { addedProblems, addedTotals, addedUnfinished, addedUnsent } from './added-measures.ts';
import { measuredFiles, type MeasuredFile, type MeasuredRun, type MeasuringChoice } from './measured-runs.ts';
import { answerOf } from './report-answer.ts';
import { actorOf, endReasonOf, reportSteps } from './report-steps.ts';
import { comparedOf, comparingSteps, withoutUnread, type ComparedFiles } from './compared-resources.ts';
import { groupDocument, leftOutDocument } from '../output/run/run-document.ts';
import { counted } from '../output/text/text.ts';

/** When and by which version a report is made, and what a comparison of its files has found. */
type Making = MeasuringChoice & {
  readonly compared: readonly ComparedFiles[];
  /** Whether a person has said that the accounts had records before. */
  readonly allowsOthers: boolean;
  readonly nowMs: number;
  readonly version: string;
};

/**
 * The report of readings.
 * @throws AppError those of `measuredFiles`, and `totals_unequal` when rows of a run are lost or counted twice
 */
export function migrationReportOf(
  { readings, notes }: { readonly readings: readonly FoundReading[]; readonly notes: readonly string[] },
  choice: Making,
): MigrationReport {
  const files = measuredFiles(readings, choice);
  const runs = files.flatMap((file) => file.runs);
  const rows = addedByName(files.map((file) => file.rows));
  const compared = withoutUnread(choice.compared, rows);
  const parts = files.map((file) => partOf(file, { ...choice, compared }));
  const unsent = compared.flatMap(({ resource, run }) =>
    run === null && parts.every((part) => part.resource !== resource) ? resource : [],
  );
  const toDo = [...comparingSteps(parts, unsent, compared), ...reportSteps(files)];
  const endings = runs.map(({ ending }) => ending);
  const { exit, answer } = answerOf({ rows, parts, unsent, endings });
  return {
    version: 1,
    exit: { ...exitDocument(exit), resumable: runs.some(({ condition }) => condition === 'open') },
    made_at: instantOfClock(choice.nowMs),
    tool_version: choice.version,
    answer: { ...answer, to_do: toDo },
    rows,
    parts,
    unsent_resources: unsent,
    sending: sendingOf(runs),
    notes,
  };
}

function partOf(
  { runs, rows, leftOut }: MeasuredFile,
  { showValues, compared, allowsOthers }: Making,
): ReportPart {
  const [{ header }] = runs as readonly [MeasuredRun];
  const controlTotals = addedTotals(runs.flatMap(({ report }) => report.controlTotals));
  const groups = addedProblems(
    runs.map(({ report }) => [...report.errorGroups, ...report.warningGroups]),
    runs.length,
  );
  const unfinished = runs.map(({ measures }) => measures);
  const reported = runs.map(reportedRun);
  const found = comparedOf({ resource: header.resource, runs: reported }, compared);
  return {
    resource: header.resource,
    amount_unit: DESCRIPTORS[header.resource].amount?.unit ?? null,
    suppliers: [...new Set(runs.flatMap(({ suppliers }) => suppliers))].toSorted(),
    decisions: decisionsOf(runs, allowsOthers),
    runs: reported,
    rows,
    compared: found ? { with: found.with, differences: found.differences } : null,
    totals_equal: unequalTotals({ rows, controlTotals }).length === 0,
    control_totals: controlTotals,
    accounts_total: total(unfinished, ({ accounts }) => accounts),
    unfinished_accounts: addedUnfinished(unfinished).map(({ error, ...account }) => ({
      ...account,
      import_supplier: showValues ? account.import_supplier : null,
      external_account_number: showValues ? account.external_account_number : null,
      code: error?.code ?? null,
      why: error?.detail ?? withoutError(account),
    })),
    unfinished_accounts_total: total(unfinished, ({ unfinishedTotal }) => unfinishedTotal),
    unsent_accounts: addedUnsent(unfinished.flatMap(({ unsent }) => unsent)),
    left_out: leftOut.map(leftOutDocument),
    groups: groups.slice(0, LISTED_GROUPS).map((group) => {
      const { detail, next } = group.first;
      return { ...groupDocument(group), detail, next, who: actorOf(group.first) };
    }),
    groups_total: groups.length,
    problems_total: total(groups, ({ count }) => count),
  };
}

/** Why a record of an account did not arrive of which the run has no error. */
function withoutError({ rejected, unknown, verify }: Omit<UnfinishedAccount, 'error'>): string {
  if (rejected > 0) return 'refused by the platform';
  if (unknown > 0) return 'sent, and no answer says whether it was applied';
  return verify > 0 ? 'on the platform, to be compared by hand' : 'the command ended before its turn';
}

function reportedRun(run: MeasuredRun): ReportedRun {
  const { header, condition, report, ending, choice } = run;
  const endReason = endReasonOf(run);
  const { options, sources, inputs } = header;
  const { contract, selection } = options;
  const files = (listed: typeof inputs) => listed.map(({ name, bytes, sha256 }) => ({ name, bytes, sha256 }));
  const { shard, ...selected } = selection;
  return {
    run: header.id,
    shard: shard ? `${shard.index}/${shard.count}` : null,
    state: condition === 'never_staged' ? 'not_kept' : condition,
    begun_at: header.createdAt,
    target: withoutSecrets(header.target),
    run_by: choice.user ?? null,
    platform_name: choice.profile ?? null,
    rejects_files: run.rejectsFiles,
    tool_version: header.toolVersion,
    sources: files(sources),
    inputs: files(inputs),
    contract: contract ? { name: contract.name, sha256: contract.sha256 } : null,
    options: {
      check_previously_added: options.checkPreviouslyAdded,
      force_add_to_current_statement: options.forceAddToCurrentStatement,
      on_reject: choice.onReject,
      on_existing: choice.onExisting,
      ...(selected.maxRecords !== undefined && { max_records: selected.maxRecords }),
      ...(selected.supplier !== undefined && { supplier: selected.supplier }),
    },
    exit: exitDocument(ending.exit),
    end_reason: endReason && { code: endReason.code, detail: sentenceOf(endReason.code, endReason.facts) },
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

/** When the first request was sent, and when the last answer came; null when nothing was sent. */
function sendingOf(runs: readonly MeasuredRun[]): MigrationReport['sending'] {
  const times = (end: 'first' | 'last') =>
    runs.flatMap(({ measures }) => measures.sent[end] ?? []).toSorted();
  const [[first], last] = [times('first'), times('last').at(-1)];
  return first === undefined || last === undefined ? null : { first_request_at: first, last_answer_at: last };
}

/** The decisions of people that the figures of runs depend on, because a person signs the page. */
function decisionsOf(runs: readonly MeasuredRun[], allowsOthers: boolean): ReportPart['decisions'] {
  const events = runs.flatMap(({ measures }) => measures.decisions);
  const flags = runs.flatMap(({ choice }) => [
    ...(choice.onExisting === 'accept'
      ? ['Records that the platform had already were accepted without a comparison (--on-existing accept)']
      : []),
    ...(choice.skipInvalid ? ['Valid rows were sent although others are invalid (--skip-invalid)'] : []),
  ]);
  const allowed = allowsOthers
    ? ['Records that nobody here has sent were allowed in the ledger (--others allowed)']
    : [];
  return [
    ...events.map((event) => ({ at: event.at, by: event.by, what: whatOf(event) })),
    ...[...new Set([...flags, ...allowed])].map((what) => ({ at: null, by: null, what })),
  ];
}

function whatOf({ kind, ledger, rows }: Decision): string {
  if (kind === 'again') return `All records were planned again (--again): ${counted(rows, 'record')}`;
  if (ledger !== null) return `${counted(rows, 'row')} settled, because the ledger ${ledger} has them`;
  return kind === 'arrived'
    ? `${counted(rows, 'row')} confirmed as arrived`
    : `${counted(rows, 'row')} confirmed as missing, to be sent again`;
}

import { relative } from 'node:path';
import { areaOf, isErrorCode, type ErrorCode } from '../../core/error-codes/table.ts';
import { DESCRIPTORS, THERE_ALREADY } from '../../core/contract/resources.ts';
import { total } from '../../core/values/counts.ts';
import { isSameMoney } from '../../core/values/decimal.ts';
import type { FoundReading } from '../journal/found-readings.ts';
import type { RunHeader } from '../journal/database/run-header.ts';
import { isFinal } from '../ending/ending.ts';
import { groupDocument } from '../output/run/run-document.ts';
import { counted } from '../output/text/text.ts';
import type { Decision } from '../push/ports/measures.ts';
import {
  addsUp,
  totalsUnequal,
  type LocatedProblem,
  type ReportView,
  type RunReport,
} from '../push/ports/report.ts';
import { ofSameFiles, type VerifiedFiles } from './verified-files.ts';
import { shardText } from '../push/ports/run.ts';
import { LISTED_GROUPS, type Actor, type VerifiedPart, type VerifiedRun } from './verification-schema.ts';

export function partOf(verified: VerifiedFiles): VerifiedPart {
  const { checked, here, journals, standing, comparisons, options, context } = verified;
  const { run, sources } = checked;
  const { resource } = run.header;
  const view: ReportView = { showValues: options.showValues ?? false, command: null };
  const report = run.report(view);
  if (!addsUp(report.rows)) throw totalsUnequal(resource, JSON.stringify(report.rows));
  const measures = run.measures();
  // A ledger has proven that such a record is there once, or it lists the second one as a difference.
  const warnings = report.warningGroups.filter(
    ({ first }) => comparisons.length === 0 || !REPEATED.includes(first.code),
  );
  const groups = [...report.errorGroups, ...warnings];
  const filesOf = (listed: RunHeader['inputs']) =>
    listed.map(({ name, bytes, sha256 }) => ({ name, bytes, sha256 }));
  const vanished = standing?.vanished ?? { named: [], sums: [] };
  const gone = total(vanished.sums, ({ count }) => count);
  return {
    resource,
    files: filesOf(run.header.sources),
    inputs: filesOf(sources.inputs),
    amount_unit: DESCRIPTORS[resource].amount?.unit ?? null,
    suppliers: run.suppliers(),
    journals: journals.map(({ file, head, links }) => {
      const { header } = here.find((reading) => reading.file === file)!;
      const { target, database } = header;
      return {
        file: relative(context.io.cwd, file),
        target,
        // A local platform alone names its database.
        is_local: database !== null,
        chain_head: head,
        chain_links: links,
      };
    }),
    runs: here.filter(({ matched }) => matched > 0).map(runOf),
    changed_since: changedSince(verified, report, gone),
    vanished: { count: gone, ...vanished },
    decisions: (standing?.decisions ?? []).map((event) => ({
      at: event.at,
      by: event.by,
      what: whatOf(event),
    })),
    rows: report.rows,
    changed: report.changed,
    refused_finally: Math.min(report.rows.rejected, refusedInVain(report)),
    comparisons,
    totals_equal: report.controlTotals.every(({ read, accepted }) => isSameMoney(read, accepted)),
    control_totals: report.controlTotals,
    accounts_total: measures.accounts,
    accounts_unfinished: measures.unfinished,
    unsent_accounts: measures.unsent,
    stays_behind: checked.look.behind(view.showValues, report.leftOut),
    groups: groups.slice(0, LISTED_GROUPS).map((group) => {
      const { detail, next, http_status: status } = group.first;
      return { ...groupDocument(group), detail, next, http_status: status, who: actorOf(group.first) };
    }),
    groups_total: groups.length,
    problems_total: total(groups, ({ count }) => count),
  };
}

const refusedInVain = ({ errorGroups, resource }: RunReport): number =>
  total(
    errorGroups.filter(({ first }) => THERE_ALREADY.includes(first.code) || isFinal(resource, first)),
    ({ count }) => count,
  );

/** What has changed in the files since they were last sent; null when nothing has, or they never were. */
function changedSince(
  verified: VerifiedFiles,
  { changed, rows }: RunReport,
  gone: number,
): VerifiedPart['changed_since'] {
  const { standing, checked } = verified;
  const { sources } = checked.run.header;
  const readings = ofSameFiles(verified);
  const [newest] = readings;
  if (!newest || !standing) return null;
  const before = readings.flatMap(({ header }) => header.sources);
  // A file may be again what it was before: the same command has nothing to do then.
  const isChanged = sources.some(({ name, place, sha256 }) => {
    const ofPlace = before.filter((each) => each.place === place);
    const known = ofPlace.length > 0 ? ofPlace : before.filter((each) => each.name === name);
    return known.length > 0 && !known.some((each) => each.sha256 === sha256);
  });
  const added = standing.unknownRows;
  // A reading of other files beside these has other rows, too.
  const rowsBefore = newest.header.sources.length === sources.length ? newest.rows : rows.read;
  if (!isChanged || (changed + added + gone === 0 && rowsBefore === rows.read)) return null;
  return { at: newest.header.createdAt, rows: rowsBefore, differing: changed, new: added, gone };
}

function runOf({ header, choice }: FoundReading): VerifiedRun {
  const { shard } = header.options.selection;
  return {
    run: header.id,
    shard: shard ? shardText(shard) : null,
    begun_at: header.createdAt,
    run_by: choice.user ?? null,
    tool_version: header.toolVersion,
  };
}

function whatOf({ kind, ledger, rows }: Decision): string {
  if (kind === 'again') return `All records were planned again (--again): ${counted(rows, 'record')}`;
  if (ledger !== null) return `${counted(rows, 'row')} settled, because the ledger ${ledger} has them`;
  return kind === 'arrived'
    ? `${counted(rows, 'row')} confirmed as arrived`
    : `${counted(rows, 'row')} confirmed as missing, to be sent again`;
}

/** Rows that the platform has otherwise, because another row brought them there. */
export const CONFLICTS: readonly string[] = ['record_changed', 'record_moved'];

/** Records that a platform may have twice. */
export const REPEATED: readonly string[] = ['sent_again' satisfies ErrorCode];

/** Who has to act on a problem. A code that only the platform knows is for its operator, who alone can change a stored record, too. */
function actorOf({ code, http_status: status }: LocatedProblem): Actor {
  if (CONFLICTS.includes(code) || !isErrorCode(code)) return 'platform';
  switch (areaOf(code)) {
    case 'values of fields':
    case 'files and rows':
    case 'values that look wrong':
      return 'supplier';
    case 'rules of the platform':
    case 'the contract of the operator':
      // A refusal by a known rule says what the importer has to look at, such as whether the account is imported.
      return status === null ? 'supplier' : 'importer';
    default:
      return 'importer';
  }
}

import { AppError } from '../../core/app-error.ts';
import { addedByName, total } from '../../core/values/counts.ts';
import { Decimal, sum } from '../../core/values/decimal.ts';
import type { MergedShard, MergedShardsResult } from './merged-shards.ts';
import type { Ending } from '../output/run/run-document.ts';
import {
  addsUp,
  arrivedRows,
  unequalTotals,
  type ControlTotal,
  type RunReport,
} from '../push/ports/report.ts';
import type { RunFile } from '../run-file/run-file.ts';
import { platformOf, type RunHeader } from '../run-file/database/run-header.ts';
import type { RunsFolder } from '../run-file/runs-folder.ts';
import { furthestFromDone } from '../ending/ending.ts';
import { endingInFolder, type FolderChoice } from '../ending/ending-in-folder.ts';
import { namedRuns, neverStagedNote, openedRuns, replacedNotes, replacedRuns } from './listed-runs.ts';
import { assertProven, fastNotes, type FastFlag } from './proven-run.ts';
import { MergedRows } from './merged-rows.ts';

/** A shard, its report and how it ended. */
interface ReadShard {
  readonly shard: MergedShard;
  readonly header: RunHeader;
  readonly report: RunReport;
  readonly ending: Ending;
  readonly durationMs: number;
}

/**
 * The shards of one file as one result. `paths`: folders of run files, or run files. Every row has to be in exactly one shard,
 * or be left out or invalid in all.
 * @throws AppError `shards_differ`, `totals_unequal`, `run_locked`, and those of `RunsFolder.open`
 */
export function mergeShards(paths: readonly string[], choice: FolderChoice & FastFlag): MergedShardsResult {
  const shards: ReadShard[] = [];
  const rows = new MergedRows();
  const neverStaged: RunHeader[] = [];
  const named = namedRuns(paths, choice.cwd);
  const replaced = replacedRuns(named);
  for (const { folder, listed } of openedRuns(named)) {
    if (listed.header === undefined) {
      const error = 'error' in listed ? listed.error : new AppError('run_locked', { run: listed.id });
      // A file with the name of no run may be the copy of a shard.
      if (SHARD_ID.test(listed.id) || error.code === 'run_misnamed') throw error;
      continue;
    }
    if (listed.header.options.selection.shard === undefined || replaced.has(listed.id)) continue;
    if (listed.state === 'never_staged') neverStaged.push(listed.header);
    else {
      assertProven(listed.run, folder, choice);
      const read = readShard(listed.run, folder, choice);
      assertTogether(shards[0] ?? read, read);
      // The rows of a second run of a shard are refused below, with the names of both runs.
      if (shards.every(({ shard }) => shard.index !== read.shard.index)) rows.add(listed.run);
      shards.push(read);
    }
  }
  const missing = neverStaged.find(({ options }) =>
    shards.every(({ shard }) => shard.index !== options.selection.shard!.index),
  );
  if (missing) throw new AppError('run_never_staged', { run: missing.id });
  assertComplete(shards, paths);
  const report = mergedReport(shards, rows);
  const notes = [
    ...fastNotes(choice),
    ...neverStaged.map(({ id }) => neverStagedNote(id)),
    ...replacedNotes(replaced),
  ];
  const [{ header }] = shards as [ReadShard];
  return {
    target: header.target,
    contentSha256: header.contentSha256,
    shards: shards.map(({ shard }) => shard).toSorted((a, b) => a.index - b.index),
    report,
    ending: mergedEnding(shards),
    // The shards were sent side by side.
    durationMs: Math.max(...shards.map(({ durationMs }) => durationMs)),
    notes,
  };
}

/** Next commands that are named. The others are named when these have ended. */
const NAMED_COMMANDS = 5;

/** The exit of the shard that is furthest from done, and the next commands of all shards. */
function mergedEnding(shards: readonly ReadShard[]): Ending {
  const furthest = furthestFromDone(shards.map(({ ending }) => ending));
  const inOrder = shards.toSorted((a, b) => a.shard.index - b.shard.index);
  const commands = new Set(inOrder.flatMap(({ ending }) => ending.next ?? []));
  if (commands.size < 2) return furthest;
  return { ...furthest, next: [...commands].slice(0, NAMED_COMMANDS).join('; ') };
}

/** The end of the id of a shard's run. */
const SHARD_ID = /-\d+of\d+(?:-\d+)?$/;

function readShard(run: RunFile, folder: RunsFolder, choice: FolderChoice): ReadShard {
  const { header } = run;
  const report = run.report();
  const ending = endingInFolder(run, report, folder, choice).ending;
  const { index, count } = header.options.selection.shard!;
  const shard = { index, count, run: header.id, folder: folder.path, exit: ending.exit, rows: report.rows };
  return { shard, header, report, ending, durationMs: run.sendingMs() };
}

/** A shard, as far as others have to fit to it. */
export interface ShardOfFile {
  readonly shard: { readonly run: string; readonly index: number; readonly count: number };
  readonly header: RunHeader;
  readonly report: Pick<RunReport, 'rows'>;
}

/** @throws AppError `shards_differ` */
export function assertTogether(first: ShardOfFile, other: ShardOfFile): void {
  const differing = [
    first.header.resource === other.header.resource ? '' : 'the resource',
    first.header.contentSha256 === other.header.contentSha256 ? '' : 'the content of the files',
    platformOf(first.header) === platformOf(other.header) ? '' : 'the platform',
    first.shard.count === other.shard.count ? '' : 'the number of shards',
    inputOf(first.header) === inputOf(other.header) ? '' : 'the mapping, the contract or an option',
    first.report.rows.read === other.report.rows.read ? '' : 'the number of rows that were read',
  ].filter((part) => part !== '');
  if (differing.length === 0) return;
  const reason = `${first.header.id} and ${other.header.id} differ in ${differing.join(', ')}`;
  throw new AppError('shards_differ', { reason });
}

/** Everything that decides what is sent, beside the content of the files and the shard. */
export function inputOf({ options, inputs, sources }: RunHeader): string {
  const { shard: _, ...selection } = options.selection;
  const ofFiles = sources.map(({ mappedBy }) => mappedBy?.hasTrailer ?? false);
  return JSON.stringify([{ ...options, selection }, inputs.map(({ sha256 }) => sha256), ofFiles]);
}

/** Every shard has to be there once. @throws AppError `shards_differ` */
export function assertComplete(shards: readonly ShardOfFile[], paths: readonly string[]): void {
  const [first] = shards;
  if (!first) {
    const reason = `no run of a shard is in ${paths.join(', ')}. Runs without --shard need no merge: \`dataimport report\` has all of them`;
    throw new AppError('shards_differ', { reason });
  }
  const { count } = first.shard;
  const byIndex = Map.groupBy(shards, ({ shard }) => shard.index);
  for (const [index, runs] of byIndex) {
    if (runs.length === 1) continue;
    const ids = runs.map(({ shard }) => shard.run).join(', ');
    throw new AppError('shards_differ', {
      reason: `shard ${index} of ${count} has ${runs.length} runs: ${ids}`,
    });
  }
  assertNoneMissing(count, (index) => byIndex.has(index));
}

/** @throws AppError `shards_differ`, which names all shards without a run */
export function assertNoneMissing(count: number, hasRun: (index: number) => boolean): void {
  const all = Array.from({ length: count }, (_, index) => index + 1);
  const missing = all.filter((index) => !hasRun(index));
  if (missing.length === 0) return;
  const named =
    missing.length === 1
      ? `shard ${missing[0]} of ${count} has`
      : `shards ${missing.join(', ')} of ${count} have`;
  throw new AppError('shards_differ', { reason: `${named} no run` });
}

/** @throws AppError `totals_unequal` */
function mergedReport(shards: readonly ReadShard[], merged: MergedRows): RunReport {
  const [first, ...others] = shards.map(({ report }) => report) as [RunReport, ...RunReport[]];
  const reports = [first, ...others];
  const report: RunReport = {
    ...first,
    run: '',
    ...merged.counts(),
    withdrawn: {
      total: total(reports, ({ withdrawn }) => withdrawn.total),
      listed: reports.flatMap(({ withdrawn }) => withdrawn.listed),
    },
    requests: {
      total: total(reports, ({ requests }) => requests.total),
      retried: total(reports, ({ requests }) => requests.retried),
      byStatus: addedByName(reports.map(({ requests }) => requests.byStatus)),
    },
    accounts: {
      total: total(reports, ({ accounts }) => accounts.total),
      done: total(reports, ({ accounts }) => accounts.done),
      stopped: total(reports, ({ accounts }) => accounts.stopped),
    },
    controlTotals: mergedTotals(reports.flatMap(({ controlTotals }) => controlTotals)),
    platformAccounts: [],
    platformAccountsTotal: 0,
    problems: [],
    problemsTotal: 0,
    errorsTotal: 0,
    errorGroups: [],
    warningGroups: [],
  };
  const valid = total(report.controlTotals, ({ count }) => count);
  const { verify, rejected, unknown, not_sent } = report.rows;
  const isWhole =
    addsUp(report.rows) &&
    report.rows.read === first.rows.read &&
    arrivedRows(report.rows) + verify + rejected + unknown + not_sent === valid;
  const [unequal] = unequalTotals(report);
  if (isWhole && !unequal) return report;
  const detail = unequal
    ? `${unequal.type ?? 'all'}: read ${unequal.read}, accepted ${unequal.accepted}`
    : JSON.stringify({ ...report.rows, valid });
  throw new AppError('totals_unequal', { what: 'the merged shards', detail });
}

/** The sums of each type, exact. */
export function mergedTotals(totals: readonly ControlTotal[]): readonly ControlTotal[] {
  const byType = Map.groupBy(totals, ({ type }) => type);
  const exactSum = (texts: readonly (string | null)[]): string | null =>
    texts.includes(null) ? null : sum(texts.map((text) => Decimal.of(text!))).text;
  return [...byType]
    .toSorted(([a], [b]) => ((a ?? '') < (b ?? '') ? -1 : 1))
    .map(([type, parts]) => ({
      type,
      currency: null,
      count: total(parts, ({ count }) => count),
      read: exactSum(parts.map(({ read }) => read)),
      accepted: exactSum(parts.map(({ accepted }) => accepted)),
    }));
}

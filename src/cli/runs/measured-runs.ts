import { AppError } from '../../core/app-error.ts';
import { RESOURCES } from '../../core/contract/resources.ts';
import type { Ending } from '../output/run-document.ts';
import type { EndReason, LeftOut, ReportView, RowCounts, RunReport } from '../push/ports/report.ts';
import type { RunMeasures } from '../push/ports/measures.ts';
import type { RunCondition, RunFile } from '../run-file/run-file.ts';
import type { RunHeader } from '../run-file/run-header.ts';
import type { RunsFolder } from '../run-file/runs-folder.ts';
import { endingInFolder, type FolderChoice } from './ending-in-folder.ts';
import { namedRuns, neverStagedNote, openedRuns } from './listed-runs.ts';
import { assertComplete, assertTogether } from './merge.ts';
import { MergedRows } from './merged-rows.ts';
import { NewestOfCohorts } from './newest-of-cohorts.ts';
import { commandsAfter, copyOfRejects, nextCommands } from './next-commands.ts';

/** A run, and the runs that took records over from it. */
export interface MeasuredRun {
  readonly header: RunHeader;
  readonly condition: RunCondition;
  readonly report: RunReport;
  readonly measures: RunMeasures;
  readonly ending: Ending;
  /** Why the last command that sent it ended early; null when it did not, or its problems say it. */
  readonly endReason: EndReason | null;
  /** Whether the process that sent it died. */
  readonly hasDied: boolean;
  /** The command that copies the rows to correct; null when the source cannot be read again. */
  readonly copyCommand: string | null;
  readonly showCommand: string;
  /** The command that continues it, or its cohort. */
  readonly continueCommand: string;
  /** The command that sends refused records again, or copies the rows to correct; null when it has none. */
  readonly refusedCommand: string | null;
  readonly retries: readonly MeasuredRun[];
  /** Retries whose run files are not in the folder. */
  readonly missing: readonly string[];
}

/** The runs of one content to one platform: one run, or all its shards. */
export interface MeasuredFile {
  readonly runs: readonly MeasuredRun[];
  /** The rows as the runs themselves left them, before any retry. */
  readonly rows: RowCounts;
  readonly leftOut: readonly LeftOut[];
}

/** Whether values of runs are shown, and where their next commands are typed. */
export interface MeasuringChoice extends FolderChoice {
  readonly showValues: boolean;
  /** Sees each run while it is open. */
  readonly look?: (run: RunFile, ending: Ending) => void;
}

/**
 * Opens and measures the typed runs with their retries, one after the other, and sorts them as a report does. `typed`: ids, run files
 * or folders. A run that died
 * while it read its file has no rows, and a cohort counts the newest run of each resource; `notes` names the others.
 * @throws AppError `run_not_found`, `run_locked`, `run_never_staged` when no other run is there, `shards_differ`,
 *   `totals_unequal`; `usage` for two runs of the same rows
 */
export function measuredFiles(
  typed: readonly string[],
  choice: MeasuringChoice,
): { readonly files: readonly MeasuredFile[]; readonly notes: readonly string[] } {
  const named = namedRuns(typed, choice.cwd, choice.settings.need('runDir'));
  const files = new Map<string, { readonly runs: MeasuredRun[]; readonly rows: MergedRows }>();
  const neverStaged: string[] = [];
  const newest = new NewestOfCohorts();
  for (const { folder, listed } of openedRuns(named)) {
    if (listed.header === undefined)
      throw 'error' in listed ? listed.error : new AppError('run_locked', { run: listed.id });
    const { header, run, state } = listed;
    const ids = named.folders.get(folder.path)!;
    if (state === 'never_staged') {
      neverStaged.push(header.id);
      continue;
    }
    // Its parent has it as a retry.
    if (
      header.parent !== null &&
      (ids === 'all' ? folder.ids().includes(header.parent) : ids.has(header.parent))
    )
      continue;
    if (ids === 'all' && newest.isReplaced(header, folder.path)) continue;
    const key = `${header.resource} ${header.contentSha256} ${header.target} ${header.parent ?? ''}`;
    const file = files.get(key) ?? { runs: [], rows: new MergedRows() };
    files.set(key, file);
    assertFits(file.runs, header);
    if (isShard(header)) file.rows.add(run);
    file.runs.push(measured(run, folder, choice));
  }
  const [died] = neverStaged;
  if (files.size === 0 && died !== undefined) throw new AppError('run_never_staged', { run: died });
  return {
    files: [...files.values()].map(({ runs, rows }) => fileOf(runs, rows, typed)).toSorted(compareFiles),
    notes: [...neverStaged.map(neverStagedNote), ...newest.notes],
  };
}

/** The order of files in a report: files without a cohort by resource, then those of each cohort as its cohort file orders them. */
function compareFiles(a: MeasuredFile, b: MeasuredFile): number {
  const [first, second] = [a, b].map(({ runs }) => runs[0]!.header) as [RunHeader, RunHeader];
  const byCohort = compareTexts(first.options.cohort ?? '', second.options.cohort ?? '');
  const byPlace = (first.options.cohortPlace ?? 0) - (second.options.cohortPlace ?? 0);
  const byResource = RESOURCES.indexOf(first.resource) - RESOURCES.indexOf(second.resource);
  return byCohort || byPlace || byResource || compareTexts(first.id, second.id);
}

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function fileOf(runs: readonly MeasuredRun[], merged: MergedRows, typed: readonly string[]): MeasuredFile {
  const [first] = runs as readonly [MeasuredRun];
  if (!isShard(first.header)) return { runs, rows: first.report.rows, leftOut: first.report.leftOut };
  const shards = runs.map(({ header, report }) => ({
    shard: { run: header.id, ...header.options.selection!.shard! },
    header,
    report,
  }));
  for (const shard of shards) assertTogether(shards[0]!, shard);
  assertComplete(shards, typed);
  const byShard = runs.toSorted(
    (a, b) => a.header.options.selection!.shard!.index - b.header.options.selection!.shard!.index,
  );
  return { runs: byShard, ...merged.counts() };
}

/** A retry of a shard has only some of its rows, and is a run by itself when its parent is not there. */
function isShard({ options, parent }: RunHeader): boolean {
  return options.selection?.shard !== undefined && parent === null;
}

/** Two runs of the same rows would count each row twice. @throws AppError `usage` */
function assertFits(runs: readonly MeasuredRun[], header: RunHeader): void {
  const twice = runs.find(
    (run) =>
      !isShard(run.header) ||
      !isShard(header) ||
      run.header.options.selection!.shard!.index === header.options.selection!.shard!.index,
  );
  if (!twice) return;
  const reason = `${twice.header.id} and ${header.id} are runs of the same file, and each row is counted once: name one of them`;
  throw new AppError('usage', { reason, command: 'report' });
}

/** A run that a command has just worked on. `ending`: how that command ends. */
export function measuredNow(
  run: RunFile,
  folder: RunsFolder,
  choice: MeasuringChoice & { readonly ending: Ending },
): MeasuredFile {
  const one = measured(run, folder, choice, choice.ending);
  return { runs: [one], rows: one.report.rows, leftOut: one.report.leftOut };
}

function measured(run: RunFile, folder: RunsFolder, choice: MeasuringChoice, given?: Ending): MeasuredRun {
  const { header, measuring, condition, end } = run;
  const view: ReportView = { showValues: choice.showValues, command: null };
  const report = run.report(view);
  const { ending, commands } = given
    ? { ending: given, commands: nextCommands(choice.settings, choice.flags, choice.cwd) }
    : endingInFolder(run, report, folder, choice);
  choice.look?.(run, ending);
  const takers = run.retrying.takers();
  const known = new Set(folder.ids());
  const present = takers.filter((id) => known.has(id));
  measuring.leaveTo(present);
  const retries = present.map((id) => {
    const retry = folder.open(id);
    try {
      const measuredRetry = measured(retry, folder, choice);
      measuring.addRetried(retry.measuring.accounts());
      return measuredRetry;
    } finally {
      retry.close();
    }
  });
  return {
    header,
    condition,
    report,
    measures: measuring.measures(view),
    ending,
    endReason: condition === 'done' ? null : (end?.reason ?? null),
    hasDied: condition === 'open' && end === null && given === undefined,
    copyCommand: copyOfRejects(header, commands),
    showCommand: commands.show(header),
    continueCommand: commands.resume(header),
    refusedCommand: commandsAfter(run, commands).refused,
    retries,
    missing: takers.filter((id) => !known.has(id)),
  };
}

/** A run and all runs that took records over from it, directly or not. */
export function withRetries(run: MeasuredRun): readonly MeasuredRun[] {
  return [run, ...run.retries.flatMap(withRetries)];
}

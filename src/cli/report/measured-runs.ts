import { AppError } from '../../core/app-error.ts';
import { RESOURCES } from '../../core/contract/resources.ts';
import type { Ending } from '../output/run/run-document.ts';
import type { EndReason, LeftOut, ReportView, RowCounts, RunReport } from '../push/ports/report.ts';
import type { Decision, RunMeasures } from '../push/ports/measures.ts';
import type { RunChoice } from '../push/ports/run.ts';
import type { RunCondition, RunFile } from '../run-file/run-file.ts';
import { platformOf, type RunHeader } from '../run-file/database/run-header.ts';
import { assertNoneRemoved } from '../run-file/history/seen-runs.ts';
import { RunsFolder } from '../run-file/runs-folder.ts';
import { type commandsInFolder, endingInFolder, type FolderChoice } from '../ending/ending-in-folder.ts';
import { othersOf } from '../runs/compared-runs.ts';
import { namedRuns, neverStagedNote, openedRuns, replacedNotes, replacedRuns } from '../runs/listed-runs.ts';
import { runsFolders, type RunDirFlag } from '../runs/run-folders.ts';
import { assertComplete, assertOnce, inputOf } from '../runs/shards.ts';
import { assertProven } from '../runs/proven-run.ts';
import { MergedRows } from '../runs/merged-rows.ts';
import type { ComparedResources } from './compared-resources.ts';
import { rejectsWritten } from '../rejects/rejects.ts';

/** A run in figures, and how it ended. */
export interface MeasuredRun {
  readonly header: RunHeader;
  readonly condition: RunCondition;
  readonly report: RunReport;
  readonly measures: RunMeasures;
  readonly ending: Ending;
  /** What people confirmed about records that other runs brought to the platform. */
  readonly confirmedBefore: readonly Decision[];
  /** Why the last command that sent it ended early; null when it did not, or its problems say it. */
  readonly endReason: EndReason | null;
  /** When the platform last said that accounts are not imported; undefined when none is. */
  readonly asked: string | undefined;
  /** Whether the process that sent it died. */
  readonly hasDied: boolean;
  readonly choice: RunChoice;
  /** Files of `--rejects` that its command has written. */
  readonly rejectsFiles: readonly string[];
  readonly commands: ReturnType<typeof commandsInFolder>;
}

/** The runs of one content to one platform: one run, or all its shards. */
export interface MeasuredFile {
  readonly runs: readonly MeasuredRun[];
  readonly rows: RowCounts;
  readonly leftOut: readonly LeftOut[];
}

/** Whether values of runs are shown, and where their next commands are typed. */
export interface MeasuringChoice extends FolderChoice, RunDirFlag {
  readonly showValues: boolean;
  /** What a comparison of files has found. */
  readonly compared?: ComparedResources;
}

/**
 * Opens and measures the typed runs, one after the other, and sorts them as a report does. `typed`: ids, names of cohorts, run files or
 * folders. A run that died while it read its file has no rows, and of a folder the newest run of each file counts; `notes` names the
 * others.
 * @throws AppError those of `assertProven`, `run_removed`, `run_not_found`, `run_locked`, `run_never_staged` when no other run is there, `shards_differ`,
 *   `totals_unequal`; `usage` for two runs of the same rows
 */
export function measuredFiles(
  typed: readonly string[],
  choice: MeasuringChoice,
): { files: readonly MeasuredFile[]; notes: readonly string[] } {
  const folders = runsFolders(choice, choice.settings, choice.cwd);
  const named = namedRuns(
    typed,
    choice.cwd,
    folders.map(({ path }) => path),
  );
  for (const [path, ids] of named.folders) if (ids === 'all') assertNoneRemoved(new RunsFolder(path));
  const replaced = replacedRuns(named);
  const files = new Map<string, { runs: MeasuredRun[]; rows: MergedRows }>();
  const neverStaged: string[] = [];
  for (const { folder, listed } of openedRuns(named)) {
    if (listed.header === undefined)
      throw 'error' in listed ? listed.error : new AppError('run_locked', { run: listed.id });
    const { header, run, state } = listed;
    if (state === 'never_staged') neverStaged.push(header.id);
    if (state === 'never_staged' || replaced.has(header.id)) continue;
    assertProven(run, folder, choice.compared?.proven);
    const key = rowsOf(header);
    const file = files.get(key) ?? { runs: [], rows: new MergedRows() };
    files.set(key, file);
    assertOnce(
      file.runs.map((each) => each.header),
      header,
      'report',
    );
    if (isShard(header)) file.rows.add(run);
    file.runs.push(measured(run, folder, choice));
  }
  const [died] = neverStaged;
  const headers = [...files.values()].flatMap(({ runs }) => runs.map(({ header }) => header));
  if (files.size === 0 && died !== undefined) throw new AppError('run_never_staged', { run: died });
  return {
    files: [...files.values()].map(({ runs, rows }) => fileOf(runs, rows, headers)).toSorted(compareFiles),
    notes: [...neverStaged.map(neverStagedNote), ...replacedNotes(replaced)],
  };
}

/** The order of files in a report: files without a cohort by resource, then those of each cohort as its cohort file orders them. */
function compareFiles(a: MeasuredFile, b: MeasuredFile): number {
  const [first, second] = [a, b].map(({ runs }) => runs[0]!) as [MeasuredRun, MeasuredRun];
  const [one, other] = [first.choice.cohort, second.choice.cohort];
  const byCohort = compareTexts(one?.name ?? '', other?.name ?? '');
  const byPlace = (one?.place ?? 0) - (other?.place ?? 0);
  const byResource = RESOURCES.indexOf(first.header.resource) - RESOURCES.indexOf(second.header.resource);
  return byCohort || byPlace || byResource || compareTexts(first.header.id, second.header.id);
}

const compareTexts = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** @throws AppError `shards_differ`, `totals_unequal` */
function fileOf(runs: readonly MeasuredRun[], merged: MergedRows, all: readonly RunHeader[]): MeasuredFile {
  const [first] = runs as readonly [MeasuredRun];
  if (!isShard(first.header)) return { runs, rows: first.report.rows, leftOut: first.report.leftOut };
  assertComplete(
    runs.map(({ header, report }) => ({ header, read: report.rows.read })),
    all,
  );
  const byShard = runs.toSorted(
    (a, b) => a.header.options.selection.shard!.index - b.header.options.selection.shard!.index,
  );
  return { runs: byShard, ...merged.counts() };
}

/** What two runs of the same rows have in common. Each shard is a version of its own. */
function rowsOf(header: RunHeader): string {
  return JSON.stringify([header.resource, header.contentSha256, platformOf(header), inputOf(header)]);
}

const isShard = ({ options }: RunHeader): boolean => options.selection.shard !== undefined;

function measured(run: RunFile, folder: RunsFolder, choice: MeasuringChoice): MeasuredRun {
  const { header, measuring, condition, end } = run;
  const view: ReportView = { showValues: choice.showValues, command: null };
  const report = run.report(view);
  const { ending, commands } = endingInFolder(run, report, folder, choice);
  return {
    header,
    condition,
    report,
    measures: measuring.measures(view),
    confirmedBefore: confirmedBefore(run, folder),
    ending,
    endReason: condition === 'open' ? (end?.reason ?? null) : null,
    asked: end?.asked,
    hasDied: condition === 'open' && end === null,
    choice: run.choice,
    rejectsFiles: rejectsWritten(run, choice.cwd),
    commands,
  };
}

/** Decisions about records that this run has found on the platform: a person has said of them that they are there. */
function confirmedBefore(run: RunFile, folder: RunsFolder): readonly Decision[] {
  const opened: RunFile[] = [];
  try {
    const others = othersOf([run], folder.ids(), (id) => {
      const other = folder.open(id);
      opened.push(other);
      return other;
    });
    return [...others.values()]
      .filter((other) => other !== run)
      .flatMap(({ measuring }) => measuring.decisions())
      .filter(({ kind, rows }) => kind === 'arrived' && rows > 0);
  } finally {
    for (const other of opened) other.close();
  }
}

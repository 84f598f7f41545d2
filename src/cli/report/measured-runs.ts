import { RESOURCES } from '../../core/contract/resources.ts';
import type { Ending } from '../output/run/run-document.ts';
import type { LeftOut, ReportView, RowCounts, RunEnd, RunReport } from '../push/ports/report.ts';
import type { RunMeasures } from '../push/ports/measures.ts';
import type { RunChoice } from '../push/ports/run.ts';
import type { FoundReading, OpenJournals } from '../journal/found-readings.ts';
import type { RunCondition } from '../journal/reading.ts';
import { platformOf, type RunHeader } from '../journal/database/run-header.ts';
import { recordedEnding } from '../ending/ending.ts';
import { nextCommands, type NextCommands, type RepeatedFlags } from '../ending/next-commands.ts';
import { assertComplete, assertOnce, inputOf, rowsOfShards } from '../verify/shards.ts';
import { rejectsWritten } from '../rejects/rejects.ts';
import type { Settings } from '../settings/settings.ts';

/** A run in figures, and how it ended. */
export interface MeasuredRun {
  readonly header: RunHeader;
  readonly condition: RunCondition;
  readonly report: RunReport;
  readonly measures: RunMeasures;
  /** The codes of the suppliers whose accounts have records. */
  readonly suppliers: readonly string[];
  readonly ending: Ending;
  /** How the last command that sent it ended; null when it is not known, or nothing was left to do. */
  readonly end: RunEnd | null;
  readonly choice: RunChoice;
  /** Files of `--rejects` that its command has written. */
  readonly rejectsFiles: readonly string[];
  readonly commands: NextCommands;
}

/** The runs of one content to one platform: one run, or all its shards. */
export interface MeasuredFile {
  readonly runs: readonly MeasuredRun[];
  readonly rows: RowCounts;
  readonly leftOut: readonly LeftOut[];
}

/** Whether values of runs are shown, and where their next commands are typed. */
export interface MeasuringChoice {
  readonly settings: Settings;
  readonly flags: RepeatedFlags;
  readonly cwd: string;
  readonly journals: OpenJournals;
  readonly showValues: boolean;
}

/**
 * Opens and measures readings, and sorts them as a report does.
 * @throws AppError those of `OpenJournals.provenReading`, `shards_differ`, `totals_unequal`; `usage` for two readings of the same rows
 */
export function measuredFiles(
  found: readonly FoundReading[],
  choice: MeasuringChoice,
): readonly MeasuredFile[] {
  const files = Map.groupBy(found, ({ header }) => rowsOf(header));
  return [...files.values()].map((shards) => fileOf(shards, choice)).toSorted(compareFiles);
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

function fileOf(found: readonly FoundReading[], choice: MeasuringChoice): MeasuredFile {
  const headers = found.map(({ header }) => header);
  assertOnce(headers, 'report');
  const runs = found.toSorted((a, b) => shardOf(a) - shardOf(b)).map((reading) => measured(reading, choice));
  const { report, header } = runs[0]!;
  if (header.options.selection.shard === undefined)
    return { runs, rows: report.rows, leftOut: report.leftOut };
  assertComplete(headers);
  return { runs, ...rowsOfShards(found.map((shard) => choice.journals.reading(shard))) };
}

const shardOf = ({ header }: FoundReading): number => header.options.selection.shard?.index ?? 0;

/** What two runs of the same rows have in common. Each shard is a version of its own. */
function rowsOf(header: RunHeader): string {
  return JSON.stringify([header.resource, header.contentSha256, platformOf(header), inputOf(header)]);
}

function measured(found: FoundReading, choice: MeasuringChoice): MeasuredRun {
  const { journals, showValues, settings, flags, cwd } = choice;
  const run = journals.provenReading(found);
  const { header, condition, end } = run;
  const view: ReportView = { showValues, command: null };
  const report = run.report(view);
  const commands = nextCommands(settings, flags, cwd, found.folder.path);
  return {
    header,
    condition,
    report,
    measures: run.measures(view),
    suppliers: run.suppliers(),
    ending: recordedEnding(run, report, commands),
    end,
    choice: run.choice,
    rejectsFiles: rejectsWritten(run, cwd),
    commands,
  };
}

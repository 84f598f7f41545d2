import { basename, dirname, resolve } from 'node:path';
import { AppError } from '../../core/app-error.ts';
import { Decimal, sum } from '../../core/values/decimal.ts';
import type { ExitName } from '../exit-codes.ts';
import type { MergedShard, MergedShardsResult } from '../output/merged-shards.ts';
import type { Ending } from '../output/run-document.ts';
import { addsUp, unequalTotals, type ControlTotal, type RunReport } from '../push/ports/report.ts';
import type { RunFile } from '../run-file/run-file.ts';
import type { RunHeader } from '../run-file/run-header.ts';
import { RunsFolder, type ListedRun } from '../run-file/runs-folder.ts';
import type { Settings } from '../settings/settings.ts';
import { recordedEnding } from './ending.ts';
import { MergedRows } from './merged-rows.ts';
import { commandsAfter, nextCommands, type RepeatedFlags } from './next-commands.ts';
import { otherInput } from './same-input.ts';

/** The facts that the next commands of a shard need. */
interface MergeChoice {
  readonly settings: Settings;
  readonly flags: RepeatedFlags;
  readonly cwd: string;
}

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
 * or be left out or invalid in all. A retry is no shard, because its records are counted where they were read.
 * @throws AppError `shards_differ`, `totals_unequal`, `run_locked`, and those of `RunsFolder.open`
 */
export function mergeShards(paths: readonly string[], choice: MergeChoice): MergedShardsResult {
  const shards: ReadShard[] = [];
  const rows = new MergedRows();
  let retries = 0;
  for (const { folder, listed } of runsIn(paths, choice.cwd)) {
    if (listed.header === undefined) {
      if (!SHARD_ID.test(listed.id)) continue;
      throw 'error' in listed ? listed.error : new AppError('run_locked', { run: listed.id });
    }
    if (listed.header.options.selection?.shard === undefined) continue;
    if (listed.header.parent !== null) retries++;
    else {
      const read = readShard(listed.run, folder, choice);
      assertTogether(shards[0] ?? read, read);
      // The rows of a second run of a shard are refused below, with the names of both runs.
      if (shards.every(({ shard }) => shard.index !== read.shard.index)) rows.add(listed.run);
      shards.push(read);
    }
  }
  assertComplete(shards, paths);
  const report = mergedReport(shards, rows);
  const retried = retries === 1 ? '1 retry' : `${retries} retries`;
  const notes = retries === 0 ? [] : [`not counted: ${retried}, each with a report of its own`];
  const [{ header }] = shards as [ReadShard];
  return {
    kind: 'merged_shards',
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

/** The end of the id of a shard's run. */
const SHARD_ID = /-\d+of\d+(?:-\d+)?$/;

const RUN_FILE = /\.sqlite$/;

/** The runs of folders, and runs by the names of their files. Each is open until the next one is read. */
function* runsIn(
  paths: readonly string[],
  cwd: string,
): Generator<{ readonly folder: RunsFolder; readonly listed: ListedRun }> {
  const wanted = new Map<string, Set<string> | 'all'>();
  for (const path of paths.map((each) => resolve(cwd, each))) {
    if (!RUN_FILE.test(path)) wanted.set(path, 'all');
    else {
      const folder = dirname(path);
      const ids = wanted.get(folder) ?? new Set();
      if (ids !== 'all') wanted.set(folder, ids.add(basename(path).replace(RUN_FILE, '')));
    }
  }
  for (const [path, ids] of wanted) {
    const folder = new RunsFolder(path);
    const missing = ids === 'all' ? undefined : [...ids].find((id) => !folder.ids().includes(id));
    if (missing !== undefined) throw new AppError('run_not_found', { run: missing, folder: path });
    for (const listed of folder.list()) if (ids === 'all' || ids.has(listed.id)) yield { folder, listed };
  }
}

function readShard(run: RunFile, folder: RunsFolder, { settings, flags, cwd }: MergeChoice): ReadShard {
  const { header, condition } = run;
  if (condition === 'never_staged') throw new AppError('run_never_staged', { run: header.id });
  // The next command has to find the run here.
  const here = { value: folder.path, source: { kind: 'flag', name: '--run-dir' } } as const;
  const inFolder: Pick<Settings, 'resolved'> = {
    resolved: (name) => (name === 'runDir' ? (here as never) : settings.resolved(name)),
  };
  const commands = nextCommands(inFolder, flags, cwd);
  const report = run.report();
  const end = condition === 'done' ? null : run.end;
  const after = commandsAfter(run, commands);
  const ending = recordedEnding(condition, report, { end, resume: commands.resume(header), after });
  const { index, count } = header.options.selection!.shard!;
  const shard = { index, count, run: header.id, folder: folder.path, exit: ending.exit, rows: report.rows };
  return { shard, header, report, ending, durationMs: run.sendingMs() };
}

/** @throws AppError `shards_differ` */
function assertTogether(first: ReadShard, other: ReadShard): void {
  const differing = [
    first.header.resource === other.header.resource ? '' : 'the resource',
    first.header.contentSha256 === other.header.contentSha256 ? '' : 'the content of the files',
    first.header.target === other.header.target ? '' : 'the platform',
    first.shard.count === other.shard.count ? '' : 'the number of shards',
    ...otherInput(first.header, other.header).filter((part) => part !== '--shard'),
    first.report.rows.read === other.report.rows.read ? '' : 'the number of rows that were read',
  ].filter((part) => part !== '');
  if (differing.length === 0) return;
  const reason = `${first.header.id} and ${other.header.id} differ in ${differing.join(', ')}`;
  throw new AppError('shards_differ', { reason });
}

/** Every shard has to be there once. @throws AppError `shards_differ` */
function assertComplete(shards: readonly ReadShard[], paths: readonly string[]): void {
  const [first] = shards;
  if (!first) throw new AppError('shards_differ', { reason: `no run of a shard is in ${paths.join(', ')}` });
  const byIndex = Map.groupBy(shards, ({ shard }) => shard.index);
  for (let index = 1; index <= first.shard.count; index++) {
    const runs = (byIndex.get(index) ?? []).map(({ shard }) => shard.run);
    if (runs.length === 1) continue;
    const found = runs.length === 0 ? 'no run' : `${runs.length} runs: ${runs.join(', ')}`;
    throw new AppError('shards_differ', { reason: `shard ${index} of ${first.shard.count} has ${found}` });
  }
}

/** @throws AppError `totals_unequal` */
function mergedReport(shards: readonly ReadShard[], merged: MergedRows): RunReport {
  const [first, ...others] = shards.map(({ report }) => report) as [RunReport, ...RunReport[]];
  const reports = [first, ...others];
  const report: RunReport = {
    ...first,
    run: '',
    ...merged.counts(),
    requests: {
      total: total(reports, ({ requests }) => requests.total),
      retried: total(reports, ({ requests }) => requests.retried),
      byStatus: addedUp(reports.map(({ requests }) => requests.byStatus)),
    },
    accounts: {
      total: total(reports, ({ accounts }) => accounts.total),
      done: total(reports, ({ accounts }) => accounts.done),
      stopped: total(reports, ({ accounts }) => accounts.stopped),
    },
    controlTotals: mergedTotals(reports),
    platformAccounts: [],
    platformAccountsTotal: 0,
    problems: [],
    problemsTotal: 0,
    errorsTotal: 0,
    errorGroups: [],
    warningGroups: [],
  };
  const valid = total(report.controlTotals, ({ count }) => count);
  const { created, existing, verify, rejected, unknown, not_sent } = report.rows;
  const isWhole =
    addsUp(report.rows) &&
    report.rows.read === first.rows.read &&
    created + existing + verify + rejected + unknown + not_sent === valid;
  const [unequal] = unequalTotals(report);
  if (isWhole && !unequal) return report;
  const detail = unequal
    ? `${unequal.type ?? 'all'}: read ${unequal.read}, accepted ${unequal.accepted}`
    : JSON.stringify({ ...report.rows, valid });
  throw new AppError('totals_unequal', { what: 'the merged shards', detail });
}

/** The sums of each type, exact. */
function mergedTotals(reports: readonly RunReport[]): readonly ControlTotal[] {
  const byType = Map.groupBy(
    reports.flatMap(({ controlTotals }) => controlTotals),
    ({ type }) => type,
  );
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

/** Exits after which a person is needed before a shard can go on. */
const NEEDS_PERSON: ReadonlySet<ExitName> = new Set(['REFUSED', 'AUTH', 'RUN_FILE']);

/** The end of the shard that is furthest from done: one that needs a person, one that can go on, one with rows to look at. */
function mergedEnding(shards: readonly ReadShard[]): Ending {
  const endings = shards.map(({ ending }) => ending);
  return (
    endings.find(({ exit }) => NEEDS_PERSON.has(exit)) ??
    endings.find(({ exit }) => exit !== 'OK' && exit !== 'PARTIAL') ??
    endings.find(({ exit }) => exit === 'PARTIAL') ??
    endings[0]!
  );
}

function total<T>(parts: readonly T[], count: (part: T) => number): number {
  return parts.reduce((all, part) => all + count(part), 0);
}

function addedUp(counts: readonly Readonly<Record<string, number>>[]): Record<string, number> {
  const all: Record<string, number> = {};
  for (const [key, count] of counts.flatMap((each) => Object.entries(each)))
    all[key] = (all[key] ?? 0) + count;
  return all;
}

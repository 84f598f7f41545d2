import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '../../core/app-error.ts';
import type { Resource } from '../../core/contract/resources.ts';
import { fileReason } from '../../core/file-reason.ts';
import { notWritable } from '../run-file/access.ts';
import type { RunHeader } from '../run-file/run-header.ts';
import type { RunsFolder } from '../run-file/runs-folder.ts';

/** The input that all shards of a resource have in common. Runs with another input are shards of something else. */
interface Cohort {
  readonly content_sha256: string;
  readonly target: string;
  /** Hash of the contract; null for the interface alone. */
  readonly contract: string | null;
  readonly shards: number;
}

type Cohorts = Readonly<Partial<Record<Resource, Cohort>>>;

/** The parts of a cohort as they are named to a person. */
const PARTS = {
  content_sha256: () => 'the content of the file',
  target: () => 'the platform',
  contract: () => 'the contract',
  shards: (earlier: Cohort, wanted: Cohort) =>
    `the number of shards (${wanted.shards}, not ${earlier.shards})`,
} as const;

/**
 * The refusal (`cohort_differs`) of a shard that has another input than the shards of its resource that were begun in the folder.
 * With another number of shards, two processes would send one account. Another input is accepted when no run of the earlier one
 * is left, or each of its shards has a finished run. Call it while no other process begins a run. A run that takes every account
 * has no cohort.
 * @throws AppError `cohort_unreadable`, and those of `RunsFolder.list`
 */
export function otherCohort(header: Omit<RunHeader, 'id'>, folder: RunsFolder): AppError | undefined {
  const wanted = cohortOf(header);
  const earlier = wanted && readCohorts(folder)[header.resource];
  if (!wanted || !earlier) return undefined;
  const differing = differingParts(wanted, earlier);
  if (differing.length === 0) return undefined;
  const left = unfinishedShards(earlier, header.resource, folder);
  if (left === 0) return undefined;
  const what = differing.map((key) => PARTS[key](earlier, wanted)).join(', ');
  const facts = { folder: folder.path, resource: header.resource, left, shards: earlier.shards, what };
  return new AppError('cohort_differs', facts);
}

/** Records the cohort of a shard beside the runs. @throws AppError `cohort_unreadable`, `run_not_writable` */
export function rememberCohort(header: Omit<RunHeader, 'id'>, folder: RunsFolder): void {
  const cohort = cohortOf(header);
  if (!cohort) return;
  const cohorts: Cohorts = { ...readCohorts(folder), [header.resource]: cohort };
  const file = fileIn(folder);
  try {
    // A process that is killed here leaves the earlier file whole.
    writeFileSync(`${file}-new`, `${JSON.stringify({ version: 1, cohorts }, null, 2)}\n`, {
      mode: 0o600,
      flush: true,
    });
    renameSync(`${file}-new`, file);
  } catch (error) {
    throw notWritable(file, error);
  }
}

function cohortOf({ contentSha256, target, options }: Omit<RunHeader, 'id'>): Cohort | undefined {
  const shards = options.selection?.shard?.count;
  if (shards === undefined) return undefined;
  return { content_sha256: contentSha256, target, contract: options.contract?.sha256 ?? null, shards };
}

function differingParts(a: Cohort, b: Cohort): readonly (keyof Cohort)[] {
  const parts = Object.keys(PARTS) as readonly (keyof Cohort)[];
  return parts.filter((part) => a[part] !== b[part]);
}

/** How many shards of a cohort have work left, or were never begun. 0 when no run of the cohort is left at all. */
function unfinishedShards(cohort: Cohort, resource: Resource, folder: RunsFolder): number {
  const finished = new Set<number>();
  const unfinished = new Set<number>();
  let unread = 0;
  const runs = { resource, contentSha256: cohort.content_sha256, target: cohort.target };
  for (const { header, state } of folder.runsOf(runs)) {
    const of = header && cohortOf(header);
    if (!header) unread++;
    else if (of && differingParts(of, cohort).length === 0)
      (state === 'done' || state === 'forgotten' ? finished : unfinished).add(
        header.options.selection!.shard!.index,
      );
  }
  const done = finished.difference(unfinished).size;
  if (done + unfinished.size + unread === 0) return 0;
  return Math.max(cohort.shards - done, unread > 0 ? 1 : 0);
}

function fileIn(folder: RunsFolder): string {
  return join(folder.path, 'cohort.json');
}

/** @throws AppError `cohort_unreadable` */
function readCohorts(folder: RunsFolder): Cohorts {
  const file = fileIn(folder);
  try {
    const document = JSON.parse(readFileSync(file, 'utf8')) as { version: number; cohorts: Cohorts };
    if (document.version !== 1) throw new SyntaxError('another version');
    return document.cohorts;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    const reason = error instanceof SyntaxError ? 'it is not what was written' : fileReason(error);
    throw new AppError('cohort_unreadable', { file, reason }, error);
  }
}

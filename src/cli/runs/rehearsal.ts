import { AppError } from '../../core/app-error.ts';
import type { Resource } from '../../core/contract/resources.ts';
import { clockOfInstant } from '../../core/values/instant.ts';
import { samplesOf, type RehearsedRun, type Samples } from '../forecast/samples.ts';
import { namedRuns, openedRuns } from './listed-runs.ts';

/** The samples and times that a night is forecast from. */
export interface Rehearsal {
  readonly samples: Samples;
  /** How long its files were read before the first request, in milliseconds, and how many bytes they have. */
  readonly readingMs: number;
  readonly bytes: number;
}

/** Fewer requests say nothing about the next ones. */
const FEWEST_SAMPLES = 20;

/** A command of the rehearsal: one run, or all runs that `migrate` sent together. */
interface Command {
  begunMs: number;
  firstRequestMs: number;
  bytes: number;
}

/**
 * Reads the rehearsal of a night. `typed`: run files, folders, and ids and cohorts of `runDir`. `needed`: the requests of the
 * night by resource, because a resource with few requests needs no more samples than it has requests.
 * @throws AppError `plan_without_basis`, `run_locked`, and those of `namedRuns`
 */
export function rehearsalOf(
  typed: readonly string[],
  needed: ReadonlyMap<Resource, number>,
  { cwd, runDir }: { readonly cwd: string; readonly runDir: string },
): Rehearsal {
  const runs: RehearsedRun[] = [];
  const commands = new Map<string, Command>();
  for (const { folder, listed } of openedRuns(namedRuns(typed, cwd, runDir))) {
    if (listed.header === undefined)
      throw 'error' in listed ? listed.error : new AppError('run_locked', { run: listed.id });
    const { header, run } = listed;
    const timings = run.attemptTimings();
    runs.push({ resource: header.resource, timings });
    // A cohort is read whole before its first request, also for a plan of one of its resources.
    if (!needed.has(header.resource) && run.choice.cohort === undefined) continue;
    const { cohort } = run.choice;
    const key = cohort
      ? `${cohort.name} ${folder.path} ${header.options.selection.shard?.index ?? ''}`
      : header.id;
    const command = commands.get(key) ?? { begunMs: Infinity, firstRequestMs: Infinity, bytes: 0 };
    commands.set(key, command);
    command.begunMs = Math.min(command.begunMs, clockOfInstant(header.createdAt));
    for (const { startedMs } of timings) command.firstRequestMs = Math.min(command.firstRequestMs, startedMs);
    command.bytes += header.sources.reduce((sum, { bytes }) => sum + bytes, 0);
  }
  const samples = samplesOf(runs);
  assertBasis(samples, { runs, typed, needed });
  const begun = [...commands.values()].filter(({ firstRequestMs }) => firstRequestMs < Infinity);
  return {
    samples: new Map([...samples].filter(([resource]) => needed.has(resource))),
    readingMs: begun.reduce((sum, each) => sum + Math.max(0, each.firstRequestMs - each.begunMs), 0),
    bytes: begun.reduce((sum, { bytes }) => sum + bytes, 1),
  };
}

function assertBasis(
  samples: Samples,
  {
    runs,
    typed,
    needed,
  }: {
    readonly runs: readonly RehearsedRun[];
    readonly typed: readonly string[];
    readonly needed: ReadonlyMap<Resource, number>;
  },
): void {
  const sent = [...new Set(runs.map(({ resource }) => resource))].join(', ');
  const few = (found: number, least: number, of = ''): string =>
    `${found} of its requests${of} were answered, and ${least} are needed`;
  const reasons = [...needed].map(([resource, requests]) => {
    const found = samples.get(resource)?.length ?? 0;
    const least = Math.min(FEWEST_SAMPLES, requests);
    if (requests > 0 && !runs.some((run) => run.resource === resource))
      return runs.length === 0 ? 'no run is there' : `it sent ${sent}, and the plan is for ${resource}`;
    return found < least ? few(found, least, ` with ${resource}`) : undefined;
  });
  const all = [...needed.keys()].reduce((sum, resource) => sum + (samples.get(resource)?.length ?? 0), 0);
  const reason =
    reasons.find((each) => each !== undefined) ??
    (all < FEWEST_SAMPLES ? few(all, FEWEST_SAMPLES) : undefined);
  if (reason !== undefined) throw new AppError('plan_without_basis', { run: typed.join(', '), reason });
}

import { AppError } from '../../core/app-error.ts';
import type { Timing } from '../push/ports/timing.ts';
import type { LoggedRequest } from '../../server/start.ts';
import type { ClientRun, Limits } from './client-run.ts';
import { faultPlan, type Fault } from './fault-kinds.ts';
import { FINDING_KINDS, findingsIn, type Finding } from './findings.ts';
import { referenceOf } from './reference.ts';

/** A finding with the run that shows it, and how many runs have shown the like. */
export interface FoundFinding {
  readonly finding: Finding;
  readonly run: ClientRun;
  readonly runs: number;
}

/** Everything that is known when a trial ends. */
export type Trial = Awaited<ReturnType<typeof trialOf>>;

export interface TrialOptions {
  readonly run: (fault: Fault | undefined, limits: Limits) => Promise<ClientRun>;
  readonly timing: Timing;
  /** Aborts when no run is to begin. */
  readonly stopping: AbortSignal;
  readonly budgetMs: number;
  /** Receives what the client wrote when it failed without a fault. */
  readonly showOutput: (output: string) => void;
  readonly mostRuns: number;
  readonly jobs: number;
  readonly restart: boolean;
}

/** The log of the platform keeps the bodies of so many requests, and a run is repeated for each fault. */
const MOST_REQUESTS = 1_000;

/** The time that a run may take, beside five times that of an undisturbed one, in milliseconds. */
const PATIENCE_MS = 30_000;

/** Clocks of clients count seconds, so that undisturbed runs in different seconds show what is taken from a clock. */
const SECOND_MS = 1_100;

/** Two runs to compare others with, and the limits of others. @throws AppError `usage` */
async function undisturbedRuns({ run: runOnce, showOutput, timing, stopping, budgetMs }: TrialOptions) {
  const undisturbed = async (): Promise<ClientRun> => {
    const run = await runOnce(undefined, { runMs: budgetMs, requests: MOST_REQUESTS });
    const reason = reasonAgainst(run, MOST_REQUESTS);
    if (reason === undefined || run.ended === 'stopped') return run;
    showOutput(run.output);
    throw notTried(reason);
  };
  const first = await undisturbed();
  await timing.sleep(SECOND_MS, stopping);
  const second = await undisturbed();
  // A run that was stopped has stored what it has stored.
  if (!stopping.aborted && first.records.length !== second.records.length) {
    const counts = `${first.records.length} and ${second.records.length}`;
    throw notTried(`two runs stored ${counts} records; $DATAIMPORT_RUN_DIR is a new folder for each run`);
  }
  const limits = { runMs: PATIENCE_MS + 5 * first.durationMs, requests: 100 + 10 * first.requests.length };
  return { first, second, limits };
}

/** Runs a client undisturbed, and then with one fault after the other until the budget is used up. */
export async function trialOf(options: TrialOptions) {
  const { timing, stopping, jobs, mostRuns, restart } = options;
  const startedMs = timing.monotonicMs();
  const isOver = (): boolean => stopping.aborted || timing.monotonicMs() - startedMs > options.budgetMs;
  const { first, second, limits } = await undisturbedRuns(options);
  let reference = referenceOf([first, second]);
  const all = faultPlan(plannedRequests(first), restart);
  const [plan, planned] = [all.slice(0, mostRuns), all.length];
  /** The number of runs in which each kind of fault has struck. */
  const struck = new Map<string, number>();
  /** The runs in which something went wrong, with their places in the plan. */
  const wrong: { run: ClientRun; place: number }[] = [];
  let runs = 0;
  const lane = async (): Promise<void> => {
    while (!isOver() && runs < plan.length) {
      const place = runs++;
      const { name } = plan[place]!.kind;
      const run = await options.run(plan[place], limits);
      if (run.ended === 'stopped') return;
      if (run.requests.some(({ faults }) => faults)) struck.set(name, (struck.get(name) ?? 0) + 1);
      if (findingsIn(run, reference).length > 0) wrong.push({ run, place });
    }
  };
  await Promise.all(Array.from({ length: jobs }, lane));

  // A clock that counts minutes may have gone on since the first runs.
  const third = wrong.length > 0 && !stopping.aborted ? await options.run(undefined, limits) : undefined;
  if (third && reasonAgainst(third, limits.requests) === undefined)
    reference = referenceOf([first, second, third]);
  const found = wrong
    .toSorted((one, other) => one.place - other.place)
    .flatMap(({ run }) => findingsIn(run, reference).map((finding) => ({ finding, run })));
  const alike = Map.groupBy(found, ({ finding, run }) => `${finding.kind} ${run.fault?.kind.name}`);
  const findings: FoundFinding[] = [...alike.values()].map((each) => ({ ...each[0]!, runs: each.length }));
  if (!reference.isOrdered) {
    const shownBy = first.requests.map(({ seq }) => seq);
    const finding: Finding = { kind: 'order', says: 'two undisturbed runs differ', shownBy };
    findings.unshift({ finding, run: first, runs: 1 });
  }
  const rankOf = ({ finding }: FoundFinding): number => FINDING_KINDS.indexOf(finding.kind);
  return {
    undisturbed: first,
    durationMs: timing.monotonicMs() - startedMs,
    reference,
    struck,
    /** Names of the kinds for which there was a run. */
    tried: new Set(plan.slice(0, runs).map(({ kind }) => kind.name)),
    runs,
    planned,
    /** The worst first. */
    findings: findings.toSorted((one, other) => rankOf(one) - rankOf(other)),
  };
}

const notTried = (reason: string): AppError => new AppError('client_not_tried', { reason });

/** Why a run without faults is nothing to compare with. */
function reasonAgainst(
  { ended, exitCode, requests, records, durationMs }: ClientRun,
  most: number,
): string | undefined {
  const seen = `${requests.length} requests reached the platform`;
  const seconds = Math.round(durationMs / 1_000);
  if (ended === 'requests') return `it sent more than ${most} requests without a fault; give it less to send`;
  if (ended === 'time') return `it did not end within ${seconds} s without a fault; ${seen}`;
  if (exitCode === null) return `it could not be started, or was killed; ${seen}`;
  if (exitCode !== 0) return `it ended with exit code ${exitCode} without a fault; ${seen}`;
  if (requests.length === 0)
    return 'no request reached the platform; the client has to send to $DATAIMPORT_BASE_URL with $DATAIMPORT_API_KEY';
  return records.length === 0 ? `no record was stored; ${seen}` : undefined;
}

/** How many different requests each endpoint has accepted. Requests for a token are alike. */
function plannedRequests({ requests }: ClientRun): ReadonlyMap<string, number> {
  const accepted = requests.filter(({ endpoint, status }) => endpoint !== null && (status ?? 300) < 300);
  const textOf = ({ path, query, request_body: body }: LoggedRequest): string => `${path} ${query} ${body}`;
  return new Map(
    [...Map.groupBy(accepted, ({ endpoint }) => endpoint!)].map(([endpoint, own]) => [
      endpoint,
      new Set(own.map(textOf)).size,
    ]),
  );
}

import { total } from '../../core/values/counts.ts';
import { clockOfInstant } from '../../core/values/instant.ts';
import type { ExpectedTime, SendingPlan } from '../output/run/run-document.ts';
import type { RunFile } from '../run-file/run-file.ts';
import { rateOf } from './drain-runs.ts';
import type { Sending } from './sending.ts';

/** Fewer requests say nothing about the next ones. */
const FEWEST_REQUESTS = 20;

/** A longer pause between two requests is one between commands. */
const PAUSE_MS = 600_000;

/** How long sending takes; undefined when neither a rate limit nor an earlier run says anything about it. */
export function expectedTime(
  runs: readonly RunFile[],
  plans: readonly SendingPlan[],
  sending: Sending,
): ExpectedTime | undefined {
  const [records, requests] = [total(plans, (plan) => plan.records), total(plans, (plan) => plan.requests)];
  const rate = rateOf(sending.settings, sending.shard?.count ?? 1);
  const measured = records === 0 ? undefined : measuredSpeed(runs, sending);
  if (records === 0 || (!rate && !measured)) return undefined;
  return {
    rate_limit_ms: rate ? Math.round(((requests - 1) * rate.perMs) / rate.requests) : null,
    measured_ms: measured ? Math.round((records * measured.ms) / measured.rows) : null,
    run: measured?.run ?? null,
  };
}

/** The speed of the newest run to the target, together with the runs of its cohort, which were sent at the same time. */
function measuredSpeed(planned: readonly RunFile[], { history, scopeOf }: Sending) {
  const known = planned.flatMap(({ header }) => history?.runs(scopeOf(header.resource)) ?? []);
  for (const { id, cohort } of known.toSorted((a, b) => b.turn - a.turn)) {
    const mates = cohort === null ? [{ id }] : known.filter((run) => run.cohort === cohort);
    const runs = mates.flatMap((mate) => history!.other(mate.id) ?? []);
    const rows = total(
      runs.map((run) => run.rows()),
      ({ created, existing, uncompared, rejected }) => created + existing + uncompared + rejected,
    );
    const { requests, ms } = activeTime(runs);
    history!.release();
    if (requests >= FEWEST_REQUESTS && rows > 0) return { run: id, rows, ms };
  }
  return undefined;
}

/** The time in which requests were in flight or waited for, in milliseconds. */
function activeTime(runs: readonly RunFile[]): { requests: number; ms: number } {
  const times = runs
    .flatMap((run) => [...run.measuring.attempts()])
    .flatMap(({ startedAt, endedAt }) =>
      endedAt === null ? [] : [[clockOfInstant(startedAt), clockOfInstant(endedAt)] as const],
    );
  let [ms, until] = [0, -Infinity];
  for (const [from, end] of times.toSorted(([a], [b]) => a - b)) {
    ms += Math.max(0, end - (from - until < PAUSE_MS ? until : from));
    until = Math.max(until, end);
  }
  return { requests: times.length, ms: Math.max(1, ms) };
}

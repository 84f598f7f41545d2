import { total } from '../../core/values/counts.ts';
import { clockOfInstant } from '../../core/values/instant.ts';
import type { ExpectedTime, SendingPlan } from '../output/run/run-document.ts';
import { platformOf } from '../journal/database/run-header.ts';
import { OpenJournals, readingsIn } from '../journal/found-readings.ts';
import type { Reading } from '../journal/reading.ts';
import { rateOf } from './drain-runs.ts';
import type { Sending } from './sending.ts';

/** Fewer requests say nothing about the next ones. */
const FEWEST_REQUESTS = 20;

/** A longer pause between two requests is one between commands. */
const PAUSE_MS = 600_000;

/** How long sending takes; undefined when neither a rate limit nor an earlier run says anything about it. */
export function expectedTime(
  runs: readonly Reading[],
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

/** The speed of the newest readings of the journals that the records would go to. */
function measuredSpeed(planned: readonly Reading[], { folder, scopeOf }: Sending) {
  const journals = new OpenJournals();
  try {
    const { found } = readingsIn(folder, journals);
    const platforms = planned.map(({ header }) => platformOf(scopeOf(header.resource)));
    const known = found.filter(({ header, isStaged }) => isStaged && platforms.includes(platformOf(header)));
    for (const { header } of known) {
      const mates = known.filter((each) =>
        header.cohort === null ? each.header.id === header.id : each.header.cohort === header.cohort,
      );
      const runs = mates.map((mate) => journals.reading(mate));
      const rows = total(
        runs.map((run) => run.rows()),
        ({ created, existing, uncompared, rejected }) => created + existing + uncompared + rejected,
      );
      const { requests, ms } = activeTime(runs);
      if (requests >= FEWEST_REQUESTS && rows > 0) return { run: header.id, rows, ms };
    }
    return undefined;
  } finally {
    journals.close();
  }
}

/** The time in which requests were in flight or waited for, in milliseconds. */
function activeTime(runs: readonly Reading[]): { requests: number; ms: number } {
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

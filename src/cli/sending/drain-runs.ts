import { AppError } from '../../core/app-error.ts';
import { fileReason } from '../../core/file-reason.ts';
import { observer } from '../../core/observer.ts';
import { preciseInstantOfClock } from '../../core/values/instant.ts';
import { freeHandles } from '../../files/free-handles.ts';
import { mostConcurrency } from '../command/connection.ts';
import type { Progress } from '../output/progress/progress.ts';
import type { DeliveryPolicy } from '../push/send/deliver.ts';
import { drain, type DrainEnd, type DrainPolicy } from '../push/send/drain.ts';
import type { ChainHead } from '../push/ports/report.ts';
import type { DrainRun } from '../push/ports/run.ts';
import type { Journal } from '../journal/journal.ts';
import type { Reading } from '../journal/reading.ts';
import { accountNumberField } from '../sources/applied-contract.ts';
import type { Sending } from './sending.ts';

/** How often the head of a chain is noted while records are sent, at most, in milliseconds. */
const SEEN_EVERY_MS = 250;

/** The operations of draining a reading. The head of the chain is noted beside the journal while it grows. */
export function drainingOf(
  { run, journal }: { readonly run: Reading; readonly journal: Journal | undefined },
  { ports }: Sending,
): DrainRun {
  const { timing } = ports.io;
  const now = (): string => preciseInstantOfClock(timing.nowMs());
  let seenMs = -Infinity;
  const see = (head: ChainHead): void => {
    if (timing.monotonicMs() - seenMs < SEEN_EVERY_MS) return;
    seenMs = timing.monotonicMs();
    journal!.see(head);
  };
  // The journal has what was committed, so a failure beside it says nothing about it.
  const onCommit =
    journal &&
    observer(see, (error) => {
      const text = `how far the journal has grown is not noted any more, and the command goes on: ${fileReason(error)}`;
      ports.output.emit({ kind: 'notice', text });
    });
  return run.draining(now, onCommit ? { onCommit } : {});
}

/** Sends what is open in runs. `parts`: the operations that the policy names, as one run. */
export function drainRuns(
  runs: readonly Reading[],
  sending: Sending,
  { run, accounts, progress }: { run: DrainRun; accounts?: DrainPorts['accounts']; progress: Progress },
): Promise<DrainEnd> {
  const { interruption, ports, flags, settings, shard, contract, reached } = sending;
  const ofAll = {
    retryForMs: settings.need('retryFor'),
    accountNumberField: accountNumberField('payment-instructions', settings, contract),
  };
  const deliveries = runs.map((each): DeliveryPolicy => {
    const { resource, options, database } = each.header;
    const acceptsExisting = each.choice.onExisting === 'accept';
    return { resource, options, database, sources: each.allSources(), acceptsExisting, ...ofAll };
  });
  const { maxErrors, maxDuration: wholeMs } = flags;
  const rate = settings.get('rateLimit');
  return drain(
    {
      delivery: ({ part = 0 }) => deliveries[part]!,
      onReject: runs[0]!.choice.onReject,
      severalSuppliers: new Set(runs.flatMap((each) => each.suppliers())).size > 1,
      firstAlone: true,
      concurrency: concurrencyWithinHandles(mostConcurrency(settings)),
      // Shards do not talk to each other, so each has its part of the rate.
      rate: rate && { ...rate, perMs: rate.perMs * (shard?.count ?? 1) },
      pausedUntilMs: reached!.pausedUntilMs,
      ...(wholeMs !== undefined && {
        maxDuration: { wholeMs, leftMs: wholeMs - sending.elapsedMs() },
      }),
      errors: errorBudget(runs, maxErrors),
    },
    {
      run,
      ...(accounts && { accounts }),
      platform: reached!.platform,
      timing: ports.io.timing,
      emit: progress.emit,
      stopping: interruption.stopping,
      abort: interruption.abort,
    },
  );
}

type DrainPorts = Parameters<typeof drain>[1];

/** Files that a run may still open while it sends, such as journals, reports and parts of this program. */
const KEPT_HANDLES = 16;

/** A connection is not free again when its answer has been read, so the next request may open another one. */
const HANDLES_PER_REQUEST = 2;

/** Connections are open files, and a few more files must stay possible (`ulimit -n`). */
function concurrencyWithinHandles(most: number): number {
  const free = freeHandles(most * HANDLES_PER_REQUEST + KEPT_HANDLES) - KEPT_HANDLES;
  return Math.max(1, Math.floor(free / HANDLES_PER_REQUEST));
}

/** Rows that are wrong so far, and how many may be. */
function errorBudget(runs: readonly Reading[], limit: Sending['flags']['maxErrors']): DrainPolicy['errors'] {
  if (limit === undefined) return { soFar: 0, limit: Infinity };
  const counts = runs.map((run) => run.rows());
  const soFar = counts.reduce((all, { invalid, rejected }) => all + invalid + rejected, 0);
  const read = counts.reduce((all, rows) => all + rows.read, 0);
  const most = 'rows' in limit ? limit.rows : Math.floor((read * limit.percent) / 100);
  return { soFar, limit: most };
}

/**
 * Erases the payloads of a run of which nothing is left to do. A full disk leaves the payloads where they are, before this and
 * now. The result is shown all the same.
 */
export function afterErasing(
  run: Pick<Reading, 'condition' | 'eraseSettledPayloads'>,
  end: DrainEnd,
): DrainEnd {
  if (end.kind === 'unrecorded' || run.condition !== 'done') return end;
  try {
    run.eraseSettledPayloads();
    return end;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const { code, facts } = error;
    return { kind: 'unrecorded', reason: { code, facts } };
  }
}

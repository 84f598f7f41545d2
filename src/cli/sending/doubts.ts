import { preciseInstantOfClock } from '../../core/values/instant.ts';
import type { Progress } from '../output/progress/progress.ts';
import { counted } from '../output/text/text.ts';
import { drain, type DrainEnd } from '../push/send/drain.ts';
import type { IndexedRun } from '../run-file/history/history-index.ts';
import type { RunFile } from '../run-file/run-file.ts';
import type { NewRunHeader } from '../sources/version.ts';
import { deliveryOf, logged, paceOf } from './drain-runs.ts';
import { openRun } from './part.ts';
import type { Sending } from './sending.ts';

/** A run whose doubts could not be settled, and why. */
export type LeftDoubts = { readonly run: RunFile; readonly end: DrainEnd };

/**
 * Settles what became of requests of other versions that may have been applied: they are sent again in the way that is safe for the
 * resource, and nothing else is. Returns the first run that still has doubts; undefined when nothing is in doubt any more.
 * @throws AppError `run_locked` while another process has such a run
 */
export async function settleDoubts(
  sending: Sending,
  wanted: Pick<NewRunHeader, 'resource' | 'target' | 'database' | 'version'>,
  progress: () => Promise<Progress>,
): Promise<LeftDoubts | undefined> {
  const { history, shard } = sending;
  if (!history || !sending.reached) return undefined;
  const doubtful = history
    .runs(wanted)
    .filter((run) => run.hasDoubts && run.version !== wanted.version && isBeside(run, shard));
  for (const { id } of doubtful) {
    const run = openRun(sending, history, id);
    const now = (): string => preciseInstantOfClock(sending.ports.io.timing.nowMs());
    run.openDoubts(now());
    sayWhatIsAsked(run, sending);
    const end = await drainDoubts(sending, run, { now, progress: await progress() });
    const isSettled = !run.history.facts().hasDoubts;
    history.learn(run);
    if (!isSettled) return { run, end };
    run.close();
    history.noteClosed(id);
  }
  return undefined;
}

/** Says which rows are sent again: the files of the command may not have them any more. */
function sayWhatIsAsked(run: RunFile, { ports }: Sending): void {
  const files = Map.groupBy(run.unknownRows(), ({ file }) => file);
  for (const [file, { length: rows }] of files) {
    const which = `${counted(rows, 'row')} of ${file} as the run ${run.header.id} read it`;
    const text = `first: no answer says whether ${which} arrived; sending again to find out, also if the file has changed`;
    ports.output.emit({ kind: 'notice', text });
  }
}

/** Whether a run may have accounts of a shard. */
function isBeside({ shard }: IndexedRun, own: Sending['shard']): boolean {
  return (
    shard === null ||
    own === undefined ||
    !shard.endsWith(`/${own.count}`) ||
    shard === `${own.index}/${own.count}`
  );
}

async function drainDoubts(
  sending: Sending,
  run: RunFile,
  { now, progress }: { now: () => string; progress: Progress },
): Promise<DrainEnd> {
  const { ports, interruption } = sending;
  const { timing } = ports.io;
  const delivery = deliveryOf(run, sending);
  const { end } = await drain(
    {
      delivery: () => delivery,
      ...paceOf(sending),
      // A record that is refused now is not there, and that is all that is asked.
      onReject: 'skip',
      errors: { soFar: 0, limit: Infinity },
    },
    {
      run: run.draining(now, { batches: 'doubts' }),
      platform: sending.reached!.platform,
      timing,
      emit: logged(progress.emit, ports.log),
      stopping: interruption.stopping,
      abort: interruption.abort,
    },
  );
  return end;
}

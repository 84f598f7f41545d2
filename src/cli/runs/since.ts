import { AppError } from '../../core/app-error.ts';
import type { ClosingStep } from '../command-ports.ts';
import type { EarlierRecord } from '../push/ports/staging.ts';
import { areDisjoint, type Shard } from '../push/ports/run.ts';
import { belongsTo } from '../push/stage-job.ts';
import type { RunFile } from '../run-file/run-file.ts';
import type { RunHeader } from '../run-file/run-header.ts';
import type { RunsFolder } from '../run-file/runs-folder.ts';
import type { SentRecord } from '../verify/ports.ts';
import { merged } from '../verify/record-groups.ts';
import { openRunsToCompare } from './compared-runs.ts';

/** A record with one of these outcomes is on the platform. */
const ARRIVED: ReadonlySet<SentRecord['outcome']> = new Set(['created', 'existing', 'verify']);

/** Finished runs whose records are not sent again (`--only-new --since`). They are open until they are closed. */
export interface SinceRuns {
  readonly records: Iterable<EarlierRecord>;
  close(): void;
}

/**
 * Opens the runs of `--since` that a new run names, with the runs that took records over from them. When they cannot be opened,
 * the new run is removed, because it has read nothing yet.
 * @throws AppError `usage` for runs that do not belong to the new run, and those of `openRunsToCompare`
 */
export function openSince(run: RunFile, folder: RunsFolder): SinceRuns | undefined {
  const { id, resource, target, options } = run.header;
  const { since, shard } = options.selection ?? {};
  if (since === undefined) return undefined;
  const steps: ClosingStep[] = [];
  const close = (): void => {
    for (const step of steps.splice(0)) void step();
  };
  try {
    const onClose = (step: ClosingStep): void => void steps.push(step);
    const runs = openRunsToCompare(since, resource, { folder, onClose, command: 'push' });
    const named = runs.slice(0, new Set(since).size).map(({ header }) => header);
    for (const header of named) assertUsable(header, target);
    assertWhole(named, shard);
    return { records: arrivedRecords(runs, shard), close };
  } catch (error) {
    close();
    run.close();
    folder.remove(id);
    throw error;
  }
}

function* arrivedRecords(runs: readonly RunFile[], shard: Shard | undefined): Generator<EarlierRecord> {
  const names = runs.map((run) => run.mappedSources.map(({ name }) => name));
  const records = merged(runs.map((run, origin) => run.proving.sentRecords(origin)));
  for (const record of records) {
    if (!ARRIVED.has(record.outcome)) continue;
    const { import_supplier, external_account_number, key, variant, content, origin, source, line } = record;
    const position = { file: names[origin]![source - 1]!, line, run: runs[origin]!.header.id };
    const isOfShard = belongsTo(shard, external_account_number);
    yield { import_supplier, external_account_number, key, variant, content, ...position, isOfShard };
  }
}

/** @throws AppError `usage` */
function assertUsable({ id, parent, target }: RunHeader, wanted: string): void {
  // Nothing is sent without a target.
  if (wanted !== '' && target !== wanted) throw unusable(`the run ${id} was sent to ${target}`);
  if (parent !== null) throw unusable(`the run ${id} is a retry: name ${parent}, which read the files`);
}

/** Every account of the new run needs the run that had it. @throws AppError `usage` */
function assertWhole(headers: readonly RunHeader[], shard: Shard | undefined): void {
  const shards = headers.flatMap(({ options }) => options.selection?.shard ?? []);
  const [first] = shards;
  if (first === undefined || shards.length < headers.length) return;
  const isSame =
    shard !== undefined && shards.some((each) => each.count === shard.count && !areDisjoint(each, shard));
  const indexes = new Set(shards.filter(({ count }) => count === first.count).map(({ index }) => index));
  if (!isSame && indexes.size < first.count)
    throw unusable(
      `the runs of --since are ${indexes.size} of ${first.count} shards: name the runs of all shards`,
    );
}

function unusable(reason: string): AppError {
  return new AppError('usage', { reason: `--since: ${reason}`, command: 'push' });
}

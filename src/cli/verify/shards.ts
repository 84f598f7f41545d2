import { AppError } from '../../core/app-error.ts';
import type { RunHeader } from '../journal/database/run-header.ts';
import type { RowEnd } from '../journal/read/reporting.ts';
import type { Reading } from '../journal/reading.ts';
import {
  LEFT_OUT_KINDS,
  NO_ROWS,
  type LeftOut,
  type LeftOutKind,
  type RowCounts,
} from '../push/ports/report.ts';

const shardOf = ({ options }: RunHeader) => options.selection.shard;

/**
 * Asserts that no two runs of the same files, sent in the same way, have a row in common, because each row is counted once.
 * @throws AppError `shards_differ`; `usage` for a run without a shard
 */
export function assertOnce([run, ...more]: readonly RunHeader[], command: string): void {
  if (!run || more.length === 0) return;
  const shard = shardOf(run);
  for (const header of more) {
    const other = shardOf(header);
    const both = `${run.id} and ${header.id}`;
    if (!shard || !other) {
      const reason = `${both} are runs of the same file, and each row is counted once: name one of them`;
      throw new AppError('usage', { reason, command });
    }
    if (other.count !== shard.count)
      throw new AppError('shards_differ', { reason: `${both} differ in the number of shards` });
    if (other.index === shard.index) {
      const reason = `shard ${shard.index} of ${shard.count} has 2 runs: ${run.id}, ${header.id}`;
      throw new AppError('shards_differ', { reason });
    }
  }
  assertOnce(more, command);
}

/**
 * Asserts that every shard of a file has a run. A run of the whole file has none.
 * @throws AppError `shards_differ`, which names all shards without a run
 */
export function assertComplete(runs: readonly RunHeader[]): void {
  const [first] = runs;
  const { count } = (first && shardOf(first)) ?? { count: 0 };
  const all = Array.from({ length: count }, (_, index) => index + 1);
  const missing = all.filter((index) => !runs.some((header) => shardOf(header)!.index === index));
  if (missing.length === 0) return;
  const named =
    missing.length === 1
      ? `shard ${missing[0]} of ${count} has`
      : `shards ${missing.join(', ')} of ${count} have`;
  const reason = `${named} no run with the same content, mapping, contract and options on the same platform`;
  throw new AppError('shards_differ', { reason });
}

/** Everything that decides what is sent, beside the content of the files and the shard. */
export function inputOf({ options, inputs }: RunHeader): string {
  const { shard: _, ...selection } = options.selection;
  return JSON.stringify([{ ...options, selection }, inputs.map(({ sha256 }) => sha256)]);
}

/**
 * The rows of all shards of a file, each counted once. Every shard reads every row. A row belongs to the shard that has not left it out for
 * another one; a row that the mapping leaves out, or whose account number cannot be read, ends in the same way in all of them.
 * @throws AppError `totals_unequal` for any other row
 */
export function rowsOfShards(shards: readonly Pick<Reading, 'rowEnds'>[]): {
  readonly rows: RowCounts;
  readonly leftOut: readonly LeftOut[];
} {
  const rows = { ...NO_ROWS };
  const leftOut = new Map<string, { kind: LeftOutKind; place: string; count: number }>();
  const readers = shards.map((shard) => shard.rowEnds()[Symbol.iterator]());
  try {
    for (;;) {
      const steps = readers.map((ends) => ends.next());
      if (steps.every(({ done }) => done)) break;
      rows.read++;
      const own = steps.flatMap(({ value, done }) => (done || value.kind === 'shard' ? [] : [value]));
      const [end] = own;
      const isOnce = own.length === 1 || (own.length === shards.length && isOfAll(own));
      if (!end || !isOnce || steps.some(({ done }) => done))
        throw new AppError('totals_unequal', {
          what: 'the shards',
          detail: `row ${rows.read} is in ${own.length} of ${shards.length} shards`,
        });
      rows[end.end]++;
      if (end.kind === null) continue;
      const key = `${end.kind} ${end.place}`;
      const known = leftOut.get(key);
      if (known) known.count++;
      else leftOut.set(key, { kind: end.kind, place: end.place ?? '', count: 1 });
    }
  } finally {
    for (const reader of readers) reader.return?.();
  }
  const orderOf = ({ kind }: LeftOut): number => LEFT_OUT_KINDS.indexOf(kind);
  return { rows, leftOut: [...leftOut.values()].toSorted((a, b) => orderOf(a) - orderOf(b)) };
}

/** Whether a row ends in the same way in every shard, and may do so. */
function isOfAll([first, ...rest]: readonly RowEnd[]): boolean {
  const { end, kind, place } = first!;
  return (
    (end === 'invalid' || end === 'filtered') &&
    rest.every((other) => other.end === end && other.kind === kind && other.place === place)
  );
}

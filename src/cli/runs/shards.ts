import { AppError } from '../../core/app-error.ts';
import { platformOf, type RunHeader } from '../journal/database/run-header.ts';

/** A run, and the number of rows that it has read, where that is known. */
export type ShardRun = { readonly header: RunHeader; readonly read?: number };

const shardOf = ({ options }: RunHeader) => options.selection.shard;

/**
 * Asserts that no run has rows of a run in `runs`, because each row is counted once. `runs`: of the same files, sent in the same way.
 * @throws AppError `shards_differ`; `usage` for a run without a shard
 */
export function assertOnce(runs: readonly RunHeader[], header: RunHeader, command: string): void {
  const shard = shardOf(header);
  for (const run of runs) {
    const other = shardOf(run);
    if (!shard || !other) {
      const reason = `${run.id} and ${header.id} are runs of the same file, and each row is counted once: name one of them`;
      throw new AppError('usage', { reason, command });
    }
    if (other.count !== shard.count) {
      const reason = differing(run, header, ['the number of shards']);
      throw new AppError('shards_differ', { reason });
    }
    if (other.index === shard.index) {
      const reason = `shard ${shard.index} of ${shard.count} has 2 runs: ${run.id}, ${header.id}`;
      throw new AppError('shards_differ', { reason });
    }
  }
}

/**
 * Asserts that every shard of a file has a run. A run of the whole file has none. `strangers`: runs of other files, or that were sent in another way; one of them
 * may be the missing shard.
 * @throws AppError `shards_differ`, which names all shards without a run, and what a stranger has different
 */
export function assertComplete(shards: readonly ShardRun[], strangers: readonly RunHeader[] = []): void {
  const [first] = shards;
  const { count } = (first && shardOf(first.header)) ?? { count: 0 };
  for (const { header, read } of shards)
    if (read !== first!.read) {
      const reason = differing(first!.header, header, ['the number of rows that were read']);
      throw new AppError('shards_differ', { reason });
    }
  const all = Array.from({ length: count }, (_, index) => index + 1);
  const missing = all.filter((index) => !shards.some(({ header }) => shardOf(header)!.index === index));
  if (missing.length === 0) return;
  const stranger = strangers.find(
    (run) => run.resource === first!.header.resource && missing.includes(shardOf(run)?.index ?? 0),
  );
  const difference = stranger ? `; ${differenceOf(first!.header, stranger)}` : '';
  const named =
    missing.length === 1
      ? `shard ${missing[0]} of ${count} has`
      : `shards ${missing.join(', ')} of ${count} have`;
  throw new AppError('shards_differ', { reason: `${named} no run${difference}` });
}

function differenceOf(a: RunHeader, b: RunHeader): string {
  return differing(
    a,
    b,
    [
      a.contentSha256 === b.contentSha256 ? '' : 'the content of the files',
      platformOf(a) === platformOf(b) ? '' : 'the platform',
      shardOf(a)!.count === shardOf(b)!.count ? '' : 'the number of shards',
      inputOf(a) === inputOf(b) ? '' : 'the mapping, the contract or an option',
    ].filter((part) => part !== ''),
  );
}

const differing = (a: RunHeader, b: RunHeader, what: readonly string[]): string =>
  `${a.id} and ${b.id} differ in ${what.join(', ')}`;

/** Everything that decides what is sent, beside the content of the files and the shard. */
export function inputOf({ options, inputs }: RunHeader): string {
  const { shard: _, ...selection } = options.selection;
  return JSON.stringify([{ ...options, selection }, inputs.map(({ sha256 }) => sha256)]);
}

import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import { AppError } from '../../core/app-error.ts';
import { dateInZone } from '../../core/values/instant.ts';
import type { CommandContext } from '../command.ts';
import { openSourceFile, type SourceFile } from '../csv/source-file.ts';
import { belongsTo, type StageJob } from '../push/stage-job.ts';
import type { RunSource } from '../run-file/run-header.ts';
import { mappedSources, type MappedSource } from './mapping-of.ts';
import type { RejectedSource } from './rejects-file.ts';
import type { SourceOptions } from './source-flags.ts';

/** Opens the files of a run; they are closed when the command ends. @throws AppError `file_not_readable` */
export async function openSources(
  names: readonly string[],
  context: CommandContext,
): Promise<readonly SourceFile[]> {
  if (names.filter((name) => name === '-').length > 1)
    throw new AppError('usage', { reason: 'standard input (-) can be read once only', command: 'push' });
  const sources: SourceFile[] = [];
  for (const name of names) {
    const standardInput = { stream: context.io.stdin, spoolFolder: tmpdir() };
    const source = await openSourceFile(name, context.io.cwd, standardInput);
    context.onClose(() => source.close());
    sources.push(source);
  }
  return sources;
}

/** Hash of the content of a run; that of one file is its own. */
export function contentHash(sources: readonly SourceFile[]): string {
  const hashes = sources.map((source) => source.fingerprint.sha256);
  return hashes.length === 1 ? hashes[0]! : createHash('sha256').update(hashes.join()).digest('hex');
}

/** What is staged, and the files beside the sources that decide how. */
export interface MappedJob extends StageJob {
  readonly sources: readonly (StageJob['sources'][number] & MappedSource)[];
  readonly inputs: readonly RunSource[];
}

/** What a command line asks to be staged. @throws AppError `mapping_invalid`, `mapping_resource_differs` */
export async function stageJobOf(
  options: SourceOptions,
  sources: readonly SourceFile[],
  context: CommandContext,
): Promise<MappedJob> {
  const settings = await context.settings();
  const choice = { ...options, supplier: settings.get('supplier') };
  const mapped = await mappedSources(sources, choice, context);
  // Sources that share a mapping share its files.
  const inputs = new Map(mapped.flatMap(({ usedFiles }) => usedFiles.map((file) => [file.name, file])));
  return {
    resource: options.resource,
    sources: mapped,
    inputs: [...inputs.values()].map(({ name, fingerprint }) => ({ name, ...fingerprint })),
    check: { today: dateInZone(context.io.timing.nowMs(), settings.need('timeZone')) },
    earliestDate: settings.need('earliestDate'),
    exactDuplicates: options.exactDuplicates ?? 'error',
    window: { skip: options.skipRecords ?? 0, max: options.maxRecords ?? Infinity },
    inShard: (account) => belongsTo(options.shard, account),
  };
}

/** The sources of a job as their rejects are written from. */
export function rejectedSources(sources: readonly SourceFile[], job: MappedJob): readonly RejectedSource[] {
  return sources.map((file, index) => ({ file, mappedBy: job.sources[index]!.mappedBy }));
}

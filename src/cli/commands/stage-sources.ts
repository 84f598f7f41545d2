import { createHash } from 'node:crypto';
import { dateInZone } from '../../core/values/instant.ts';
import type { CommandContext } from '../command.ts';
import { readCsv } from '../csv/read-csv.ts';
import { openSourceFile, type SourceFile } from '../csv/source-file.ts';
import { planByHeader } from '../mapping/plan-by-header.ts';
import { belongsTo } from '../push/shard.ts';
import type { StageJob } from '../push/stage-job.ts';
import type { SourceOptions } from './source-flags.ts';

/** Opens the files of a run; they are closed when the command ends. @throws AppError `file_not_readable` */
export async function openSources(
  names: readonly string[],
  context: CommandContext,
): Promise<readonly SourceFile[]> {
  const sources: SourceFile[] = [];
  for (const name of names) {
    const source = await openSourceFile(name);
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

/** What a command line asks to be staged. */
export async function stageJobOf(
  options: SourceOptions,
  sources: readonly SourceFile[],
  context: CommandContext,
): Promise<StageJob> {
  const settings = await context.settings();
  const supplier = settings.get('supplier');
  return {
    resource: options.resource,
    sources: sources.map((source) => ({
      name: source.name,
      items: readCsv(source),
      mapping: (header) => planByHeader(options.resource, header, supplier),
    })),
    check: { today: dateInZone(context.io.timing.nowMs(), settings.need('timeZone')) },
    window: { skip: options.skipRecords ?? 0, max: options.maxRecords ?? Infinity },
    inShard: (account) => belongsTo(options.shard, account),
  };
}
